"""A panel of scorers over one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from graphlib import TopologicalSorter

from adapters.caching import cached
from adapters.schema import Answer
from scorers.base import Env, Evaluation, Score, Scorer, Unscored

Run = Callable[[Scorer, Answer, Env], Score | Unscored]


def run_panel(scorers: Iterable[Scorer], answer: Answer, env: Env, *, run: Run = Scorer.score) -> Evaluation:
    """Run every scorer on ``answer`` and collect values and absences in the order of the panel.

    A scorer that reads other metrics runs after those, wherever it stands, and is given their scores in `Env.scored`.
    ``run`` runs one scorer. By default nothing is caught: a scorer that raises has a bug. The pipeline gives its own,
    which reports errors, bounds time, and measures it.

    >>> from datetime import UTC, datetime
    >>> from scorers.efficiency.usage import Latency
    >>> evaluation = run_panel([Latency()], Answer(id="a-1"), Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    >>> evaluation.answer_id, evaluation.unscored[0].reason
    ('a-1', 'missing_input')
    """
    panel = tuple(scorers)
    by_index: dict[int, Score | Unscored] = {}
    scored: dict[str, Score] = {}
    for index, reads in _order(tuple(map(type, panel))):
        scorer = panel[index]
        own = env
        if scorer.reads:
            own = replace(env, scored={name: scored[name] for name in reads if name in scored})
        result = by_index[index] = run(scorer, answer, own)
        if isinstance(result, Score):
            scored[result.metric] = result
    results = [by_index[index] for index in range(len(panel))]
    return Evaluation(
        answer_id=answer.id,
        revision=answer.revision,
        scores=tuple(result for result in results if isinstance(result, Score)),
        unscored=tuple(result for result in results if not isinstance(result, Score)),
    )


def in_order(panel: Sequence[Scorer]) -> tuple[int, ...]:
    """Return the places of ``panel`` in an order to run them in: each after those whose metric it reads.

    Raises ``graphlib.CycleError`` where two scorers read each other.
    """
    return tuple(index for index, _ in _order(tuple(map(type, panel))))


# The same panel runs over every answer.
@cached(maxsize=8)
def _order(kinds: tuple[type[Scorer], ...]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return the places in their order, each with the metrics of the panel that it reads."""
    places = {kind.metric.name: index for index, kind in enumerate(kinds)}
    graph = {index: sorted(places[name] for name in kind.reads if name in places) for index, kind in enumerate(kinds)}
    order = TopologicalSorter(graph).static_order()
    return tuple((index, tuple(name for name in sorted(kinds[index].reads) if name in places)) for index in order)
