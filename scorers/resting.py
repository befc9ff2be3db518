"""What each claim of an answer rests on: the passages it cites, else the context passage that supports it best."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.schema import Answer, Passage
from scorers.base import Unscored
from scorers.text.grounding import RESTS, Grounding, cited_passages


def rests_on_nothing(metric: str, answer: Answer) -> Unscored:
    """Say why no claim of ``answer`` rests on a passage: a passage's text was withheld, or none supports a claim."""
    if any(passage.text is None for passage in answer.context_passages() or ()):
        return Unscored(metric=metric, reason="missing_input", detail="text of a context passage")
    return Unscored(metric=metric, reason="not_applicable", detail="no claim rests on a passage")


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
