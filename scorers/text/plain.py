"""One spelling of what typography writes in several ways, so that a verbatim copy stays one in another typesetting.

Quotation marks and apostrophes, hyphens and the dash between figures, blanks of every width, full-width forms,
ligatures, marks that only say where a word may be broken, and letters written as a base and its accent. Every reader of
texts that are compared reads them through here. The em dash, fractions and raised figures say something of their own.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

_APOSTROPHES = "\u00b4\u02b9\u02bb\u02bc\u02c8\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a"
_QUOTES = "\u00ab\u00bb\u02ba\u201c\u201d\u201e\u201f\u2033\u2036\u301d\u301e\u301f"
_HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63"
_BLANKS = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_STOPS = "\uff01\uff1f"
"""Full-width stops end a sentence without a blank behind them, which the narrow ones do not: they stay."""
_LEVEL = {
    **dict.fromkeys(_APOSTROPHES, "'"),
    **dict.fromkeys(_QUOTES, '"'),
    **dict.fromkeys(_HYPHENS, "-"),
    **dict.fromkeys(_BLANKS, " "),
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in _STOPS},
}
"""Characters that another one stands for, each for each."""
_BREAKS = "\u00ad\u200b\u2060\ufeff"
_LIGATURES = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_LOOSE = {**dict.fromkeys(_BREAKS, ""), **_LIGATURES}
_ALL = {**_LEVEL, **_LOOSE}
# Such characters are few in most texts: a scan for them takes a tenth of the time of ``str.translate``.
_EITHER = re.compile(f"[{''.join(_ALL)}]")
_EACH = re.compile(f"[{''.join(_LEVEL)}]")
_LONGER = re.compile(f"[{''.join(_LOOSE)}]")


def plain(text: str) -> str:
    """Return ``text`` in its plain spelling.

    >>> print(plain("It\u2019s \u201cnon\u2011refund\u00adable\u201d for 30\u201360\u00a0days, \ufb02at fee \uff15"))
    It's "non-refundable" for 30-60 days, flat fee 5
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _EITHER.sub(lambda match: _ALL[match.group()], text))


def for_ascii(pattern: re.Pattern[str]) -> re.Pattern[str]:
    r"""Return what finds the same as a pattern in texts of nothing but ASCII, in two thirds of the time.

    It tells letters, digits and blanks by their place in ASCII, where the pattern asks a table of all characters.

    >>> for_ascii(re.compile(r"[^\W\d_]{1,9}|\d")).findall("to 30")
    ['to', '3', '0']
    """
    written = pattern.pattern.replace(r"[^\W\d_]", "[A-Za-z]").replace(r"[^\W_]", "[A-Za-z0-9]")
    found: list[str] = []
    listed = False
    at = 0
    while at < len(written):
        part = written[at : at + 2] if written[at] == "\\" else written[at]
        if part == r"\s":  # of ASCII alone it leaves out the signs that separate records
            found.append(_BLANK_SIGNS if listed else f"[{_BLANK_SIGNS}]")
        elif part == r"\S":
            raise ValueError(f"{pattern.pattern[:80]!r} has \\S, which has no range of its own")
        else:
            listed = part == "[" or (listed and part != "]")
            found.append(part)
        at += len(part)
    return re.compile("".join(found), (pattern.flags & ~re.UNICODE) | re.ASCII)


_BLANK_SIGNS = r" \t-\r\x1c-\x1f"
"""The blanks of ASCII, as a part of a set."""


def runs_of(text: str) -> list[str]:
    """Return the runs of letters and digits of a text.

    >>> runs_of("It isn't 2nd_best.")
    ['It', 'isn', 't', '2nd', 'best']
    """
    return text.translate(_BLANKED).split() if text.isascii() else _RUN.findall(text)


_RUN = re.compile(r"[^\W_]+")
_BLANKED = {code: chr(code) if chr(code).isalnum() else " " for code in range(128)}
"""What leaves the runs of a text of nothing but ASCII, in a third of the time."""


def level(text: str) -> str:
    """Return ``text`` in its plain spelling as far as every character keeps its place.

    >>> len(level("It\u2019s re\u00adfundable"))
    16
    """
    return text if text.isascii() else _EACH.sub(lambda match: _LEVEL[match.group()], text)


_TAG = re.compile(
    r"<(?:/?(?P<line>p|br|li|ul|ol|div|tr|table|h[1-6]|section|blockquote)|/?(?:b|i|u|em|strong|span|font|mark|small|code))"
    r"(?:\s[a-z][a-z-]{0,30}=[^<>\n]{0,200})?\s?/?>",
    re.IGNORECASE,
)


def untagged(text: str) -> str:
    r"""Return ``text`` with blanks for the tags of HTML, so that every other character keeps its place.

    Those that begin or end a paragraph or an item break the line.

    >>> untagged("<p>Leave is <b>paid</b>.</p>"), untagged("a <b and c> d")
    ('\n  Leave is    paid    .\n   ', 'a <b and c> d')
    """
    if "<" not in text or ">" not in text:
        return text
    return _TAG.sub(lambda tag: ("\n" if tag["line"] else " ").ljust(len(tag.group())), text)


class Placed:
    """A text in its plain spelling, letters with accents aside, that knows where each character stood.

    >>> placed = Placed("fee \ufb02at \u00adAB\u20111")
    >>> placed.text, [placed.place(at) for at in (4, 5, 9, 13)]
    ('fee flat AB-1', [4, 4, 9, 13])
    """

    def __init__(self, text: str) -> None:
        self._lost: Sequence[tuple[int, int]] = ()
        if text.isascii() or not _LONGER.search(text):
            self.text = level(text)
            return
        pieces: list[str] = []
        lost, at, length = [(0, 0)], 0, 0
        for match in _LONGER.finditer(text):
            written = _LOOSE[match.group()]
            pieces += (text[at : match.start()], written)
            length += match.start() - at
            # Within what a ligature is written out to, every letter stands where the ligature does.
            lost += [(length + letter, match.start()) for letter in range(len(written))]
            length += len(written)
            at = match.end()
            lost.append((length, at))
        pieces.append(text[at:])
        self.text = level("".join(pieces))
        self._lost = lost

    def place(self, at: int) -> int:
        """Return where in the text as it came the character at ``at`` of ``text`` stands."""
        if not self._lost:
            return at
        start, came = self._lost[bisect_right(self._lost, at, key=lambda known: known[0]) - 1]
        return came + at - start
