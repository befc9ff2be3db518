"""What is wrong with records of files: what many share is told once, with where it is first and in how many."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from collector.security.text import one_line
from gates.verdicts.summary import counted

_PLACE = re.compile(r"(line \d+|row \d+|\w*\[\d+\])(?:: |\.)(.+)")
REPORTED = 20
"""Problems that are told one by one; the rest are counted."""


@dataclass(slots=True)
class _Shared:
    first: str
    last: str
    records: int = 1


@dataclass(slots=True)
class RecordProblems:
    """Problems of records in the order in which they were found, those with the same words together.

    >>> problems = RecordProblems()
    >>> for line in (1, 2, 7):
    ...     problems.add(f"a.jsonl: line {line}", "pasages: unknown field")
    True
    False
    False
    >>> problems.lines()
    ['a.jsonl: line 1: pasages: unknown field (and in 2 more records, the last: a.jsonl: line 7)']
    """

    bad: int = 0
    """Records that cannot be used."""
    _found: dict[str, _Shared] = field(default_factory=dict)
    _more: int = 0

    def add(self, place: str, reason: str) -> bool:
        """Count a problem; return whether it is to be told now, as none before it."""
        self.bad += 1
        shared = self._found.get(reason)
        if shared is not None:
            shared.records += 1
            shared.last = place
            return False
        if len(self._found) >= REPORTED:
            self._more += 1
            return False
        self._found[reason] = _Shared(place, place)
        return True

    def lines(self) -> list[str]:
        """Return a line for each problem, and one for those that were only counted."""
        told = [
            f"{shared.first}: {reason}" + (f" ({also_in(shared.records, shared.last)})" if shared.records > 1 else "")
            for reason, shared in self._found.items()
        ]
        return [*told, f"and {counted(self._more, 'more problem')}"] if self._more else told

    def repeated(self) -> list[str]:
        """Return a line for each problem that more than one record has, for those whose first was told already."""
        return [
            f"{also_in(shared.records, shared.last)}: {reason}"
            for reason, shared in self._found.items()
            if shared.records > 1
        ]


def also_in(records: int, last: str) -> str:
    """Say in how many records a problem is, beside the first."""
    return f"and in {counted(records - 1, 'more record')}, the last: {last}"


def placed(path: object, where: str, error: Exception) -> tuple[str, str]:
    """Return the place of an error in a file, as a line or a record, and what is wrong there.

    >>> from adapters.base import MalformedRecord
    >>> placed("a.jsonl", "", MalformedRecord("unknown field", "line 3: pasages"))
    ('a.jsonl: line 3', 'pasages: unknown field')
    >>> placed("a.jsonl", "line 3", ValueError("not an object"))
    ('a.jsonl: line 3', 'not an object')
    """
    said = one_line(str(error))
    if not where and (found := _PLACE.match(said)):
        where, said = found.groups()
    return f"{path}: {where}" if where else str(path), said
