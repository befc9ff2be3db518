"""What some texts alone say of a claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scorers.models.terms import rarity
from scorers.support.alignment import Alignment, Claim, align
from scorers.support.context import Context
from scorers.support.differences import SAME_WORDS, differences
from scorers.support.features import Named, rows
from scorers.support.judgement import judged, nearest_sentence
from scorers.support.model import ContextKind
from scorers.support.stated import NOTHING, Stated, stated
from scorers.support.unfounded import settle_figures


@dataclass(frozen=True, slots=True)
class Alone:
    """What some passages, without all others, say of a claim.

    ``support`` is a calibrated probability. ``places`` are those of the passages it was laid beside, in that order;
    none for another text.
    """

    support: float
    aligned: Alignment
    row: Sequence[float]
    stated: Stated = NOTHING
    places: tuple[int, ...] = ()
    _said: list[str] = field(default_factory=list, compare=False)

    @property
    def sentence(self) -> str | None:
        """The sentence nearest to the claim; ``None`` where no sentence shares a word with it."""
        found = nearest_sentence(self.aligned)
        return None if found is None else self.aligned.context.sources[found[0]].sentences[found[1]].words

    @property
    def place(self) -> int | None:
        """The place of the passage that holds the nearest sentence."""
        found = nearest_sentence(self.aligned)
        return None if found is None or not self.places else self.places[found[0]]

    @property
    def difference(self) -> str:
        """What separates the claim from the passages; put into words once for all scorers."""
        if not self._said:
            parts = [self.stated.differs, differences(self.aligned, Named(self.row))]
            told = [part for part in parts if part and (part != SAME_WORDS or not parts[0])]
            self._said.append("; ".join(told))
        return self._said[0]


def judged_alone(pairs: Sequence[tuple[Claim, Context]], kind: ContextKind, question: str | None = None) -> list[Alone]:
    """Judge each claim against a context of its own, all at once, each as if it were all of an answer.

    ``kind`` is that of the context of the answer, so that the figures compare with those of the whole.
    """
    if not pairs:
        return []
    aligned = [align(claim, context, rarity()) for claim, context in pairs]
    for each in aligned:
        settle_figures(each)
    said = [stated(each, question) for each in aligned]
    table = [rows([each], [told])[0] for each, told in zip(aligned, said, strict=True)]
    return [
        Alone(verdict.supported if any(source.sentences for source in each.context.sources) else 0.0, each, row, told)
        for verdict, each, row, told in zip(judged(table, aligned, said, kind), aligned, table, said, strict=True)
    ]
