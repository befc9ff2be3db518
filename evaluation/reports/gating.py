"""A gate over the answers of a run or of traffic: the release rule of a configuration, as a report's decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from evaluation.reports.content import ReportedAnswer, ReportSection, ReportVerdict
from gates.base.gate import Gate
from gates.base.verdict import SliceVerdict, Verdict
from gates.inputs.observations import Batch, Observation
from gates.verdicts.summary import of_finished

AT_ONCE = frozenset({"acceptance", "threshold"})
"""Types of gates that judge answers by themselves; others compare with what came before, or with another release."""
NONE = "(none)"


def gated(gate: Gate, answers: Sequence[ReportedAnswer], at: datetime) -> Verdict:
    """Return the verdict of a gate over answers, as if all had been given at one instant.

    Raises `ValueError` for a gate that needs time or two releases, for metrics that no answer has a value of, and for
    a value outside the range of its metric.
    """
    if gate.type not in AT_ONCE:
        raise ValueError(
            f"gate {gate.name!r} is of type {gate.type}, which needs traffic over time; take an acceptance or a "
            "threshold gate"
        )
    there = {score.metric for answer in answers for score in answer.scores}
    lacking = sorted(gate.metrics - there)
    if lacking:
        raise ValueError(f"gate {gate.name!r} judges {', '.join(lacking)}, of which the run has no value")
    verdict = gate.verdict(gate.fold(gate.initial(), Batch.of(_observations(gate, answers, at))), at)
    window = getattr(gate, "window", None)
    if not isinstance(window, timedelta):
        return verdict
    slices = tuple(part.model_copy(update={"reason": of_finished(part.reason, window)}) for part in verdict.slices)
    return verdict.model_copy(update={"reason": of_finished(verdict.reason, window), "slices": slices})


def _observations(gate: Gate, answers: Sequence[ReportedAnswer], at: datetime) -> Iterator[Observation]:
    for answer in answers:
        for score in answer.scores:
            if score.metric in gate.metrics:
                yield Observation(
                    at=at,
                    answer_id=answer.id,
                    metric=score.metric,
                    value=score.value,
                    probability=min(1.0, 1.0 / answer.weight),
                    slice={name: answer.attributes.get(name, NONE) for name in gate.dimensions},
                    cluster=answer.group,
                    label=score.label,
                )


def gate_section(run: str, verdict: Verdict) -> ReportSection:
    """Return a verdict as a section of a report: state, figures and reason of each slice."""
    return ReportSection(
        title=f"Gate {verdict.gate} over {run}: {verdict.state}",
        head=("Slice", "Verdict", "Answers", "Estimate", "Interval", "Why"),
        rows=tuple(_row(part) for part in verdict.slices),
    )


def gate_decision(run: str, verdict: Verdict, before: tuple[ReportVerdict, str]) -> tuple[ReportVerdict, str]:
    """Return the decision that a gate's verdict leaves of what was decided without it: nothing outvotes a hold."""
    deciding = [part for part in verdict.slices if part.state == verdict.state]
    several = len(verdict.slices) > 1 and verdict.state != "pass"
    where = f" in {len(deciding)} of {len(verdict.slices)} slices" if several else ""
    said = f"gate {verdict.gate} {WORDS[verdict.state]}{where}."
    if verdict.state == "fail":
        return "hold", f"Hold {run}: {said}"
    if before[0] == "hold":
        return before
    if verdict.state == "inconclusive":
        return "unclear", f"Not decided of {run}: {said}"
    return "release", f"Release {run}: {said}"


def gate_reasons(verdict: Verdict) -> tuple[str, ...]:
    """Return what the verdict rests on: the reasons of the slices that decide it."""
    return tuple(part.reason for part in verdict.slices if part.state == verdict.state) or (verdict.reason,)


WORDS = {"pass": "passes", "fail": "fails", "inconclusive": "cannot tell"}


def _row(part: SliceVerdict) -> tuple[str, ...]:
    known = part.estimate is not None
    interval = "" if part.lower is None or part.upper is None else f"{part.lower:.3g} to {part.upper:.3g}"
    return (
        ", ".join(f"{name}={value}" for name, value in part.slice.items()) or "all",
        part.state,
        f"{part.n:,}",
        f"{part.estimate:.3g}" if known else "",
        interval,
        part.reason,
    )
