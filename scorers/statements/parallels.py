"""Parts of a sentence that say something each of a thing of its own: "flour comes from the mill, fruit from farms"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adapters.caching import cached, cached_by_text
from scorers.statements.lexicon.functions import FUNCTION, MEASURES, NUMERALS
from scorers.statements.lexicon.verbs import FINITE
from scorers.statements.ties import LONGEST, WordKey, keys_of
from scorers.statements.words import is_verb, word_of
from scorers.text.normalize import word_set
from scorers.text.plain import for_ascii

_TOKEN = re.compile(r"[^\W_]{1,64}(?:['\u2019][^\W\d_]{1,8})?|,")
_TOKEN_ASCII = for_ascii(_TOKEN)
_EDGES = (
    re.compile(r"[;\u2014]"),
    re.compile(r"[,;\u2014](?!\d)|\s(?:while|whereas|whilst|although)\s"),
    re.compile(r"[,;\u2014](?!\d)|\s(?:while|whereas|whilst|although|and|but|or)\s"),
)
"""Where a sentence is parted: coarsely, at commas, at each "and"."""

_LIGHT = (
    FUNCTION
    | MEASURES
    | NUMERALS
    | word_set("and but or can when if unless until except may must might should not never use uses used using happens")
) - word_set("you your out over under down up company policy place places i second quarter night nights")
_PERSONS = {"your": "you", "yours": "you", "yourself": "you"}
_PRONOUNS = word_set("it they he she this these those that both which who then there here we i")
_REFERRING = word_set("it them they one ones its their")
NEGATING = word_set(
    "not no never cannot none nobody nothing neither nor without instead rather unlike except but only apart aside"
    " differ differs different versus compared respectively exception exempt opposed nowhere otherwise than other"
    " others isn't aren't don't doesn't can't won't mustn't shouldn't wasn't weren't didn't"
)
"""Words by which a statement speaks of what is not so, or of one thing beside another."""

AUXILIARY = FINITE | word_set("may must can cannot will shall should could would need needs goes go comes come had do")
DETERMINERS = word_set("the a an its their his her your our it them you us me this that these those each every all no")
_PREPOSITIONS = word_set("in on at by for from to into onto with within through under between after before until via")
_PLACES = dict.fromkeys(("on", "at", "into", "onto", "to"), "in")
"""Prepositions of a place, which parts of one sentence change: "in the reeds, on gravel"."""
PERSONAL = word_set("it them you us me they we he she i")
_LEADING = (
    (DETERMINERS - PERSONAL)
    | _PREPOSITIONS
    | word_set("of about during over per against among without than as and or but not only")
)
_RELATIVE = word_set("who that which whose")
_CONDITIONAL = word_set("if when unless provided once where")


class PartWord(NamedTuple):
    """A word of a part: what it is found by, its root first, and how it is written."""

    keys: tuple[WordKey, ...]
    shown: str


class SentencePart(NamedTuple):
    """The words of a part with content, of which the first ``head`` tell of what the others say something.

    ``head`` is 0 where no verb tells that. ``prepositions`` are those behind the head, each with the words before it.
    ``pronoun``: it begins with a word for something told before; ``refers``: it has such a word anywhere; ``negates``:
    it speaks of what is not so; ``conditional``: it begins with "if" or the like.
    """

    words: tuple[PartWord, ...]
    head: int
    prepositions: tuple[tuple[str, int], ...]
    roots: frozenset[WordKey]
    keys: frozenset[WordKey]
    pronoun: bool
    refers: bool
    negates: bool
    conditional: bool


@cached_by_text(cost=36)
def part_of(text: str) -> SentencePart:
    """Return a text as one part.

    >>> part = part_of("Fruit that is bruised comes from local farms.")
    >>> [word.shown for word in part.words], part.head
    (['Fruit', 'bruised', 'local', 'farms'], 2)
    """
    tokens = (_TOKEN_ASCII if text.isascii() else _TOKEN).findall(text[:LONGEST])
    lower = [token.lower().replace("\u2019", "'") for token in tokens]
    words: list[PartWord] = []
    before: list[int] = []
    for at, token in enumerate(tokens):
        before.append(len(words))
        if (word := part_word(token)) is not None and (at or len(token) > 1 or token.isdigit()):
            words.append(word)
    first = next((at for at, each in enumerate(lower) if each not in _OPENING), 0)
    conditional = lower[first : first + 1] != [] and lower[first] in _CONDITIONAL
    pivot = _pivot(lower, first, conditional=conditional)
    head = before[pivot] if pivot else 0
    prepositions = [
        (_PLACES.get(low, low), before[at])
        for at, low in enumerate(lower)
        if low in _PREPOSITIONS and at >= pivot and 0 < before[at] < len(words)
    ]
    return SentencePart(
        tuple(words),
        head if head < len(words) else 0,
        tuple(prepositions),
        frozenset([word.keys[0] for word in words]),
        frozenset([key for word in words for key in word.keys]),
        any(each in _PRONOUNS for each in (*lower[first : first + 1], *lower[max(pivot - 1, 0) : pivot])),
        not _REFERRING.isdisjoint(lower),
        not NEGATING.isdisjoint(lower),
        conditional,
    )


@cached(maxsize=16_384)
def part_word(written: str) -> PartWord | None:
    """Return a word with content; ``None`` for any other. A single letter names something: "block B"."""
    plain = written.lower().replace("\u2019", "'")
    plain = _PERSONS.get(plain, plain).removesuffix("'s")
    if not plain.isalpha() and any(map(str.isdigit, plain)):
        return PartWord((f"#{plain}",), written)
    if len(plain) > 1:
        return None if plain in _LIGHT else PartWord(keys_of(word_of(plain)), written)
    return PartWord((f"#{plain}",), written) if written.isupper() and written != "I" else None


_OPENING = word_set("and but or so also while whereas ,")


def _pivot(lower: Sequence[str], first: int, *, conditional: bool) -> int:
    """Return where the words end that tell of what a part says something; 0 where no verb follows them."""
    if conditional:
        return lower.index(",", first) if "," in lower[first:] else 0
    for at in range(first + 1, len(lower)):
        # What stands behind "who" is no verb of the part.
        if (lower[at - 1] not in _RELATIVE or at - 1 == first) and is_finite(lower, at):
            return at
    return 0


def is_finite(lower: Sequence[str], at: int) -> bool:
    """Tell whether a word is a verb that says something: by its form, or as it stands before "the" or "it"."""
    word, before = lower[at], lower[at - 1]
    if word in AUXILIARY:
        return True
    if before in _LEADING or before in AUXILIARY or word in _LEADING or word == ",":
        return False
    if is_verb(word):
        return True
    behind = lower[at + 1] if at + 1 < len(lower) else ""
    return behind in DETERMINERS and word.endswith(("s", "ed")) and not word.endswith("ss")


@cached_by_text(cost=42)
def partings(text: str) -> tuple[tuple[SentencePart, ...], ...]:
    """Return the parts of a sentence, coarse and fine: each has two words with content at least.

    >>> [[word.shown for word in part.words] for part in partings("Flour comes from the mill, fruit from farms.")[0]]
    [['Flour', 'mill'], ['fruit', 'farms']]
    """
    found: list[tuple[SentencePart, ...]] = []
    for parts in _partings(text[:LONGEST]):
        if parts not in found:
            found.append(parts)
    return tuple(found)


def coarse_parting(text: str) -> tuple[SentencePart, ...]:
    """Return the first of `partings`, empty where there is none; the others are not read.

    >>> coarse_parting("Flour comes from the mill.")
    ()
    """
    return next(_partings(text[:LONGEST]), ())


def _partings(text: str) -> Iterator[tuple[SentencePart, ...]]:
    for edge in _EDGES:
        pieces = edge.split(text)
        if len(pieces) == 1:
            continue
        parts = tuple([part for piece in pieces if len((part := part_of(piece)).words) > 1])
        if len(parts) > 1:
            yield parts
