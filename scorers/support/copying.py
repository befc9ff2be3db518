"""Claims that are a sentence of their context word for word, once a pronoun or a part of a list is put in full."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence

from adapters.caching import cached_by_text
from scorers.statements.words import root_of, rooted
from scorers.support.alignment import Alignment
from scorers.text.normalize import behind_particle, word_set
from scorers.text.plain import for_ascii

LONGEST, MOST = 300, 4
"""Characters of a claim and of a sentence that are compared, and sentences, those that hold most of the claim."""

LEAST = 4
"""Words of a copy, at least."""

_TOKEN = re.compile(r"[^\W_]{1,40}(?:['\u2019-][^\W_]{1,20})*|[,;:]")
_TOKEN_ASCII = for_ascii(_TOKEN)
_EMPTY = word_set("a an the also too both then")
_REFERS = word_set("it they this these that those such them its their he she")
_OPERATORS = word_set(
    "not no never neither nor none nobody nothing cannot without only solely except unless if provided until till but"
    " however although though must may can should shall need needs required optional least most up maximum minimum than"
    " all every each any some before after within"
)
_PARTS = frozenset({",", ";", "and", "but", "while", "whereas", "or"})


def is_copy(a: Alignment) -> bool:
    """Tell whether a claim is a sentence of its context, or a part of one with the verb of the part before.

    "It may be used abroad" behind "Travellers get a credit card" says that the credit card may be used abroad, and
    "lamps come with a two-year warranty, sofas with a five-year one" that sofas come with five years.
    """
    words = a.claim.sentence.words
    if len(words) > LONGEST:
        return False
    words = words[behind_particle(words) :].lstrip(" ,.:;")
    claim = [token for token in _read(words) if token not in _STOPS]
    if len(claim) < LEAST:
        return False
    # Each word of a copy stands in the sentence, or for the pronoun of it in the one before.
    needed = frozenset([token for token in claim if token.isalnum() and token not in _KEPT])
    for told, before in _near(a):
        here = rooted(told)
        if (needed <= here or needed - here <= rooted(before)) and (
            _in_full(claim, read := _read(told), before) or _in_part(claim, read)
        ):
            return True
    return False


_STOPS = frozenset(",;:")


@cached_by_text(cost=5)
def _read(words: str) -> tuple[str, ...]:
    """Return the roots of words, marks between them, and those that bear a statement as they are."""
    found = [
        token.lower().replace("\u2019", "'")
        for token in (_TOKEN_ASCII if words.isascii() else _TOKEN).findall(words[:LONGEST])
    ]
    return tuple([each if each in _KEPT else root_of(each) for each in found if each not in _EMPTY])


_KEPT = _OPERATORS | _REFERS | _PARTS | _STOPS


def _near(a: Alignment) -> Iterator[tuple[str, str]]:
    """Yield the sentences that hold most of a claim, each with the one before it."""
    for _, at in heapq.nsmallest(MOST, [(-held, at) for at, held in enumerate(a.covered) if held]):
        source = a.context.source_of(at)
        local = at - a.context.sentence_base[source]
        sentences = a.context.sources[source].sentences
        if 0 <= local < len(sentences) and len(sentences[local].words) <= LONGEST:
            yield sentences[local].words, sentences[local - 1].words if local else ""


def _in_full(claim: Sequence[str], told: Sequence[str], before: str) -> bool:
    """Tell whether a claim is a sentence but for the pronoun, in whose place it has words of the sentence before."""
    told = [token for token in told if token not in _STOPS]
    at = next((at for at, (mine, its) in enumerate(zip(claim, told, strict=False)) if mine != its), None)
    if at is None:
        return len(claim) == len(told)
    back = 0
    while back < min(len(claim), len(told)) - at and claim[-1 - back] == told[-1 - back]:
        back += 1
    mine, its = claim[at : len(claim) - back], told[at : len(told) - back]
    if not its:
        return False
    if not mine or len(its) > REFERRING or _REFERS.isdisjoint(its):
        return False
    return set(mine).issubset(_read(before))


REFERRING = 2
"""Words of what stands for something told before: "it", "this period"."""


def _in_part(claim: Sequence[str], told: Sequence[str]) -> bool:
    """Tell whether a claim is a part of a list with the verb that the first part has for all of them."""
    if _PARTS.isdisjoint(told):
        return False
    parts: list[list[str]] = [[]]
    for token in told:
        if token in _PARTS:
            parts.append([])
        else:
            parts[-1].append(token)
    filled = [part for part in parts if part]
    for part in filled[1:]:
        size = len(claim) - len(part)
        if size not in (1, 2):
            continue
        for at in range(1, len(part)):
            verb = list(claim[at : at + size])
            if [*claim[:at], *claim[at + size :]] == part and _follows(verb, claim[at + size], filled[0]):
                return True
    return False


def _follows(verb: Sequence[str], then: str, first: Sequence[str]) -> bool:
    """Tell whether the first part of a list has a verb before the same word."""
    run = [*verb, then]
    return any(list(first[at : at + len(run)]) == run for at in range(1, len(first) - len(run) + 1))
