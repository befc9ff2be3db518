"""Numbers, years and units made wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from training.pairs.pair import Table, placed

NUMBER = re.compile(
    r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\w:/-])|(?<![\w.,:/-])\d{1,6}(?:\.\d{1,2})?(?![\w:/-]|[.,]\d)"
)
_YEAR = re.compile(r"(?<![\w.,:/-])(?:19|20)\d\d(?![\w:/-]|[.,]\d)")
_SPELLED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORD = re.compile(rf"\b(?:{'|'.join(_SPELLED[1:])})\b", re.IGNORECASE)
_EVEN = 0.5


def number(text: str, source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with another number: one of the source, one with two digits exchanged, one near, one far."""
    found = [match for match in NUMBER.finditer(text) if not _YEAR.fullmatch(match[0])]
    if found:
        match = rng.choice(found)
        yield placed(text, match, other_number(match[0], source, rng))


def year(text: str, source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with another year, of the source or a few years off."""
    found = list(_YEAR.finditer(text))
    if found:
        match = rng.choice(found)
        others = sorted({other[0] for other in _YEAR.finditer(source)} - {match[0]})
        near = str(int(match[0]) + rng.choice((-10, -3, -2, -1, 1, 2, 3, 10)))
        yield placed(text, match, rng.choice(others) if others and rng.random() < _EVEN else near)


def spelled(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with another spelled number."""
    found = list(_WORD.finditer(text))
    if found:
        match = rng.choice(found)
        yield placed(text, match, rng.choice([word for word in _SPELLED[1:] if word != match[0].lower()]))


def exchanged(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with two of its numbers exchanged."""
    found = list(NUMBER.finditer(text))
    different = [match for match in found if match[0] != found[0][0]]
    if different:
        one, other = found[0], rng.choice(different)
        middle = text[one.end() : other.start()]
        yield text[: one.start()] + other[0] + middle + one[0] + text[other.end() :]


def other_number(written: str, source: str, rng: random.Random) -> str:
    """Return another number than ``written``, in its format."""
    found = sorted({match[0] for match in NUMBER.finditer(source)} - {written})
    if found and rng.random() < _EVEN:
        return rng.choice(found)
    digits = list(written)
    at = [i for i, digit in enumerate(digits) if digit.isdigit()]
    if len(at) > 1 and digits[at[0]] != digits[at[1]] and digits[at[1]] != "0" and rng.random() < _EVEN:
        digits[at[0]], digits[at[1]] = digits[at[1]], digits[at[0]]
        return "".join(digits)
    if "." not in written and "," not in written:
        value = int(written)
        others = {value + 1, max(1, value - 1), value * 2, value + 5, max(2, value // 2), value + 10} - {value}
        return str(rng.choice(sorted(others)))
    place = rng.choice(at[:2])
    digits[place] = str(int(digits[place]) % 9 + 1)
    return "".join(digits)


_UNITS = {
    "second": ("minute", "hour"), "minute": ("hour", "day"), "hour": ("minute", "day"),
    "day": ("week", "hour", "month"), "week": ("day", "month"), "month": ("week", "year", "day"),
    "year": ("month", "week"), "dollar": ("euro", "cent"), "euro": ("dollar", "cent"), "pound": ("kilogram", "dollar"),
    "cent": ("dollar",), "meter": ("foot", "kilometer"), "metre": ("foot", "kilometre"), "kilometer": ("mile", "meter"),
    "mile": ("kilometer", "yard"), "inch": ("centimeter", "foot"), "centimeter": ("inch", "meter"),
    "gram": ("ounce", "kilogram"), "kilogram": ("pound", "gram"), "ounce": ("gram", "pound"), "ton": ("pound",),
    "liter": ("gallon",), "litre": ("gallon",), "gallon": ("liter",), "acre": ("hectare",), "hectare": ("acre",),
    "degree": ("percent",), "quarter": ("month", "year"), "night": ("week", "month"), "decade": ("year",),
}  # fmt: skip
_IRREGULAR = {"foot": "feet", "inch": "inches"}
_SHORT = {
    "GB": ("MB", "TB"), "MB": ("GB", "KB"), "TB": ("GB",), "kg": ("g", "lb"), "km": ("m", "miles"), "cm": ("mm", "m"),
    "mm": ("cm",), "ml": ("l", "cl"), "kWh": ("MWh", "W"), "MW": ("kW", "GW"), "GW": ("MW",), "mg": ("g",),
    "km/h": ("m/s", "mph"), "mph": ("km/h",), "Mbit/s": ("Gbit/s", "kbit/s"), "Hz": ("kHz",), "lb": ("kg",),
    "EUR": ("USD", "GBP", "CHF"), "USD": ("EUR", "GBP"), "GBP": ("EUR", "USD"), "CHF": ("EUR",),
    "million": ("billion",),
    "billion": ("million", "trillion"), "thousand": ("million",), "percent": ("percentage points", "dollars"),
}  # fmt: skip
_PERIODS = {"hour": "day", "day": ("week", "month", "hour"), "week": ("month", "day"), "month": ("year", "week"),
            "year": ("month", "week"), "quarter": ("year", "month"), "night": ("week", "stay")}  # fmt: skip
_CALENDAR = {
    "business days": ("calendar days", "weeks"), "working days": ("calendar days", "weeks"),
    "calendar days": "business days", "consecutive days": "days in total", "working hours": "working days",
    "daily": ("weekly", "monthly"), "weekly": ("monthly", "daily"), "monthly": ("weekly", "annual"),
    "annual": ("monthly", "quarterly"), "annually": ("monthly", "quarterly"), "quarterly": ("monthly", "annual"),
}  # fmt: skip


def _plural(word: str) -> str:
    return _IRREGULAR.get(word, word + "s")


_NAMED = _UNITS | {_plural(name): tuple(_plural(other) for other in others) for name, others in _UNITS.items()}
_LONGEST_FIRST = "|".join(sorted((*_NAMED, *_SHORT), key=len, reverse=True))
_AFTER = re.compile(rf"(?:\d|\b(?:{'|'.join(_SPELLED)})\b)[ -]?(?P<unit>{_LONGEST_FIRST})\b")
_RATE = re.compile(rf"(?<=\b(?:per|ach) )(?:{'|'.join(_PERIODS)})\b|(?<=\bevery )(?:{'|'.join(_PERIODS)})\b")
_SIGN = re.compile(r"[$\u20ac\u00a3](?=\d)|(?<=\d)\s?[\u20ac%]")
_SIGNS = {"$": ("\u20ac", "\u00a3"), "\u20ac": ("$", "\u00a3"), "\u00a3": ("$", "\u20ac"), "%": (" points", " euros")}
CALENDAR = Table(_CALENDAR)


def unit(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with the unit of one quantity replaced by another."""
    found = list(_AFTER.finditer(text))
    if found:
        match = rng.choice(found)
        others = _NAMED.get(match["unit"]) or _SHORT[match["unit"]]
        yield text[: match.start("unit")] + rng.choice(others) + text[match.end("unit") :]


def currency(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with another sign of currency, or without its percent."""
    found = list(_SIGN.finditer(text))
    if found:
        match = rng.choice(found)
        yield text[: match.start()] + rng.choice(_SIGNS[match[0].strip()]) + text[match.end() :]


def rate(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with the period of a rate replaced by another."""
    found = list(_RATE.finditer(text))
    if found:
        match = rng.choice(found)
        others = _PERIODS[match[0]]
        yield text[: match.start()] + (others if isinstance(others, str) else rng.choice(others)) + text[match.end() :]
