"""Which of two passages prevails: the one in force, else the one of higher authority, else the later one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from adapters.schema import Answer, Passage
from scorers.base import Basis, Env
from scorers.freshness.dating import dated
from scorers.lineage import lineage_of

EQUAL = 1e-9
"""Authorities that differ by less are the same level."""


@dataclass(frozen=True, slots=True)
class Rank:
    """What a passage's weight against another rests on; ``None`` for what nothing says."""

    stale: bool | None
    authority: float | None
    date: datetime | None


class Precedence:
    """The rank of each passage of an answer: by gold labels, else by the catalog, else by what the passage says.

    Where not ``ranked``, all passages in force are alike, as for an evaluator that knows of no authority.
    """

    def __init__(self, answer: Answer, env: Env, *, ranked: bool = True) -> None:
        self.ranked = ranked
        self._lineage = lineage_of(answer, env)
        self._gold = {} if answer.gold is None else {gold.id: gold for gold in answer.gold.passages}

    def rank(self, passage: Passage) -> Rank:
        """Return the rank of a passage."""
        status = self._lineage.status(passage)
        stale = None if status is None or status.validity == "unknown" else status.validity != "in_force"
        if not self.ranked:
            return Rank(stale, None, None)
        date = dated(passage, None if status is None else status.document)
        return Rank(stale, self.authority(passage)[0], date)

    def authority(self, passage: Passage) -> tuple[float | None, Basis]:
        """Return the authority of a passage, 0-1, and who says it."""
        gold = self._gold.get(passage.id)
        if gold is not None and gold.authority is not None:
            return gold.authority, "gold"
        status = self._lineage.status(passage)
        if status is not None and status.known_by == "catalog" and status.document.authority is not None:
            return status.document.authority, "catalog"
        return passage.authority, "passages"

    def basis(self, *passages: Passage) -> Basis:
        """Return what the ranks of passages rest on: the best of gold labels, the catalog, and the passages."""
        if any(passage.id in self._gold for passage in passages):
            return "gold"
        statuses = [self._lineage.status(passage) for passage in passages]
        return "catalog" if any(s is not None and s.known_by == "catalog" for s in statuses) else "passages"

    def in_force(self, passage: Passage) -> bool:
        """Tell whether nothing says that a passage is superseded, expired, or not yet in force."""
        return not self.rank(passage).stale

    def prevails(self, one: Passage, other: Passage) -> tuple[bool, str] | None:
        """Return whether ``one`` prevails over ``other``, and why; ``None`` where nothing tells.

        What is in force prevails over what is not, then the higher authority, then the later date.
        """
        first, second = self.rank(one), self.rank(other)
        if bool(first.stale) != bool(second.stale):
            return not first.stale, "in force"
        if first.authority is not None and second.authority is not None:
            difference = first.authority - second.authority
            if abs(difference) > EQUAL:
                return difference > 0, "of higher authority"
        if first.date is not None and second.date is not None and first.date != second.date:
            return first.date > second.date, "later"
        return None
