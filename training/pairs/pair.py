"""Minimal pairs: a statement, and the same statement with one thing changed or with nothing but its words changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

Way = Callable[[str, str, random.Random], Iterator[str]]
"""Yields statements made from one, whose source is the second argument; none where the way does not apply."""


class Edit(NamedTuple):
    """A statement made from another: in which of the ways of a kind."""

    kind: str
    text: str


class Table:
    """Phrases that one replaces by another: each place of a text where one stands, in the case it is written in."""

    def __init__(self, rows: Mapping[str, str | Sequence[str]]) -> None:
        self._to = {key: (value,) if isinstance(value, str) else tuple(value) for key, value in rows.items()}
        phrases = sorted(self._to, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, phrases))})(?![\w-])", re.IGNORECASE)

    def turned(self, text: str, rng: random.Random) -> Iterator[str]:
        """Yield ``text`` with one phrase replaced, if it holds any."""
        found = list(self._pattern.finditer(text))
        if found:
            match = rng.choice(found)
            yield placed(text, match, rng.choice(self._to[match[0].lower()]))

    def way(self, text: str, _source: str, rng: random.Random) -> Iterator[str]:
        """Yield as `turned` does: a `Way`."""
        yield from self.turned(text, rng)


def placed(text: str, match: re.Match[str], words: str) -> str:
    """Return ``text`` with ``words`` in place of ``match``, in capitals where that began with one."""
    if match[0][:1].isupper() and words[:1].islower():
        words = words[:1].upper() + words[1:]
    whole = text[: match.start()] + words + text[match.end() :]
    return re.sub(r" {2,}", " ", whole).replace(" .", ".").replace(" ,", ",").strip()


def both(pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return a table of pairs, each phrase replaced by the other."""
    rows: dict[str, tuple[str, ...]] = {}
    for one, other in pairs:
        rows[one] = (*rows.get(one, ()), other)
        rows[other] = (*rows.get(other, ()), one)
    return rows


def edits(
    ways: Mapping[str, Sequence[Way]], text: str, source: str, rng: random.Random, *, most: int = 1
) -> Iterator[Edit]:
    """Yield up to ``most`` edits of each kind, each another text than ``text`` and than the others."""
    seen = {text}
    for kind, each in ways.items():
        made = 0
        for way in rng.sample(each, len(each)):
            for changed in way(text, source, rng):
                if changed not in seen and made < most:
                    seen.add(changed)
                    made += 1
                    yield Edit(kind, changed)
