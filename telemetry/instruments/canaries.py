"""Canaries: questions of the catalog that are asked of a retriever or an application before users ask them."""

from __future__ import annotations

from telemetry.instrument import counter, gauge

CANARY_CHECKS = counter(
    "groundwire_canary_checks_total",
    "Canaries asked, by outcome: ok; unclear (the answer neither agrees nor disagrees); stale, lost, wrong version, "
    "forbidden, answer.",
    "outcome",
)
CANARIES_STANDING = gauge("groundwire_canaries", "Canaries that stand and are asked again and again.")
CANARIES_FAILING = gauge("groundwire_canaries_failing", "Canaries that failed when they were last asked.", "fault")
CANARIES_WAITING = gauge("groundwire_canaries_waiting", "Canaries that are due and wait for the budget of questions.")
CANARIES_DROPPED = counter(
    "groundwire_canaries_dropped_total",
    "Canaries that do not stand any more, by reason: the catalog says otherwise now, there were too many, nobody is "
    "configured who may ask them.",
    "reason",
)
CANARY_UP = gauge(
    "groundwire_canary_up", "Whether the endpoint of canaries answered the last question: 1 yes, 0 no.", "target"
)
CANARY_TRACES = counter(
    "groundwire_canary_traces_total", "Traces that are of canaries, which count in no metric, slice, gate or sample."
)
