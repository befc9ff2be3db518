"""The clauses of a statement: its words by segment, what it forbids or requires, and under which conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scorers.statements.lexicon.functions import ARTICLES, BREAKS, FUNCTION, GENERIC, PRONOUNS, REQUISITES
from scorers.statements.tokens import Token, tokens
from scorers.statements.words import Word, word_of
from scorers.text.caching import cached_by_text

State = Literal["MAY", "MUST", "SHOULD", "NOTNEED", "FORBID", "SHOULDNOT", "YES", "NO"]
"""What a statement does with what it speaks of; ``YES`` and ``NO`` only state and deny it."""

_MODAL = frozenset({"MAY", "MUST", "NEED", "SHOULD", "NOTNEED", "FORBID", "SHOULDNOT"})
_OPENS = frozenset(
    {"IF", "ONLYIF", "UNLESS", "EXC", "EVENIF", "WITHOUT", "WITH", "INSTEAD", "BEFORE", "AFTER", "UNTIL", "WHO"}
)
_SCOPES = frozenset({"ALL", "SOME", "MOST", "ONLY", "ALWAYS", "SOMETIMES", "RARELY"})
_TURNED: dict[str, State] = {
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


class Segment(NamedTuple):
    """A part of a clause under one operator, ``MAIN`` or that of a condition, and its state."""

    op: str
    state: State
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
    modal: str
    """What forbids or requires in it, as written."""

    @property
    def state(self) -> State:
        """What its main part does."""
        return self.segments[0].state


@cached_by_text(maxsize=4_096, longest=600)
def read_clauses(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a statement, up to `MAX_CLAUSES`.

    >>> [clause.state for clause in read_clauses("Days may be carried over, but they must be used by March.")]
    ['MAY', 'MUST']
    """
    clauses: list[Clause] = []
    subject: Sequence[Token] = ()
    predicate: Sequence[Token] = ()
    for part in _parts(tokens(text)):
        told = part
        if subject and part and (part[0].text in _MODAL or part[0].text == "NEG"):
            told = [*subject, *part]
        if part[-1].text in _MODAL:
            told = [*told, *predicate]
        clause = _clause(told)
        if clause.items:
            clauses.append(clause)
        if part and part[0].text not in _MODAL:
            subject = _subject(part)
            predicate = _predicate(part)
        if len(clauses) >= MAX_CLAUSES:
            break
    return tuple(clauses)


def _subject(part: Sequence[Token]) -> Sequence[Token]:
    """Return what stands before the first force of a clause, unless it is long or begins with a condition."""
    for at, token in enumerate(part):
        if token.text in _OPENS:
            return ()
        if token.text in _MODAL:
            return [each for each in part[:at] if each.kind == "word"]
    return ()


def _predicate(part: Sequence[Token]) -> Sequence[Token]:
    """Return what stands behind the first force of a clause, for a next one that ends with its force."""
    at = next((at for at, token in enumerate(part) if token.text in _MODAL), len(part))
    return [token for token in part[at + 1 :] if token.kind != "mark"]


def _parts(read: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the clauses: parted at stops, semicolons, "but", and at "and" where both sides have a force."""
    part: list[Token] = []
    forced = False
    for at, token in enumerate(read):
        ends = (token.kind == "mark" and token.text in ";.!?") or (token.text in BREAKS and part)
        if not ends and forced and token.text in ("and", ",", "or"):
            ends = _begins(read, at + 1)
        if ends:
            if part:
                yield part
            part, forced = [], False
            continue
        forced = forced or token.text in _MODAL
        part.append(token)
    if part:
        yield part


_SUBJECT = 5
"""Words before a force in a clause that "and" begins."""


def _begins(read: Sequence[Token], at: int) -> bool:
    """Tell whether a clause with its own force begins at ``at``."""
    for token in read[at : at + _SUBJECT]:
        if token.text in _MODAL:
            return True
        if token.kind == "mark" or token.text in _OPENS or token.text in ("and", "or"):
            if token.text == "and" and token is read[at]:
                continue
            return False
    return False


def _clause(part: Sequence[Token]) -> Clause:  # noqa: C901, PLR0912, PLR0915 - one pass over the tokens
    items: list[Item] = []
    ops = ["MAIN"]
    forces: list[list[str]] = [[]]
    shown: list[list[str]] = [[]]
    scopes: list[tuple[str, int, str]] = []
    joins: list[tuple[str, int]] = []
    current, closes, leading = 0, False, False
    pronoun = passive = False
    modal, lead, negated = "", "", False
    for at, token in enumerate(part):
        if token.kind == "mark":
            if token.text == ",":
                joins.append((",", len(items)))
            if token.text in ",:)\u2014" and current and (closes or leading):
                current = 0
            if token.text == "(":
                lead = "("
            continue
        if token.kind == "operator":
            name = token.text
            if name in _OPENS and not (name == "WHO" and current):
                leading = not any(item.segment == 0 for item in items) and current == 0
                closes = at > 0 and part[at - 1].kind == "mark"
                leading = leading and name != "WHO"
                ops.append(name)
                forces.append([])
                shown.append([token.shown])
                current = len(ops) - 1
            elif name in _SCOPES:
                scopes.append((name, len(items), token.shown))
                shown[current].append(token.shown)
            elif name in _MODAL or name == "NEG":
                glued = name == "NEG" and at + 1 < len(part) and part[at + 1].glued
                if glued:
                    negated = True
                    continue
                if current and ops[current] == "WHO" and name in _MODAL and part[at - 1].text != "WHO":
                    current = 0
                forces[current].append(name)
                shown[current].append(token.shown)
                if current == 0 and not modal:
                    modal = token.shown
            elif name == "BY":
                passive = passive or not (at + 1 < len(part) and part[at + 1].kind == "figure")
            lead = name
            continue
        text = token.text
        if text == "with" and any(each.text in REQUISITES for each in part[at + 1 : at + 5]):
            leading = not items and current == 0
            closes = at > 0 and part[at - 1].kind == "mark"
            ops.append("WITH")
            forces.append([])
            shown.append([])
            current = len(ops) - 1
            lead = text
            continue
        if text in ("and", "or"):
            joins.append((text, len(items)))
            lead = text
            continue
        shown[current].append(token.shown)
        if text in PRONOUNS:
            pronoun = pronoun or not items or current > 0
        if text in FUNCTION and not token.capital:
            lead = lead if text in ARTICLES else text
            continue
        items.append(
            Item(
                token.shown,
                word_of(text),
                current,
                len(items),
                -1 if negated else 1,
                token.capital,
                token.kind == "figure",
                lead,
                _weight(token),
            )
        )
        negated, lead = False, ""
    segments = tuple(
        Segment(op, _state(force), " ".join(words)) for op, force, words in zip(ops, forces, shown, strict=True)
    )
    return Clause(tuple(items), segments, tuple(scopes), tuple(joins), pronoun, passive, modal)


def _weight(token: Token) -> float:
    if token.kind == "figure":
        return FIGURE_WEIGHT
    return GENERIC_WEIGHT if token.text in GENERIC else 1.0


def _state(forces: Sequence[str]) -> State:
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
