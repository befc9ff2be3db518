"""Times of day in words: "three in the afternoon", "half past eight", "a quarter to nine", "ten o'clock"."""

from __future__ import annotations

from scorers.statements.quantities.dates import NOONS, TimeOfDay
from scorers.statements.quantities.scanning import NUMBER
from scorers.statements.quantities.text import TokenizedText
from scorers.text.normalize import word_set

_NIGHT = 6
"""Hours from which on "at night" is the evening."""
_HOURS, _HOUR, _HALF_DAY, _DAY = 12, 60.0, 720.0, 1440.0
_QUARTERS = {"half": 30.0, "quarter": 15.0}
_MINUTES = {"five": 5.0, "ten": 10.0, "twenty": 20.0, "5": 5.0, "10": 10.0, "20": 20.0}
_AT = word_set("at from until till to by before after between past around about since")
_OCLOCK = frozenset({"o'clock", "o\u2019clock", "oclock"})
_BEHIND = _OCLOCK | {"in", "at", "am", "pm"}
"""What stands behind an hour that is told in words."""
_PARTS = {"morning": 0.0, "afternoon": _HALF_DAY, "evening": _HALF_DAY}


def spoken_clock(read: TokenizedText, at: int, *, joined: bool) -> TimeOfDay | None:
    """Return the time of day that is told in words from a token on, ``None`` where none is.

    An hour alone is one behind "at", "from", "until" and the like, or, where it is ``joined``, behind another time.

    >>> from scorers.statements.quantities.reading import read_quantities
    >>> [each.value for each in read_quantities("from half past eight in the morning to ten at night")]
    [510.0, 1320.0]
    """
    past = _past(read, at)
    if past is not None:
        return past
    words, end = read.words, at + 1
    # Most numbers are no hour: what stands behind one is a word, and asked first.
    if end >= len(words) or words[end] not in _BEHIND:
        return None
    hour = _hour(read, at)
    if hour is None:
        return None
    if words[end] in _OCLOCK:
        return _placed(read, hour, end + 1)
    found = _placed(read, hour, end)
    told = at > 0 and (words[at - 1] in _AT or (joined and words[at - 1] == "and"))
    return found if told and found.end > end else None


def _past(read: TokenizedText, at: int) -> TimeOfDay | None:
    """Read "half past eight" and "a quarter to nine"."""
    words = read.words
    place = at + (words[at] == "a")
    if place + 2 >= len(words):
        return None
    side = words[place + 1]
    if side not in ("past", "to") or (side == "to" and words[place] == "half"):
        return None
    minutes = _QUARTERS.get(words[place])
    if minutes is None and side == "past":
        minutes = _MINUTES.get(words[place])
    hour = None if minutes is None else _hour(read, place + 2)
    if minutes is None or hour is None:
        return None
    return _placed(read, (hour + (minutes if side == "past" else -minutes)) % _DAY, place + 3)


def _hour(read: TokenizedText, at: int) -> float | None:
    """Return the hour that is told by one token, in minutes."""
    if (noon := NOONS.get(read.words[at])) is not None:
        return noon
    amount = read.amount(at)
    if amount is None or amount.article or amount.part or amount.end != at + 1:
        return None
    hour = amount.values[0]
    if (
        hour != int(hour)
        or not 1 <= hour <= _HOURS
        or (read.tokens[at].kind == NUMBER and len(read.words[at]) > len("12"))
    ):
        return None
    return hour % _HOURS * _HOUR


def _placed(read: TokenizedText, minutes: float, end: int) -> TimeOfDay:
    """Return a time with the half of the day that is told behind it; both of a day where none is."""
    words = read.words
    if words[end : end + 2] == ["in", "the"] and end + 2 < len(words) and words[end + 2] in _PARTS:
        return TimeOfDay(minutes % _HALF_DAY + _PARTS[words[end + 2]], (), end + 3)
    if words[end : end + 2] == ["at", "night"]:
        late = minutes % _HALF_DAY >= _NIGHT * _HOUR
        return TimeOfDay(minutes % _HALF_DAY + (_HALF_DAY if late else 0.0), (), end + 2)
    if words[end : end + 1] in (["am"], ["pm"]):
        return TimeOfDay(minutes % _HALF_DAY + (_HALF_DAY if words[end] == "pm" else 0.0), (), end + 1)
    return TimeOfDay(minutes, ((minutes + _HALF_DAY) % _DAY,), end)
