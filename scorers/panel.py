"""A panel of scorers over one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from adapters.schema import Answer
from scorers.base import Env, Evaluation, Score, Scorer, Unscored

Run = Callable[[Scorer, Answer, Env], Score | Unscored]


def plainly(scorer: Scorer, answer: Answer, env: Env) -> Score | Unscored:
    """Run a scorer as it is."""
    return scorer.score(answer, env)


def run_panel(scorers: Iterable[Scorer], answer: Answer, env: Env, *, run: Run = plainly) -> Evaluation:
    """Run every scorer on ``answer`` and collect values and absences in the order of the panel.

    ``run`` runs one scorer. By default nothing is caught: a scorer that raises has a bug. The pipeline gives its own,
    which counts bugs, bounds time, and measures.

    >>> from datetime import UTC, datetime
    >>> from scorers.efficiency import Latency
    >>> evaluation = run_panel([Latency()], Answer(id="a-1"), Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    >>> evaluation.answer_id, evaluation.unscored[0].reason
    ('a-1', 'missing_input')
    """
    results = [run(scorer, answer, env) for scorer in scorers]
    return Evaluation(
        answer_id=answer.id,
        revision=answer.revision,
        scores=tuple(result for result in results if isinstance(result, Score)),
        unscored=tuple(result for result in results if not isinstance(result, Score)),
    )
