"""Every alert, as data: what it measures, when that is wrong, and what to tell the person who is woken.

An alert is a signal, which can be looked at on any day, and the condition that makes it fire. Each has its section in
docs/runbook.md. `dashboards.rules` writes them down for Prometheus.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dashboards.promql import increase, rate, share, total
from gates.base.gate import Gate
from telemetry import instruments as i

Severity = Literal["critical", "warning", "info"]

GATE_ALERT, SLICE_ALERT = "GroundwireGateFailing", "GroundwireSliceFailing"
"""The alerts about verdicts, by rule or pushed to an Alertmanager: they have the same names and labels."""


ACCEPTED = "200|OK"
"""Codes of requests that were taken in, over HTTP and gRPC."""

GAPS = f"missing_input|{i.FAILURES}"
"""Reasons for a missing value where there should be one."""

UNTOLD = "rejected|expired"
"""Outcomes after which somebody who is to be told of a decision was not."""

LOST = "unknown|rejected|failed"
"""Outcomes of write-back after which a score is not where people look for it, though it should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One alert: ``signal`` always returns data, and compared by ``condition`` only what is wrong.

    An ``optional`` signal is about a part of the agent that need not be configured.
    """

    name: str
    signal: str
    condition: str
    wait: str
    severity: Severity
    summary: str
    description: str
    hold: str | None = None
    optional: bool = False

    @property
    def expr(self) -> str:
        """The expression that returns something while the alert is to fire."""
        return f"{self.signal} {self.condition}"


def quality_alerts(dimensions: Sequence[str], gates: Sequence[Gate]) -> Iterator[Alert]:
    """Yield the alerts about the monitored system and about what is known of it."""
    named = "".join(f"{{{{ with .Labels.{name} }}}} {name}={{{{ . }}}}{{{{ end }}}}" for name in dimensions)
    failing = f'printf "{i.GATE_SLICE_STATE.name}{{gate=%q}} == -1" $labels.gate'
    yield Alert(
        name=GATE_ALERT,
        signal=total(["gate"], i.GATE_STATE.name, operator="min"),
        condition="== -1",
        wait="0s",  # The verdict rests on a confidence bound already; waiting would only add delay.
        hold="30m",
        severity="critical",
        summary="Gate {{ $labels.gate }} is failing",
        description="Gate {{ $labels.gate }} has statistical evidence that its limit is exceeded. Failing slices: "
        f"{{{{ range query ({failing}) }}}}[{named} ]{{{{ end }}}}",
    )
    if dimensions:
        yield Alert(
            name=SLICE_ALERT,
            signal=total(["gate", *dimensions], i.GATE_SLICE_STATE.name, operator="min"),
            condition="== -1",
            wait="0s",
            hold="30m",
            severity="warning",
            summary="Gate {{ $labels.gate }} is failing for" + named,
            description="Gate {{ $labels.gate }} has statistical evidence that its limit is exceeded in this slice. If "
            "the gate as a whole is failing, an Alertmanager inhibit rule can silence this alert.",
        )
    yield Alert(
        name="GroundwireGateStale",
        signal=f"(time() - {total(['gate'], i.GATE_EVALUATED.name, operator='max')})",
        condition="> 300",
        wait="2m",
        severity="critical",
        summary="Gate {{ $labels.gate }} is no longer being evaluated",
        description="Gate {{ $labels.gate }} was last evaluated {{ $value | humanizeDuration }} ago. Its verdict is "
        "stale; pipelines that read it get inconclusive. Check the agent's log for a failing judge step.",
    )
    yield Alert(
        name="GroundwireClockBehind",
        signal=total(["gate"], i.GATE_AHEAD.name, operator="max"),
        condition="> 60",
        wait="2m",
        severity="warning",
        summary="System clock is behind the newest evidence of gate {{ $labels.gate }}",
        description="Gate {{ $labels.gate }} holds evidence from {{ $value | humanizeDuration }} in the future. Until "
        "the clock catches up, new answers do not count and the gate cannot pass. Check time synchronization.",
    )
    answers = f"sum({increase(i.ANSWERS, {}, '30m')})"
    yield Alert(
        name="GroundwireNoAnswers",
        signal=f"({answers} or vector(0))",
        condition=f"== 0 and on () (sum({increase(i.ANSWERS, {}, '1d')}) > 0)",
        wait="15m",
        severity="warning",
        summary="No answers are arriving",
        description="No answer has arrived for 30 minutes, but some did within the last day. Either there is no "
        "traffic, or the application's exporter cannot reach the agent.",
    )
    judged = "|".join(sorted({metric for gate in gates for metric in gate.metrics}))
    if judged:
        blind = total(["metric"], rate(i.UNSCORED, {"metric": f'=~"{judged}"', "reason": f'=~"{GAPS}"'}, "30m"))
        yield Alert(
            name="GroundwireUnscoredHigh",
            signal=share(blind, f"sum({rate(i.ANSWERS_SCORED, {}, '30m')})", on="on () group_left () "),
            condition="> 0.5",
            wait="30m",
            severity="warning",
            summary="Metric {{ $labels.metric }} is missing for most answers",
            description="{{ $value | humanizePercentage }} of scored answers have no value for {{ $labels.metric }}, "
            "which a gate judges. The verdict rests on the remaining answers.",
        )
    failed = total(["metric", "reason"], rate(i.UNSCORED, {"reason": f'=~"{i.FAILURES}"'}, "30m"))
    yield Alert(
        name="GroundwireScoringFailing",
        signal=share(failed, f"sum({rate(i.ANSWERS_SCORED, {}, '30m')})", on="on () group_left () "),
        condition="> 0.05",
        wait="15m",
        severity="warning",
        summary="Scoring of {{ $labels.metric }} is failing: {{ $labels.reason }}",
        description="{{ $value | humanizePercentage }} of scored answers got no value for {{ $labels.metric }} "
        "(reason: {{ $labels.reason }}).",
    )
    yield Alert(
        name="GroundwireSliceOverflow",
        signal=total(["dimension"], increase(i.SLICE_OVERFLOW, {}, "1h")),
        condition="> 0",
        wait="30m",
        severity="info",
        summary="Slice dimension {{ $labels.dimension }} has reached its limit of values",
        description="Answers with new values of {{ $labels.dimension }} are counted as __other__. Raise the limit or "
        "choose a coarser dimension.",
    )


def agent_alerts() -> Iterator[Alert]:
    """Yield the alerts about the agent itself."""
    yield Alert(
        name="GroundwireAgentAbsent",
        signal=f"(count({i.BUILD_INFO.name}) or vector(0))",
        condition="== 0",
        wait="5m",
        severity="critical",
        summary="No Groundwire agent is being scraped",
        description="Prometheus has no agent to scrape: either none is running, or no scrape job discovers it.",
    )
    seen = f"count by (job, instance) (count_over_time({i.BUILD_INFO.name}[1d]))"
    yield Alert(
        name="GroundwireAgentDown",
        signal="up",
        condition=f"== 0 and on (job, instance) {seen}",
        wait="5m",
        severity="critical",
        summary="Agent {{ $labels.instance }} is down",
        description="Agent {{ $labels.instance }} (job {{ $labels.job }}) was up within the last day and cannot be "
        "scraped now.",
    )
    yield Alert(
        name="GroundwireQueueFull",
        signal=total(["instance"], share(i.QUEUE_BYTES.name, i.QUEUE_LIMIT.name), operator="max"),
        condition="> 0.9",
        wait="2m",
        severity="warning",
        summary="Receive queue of {{ $labels.instance }} is almost full",
        description="The receive queue is {{ $value | humanizePercentage }} full; senders are being told to retry. "
        "Check disk latency and the load of the agent.",
    )
    refused = total(["protocol", "code"], rate(i.REQUESTS, {"code": f'!~"{ACCEPTED}"'}, "10m"))
    asked = total(["protocol"], rate(i.REQUESTS, {}, "10m"))
    yield Alert(
        name="GroundwireRequestsRefused",
        signal=share(refused, asked, on="on (protocol) group_left () "),
        condition="> 0.05",
        wait="10m",
        severity="warning",
        summary="Export requests are being rejected: {{ $labels.protocol }} {{ $labels.code }}",
        description="{{ $value | humanizePercentage }} of {{ $labels.protocol }} requests are answered with "
        "{{ $labels.code }}.",
    )
    yield Alert(
        name="GroundwireSpansRefused",
        signal=total(["reason"], increase(i.REJECTED_SPANS, {"reason": '!="thinned"'}, "10m")),
        condition="> 0",
        wait="10m",
        severity="warning",
        summary="Spans are being rejected: {{ $labels.reason }}",
        description="{{ $value | humanize }} spans were rejected in the last 10 minutes ({{ $labels.reason }}).",
    )
    malformed = rate(i.TRACES, {"outcome": '="malformed"'}, "30m")
    yield Alert(
        name="GroundwireMalformedHigh",
        signal=share(f"sum({malformed})", f"sum({rate(i.TRACES, {}, '30m')})"),
        condition="> 0.05",
        wait="15m",
        severity="warning",
        summary="Traces cannot be parsed",
        description="{{ $value | humanizePercentage }} of traces could not be parsed. `groundwire_malformed_total` "
        "tells the reasons.",
    )
    yield Alert(
        name="GroundwirePipelineLag",
        signal=total(["stage"], i.LAG.name, operator="max"),
        condition="> 600",
        wait="5m",
        severity="warning",
        summary="Pipeline stage {{ $labels.stage }} is falling behind",
        description="The oldest item waiting at stage {{ $labels.stage }} is {{ $value | humanizeDuration }} old.",
    )
    yield Alert(
        name="GroundwireStepFailing",
        signal=total(["stage", "kind"], increase(i.STEP_ERRORS, {}, "10m")),
        condition="> 0",
        wait="10m",
        severity="warning",
        summary="Pipeline stage {{ $labels.stage }} keeps failing: {{ $labels.kind }}",
        description="Stage {{ $labels.stage }} failed {{ $value | humanize }} times in the last 10 minutes with "
        "{{ $labels.kind }}. Nothing is lost; it keeps retrying.",
    )
    yield from _store_alerts()
    yield Alert(
        name="GroundwireSourceFailing",
        optional=True,
        signal=total(["source"], i.SOURCE_UP.name, operator="min"),
        condition="== 0",
        wait="10m",
        severity="warning",
        summary="Source {{ $labels.source }} cannot be read",
        description="Every fetch from source {{ $labels.source }} has failed for 10 minutes. What arrives there in the "
        "meantime is fetched once it works again.",
    )
    yield Alert(
        name="GroundwireSourceSilent",
        optional=True,
        signal=f"(time() - {total(['source'], i.SOURCE_SUCCESS.name, operator='min')})",
        condition="> 1800",
        wait="5m",
        severity="warning",
        summary="Source {{ $labels.source }} has not been read for 30 minutes",
        description="Source {{ $labels.source }} was last fetched successfully {{ $value | humanizeDuration }} ago.",
    )
    yield Alert(
        name="GroundwireSourceMalformed",
        optional=True,
        signal=total(["source"], increase(i.SOURCE_MALFORMED, {}, "1h")),
        condition="> 0",
        wait="5m",
        severity="info",
        summary="Records of source {{ $labels.source }} cannot be parsed",
        description="{{ $value | humanize }} records of source {{ $labels.source }} failed to parse in the last hour.",
    )
    yield Alert(
        name="GroundwireCatalogRefused",
        signal=f"sum({increase(i.CATALOG_ERRORS, {}, '1h')})",
        condition="> 0",
        wait="0s",
        severity="warning",
        summary="A catalog file was rejected",
        description="A changed catalog file was rejected in the last hour. The previous catalog stays active, so "
        "freshness is judged against outdated documents. `groundwire catalog check` shows what is wrong.",
    )
    yield Alert(
        name="GroundwireWriteBackDown",
        optional=True,
        signal=total(["target"], i.WRITE_BACK_UP.name, operator="min"),
        condition="== 0",
        wait="15m",
        severity="warning",
        summary="Scores cannot be written to {{ $labels.target }}",
        description="Every write to {{ $labels.target }} has failed for 15 minutes. Scores are kept as long as their "
        "answers and written once the target is back.",
    )
    yield Alert(
        name="GroundwireWriteBackLost",
        optional=True,
        signal=total(["target", "outcome"], increase(i.WRITE_BACK_ITEMS, {"outcome": f'=~"{LOST}"'}, "1h")),
        condition="> 0",
        wait="10m",
        severity="info",
        summary="Scores are not reaching {{ $labels.target }}: {{ $labels.outcome }}",
        description="{{ $value | humanize }} scores and verdicts were not written to {{ $labels.target }} in the last "
        "hour (outcome: {{ $labels.outcome }}).",
    )
    yield Alert(
        name="GroundwireNotifierDown",
        optional=True,
        signal=total(["target"], i.NOTIFY_UP.name, operator="min"),
        condition="== 0",
        wait="10m",
        severity="warning",
        summary="Notifications cannot be delivered to {{ $labels.target }}",
        description="Every delivery to {{ $labels.target }} has failed for 10 minutes. Decisions older than "
        "judge.expiry are dropped without notification.",
    )
    yield Alert(
        name="GroundwireNotificationsLost",
        optional=True,
        signal=total(["target", "outcome"], increase(i.NOTIFICATIONS, {"outcome": f'=~"{UNTOLD}"'}, "1h")),
        condition="> 0",
        wait="0s",
        severity="warning",
        summary="Notifications did not reach {{ $labels.target }}: {{ $labels.outcome }}",
        description="{{ $value | humanize }} decisions were not delivered to {{ $labels.target }} in the last hour "
        "(outcome: {{ $labels.outcome }}).",
    )


def _store_alerts() -> Iterator[Alert]:
    yield Alert(
        name="GroundwireStoreNotWritable",
        signal=total(["instance"], i.STORE_WRITABLE.name, operator="min"),
        condition="== 0",
        wait="1m",
        severity="critical",
        summary="Store of {{ $labels.instance }} is not writable",
        description="Usually the disk is full. Senders are told to retry; nothing is scored or judged. `/readyz` gives "
        "the reason.",
    )
    yield Alert(
        name="GroundwireStoreCorrupt",
        signal=total(["instance"], i.STORE_CORRUPT.name, operator="max"),
        condition="== 1",
        wait="0s",
        severity="critical",
        summary="Store of {{ $labels.instance }} is corrupt",
        description="SQLite reports that the database is malformed. `/readyz` gives the details.",
    )
    yield Alert(
        name="GroundwireStoreRewound",
        signal=total(["instance"], i.STORE_REWOUND.name, operator="max"),
        condition="== 1",
        wait="0s",
        severity="warning",
        summary="Store of {{ $labels.instance }} has lost rows",
        description="The store is older than the mark beside it: either its write-ahead log was deleted, or an old "
        "copy was restored. `/readyz` says what is missing.",
    )
    yield Alert(
        name="GroundwireStoreLogLarge",
        signal=total(["instance"], i.STORE_LOG_BYTES.name, operator="max"),
        condition="> 268435456",
        wait="5m",
        severity="warning",
        summary="Write-ahead log of {{ $labels.instance }} keeps growing",
        description="The write-ahead log is {{ $value | humanize1024 }}B; it should be about 32 MiB. Some reader keeps "
        "the database open, for example a backup or a shell.",
    )


def all_alerts(dimensions: Sequence[str], gates: Sequence[Gate]) -> tuple[Alert, ...]:
    """Return every alert, in the order of the runbook."""
    return (*quality_alerts(dimensions, gates), *agent_alerts())
