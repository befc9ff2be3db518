"""Figures that were copied with digits or values exchanged."""

from __future__ import annotations

from adapters.schema import Answer
from scorers.base import Absent
from scorers.memory import Memory
from scorers.statements.quantities import transposed
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.transposing import may_be_transposed
from scorers.support.judgement import judge

MAX_CLAIMS = 100
"""Claims of one answer that are looked at."""


def transposes(answer: Answer, memory: Memory) -> bool:
    """Return whether a claim of ``answer`` has a figure of its nearest sentences with digits or values exchanged.

    A figure that the answer works out or invents, or copies wrongly in any other way, is none.

    >>> from adapters.schema import Passage
    >>> passages = (Passage(id="p", text="Hotels in Sofia cost up to 180 EUR a night."),)
    >>> [
    ...     transposes(Answer(id="a", answer=text, passages=passages), Memory())
    ...     for text in ("Hotels in Sofia cost 810 EUR.", "Hotels in Sofia cost 160 EUR.")
    ... ]
    [True, False]
    """
    found = judge(answer, memory)
    if isinstance(found, Absent):
        return False
    for index, aligned in enumerate(found.aligned[:MAX_CLAIMS]):
        claimed, nearest = quantities_in(aligned.claim.sentence.words, "en"), found.nearest(index)
        if not claimed or nearest is None:
            continue
        source, at = nearest
        near = aligned.context.sources[source].sentences[max(0, at - 1) : at + 2]
        told = "\n".join(sentence.words for sentence in near)
        if may_be_transposed(claimed, told) and transposed(claimed, quantities_in(told, "en")):
            return True
    return False
