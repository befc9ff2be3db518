"""Every alert, as data: what it measures, when that is wrong, and what the person on call reads.

An alert is a signal, which has a value at any time, and the condition on which it fires. Each has its section in
docs/runbook.md. `dashboards.rules` writes them as Prometheus rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from dashboards.alert import Alert, AlertSeverity
from dashboards.failures import failure_annotations, failure_words
from dashboards.link_alerts import link_alerts
from dashboards.promql import ANY, age, highest, increase, lowest, matchers, rate, share, total
from gates.base.gate import Gate
from gates.objective import ObjectiveGate
from telemetry import instruments as i
from telemetry.alerts import GATE_ALERT, PAGE_ALERT, SLICE_ALERT, TICKET_ALERT
from telemetry.exposure import OptionalPart
from telemetry.instrument import Instrument

ACCEPTED = "200|OK"
"""Codes of accepted requests, over HTTP and gRPC."""

UNSETTLED = "30m"
"""How long an alert on a verdict goes on while that is inconclusive: a metric near its limit turns often."""

STEP = "30s"
"""How close the instants are at which the last verdict that was no inconclusive one is sought."""

VERDICT_HOLD = "5m"
"""How long it outlasts a pass, or a verdict that is missing: over a restart of the agent and scrapes that fail.

Prometheus freezes the annotations meanwhile: held for long, an alert would ask for what is mended already.
"""

GAPS = f"missing_input|{i.FAILURES}"
"""Reasons for a missing value where there should be one."""


def quality_alerts(dimensions: Sequence[str], gates: Sequence[Gate], public_url: str | None = None) -> Iterator[Alert]:
    """Yield the alerts on the monitored system and on what is measured of it; they link to pages at ``public_url``."""
    named = "".join(f"{{{{ with .Labels.{name} }}}} {name}={{{{ . }}}}{{{{ end }}}}" for name in dimensions)
    failed = f'printf "min_over_time({i.GATE_SLICE_STATE.name}{{gate=%q}}[{UNSETTLED}]) == -1" $labels.gate'
    objectives = "|".join(gate.name for gate in gates if isinstance(gate, ObjectiveGate))
    # An objective may fail without being urgent: it has alerts of its own.
    judged_gates = {"gate": f'!~"{objectives}"'} if objectives else ANY
    yield Alert(
        name=GATE_ALERT,
        signal=lowest(["gate"], i.GATE_STATE, judged_gates),
        condition=_failed(["gate"], i.GATE_STATE, judged_gates),
        # No wait: the verdict rests on a confidence bound already.
        hold=VERDICT_HOLD,
        severity="page",
        summary=failure_words("summary", "Gate {{ $labels.gate }} failed", dimensions, of_slice=False),
        description=failure_words(
            "description",
            "Gate {{ $labels.gate }} failed with statistical evidence that its limit was violated.",
            dimensions,
            of_slice=False,
        )
        + f" Slices that failed in the last {UNSETTLED}: {{{{ range query ({failed}) }}}}[{named} ]{{{{ end }}}}",
        annotations=failure_annotations(dimensions, public_url, of_slice=False),
    )
    if dimensions:
        yield Alert(
            name=SLICE_ALERT,
            signal=lowest(["gate", *dimensions], i.GATE_SLICE_STATE),
            condition=_failed(["gate", *dimensions], i.GATE_SLICE_STATE),
            hold=VERDICT_HOLD,
            summary=failure_words("summary", "Gate {{ $labels.gate }} failed for" + named, dimensions, of_slice=True),
            description=failure_words(
                "description",
                "Gate {{ $labels.gate }} failed with statistical evidence that its limit was violated in this slice.",
                dimensions,
                of_slice=True,
            ),
            annotations=failure_annotations(dimensions, public_url, of_slice=True),
        )
    if objectives:
        yield from _objective_alerts(dimensions, named, public_url)
    yield Alert(
        name="GroundwireGateStale",
        signal=age(highest(["gate"], i.GATE_EVALUATED)),
        condition="> 300",
        wait="2m",
        severity="page",
        summary="Gate {{ $labels.gate }} is no longer being evaluated",
        description="Gate {{ $labels.gate }} was last evaluated {{ $value | humanizeDuration }} ago. Its verdict is "
        "stale; pipelines that read it get inconclusive. Check the agent's log for a failing judge step.",
    )
    yield Alert(
        name="GroundwireClockBehind",
        signal=highest(["gate"], i.GATE_AHEAD),
        condition="> 60",
        wait="2m",
        summary="System clock is behind the newest evidence of gate {{ $labels.gate }}",
        description="Gate {{ $labels.gate }} holds evidence from {{ $value | humanizeDuration }} in the future. Until "
        "the clock catches up, new answers do not count and the gate cannot pass. Check time synchronization.",
    )
    yield Alert(
        name="GroundwireLateAnswers",
        signal=total(["gate"], increase(i.GATE_LATE, "1h", {"outcome": '="left_out"'})),
        condition="> 30",
        wait="15m",
        summary="Answers arrive too late for gate {{ $labels.gate }}",
        description="{{ $value | humanize }} answers of the last hour arrived too late to count for gate "
        "{{ $labels.gate }}. While they are more than 2 % of a day's answers, the gate cannot pass.",
    )
    yield Alert(
        name="GroundwireNoAnswers",
        signal=f"({total([], increase(i.ANSWERS, '30m'))} or vector(0))",
        condition=f"== 0 and on () ({total([], increase(i.ANSWERS, '1d'))} > 0)",
        wait="15m",
        summary="No answers are arriving",
        description="No answer has arrived for 30 minutes, but some did within the last day. Either there is no "
        "traffic, or the application's exporter cannot reach the agent.",
    )
    scored = total([], rate(i.ANSWERS_SCORED, "30m"))
    judged = "|".join(sorted({metric for gate in gates for metric in gate.metrics}))
    if judged:
        blind = total(["metric"], rate(i.UNSCORED, "30m", {"metric": f'=~"{judged}"', "reason": f'=~"{GAPS}"'}))
        yield Alert(
            name="GroundwireUnscoredHigh",
            signal=share(blind, scored, on="on () group_left () "),
            condition="> 0.5",
            wait="30m",
            summary="Metric {{ $labels.metric }} is missing for most answers",
            description="{{ $value | humanizePercentage }} of scored answers have no value for {{ $labels.metric }}, "
            "which a gate judges. The verdict rests on the remaining answers.",
        )
    failed = total(["metric", "reason"], rate(i.UNSCORED, "30m", {"reason": f'=~"{i.FAILURES}"'}))
    yield Alert(
        name="GroundwireScoringFailing",
        signal=share(failed, scored, on="on () group_left () "),
        condition="> 0.05",
        wait="15m",
        summary="Scoring of {{ $labels.metric }} is failing: {{ $labels.reason }}",
        description="{{ $value | humanizePercentage }} of scored answers got no value for {{ $labels.metric }} "
        "(reason: {{ $labels.reason }}).",
    )
    yield Alert(
        name="GroundwireSliceOverflow",
        signal=total(["dimension"], increase(i.SLICE_OVERFLOW, "1h")),
        condition="> 0",
        wait="30m",
        severity="info",
        summary="Slice dimension {{ $labels.dimension }} has reached its limit of values",
        description="Answers with new values of {{ $labels.dimension }} are counted as __other__. Raise the limit or "
        "choose a coarser dimension.",
    )


def _failed(by: Sequence[str], state: Instrument, pairs: Mapping[str, str] = ANY) -> str:
    """Return the condition that a state is a failure, or undecided and nothing has passed since the last failure."""
    now = total(by, state.name + matchers(pairs), operator="min")
    # A range of instants sees a failure only at its next step, so the state of this moment is read beside it.
    decided = f"last_over_time(({now} != 0)[{UNSETTLED}:{STEP}])"
    return f"< 1 and on ({', '.join(by)}) ({now} == -1 or {decided} == -1)"


def _objective_alerts(dimensions: Sequence[str], named: str, public_url: str | None) -> Iterator[Alert]:
    """Yield an alert for each severity of objectives; ``named`` writes the slice of a series."""
    levels: tuple[tuple[str, int, AlertSeverity, str, str], ...] = (
        (PAGE_ALERT, 2, "page", "burns fast", "now"),
        (TICKET_ALERT, 1, "ticket", "burns steadily or is spent", "today"),
    )
    for name, level, severity, burns, when in levels:
        slices = f'printf "{i.OBJECTIVE_SEVERITY.name}{{gate=%q}} == {level}" $labels.gate'
        yield Alert(
            name=name,
            signal=highest(["gate"], i.OBJECTIVE_SEVERITY),
            condition=f"== {level}",
            hold="10m",
            severity=severity,
            summary=failure_words(
                "summary", f"Error budget of {{{{ $labels.gate }}}} {burns}", dimensions, of_slice=False
            ),
            description=f"The error budget of objective {{{{ $labels.gate }}}} {burns}; look at it {when}. Slices: "
            f"{{{{ range query ({slices}) }}}}[{named} ]{{{{ end }}}}",
            annotations=failure_annotations(dimensions, public_url, of_slice=False),
        )
    yield Alert(
        name="GroundwireObjectiveSilent",
        signal=highest(["gate", *dimensions], i.OBJECTIVE_SILENT),
        condition="> 86400",
        wait="5m",
        severity="info",
        summary="Objective {{ $labels.gate }} has no answers to count" + named,
        description="The last answer that counts for objective {{ $labels.gate }} came {{ $value | humanizeDuration }} "
        "ago. Its error budget is as it was then, and the gate is inconclusive.",
    )


def agent_alerts() -> Iterator[Alert]:
    """Yield the alerts on the agent itself."""
    yield Alert(
        name="GroundwireAgentAbsent",
        signal=f"(count({i.BUILD_INFO.name}) or vector(0))",
        condition="== 0",
        wait="5m",
        severity="page",
        summary="No Groundwire agent is being scraped",
        description="Prometheus has no agent to scrape: either none is running, or no scrape job discovers it.",
    )
    seen = f"count by (job, instance) (count_over_time({i.BUILD_INFO.name}[1d]))"
    yield Alert(
        name="GroundwireAgentDown",
        signal="up",
        condition=f"== 0 and on (job, instance) {seen}",
        wait="5m",
        severity="page",
        summary="Agent {{ $labels.instance }} is down",
        description="Agent {{ $labels.instance }} (job {{ $labels.job }}) was up within the last day and cannot be "
        "scraped now.",
    )
    yield Alert(
        name="GroundwireQueueFull",
        signal=total(["instance"], share(i.QUEUE_BYTES.name, i.QUEUE_LIMIT.name), operator="max"),
        condition="> 0.9",
        wait="2m",
        summary="Receive queue of {{ $labels.instance }} is almost full",
        description="The receive queue is {{ $value | humanizePercentage }} full; senders are being told to retry. "
        "Check disk latency and the load of the agent.",
    )
    refused = total(["protocol", "code"], rate(i.REQUESTS, "10m", {"code": f'!~"{ACCEPTED}"'}))
    asked = total(["protocol"], rate(i.REQUESTS, "10m"))
    yield Alert(
        name="GroundwireRequestsRefused",
        signal=share(refused, asked, on="on (protocol) group_left () "),
        condition="> 0.05",
        wait="10m",
        summary="Export requests are being rejected: {{ $labels.protocol }} {{ $labels.code }}",
        description="{{ $value | humanizePercentage }} of {{ $labels.protocol }} requests are answered with "
        "{{ $labels.code }}.",
    )
    yield Alert(
        name="GroundwireSpansRefused",
        signal=total(["reason"], increase(i.REJECTED_SPANS, "10m", {"reason": '!="thinned"'})),
        condition="> 0",
        wait="10m",
        summary="Spans are being rejected: {{ $labels.reason }}",
        description="{{ $value | humanize }} spans were rejected in the last 10 minutes ({{ $labels.reason }}).",
    )
    malformed = total([], rate(i.TRACES, "30m", {"outcome": '="malformed"'}))
    yield Alert(
        name="GroundwireMalformedHigh",
        signal=share(malformed, total([], rate(i.TRACES, "30m"))),
        condition="> 0.05",
        wait="15m",
        summary="Traces cannot be parsed",
        description="{{ $value | humanizePercentage }} of traces could not be parsed. `groundwire_malformed_total` "
        "has the reasons.",
    )
    yield Alert(
        name="GroundwirePipelineLag",
        signal=highest(["stage"], i.LAG),
        condition="> 600",
        wait="5m",
        summary="Pipeline stage {{ $labels.stage }} is falling behind",
        description="The oldest item waiting at stage {{ $labels.stage }} is {{ $value | humanizeDuration }} old.",
    )
    yield Alert(
        name="GroundwireStepFailing",
        signal=total(["stage", "kind"], increase(i.STEP_ERRORS, "10m")),
        condition="> 0",
        wait="10m",
        summary="Pipeline stage {{ $labels.stage }} keeps failing: {{ $labels.kind }}",
        description="Stage {{ $labels.stage }} failed {{ $value | humanize }} times in the last 10 minutes with "
        "{{ $labels.kind }}. Nothing is lost; it keeps retrying.",
    )
    yield from _store_alerts()
    yield Alert(
        name="GroundwireSpansUnread",
        signal=total(["scope"], increase(i.UNREAD_SPANS, "1h")),
        condition="> 0",
        wait="10m",
        severity="info",
        summary="Spans of scope {{ $labels.scope }} are not read",
        description="{{ $value | humanize }} spans of scope {{ $labels.scope }} in the last hour: no dialect reads "
        "them, so their answers are missing or incomplete. docs/sources.md lists what is read; describe more under "
        "traces.dialects.",
    )
    yield from link_alerts()


def _store_alerts() -> Iterator[Alert]:
    yield Alert(
        name="GroundwireStoreNotWritable",
        signal=lowest(["instance"], i.STORE_WRITABLE),
        condition="== 0",
        wait="1m",
        severity="page",
        summary="Store of {{ $labels.instance }} is not writable",
        description="Usually the disk is full. Senders are told to retry; nothing is scored or judged. `/readyz` gives "
        "the reason.",
    )
    yield Alert(
        name="GroundwireStoreCorrupt",
        signal=highest(["instance"], i.STORE_CORRUPT),
        condition="== 1",
        severity="page",
        summary="Store of {{ $labels.instance }} is corrupt",
        description="SQLite reports that the database is malformed. `/readyz` gives the details.",
    )
    yield Alert(
        name="GroundwireStoreRewound",
        signal=highest(["instance"], i.STORE_REWOUND),
        condition="== 1",
        summary="Store of {{ $labels.instance }} has lost rows",
        description="The store is older than the mark beside it: either its write-ahead log was deleted, or an old "
        "copy was restored. `/readyz` says what is missing.",
    )
    yield Alert(
        name="GroundwireStoreLogLarge",
        signal=highest(["instance"], i.STORE_LOG_BYTES),
        condition="> 268435456",
        wait="5m",
        summary="Write-ahead log of {{ $labels.instance }} keeps growing",
        description="The write-ahead log is {{ $value | humanize1024 }}B; it should be about 32 MiB. Some reader keeps "
        "the database open, for example a backup or a shell.",
    )


def all_alerts(dimensions: Sequence[str], gates: Sequence[Gate], public_url: str | None = None) -> tuple[Alert, ...]:
    """Return every alert, in the order of the runbook, whatever is configured."""
    return (*quality_alerts(dimensions, gates, public_url), *agent_alerts())


def of_parts(alerts: Iterable[Alert], parts: Collection[OptionalPart]) -> tuple[Alert, ...]:
    """Return the alerts without those about a part of the agent that is not among ``parts``."""
    return tuple(alert for alert in alerts if alert.part is None or alert.part in parts)
