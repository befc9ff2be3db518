"""The number that begins at a token: in digits or in words, with scales, halves and fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from scorers.statements.quantities.numerals import Numerals
from scorers.statements.quantities.scanning import NUMBER, WORD, QuantityToken
from scorers.text.numbers import number_readings

FRACTIONS = {"\u00bd": 0.5, "\u00bc": 0.25, "\u00be": 0.75, "\u2153": 1 / 3, "\u2154": 2 / 3}
"""Fractions that are one character."""

_PHRASE = 4
_LONGEST = 12
_SCALES = 2
_GROUP = 3
_LETTER = 1
_THOUSAND = 1_000.0
_LEAST_SCALE_OF_DIGITS = 1_000.0
_OF_PARTS = (("in",), ("out", "of"), ("von",), ("sur",), ("de", "cada"), ("su",), ("em", "cada"), ("op", "de"), ("na",))
_OPEN_PARTS = frozenset(phrase[0] for phrase in _OF_PARTS)
_MOST_PARTS = 1_000
_WHOLE = frozenset({"of", "the", "der", "des", "de", "del", "di", "do", "da", "van"})


class NumberReading(NamedTuple):
    """The values that a number can have, the usual one first; the worth of its last digit; where it ends.

    ``spelled`` numbers are in letters; ``article`` is a word that can be an article ("a", "one").
    """

    values: tuple[float, ...]
    step: float
    end: int
    spelled: bool = False
    article: bool = False
    part: bool = False


def amount_at(read: Sequence[QuantityToken], at: int, language: str, words: Numerals) -> NumberReading | None:
    """Return the number that begins at a token, ``None`` where none does.

    >>> from scorers.statements.quantities.numerals import numerals
    >>> from scorers.statements.quantities.scanning import tokens
    >>> texts = ("1,500", "1.2 million", "twenty-five", "two thousand and five", "2 and a half", "1/3", "half")
    >>> [amount_at(tokens(text), 0, "en", numerals("en")).values[0] for text in texts]
    [1500.0, 1200000.0, 25.0, 2005.0, 2.5, 0.3333333333333333, 0.5]
    """
    token = read[at]
    if token.kind == NUMBER:
        found = _digits(read, at, language, words)
    elif token.text in FRACTIONS:
        return NumberReading((FRACTIONS[token.text],), 0.01, at + 1, part=True)
    elif token.text in words.halves:
        end = at + 1
        return NumberReading((0.5,), 0.01, end + (end < len(read) and read[end].text == "-"), spelled=True, part=True)
    else:
        found = _spelled(read, at, words)
    return None if found is None else _with_half(read, found, words)


def _digits(read: Sequence[QuantityToken], at: int, language: str, words: Numerals) -> NumberReading | None:
    token = read[at]
    values = number_readings(token.text, language)
    if not values:
        return None
    end = at + 1
    after = read[end] if end < len(read) else None
    if after is not None and after.text in FRACTIONS:
        return NumberReading((values[0] + FRACTIONS[after.text],), 0.01, end + 1)
    if after is not None and after.text == "/" and end + 1 < len(read) and read[end + 1].kind == NUMBER:
        whole = number_readings(read[end + 1].text, language)
        if whole and 0 < values[0] < whole[0] <= _MOST_PARTS and read[end + 1].start == after.end == token.end + 1:
            return NumberReading((values[0] / whole[0],), 0.0, end + 2, part=True)
        return None
    step = 10.0 ** -_decimals(token.text, values[0])
    while end < len(read) and end - at <= _SCALES:
        scale = words.scales.get(read[end].text, 0.0)
        if scale < _LEAST_SCALE_OF_DIGITS or (read[end].text == "k" and read[end].start != read[end - 1].end):
            break
        values, step, end = tuple(value * scale for value in values), step * scale, end + 1
        end += end < len(read) and read[end].text == "." and len(read[end - 1].text) in (3, 4)
    return NumberReading(values, step, end)


def _decimals(written: str, value: float) -> int:
    if value == math.floor(value) and "." not in written and "," not in written:
        return 0
    tail = max(written.rfind("."), written.rfind(","))
    places = len(written) - tail - 1
    return 0 if tail < 0 or (places == _GROUP and value >= _THOUSAND) else places


def _spelled(read: Sequence[QuantityToken], at: int, words: Numerals) -> NumberReading | None:  # noqa: C901 - one walk
    total = current = 0.0
    place, scaled, seen = at, True, False
    article = read[at].text in words.articles
    if article and at + 1 < len(read):
        following = read[at + 1].text
        if following in words.scales and len(following) > _LETTER:
            place, current, seen, scaled = at + 1, 1.0, True, False
        elif following in words.halves:
            return NumberReading((0.5,), 0.01, at + 2, spelled=True, part=True)
    while place < len(read) and place - at < _LONGEST:
        if scaled:
            value, end = _phrase(read, place, words)
            if end > place:
                current, place, scaled, seen = current + value, end, False, True
                continue
        word = read[place].text
        scale = words.scales.get(word, 0.0) if read[place].kind == WORD and len(word) > _LETTER else 0.0
        if scale:
            current = max(current, 1.0) * scale
            if scale >= _THOUSAND:
                total, current = total + current, 0.0
            place, scaled, seen = place + 1, True, True
        elif seen and scaled and word in words.joins and _phrase(read, place + 1, words)[1] > place + 1:
            place += 1
        else:
            break
    if not seen:
        return NumberReading((1.0,), 1.0, at + 1, spelled=True, article=True) if article else None
    return NumberReading((total + current,), 1.0, place, spelled=True, article=article and place == at + 1)


def _phrase(read: Sequence[QuantityToken], at: int, words: Numerals) -> tuple[float, int]:
    """Return the value of the longest number word at a token, and where it ends; there itself for none."""
    joined, best = "", (0.0, at)
    place = at
    for _ in range(_PHRASE):
        if place >= len(read) or read[place].kind != WORD:
            break
        joined = f"{joined} {read[place].text}" if joined else read[place].text
        place += 1
        if joined in words.words:
            best = words.words[joined], place
        if place < len(read) and read[place].text == "-":
            place += 1
    return best


def _with_half(read: Sequence[QuantityToken], amount: NumberReading, words: Numerals) -> NumberReading:
    """Read "and a half" behind a number."""
    end = amount.end
    if end + 1 < len(read) and read[end].text in words.joins:
        place = end + 1 + (read[end + 1].text in words.articles)
        if place < len(read) and read[place].text in words.halves:
            return amount._replace(values=(amount.values[0] + 0.5,), end=place + 1, article=False)
    return amount


def share_at(
    read: Sequence[QuantityToken], amount: NumberReading, language: str, words: Numerals
) -> tuple[float, int] | None:
    """Return the share in percent that an amount begins ("one in three", "half of"), and where it ends."""
    end = amount.end
    if end >= len(read):
        return None
    if amount.part:
        return (amount.values[0] * 100.0, end) if read[end].text in _WHOLE else None
    end += read[end].text == "-" and end + 1 < len(read)
    divisor = words.fractions.get(read[end].text)
    if divisor and (amount.spelled or amount.values[0] == 1) and amount.values[0] < divisor:
        following = read[end + 1].text if end + 1 < len(read) else ""
        if following in _WHOLE or following in (".", ""):
            return amount.values[0] / divisor * 100.0, end + 1
    if read[end].text in _OPEN_PARTS and amount.values[0] == math.floor(amount.values[0]):
        for phrase in _OF_PARTS:
            place = end + len(phrase)
            if tuple(token.text for token in read[end:place]) == phrase and place < len(read):
                whole = amount_at(read, place, language, words)
                if whole and not whole.article and 0 < amount.values[0] < whole.values[0] <= _MOST_PARTS:
                    return amount.values[0] / whole.values[0] * 100.0, whole.end
                return None
    return None
