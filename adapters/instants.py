"""Instants in the forms that loaders of documents write beside ISO 8601: those of PDF, HTTP, git and the C library.

Days are read as people write them in English, and in figures with points between.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_CLOCK = r"(?P<hour>\d{2}):(?P<minute>\d{2}):(?P<second>\d{2})"
_ZONE = r"(?P<zone>Z|GMT|UTC|[+-]\d{2}:?\d{2})"
_PDF = re.compile(
    r"D:(?P<year>\d{4})(?:(?P<month>\d{2})(?:(?P<day>\d{2})(?:(?P<hour>\d{2})(?:(?P<minute>\d{2})(?P<second>\d{2})?)?)?)?)?"
    r"(?P<zone>Z|[+-]\d{2}(?:'?\d{2})?)?(?:'?\d{2}'?){0,2}'?"
)
"""ISO 32000-1, 7.9.4: whatever follows the year may be missing; Z may be followed by zeros, the zone by a mark."""
_HTTP = re.compile(
    rf"(?:[A-Za-z]{{3}}, ?)?(?P<day>\d{{1,2}})[ -](?P<name>[A-Za-z]{{3}})[ -](?P<year>\d{{4}}) {_CLOCK} {_ZONE}"
)
"""RFC 1123, and what e-mail and S3 make of it."""
_C = re.compile(
    rf"[A-Za-z]{{3}} (?P<name>[A-Za-z]{{3}}) {{1,2}}(?P<day>\d{{1,2}}) {_CLOCK} (?P<year>\d{{4}})(?: {_ZONE})?"
)
"""What `ctime` writes, and git with a zone behind it."""
_SPELLED = re.compile(
    r"(?:(?P<day>\d{1,2})\.? (?P<name>[A-Za-z]{3})[A-Za-z]{0,6}\.?,?|(?P<named>[A-Za-z]{3})[A-Za-z]{0,6}\.? "
    r"(?P<nth>\d{1,2})(?:st|nd|rd|th)?,?) (?P<year>\d{4})"
)
"""A day of the calendar as people write it in English: ``March 4, 2025``, ``4 Mar 2025``."""
_POINTED = re.compile(r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})")
"""``4.3.2025``: wherever points stand between the figures of a date and the year is last, the day is first (Unicode
CLDR). With slashes or hyphens either may be, and nothing is read."""
_BLANKS = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})[T ](?P<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?P<zone>UTC|GMT|[+-]\d{2}:?\d{2})"
)
"""ISO 8601 with a blank before its zone, as git writes it, or with the name of one."""
_FORMS = (_PDF, _HTTP, _C)
_SLASHED = re.compile(r"(?P<year>\d{4})/(?P<month>\d{1,2})/(?P<day>\d{1,2})")
"""Where the year is first, the month follows it."""
_TIMED = re.compile(
    r"(?P<date>.{8,20}?)(?:,| at)? (?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d{1,9})?)?"
    rf"(?: ?(?P<half>[AaPp])[Mm])?(?: ?{_ZONE})?"
)
"""A day as people write it, and a time of that day."""
_NOON = 12


def written_instant(text: str) -> datetime | None:
    """Return the instant that ``text`` writes in one of these forms; ``None`` for every other. No zone means UTC.

    >>> for text in ("D:20250304060607+01'00'", "Tue, 04 Mar 2025 05:06:07 GMT", "2025-03-04 06:06:07 +0100"):
    ...     print(written_instant(text))
    2025-03-04 05:06:07+00:00
    2025-03-04 05:06:07+00:00
    2025-03-04 05:06:07+00:00
    """
    try:
        if (found := _BLANKS.fullmatch(text)) is not None:
            moment = datetime.fromisoformat(f"{found['day']}T{found['time']}")
            return moment.replace(tzinfo=_zone(found["zone"])).astimezone(UTC)
        read = (form.fullmatch(text) for form in _FORMS)
        written = next((_moment(found.groupdict()) for found in read if found is not None), None)
        return _timed(text) if written is None else written
    except (ValueError, OverflowError):  # a form that holds no day of the calendar
        return None


def _timed(text: str) -> datetime | None:
    """Return the instant of a day with a time behind it, by 24 hours or by 12."""
    if (found := _TIMED.fullmatch(text)) is None or (day := written_day(found["date"])) is None:
        return None
    hour, half = int(found["hour"]), found["half"]
    if half is not None:
        if not 1 <= hour <= _NOON:
            return None
        hour = hour % _NOON + (_NOON if half in "Pp" else 0)
    moment = day.replace(hour=hour, minute=int(found["minute"]), second=int(found["second"] or 0))
    return moment.replace(tzinfo=_zone(found["zone"])).astimezone(UTC)


def written_day(text: str) -> datetime | None:
    """Return the first moment of the day that ``text`` spells; ``None`` for everything else.

    >>> print(written_day("March 4, 2025"), written_day("04.03.2025"), written_day("03/04/2025"))
    2025-03-04 00:00:00+00:00 2025-03-04 00:00:00+00:00 None
    """
    if (figures := _POINTED.fullmatch(text) or _SLASHED.fullmatch(text)) is not None:
        return _day(figures["year"], int(figures["month"]), figures["day"])
    if (spelled := _SPELLED.fullmatch(text)) is None:
        return None
    month = _MONTHS.get((spelled["name"] or spelled["named"])[:3].lower())
    return None if month is None else _day(spelled["year"], month, spelled["day"] or spelled["nth"])


def _day(year: str, month: int, day: str) -> datetime | None:
    try:
        return datetime(int(year), month, int(day), tzinfo=UTC)
    except ValueError:  # no day of the calendar
        return None


def _moment(parts: dict[str, str | None]) -> datetime | None:
    name = parts.get("name")
    month = int(parts.get("month") or 1) if name is None else _MONTHS.get(name.lower())
    if month is None:
        return None
    year, day, hour, minute, second = (int(parts[part] or 0) for part in ("year", "day", "hour", "minute", "second"))
    return datetime(year, month, day or 1, hour, minute, second, tzinfo=_zone(parts["zone"])).astimezone(UTC)


def _zone(written: str | None) -> timezone:
    if written is None or written[0] not in "+-":
        return UTC
    digits = written[1:].replace(":", "").replace("'", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4]))
    return timezone(-offset if written[0] == "-" else offset)
