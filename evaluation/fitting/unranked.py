"""Conflict handling by an evaluator that knows of no authority, for the ablation of authority weights.

PROBE's Table 6 says what is lost without them: memos and governing policy are treated equally. So an answer may take
either side of a conflict whose sides are both in force, whatever their authority, their dates, or the label of the one
that is sufficient.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from scorers.base import Metric, Score
from scorers.conflict.conflict_handling import ConflictHandling

HANDLING, EXCEPTION = "conflict_handling", "governing_exception_coverage"
UNRANKED = f"{HANDLING}_unranked"


class UnrankedConflictHandling(ConflictHandling):
    """`ConflictHandling` where no source in force ranks above another.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Answer, Passage
    >>> from scorers.base import Env
    >>> texts = {"The notice period is 30 days.": 0.9, "The notice period is 60 days.": 0.4}
    >>> sides = tuple(Passage(id=text, text=text, authority=authority) for text, authority in texts.items())
    >>> answer = Answer(id="a", question="What is the notice period?", answer="It is 60 days.", passages=sides)
    >>> env = Env(now=datetime(2026, 3, 1, tzinfo=UTC))
    >>> ConflictHandling().score(answer, env).label, UnrankedConflictHandling().score(answer, env).label
    ('silent', 'resolved')
    """

    metric: ClassVar[Metric] = ConflictHandling.metric.model_copy(update={"name": UNRANKED})
    ranked: ClassVar[bool] = False
    type: Literal["conflict_handling_unranked"] = UNRANKED  # type: ignore[assignment]


def unranked(scores: Mapping[str, Score]) -> dict[str, Score]:
    """Return scores as they are where no source ranks above another: an exception to a rule is a source like the rule.

    >>> scores = {name: Score(metric=name, value=0.0) for name in (HANDLING, EXCEPTION, "ndcg")}
    >>> list(unranked(scores)), list(unranked({**scores, UNRANKED: Score(metric=UNRANKED, value=1.0)}))
    (['ndcg'], ['ndcg', 'conflict_handling'])
    """
    found = {name: score for name, score in scores.items() if name not in (HANDLING, EXCEPTION, UNRANKED)}
    if UNRANKED in scores:
        found[HANDLING] = scores[UNRANKED].model_copy(update={"metric": HANDLING})
    return found
