"""Days and times of a claim against the weekly hours of a structured context."""

from __future__ import annotations

import re

from scorers.support.alignment import Alignment
from scorers.text.record import DAY_NUMBERS

NAMES = ("hours_wrong", "hours_absent_day", "hours_nowhere", "hours_right")

_DAY = "(?:mon|tues?|wednes|wed|thurs?|thur|fri|satur|sat|sun)(?:day)?s?"
_TOKEN = re.compile(
    rf"\b(?P<from>{_DAY})\s?(?:to|through|thru|until|till|-|\u2013|\u2014)\s?(?P<to>{_DAY})\b"
    rf"|\b(?P<day>{_DAY})\b"
    r"|\b(?P<every>every\s?day|daily|seven days|7 days|all week)\b"
    r"|\b(?P<weekdays>weekdays?)\b|\b(?P<weekend>weekends?)\b"
    r"|\b(?P<open>\d{1,2}(?::\d{1,2})?|noon|midnight)\s?(?P<open_half>[ap]\.?m\b\.?)?\s?(?:to|until|till|through|and|-|\u2013|\u2014)\s?"
    r"(?P<close>\d{1,2}(?::\d{1,2})?(?![\d:])|(?:noon|midnight)\b)(?:\s?(?P<close_half>[ap]\.?m\b))?",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\b(?:happy hour|lunch|dinner|breakfast|brunch|24 hours|around the clock)\b", re.IGNORECASE)
_CLOSED = re.compile(r"\bclosed?\b", re.IGNORECASE)
_HALF = 720


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`; all 0 where the context has no weekly hours.

    A day that closes when it opens is not open: records write so what they have no hours of.
    """
    hours = {day: times for day, times in a.context.hours.items() if times[0] != times[1]}
    text = a.claim.sentence.words
    if not hours or _OTHER.search(text):
        return (0.0,) * len(NAMES)
    wrong = right = nowhere = 0
    absent: set[int] = set()
    closed = _CLOSED.search(text)
    for days, opens, closes in spoken(text):
        if opens is None or closes is None:
            if not closed:
                absent.update(day for day in days if day not in hours)
            continue
        absent.update(day for day in days if day not in hours)
        if not any(_same(times, opens, closes) for times in hours.values()):
            nowhere += 1
        for day in days or hours:
            if day in hours:
                fits = _same(hours[day], opens, closes)
                right, wrong = right + fits, wrong + (not fits)
    return float(wrong), float(len(absent)), float(nowhere), float(right)


def spoken(text: str) -> list[tuple[frozenset[int], int | None, int | None]]:
    """Return the groups of days of a text, each with its hours in minutes where they are told.

    Days belong to the time range that follows them; where the first range stands before the first day, to the one
    before. "Every day" holds where no day is named. A narrower group takes its days out of a wider one.

    >>> [(sorted(days), opens, closes) for days, opens, closes in spoken("Open Monday to Friday from 9 am to 5 pm.")]
    [([0, 1, 2, 3, 4], 540, 1020)]
    >>> [sorted(days) for days, _, _ in spoken("Daily, 7 am to 10 pm on weekdays and 8 am to 10 pm on weekends.")]
    [[0, 1, 2, 3, 4], [5, 6]]
    """
    matches = list(_TOKEN.finditer(text))
    groups = _groups([match for match in matches if match["every"] is None])
    if any(match["every"] for match in matches):
        groups = groups or [(set(), None, None)]
        for days, _, _ in groups:
            days.update(() if days else range(7))
    wide = [(days, [other for other, _, _ in groups if days > other]) for days, _, _ in groups]
    for days, narrower in wide:
        days.difference_update(*narrower)
    return [(frozenset(days), opens, closes) for days, opens, closes in groups]


def _groups(matches: list[re.Match[str]]) -> list[tuple[set[int], int | None, int | None]]:
    """Return days with their hours, in the order of a text that names no "every day"."""
    after = bool(matches) and matches[0]["open"] is not None
    groups: list[tuple[set[int], int | None, int | None]] = []
    days: set[int] = set()
    for match in matches:
        found = _days(match)
        if found is not None:
            (groups[-1][0] if after and groups else days).update(found)
            continue
        opens = _minutes(match["open"], match["open_half"] or match["close_half"])
        closes = _minutes(match["close"], match["close_half"])
        if match["open_half"] is None and match["close_half"] and opens >= closes:
            opens -= _HALF
        groups.append((days, opens, closes))
        days = set()
    if days:
        groups.append((days, None, None))
    return groups


def _days(match: re.Match[str]) -> set[int] | None:
    if match["from"]:
        first, last = _day(match["from"]), _day(match["to"])
        return {day % 7 for day in range(first, last + 1 if last >= first else last + 8)}
    if match["day"]:
        return {_day(match["day"])}
    if match["weekdays"]:
        return set(range(5))
    if match["weekend"]:
        return {5, 6}
    return None


def _day(name: str) -> int:
    return DAY_NUMBERS[name.casefold()[:3]]


def _minutes(clock: str, half: str | None) -> int:
    if clock[0] in "nNmM":
        return _HALF if clock[0] in "nN" else 0
    hour, _, minute = clock.partition(":")
    at = int(hour) * 60 + int(minute or 0)
    if half:
        at = at % _HALF + _HALF * (half[0] in "pP")
    return at


def _same(times: tuple[int, int], opens: int, closes: int) -> bool:
    return (times[0] - opens) % (2 * _HALF) == 0 and (times[1] - closes) % (2 * _HALF) == 0
