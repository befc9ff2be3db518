"""The clauses of a statement: its words by segment, what it forbids or requires, and under which conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Literal, NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.lexicon.functions import (
    ARTICLES,
    FUNCTION,
    GENERIC,
    LETTERED,
    MEASURES,
    NUMERALS,
    POINTED,
    PRONOUNS,
    REQUISITES,
)
from scorers.statements.lexicon.languages.tables import LANGUAGE_WORDS
from scorers.statements.parting import (
    ELLIPTIC,
    MODAL,
    OPENS,
    RESUMING,
    finite,
    has_force,
    last_of,
    parts_of,
    predicate_of,
    spans_of,
    subject_of,
    unsaid,
)
from scorers.statements.tokens import MAX_CHARACTERS, StatementToken, tokens
from scorers.statements.words import Word, is_verb, word_of
from scorers.text.normalize import MONTHS, word_set

Force = Literal["MAY", "MUST", "SHOULD", "NOTNEED", "FORBID", "SHOULDNOT", "YES", "NO"]
"""What a statement does with what it speaks of; ``YES`` and ``NO`` only state and deny it."""

_DENYING = frozenset({"NEG", "FORBID", "SHOULDNOT", "NOTNEED"})
_SCOPES = frozenset({"ALL", "SOME", "MOST", "ONLY", "ALWAYS", "SOMETIMES", "RARELY"})
_TURNED: dict[str, Force] = {
    "MAY": "FORBID", "MUST": "FORBID", "NEED": "NOTNEED", "SHOULD": "SHOULDNOT", "NOTNEED": "MUST", "FORBID": "MAY",
    "SHOULDNOT": "SHOULD", "YES": "NO",
}  # fmt: skip
MAX_CLAUSES = 12
FIGURE_WEIGHT = 0.25
"""Figures are compared as quantities; here they only help to find the sentence."""
GENERIC_WEIGHT = 0.4


class Item(NamedTuple):
    """A word with content: how it was written, what is known of it, its segment, and whether "non" stands before it."""

    shown: str
    word: Word
    segment: int
    place: int
    sign: int
    capital: bool
    figure: bool
    lead: str
    weight: float
    """``lead`` is the little word or operator right before it; ``weight`` what it counts in comparing."""


_item = partial(tuple.__new__, Item)
"""A word out of its fields, in half of the time: a clause has many."""


class Segment(NamedTuple):
    """A part of a clause under one operator, ``MAIN`` or that of a condition, and its state."""

    op: str
    state: Force
    shown: str


@dataclass(frozen=True, slots=True)
class Clause:
    """What one clause states.

    ``scopes`` are words of how many, each with the place of the word behind it; ``joins`` the places before which
    "and" or "or" stands; ``pronoun`` tells that its subject stands for another one, ``passive`` how it is told.
    """

    items: tuple[Item, ...]
    segments: tuple[Segment, ...]
    scopes: tuple[tuple[str, int, str], ...]
    joins: tuple[tuple[str, int], ...]
    pronoun: bool
    passive: bool
    language: str
    denied: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    """``denied`` are the places of the words behind what denies in its main part; ``spans`` its places in the text."""

    @property
    def state(self) -> Force:
        """What its main part does."""
        return self.segments[0].state


def read_clauses(text: str, language: str = "en") -> tuple[Clause, ...]:
    """Return the clauses of a statement, up to `MAX_CLAUSES`.

    >>> [clause.state for clause in read_clauses("Days may be carried over, but they must be used by March.")]
    ['MAY', 'MUST']
    >>> read_clauses("You won't be charged.")[0].segments[0].shown
    "You won't be charged"
    >>> [clause.state for clause in read_clauses("Geschenkkarten können nicht zurückgegeben werden.", "de")]
    ['FORBID']
    """
    return _clauses(text[:MAX_CHARACTERS], language)


@cached_by_text(cost=43)
def _clauses(text: str, language: str) -> tuple[Clause, ...]:
    clauses: list[Clause] = []
    subject: Sequence[StatementToken] = ()
    predicate: Sequence[StatementToken] = ()
    parts = _joined(parts_of(tokens(text, language), language))[:MAX_CLAUSES]
    stem: Sequence[StatementToken] = ()
    for at, part in enumerate(parts):
        told = part
        if stem and len(part) <= LISTED and not has_force(part):
            told = [*stem, *part]
        stem = next((part[:place] for place, token in enumerate(part) if token.text == ":"), stem)
        if subject and (part[0].text in MODAL or part[0].text == "NEG"):
            told = [*subject, *part]
        elif language != "en" and at and part[0].text == "NEG" and len(part) <= ELLIPTIC and not has_force(part):
            told = [*(token for token in parts[at - 1] if token.kind != "mark"), *part]
        if last_of(part) in MODAL:
            # "Drivers are encouraged, but need not take part": what is said of them stands in the next clause.
            behind = (
                predicate_of(parts[at + 1]) if at + 1 < len(parts) and parts[at + 1][0].text in MODAL else predicate
            )
            told = [*told, *behind]
        elif language == "en" and at:
            told = [*told, *unsaid(part, parts[at - 1])]
        clause = _clause(told, language)
        if clause.items:
            clauses.append(clause)
        if part[0].text not in MODAL:
            subject = subject_of(part)
            predicate = predicate_of(part)
    return tuple(clauses)


def _joined(parts: Iterable[list[StatementToken]]) -> list[list[StatementToken]]:
    """Return parts of which one that only sets a condition goes with the one before: "you may, but only if ..."."""
    found: list[list[StatementToken]] = []
    for part in parts:
        if found and part[0].kind == "operator" and part[0].text == "ONLYIF":
            found[-1] = [*found[-1], *part]
        else:
            found.append(part)
    return found


LISTED = 8
"""Tokens of a member of a list behind a colon."""


def _clause(part: Sequence[StatementToken], language: str) -> Clause:
    builder = _Builder(part, language)
    for at, token in enumerate(part):
        if token.kind == "mark":
            builder.mark(token)
        elif token.kind == "operator":
            builder.operator(at, token)
        else:
            builder.word(at, token)
    return builder.clause(spans_of(part))


class _Builder:
    """A clause in the making: its words and operators are added in order."""

    def __init__(self, part: Sequence[StatementToken], language: str) -> None:
        self._language = language
        words = LANGUAGE_WORDS.get(language)
        self._and, self._or = ("and", "or") if words is None else words.joins
        self._function = FUNCTION if words is None else words.function
        self._counted = frozenset() if words is None else words.counted
        self._generic = GENERIC if words is None else words.generic
        self._participles = () if words is None else words.participles
        self._part = part
        self._items: list[Item] = []
        self._ops = ["MAIN"]
        self._forces: list[list[str]] = [[]]
        self._shown: list[list[str]] = [[]]
        self._scopes: list[tuple[str, int, str]] = []
        self._joins: list[tuple[str, int]] = []
        self._current = 0
        self._closes = False
        self._pronoun = self._passive = self._negated = False
        self._lead = ""
        self._denied: list[int] = []

    def clause(self, spans: tuple[tuple[int, int], ...]) -> Clause:
        self._only_if()
        segments = (
            # Of "won't" and of phrases that are read as several words, each has all that was written.
            Segment(op, _state(force), " ".join(word for word, _ in groupby(words)))
            for op, force, words in zip(self._ops, self._forces, self._shown, strict=True)
        )
        return Clause(
            tuple(self._items),
            tuple(segments),
            tuple(self._scopes),
            tuple(self._joins),
            self._pronoun,
            self._passive,
            self._language,
            tuple(self._denied),
            spans,
        )

    def _only_if(self) -> None:
        """Take the "only" before a verb for that of the condition behind it: "it is only paid out when you leave"."""
        place = next((at for op, at, _ in self._scopes if op == "ONLY"), None)
        behind = [] if place is None else self._items[place : place + _BEFORE_IF]
        if not behind or behind[0].segment or not is_verb(behind[0].shown.lower()):
            return
        number = next((item.segment for item in behind if item.segment), 0)
        if number and self._ops[number] == "IF":
            self._ops[number] = "ONLYIF"
            self._scopes = [each for each in self._scopes if each[0] != "ONLY"]

    def mark(self, token: StatementToken) -> None:
        if token.text == ",":
            self._joins.append((",", len(self._items)))
        if token.text == "(":
            self._open("ASIDE", at=0)
        elif self._ops[self._current] == "ASIDE":
            self._current = self._current if token.text != ")" else 0
        elif token.text in ",:\u2014" and self._closes:
            self._current = 0

    def operator(self, at: int, token: StatementToken) -> None:
        name = token.text
        self._lead = name
        then = self._part[at + 1] if at + 1 < len(self._part) else None
        if token.shown.lower() == "once" and (then is None or then.kind != "word" or then.text in _RATED):
            self.word(at, StatementToken("once", token.shown, "word"))
        elif name == "UNTIL" and self._language != "en" and then is not None and self._figure(then):
            self._shown[self._current].append(token.shown)  # "hasta tres días" bounds what the quantities compare
        elif name == "ONLYIF" and self._language == "en" and then is not None and self._counted_time(at):
            self._shown[self._current].append(token.shown)  # "only for ten days" bounds what quantities compare
        elif name == "EXC" and then is not None and then.shown.lower().split()[0] in _COMPARING:
            # "But no more than 200 a year" sets a bound, which quantities compare.
            self._shown[self._current].append(token.shown)
        elif name in OPENS:
            pointed = name == "WHO" and at > 0 and self._part[at - 1].text in POINTED
            if not pointed and (name != "WHO" or not self._current):
                self._open(name, at, token.shown)
        elif name == "NEG" and self._beside(at):
            self._negated = True
        else:
            self._force(at, name)
            self._shown[self._current].append(token.shown)
            if name in _SCOPES:
                self._scopes.append((name, len(self._items), token.shown))
            elif name == "BY":
                self._passive = self._passive or not (then is not None and then.kind == "figure")

    def _force(self, at: int, name: str) -> None:
        if name not in MODAL and name != "NEG":
            return
        # "Employees who travel must ...": the force is that of the main part again.
        behind = self._ops[self._current] == "WHO" and self._part[at - 1].text != "WHO"
        excepted = self._ops[self._current] == "EXC" and (self._closes or self._unsaid())
        if (name in MODAL and (behind or excepted or self._ends_here(at))) or self._time_told(name):
            self._current = 0
        self._forces[self._current].append(name)
        if name in _DENYING and not self._current:
            self._denied.append(len(self._items))

    def _counted_time(self, at: int) -> bool:
        """Tell whether "only for" has so many of something behind it."""
        first = next((token for token in self._part[at + 1 : at + 3] if token.text not in ARTICLES), None)
        told = self._part[at].shown.lower().split()[-1] in ("for", "to")
        return told and first is not None and (first.kind == "figure" or first.text in NUMERALS)

    def _unsaid(self) -> bool:
        """Tell whether an exception hangs on a subject of which nothing is said yet: "pets other than cats need"."""
        main = [item for item in self._items if not item.segment]
        return self._language == "en" and not self._forces[0] and not any(is_verb(i.shown.lower()) for i in main)

    def _means(self, token: StatementToken) -> bool:
        """Tell whether a little word is one with content here: "by the company", "zone A", "IT"."""
        if token.text in AGENTS and self._lead in _TO_WHOM:
            return True
        if not token.capital:
            return False
        if token.shown in ("A", "I"):
            return bool(self._items) and self._items[-1].shown.lower().removesuffix("s") in LETTERED
        return token.shown.isupper() and len(token.text) > 1

    def _beside(self, at: int) -> bool:
        """Tell whether a "not" denies but the word behind it: "non-refundable", "routers not returned are billed"."""
        behind = self._part[at + 1 : at + 3]
        if behind and behind[0].glued:
            return True
        if self._language != "en":
            verbal = not behind or not self._items or self._part[at].shown.lower() in _VERBAL
            return not verbal and behind[0].kind == "word" and behind[0].text.endswith(self._participles)
        if self._part[at].shown.lower() == "no":
            return False  # "after 14 days, no refund is possible"
        if len(behind) < 2 or behind[0].kind != "word" or not self._items or self._current or self._forces[0]:  # noqa: PLR2004
            return False
        return behind[1].text in _BE or behind[1].text in MODAL

    def _ends_here(self, at: int) -> bool:
        """Tell whether a condition without a comma that leads its clause has ended: "if it is cold you may leave"."""
        if not self._current or not self._closes or any(item.segment == 0 for item in self._items):
            return False
        return self._part[at - 1].text in RESUMING and any(item.segment == self._current for item in self._items)

    def _time_told(self, name: str) -> bool:
        """Tell whether a point in time ends before what its clause does: "avant le départ il faut ..."."""
        if self._language == "en" or self._ops[self._current] not in ("BEFORE", "AFTER", "WITHOUT"):
            return False
        # In German and Dutch what denies stands behind it: "Sie dürfen vor der Operation nichts essen".
        behind = name == "NEG" and self._language in ("de", "nl")
        leads = self._closes and all(item.segment for item in self._items)
        if self._shown[self._current][0].lower().split()[-1] in _CONJUNCTIONS or not (leads or behind):
            return False
        return any(item.segment == self._current for item in self._items)

    def _figure(self, token: StatementToken) -> bool:
        return token.kind == "figure" or token.text in self._counted

    def word(self, at: int, token: StatementToken) -> None:
        text = token.text
        if self._current and self._times_up(at, token):
            self._current = 0
        if text == "with" and any(each.text in REQUISITES for each in self._part[at + 1 : at + _BEHIND_WITH]):
            self._open("WITH", at, token.shown)
            self._lead = text
            return
        self._shown[self._current].append(token.shown)
        if text in (self._and, self._or):
            self._joins.append(("and" if text == self._and else "or", len(self._items)))
            self._lead = text
            return
        if not self._items and text in PRONOUNS:
            self._pronoun = True
        if text in self._function and not self._means(token):
            self._lead = self._lead if text in ARTICLES else text
            return
        place = len(self._items)
        figure = token.kind == "figure" or text in NUMERALS or text in self._counted
        measured = text in MEASURES and self._rated()
        if figure or text in SIGNS or (self._lead == "per" and place) or measured or self._bounds(at):
            weight = FIGURE_WEIGHT
        else:
            weight = GENERIC_WEIGHT if text in self._generic else 1.0
        read = word_of(text, self._language)
        sign = -1 if self._negated else 1
        self._items.append(
            _item((token.shown, read, self._current, place, sign, token.capital, figure, self._lead, weight))
        )
        self._negated, self._lead = False, ""

    def _bounds(self, at: int) -> bool:
        """Tell whether a word only bounds the figure behind it: "heavier than 32 kg" is "over 32 kg"."""
        if self._part[at].text[-2:] != "er":
            return False
        behind = self._part[at + 1 : at + 3]
        if len(behind) < 2 or behind[0].text != "than":  # noqa: PLR2004
            return False
        return behind[1].kind == "figure" or behind[1].text in NUMERALS or behind[1].text in SIGNS

    def _rated(self) -> bool:
        """Tell whether a figure, or what stands for one, is told right before."""
        return self._lead in RATES or self._lead == "one" or (bool(self._items) and self._items[-1].figure)

    def _times_up(self, at: int, token: StatementToken) -> bool:
        """Tell whether a point in time that leads its clause, without a comma, is told: "after 10 pm music is"."""
        if self._ops[self._current] not in ("BEFORE", "AFTER", "UNTIL") or token.kind != "word":
            return False
        mine = [item for item in self._items if item.segment == self._current]
        if finite(token) and any(item.figure for item in mine):
            return True
        counted = token.text in MEASURES or token.text in MONTHS or token.text in self._function
        if self._closes and mine and len(mine) == len(self._items) and token.text in ARTICLES:
            return self._named_before(at)
        return self._closes and len(mine) == len(self._items) and bool(mine) and mine[0].figure and not counted

    def _named_before(self, at: int) -> bool:
        """Tell whether a noun stands right before: "after the report the customer is", not "after opening the"."""
        text = self._part[at - 1].text
        return (
            self._part[at - 1].kind == "word"
            and text not in self._function
            and not is_verb(text)
            and text[-3:] != "ing"
        )

    def _open(self, op: str, at: int, shown: str = "") -> None:
        """Begin a segment; one that leads its clause, or stands behind a comma, ends at the next comma."""
        leads = op != "WHO" and not self._current and not any(item.segment == 0 for item in self._items)
        self._closes = leads or shown.startswith(",") or (at > 0 and self._part[at - 1].kind == "mark")
        self._ops.append(op)
        self._forces.append([])
        self._shown.append([shown] if shown else [])
        self._current = len(self._ops) - 1


# "Les repas non annulés", but "le repas n'est pas annulé": these deny a verb alone.
_VERBAL = word_set("pas jamais rien plus aucun aucune nunca jamais mai")
_BE = frozenset({"is", "are", "was", "were"})
_CONJUNCTIONS = word_set("bevor nachdem sobald que qu che voordat nadat zodra")
"""What opens a point in time that has a verb of its own."""
SIGNS = frozenset("$%\u20ac\u00a3\u00a5")
_COMPARING = word_set("more less fewer later longer earlier shorter larger higher lower older younger heavier")
"""What a \"but no\" before it makes a bound."""
AGENTS = frozenset({"company"})
"""Words of no content that name somebody, behind "by" or "to"."""
_TO_WHOM = frozenset({"BY", "to", "from"})
RATES = frozenset({"per", "a", "each"})
_RATED = frozenset({"per", "in", "within", "more", "again"})
_BEFORE_IF = 3
"""Words behind an "only" among which the condition begins that it goes with."""
_BEHIND_WITH = 5
"""Tokens behind "with" among which stands what it requires."""


def _state(forces: Sequence[str]) -> Force:
    """Return what the forces of a segment come to; one that denies counts once, however often it is said."""
    modal = ""
    for at, name in enumerate(forces):
        if name == "NEG":
            continue
        if modal in ("", "MAY", "MUST") and at <= 2:  # noqa: PLR2004 - "may be required", "must be allowed"
            modal = name if not (modal == "MAY" and name == "NEED") else "MAY"
    denied = "NEG" in forces
    if modal == "FORBID":
        at = forces.index("FORBID")
        denied = at > 0 and forces[at - 1] == "NEG"
    if denied:
        return _TURNED[modal or "YES"]
    if not modal:
        return "YES"
    return "MUST" if modal == "NEED" else modal  # type: ignore[return-value]
