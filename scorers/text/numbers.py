"""Numbers in one form, however their digits, groups and decimals are written."""

from __future__ import annotations

import unicodedata


def ascii_digits(raw: str) -> str:
    """Return digits of any script as those of ASCII."""
    return raw if raw.isascii() else "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in raw)


def canonical_number(raw: str) -> str:
    """Return digits with separators in one form: no grouping, ``.`` as decimal mark, no idle zeros.

    A comma before exactly three digits groups; any other single comma is a decimal mark. What has several dots is a
    version or an address, and stays as it is.

    >>> [canonical_number(n) for n in ("1,000", "4.0", "0,5", "1.000,50", "2.3.1", "007")]
    ['1000', '4', '0.5', '1000.5', '2.3.1', '7']
    """
    number = ascii_digits(raw)
    dots, commas = number.count("."), number.count(",")
    if dots and commas:
        decimal = max(number.rfind("."), number.rfind(","))
        whole = number[:decimal].replace(".", "").replace(",", "")
        number = f"{whole}.{number[decimal + 1 :]}"
    elif commas:
        head, *groups = number.split(",")
        if len(head) <= 3 and all(len(group) == 3 for group in groups):  # noqa: PLR2004 - digits of a group
            number = number.replace(",", "")
        elif commas == 1:
            number = number.replace(",", ".")
        else:
            return number
    elif dots > 1:
        return number
    whole, _, fraction = number.partition(".")
    fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole
