"""What each claim of an answer rests on: the passages it cites, else the context passage that supports it best."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.schema import Answer, Passage
from scorers.text.grounding import RESTS, Grounding, cited_passages


def rests_on(answer: Answer, grounding: Grounding, passages: Sequence[Passage]) -> tuple[tuple[int, ...], ...]:
    """Return for each claim the indices of the passages it rests on; none where nothing supports it to the least.

    ``grounding`` is over ``passages``. Citations that point at none of them are passed over.
    """
    at = {passage.id: index for index, passage in reversed(list(enumerate(passages)))}
    context = answer.context_passages() or ()
    seen = sorted({at[passage.id] for passage in context})
    result: list[tuple[int, ...]] = []
    for claim, ids in enumerate(cited_passages(answer, grounding.claims)):
        cited = tuple(at[i] for i in ids if i is not None and i in at)
        if cited:
            result.append(cited)
            continue
        row = grounding.supports[claim]
        best = max(seen, key=lambda index: (row[index].strength, -index), default=None)
        result.append((best,) if best is not None and row[best].probability >= RESTS else ())
    return tuple(result)
