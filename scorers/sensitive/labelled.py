"""What only the words before it make personal: driver license numbers, and names of persons."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorers.sensitive.finding import SensitiveFinding

_LICENSE = re.compile(
    r"\b(?:driver['\u2019]?s?|driving) ?licen[cs]e(?: ?(?:number|no\.?|nr\.?|id|#))?[ \"'`*]{0,3}(?:is|was|:|=|#)?"
    r"[ \"'`*#:]{0,3}(?P<value>[A-Z0-9](?:[ -]?[A-Z0-9]){4,19})(?![\w-])",
    re.IGNORECASE,
)
_DIGITS = 4
_NAME = r"[^\W\d_a-z\u00df-\u00ff][^\W\d_]{1,30}(?:[-'\u2019][^\W\d_]{1,30})?"
_NAMED = re.compile(
    r"(?:\b(?:my name is|i am called|(?:full |first |last |sur)?name ?[:=]|signed by|patient ?[:=]|employee ?[:=]"
    r"|customer ?[:=]|contact ?[:=]|mr\.?|mrs\.?|ms\.?|miss|dr\.?)) ?",
    re.IGNORECASE,
)
_FULL_NAME = re.compile(rf"{_NAME}(?: (?:[^\W\d_]\.|van|von|de|der|da|di|bin|al|{_NAME})){{0,4}}")


def driver_licenses(text: str) -> Iterator[SensitiveFinding]:
    """Yield driver license numbers, right after those words: no check digit would tell them from other numbers.

    >>> [text[f.start:f.end] for text in ["Her driver's license number is D123-4567."] for f in driver_licenses(text)]
    ['D123-4567']
    """
    for match in _LICENSE.finditer(text) if "licen" in text.lower() else ():
        value = match["value"]
        kept = value
        # A number may be followed by words of its sentence; what has no digit any more is one of them.
        while " " in kept and not any(c.isdigit() for c in kept.rpartition(" ")[2]):
            kept = kept.rpartition(" ")[0]
        if sum(c.isdigit() for c in kept) >= _DIGITS:
            yield SensitiveFinding("driver_license", match.start("value"), match.start("value") + len(kept), kept)


def names(text: str) -> Iterator[SensitiveFinding]:
    """Yield names of persons right after a word that says there is one: "Name:", "my name is", "Mr.".

    >>> [text[f.start:f.end] for text in ["Name: Jo van Dyck, asked by Dr. Roe of Acme"] for f in names(text)]
    ['Jo van Dyck', 'Roe']
    """
    for label in _NAMED.finditer(text):
        match = _FULL_NAME.match(text, label.end())
        if match is not None:
            yield SensitiveFinding("name", *match.span(), match.group())
