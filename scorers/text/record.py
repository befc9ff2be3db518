"""Structured context (JSON) as sentences that can be read, and as facts that can be asked for.

A generator that is given data writes prose of it. So every leaf becomes a sentence of its own ("outdoor seating", "city
Goleta"), and stays a fact with its path and value. What is false, null or "no" becomes a fact only: its key is no
evidence that the thing is there. Nothing here knows a schema; keys are split into words, whatever their style.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from scorers.text.normalize import STOP_WORDS, terms, word_set
from scorers.text.stemming import stem

MAX_LEAVES = 2_000
"""Leaves of one record that are read."""

MAX_DEPTH = 24
"""Nesting past this is no record that a generator was given to describe."""

Truth = Literal["true", "false", "null", "value"]

_KEY_WORD = re.compile(r"[A-Z]{2,12}(?![a-z])|[A-Z]?[a-z]{1,40}|[^\W\d_A-Za-z]{1,40}|\d{1,12}")
_NO = frozenset({"no", "none", "false", "n", "not available", "unavailable"})
_YES = frozenset({"yes", "true", "y"})
_UNKNOWN = frozenset({"", "null", "n/a", "na", "unknown", "nan"})
# Words of keys that say how data is arranged, not what it is about.
_GENERIC = word_set(
    "accept attribut by can count data detail field good has id info is item key list meta name option properti"
    " property record support type valu has"
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY_NUMBERS = {
    **{name: number for number, day in enumerate(_DAYS) for name in (day, day + "s", day[:3])},
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
"""Weekdays and their abbreviations, Monday being 0."""

_TIME = re.compile(r"(\d{1,2})(?::(\d{1,2}))?\s?([ap]\.?m\b)?", re.IGNORECASE)
_RATING_KEY = re.compile(r"star|rating|score", re.IGNORECASE)
_STATE_NAMES = """AL:Alabama AK:Alaska AZ:Arizona AR:Arkansas CA:California CO:Colorado CT:Connecticut DE:Delaware
    FL:Florida GA:Georgia HI:Hawaii ID:Idaho IL:Illinois IN:Indiana IA:Iowa KS:Kansas KY:Kentucky LA:Louisiana ME:Maine
    MD:Maryland MA:Massachusetts MI:Michigan MN:Minnesota MS:Mississippi MO:Missouri MT:Montana NE:Nebraska NV:Nevada
    NH:New_Hampshire NJ:New_Jersey NM:New_Mexico NY:New_York NC:North_Carolina ND:North_Dakota OH:Ohio OK:Oklahoma
    OR:Oregon PA:Pennsylvania RI:Rhode_Island SC:South_Carolina SD:South_Dakota TN:Tennessee TX:Texas UT:Utah
    VT:Vermont VA:Virginia WA:Washington WV:West_Virginia WI:Wisconsin WY:Wyoming"""
_STATES = dict(pair.replace("_", " ").split(":") for pair in _STATE_NAMES.split())


@dataclass(frozen=True, slots=True)
class Fact:
    """One leaf: the stems of its key that say what it is about, those of the groups above it, and its truth.

    ``choice`` says that it stands in a group of nothing but yes, no and unknown: one option among several.
    """

    key: frozenset[str]
    joined: str
    group: frozenset[str]
    truth: Truth
    choice: bool
    value: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class JsonRecord:
    """A structured context: sentences to read, facts by key, opening hours by weekday (minutes), and ratings."""

    sentences: tuple[str, ...]
    facts: tuple[Fact, ...]
    hours: dict[int, tuple[int, int]]
    ratings: tuple[float, ...]


def read_record(text: str) -> JsonRecord | None:
    """Return the record that ``text`` is, or ``None`` where it is not a JSON object or a list of them.

    >>> record = read_record('{"city": "Goleta", "OutdoorSeating": true, "WiFi": "no", "stars": 4.5}')
    >>> record.sentences
    ('city Goleta', 'Outdoor Seating', 'stars 4.5')
    >>> [(sorted(fact.key), fact.truth) for fact in record.facts if fact.truth == "false"]
    [(['fi', 'wi'], 'false')]
    """
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) and not (isinstance(data, list) and data and isinstance(data[0], dict)):
        return None
    return _Reader().read(data)


def key_words(key: str) -> list[str]:
    """Return the words of a key in any style.

    >>> key_words("RestaurantsTakeOut"), key_words("review_stars"), key_words("wifi-URL")
    (['Restaurants', 'Take', 'Out'], ['review', 'stars'], ['wifi', 'URL'])
    """
    return _KEY_WORD.findall(key[:200])


class _Reader:
    """Collects what one walk over a record finds."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.facts: list[Fact] = []
        self.hours: dict[int, tuple[int, int]] = {}
        self.ratings: list[float] = []
        self.keys: set[str] = set()
        self.leaves = 0

    def read(self, data: Any) -> JsonRecord:
        self._walk(data, (), 0)
        firsts = Counter(stem(words[0].casefold()) for key in self.keys if (words := key_words(key)))
        shared = frozenset(word for word, count in firsts.items() if count > 1)
        facts = tuple(_told_apart(fact, shared) for fact in self.facts)
        return JsonRecord(tuple(self.sentences), facts, self.hours, tuple(self.ratings))

    def _walk(self, data: Any, path: tuple[str, ...], depth: int) -> None:
        if depth > MAX_DEPTH or self.leaves > MAX_LEAVES:
            return
        if isinstance(data, dict):
            self._group(data, path, depth)
        elif isinstance(data, list):
            plain = [value for value in data if isinstance(value, (str, int, float)) and not isinstance(value, bool)]
            if plain and all(len(str(value)) <= _SHORT for value in plain):
                self._scalar(", ".join(map(str, plain[:200])), path, frozenset(), choice=False)
            else:
                for value in data:
                    self._walk(value, path, depth + 1)
        else:
            self._scalar(data, path, frozenset(), choice=False)

    def _group(self, data: dict[str, Any], path: tuple[str, ...], depth: int) -> None:
        hours = dict(_opening(data))
        if hours:
            self.hours.update(hours)
            self.sentences.extend(_spoken_hours(data))
            self.leaves += len(data)
            return
        choice = bool(data) and all(value is None or isinstance(value, bool) for value in data.values())
        shared = _shared_words(data)
        self.keys.update(data)
        for key, value in data.items():
            if isinstance(value, (dict, list)) and value:
                self._walk(value, (*path, key), depth + 1)
            else:
                self._scalar(value, (*path, key), shared, choice=choice and bool(path))

    def _scalar(self, value: Any, path: tuple[str, ...], shared: frozenset[str], *, choice: bool) -> None:
        self.leaves += 1
        if self.leaves > MAX_LEAVES or not path:
            return
        words = key_words(path[-1])
        truth = _truth(value)
        told = str(value)
        if truth == "true":
            self.sentences.append(" ".join((*key_words(path[-2]), *words) if choice else words))
        elif truth == "value" and len(told) > _SHORT:
            self.sentences.extend(line for line in told.split("\n") if line.strip())
        elif truth == "value":
            state = _STATES.get(told, "")
            self.sentences.append(" ".join(filter(None, (*words, told, state))))
        if _RATING_KEY.search(path[-1]) and isinstance(value, (int, float)) and not isinstance(value, bool):
            self.ratings.append(float(value) if abs(value) < 1e9 else 0.0)  # noqa: PLR2004 - no rating is past it
        if len(told) <= _SHORT:
            self._fact(words, path, shared, truth, told, choice=choice)

    def _fact(
        self, words: list[str], path: tuple[str, ...], shared: frozenset[str], truth: Truth, told: str, *, choice: bool
    ) -> None:
        stems = [stem(word.casefold()) for word in words if word.casefold() not in STOP_WORDS]
        about = frozenset(s for s in stems if s not in _GENERIC and s not in shared) or frozenset(stems)
        group = frozenset(stem(w.casefold()) for key in path[-2:-1] for w in key_words(key)) - _GENERIC
        value = frozenset(terms(told).items) if truth == "value" else frozenset()
        own = [word.casefold() for word in words if stem(word.casefold()) not in shared]
        self.facts.append(Fact(about, "".join(own), group, truth, choice, value))


def _told_apart(fact: Fact, shared: frozenset[str]) -> Fact:
    """Return a yes, no or unknown without the first words that other keys share: they are not what it is about."""
    if fact.truth == "value" or not shared & (fact.key | fact.group):
        return fact
    return replace(fact, key=fact.key - shared or fact.key, group=fact.group - shared or fact.group)


_SHORT = 80
"""A longer value is prose."""


def _truth(value: Any) -> Truth:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or value in ({}, []):
        return "null"
    if isinstance(value, str):
        plain = value.strip().casefold()
        if plain in _UNKNOWN:
            return "null"
        if plain in _NO:
            return "false"
        if plain in _YES:
            return "true"
    return "value"


def _shared_words(data: dict[str, Any]) -> frozenset[str]:
    """Return the words that three or more keys of a group share: a prefix of the schema, not what a key is about."""
    counts = Counter(stem(word.casefold()) for key in data for word in set(key_words(key)))
    return frozenset(word for word, count in counts.items() if count >= 3)  # noqa: PLR2004 - see the docstring


def _opening(data: dict[str, Any]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield weekday and (opens, closes) in minutes where ``data`` maps weekdays to time ranges."""
    if not any(key.casefold() in DAY_NUMBERS for key in data):
        return
    for key, value in data.items():
        day = DAY_NUMBERS.get(key.casefold())
        times = _times(value) if day is not None and isinstance(value, str) else []
        if day is not None and len(times) == 2:  # noqa: PLR2004 - opens and closes
            yield day, (times[0], times[1])


def _times(text: str) -> list[int]:
    found = []
    for match in _TIME.finditer(text[:60]):
        hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "")[:1].casefold()
        if match[2] is None and not half:
            continue
        hour = hour % 12 + 12 * (half == "p") if half else hour
        found.append(hour * 60 + minute)
    return found


def _spoken_hours(data: dict[str, Any]) -> Iterator[str]:
    for key, value in data.items():
        times = _times(value) if isinstance(value, str) else []
        spoken = " to ".join(f"{at // 60}:{at % 60:02d}" for at in times) if times else str(value)[:_SHORT]
        yield f"{key[:40]} {spoken}"
