"""What each value of a context is tied to, and how well that is what a claim says of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import brackets, falls, same_kind
from scorers.statements.quantities.worth import family
from scorers.statements.ties import TiedSentence, TiedValue, kinship, read_ties
from scorers.statements.words import Word
from scorers.support.alignment import Alignment

MAX_SENTENCES = 12
"""Sentences with values that are looked at for one claim, those that hold most of its words."""


class ValueMention(NamedTuple):
    """A value of the context: its sentence, the ones before and above, the source and the words."""

    value: TiedValue
    sentence: TiedSentence
    before: TiedSentence | None
    above: TiedSentence | None
    source: int
    words: str


def mentions_of(a: Alignment) -> Iterator[ValueMention]:
    """Yield the values of the sentences that hold most of a claim, or its figures."""
    context = a.context
    chosen: list[tuple[float, int, int]] = []
    for index, source in enumerate(context.sources):
        if source.record is not None:
            continue
        base = context.sentence_base[index]
        for local, read in enumerate(source.read):
            if any(read.marks) and any(mark & 6 for mark in read.marks):
                chosen.append((-a.covered[base + local], index, local))
    chosen.sort()
    for _, index, local in chosen[:MAX_SENTENCES]:
        sentences = context.sources[index].sentences
        words = sentences[local].words
        if _of_row(context.sources[index].text, sentences[local].start):
            continue
        sentence = read_ties(words)
        if not sentence.values:
            continue
        before = read_ties(sentences[local - 1].words) if local else None
        above = next((s for s in reversed(sentences[:local]) if s.kind in ("heading", "lead_in")), None)
        heading = None if above is None else read_ties(above.words)
        for value in sentence.values:
            yield ValueMention(value, sentence, before, heading, index, words)


def _of_row(text: str, at: int) -> bool:
    """Tell whether a row of a table begins shortly before a place: tables are read as such."""
    return "|" in text[max(text.rfind("\n", 0, at) + 1, at - ROW) : at]


ROW = 80
"""Characters before a sentence among which its row of a table begins."""


class AskedTies(NamedTuple):
    """What a claim ties a value to: words with their weights, and other values that pick a case.

    ``near`` are the places among the words of those of the value's own part, or of the question of a short reply.
    """

    words: tuple[tuple[Word, float], ...]
    cases: tuple[tuple[Quantity, float], ...]
    near: frozenset[int]


OF_SENTENCE, OF_OTHER, OF_QUESTION, OF_REPLY = 0.6, 0.15, 0.2, 0.8
"""What a word counts in the rest of a claim, beside another value of it, in the question, and in that of a short
reply."""
SHORT = 2
"""Words up to which a claim is a short reply."""


def asked_of(value: TiedValue, claim: TiedSentence, asked: TiedSentence | None, given: Sequence[Quantity]) -> AskedTies:
    """Return what a claim ties a value to: its own part, the rest of the sentence, the question."""
    taken = {
        each.part
        for each in claim.values
        if each.part != value.part and family(each.quantity) == family(value.quantity)
    }
    weights: dict[str, tuple[Word, float]] = {}
    for word, part, _ in claim.words:
        weight = 1.0 if part == value.part else OF_OTHER if part in taken else OF_SENTENCE
        known = weights.get(word.root)
        if known is None or known[1] < weight:
            weights[word.root] = word, weight
    near = sum([weight > OF_OTHER for _, weight in weights.values()])
    if asked is not None:
        share = OF_REPLY if near <= SHORT else OF_QUESTION
        for word, _, _ in asked.words:
            weights.setdefault(word.root, (word, share))
    cases = [
        (each.quantity, 1.0 if each.part == value.part else 0.6)
        for each in claim.values
        if each is not value and each.part not in taken
    ]
    cases += [(each, 1.0) for each in given]
    words = tuple(weights.values())
    return AskedTies(words, tuple(cases), frozenset(at for at, (_, weight) in enumerate(words) if weight >= OF_REPLY))


def rarity_of(wanted: AskedTies, mentions: Sequence[ValueMention]) -> Mapping[str, float]:
    """Return the weight of each word: the less the more sentences have it; 0 for one that none has."""
    sentences = {id(each.sentence): each.sentence for each in mentions}.values()
    found: dict[str, float] = {}
    for word, weight in wanted.words:
        held = sum([any(kinship(word, each.word) > 0 for each in sentence.words) for sentence in sentences])
        if not held:
            held = sum(
                [
                    any(kinship(word, each.word) > 0 for each in s.words)
                    for m in mentions
                    for s in (m.before, m.above)
                    if s
                ]
            )
            held = 2 if held else 0
        found[word.root] = weight / held**0.5 if held else 0.0
    return found


INHERITED, OF_RIVAL, SHARED, BEFORE, ABOVE = 0.75, 0.1, 0.7, 0.35, 0.4
"""How well a word is tied to a value that stands with an earlier value of a list, with a later one, with none, in the
sentence before, in the heading."""
LEAST = 1.0
"""Weight of words that a value must be tied by to be tied wholly."""
CASE, NO_CASE = 0.7, -0.5
"""What a case counts that falls into the bracket beside a value, and one that does not."""


class Tie(NamedTuple):
    """How well each word of a claim is tied to a value, weighed; and what other values, bound and unit add."""

    mention: ValueMention
    words: tuple[float, ...]
    cases: float
    form: float

    @property
    def total(self) -> float:
        """All of it."""
        return max(0.0, sum(self.words, 0.0)) + self.cases + self.form


def tie(mention: ValueMention, wanted: AskedTies, rarity: Mapping[str, float], form: float) -> Tie:
    """Return how well what a claim says is tied to a value of the context: shares of its words."""
    part, sentence = mention.value.part, mention.sentence
    rivals = {
        each.part for each in sentence.values if each.part != part and same_kind(each.quantity, mention.value.quantity)
    }
    total = max(sum(rarity.values(), 0.0), LEAST)
    held: list[float] = []
    for word, _ in wanted.words:
        worth_ = rarity[word.root]
        if not worth_:
            held.append(0.0)
            continue
        best = 0.0
        apart = 0.0
        for other, place, _ in sentence.words:
            kin = kinship(word, other)
            if kin > 0:
                share = (
                    1.0 if place == part else (INHERITED if place < part else OF_RIVAL) if place in rivals else SHARED
                )
                best = max(best, kin * share)
            elif kin < 0 and place == part:
                apart = kin
        if best < SHARED and mention.before is not None:
            best = max([best, *(BEFORE * kinship(word, each.word) for each in mention.before.words)])
        if best < SHARED and mention.above is not None:
            best = max([best, *(ABOVE * kinship(word, each.word) for each in mention.above.words)])
        held.append(worth_ * (best if best >= SHARED else best + apart) / total)
    return Tie(mention, tuple(held), _cases(mention, wanted), form)


def _cases(mention: ValueMention, wanted: AskedTies) -> float:
    """Return what the other values of a claim say: "six years" falls into "5 to 9 years: 29 days"."""
    found = 0.0
    for case, weight in wanted.cases:
        inside = [
            falls(case, each.quantity)
            for each in mention.sentence.values
            if each is not mention.value
            and same_kind(case, each.quantity)
            and case.unit == each.quantity.unit
            and each.part <= mention.value.part
            and brackets(each.quantity)
        ]
        if inside:
            found += weight * (CASE if any(inside) else NO_CASE)
    return found
