"""The decision of a report, in one sentence, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evaluation.reference.panel import REFERENCE_METRICS
from evaluation.reports.content import DifferenceFigure, MissedExpectation, RepairStep, ReportedRun, ReportVerdict
from gates.verdicts.summary import counted

NAMED = 4
MOST = 8
"""Lines that stand below the decision; the tables have all."""
ALPHA = 0.05


def decided(
    runs: Sequence[ReportedRun], differences: Sequence[DifferenceFigure]
) -> tuple[ReportVerdict, str, tuple[str, ...]]:
    """Return the verdict, the decision and the reasons for it.

    A comparison says ``hold`` where anything is worse, or a run misses what the first one keeps of the expectations of
    a suite; ``release`` where something is better and nothing worse; else that no difference was shown, and how large
    one would have been seen. One run says how many rows miss an expectation, else how many answers have a fault. Where
    answers make no claim that was judged, as of a refusal, nothing is called fine, nor released with more of them.
    What differs most for the range of its metric comes first. Metrics of the reference panel, of which most tell of
    words alone, decide only where no other is compared.
    """
    if len(runs) > 1:
        return _compared(runs, differences)
    [run] = runs
    if not run.answers:
        return "unclear", "Nothing can be said: there are no answers.", ()
    if run.missed:
        rows = len({one.answer_id for one in run.missed})
        said = f"In {rows:,} of {run.expecting:,} rows the answer is not what the suite expects."
        return "repair", said, first_reasons(map(_missed, run.missed))
    if not run.categories and not run.failed:
        return "unclear", "No fault is known: failure_category was not scored.", ()
    unjudged, untold = len(run.unjudged), tuple(_unjudged(run))
    judged = run.answers - unjudged
    if run.faults.count:
        low, high = exact_interval(run.faults.count, run.answers)
        share = f"{run.faults.count / run.answers:.1%} ({low:.1%} to {high:.1%})"
        told = f"{run.faults.count:,} of {run.answers:,} answers have a fault: {share}."
        return "repair", told, first_reasons([*map(_repair, run.repairs), *untold])
    if not judged:
        where = "the only answer" if run.answers == 1 else f"any of {run.answers:,} answers"
        return "unclear", f"Not decided: no claim was judged in {where}.", untold
    _, high = exact_interval(0, judged)
    if unjudged:
        said = f"Not decided: no claim was judged in {unjudged:,} of {run.answers:,} answers"
        return "unclear", f"{said}; {_rest(judged)} no fault, and up to {high:.1%} may have one all the same.", untold
    return "fine", f"No answer has a fault; up to {high:.1%} may have one all the same.", ()


def _rest(judged: int) -> str:
    return "the other one has" if judged == 1 else f"the other {judged:,} have"


def _unjudged(run: ReportedRun) -> Iterator[str]:
    """Yield which answers make no claim that was judged, and what would decide of them."""
    if run.unjudged:
        named = ", ".join(run.unjudged[:NAMED])
        more = f" and {len(run.unjudged) - NAMED:,} more" if len(run.unjudged) > NAMED else ""
        yield (
            f"not judged: {named}{more}; an answer that refuses or asks back claims nothing. Say in their rows what "
            "to expect (must_refuse or must_not_refuse), or read them"
        )


def first_reasons(reasons: Iterable[str], most: int = MOST) -> tuple[str, ...]:
    """Return the first reasons, with how many more there are on the last line.

    >>> first_reasons(["a", "b", "c", "d"], 3)
    ('a', 'b', 'and 2 more')
    """
    listed = tuple(reasons)
    return listed if len(listed) <= most else (*listed[: most - 1], f"and {len(listed) - most + 1:,} more")


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
        return "hold", said, first_reasons(_missed(one) for _, one in lost)
    deciding = sorted(
        [row for row in differences if row.metric not in REFERENCE_METRICS] or differences, key=_effect, reverse=True
    )
    worse = [row for row in deciding if row.verdict == "worse"]
    better = [row for row in deciding if row.verdict == "better"]
    names = ", ".join(run.name for run in runs[1:])
    if worse:
        where = _metrics(worse, deciding)
        return (
            "hold",
            f"Hold {names}: it is worse than {runs[0].name} in {where}.",
            first_reasons(_reasons([*worse, *better])),
        )
    silent = [run for run in runs[1:] if _more_unjudged(runs[0], run)]
    if silent:
        where = "; ".join(
            f"no claim was judged in {len(run.unjudged):,} of {run.answers:,} answers of {run.name}, and in "
            f"{len(runs[0].unjudged):,} of {runs[0].answers:,} of {runs[0].name}"
            for run in silent
        )
        return "unclear", f"Not decided: {where}.", first_reasons([*_unjudged(silent[0]), *_reasons(better)])
    if better:
        where = _metrics(better, deciding)
        said = f"Release {names}: it is better in {where}, and nothing is shown to be worse."
        return "release", said, first_reasons(_reasons(better))
    seen = [row for row in deciding if row.verdict == "no difference shown" and row.slice == "all"]
    smallest = tuple(_smallest(row) for row in seen[:NAMED])
    return "unclear", f"No difference is shown between {runs[0].name} and {names}; that is no proof of none.", smallest


def _more_unjudged(before: ReportedRun, after: ReportedRun) -> bool:
    """Whether a run has more answers than another of which no claim was judged, and not by chance (Fisher's test)."""
    from scipy.stats import fisher_exact

    counts = [(len(run.unjudged), run.answers - len(run.unjudged)) for run in (after, before)]
    return float(fisher_exact(counts, alternative="greater").pvalue) <= ALPHA


def _smallest(row: DifferenceFigure) -> str:
    if row.detectable is None:
        return f"{row.metric}: {counted(row.pairs, 'pair')} are too few for any difference to be seen; compare more"
    return f"{row.metric}: a difference of {row.detectable:.3g} would have been seen"


def _repair(step: RepairStep) -> str:
    return f"{step.what}: {counted(step.answers)}. {step.advice}".rstrip()


def _missed(one: MissedExpectation) -> str:
    return f"{one.answer_id}: {one.expectation}: {one.why}"


def _effect(row: DifferenceFigure) -> float:
    """Return how far a metric moved, as a share of its range."""
    return abs(row.difference or 0.0) / row.span


def _metrics(rows: Sequence[DifferenceFigure], of: Sequence[DifferenceFigure]) -> str:
    """Return what differs, and in how many of the rows that were compared."""
    named = list(dict.fromkeys(row.metric if row.slice == "all" else f"{row.metric} ({row.slice})" for row in rows))
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return f"{', '.join(named[:NAMED])}{more} ({len(rows):,} of {counted(len(of), 'row')} compared)"


def _reasons(rows: Sequence[DifferenceFigure]) -> tuple[str, ...]:
    return tuple(
        f"{row.metric}{'' if row.slice == 'all' else f' ({row.slice})'}: {row.verdict}, "
        f"{row.baseline:.3g} to {row.candidate:.3g}"
        + ("" if row.low is None or row.high is None else f" (difference {row.low:+.3g} to {row.high:+.3g})")
        for row in rows
        if row.baseline is not None and row.candidate is not None
    )
