"""Draws that depend on a seed and on what is drawn, and on no order: any part can be drawn alone, on any release."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeVar

T = TypeVar("T")
_WHOLE = 2.0**64


class Chance(NamedTuple):
    """Uniform draws by name.

    >>> chance = Chance(7)
    >>> chance.uniform("a", 1) == Chance(7).uniform("a", 1) != Chance(8).uniform("a", 1)
    True
    """

    seed: int

    def uniform(self, *name: object) -> float:
        """Return a draw within [0, 1)."""
        text = "\x1f".join(map(str, (self.seed, *name)))
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") / _WHOLE

    def happens(self, probability: float, *name: object) -> bool:
        """Return true with a probability."""
        return self.uniform(*name) < probability

    def pick(self, among: Sequence[T], *name: object) -> T:
        """Return one of several, each as likely."""
        return among[int(self.uniform(*name) * len(among))]

    def shuffled(self, items: Sequence[T], *name: object) -> list[T]:
        """Return the items in an order of chance."""
        return [item for _, item in sorted(enumerate(items), key=lambda each: self.uniform(*name, each[0]))]
