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


COMMA_DECIMAL = frozenset(
    (
        "bg",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "es",
        "et",
        "fi",
        "fr",
        "hr",
        "hu",
        "id",
        "is",
        "it",
        "lt",
        "lv",
        "nb",
        "nl",
        "nn",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sq",
        "sr",
        "sv",
        "tr",
        "uk",
        "vi",
    )
)
"""Languages that write a decimal comma and group digits with dots or blanks (CLDR, numbers/symbols)."""

_GROUP = 3
_GROUPERS = str.maketrans("", "", " '\u2019\u00a0\u2009\u202f\u066c")
_LONGEST = 30


def number_readings(raw: str, language: str = "en") -> tuple[float, ...]:
    """Return what digits with separators can mean, the reading usual in ``language`` first; none for no number.

    One separator before three digits can group them or begin the decimals ("1.500"): both readings are returned.
    Blanks, apostrophes and digits of other scripts are read in every language. What has several dots or commas and no
    groups of three, such as a version or a list, is no number.

    >>> [number_readings("1.500", language) for language in ("de", "en")]
    [(1500.0, 1.5), (1.5, 1500.0)]
    >>> [number_readings(raw) for raw in ("1,500.25", "1 500", "2,5", "1.2.3", "1,2,3")]
    [(1500.25,), (1500.0,), (2.5,), (), ()]
    """
    if raw.isascii() and raw.isdigit():
        return (float(raw),) if len(raw) <= _LONGEST else ()
    number = ascii_digits(raw).translate(_GROUPERS).replace("\u066b", ".")
    if len(number) > _LONGEST:
        return ()
    dots, commas = number.count("."), number.count(",")
    if not dots and not commas:
        return (float(number),) if number.isdigit() else ()
    if dots and commas:
        mark = "." if number.rfind(".") > number.rfind(",") else ","
        whole, _, fraction = number.rpartition(mark)
        other = "," if mark == "." else "."
        alone = mark not in whole and _grouped(whole, other)
        return (float(f"{whole.replace(other, '')}.{fraction}"),) if alone else ()
    mark = "." if dots else ","
    head, _, tail = number.partition(mark)
    if dots + commas > 1:
        return (float(number.replace(mark, "")),) if _grouped(number, mark) else ()
    if not head.isdigit() or not tail.isdigit():
        return ()
    decimal = float(f"{head}.{tail}")
    if len(tail) != _GROUP or len(head) > _GROUP or head[0] == "0":
        return (decimal,)
    grouped = float(head + tail)
    return (grouped, decimal) if (mark == ".") == (language in COMMA_DECIMAL) else (decimal, grouped)


def _grouped(whole: str, mark: str) -> bool:
    """Tell whether ``mark`` groups digits, by threes or as in India by twos before the last three."""
    head, *groups = whole.split(mark)
    if not groups:
        return head.isdigit()
    if not head.isdigit() or len(head) > _GROUP or len(groups[-1]) != _GROUP:
        return False
    sizes = {len(group) for group in groups[:-1]}
    return sizes <= {_GROUP} or sizes <= {_GROUP - 1}
