"""A value of a claim that its context gives to another one of its kind: "silver cards have a limit of 15,000".

Statements that give values to several things run in parallel: "gold cardholders have a limit of 15,000 and silver
cardholders one of 6,000". The words in one place of two of them are told apart; a claim that names the second thing
with the value of the first, and neither the first thing nor its own value, mixes them up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference
from scorers.statements.parallels import AUXILIARY
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.elided import with_elided
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import is_verb
from scorers.support.contraries.reading import Ruled, RuleWord, ToldRule, content, held, keys_in, marks_of
from scorers.text.normalize import word_set
from scorers.text.stemming import stem

SURE = 0.78
"""How sure it is that a claim is wrong that has the value of another."""
ALIKE = 0.7
"""Share of what else a claim says that the two parts must have together."""
MOST_PIECES = 12
"""Parts with a value of a context that are compared with one another."""
_EDGES = frozenset(",;:.!?\u2014\u2013()") | {"and", "but", "while", "whereas", "or", "otherwise"}
_LEADS = word_set("in on at for with from to of under via by during a an the")
_PERSONS = {
    "wife": "women", "mother": "women", "sister": "women", "daughter": "women", "girlfriend": "women", "she": "women",
    "her": "women", "husband": "men", "father": "men", "brother": "men", "son": "men", "boyfriend": "men", "he": "men",
    "his": "men", "him": "men",
}  # fmt: skip


class _Piece(NamedTuple):
    """A part of a sentence with one value: its marks without the value, the statement it is of, the word before it."""

    value: Quantity
    marks: tuple[RuleWord, ...]
    told: ToldRule
    lead: str


def groups(claim: str, question: str | None, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield values of a claim that a statement gives to another one of a list.

    >>> told = [ToldRule(0, "Mattresses come with a ten-year warranty, sofas with a five-year warranty.", 1.0, 0)]
    >>> [each.difference.told for each in groups("Sofas come with a ten-year warranty.", None, told)]
    ['five-year']
    """
    mine = _pieces(ToldRule(0, claim, 1.0, 0))
    told = [each for each in told if not each.row]
    if not mine or not told:
        return
    values = [each for one in told for each in _counts_in(one.words)]
    if not any(_at_once(piece.value, each) or _counts(piece.value, each) for piece in mine for each in values):
        return  # no statement has a value of the claim, for one thing or another, or a number of what it counts
    its = [piece for each in told for piece in _pieces(each)][:MOST_PIECES]
    whole = marks_of(claim)
    for piece in mine:
        told_so, of_named = _of_named(piece, claim, its)
        if of_named is not None:
            yield of_named
        if not told_so:
            yield from _of_piece(piece, question, its, whole, alone=len(mine) == 1)


def _of_piece(
    piece: _Piece, question: str | None, its: Sequence[_Piece], whole: Sequence[RuleWord], *, alone: bool
) -> Iterator[Ruled]:
    """Yield what the parts of a context say otherwise of a part of a claim; ``alone``: no other has a value."""
    named = content(piece.marks)
    for words in (piece.marks, whole) if alone or not named else (piece.marks,):
        keys = keys_in(words) | _persons(words)
        found = _another(piece, keys, content(words), its)
        if found is None and question and alone and words is whole:
            asked = marks_of(question)
            found = _another(piece, keys | keys_in(asked) | _persons(asked), content(words), its)
        if found is not None:
            yield found
            break
    if (found := _of_counted(piece, its)) is not None:
        yield found
    if _when(piece.value) and (found := _of_another_time(piece, its)) is not None:
        yield found


def _of_named(piece: _Piece, claim: str, its: Sequence[_Piece]) -> tuple[bool, Ruled | None]:
    """Return whether a sentence tells the value of the place or person that a claim names, and it if it is another."""
    names = {mark.text for mark in piece.marks if _is_name(mark, claim)}
    for rival in its if names else ():
        others = [each for each in its if each.told == rival.told and each is not rival]
        own = {mark.text for mark in rival.marks if _is_name(mark, rival.told.words)} & names
        if not own or not others or not all(same_kind(piece.value, each.value) for each in (rival, *others)):
            continue
        if any(not own.isdisjoint(mark.text for mark in each.marks) for each in others):
            continue
        if same_value(piece.value, rival.value):
            return True, None
        # "It costs 5 EUR and is free from 60 EUR on": what bounds is no other price.
        if any(same_value(piece.value, each.value) and each.value.bound == rival.value.bound for each in others):
            difference = Difference("entity", piece.value.told, rival.value.told, SURE)
            return False, Ruled(difference, rival.told.source, rival.told.words)
    return False, None


def _is_name(mark: RuleWord, text: str) -> bool:
    """Tell whether a word is a name: written with a capital letter where a sentence does not begin with it."""
    return mark.start > 0 and bool(mark.keys) and text[mark.start].isupper() and text[mark.start : mark.end] != "I"


def _values(words: str) -> tuple[Quantity, ...]:
    return with_elided(words, quantities_in(words[:LONGEST], "en"))


@cached_by_text(cost=4)
def _counts_in(words: str) -> tuple[Quantity, ...]:
    """Return the values of a statement, those that tell how often as counts."""
    return tuple(map(_counted, _values(words)))


def _counts(one: Quantity, other: Quantity) -> bool:
    return one.dimension == other.dimension == "count" and one.unit == other.unit != ""


def _of_counted(piece: _Piece, its: Sequence[_Piece]) -> Ruled | None:
    """Return the one number that a context has of what a claim counts, where it has the claim's of nothing like it."""
    value = piece.value
    if value.dimension != "count" or not value.unit or value.bound != "=" or value.upper is not None:
        return None
    alike = [each for each in its if each.value.dimension == "count" and each.value.unit == value.unit]
    if not alike or any(each.value.bound != "=" or not _as_often(each.value, alike[0].value) for each in alike):
        return None
    if _as_often(value, alike[0].value):
        return None
    rival, named = alike[0], content(piece.marks)
    if any(each.amount == value.amount and each.unit in ("", value.unit) for each in _values(rival.told.words)):
        return None  # "12 shelves, of which each renter may use 2"
    whole = keys_in(marks_of(rival.told.words))
    if rival.value.upper is not None or held(content(rival.marks), keys_in(piece.marks)) < COUNTED:
        return None
    if len(named) < SEVERAL or held(named, whole) < COUNTED:
        return None
    return Ruled(Difference("quantity", value.told, rival.value.told, SURE), rival.told.source, rival.told.words)


def _as_often(one: Quantity, other: Quantity) -> bool:
    """Tell whether two counts are one number, or as often: twice a year and every six months."""
    if one.others and other.others:
        return close(one.others[-1], other.others[-1])
    return one.amount == other.amount


COUNTED = 0.6
"""Share of the words beside a count that the other one must have, and the other way round."""


def _of_another_time(piece: _Piece, its: Sequence[_Piece]) -> Ruled | None:
    """Return the date at which a sentence with two has what a claim says happened at the other one."""
    own = [each for each in its if _when(each.value) == _when(piece.value)]
    named = content(_beside(piece))
    if len(own) != 1 or not named:
        return None
    for rival in its:
        if not _when(rival.value) or rival is own[0] or _within(rival.value, piece.value) or rival.told != own[0].told:
            continue
        mine, other = keys_in(own[0].marks), keys_in(rival.marks)
        told = [mark for mark in named if not other.isdisjoint(mark.keys) and mine.isdisjoint(mark.keys)]
        here = [mark for mark in named if not mine.isdisjoint(mark.keys) and other.isdisjoint(mark.keys)]
        if not any(map(_tells, own[0].marks)) and _alike(own[0], rival):
            told = [mark for mark in told if not _tells(mark)]  # "and passes with a green edge on 31 December"
        if any(map(_tells, here)) or len(told) < len(here):
            continue  # what it is of may be named at the other time alone
        if len(told) >= SEVERAL or any(map(_tells, told)):
            return Ruled(
                Difference("date", piece.value.told, rival.value.told, SURE), rival.told.source, rival.told.words
            )
    return None


def _alike(one: _Piece, other: _Piece) -> bool:
    """Tell whether two parts have a word in common, as those of a list have whose verb is told once."""
    words = {mark.keys[0] for mark in one.marks if mark.keys}
    return any(mark.keys[0] in words for mark in other.marks if mark.keys)


def _within(one: Quantity, other: Quantity) -> bool:
    """Tell whether one of two dates is the year of the other."""
    return any(a[0] == b[0] and (not any(a[1:]) or not any(b[1:])) for a in _when(one) for b in _when(other))


def _tells(mark: RuleWord) -> bool:
    return is_verb(mark.text) or mark.text.endswith("ed")


SEVERAL = 2
"""Words of what happened at another time, from which on they need no verb to tell it."""


def _when(value: Quantity) -> tuple[tuple[int, int, int], ...]:
    """Return the days that a date comes to; a year of four digits that is read as a number is one too."""
    if value.dimension == "count" and not value.unit and value.written.isdigit() and len(value.written) == YEAR:
        return ((int(value.written), 0, 0),)
    return value.days if value.dimension == "date" else ()


YEAR = 4


def _beside(piece: _Piece) -> Sequence[RuleWord]:
    """Return the words of the clause that a value stands in: what is behind the last comma or "which" before it."""
    ahead = [mark for mark in marks_of(piece.told.words) if mark.end <= piece.value.start]
    cut = max((mark.end for mark in ahead if mark.text in _CLAUSES), default=0)
    near = [mark for mark in piece.marks if mark.start >= cut]
    return near if any(mark.keys for mark in near) else piece.marks


_CLAUSES = frozenset(",;:") | {"and", "but", "which", "who", "that", "while"}


def _persons(words: Sequence[RuleWord]) -> frozenset[WordKey]:
    return frozenset(
        key for mark in words if mark.text in _PERSONS for m in marks_of(_PERSONS[mark.text]) for key in m.keys
    )


def _another(piece: _Piece, keys: frozenset[WordKey], named: Sequence[RuleWord], its: Sequence[_Piece]) -> Ruled | None:
    own = [each for each in its if _same(piece.value, each.value)]
    if not own or not all(_parallel(each, other) for each, other in pairwise(own)):
        return None
    for rival in its:
        if not _comparable(piece, rival):
            continue
        if not all(_parallel(each, rival) and not _bounded_so(piece, each, rival) for each in own):
            continue
        pairs = [_apart(each, rival) for each in own]
        if not all(pairs):
            continue
        if all(
            any(not keys.isdisjoint(two.keys) and keys.isdisjoint(one.keys) for one, two in apart)
            and not any(not keys.isdisjoint(one.keys) for one, _ in apart)
            for apart in pairs
        ):
            both = keys_in(rival.marks).union(*(keys_in(marks_of(each.told.words)) for each in own))
            both |= keys_in(marks_of(rival.told.words))
            if held(named, both) >= ALIKE:
                difference = Difference("entity", piece.value.told, rival.value.told, SURE)
                return Ruled(difference, rival.told.source, rival.told.words)
    return None


def _bounded_so(piece: _Piece, own: _Piece, rival: _Piece) -> bool:
    """Tell whether a claim has a bound as its sentence has, which gives another value without: 50, at most 200."""
    bound = piece.value.bound
    return own.told == rival.told and own.value.bound == bound != "=" and rival.value.bound == "="


def _same(one: Quantity, other: Quantity) -> bool:
    return same_kind(one, other) and same_value(one, other)


def _at_once(one: Quantity, other: Quantity) -> bool:
    """Tell whether two values are one, or two dates the same."""
    return _same(one, other) or _when(one) == _when(other) != ()


def _comparable(piece: _Piece, rival: _Piece) -> bool:
    """Tell whether a value of a context is another one of the kind of a claim's, for which it could be taken."""
    one, other = piece.value, rival.value
    if not same_kind(one, other) or same_value(one, other) or one.dimension == "date":
        return False
    if one.dimension == "count" and not one.unit:
        return piece.lead == rival.lead != ""
    return one.unit == other.unit or one.dimension == "money"


def _parallel(one: _Piece, other: _Piece) -> bool:
    return one.told.source == other.told.source and abs(one.told.at - other.told.at) <= NEAR


NEAR = 2
"""How many sentences two that give values to things of a kind may stand apart."""


def _apart(own: _Piece, rival: _Piece) -> list[tuple[RuleWord, RuleWord]]:
    """Return the words in one place of two parts that differ: at their beginning, beside a word that both have."""
    ours, theirs = own.marks, rival.marks
    mine, its = (
        keys_in(marks_of(own.told.words) if own.told != rival.told else ours),
        keys_in(marks_of(rival.told.words) if own.told != rival.told else theirs),
    )
    found = []
    for one, one_place in _placed(ours):
        for two, two_place in _placed(theirs):
            if one_place & two_place and mine.isdisjoint(two.keys) and its.isdisjoint(one.keys):
                found.append((one, two))
    return found


def _placed(marks: Sequence[RuleWord]) -> Iterator[tuple[RuleWord, frozenset[str]]]:
    """Yield the words with content that are no verbs, each with where it stands."""
    named = [at for at, mark in enumerate(marks) if mark.keys]
    for place, at in enumerate(named):
        mark = marks[at]
        if is_verb(mark.text) and place:
            continue
        places = set()
        behind = marks[at + 1].text if at + 1 < len(marks) else ""
        if not place or behind in AUXILIARY:
            places.add("first")
        before = marks[at - 1].text if at else ""
        if before in ("the", "a", "an", "our", "all", "their", "your") and at > 1:
            before = marks[at - 2].text
        if before in _LEADS:
            places.add(f"{before} _")
        if at + 1 < len(marks) and marks[at + 1].keys:
            places.add(f"_ {marks[at + 1].keys[0]}")
        if at and marks[at - 1].keys:
            places.add(f"{marks[at - 1].keys[0]} _")
        if places:
            yield mark, frozenset(places)


def _counted(value: Quantity) -> Quantity:
    """Return how often as a count, and how often in a time: "six times" beside "six times a year", or "bimonthly"."""
    if value.dimension != "frequency":
        return value
    return value._replace(
        dimension="count", value=value.amount, unit=stem(value.unit), rate="", others=(*value.others, value.value)
    )


def _pieces(told: ToldRule) -> list[_Piece]:
    """Return the parts of a statement that have one value each; what has none goes with the part before it."""
    values = [each for each in _counts_in(told.words) if each.dimension not in ("reference", "version")]
    if not values or len(values) > MOST_PIECES:
        return []
    marks = marks_of(told.words)
    kept, edges = values[:1], []
    for other in values[1:]:
        between = [m for m in marks if kept[-1].end <= m.start < other.start and m.text in _EDGES]
        if between:
            edges.append(between[0].start)
            kept.append(other)
        elif other.dimension == kept[-1].dimension:
            return []
        # Else it is said of the same thing: "six times in twelve months".
    ends = [*edges, len(told.words)]
    found, start = [], 0
    for value, end in zip(kept, ends, strict=True):
        inside = tuple(
            m for m in marks
            if start <= m.start < end and not value.start <= m.start < value.end and m.text not in _EDGES
        )  # fmt: skip
        before = [m.text for m in marks if m.end <= value.start and m.text not in ("of", "the")]
        found.append(_Piece(value, inside, told, before[-1] if before else ""))
        start = end
    return found
