"""What fitting reads of a scored answer: its values, what caps its composite, and what may be unsafe about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adapters.schema import Answer
from evaluation.fitting.unranked import EXCEPTION, unranked
from scorers.base import Score
from scorers.composite.caps import severe
from scorers.composite.profile import Caps
from scorers.composite.silence import claims_nothing, rightly_silent, unasked
from scorers.composite.unsafe_probability import failures
from scorers.diagnosis.failure_category import CATEGORIES
from scorers.memory import Memory

EXCEPTION_CAP = "missing_exception"
"""What caps as a conflict because an exception is left out: told apart, because it is found by authority."""
_DEFAULT = Caps()


@dataclass(frozen=True, slots=True)
class FittedRow:
    """An answer as fitting sees it.

    ``values`` are those of its metrics, ``counted`` the names of those that its composite counts. ``caps`` are the
    names of the caps that apply (`scorers.composite.profile.Caps`, or `EXCEPTION_CAP`), ``unranked`` those that apply
    where no source has more authority than another, ``failures`` the
    probabilities that `unsafe_probability` puts together, ``categories`` its failures by kind, the primary one first.
    """

    answer_id: str
    attributes: Mapping[str, str]
    values: Mapping[str, float]
    counted: frozenset[str]
    regulated: bool
    caps: frozenset[str]
    unranked: frozenset[str]
    failures: Mapping[str, float]
    categories: tuple[str, ...]


def scored_row(answer: Answer, scores: Mapping[str, Score]) -> FittedRow | None:
    """Return what fitting reads of an answer by the scores of its metrics; ``None`` where it has no composite.

    >>> scores = {n: Score(metric=n, value=v) for n, v in {"composite": 80.0, "stale_source_use": 1.0}.items()}
    >>> scored_row(Answer(id="a", answer="It is so."), scores).caps
    frozenset({'stale_source'})
    """
    if "composite" not in scores:
        return None
    left_out: frozenset[str] = frozenset()
    if "claim_support" not in scores and claims_nothing(answer, Memory()):
        right = rightly_silent(answer, scores)
        left_out = frozenset(name for name, score in scores.items() if unasked(score, right=right))
    return FittedRow(
        answer_id=answer.id,
        attributes=answer.attributes,
        values={name: score.value for name, score in scores.items()},
        counted=frozenset(scores) - left_out,
        regulated="regulated_advice_control" in scores,
        caps=_caps(answer, scores),
        unranked=_caps(answer, unranked(scores)),
        failures={name: probability for name, probability, _ in failures(answer, scores)},
        categories=_categories(scores.get("failure_category")),
    )


def _caps(answer: Answer, scores: Mapping[str, Score]) -> frozenset[str]:
    return frozenset(
        EXCEPTION_CAP if cap.score.metric == EXCEPTION else cap.name for cap in severe(_DEFAULT, answer, scores)
    )


def _categories(score: Score | None) -> tuple[str, ...]:
    if score is None or score.label not in CATEGORIES:
        return ()
    secondary = (score.explanation or "").removeprefix("secondary: ")
    return (score.label, *(name for name in secondary.split(", ") if name in CATEGORIES))
