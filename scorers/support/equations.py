"""What an answer works out in writing: "4 x 30 = 120", "85 EUR + 140 EUR = 225 EUR".

Whether it is reckoned rightly is told without any context; whether its parts are told, as of all figures of a claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import ABOUT, ROUNDING, close
from scorers.statements.ties import LONGEST

MOST_EQUATIONS = 8
"""Equations of a claim that are reckoned."""
_NUMBER = r"\d{1,9}(?:,\d{3}){0,3}(?:\.\d{1,6})?"
_VALUE = rf"(?:[$\u20ac\u00a3]|[A-Z]{{3}} )?{_NUMBER}"
_UNIT = (
    r"(?:\s?(?:%|[$\u20ac\u00a3]"
    r"|(?!(?:x|times|plus|minus|divided|multiplied|is|comes|makes|equals)\b)[A-Za-z][A-Za-z/'-]{0,20}\.?(?= ))){0,3}"
)
_SIGN = (
    r"\s?(?:[+\u2212\u2013*\u00d7\u00b7/\u00f7]|(?<= )[-x](?= )|(?<=\d)x(?=\d)"
    r"|(?:times|plus|minus|divided by|multiplied by))\s?"
)
_EQUATION = re.compile(
    rf"(?<![\w.,])(?P<left>{_VALUE}{_UNIT}(?:{_SIGN}{_VALUE}{_UNIT}){{1,6}})"
    rf"\s?(?P<sign>=|\u2248|is (?:about|roughly)|(?:comes to|makes|equals)(?: about| roughly)?)\s?"
    rf"(?P<right>{_VALUE})(?P<share>\s?%)?(?![\d,.]?\d|[A-Za-z]|\s?[+*\u00d7\u00f7]|\s[-x/\u2212\u2013]\s\d)"
)
_GOES_ON = re.compile(r"(?:[-+\u2212\u2013*\u00d7\u00b7/\u00f7(^]|\b(?:x|of|times|plus|minus|by))\s*$")
"""What stands before a number with which no equation begins."""
_MOST_BEHIND = 24
_DOTTED = re.compile(r"(?<![\d.,])\d{1,3}\.\d{3}(?!\d)")
"""A number of which nobody can tell whether it has thousands or thousandths."""
_PARTS = re.compile(r"\d{1,2}\s?/\s?\d{1,2}")
"""A day, a half, step 3 of 4 or "24/7"."""
_PART = re.compile(rf"(?P<sign>{_SIGN})?(?P<value>{_VALUE})(?P<unit>{_UNIT})")
_ABOUT = re.compile(r"about|roughly")
_TIMES, _OVER = frozenset("*\u00d7\u00b7x"), frozenset("/\u00f7")
_WORDS = {"times": "*", "multiplied by": "*", "divided by": "/", "plus": "+", "minus": "-"}


class Equation(NamedTuple):
    """An equation of a claim: its words, where it begins, the value that it gives as its result, and what it comes to.

    ``start`` and ``end`` are those of the result in the claim; ``holds`` tells whether both are one, as far as it is
    written out, or whether units stand between them that are not reckoned with.
    """

    written: str
    begin: int
    start: int
    end: int
    value: float
    holds: bool


def equations_in(words: str) -> tuple[Equation, ...]:
    """Return the equations of a claim, in their order.

    >>> [(each.written, each.holds) for each in equations_in("You pay 4 x 30 EUR = 120 EUR, and 2 + 2 = 5.")]
    [('4 x 30 EUR = 120', True), ('2 + 2 = 5', False)]
    """
    if not any(sign in words for sign in _EQUALS):
        return ()
    return tuple(_read(words[:LONGEST]))


_EQUALS = ("=", "\u2248", " is about", " is roughly", "comes to", "makes", "equals")


def misreckoned(words: str) -> Difference | None:
    """Return what an equation of a claim comes to otherwise; ``None`` where all hold.

    >>> misreckoned("Two books are 2 x 18 = 38 GBP.")
    Difference(kind='quantity', claimed='2 x 18 = 38', told='36', strength=0.9)
    """
    wrong = next((each for each in equations_in(words) if not each.holds), None)
    return None if wrong is None else Difference("quantity", wrong.written, f"{wrong.value:,.10g}", SURE)


SURE = 0.9
"""How sure it is that a claim is wrong whose own equation does not hold."""


def _read(words: str) -> Iterator[Equation]:
    quantities = quantities_in(words, "en")
    for at, found in enumerate(_EQUATION.finditer(words)):
        if at == MOST_EQUATIONS:
            return
        value = _worth(found["left"]) if _is_whole(found, words) else None
        if value is None or value < 0:
            continue  # "10 - 15" is a range
        value *= 100 if found["share"] else 1
        result, (start, end) = _number(found["right"]), found.span("right")
        share = {"=": ROUNDING, "\u2248": ROUNDED}.get(
            found["sign"], ABOUT if _ABOUT.search(found["sign"]) else ROUNDING
        )
        places = len(found["right"].partition(".")[2])
        holds = close(result, value, share) or abs(result - value) <= HALF * 10.0**-places
        yield Equation(found.group().strip(), found.start(), start, end, value, holds or _in_units(found, quantities))


ROUNDED, HALF = 0.02, 0.51
"""By what share a value may differ that is told to be nearly so, and by what part of its last digit any other one."""


def _is_whole(found: re.Match[str], words: str) -> bool:
    """Tell whether what reads like an equation is a whole one, of numbers that can be read in one way."""
    before = words[max(0, found.start() - _MOST_BEHIND) : found.start()]
    return (
        _GOES_ON.search(before) is None
        and _DOTTED.search(found.group()) is None
        and _PARTS.fullmatch(found["left"].strip()) is None
    )


def _number(written: str) -> float:
    return float(re.sub(r"[^\d.]", "", written))


def _worth(left: str) -> float | None:
    """Return what a sum, difference, product or quotient comes to, products before sums; nothing of one by zero."""
    total, product, sign = 0.0, None, 1.0
    for part in _PART.finditer(left):
        value = _number(part["value"])
        operator = (part["sign"] or "").strip()
        operator = _WORDS.get(operator, operator)
        if "%" in part["unit"]:
            value /= 100
        if product is None:
            product = value
        elif operator in _TIMES:
            product *= value
        elif operator in _OVER:
            if not value:
                return None
            product /= value
        else:
            if "%" in part["unit"]:
                value *= total + sign * product
            total += sign * product
            product, sign = value, 1.0 if operator == "+" else -1.0
    return None if product is None else total + sign * product


def _in_units(found: re.Match[str], quantities: tuple[Quantity, ...]) -> bool:
    """Tell whether units stand in an equation that are not the one of its result: 4 x 30 minutes = 2 hours."""
    start, end = found.span()
    units = {each.unit for each in quantities if start <= each.start < end + 1 and each.dimension not in _PLAIN}
    return len(units) > 1


_PLAIN = frozenset({"count", "percent"})
