"""What a claim puts together from two parts of its context that say it of two things.

"Flour comes from the mill, fruit from local farms" says that flour comes from the mill. A claim that has the flour of
one part and the local farms of the other, and neither the mill nor the fruit, says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.parallels import PartWord, SentencePart, coarse_parting, part_of, partings
from scorers.statements.roles import acts_in, confirmed, difference, may_tell
from scorers.statements.ties import WordKey
from scorers.statements.words import is_family, root_of
from scorers.support.alignment import Alignment
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

MAX_SENTENCES = 5
"""Sentences of a context that are looked at for one claim, those that hold most of its words."""

LEAST_HELD, LEAST_SHARE = 0.25, 0.5
"""Share of a claim, weighted by rarity, that one sentence must hold to be looked at, and the two nearest together."""

NEAR = 3
"""How many sentences two may stand apart whose parts a claim mixes up."""

HALF = 0.5
"""Share of the words of one side of a part that a claim must have to speak of that side."""

SHORT = 4
"""Words up to which a claim is read with those of its question."""

BESIDE, WITHIN, ACROSS = 0.8, 0.75, 0.7
"""How sure it is that a claim is wrong that mixes up two parts of one sentence with a word in common, of one sentence,
of two sentences."""


class Crossed(NamedTuple):
    """What a claim mixes up, and the source and the sentence that say it of something else."""

    difference: Difference
    source: int
    words: str


class _Told(NamedTuple):
    """A sentence of a context, and the share of a claim's words that it has, weighted by rarity."""

    source: int
    local: int
    words: str
    share: float
    before: str = ""


def crossed(a: Alignment, question: str | None) -> Crossed | None:
    """Return what a claim puts together of two parts of its context, ``None`` where it does not."""
    told = list(_nearest(a))
    if sum([each.share for each in told[:2]], 0.0) < LEAST_SHARE:
        return None
    words = a.claim.sentence.words
    words = words[behind_particle(words) :]
    whole = part_of(words)
    if whole.negates or not whole.words:
        return None
    # What stands behind a label lacks its subject: "Meals: paid by the day".
    found = [] if _LABEL.match(words) is not None else list(_roles(words, told))
    if whole.pronoun:
        return max(found, key=_strength, default=None)
    parts = coarse_parting(words)
    claims = [part for part in parts if len(part.words) >= LEAST] or [whole]
    if question is not None and len(whole.words) <= SHORT and question.lower().startswith(_ASKING):
        claims.append(part_of(f"{question} {words}"))
    found += [each for claim in claims for each in _within(claim, told)]
    if not parts:
        found += _across(whole, told)
    return max(found, key=_strength, default=None)


_LABEL = re.compile(r"[^\W\d_][\w'-]{0,24}(?: [\w'-]{1,24}){0,2}:\s")


def transfers(a: Alignment) -> bool:
    """Tell whether the context tells of what passes from one to another as a claim does, with the verb of either."""
    acts = acts_in(a.claim.sentence.words)
    return confirmed(acts, [act for each in _nearest(a) for act in acts_in(each.words)])


def _strength(found: Crossed) -> float:
    return found.difference.strength


def _nearest(a: Alignment) -> Iterator[_Told]:
    """Yield the sentences of prose that hold most of a claim."""
    context, most = a.context, -LEAST_HELD * a.total
    for weight, index, local in a.nearest_sentences()[:MAX_SENTENCES]:
        if weight > most:
            return
        sentence = context.sources[index].sentences[local]
        if sentence.kind != "question":
            before = context.sources[index].sentences[local - 1] if local else None
            # "The tenant signs it" tells of what the sentence before it names.
            referring = before is not None and before.kind != "question" and _refers(sentence.words)
            said = before.words.rstrip(" .") if before is not None and referring else ""
            yield _Told(index, local, sentence.words, -weight / a.total, said)


def _refers(words: str) -> bool:
    return not _THINGS.isdisjoint(glance(words)) and _IT.search(words) is not None


_IT = re.compile(r"\b(?:it|them)\b")
_THINGS = frozenset({"it", "them"})
LEAST = 3
"""Words with content of a part of a claim that is looked at by itself."""
_ASKING = ("who", "what", "where", "when", "which", "why", "how", "to whom", "whom")


def _within(claim: SentencePart, told: Sequence[_Told]) -> Iterator[Crossed]:
    """Yield what a claim puts together of two parts of one sentence."""
    for one in [each for each in told if each.share >= HALF]:
        whole = part_of(one.words)
        known = _known(claim, whole.keys)
        if len(whole.words) > LONGEST_SENTENCE or known < KNOWN:
            continue
        for parts in partings(one.words):
            for first, second in combinations(parts, 2):
                alike = not second.head or not first.roots.isdisjoint(second.roots)
                if not alike and known < NEARLY:
                    continue
                found = _cross(claim, first, second)
                if found is not None and not _acquitted(found, told, (one,), parts):
                    yield _said(found, BESIDE if alike else WITHIN, one)


def _across(claim: SentencePart, told: Sequence[_Told]) -> Iterator[Crossed]:
    """Yield what a claim puts together of two sentences that stand near each other."""
    for one, other in combinations(told, 2):
        if one.share + other.share < KNOWN or one.source != other.source or abs(one.local - other.local) > NEAR:
            continue
        first, second = (part_of(each.words) for each in sorted((one, other), key=lambda each: each.local))
        if not first.head or not second.head:
            continue
        if max(len(first.words), len(second.words)) > LONGEST_PAIR or _known(claim, first.keys | second.keys) < NEARLY:
            continue
        found = _cross(claim, first, second)
        if found is not None and not _acquitted(found, told, (one, other), (first, second)):
            yield _said(found, ACROSS, one)


def _roles(words: str, told: Sequence[_Told]) -> Iterator[Crossed]:
    """Yield that another does what the context tells of: in a sentence that holds most of a claim."""
    acts = acts_in(words)
    kinds = frozenset([act.kind for act in acts])
    if not any(may_tell(kinds, each.words) or may_tell(kinds, each.before) for each in told if kinds):
        return
    near = [(each, acts_in(f"{each.before}; {each.words}" if each.before else each.words)) for each in told]
    every = [act for _, its in near for act in its]
    if all(act.kind not in kinds for act in every):
        return
    known = frozenset().union(*[part_of(each.words).keys for each in told])
    found = difference(acts, every, known)
    if found is not None:
        one = next((each for each, its in near if any(act.shown == found.told for act in its)), told[0])
        yield Crossed(found, one.source, one.words)


KNOWN, NEARLY = 0.6, 0.75
"""Share of the words of a part of a claim that a sentence must have, and where its parts have no word in common."""
LONGEST_SENTENCE, LONGEST_PAIR = 40, 15
"""Words with content of a sentence that is looked at, and of one of two: longer ones say several things."""


def _known(claim: SentencePart, told: frozenset[WordKey]) -> float:
    return sum([not told.isdisjoint(word.keys) for word in claim.words], 0) / len(claim.words)


class _Cross(NamedTuple):
    """What a claim has of two parts (``held``), their words (``pair``); what it says, and what the one part says."""

    held: frozenset[WordKey]
    pair: frozenset[WordKey]
    claimed: str
    told: str
    conditional: bool


def _acquitted(found: _Cross, told: Sequence[_Told], own: Sequence[_Told], parts: Sequence[SentencePart]) -> bool:
    """Tell whether some other part or sentence has all that a claim puts together."""
    finer = [part for each in own for others in partings(each.words) for part in others]
    if any(found.held <= part.keys for part in (*parts, *finer) if not part.roots >= found.pair):
        return True
    return any(found.held <= part_of(each.words).keys for each in told if each not in own)


_PARTICIPLES = ("ed", "forbidden")


class _Halves(NamedTuple):
    """A part as what it speaks of and what it says of that; words that two parts share are left out."""

    head: Sequence[PartWord]
    tail: Sequence[PartWord]


def _halves(first: SentencePart, second: SentencePart) -> tuple[_Halves, _Halves] | None:
    """Return two parts as halves that answer each other; ``None`` where they do not."""
    if first.pronoun or second.pronoun:
        return None
    cuts = first.head, first.head, second.head
    if not second.head:
        if second.words and second.words[0].shown.lower().endswith(_PARTICIPLES):
            return None  # it leaves out its subject: "prohibited in the hall but allowed in the yard"
        # It leaves out the verb: "flour comes from the mill, fruit from farms".
        for preposition, at in first.prepositions:
            there = next((place for word, place in second.prepositions if word == preposition), 0)
            if there:
                cuts = first.head or at, at, there
                break
    if not all(cuts) or all(str(word.keys[0]).startswith("#") for word in second.words[: cuts[2]]):
        return None  # "70 percent by use and 30 by area": of either share the same is told
    return (
        _Halves(first.words[: cuts[0]], first.words[cuts[1] :]),
        _Halves(second.words[: cuts[2]], second.words[cuts[2] :]),
    )


def _cross(claim: SentencePart, first: SentencePart, second: SentencePart) -> _Cross | None:
    """Return what a claim puts together of two parts: the head of one, and what the other says of its own."""
    halves = _halves(first, second)
    if halves is None:
        return None
    pair = first.roots | second.roots
    # A word of the claim that is there itself stands for no other one: "road" for no "street" beside the road.
    like = frozenset([key for word in claim.words if word.keys[0] not in pair for key in word.keys])
    shared = first.roots & second.roots
    if second.refers:
        shared |= {word.keys[0] for word in halves[0].tail}
    for kept in (False, True):
        heads, tails = (
            [_flagged(claim, like, words, frozenset() if kept else shared) for words in sides]
            for sides in ((halves[0].head, halves[1].head), (halves[0].tail, halves[1].tail))
        )
        for at in (0, 1):
            head, tail = heads[at], tails[1 - at]
            if all(word.shown.lower() in _FORCES for word, _ in tails[at]):
                continue  # "permitted" is nothing that another could have instead
            if _has(head, shared) and _lacks(tails[at]) and _lacks(heads[1 - at]) and _has(tail, shared):
                if any(_formed(word, mine) for word, _ in tails[at] for mine in claim.words):
                    continue  # "leads to rejection" says "are rejected"
                held = frozenset([word.keys[0] for words in (head, tail) for word, there in words if there])
                return _Cross(
                    held,
                    pair,
                    " ".join(word.shown for word, there in tail if there),
                    " ".join(word.shown for word, _ in tails[at]),
                    first.conditional or second.conditional,
                )
    return None


def _formed(one: PartWord, other: PartWord) -> bool:
    """Tell whether one word tells as a noun what the other tells as a verb: "rejection" and "rejected"."""
    done, named = sorted((one.shown.lower(), other.shown.lower()), key=_is_noun)
    return done.endswith("ed") and _is_noun(named) and is_family(root_of(done), (root_of(named),))


def _is_noun(word: str) -> bool:
    return word.endswith(("ion", "al", "ment", "ance", "ence", "ure"))


_Flagged = list[tuple[PartWord, bool]]
_FORCES = word_set("permitted allowed prohibited forbidden banned possible required mandatory optional free")


def _flagged(
    claim: SentencePart, like: frozenset[WordKey], words: Sequence[PartWord], without: frozenset[WordKey]
) -> _Flagged:
    """Return words with whether a claim has each, or a word for it."""
    return [
        (word, word.keys[0] in claim.roots or not like.isdisjoint(word.keys))
        for word in words
        if word.keys[0] not in without
    ]


def _has(words: _Flagged, shared: frozenset[WordKey]) -> bool:
    held = [word for word, there in words if there]
    return len(held) >= HALF * len(words) and any(word.keys[0] not in shared for word in held)


def _lacks(words: _Flagged) -> bool:
    return bool(words) and not any(there for _, there in words)


def _said(found: _Cross, strength: float, one: _Told) -> Crossed:
    kind: DifferenceKind = "condition" if found.conditional else "entity"
    return Crossed(Difference(kind, found.claimed, found.told, strength), one.source, one.words)
