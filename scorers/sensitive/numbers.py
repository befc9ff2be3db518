"""Numbers with a check of their own: payment cards, IBANs, US social security numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stdnum import iban, luhn
from stdnum.us import ssn

from scorers.sensitive.finding import SensitiveFinding

LONG = re.compile(r"\d[\d ().\-/\u00a0\u2010-\u2015]{6}")
"""Where this is not found, there is no card, phone or social security number: what they consist of, at its least."""

# A number may not begin inside another number, a word or a "+..." phone number.
_CARD = re.compile(r"(?<![\w+.-])\d(?:[ -]?\d){11,18}(?![\w-])")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")
_IBAN_MAX = 34
_PAIR = re.compile(r"\d\d")
_SSN = re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")
_SSN_LOOSE = re.compile(r"(?<![\w-])\d{3} ?\d{2} ?\d{4}(?![\w-])")
_SSN_WORD = re.compile(r"\b(?:ssn|social security)\b", re.IGNORECASE)
_CARD_WORD = re.compile(r"\b(?:card|credit|debit|cc|visa|mastercard|amex)\b", re.IGNORECASE)
_NEAR = 40
"""Characters before a number in which a word may say what the number is."""

# First digits and lengths of the issuers, ISO/IEC 7812: without them one in ten long order numbers would pass Luhn.
_ISSUERS: tuple[tuple[int, int, frozenset[int]], ...] = (
    (4, 4, frozenset({13, 16, 19})),  # Visa
    (51, 55, frozenset({16})),  # Mastercard
    (2221, 2720, frozenset({16})),  # Mastercard
    (34, 34, frozenset({15})),  # American Express
    (37, 37, frozenset({15})),
    (6011, 6011, frozenset({16})),  # Discover
    (644, 659, frozenset({16})),
    (300, 305, frozenset({14})),  # Diners Club
    (36, 36, frozenset({14})),
    (38, 38, frozenset({14})),
    (3528, 3589, frozenset({16})),  # JCB
    (62, 62, frozenset({16, 17, 18, 19})),  # UnionPay
    (5018, 5018, frozenset({16})),  # Maestro
    (5020, 5020, frozenset({16})),
    (5038, 5038, frozenset({16})),
    (6304, 6304, frozenset({16})),
    (6759, 6763, frozenset({16})),
)


def cards(text: str) -> Iterator[SensitiveFinding]:
    """Yield payment card numbers: Luhn-valid, with the first digits and length of an issuer or a word before it.

    >>> [found.masked for found in cards("Card 4111 1111 1111 1111, order 4111 1111 1111 1112")]
    ['payment card number ending in 11 (16 characters)']
    """
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        if not digits.isascii() or len(set(digits)) == 1 or not luhn.is_valid(digits):
            continue
        if _issued(digits) or _CARD_WORD.search(text[max(0, match.start() - _NEAR) : match.start()]):
            yield SensitiveFinding("card", *match.span(), digits)


def _issued(digits: str) -> bool:
    return any(
        len(digits) in lengths and low <= int(digits[: len(str(low))]) <= high for low, high, lengths in _ISSUERS
    )


def ibans(text: str) -> Iterator[SensitiveFinding]:
    """Yield IBANs with the structure of their country and valid check digits, in any case, grouped or not.

    Words that follow a spaced IBAN may look like further groups of it, so each end at a group is tried, the longest
    first.

    >>> [found.masked for found in ibans("Pay to DE89 3704 0044 0532 0130 00 today")]
    ['bank account (IBAN) ending in 00 (22 characters)']
    """
    # An IBAN has two digits behind a letter, and few texts have them: looked for first, which takes less.
    lettered = any(text[max(0, pair.start() - 1)].isalpha() for pair in _PAIR.finditer(text))
    for match in _IBAN.finditer(text) if lettered else ():
        if not match.group().isascii():
            continue
        ends = [match.end(), *(match.start() + at for at, c in enumerate(match.group()) if c in " -")]
        for end in sorted(ends, reverse=True):
            number = re.sub(r"[ -]", "", text[match.start() : end]).upper()
            if len(number) <= _IBAN_MAX and iban.is_valid(number, check_country=False):
                yield SensitiveFinding("iban", match.start(), end, number)
                break


def social_security_numbers(text: str) -> Iterator[SensitiveFinding]:
    """Yield US social security numbers: hyphenated, or with "SSN" or "social security" shortly before.

    Reserved ranges are none.

    >>> text = "536-90-4399, 900-12-3456; 536 90 4398, and a long way further on the SSN 536904397"
    >>> [found.value[-2:] for found in social_security_numbers(text)]
    ['99', '97']
    """
    for match in _SSN.finditer(text):
        if ssn.is_valid(match.group()):
            yield SensitiveFinding("us_ssn", *match.span(), match.group().replace("-", ""))
    for match in _SSN_LOOSE.finditer(text):
        digits = match.group().replace(" ", "")
        before = text[max(0, match.start() - _NEAR) : match.start()]
        if _SSN_WORD.search(before) and ssn.is_valid(digits):
            yield SensitiveFinding("us_ssn", *match.span(), digits)
