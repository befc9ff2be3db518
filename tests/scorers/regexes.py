"""Texts that are made to cost a regular expression as much as can be, from what it repeats."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterable, Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

ODD = "a1 A.,-_:/@'\"\n\t([{)]}*#|>\u00e9\u6f22\u0663%$&=+\\"
"""Characters that one or another expression treats in its own way."""

ENDS = ("", "!", "x")
"""What a repetition fails on, or does not."""

SHORT, LONG, HUGE = 1_250, 10_000, 1_000_000
"""Characters of a text: those of the first two are compared, the last is for what grows too fast between them."""

SUSPICIOUS = 20.0
"""How much more work a text is that is eight times as long: linear work eight times, a square sixty-four."""

NOTICEABLE = 0.005
"""Seconds of a processor that a square takes for a text of `LONG` at least: fifty million steps."""

TRIES = 2
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
SAMPLES = {
    codes.CATEGORY_DIGIT: "1",
    codes.CATEGORY_SPACE: " \n",
    codes.CATEGORY_WORD: "a1_",
    codes.CATEGORY_NOT_SPACE: "a.",
    codes.CATEGORY_NOT_WORD: ". ",
    codes.CATEGORY_NOT_DIGIT: "a",
}
CATEGORIES = {
    codes.CATEGORY_DIGIT: re.compile(r"\d"),
    codes.CATEGORY_SPACE: re.compile(r"\s"),
    codes.CATEGORY_WORD: re.compile(r"\w"),
    codes.CATEGORY_NOT_SPACE: re.compile(r"\S"),
    codes.CATEGORY_NOT_WORD: re.compile(r"\W"),
    codes.CATEGORY_NOT_DIGIT: re.compile(r"\D"),
}
Node = tuple[Any, Any]


class Attack(NamedTuple):
    """A text of any size: ``body`` again and again, behind what leads to it, before what it may fail on."""

    lead: str
    body: str
    end: str

    def text(self, size: int) -> str:
        """Return about ``size`` characters of it."""
        return self.lead + self.body * (size // len(self.body)) + self.end


def attacks(pattern: re.Pattern[str], size: int) -> list[str]:
    """Return texts of about ``size`` characters that are made to cost ``pattern`` as much as can be."""
    return [attack.text(size) for attack in attacks_on(pattern)]


def attacks_on(pattern: re.Pattern[str]) -> list[Attack]:
    """Return attacks on ``pattern``: what it repeats, behind what leads to it, and odd ones."""
    rng = random.Random(7)
    tree = list(parser.parse(pattern.pattern, pattern.flags))
    pieces = {(lead, body) for _ in range(TRIES) for lead, body in _repeated(tree, "", rng) if body}
    whole = {_text(tree, rng) + end for _ in range(TRIES) for end in ("", " ", "!")}
    cut = {text[: len(text) // 2] for text in whole}
    found = [Attack(lead, body, end) for lead, body in sorted(pieces) for end in ENDS]
    found += [Attack("", body, "") for body in sorted(whole | cut) if body]
    found += [Attack("", character, end) for character in _told_apart(tree) for end in ENDS[:2]]
    return list(dict.fromkeys(found))


def search(pattern: re.Pattern[str], text: str) -> float:
    """Find all that ``pattern`` matches in a text; return the seconds of a processor that it took."""
    begun = time.process_time()
    assert sum(1 for _ in pattern.finditer(text)) <= len(text) + 1
    return time.process_time() - begun


def suspects(pattern: re.Pattern[str]) -> list[Attack]:
    """Return the attacks whose work seems to grow faster than their text.

    Time fails nothing here: it says which attacks deserve a text of `HUGE`, for which a square takes minutes.
    """
    found = []
    for attack in attacks_on(pattern):
        short, long = search(pattern, attack.text(SHORT)), search(pattern, attack.text(LONG))
        if long > max(SUSPICIOUS * short, NOTICEABLE):
            found.append(attack)
    return found


def check(pattern: re.Pattern[str]) -> None:
    """Search what may blow up in texts of `HUGE`, within the time that a test has."""
    for attack in suspects(pattern):
        search(pattern, attack.text(HUGE))


def _told_apart(tree: list[Node]) -> list[str]:
    """Return of the odd characters one of each kind that an expression treats alike: the others cost it the same."""
    sets = [[(codes.CATEGORY, codes.CATEGORY_WORD)], [(codes.LITERAL, ord("\n"))], *_sets(tree)]
    kinds: dict[tuple[bool, ...], str] = {}
    for character in ODD:
        held = (_holds(each, case) for each in sets for case in (character, character.swapcase()))
        kinds.setdefault(tuple(held), character)
    return list(kinds.values())


def _sets(nodes: Iterable[Node]) -> Iterator[list[Node]]:
    """Yield the sets of characters that a pattern names, be they taken or left out."""
    for code, given in nodes:
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            yield [(codes.LITERAL, given)]
        elif code is codes.IN:
            yield given
        for inner in _inside(code, given):
            yield from _sets(inner)


def _holds(items: Iterable[Node], character: str) -> bool:
    return any(
        (code is codes.LITERAL and ord(character) == given)
        or (code is codes.RANGE and given[0] <= ord(character) <= given[1])
        or (code is codes.CATEGORY and CATEGORIES[given].match(character) is not None)
        for code, given in items
    )


def _repeated(nodes: Iterable[Node], lead: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield each repetition's body, with a text that leads to it."""
    for code, given in nodes:
        for inner in _inside(code, given):
            if code in REPEATS:
                yield lead, _text(inner, rng)
            yield from _repeated(inner, lead, rng)
        if code not in (codes.ASSERT, codes.ASSERT_NOT, codes.AT):
            lead += rng.choice(_samples(code, given, rng))


def _inside(code: Any, given: Any) -> list[Any]:
    if code in REPEATS:
        return [given[2]]
    if code is codes.SUBPATTERN:
        return [given[3]]
    if code is codes.ATOMIC_GROUP:
        return [given]
    if code is codes.BRANCH:
        return list(given[1])
    return [given[1]] if code in (codes.ASSERT, codes.ASSERT_NOT) else []


def _text(nodes: Iterable[Node], rng: random.Random) -> str:
    return "".join(rng.choice(_samples(code, given, rng)) for code, given in nodes)


def _samples(code: Any, given: Any, rng: random.Random) -> list[str]:
    """Return some texts that one node of a pattern matches."""
    if code is codes.LITERAL:
        return [chr(given)]
    if code is codes.NOT_LITERAL:
        return [character for character in ODD if ord(character) != given][:3]
    if code is codes.ANY:
        return ["a", " "]
    if code is codes.IN:
        return _of_class(given)
    if code in REPEATS:
        return [_text(given[2], rng) * max(given[0], 1)]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [""]
    return [_text(inner, rng) for inner in _inside(code, given)] or [""]


def _of_class(items: Iterable[Node]) -> list[str]:
    found: list[str] = []
    negated = False
    for code, given in items:
        negated = negated or code is codes.NEGATE
        if code is codes.LITERAL:
            found.append(chr(given))
        elif code is codes.RANGE:
            found.append(chr(given[0]))
        elif code is codes.CATEGORY:
            found += SAMPLES[given]
    return [character for character in ODD if character not in found][:5] if negated else found
