"""In which of several texts a passage stands: whole, or more of it than in the others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.caching import cached_by_text
from scorers.text.plain import plain

LEAST_CUT = 4
"""Words of a passage from which on its first and last may be pieces of words: many cut a text after so many letters."""

RUN = 5
"""Words that a run has: a changed word changes so many runs."""

MOST = 0.6
"""Share of a passage's runs that a text must have for the passage to be from it: headers, page numbers and hyphens of a
loader break some."""

AHEAD = 3
"""Runs that it must have more than any other text that is meant: fewer may be a hyphen."""

LEAST_WORDS = 8
"""Words that a passage needs for its text alone to tell where it comes from; what is shorter stands anywhere."""

_WORD = re.compile(r"\w+|[%$\u20ac\u00a3\u00a5]")


def long_enough(text: str) -> bool:
    """Return whether a passage is long enough for its text alone to tell where it comes from."""
    return words_of(text).count(" ") > LEAST_WORDS


def holding(passage: str, candidates: Sequence[Sequence[str]]) -> list[int]:
    """Return the places of the candidates in one of whose texts a passage stands.

    Those in which it stands whole; else those that have most of it, and plainly more than the others have.

    >>> old, new = (f"Refunds are paid within {days} days of the purchase." for days in (30, 14))
    >>> holding("are paid within 14 days", [[old], [new]])
    [1]
    >>> holding("Page 3. Refunds are paid within 14 days of the purchase.", [[old], [new]])
    [1]
    >>> holding("Taxis are paid.", [[old], [new]])
    []
    """
    if not candidates or not (wanted := words_of(passage)).strip():
        return []
    for sought in (wanted, *_cut(wanted)):
        found = [at for at, texts in enumerate(candidates) if any(sought in words_of(text) for text in texts)]
        if found:
            return found
    found = [at for at, texts in enumerate(candidates) if any(_stands_run_together(passage, text) for text in texts)]
    if found:
        return found
    runs = _runs(passage)
    if len(runs) < RUN:
        return []
    shared = [max((len(runs & _runs(text)) for text in texts), default=0) for texts in candidates]
    best = max(shared, default=0)
    if best < MOST * len(runs):
        return []
    return [at for at, count in enumerate(shared) if count > best - AHEAD]


def stands_in(passage: str, text: str) -> bool:
    """Return whether the whole of a passage stands in a text, be it with other blanks between its words.

    What loaders make of a page of HTML has none where a cell or an item ends: "Rome160 EUR".

    >>> page = "Paris up to 180 EUR a night Rome up to 160 EUR a night"
    >>> stands_in("Rome up to 160", page), stands_in("up to 180 EUR a nightRome up to 160 EUR a night", page)
    (True, True)
    >>> stands_in("to 180 EUR a nightRome up to 260 EUR a night", page)
    False
    """
    wanted = words_of(passage)
    return bool(wanted.strip()) and (wanted in words_of(text) or _stands_run_together(passage, text))


def _stands_run_together(passage: str, text: str) -> bool:
    return long_enough(passage) and letters_of(passage) in letters_of(text)


def _cut(wanted: str) -> Sequence[str]:
    """Return a passage as it stands in the text that it was cut from, its first and last words being pieces of words.

    Only letters count for a piece: that of a figure is another figure.
    """
    words = wanted.split()
    if len(words) < LEAST_CUT:
        return ()
    first, last = words[0].isalpha(), words[-1].isalpha()
    if not (first or last):
        return ()
    return (f"{'' if first else ' '}{' '.join(words)}{'' if last else ' '}",)


@cached_by_text(cost=2)
def words_of(text: str) -> str:
    """Return the words of a text between single blanks, so that whole words are found in whole words.

    >>> words_of("Up to 30 %, at most!")
    ' up to 30 % at most '
    """
    return f" {' '.join(_WORD.findall(plain(text).casefold()))} "


@cached_by_text(cost=2)
def letters_of(text: str) -> str:
    """Return the words of a text run together.

    >>> letters_of("Up to 30 %, at most!")
    'upto30%atmost'
    """
    return words_of(text).replace(" ", "")


@cached_by_text(cost=40)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = words_of(text).split()
    return frozenset(zip(*(words[start:] for start in range(RUN)), strict=False))
