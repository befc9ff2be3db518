"""One piece of protected data at its place in a text, and how it is shown without being repeated."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

SensitiveKind = Literal[
    "age", "birth_date", "card", "date", "driver_license", "email", "iban", "ip_address", "name", "national_id",
    "phone", "secret", "url", "us_ssn",
]  # fmt: skip

NAMES: dict[SensitiveKind, str] = {
    "age": "age of a person",
    "birth_date": "date of birth",
    "card": "payment card number",
    "date": "date",
    "driver_license": "driver license number",
    "email": "e-mail address",
    "iban": "bank account (IBAN)",
    "ip_address": "IP address",
    "name": "name of a person",
    "national_id": "national identity number",
    "phone": "phone number",
    "secret": "secret",
    "url": "web address",
    "us_ssn": "US social security number",
}

_SHOWN_BY_NAME = frozenset({"age", "birth_date", "date", "name", "secret", "url"})
"""Kinds of which even two characters would say too much."""

_SEPARATORS = re.compile(r"[\s().\-/\u00a0\u2010-\u2015]+")


class Searched:
    """A text in which values of findings are looked for: folded once, however many they are.

    >>> SensitiveFinding("phone", 0, 12, "2025550143").stands_in(Searched("Call (202) 555-0143"))
    True
    """

    def __init__(self, text: str) -> None:
        """Take ``text`` as it is; the other forms are made when they are asked for."""
        self.plain = text
        self._folded: str | None = None
        self._bare: str | None = None

    @property
    def folded(self) -> str:
        """The text in any case."""
        if self._folded is None:
            self._folded = self.plain.casefold()
        return self._folded

    @property
    def bare(self) -> str:
        """The text without blanks, hyphens and the like, in any case."""
        if self._bare is None:
            self._bare = _SEPARATORS.sub("", self.plain).casefold()
        return self._bare


@dataclass(frozen=True, slots=True)
class SensitiveFinding:
    """Protected data at ``text[start:end]``. ``value`` is for comparison only: it is not shown, not even by ``repr``.

    >>> SensitiveFinding("card", 0, 19, "4111111111111111")
    SensitiveFinding(kind='card', start=0, end=19, name='')
    >>> SensitiveFinding("card", 0, 19, "4111111111111111").masked
    'payment card number ending in 11 (16 characters)'
    """

    kind: SensitiveKind
    start: int
    end: int
    value: str = field(repr=False)
    name: str = ""

    @property
    def masked(self) -> str:
        """Say what was found: the last two digits of a number, the first letter of an address, nothing of a secret."""
        name = self.name or NAMES[self.kind]
        if self.kind in _SHOWN_BY_NAME:
            return f"{name} ({len(self.value)} characters)"
        if self.kind == "email":
            return f"{name} {self.value[:1]}***@*** ({len(self.value)} characters)"
        return f"{name} ending in {self.value[-2:]} ({len(self.value)} characters)"

    def stands_in(self, text: Searched) -> bool:
        """Return whether ``text`` has the same value, however it is spaced, hyphenated or cased there."""
        if self.kind == "secret":
            return self.value in text.plain
        if self.kind in ("email", "ip_address", "name", "url"):
            return self.value.casefold() in text.folded
        # A phone number is known by its national part; a country code or a trunk zero may stand before it.
        prefix = r"\d{0,3}" if self.kind == "phone" else ""
        value = self.value.casefold()
        if value not in text.bare:
            return False
        wanted = rf"(?<!\d){prefix}{re.escape(value)}(?!\d)"
        return re.search(wanted, text.bare) is not None
