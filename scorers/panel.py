"""A panel of scorers over one answer."""

from __future__ import annotations

from collections.abc import Iterable

from adapters.schema import Answer
from scorers.base import Env, Evaluation, Score, Scorer


def run_panel(scorers: Iterable[Scorer], answer: Answer, env: Env) -> Evaluation:
    """Run every scorer on ``answer`` and collect values and absences in the order of the panel.

    Catches nothing: a scorer that raises has a bug, which the pipeline counts, and time limits are the pipeline's too.

    >>> from datetime import UTC, datetime
    >>> from scorers.efficiency import Latency
    >>> evaluation = run_panel([Latency()], Answer(id="a-1"), Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    >>> evaluation.answer_id, evaluation.unscored[0].reason
    ('a-1', 'missing_input')
    """
    results = [scorer.score(answer, env) for scorer in scorers]
    return Evaluation(
        answer_id=answer.id,
        revision=answer.revision,
        scores=tuple(result for result in results if isinstance(result, Score)),
        unscored=tuple(result for result in results if not isinstance(result, Score)),
    )
