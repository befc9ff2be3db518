"""The tokens of a sentence as conflict reads them: words, numbers, signs of money, and the stops between them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from adapters.caching import cached
from scorers.disagreement.lexicon import canonical
from scorers.text.normalize import STOP_WORDS
from scorers.text.plain import for_ascii, plain

# Every repetition is over one class and bounded, each alternative told by its first character: the scan is linear.
_TOKEN = re.compile(
    r"(?P<word>[^\W\d_]{1,40}(?:['-][^\W\d_]{1,40}){0,3})"
    r"|(?P<iso>\d{4}-\d\d-\d\d)(?!\d)"
    r"|(?P<code>\d{1,20}(?:-\d{1,20}){2,6}|\d{1,2}(?::\d\d){1,2})"
    r"|(?P<number>(?:\d[\d.,]{0,20}\d|\d)(?:(?:st|nd|rd|th|s)(?![^\W_]))?)"
    r"|(?P<money>[$\u20ac\u00a3\u00a5])"
    r"|(?P<stop>[^\w\s])"
)

# The same without groups: what it finds is read by `_TOKEN` once for each spelling.
_SPELLINGS = re.compile(re.sub(r"\?P<\w+>", "?:", _TOKEN.pattern))
_SPELLINGS_ASCII = for_ascii(_SPELLINGS)


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` as written, ``lower`` case, ``stem`` ("" for a word without content and for a stop), and its kind."""

    text: str
    lower: str
    stem: str
    kind: str
    capital: bool


def tokens(text: str) -> list[Token]:
    """Return the tokens of ``text``; linear, never raises.

    >>> [(token.kind, token.stem) for token in tokens("The cap is $ 1,200.")]
    [('word', ''), ('word', 'maximum'), ('word', ''), ('money', ''), ('number', '#1,200'), ('stop', '')]
    """
    return [token_of(written) for written in spellings(text)]


def spellings(text: str) -> list[str]:
    """Return how the tokens of ``text`` are written: `token_of` reads one."""
    text = plain(text)
    found: list[str] = (_SPELLINGS_ASCII if text.isascii() else _SPELLINGS).findall(text)
    return found


# A few thousand words make up most of any text.
@cached(maxsize=16_384)
def token_of(written: str) -> Token:
    """Return a token by how it is written."""
    match = _TOKEN.match(written)
    kind = match.lastgroup if match else None
    if kind in ("iso", "number", "code"):
        return Token(written, written.lower(), "#" + written, kind, capital=False)
    if kind != "word":
        return Token(written, written, "", kind or "", capital=False)
    lower = written.casefold().removesuffix("'s")
    return Token(written, lower, "" if lower in STOP_WORDS else canonical(lower), "word", capital=written[0].isupper())
