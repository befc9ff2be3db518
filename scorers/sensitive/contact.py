"""Contact data of persons: e-mail addresses, phone numbers, IP addresses, and web addresses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Sequence

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumber, PhoneNumberType

from scorers.sensitive.finding import SensitiveFinding
from scorers.sensitive.mailboxes import ACRONYMS, COMPOUND, ENDINGS, LONG_MAILBOXES, MAILBOXES
from scorers.sensitive.owners import is_of_somebody

# Every repetition is bounded and a match begins at the start of a run only, so each scan is linear.
_EMAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])", re.ASCII)
_PHONE = re.compile(r"(?<![\w.@/#:+-])(?:\+ ?)?\(?\d[\d ().\-/\u00a0\u2010-\u2015]{5,24}\d(?!(?!x\d)[\w@:%]|[.,]\d)")
_IP = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d|\w)|(?<![\w:.])[0-9A-Fa-f:]{6,39}(?![\w:])", re.ASCII)

_URL = re.compile(r"(?<![\w/.@-])(?:https?://|www\.)[\w-][^\s<>\"'`|\\^{}]{2,500}", re.IGNORECASE)

_DATES = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}"
    r"|(?:19|20)\d{2} ?[-/\u2010-\u2015] ?(?:19|20)?\d{2}(?!\d)"
)
_GROUPS = re.compile(r"\d+")
_CALL = re.compile(
    r"\b(?:phone|call|tel|telephone|mobile|cell|fax|whatsapp|sms|text|dial|reach|contact)\b", re.IGNORECASE
)
# These lead to a number so surely that it is one in any country: "call me on ", "messages to ", "my registered ".
_LEAD = re.compile(
    r"\b(?:(?:call|ring|phone|text|reach|dial|whatsapp|message|contact)(?: (?:me|us|him|her|them|back|directly)){0,2}"
    r"(?: (?:on|at))?|(?:calls?|messages?|texts?|sms) (?:to|from|on)|answering(?: (?:at|on))|my registered"
    r"|my (?:phone|mobile|cell)(?: number)?(?: is)?) ?$",
    re.IGNORECASE,
)
# Right behind a number, these say the same.
_TAG = re.compile(r"[ ,\\-]{1,2}(?:office|fax|mobile|cell|home|work|desk)\b", re.IGNORECASE)
# Right before a number, these say that it is one, valid or not: "Phone: ", "mobile number ", "Fax ".
_LABEL = re.compile(
    r"\b(?:phone|telephone|tel|mobile|cell|fax|desk|whatsapp)[^\w(+]{0,4}(?:no|nr|number)?[^\w(+]{0,4}$", re.IGNORECASE
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

_PARTS = re.compile(r"[._%-]")
_OWNER = 4
"""Letters from which the name of a domain in a mailbox is the organization's: ``acmetickets@acme.test``."""


def emails(text: str) -> Iterator[SensitiveFinding]:
    """Yield e-mail addresses of persons; a mailbox of a function (``support@``) is nobody's personal data.

    >>> [text[f.start:f.end] for text in ["Ask jo.doe@corp.test or support@corp.test."] for f in emails(text)]
    ['jo.doe@corp.test']
    """
    for match in _EMAIL.finditer(text) if "@" in text else ():
        if not _is_of_a_function(*match.group().casefold().split("@")):
            yield SensitiveFinding("email", *match.span(), match.group())


def _is_of_a_function(local: str, domain: str) -> bool:
    """Return whether a mailbox is named after its purpose (``press.relations``, ``userhelp``) or organization."""
    name = local.partition("+")[0]
    parts = _PARTS.split(name)
    if COMPOUND.fullmatch(name) or name in MAILBOXES or name.endswith(ENDINGS):
        return True
    if any(part in LONG_MAILBOXES or part in ACRONYMS for part in parts):
        return True
    owner = domain.partition(".")[0]
    return len(owner) >= _OWNER and owner in name and owner != name


def phones(text: str, regions: Sequence[str]) -> Iterator[SensitiveFinding]:
    """Yield phone numbers that are valid, strictly: with a ``+``, or in one of ``regions`` and written like one.

    Without a ``+`` a number must be written as its region does (North America 3-3-4, elsewhere a leading 0), or a word
    such as "call" must stand before it, or a person's name in any of `owners.REGIONS`; in prose almost any run of
    digits is valid in some country. Right after a label such as "Phone:" any number counts. Dates, years, versions,
    ISBNs and order numbers are left out, and so are toll-free and other numbers of organizations.

    >>> text = "Call (202) 555-0143 or +1 800 555 0199; order 2025550143; mobile: 99 577450"
    >>> [found.masked for found in phones(text, ("US",))]
    ['phone number ending in 43 (10 characters)', 'phone number ending in 50 (8 characters)']
    """
    for match in _PHONE.finditer(text):
        candidate = match.group()
        digits = "".join(_GROUPS.findall(candidate))
        if len(digits) not in _DIGITS or not digits.isascii() or _DATES.search(candidate):
            continue
        before = text[max(0, match.start() - _NEAR) : match.start()]
        known = _known(candidate, before, regions)
        if known is not None:
            if phonenumbers.number_type(known) not in _PUBLIC_TYPES:
                yield SensitiveFinding("phone", *match.span(), phonenumbers.national_significant_number(known))
        elif (
            is_of_somebody(text, match.start(), candidate)
            or _LABEL.search(before)
            or _LEAD.search(before)
            or _TAG.match(text, match.end())
        ):
            yield SensitiveFinding("phone", *match.span(), digits)


def _known(candidate: str, before: str, regions: Sequence[str]) -> PhoneNumber | None:
    """Return the number if it is valid and its writing, or a word before it, says that it is one."""
    international = candidate.startswith("+")
    groups = _GROUPS.findall(candidate)
    if not international and (
        len(groups) > _MAX_GROUPS
        or sum(len(group) <= 2 for group in groups) >= _SHORT_GROUPS  # noqa: PLR2004 - a pair of digits
        or _NOT_A_PHONE.search(before)
    ):
        return None
    called = _CALL.search(before) is not None
    for region in (None,) if international else regions:
        try:
            number = phonenumbers.parse(candidate, region)
        except NumberParseException:
            continue
        if region is None:
            if phonenumbers.is_valid_number(number):
                return number
        elif _valid_in(number, region) and (called or _written_like(region, groups)):
            return number
    return None


def _valid_in(number: PhoneNumber, region: str) -> bool:
    """Return whether a number is one of ``region``, or of another country that shares its country code."""
    shared = number.country_code == phonenumbers.country_code_for_region(region)
    return shared and phonenumbers.is_valid_number(number)


def _written_like(region: str, groups: Sequence[str]) -> bool:
    lengths = [len(group) for group in groups]
    if phonenumbers.country_code_for_region(region) == 1:  # the North American Numbering Plan
        return lengths in ([3, 3, 4], [1, 3, 3, 4])
    return len(groups) > 1 and groups[0].startswith("0")


def ip_addresses(text: str) -> Iterator[SensitiveFinding]:
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
            yield SensitiveFinding("ip_address", *match.span(), match.group())


def urls(text: str) -> Iterator[SensitiveFinding]:
    """Yield web addresses; a stop or bracket that ends the sentence is not part of one.

    >>> [text[f.start:f.end] for text in ["See https://jo.example/cv, or www.roe.test."] for f in urls(text)]
    ['https://jo.example/cv', 'www.roe.test']
    """
    for match in _URL.finditer(text):
        address = match.group().rstrip(".,;:!?)]}'\"")
        yield SensitiveFinding("url", match.start(), match.start() + len(address), address)
