"""What a statement says of a sibling: "Law Library users may stay all night", where Main Library users may.

Siblings are told apart by the word before the noun that they share. Where all that says the rest of a claim names
another sibling, and the claim's own one is spoken of elsewhere, the claim gives to one what belongs to the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.gapping import spelled_out
from scorers.statements.lexicon.functions import GENERIC, MEASURES, NUMERALS
from scorers.statements.ties import WordKey
from scorers.statements.words import is_verb, word_of
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.support.contraries.reading import (
    NEGATING,
    WORD,
    Ruled,
    RuleWord,
    ToldRule,
    clauses_of,
    hits,
    keys_in,
    marks_of,
)
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.78
"""How sure it is that a claim is wrong that says of one sibling what is said of another."""
ALIKE, OWN = 0.75, 0.6
"""Share of the rest of a claim that the statement of a sibling must say, and that no other one may say."""
LEAST = 2
"""Words and figures that a claim must have beside the sibling."""
MOST_SENTENCES = 400
"""Sentences of a context that are read for siblings."""

_JOINS = frozenset({"and", "or"})
_LIGHT = GENERIC | word_set("too also well same cover covers covered apply applies include includes included get gets"
                            " have has offer offers offered grant grants granted full entitled around clock cost costs"
                            " allow allows come comes")  # fmt: skip
_ALL = word_set("all every any each both everyone anyone everybody anybody whichever whatever regardless always either")
_ALIKE = word_set("same likewise equally similarly alike identical identically")
_OTHERS = word_set("other others else remaining both except apart unlike")
_NO_NOUN = word_set(
    "under over up down out you your again above below allow allows stay stays cost costs get gets take takes give"
    " gives hold holds swim swims park parks work works let lets offer offers freeze freezes enjoy enjoys travel"
    " travels borrow borrows visit visits leave leaves"
)
"""Words that stand behind a noun and are no other one, whatever else they may be."""


class _Named(NamedTuple):
    """A noun with the word before it that tells it from its siblings; whether that is a capital, or begins a clause."""

    noun: WordKey
    by: WordKey
    mark: RuleWord
    told: RuleWord
    capital: bool
    first: bool


class _Part(NamedTuple):
    """A clause of a statement: its words, what they are found by, and its figures."""

    marks: tuple[RuleWord, ...]
    keys: frozenset[WordKey]
    figures: frozenset[str]


class _Known(NamedTuple):
    """What tells the siblings of a context apart, by their noun: all of it, names, and subjects; which are joined.

    ``alike`` are words of sentences by which one may have what another has.
    """

    every: Mapping[WordKey, frozenset[WordKey]]
    names: tuple[frozenset[WordKey], ...]
    firsts: Mapping[WordKey, frozenset[WordKey]]
    joined: frozenset[tuple[WordKey, WordKey, WordKey]]
    labels: frozenset[WordKey]
    alike: frozenset[WordKey]


def siblings(claim: str, a: Alignment, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield the statement that says of a sibling what a claim says of its own."""
    mine = _named_in(claim)
    marks = marks_of(claim)
    said = _said(marks)
    for one in mine:
        rest = tuple([m for m in said if m is not one.told and m is not one.mark and one.by not in m.keys])
        if len(rest) < LEAST or not _may_be_of_another(one, rest, told):
            continue
        known = a.context.once(_known)
        others = _siblings_of(one, known)
        if one.by in known.alike or any(each.by in others for each in mine):
            continue  # it names several of them
        found = _of_another(one, others, rest, (marks, told, a.context))
        if found is not None:
            yield found


def _may_be_of_another(one: _Named, rest: Sequence[RuleWord], told: Sequence[ToldRule]) -> bool:
    """Tell whether a clause says the rest of a claim and not of whom it is: the siblings of few are looked for."""
    for each in told:
        ahead: frozenset[WordKey] = _NONE
        for part in _parts(each.words):
            if one.by not in part.keys and _holds(rest, part, ahead):
                return True
            ahead = part.keys
    return False


def _holds(rest: Sequence[RuleWord], part: _Part, ahead: frozenset[WordKey]) -> bool:
    """Tell whether a clause says the rest of a claim, words aside that the one ``ahead`` of it in its sentence has."""
    figures, keys = _figures(rest), part.keys
    if not figures <= part.figures:
        return False
    rest = [m for m in rest if not keys.isdisjoint(m.keys) or ahead.isdisjoint(m.keys)]
    return len(rest) >= LEAST and hits(rest, keys) + len(figures) >= ALIKE * len(rest)


def _figures(marks: Sequence[RuleWord]) -> frozenset[str]:
    return frozenset([m.text for m in marks if _is_figure(m)])


def _of_another(
    one: _Named,
    others: frozenset[WordKey],
    rest: Sequence[RuleWord],
    beside: tuple[Sequence[RuleWord], Sequence[ToldRule], Context],
) -> Ruled | None:
    """Return the statement that says of a sibling what a claim says of ``one``, unless one says it of that or of all.

    ``beside`` are all words of the claim, what it is compared with, and where that stands.
    """
    marks, told, context = beside
    words = [m for m in rest if m.keys]
    figures = _figures(rest)
    denied = _denials(marks, one, others)
    against: Ruled | None = None
    for each in told:
        before = _before(each, context)
        ahead = _NONE
        for part in _parts(each.words):
            names = _names(part, one, others, before)
            held = _holds(rest, part, ahead)
            before = ahead = part.keys
            same = hits(words, part.keys)
            if not words or _denials(part.marks, one, others) != denied or (same < OWN * len(words) and not held):
                continue
            if one.by in part.keys or not names:
                if figures <= part.figures or (not part.figures and same > 1 and one.by not in part.keys):
                    return None
                continue  # it has another value
            if against is None and held:
                shown = next((m.text for m in part.marks if not others.isdisjoint(_found_by((m,)))), "others")
                against = Ruled(Difference("entity", one.mark.text, shown, SURE), each.source, each.words)
    return against


def _before(told: ToldRule, context: Context) -> frozenset[WordKey]:
    """Return what the sentence before a statement has: "everyone else" is who that one does not speak of."""
    sentences = context.sources[told.source].sentences
    return _found_by(marks_of(sentences[told.at - 1].words)) if 0 < told.at <= len(sentences) else _NONE


@cached_by_text(cost=40)
def _parts(words: str) -> tuple[_Part, ...]:
    """Return the clauses of a statement, of each value of a list; what stands behind a label is said of that."""
    if _LABEL.match(words):
        parts = [marks_of(words)]
    else:
        parts = [part for text in spelled_out(words) or (words,) for part in clauses_of(marks_of(text))]
    return tuple([_Part(part, _found_by(part), _figures(part)) for part in parts])


def _said(marks: Sequence[RuleWord]) -> list[RuleWord]:
    """Return the words that count, and the figures with what they count: "50 users"."""
    said = []
    for at, mark in enumerate(marks):
        counted = at > 0 and _is_figure(marks[at - 1]) and bool(mark.keys)
        if _is_figure(mark) or counted or (mark.keys and mark.text not in _LIGHT and mark.text not in MEASURES):
            said.append(mark)
    return said


def _is_figure(mark: RuleWord) -> bool:
    return mark.text[0].isdigit() or mark.text in NUMERALS


def _denials(marks: Sequence[RuleWord], one: _Named, others: frozenset[WordKey]) -> int:
    """Return whether words deny, the siblings aside: "expired" is what a credit is told by."""
    said = [m for m in marks if one.by != _key(m) and others.isdisjoint(_found_by((m,)))]
    return sum([m.text in NEGATING or (m.text != "free" and word_of(m.text).denies) for m in said], 0) % 2


def _names(part: _Part, one: _Named, others: frozenset[WordKey], before: frozenset[WordKey]) -> bool:
    """Tell whether a clause speaks of a sibling alone: it names it, or the others than what stands ``before``."""
    marks = part.marks
    if any(m.text in _ALIKE or (m.text in _ALL and _is_of_all(marks, at, one)) for at, m in enumerate(marks)):
        return False
    if any(m.text in _OTHERS for m in marks):
        return one.by in before and _is_of_others(marks, one)
    return not others.isdisjoint(part.keys)


def _is_of_all(part: Sequence[RuleWord], at: int, one: _Named) -> bool:
    """Tell whether "all" goes for what a claim speaks of, and not for times or other things: "any train"."""
    behind = part[at + 1 : at + 1 + NEXT]
    if not behind or part[at].text in _EVERYONE:
        return not behind or behind[0].text not in ("who", "whose", "else")
    return any(one.noun in m.keys or m.text in GENERIC for m in behind[:2]) or behind[0].text in _OF


_EVERYONE = word_set("everyone anyone everybody anybody")
_OF = word_set("of may must can are have")


def _is_of_others(part: Sequence[RuleWord], one: _Named) -> bool:
    """Tell whether a clause is of the others: "other bicycles need a ticket", "everyone else pays"."""
    for at, mark in enumerate(part[:NEXT]):
        behind = part[at + 1] if at + 1 < len(part) else None
        if mark.text == "else" and at and part[at - 1].text in _EVERYONE:
            return True
        if mark.text in ("other", "remaining") and behind is not None and one.noun in behind.keys:
            return True
        if mark.text == "others":
            return True
    return False


def _siblings_of(one: _Named, known: _Known) -> frozenset[WordKey]:
    """Return what the siblings of a noun are told by, as far as they surely exclude one another."""
    every = known.every.get(one.noun, _NONE)
    found = {other for other in every if (one.noun, one.by, other) in known.joined}
    firsts = known.firsts.get(one.noun, _NONE)
    if one.by in firsts:
        found |= firsts
    if one.capital:
        for names in known.names:
            if one.by in names:
                found |= names
    if one.by in known.labels:
        found |= known.labels
    if one.by in _ORDINALS:
        found |= _ORDINALS
    return frozenset(found) - {one.by}


_NONE: frozenset[WordKey] = frozenset()
_ORDINALS: frozenset[WordKey] = frozenset(["first", "second", "third", "fourth", "fifth"])


def _known(context: Context) -> _Known:
    """Return the siblings that the sentences of a context name."""
    sentences = [
        sentence.words
        for source in context.sources
        if source.record is None
        for sentence in islice(source.sentences, MOST_SENTENCES)
    ]
    named = [_named_in(words) for words in sentences]
    capitals = {each.by for its in named for each in its if each.capital and each.mark.start}
    every: dict[WordKey, set[WordKey]] = {}
    names: dict[WordKey, set[WordKey]] = {}
    firsts: dict[WordKey, set[WordKey]] = {}
    joined: set[tuple[WordKey, WordKey, WordKey]] = set()
    for words, its in zip(sentences, named, strict=True):
        before: _Named | None = None
        for each in its:
            every.setdefault(each.noun, set()).add(each.by)
            if each.capital and each.by in capitals:
                names.setdefault(each.noun, set()).add(each.by)
            if each.first:
                firsts.setdefault(each.noun, set()).add(each.by)
            if (
                before is not None
                and before.noun == each.noun
                and before.by != each.by
                and _beside(before, each, words)
            ):
                joined |= {(each.noun, before.by, each.by), (each.noun, each.by, before.by)}
            before = each
    labels = frozenset([key for words in sentences for key in _label(words)])
    alike = [keys_in(marks_of(words)) for words in sentences if _says_alike(words)]
    return _Known(
        _frozen(every), tuple(_frozen(names).values()), _frozen(firsts), frozenset(joined), labels,
        frozenset().union(*alike),
    )  # fmt: skip


def _beside(one: _Named, other: _Named, words: str) -> bool:
    """Tell whether two are members of one list: "regular and on-site tickets", "a day ticket or a week ticket"."""
    between = WORD.findall(words[one.mark.end : other.mark.start])
    return len(between) <= NEXT and any(each in _JOINS for each in between)


NEXT = 4
"""Words that may stand between what tells two members of a list apart."""


def _says_alike(words: str) -> bool:
    """Tell whether a sentence says of one what goes for another: "the same goes for", "this also applies to"."""
    said = glance(words)
    return not _ALIKE.isdisjoint(said) or ("also" in said and not _GOING.isdisjoint(said))


_GOING = word_set("apply applies goes go true holds valid")


def _label(words: str) -> tuple[WordKey, ...]:
    """Return what a label is found by: "Early bird: 390 EUR"."""
    found = _LABEL.match(words)
    return tuple([mark.keys[0] for mark in marks_of(found["label"]) if mark.keys]) if found else ()


_LABEL = re.compile(r"(?P<label>[A-Z][\w-]{1,20}(?: [\w-]{1,20})?)(?:,[^:.;]{2,30})?\s?:\s")


def _frozen(sets: Mapping[WordKey, set[WordKey]]) -> dict[WordKey, frozenset[WordKey]]:
    return {key: frozenset(each) for key, each in sets.items()}


@cached_by_text(cost=30)
def _named_in(text: str) -> tuple[_Named, ...]:
    """Return the nouns of a text that a word tells from others: "Main Library", "regular and on-site tickets"."""
    marks = marks_of(text)
    nouns = [_is_noun(mark) for mark in marks]
    found: list[_Named] = []
    for at in range(1, len(marks)):
        if not nouns[at] or marks[at].start - marks[at - 1].end > 1:
            continue
        if not _tells_apart(marks[at - 1], text) or (nouns[at + 1 : at + 2] == [True] and _goes_on(marks, at, text)):
            continue
        place = at - 1
        while place and text[marks[place].start - 1] == "-" and _tells_apart(marks[place - 1], text):
            place -= 1  # "short-stay" and "early-bird" are a word each
        if place > 1 and marks[place - 1].text in _JOINS and _tells_apart(marks[place - 2], text):
            found.append(_name(marks, at, place - 2, text))
        found.append(_name(marks, at, place, text))
    return tuple(found)


def _goes_on(marks: Sequence[RuleWord], at: int, text: str) -> bool:
    """Tell whether a noun is told apart with the noun behind it: "business travel insurance"."""
    noun, behind = marks[at], marks[at + 1]
    if behind.start - noun.end != 1:
        return False
    if noun.text.endswith("s") and not noun.text.endswith("ss"):
        return False
    return not text[noun.start].isupper() or text[behind.start].isupper()


def _name(marks: Sequence[RuleWord], noun: int, by: int, text: str) -> _Named:
    mark = marks[by]
    before = marks[by - 1].text if by else ""
    first = not by or before in _BEGIN or (by == 1 and before in _ARTICLES)
    return _Named(marks[noun].keys[0], _key(mark), mark, marks[noun], text[mark.start].isupper(), first)


def _key(mark: RuleWord) -> WordKey:
    """Return what a word is found by that tells siblings apart, whether it has content or not."""
    return mark.keys[0] if mark.keys else f"~{mark.text}"


def _found_by(marks: Sequence[RuleWord]) -> frozenset[WordKey]:
    return keys_in(marks) | frozenset([_key(mark) for mark in marks if not mark.keys])


_BEGIN = frozenset({";", ":", ".", "and", "but", "while", "whereas"})
_ARTICLES = word_set("the our your all a an")


def _is_noun(mark: RuleWord) -> bool:
    text = mark.text
    return bool(mark.keys) and text.isalpha() and text not in MEASURES and text not in _NO_NOUN and not is_verb(text)


def _tells_apart(mark: RuleWord, text: str) -> bool:
    """Tell whether a word may tell a noun from others: one with content, "day" ticket, "long"-stay."""
    if not mark.text.isalpha():
        return False
    if "-" in (text[mark.end : mark.end + 1], text[max(0, mark.start - 1) : mark.start]):
        return True
    if mark.text in _NO_NOUN:
        return False
    return mark.text in _TIMES or (bool(mark.keys) and (not is_verb(mark.text) or mark.text.endswith("ed")))


_TIMES = word_set("day week month year night hour")
