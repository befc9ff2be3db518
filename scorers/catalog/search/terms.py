"""Texts as the numbers of their words, by whole arrays: what a search index is made of.

A word is a run of letters, digits and marks, lower-cased, without the ending of an English plural; scripts written
without spaces give pairs of characters. Each is one number of `TERM_BITS` bits; that two words of a language share one
is rare enough not to change a ranking (a million words: about seven pairs).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from adapters.caching import cached
from scorers.models.arrays import Hashes, Integers
from scorers.text.normalize import UNSPACED
from scorers.text.plain import plain

TERM_BITS = 36
MAX_WORD = 64
"""Characters of a word that count; what is past them is cut off."""

Codes = npt.NDArray[np.uint32]

_OTHER, _WORD, _UNSPACED = 0, 1, 2
_LAST_LETTER = 0x32000  # behind it come private use and marks of variants alone
_PRIME = 0x9E3779B97F4A7C15  # odd, so that its powers never vanish: 2**64 over the golden ratio (Knuth, TAOCP 6.4)
_POWERS = np.array([pow(_PRIME, place, 2**64) for place in range(MAX_WORD)], np.uint64)
_S, _E, _I, _Y = (np.uint32(ord(letter)) for letter in "seiy")
_NO_PLURAL = np.array([ord(letter) for letter in "su"], np.uint32)
_SIBILANTS = np.array([ord(letter) for letter in "sxzh"], np.uint32)


class TermNumbers(NamedTuple):
    """The words of several texts: the number of each, and the place of the text it stands in."""

    numbers: Hashes
    texts: Integers


def terms(texts: Sequence[str]) -> TermNumbers:
    """Return the words of ``texts``, in no particular order.

    >>> found = terms(["The hotel limits", "limit"])
    >>> len(found.numbers), int((found.numbers == found.numbers[-1]).sum()), found.texts.tolist()
    (4, 2, [0, 0, 0, 1])
    """
    plain = [_plain(text) for text in texts]
    joined = "\n".join(plain)
    if joined.isascii():
        codes = np.frombuffer(joined.encode("ascii"), np.uint8).astype(np.uint32)
        kinds = _ascii_kinds()[codes]
    else:
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        kinds = _kinds()[codes]
    ends = np.cumsum([len(text) + 1 for text in plain], dtype=np.int64)
    words, at = _words(codes, kinds == _WORD)
    unspaced = kinds == _UNSPACED
    if unspaced.any():
        pairs, places = _pairs(codes, unspaced)
        words, at = np.concatenate([words, pairs]), np.concatenate([at, places])
    return TermNumbers(words, np.searchsorted(ends, at, side="right"))


def _plain(text: str) -> str:
    return (text if text.isascii() else unicodedata.normalize("NFKC", plain(text))).lower()


def _words(codes: Codes, inside: npt.NDArray[np.bool_]) -> tuple[Hashes, Integers]:
    """Return the number and the start of every run of ``inside``.

    A word is a polynomial of its characters: the difference of two prefix sums over the whole text, brought back to the
    start by the inverse power. Of whole passes over the characters there are two.
    """
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    lengths = np.minimum(ends - starts, MAX_WORD)
    powers, inverses = _powers(1 << (len(codes)).bit_length())
    sums = np.zeros(len(codes) + 1, np.uint64)
    np.cumsum(codes * powers[: len(codes)], out=sums[1:])
    numbers = (sums[starts + lengths] - sums[starts]) * inverses[starts]
    return _mixed(_singular(codes, starts, lengths, numbers)), starts


@cached(maxsize=2)
def _powers(size: int) -> tuple[Hashes, Hashes]:
    """Return the first powers of `_PRIME` and of its inverse, modulo 2**64."""
    return tuple(
        np.cumprod(np.concatenate([np.ones(1, np.uint64), np.full(size - 1, base, np.uint64)]))
        for base in (_PRIME, pow(_PRIME, -1, 2**64))
    )  # type: ignore[return-value] # two


def _singular(codes: Codes, starts: Integers, lengths: Integers, numbers: Hashes) -> Hashes:
    """Take the ending of an English plural off: -ies, -es after a sibilant, -s (after Harman's S stemmer, 1991)."""
    long = np.flatnonzero(lengths > 3)  # noqa: PLR2004 - "its" and "gas" are no plurals
    last = starts[long] + lengths[long] - 1
    plural = codes[last] == _S
    long, last = long[plural], last[plural]
    before, third, size = codes[last - 1], codes[last - 2], lengths[long]
    es = before == _E
    ies = es & (third == _I) & (size > 4)  # noqa: PLR2004 - "ties" is of "tie"
    sibilant = es & np.isin(third, _SIBILANTS) & (size > 4)  # noqa: PLR2004 - "axes" is of "axe" as well
    cut_one = ~ies & ~sibilant & ~np.isin(before, _NO_PLURAL)
    cut = np.where(ies, 3, np.where(sibilant, 2, np.where(cut_one, 1, 0)))
    for back in (1, 2, 3):
        chosen = np.flatnonzero(cut >= back)
        ending = codes[last[chosen] - back + 1].astype(np.uint64)
        numbers[long[chosen]] -= ending * _POWERS[size[chosen] - back]
    chosen = np.flatnonzero(ies)
    numbers[long[chosen]] += np.uint64(_Y) * _POWERS[size[chosen] - 3]
    return numbers


def _pairs(codes: Codes, inside: npt.NDArray[np.bool_]) -> tuple[Hashes, Integers]:
    """Return pairs of neighbours inside, and single ones that have none."""
    both = inside[:-1] & inside[1:]
    first = np.flatnonzero(both)
    alone = np.flatnonzero(inside & ~np.append(both, False) & ~np.append(False, both))
    pairs = codes[first] * _POWERS[0] + codes[first + 1] * _POWERS[1]
    return _mixed(np.concatenate([pairs, codes[alone] * _POWERS[0]])), np.concatenate([first, alone])


def _mixed(numbers: Hashes) -> Hashes:
    """Spread the numbers evenly over `TERM_BITS` bits."""
    numbers = (numbers ^ (numbers >> np.uint64(31))) * np.uint64(_PRIME)
    return numbers >> np.uint64(64 - TERM_BITS)


@cached(maxsize=1)
def _ascii_kinds() -> npt.NDArray[np.uint8]:
    return np.array([_WORD if chr(code).isalnum() else _OTHER for code in range(128)], np.uint8)


@cached(maxsize=1)
def _kinds() -> npt.NDArray[np.uint8]:
    """Return the kind of every code point; marks belong to words, which Indic vowels are made of."""
    kinds = np.zeros(0x110000, np.uint8)
    kinds[[code for code in range(_LAST_LETTER) if unicodedata.category(chr(code))[0] in "LNM"]] = _WORD
    for first, last in UNSPACED:
        kinds[first : last + 1][kinds[first : last + 1] == _WORD] = _UNSPACED
    return kinds
