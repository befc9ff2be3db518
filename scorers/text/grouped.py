"""What must be copied digit by digit however it is grouped: account numbers, phone numbers; and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_ACCOUNT = r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?(?=[A-Z]{0,2}\d)[A-Z0-9]{1,3})?(?![A-Za-z0-9])"
_PHONE = (
    r"(?<![\w.,@/#:+=-])(?:\+\d(?:[ ()./\u00a0-]{0,3}\d){6,16}"
    r"|\(?0\d(?:[ )/\u00a0-]{0,3}\d){5,14}|\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4})(?![\w@%]|[.,/:-]\d)"
)
# Each alternative begins with another kind of character, every repetition is bounded: linear.
_NUMBER = re.compile(rf"(?P<account>{_ACCOUNT})|(?P<phone>{_PHONE})")
_MAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])")
_DATE = re.compile(
    r"\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}|0\d[./-]\d{2}[./-]\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}"
)
_DIGIT = re.compile(r"\d")
_TRUNK = re.compile(r"\(0\)")
_SIGNS = re.compile(r"[^A-Z0-9]+")
_COUNTRY = 3
"""Digits of the longest country code."""
_OWN = 7
"""Digits from which a number without its country is told from others."""


def grouped(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield account numbers (IBAN), phone numbers and e-mail addresses of ``text`` with their places. Linear.

    >>> [found for found, _, _ in grouped("Pay to DE89 3704 0044 0532 0130 00, call 030 123456, mail a.b@c.test.")]
    ['DE89 3704 0044 0532 0130 00', '030 123456', 'a.b@c.test']
    """
    found = [match.span() for match in _MAIL.finditer(text)] if "@" in text else []
    if _DIGIT.search(text):
        found += [match.span() for match in _NUMBER.finditer(text) if not is_date(match.group())]
    for start, end in sorted(found):
        yield text[start:end], start, end


def is_date(written: str) -> bool:
    """Tell whether a run of figures is a date: "03.03.2025", "3-3-2025", "2025/03/03".

    >>> is_date("03.03.2025"), is_date("2.3.1")
    (True, False)
    """
    return _DATE.fullmatch(written) is not None


def stands_among(written: str, known: Iterable[str]) -> bool:
    """Tell whether an account number, phone number or address is one of ``known``, grouped in whatever way.

    Letter case is no matter, nor whether a phone number is written with its country.

    >>> stands_among("030 123 45 67", ["+49 (0)30 1234567"]), stands_among("030 123 45 76", ["+49 30 1234567"])
    (True, False)
    """
    if "@" in written:
        return written.casefold() in {each.casefold() for each in known}
    own = _key(written)
    return any(_same(own, _key(each)) for each in known if "@" not in each)


def _key(written: str) -> str:
    bare = _SIGNS.sub("", _TRUNK.sub("", written).upper())
    return bare.lstrip("0") if bare.isdigit() else bare


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    national = short.isdigit() and long.isdigit() and len(short) >= _OWN and len(long) - len(short) <= _COUNTRY
    return national and long.endswith(short)
