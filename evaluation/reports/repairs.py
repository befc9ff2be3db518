"""What to repair: kinds of failure, what most answers suffer from first, each with where it is more frequent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from scipy import stats

from evaluation.remedies import CATEGORY_REMEDIES, STAGE_REMEDIES
from evaluation.reports.content import RepairStep, ReportedAnswer, ReportedScore
from evaluation.statistics.multiplicity import holm

CATEGORY, STAGE, ADMISSIBLE = "failure_category", "first_failed_stage", "admissible"
NONE, PASS, UNKNOWN = "none", "pass", "unknown"
"""Labels of no known category, of no stage that failed, and of a fault that neither names."""
APPLICATION = "the application failed"
ALPHA = 0.05
NAMED = 3


def fault_of(scores: Mapping[str, ReportedScore]) -> str | None:
    """Return what is wrong with an answer: its category of failure, else the stage that failed first, else ``unknown``.

    ``None`` where neither says that anything is. Categories do not cover all that fails, an empty answer for one. That
    the catalog does not list a passage is no fault: it may be incomplete, and nothing tells against the passage.

    >>> failed = ReportedScore(metric="first_failed_stage", value=0.0, label="answer completeness")
    >>> fault_of({"failure_category": ReportedScore(metric="failure_category", value=0.0, label="none"),
    ...           "first_failed_stage": failed})
    'answer completeness'
    """
    category, stage = ((scores[name].label if name in scores else None) for name in (CATEGORY, STAGE))
    if category not in {None, NONE, UNKNOWN}:
        return category
    if stage == "admissibility" and _only_unknown(scores):
        stage = UNKNOWN if category == UNKNOWN else None
    if category == NONE and stage in _BEFORE and not _incomplete(scores):
        return None  # the retriever missed a passage that the answer did without
    if stage not in {None, PASS, UNKNOWN}:
        return stage
    return UNKNOWN if UNKNOWN in {category, stage} else None


_BEFORE = frozenset({"admissibility", "candidate retrieval", "context selection"})
"""Stages before the answer."""


def _only_unknown(scores: Mapping[str, ReportedScore]) -> bool:
    """Whether nothing tells against the evidence but that it is unknown; the explanation names all kinds of faults."""
    found = scores.get(ADMISSIBLE)
    return found is not None and found.label == UNKNOWN and found.explanation in {None, UNKNOWN}


def _incomplete(scores: Mapping[str, ReportedScore]) -> bool:
    found = scores.get("answer_completeness")
    return found is not None and found.value < 1.0


def repairs(
    answers: Sequence[ReportedAnswer], faults: Mapping[str, str], cut_by: Sequence[str]
) -> Iterator[RepairStep]:
    """Yield what to repair. ``faults`` are the kinds of fault of the answers that have one, as `fault_of` names them.

    ``cut_by`` are the attributes that cut slices.
    """
    by: dict[str, list[str]] = defaultdict(list)
    for name, kind in faults.items():
        by[kind].append(name)
    places = _places(answers, cut_by)
    for kind, chosen in sorted(by.items(), key=lambda item: (-len(item[1]), item[0])):
        yield RepairStep(
            what="a fault of no known category" if kind == UNKNOWN else kind.replace("_", " "),
            answers=len(chosen),
            remedy=CATEGORY_REMEDIES.get(kind) or STAGE_REMEDIES.get(kind),
            where=_where(set(chosen), places, len(answers)),
        )


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
