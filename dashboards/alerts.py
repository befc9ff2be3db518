"""Every alert, as data: what it measures, when that is wrong, and what to tell the person who is woken.

An alert is a signal, which can be looked at on any day, and the condition that makes it fire. Each has its section in
docs/runbook.md. `dashboards.rules` writes them down for Prometheus.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dashboards.promql import increase, rate, share, total
from gates.base import Gate
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
        summary="Gate {{ $labels.gate }} fails",
        description="The gate {{ $labels.gate }} has evidence that its limit is broken. Failing slices: "
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
            summary="Gate {{ $labels.gate }} fails on" + named,
            description="The gate {{ $labels.gate }} has evidence that its limit is broken on this slice. Where the "
            "gate as a whole fails, Alertmanager can hold this one back.",
        )
    yield Alert(
        name="GroundwireGateStale",
        signal=f"(time() - {total(['gate'], i.GATE_EVALUATED.name, operator='max')})",
        condition="> 300",
        wait="2m",
        severity="critical",
        summary="Gate {{ $labels.gate }} is not judged any more",
        description="The gate {{ $labels.gate }} was last judged {{ $value | humanizeDuration }} ago. Its verdict is "
        "old, and a pipeline that reads it decides on old evidence.",
    )
    yield Alert(
        name="GroundwireClockBehind",
        signal=total(["gate"], i.GATE_AHEAD.name, operator="max"),
        condition="> 60",
        wait="2m",
        severity="warning",
        summary="The clock is behind the evidence of gate {{ $labels.gate }}",
        description="The gate {{ $labels.gate }} holds evidence from {{ $value | humanizeDuration }} after now. Until "
        "that time comes answers are too late for it: it does not pass, and finds nothing new.",
    )
    answers = f"sum({increase(i.ANSWERS, {}, '30m')})"
    yield Alert(
        name="GroundwireNoAnswers",
        signal=f"({answers} or vector(0))",
        condition=f"== 0 and on () (sum({increase(i.ANSWERS, {}, '1d')}) > 0)",
        wait="15m",
        severity="warning",
        summary="No answers arrive",
        description="No answer was seen for 30 minutes, though there were some within a day. Either nobody asks, or "
        "the application's exporter does not reach the agent.",
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
            summary="A gate's metric {{ $labels.metric }} has no value for most answers",
            description="{{ $value | humanizePercentage }} of the answers looked at got no value of "
            "{{ $labels.metric }}, which a gate judges. Its verdict stands on the rest.",
        )
    failed = total(["metric", "reason"], rate(i.UNSCORED, {"reason": f'=~"{i.FAILURES}"'}, "30m"))
    yield Alert(
        name="GroundwireScoringFailing",
        signal=share(failed, f"sum({rate(i.ANSWERS_SCORED, {}, '30m')})", on="on () group_left () "),
        condition="> 0.05",
        wait="15m",
        severity="warning",
        summary="Scoring {{ $labels.metric }} fails: {{ $labels.reason }}",
        description="{{ $value | humanizePercentage }} of the answers looked at got no value of {{ $labels.metric }}, "
        "for the reason {{ $labels.reason }}.",
    )
    yield Alert(
        name="GroundwireSliceOverflow",
        signal=total(["dimension"], increase(i.SLICE_OVERFLOW, {}, "1h")),
        condition="> 0",
        wait="30m",
        severity="info",
        summary="The dimension {{ $labels.dimension }} has more values than its cap",
        description="Answers with further values of {{ $labels.dimension }} are counted together as __other__.",
    )


def agent_alerts() -> Iterator[Alert]:
    """Yield the alerts about the agent itself."""
    yield Alert(
        name="GroundwireAgentAbsent",
        signal=f"(count({i.BUILD_INFO.name}) or vector(0))",
        condition="== 0",
        wait="5m",
        severity="critical",
        summary="No Groundwire agent is to be seen",
        description="Prometheus scrapes no agent at all: none runs, or no scrape job finds it.",
    )
    seen = f"count by (job, instance) (count_over_time({i.BUILD_INFO.name}[1d]))"
    yield Alert(
        name="GroundwireAgentDown",
        signal="up",
        condition=f"== 0 and on (job, instance) {seen}",
        wait="5m",
        severity="critical",
        summary="The agent {{ $labels.instance }} cannot be scraped",
        description="The agent {{ $labels.instance }} of job {{ $labels.job }} was seen within a day and does not "
        "answer.",
    )
    yield Alert(
        name="GroundwireQueueFull",
        signal=total(["instance"], share(i.QUEUE_BYTES.name, i.QUEUE_LIMIT.name), operator="max"),
        condition="> 0.9",
        wait="2m",
        severity="warning",
        summary="The receive queue of {{ $labels.instance }} is nearly full",
        description="{{ $value | humanizePercentage }} of the bytes that may wait for their commit are taken; senders "
        "are being told to retry.",
    )
    refused = total(["protocol", "code"], rate(i.REQUESTS, {"code": f'!~"{ACCEPTED}"'}, "10m"))
    asked = total(["protocol"], rate(i.REQUESTS, {}, "10m"))
    yield Alert(
        name="GroundwireRequestsRefused",
        signal=share(refused, asked, on="on (protocol) group_left () "),
        condition="> 0.05",
        wait="10m",
        severity="warning",
        summary="Export requests are refused: {{ $labels.protocol }} {{ $labels.code }}",
        description="{{ $value | humanizePercentage }} of the requests by {{ $labels.protocol }} are answered with "
        "{{ $labels.code }}.",
    )
    yield Alert(
        name="GroundwireSpansRefused",
        signal=total(["reason"], increase(i.REJECTED_SPANS, {"reason": '!="thinned"'}, "10m")),
        condition="> 0",
        wait="10m",
        severity="warning",
        summary="Spans are refused: {{ $labels.reason }}",
        description="{{ $value | humanize }} spans were refused in ten minutes for the reason {{ $labels.reason }}.",
    )
    malformed = rate(i.TRACES, {"outcome": '="malformed"'}, "30m")
    yield Alert(
        name="GroundwireMalformedHigh",
        signal=share(f"sum({malformed})", f"sum({rate(i.TRACES, {}, '30m')})"),
        condition="> 0.05",
        wait="15m",
        severity="warning",
        summary="Traces cannot be read",
        description="{{ $value | humanizePercentage }} of the traces could not be read.",
    )
    yield Alert(
        name="GroundwirePipelineLag",
        signal=total(["stage"], i.LAG.name, operator="max"),
        condition="> 600",
        wait="5m",
        severity="warning",
        summary="The stage {{ $labels.stage }} is behind",
        description="The oldest work waiting at the stage {{ $labels.stage }} is {{ $value | humanizeDuration }} old.",
    )
    yield Alert(
        name="GroundwireStepFailing",
        signal=total(["stage", "kind"], increase(i.STEP_ERRORS, {}, "10m")),
        condition="> 0",
        wait="10m",
        severity="warning",
        summary="The stage {{ $labels.stage }} keeps failing: {{ $labels.kind }}",
        description="The stage {{ $labels.stage }} failed {{ $value | humanize }} times in ten minutes with "
        "{{ $labels.kind }}. The work is kept and tried again.",
    )
    yield from _store_alerts()
    yield Alert(
        name="GroundwireSourceFailing",
        optional=True,
        signal=total(["source"], i.SOURCE_UP.name, operator="min"),
        condition="== 0",
        wait="10m",
        severity="warning",
        summary="The source {{ $labels.source }} cannot be read",
        description="Every look at the source {{ $labels.source }} failed for ten minutes. What comes there meanwhile "
        "is fetched when it works again.",
    )
    yield Alert(
        name="GroundwireSourceSilent",
        optional=True,
        signal=f"(time() - {total(['source'], i.SOURCE_SUCCESS.name, operator='min')})",
        condition="> 1800",
        wait="5m",
        severity="warning",
        summary="The source {{ $labels.source }} was not read for long",
        description="The source {{ $labels.source }} was last read with success {{ $value | humanizeDuration }} ago.",
    )
    yield Alert(
        name="GroundwireSourceMalformed",
        optional=True,
        signal=total(["source"], increase(i.SOURCE_MALFORMED, {}, "1h")),
        condition="> 0",
        wait="5m",
        severity="info",
        summary="Records of the source {{ $labels.source }} cannot be read",
        description="{{ $value | humanize }} records of the source {{ $labels.source }} could not be read within the "
        "hour.",
    )
    yield Alert(
        name="GroundwireCatalogRefused",
        signal=f"sum({increase(i.CATALOG_ERRORS, {}, '1h')})",
        condition="> 0",
        wait="0s",
        severity="warning",
        summary="A catalog file was refused",
        description="A changed catalog file was refused within the hour. The catalog that was in force before stays in "
        "force, so freshness is judged against old documents.",
    )
    yield Alert(
        name="GroundwireWriteBackDown",
        optional=True,
        signal=total(["target"], i.WRITE_BACK_UP.name, operator="min"),
        condition="== 0",
        wait="15m",
        severity="warning",
        summary="Scores cannot be written to {{ $labels.target }}",
        description="Nothing could be written to {{ $labels.target }} for a quarter of an hour. What waits is kept as "
        "long as answers are, and written when the target is back.",
    )
    yield Alert(
        name="GroundwireWriteBackLost",
        optional=True,
        signal=total(["target", "outcome"], increase(i.WRITE_BACK_ITEMS, {"outcome": f'=~"{LOST}"'}, "1h")),
        condition="> 0",
        wait="10m",
        severity="info",
        summary="Scores do not arrive at {{ $labels.target }}: {{ $labels.outcome }}",
        description="{{ $value | humanize }} scores and verdicts were not written to {{ $labels.target }} within the "
        "hour: {{ $labels.outcome }}.",
    )
    yield Alert(
        name="GroundwireNotifierDown",
        optional=True,
        signal=total(["target"], i.NOTIFY_UP.name, operator="min"),
        condition="== 0",
        wait="10m",
        severity="warning",
        summary="Decisions cannot be sent to {{ $labels.target }}",
        description="Nothing could be sent to {{ $labels.target }} for ten minutes. Decisions wait, and expire: nobody "
        "is told of one that is older than judge.expiry.",
    )
    yield Alert(
        name="GroundwireNotificationsLost",
        optional=True,
        signal=total(["target", "outcome"], increase(i.NOTIFICATIONS, {"outcome": f'=~"{UNTOLD}"'}, "1h")),
        condition="> 0",
        wait="0s",
        severity="warning",
        summary="Decisions did not reach {{ $labels.target }}: {{ $labels.outcome }}",
        description="{{ $value | humanize }} decisions were not told to {{ $labels.target }} within the hour: "
        "{{ $labels.outcome }}.",
    )


def _store_alerts() -> Iterator[Alert]:
    yield Alert(
        name="GroundwireStoreNotWritable",
        signal=total(["instance"], i.STORE_WRITABLE.name, operator="min"),
        condition="== 0",
        wait="1m",
        severity="critical",
        summary="The store of {{ $labels.instance }} cannot be written",
        description="Most often its disk is full. Senders are told to retry, and nothing is scored or judged. "
        "`/readyz` says why.",
    )
    yield Alert(
        name="GroundwireStoreCorrupt",
        signal=total(["instance"], i.STORE_CORRUPT.name, operator="max"),
        condition="== 1",
        wait="0s",
        severity="critical",
        summary="The store of {{ $labels.instance }} is corrupt",
        description="SQLite found the database malformed. `/readyz` says what it found.",
    )
    yield Alert(
        name="GroundwireStoreRewound",
        signal=total(["instance"], i.STORE_REWOUND.name, operator="max"),
        condition="== 1",
        wait="0s",
        severity="warning",
        summary="The store of {{ $labels.instance }} has lost rows",
        description="The store is older than the mark beside it: its write-ahead log was deleted, or an old copy was "
        "restored. `/readyz` says what is missing.",
    )
    yield Alert(
        name="GroundwireStoreLogLarge",
        signal=total(["instance"], i.STORE_LOG_BYTES.name, operator="max"),
        condition="> 268435456",
        wait="5m",
        severity="warning",
        summary="The write-ahead log of {{ $labels.instance }} keeps growing",
        description="The write-ahead log has {{ $value | humanize1024 }}B instead of about 32 MiB. A reader of the "
        "database has not ended.",
    )


def all_alerts(dimensions: Sequence[str], gates: Sequence[Gate]) -> tuple[Alert, ...]:
    """Return every alert, in the order of the runbook."""
    return (*quality_alerts(dimensions, gates), *agent_alerts())
