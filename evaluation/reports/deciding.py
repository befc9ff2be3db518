"""The decision of a report, in one sentence, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.reports.content import DifferenceFigure, MissedExpectation, RepairStep, ReportedRun, ReportVerdict
from gates.verdicts.summary import counted

NAMED = 4
MOST = 8
"""Reasons that stand below the decision; the table of differences has all."""


def decided(
    runs: Sequence[ReportedRun], differences: Sequence[DifferenceFigure]
) -> tuple[ReportVerdict, str, tuple[str, ...]]:
    """Return the verdict, the decision and the reasons for it.

    A comparison says ``hold`` where anything is worse, or a run misses what the first one keeps of the expectations of
    a suite; ``release`` where something is better and nothing worse; else that no difference was shown, and how large
    one would have been seen. One run says how many rows miss an expectation, else how many answers have a fault.
    """
    if len(runs) > 1:
        return _compared(runs, differences)
    [run] = runs
    if not run.answers:
        return "unclear", "Nothing can be said: there are no answers.", ()
    if run.missed:
        rows = len({one.answer_id for one in run.missed})
        said = f"In {rows:,} of {run.expecting:,} rows the answer is not what the suite expects."
        return "repair", said, tuple(map(_missed, run.missed[:MOST]))
    share = run.faults.count / run.answers
    low, high = exact_interval(run.faults.count, run.answers)
    told = f"{run.faults.count:,} of {run.answers:,} answers have a fault: {share:.1%} ({low:.1%} to {high:.1%})."
    if not run.categories and not run.failed:
        return "unclear", "No fault is known: failure_category was not scored.", ()
    if not run.faults.count:
        return "fine", f"No answer has a fault; up to {high:.1%} may have one all the same.", ()
    return "repair", told, tuple(map(_repair, run.repairs[:NAMED]))


def exact_interval(count: int, of: int) -> tuple[float, float]:
    """Return the exact 95 % interval of a share (Clopper and Pearson 1934).

    >>> low, high = exact_interval(0, 100)
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    from scipy.stats import binomtest

    found = binomtest(count, of).proportion_ci(0.95, "exact")
    return float(found.low), float(found.high)


def _compared(
    runs: Sequence[ReportedRun], differences: Sequence[DifferenceFigure]
) -> tuple[ReportVerdict, str, tuple[str, ...]]:
    missed_before = {(one.answer_id, one.expectation) for one in runs[0].missed}
    lost = [
        (run, one) for run in runs[1:] for one in run.missed if (one.answer_id, one.expectation) not in missed_before
    ]
    if lost and runs[0].expecting:
        where = ", ".join(dict.fromkeys(run.name for run, _ in lost))
        rows = len({one.answer_id for _, one in lost})
        said = f"Hold {where}: in {counted(rows, 'row')} it misses what {runs[0].name} keeps."
        return "hold", said, tuple(_missed(one) for _, one in lost[:MOST])
    worse = [row for row in differences if row.verdict == "worse"]
    better = [row for row in differences if row.verdict == "better"]
    names = ", ".join(run.name for run in runs[1:])
    if worse:
        where = _metrics(worse)
        return "hold", f"Hold {names}: it is worse than {runs[0].name} in {where}.", _reasons([*worse, *better])[:MOST]
    if better:
        where = _metrics(better)
        return (
            "release",
            f"Release {names}: it is better in {where}, and nothing is shown to be worse.",
            _reasons(better)[:MOST],
        )
    seen = [row for row in differences if row.detectable is not None and row.slice == "all"]
    smallest = tuple(_smallest(row) for row in seen[:NAMED])
    return "unclear", f"No difference is shown between {runs[0].name} and {names}; that is no proof of none.", smallest


def _smallest(row: DifferenceFigure) -> str:
    if row.detectable is not None and row.detectable >= row.span:
        return f"{row.metric}: {counted(row.pairs, 'pair')} are too few for any difference to be seen; compare more"
    return f"{row.metric}: a difference of {row.detectable:.3g} would have been seen"


def _repair(step: RepairStep) -> str:
    return f"{step.what}: {counted(step.answers)}. {step.advice}".rstrip()


def _missed(one: MissedExpectation) -> str:
    return f"{one.answer_id}: {one.expectation}: {one.why}"


def _metrics(rows: Sequence[DifferenceFigure]) -> str:
    named = list(dict.fromkeys(row.metric if row.slice == "all" else f"{row.metric} ({row.slice})" for row in rows))
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return ", ".join(named[:NAMED]) + more


def _reasons(rows: Sequence[DifferenceFigure]) -> tuple[str, ...]:
    return tuple(
        f"{row.metric}{'' if row.slice == 'all' else f' ({row.slice})'}: {row.verdict}, "
        f"{row.baseline:.3g} to {row.candidate:.3g}"
        + ("" if row.low is None or row.high is None else f" (difference {row.low:+.3g} to {row.high:+.3g})")
        for row in rows
        if row.baseline is not None and row.candidate is not None
    )
