"""What to repair: kinds of failure, what most answers suffer from first, each with where it is more frequent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from scipy import stats

from evaluation.remedies import CATEGORY_REMEDIES, STAGE_REMEDIES
from evaluation.reports.content import RepairStep, ReportedAnswer, ReportedScore
from evaluation.statistics.multiplicity import holm

STAGE, UNKNOWN = "first_failed_stage", "unknown"
ALPHA = 0.05
NAMED = 3


def repairs(
    answers: Sequence[ReportedAnswer], faults: Mapping[str, str | None], cut_by: Sequence[str]
) -> Iterator[RepairStep]:
    """Yield what to repair. ``faults`` are answers with a fault and its category, ``None`` where they failed without.

    A fault of no known category goes by the stage that failed first. ``cut_by`` are the attributes that cut slices.
    """
    by: dict[str, list[str]] = defaultdict(list)
    scored = {answer.id: {score.metric: score for score in answer.scores} for answer in answers}
    for name, fault in faults.items():
        by["the application failed" if fault is None else _kind(fault, scored[name])].append(name)
    places = _places(answers, cut_by)
    for kind, chosen in sorted(by.items(), key=lambda item: (-len(item[1]), item[0])):
        yield RepairStep(
            what="a fault of no known category" if kind == UNKNOWN else kind.replace("_", " "),
            answers=len(chosen),
            remedy=CATEGORY_REMEDIES.get(kind) or STAGE_REMEDIES.get(kind),
            where=_where(set(chosen), places, len(answers)),
        )


def _kind(fault: str, scores: Mapping[str, ReportedScore]) -> str:
    found = scores.get(STAGE)
    stage = found.label or fault if found is not None else fault
    return stage if fault == UNKNOWN and stage in STAGE_REMEDIES else fault


def _places(answers: Sequence[ReportedAnswer], cut_by: Sequence[str]) -> Mapping[str, set[str]]:
    """Return the answers of each slice, and of each document whose passage was first."""
    found: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        for name in cut_by:
            if name in answer.attributes:
                found[f"{name}={answer.attributes[name]}"].add(answer.id)
        for passage in answer.passages[:1]:
            if passage.document:
                found[f"first passage of {passage.document}"].add(answer.id)
    return found


def _where(failing: set[str], places: Mapping[str, set[str]], answers: int) -> str:
    """Return where failures are more frequent than elsewhere (Fisher's exact test, by Holm), the surest first."""
    tested = [(name, inside) for name, inside in places.items() if 1 < len(inside) < answers]
    p_values = []
    for _, inside in tested:
        within, outside = len(failing & inside), len(failing - inside)
        table = [[within, len(inside) - within], [outside, answers - len(inside) - outside]]
        p_values.append(float(stats.fisher_exact(table, alternative="greater").pvalue))
    shown = sorted(
        (p, name, len(failing & inside), len(inside))
        for p, (name, inside) in zip(holm(p_values), tested, strict=True)
        if p <= ALPHA
    )
    return "; ".join(f"{name} ({count:,} of {of:,})" for _, name, count, of in shown[:NAMED])
