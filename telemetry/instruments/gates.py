"""Gates: verdicts and what they rest on, and the changes that may explain them."""

from __future__ import annotations

from telemetry.instrument import counter, gauge

GATE_STATE = gauge(
    "groundwire_gate_state", "Verdict of a gate across all its slices: 1 pass, 0 inconclusive, -1 fail.", "gate"
)
GATE_CANDIDATE_STATE = gauge(
    "groundwire_gate_candidate_state",
    "Verdict of a gate on a candidate release, by version: 1 pass, 0 inconclusive, -1 fail.",
    "gate",
    "candidate",
)
GATE_SLICE_STATE = gauge(
    "groundwire_gate_slice_state",
    "Verdict of a gate on one slice: 1 pass, 0 inconclusive, -1 fail.",
    "gate",
    sliced=True,
)
GATE_ESTIMATE = gauge(
    "groundwire_gate_estimate", "Weighted mean that a gate judges, in the metric's unit.", "gate", sliced=True
)
GATE_LOWER = gauge("groundwire_gate_lower", "Lower confidence bound of the estimate.", "gate", sliced=True)
GATE_UPPER = gauge("groundwire_gate_upper", "Upper confidence bound of the estimate.", "gate", sliced=True)
GATE_ANSWERS = gauge(
    "groundwire_gate_answers", "Scored answers behind a gate's verdict on a slice.", "gate", sliced=True
)
FAILURE_INFO = gauge(
    "groundwire_failure_info",
    "1 for each failing gate and slice, with its newest decision and the words in which alerts tell of it.",
    "gate",
    "metric",
    "decision",
    "example",
    "summary",
    "description",
    "cause",
    "first_step",
    sliced=True,
)
BUDGET_LEFT = gauge(
    "groundwire_objective_budget_left_ratio",
    "Share of an objective's error budget that is left of its period; below 0 it is overspent.",
    "gate",
    sliced=True,
)
BURN_RATE = gauge(
    "groundwire_objective_burn_rate",
    "How fast an error budget burns over a window: at 1 it lasts its period, and without answers nothing burns.",
    "gate",
    "window",
    sliced=True,
)
OBJECTIVE_SEVERITY = gauge(
    "groundwire_objective_severity", "How urgent an objective is: 2 page, 1 ticket, 0 neither.", "gate", sliced=True
)
OBJECTIVE_SILENT = gauge(
    "groundwire_objective_silent_seconds", "Time since an objective last had an answer to count.", "gate", sliced=True
)
GATE_EVALUATED = gauge("groundwire_gate_evaluated_timestamp_seconds", "Time of the last evaluation of a gate.", "gate")
GATE_EVIDENCE = gauge(
    "groundwire_gate_evidence_timestamp_seconds",
    "Everything that arrived before this time has been scored and counted by the gate.",
    "gate",
)
GATE_AHEAD = gauge(
    "groundwire_gate_ahead_seconds",
    "How far a gate's newest evidence is ahead of the system clock; new answers do not count until it catches up.",
    "gate",
)
GATE_REDATED = counter(
    "groundwire_gate_redated_total",
    "Evaluations recorded while the system clock was ahead; they count at the time of the newest one before them.",
    "gate",
)
GATE_LATE = counter(
    "groundwire_gate_late_total",
    "Answers that arrived after their tick had closed: counted on arrival, or left out because they were too late.",
    "gate",
    "outcome",
)
LABELS = counter(
    "groundwire_labels_total",
    "Labels sent to the agent: stored, repeated, conflicting with an earlier label, unmatched to a score that gates"
    " count, or refused as malformed.",
    "outcome",
)
GATE_ACCEPTED_ALARMS = gauge(
    "groundwire_gate_accepted_alarms_per_week",
    "False alarms per week that a gate accepts over all its slices; their sum is the budget of the agent.",
    "gate",
)
ALARM_BUDGET = gauge(
    "groundwire_accepted_alarms_per_week",
    "False alarms per week that all gates accept together: no more are expected as long as references hold.",
)
GATE_DECISIONS = counter(
    "groundwire_gate_decisions_total", "Verdict changes written to the decision log.", "gate", "state"
)
VERIFICATIONS = counter(
    "groundwire_rollback_verifications_total",
    "Slices checked after a rollback, by outcome: recovered, not recovered, not enough answers yet.",
    "gate",
    "outcome",
)
CHANGES = counter(
    "groundwire_changes_total",
    "Changes recorded in the ledger, by kind and source: announced, observed in answers, or read from the catalog.",
    "kind",
    "source",
)
CHANGES_DROPPED = counter(
    "groundwire_changes_dropped_total",
    "Changes observed in answers and dropped because too many were observed within a minute.",
)
BOOSTS = gauge("groundwire_boosts", "Recent changes for which sampling is currently raised.")
LATE_DRAWN = counter(
    "groundwire_late_drawn_total",
    "Stored answers added to the sample after a change. Gates and rag_* series exclude them.",
)
