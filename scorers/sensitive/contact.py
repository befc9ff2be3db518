"""Contact data of persons: e-mail addresses, phone numbers, and IP addresses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Sequence

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberType

from scorers.sensitive.finding import Finding

# Every repetition is bounded and a match begins at the start of a run only, so each scan is linear.
_EMAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])", re.ASCII)
_PHONE = re.compile(r"(?<![\w.@/#:+-])(?:\+ ?)?\(?\d[\d ().\-/\u00a0\u2010-\u2015]{5,24}\d(?![\w@:%]|[.,]\d)")
_IP = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d|\w)|(?<![\w:.])[0-9A-Fa-f:]{6,39}(?![\w:])", re.ASCII)

_DATES = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}"
    r"|(?:19|20)\d{2} ?[-/\u2010-\u2015] ?(?:19|20)?\d{2}(?!\d)"
)
_GROUPS = re.compile(r"\d+")
_CALL = re.compile(
    r"\b(?:phone|call|tel|telephone|mobile|cell|fax|whatsapp|sms|text|dial|reach|contact)\b", re.IGNORECASE
)
_NOT_A_PHONE = re.compile(
    r"\b(?:isbn|issn|viaf|doi|order|invoice|ticket|case|sku|part|serial|account|reference|version|id|no|number|article)"
    r"\b[^\w]{0,4}$",
    re.IGNORECASE,
)
_NEAR = 30
_DIGITS = range(7, 16)
"""Digits of a phone number: ITU-T E.164 allows fifteen; fewer than seven is an extension or a short code."""

_MAX_GROUPS = 5
_SHORT_GROUPS = 4
"""More groups than five, or four of two digits or less, are table cells and coordinates."""

# Numbers of organizations, not of persons.
_PUBLIC_TYPES = frozenset(
    {
        PhoneNumberType.TOLL_FREE,
        PhoneNumberType.PREMIUM_RATE,
        PhoneNumberType.SHARED_COST,
        PhoneNumberType.UAN,
        PhoneNumberType.VOICEMAIL,
    }
)

# Mailboxes of functions, not of persons: RFC 2142, and those in common use.
_ROLE_NAMES = """abuse accounts admin billing careers compliance contact enquiries feedback finance ftp hello help
    helpdesk hostmaster hr info inquiries it jobs legal mail marketing news newsletter noc no-reply
    noreply office orders payroll postmaster press privacy sales security service service-desk
    servicedesk support team usenet uucp webmaster www"""
_ROLES = frozenset(_ROLE_NAMES.split())


def emails(text: str) -> Iterator[Finding]:
    """Yield e-mail addresses of persons; a mailbox of a function (``support@``) is nobody's personal data.

    >>> [text[f.start:f.end] for text in ["Ask jo.doe@corp.test or support@corp.test."] for f in emails(text)]
    ['jo.doe@corp.test']
    """
    for match in _EMAIL.finditer(text):
        local = match.group().partition("@")[0].casefold()
        if local not in _ROLES:
            yield Finding("email", *match.span(), match.group())


def phones(text: str, regions: Sequence[str]) -> Iterator[Finding]:
    """Yield phone numbers that are valid, strictly: with a ``+``, or in one of ``regions`` and written like one.

    Without a ``+`` a number must be written as its region does (North America 3-3-4, elsewhere a leading 0), or a word
    such as "call" must stand before it; in prose almost any run of digits is valid in some country. Dates, years,
    versions, ISBNs and order numbers are left out, and so are toll-free and other numbers of organizations.

    >>> [found.masked for found in phones("Call (202) 555-0143 or +1 800 555 0199; order 2025550143", ("US",))]
    ['phone number ending in 43 (11 characters)']
    """
    for match in _PHONE.finditer(text):
        candidate = match.group()
        groups = _GROUPS.findall(candidate)
        digits = "".join(groups)
        before = text[max(0, match.start() - _NEAR) : match.start()]
        if (
            len(digits) not in _DIGITS
            or not digits.isascii()
            or len(groups) > _MAX_GROUPS
            or sum(len(group) <= 2 for group in groups) >= _SHORT_GROUPS  # noqa: PLR2004 - a pair of digits
            or _DATES.search(candidate)
            or (not candidate.startswith("+") and _NOT_A_PHONE.search(before))
        ):
            continue
        called = _CALL.search(before) is not None
        number = _valid(candidate, groups, regions, called=called)
        if number is not None:
            yield Finding("phone", *match.span(), number)


def _valid(candidate: str, groups: Sequence[str], regions: Sequence[str], *, called: bool) -> str | None:
    """Return the number in E.164 form without its plus, or ``None`` if it is not one, or not a person's."""
    for region in (None,) if candidate.startswith("+") else regions:
        try:
            number = phonenumbers.parse(candidate, region)
        except NumberParseException:
            continue
        if region is not None and not (called or _written_like(region, groups)):
            continue
        valid = (
            phonenumbers.is_valid_number(number)
            if region is None
            else phonenumbers.is_valid_number_for_region(number, region)
        )
        if valid and phonenumbers.number_type(number) not in _PUBLIC_TYPES:
            return f"{number.country_code}{phonenumbers.national_significant_number(number)}"
    return None


def _written_like(region: str, groups: Sequence[str]) -> bool:
    lengths = [len(group) for group in groups]
    if phonenumbers.country_code_for_region(region) == 1:  # the North American Numbering Plan
        return lengths in ([3, 3, 4], [1, 3, 3, 4])
    return len(groups) > 1 and groups[0].startswith("0")


def ip_addresses(text: str) -> Iterator[Finding]:
    """Yield public IPv4 and IPv6 addresses; private, loopback and documentation ranges say nothing of a person.

    >>> [text[f.start:f.end] for text in ["8.8.8.8 10.0.0.1 127.0.0.1 2606:4700::1111"] for f in ip_addresses(text)]
    ['8.8.8.8', '2606:4700::1111']
    """
    for match in _IP.finditer(text):
        try:
            address = ipaddress.ip_address(match.group())
        except ValueError:
            continue
        if address.is_global:
            yield Finding("ip_address", *match.span(), match.group())
