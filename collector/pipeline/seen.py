"""Which versions answers showed, so that a new one can be told from one that is served beside others.

A version is news when it is first seen of a component that was seen with another before. It is not news again while it
keeps coming, as in a rolling update or a canary beside its baseline. It is news again, as after a roll-back, when it
had gone: nothing showed it for a while, and so many answers showed others that, by the share it had, this is no chance.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import exp, lgamma

from collector.store.entries import Seen

MAX_TRACKS = 10_000
"""Components and documents, each within its scope, that are remembered: those seen last."""
MAX_VERSIONS = 20
"""Versions of each that are remembered: those seen last."""
CHANCE = 1e-3
"""A version is gone when its absence would be less likely than this if it were still served as it was."""
AMBIGUOUS = "*"
"""In place of a version: this component shows several at once, so that none of them is its version."""
_KEPT_AGAIN = 600 * 10**9
"""What is kept may be behind by ten minutes (ns), or by half its count: it decides only when a version has gone."""

Key = tuple[str, str]
"""A component, and the canonical text of a scope."""
Row = tuple[str, str, str | None]
"""The same and a version; without one: all of its versions."""


@dataclass(frozen=True, slots=True)
class News:
    """A version that is news, and the one seen last before it."""

    component: str
    version: str
    previous: str | None


@dataclass(slots=True)
class _Track:
    """What was seen of one component: ``total`` answers, the newest of them ``newest_at``."""

    total: int = 0
    newest_at: int = 0
    versions: dict[str, Seen] = field(default_factory=dict)


class Memory:
    """The versions seen, bounded. ``gone`` is how long (ns) a version must not have been seen to be gone."""

    def __init__(self, rows: Sequence[Seen], *, gone: int) -> None:
        self._gone = gone
        self._tracks: OrderedDict[Key, _Track] = OrderedDict()
        self._kept: dict[tuple[str, str, str], Seen] = {}
        self._changed: dict[tuple[str, str, str], Seen] = {}
        self._forgotten: list[Row] = []
        for row in rows:
            track = self._tracks.setdefault((row.component, row.scope), _Track())
            self._tracks.move_to_end((row.component, row.scope))
            track.total = max(track.total, row.last)
            track.newest_at = max(track.newest_at, row.last_at)
            track.versions[row.version] = row
            self._kept[_id(row)] = row

    def observe(self, component: str, scope: str, versions: Iterable[str], at: int) -> list[News]:
        """Note that an answer of ``at`` (ns) showed these versions of a component; return what of that is news."""
        track = self._tracks.get((component, scope))
        first = track is None
        if track is None:
            track = self._begin((component, scope))
        self._tracks.move_to_end((component, scope))
        if AMBIGUOUS in track.versions:
            return []
        # An answer read long after its time, as from an old file, begins nothing now.
        past = at < track.newest_at - self._gone
        track.total += 1
        track.newest_at = max(track.newest_at, at)
        known = max(track.versions.values(), key=lambda row: (row.last_at, row.last, row.version), default=None)
        found: list[News] = []
        for version in sorted(versions):
            before = track.versions.get(version)
            returned = before is not None and self._has_gone(before, track.total, at)
            if before is None or returned:
                row = Seen(component, scope, version, 1, track.total, track.total, at)
                if not first and not past:
                    previous = known.version if known is not None and known.version != version else None
                    found.append(News(component, version, previous))
            else:
                row = replace(before, count=before.count + 1, last=track.total, last_at=max(before.last_at, at))
            self._note(track, row)
            if AMBIGUOUS in track.versions:
                return []
        return found

    def mark_ambiguous(self, component: str, scope: str) -> None:
        """Note that a component shows several versions at once: none of them is ever news again."""
        track = self._tracks.get((component, scope)) or self._begin((component, scope))
        if AMBIGUOUS not in track.versions:
            self._note(track, Seen(component, scope, AMBIGUOUS, 1, track.total, track.total, track.newest_at))

    def changes(self) -> tuple[list[Seen], list[Row]]:
        """Return what is to be kept that is not yet, and what is to be forgotten."""
        return list(self._changed.values()), list(self._forgotten)

    def kept(self, rows: Sequence[Seen], forgotten: Sequence[Row]) -> None:
        """Note that ``rows`` are kept and ``forgotten`` is removed."""
        for row in rows:
            self._kept[_id(row)] = row
            if self._changed.get(_id(row)) == row:
                del self._changed[_id(row)]
        self._forgotten = self._forgotten[len(forgotten) :]

    def _begin(self, key: Key) -> _Track:
        track = self._tracks[key] = _Track()
        if len(self._tracks) > MAX_TRACKS:
            self._forget(self._tracks.popitem(last=False))
        return track

    def _forget(self, item: tuple[Key, _Track]) -> None:
        (component, scope), track = item
        for version in track.versions:
            self._kept.pop((component, scope, version), None)
            self._changed.pop((component, scope, version), None)
        self._forgotten.append((component, scope, None))

    def _note(self, track: _Track, row: Seen) -> None:
        track.versions[row.version] = row
        kept = self._kept.get(_id(row))
        if kept is None or row.count < kept.count or _behind(kept, row):
            self._changed[_id(row)] = row
        if len(track.versions) <= MAX_VERSIONS:
            return
        if sum(seen.count == 1 for seen in track.versions.values()) > MAX_VERSIONS // 2:
            # Another one with each answer: a text with the date in it, say, is no version.
            self._forget(((row.component, row.scope), track))
            track.versions = {}
            self.mark_ambiguous(row.component, row.scope)
            return
        oldest = min(track.versions.values(), key=lambda old: old.last)
        del track.versions[oldest.version]
        self._changed.pop(_id(oldest), None)
        self._kept.pop(_id(oldest), None)
        self._forgotten.append(_id(oldest))

    def _has_gone(self, row: Seen, total: int, at: int) -> bool:
        return at - row.last_at >= self._gone and _absence(row, total - 1 - row.last) < CHANCE


def _absence(row: Seen, others: int) -> float:
    """Return how likely ``others`` answers without a version are, of a share that is only known from what was seen.

    The predictive probability of no success under a Beta posterior: after one sighting a thousand others say little.
    """
    shown = row.count
    hidden = row.last - row.first + 2 - shown
    log_chance = lgamma(hidden + others) + lgamma(shown + hidden) - lgamma(hidden) - lgamma(shown + hidden + others)
    return exp(log_chance)


def _behind(kept: Seen, row: Seen) -> bool:
    return row.last_at - kept.last_at >= _KEPT_AGAIN or row.count >= 2 * kept.count


def _id(row: Seen) -> tuple[str, str, str]:
    return (row.component, row.scope, row.version)
