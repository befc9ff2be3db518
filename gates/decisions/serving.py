"""What the ledger says is served: which changes were replaced since, and which only take another one back.

Versions of a component follow one another where the scopes of their changes overlap, in the order in which they took
effect. Where it is not certain that a version is still served everywhere, it counts as replaced: a recommendation that
is missing costs a look, one to roll back what was rolled back may bring the broken version back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from gates.decisions.record import RecordedChange
from gates.inputs.changes import ChangeKind

BROUGHT_WITHIN = timedelta(minutes=10)
"""How soon after a release or an index its first answers show what came with it."""
BY_CHANCE, LEAST_ABSENT = 1e-3, 20
"""A version that is missing from the newest answers is gone where chance explains that no better, and in so many."""
WELL = timedelta(days=1)
"""How long a version must have been served for its leaving to be a deployment, and not to take it back."""
REVERTIBLE: frozenset[ChangeKind] = frozenset({"deploy", "model", "prompt", "index", "retriever"})
"""Kinds of change that are rolled back by serving the version before."""
_BRINGS: Mapping[ChangeKind, frozenset[ChangeKind]] = {
    "deploy": frozenset({"model", "prompt", "index", "retriever", "documents"}),
    "index": frozenset({"documents"}),
}


def brought(part: RecordedChange, head: RecordedChange) -> bool:
    """Whether ``part`` is what ``head`` brought along, as answers showed soon after it."""
    if part.source != "observed" or part.kind not in _BRINGS.get(head.kind, ()):
        return False
    return timedelta() <= part.at - head.at <= BROUGHT_WITHIN


@dataclass(frozen=True, slots=True)
class Ledger:
    """Changes as far as they are known. What was served at ``since``, by default before all of them, is known good.

    >>> from datetime import UTC
    >>> at, deploy = datetime(2026, 1, 1, tzinfo=UTC), {"kind": "deploy", "component": "release", "source": "explicit"}
    >>> steps = enumerate([("1", "2"), ("2", "1"), ("1", "2"), ("2", "3")])
    >>> rows = [
    ...     RecordedChange(seq=i, at=at, recorded_at=at, previous=before, version=after, **deploy)
    ...     for i, (before, after) in steps
    ... ]
    >>> ledger = Ledger(rows)
    >>> [ledger.takes_back(row) for row in rows]
    [False, True, False, False]
    >>> [ledger.replaced_by(row) is None for row in rows]
    [False, False, False, True]
    """

    rows: Sequence[RecordedChange]
    since: datetime | None = None

    def replaced_by(self, change: RecordedChange) -> RecordedChange | None:
        """Return the change since which the version of ``change`` is not known to be served, ``None`` while it is.

        What a release or an index brought along goes when that is taken back.
        """
        later = [row for row in self._line(change) if _place(row) > _place(change)]
        if later and (change.version is None or later[-1].version != change.version):
            return later[-1]
        ends = (self.replaced_by(head) for head in self.rows if brought(change, head))
        return next((end for end in ends if end is not None and self.takes_back(end)), None)

    def takes_back(self, change: RecordedChange) -> bool:
        """Whether a change goes back to a version from before the one that it leaves.

        To leave what was served when things were well is to deploy again, and not to go back, where it was served for
        `WELL`: sooner, somebody may have seen what this gate does not judge.
        """
        versions, left = self._before(change)
        if left is None or left not in versions:
            return False
        if left == self._known_good(change) and self._served(left, change) >= WELL:
            return False
        return change.version in versions[: len(versions) - 1 - versions[::-1].index(left)]

    def repeats(self, change: RecordedChange) -> bool:
        """Whether a change brings the version that is there already: another deployment of it, or a second report.

        What goes from one place to everywhere is no repetition.
        """
        if change.version is None or self._before(change)[1] != change.version:
            return False
        before = [row for row in self._line(change) if _place(row) < _place(change)]
        return not before or before[-1].scope.items() <= change.scope.items()

    def was_taken_back(self, version: str, change: RecordedChange) -> bool:
        """Whether a version of the component of ``change`` was gone back from, and did not come again."""
        line = self._line(change)
        comes = [place for place, row in enumerate(line) if row.version == version]
        since = line[comes[-1] + 1 :] if comes else line
        return any(self._before(row)[1] == version and self.takes_back(row) for row in since)

    def _line(self, change: RecordedChange) -> list[RecordedChange]:
        """Return the changes of the same component where scopes overlap, in the order in which they took effect."""
        line = (row for row in self.rows if row.component == change.component and overlap(row.scope, change.scope))
        return sorted(line, key=_place)

    def _before(self, change: RecordedChange) -> tuple[list[str | None], str | None]:
        """Return the versions up to a change, the first from before all of them, and the one that it leaves."""
        line = [row for row in self._line(change) if _place(row) < _place(change)]
        versions = [(line[0] if line else change).previous, *(row.version for row in line)]
        return versions, change.previous if change.previous is not None else versions[-1]

    def _served(self, version: str, change: RecordedChange) -> timedelta:
        """Return how long a version had been served when a change left it; one from before all changes, always."""
        line = [row for row in self._line(change) if _place(row) < _place(change)]
        came = [row.at for row in line if row.version == version]
        return change.at - came[-1] if came and line[0].previous != version else timedelta.max

    def _known_good(self, change: RecordedChange) -> str | None:
        line = self._line(change)
        known = [row for row in line if self.since is not None and row.recorded_at < self.since]
        return known[-1].version if known else (line[0] if line else change).previous


def absent_for(versions: Sequence[str | None], version: str) -> int:
    """Return how many of the newest answers came without a version that is not served any more; 0 where it may be.

    ``versions`` are those of one component in answers, the newest first. Where a version had a share ``s`` of the
    answers from its first to its last one, ``n`` answers after that come without it by chance with a probability of
    ``(1 - s)**n``; from `BY_CHANCE` on it is gone. One that was never seen may be new.

    >>> absent_for([*["1"] * 60, "2", "1", "1", "2"], "2"), absent_for(["1", "2", "1"], "2"), absent_for(["1"], "2")
    (60, 0, 0)
    """
    seen = [place for place, each in enumerate(versions) if each == version]
    if not seen:
        return 0
    absent, share = seen[0], len(seen) / (seen[-1] - seen[0] + 1)
    return absent if (1.0 - share) ** absent <= BY_CHANCE and absent >= LEAST_ABSENT else 0


def _place(change: RecordedChange) -> tuple[datetime, int]:
    return change.at, change.seq


def overlap(scope: Mapping[str, str], slice_: Mapping[str, str]) -> bool:
    """Whether a scope and a slice, or two scopes, can have answers in common: no dimension that both name differs."""
    return all(slice_.get(name, value) == value for name, value in scope.items())
