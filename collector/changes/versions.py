"""Which versions answers showed, to tell a new one from one that is served beside others.

A version is news when it is first seen of a component that was seen with another before. It is not news again while it
keeps coming, as in a rolling update or a canary beside its baseline. It is news again, as after a rollback, when it
had gone: nothing showed it for a while, and so many answers showed others that, by the share it had, this is no chance.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import exp, lgamma

from adapters.trace import Nanoseconds
from collector.store.entries import SeenVersion

MAX_TRACKS = 10_000
"""Components and documents, each within its scope, that are remembered: those seen last."""
MAX_VERSIONS = 20
"""Versions of each that are remembered: those seen last."""
CHANCE = 1e-3
"""A version is gone when its absence would be less likely than this if it were still served as it was."""
AMBIGUOUS = "*"
"""In place of a version: this component shows several at once, so that none of them is its version."""
_SAVED_AGAIN = 600 * 10**9
"""The store may be behind by ten minutes (ns), or by half a count: these decide only when a version is gone."""

TrackKey = tuple[str, str]
"""A component, and the canonical text of a scope."""
VersionKey = tuple[str, str, str | None]
"""The same and a version; without one: all of its versions."""


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version of a component that an answer of ``at`` (ns) was the first to show, and the one seen last before it.

    ``modified_at`` is when the document was last changed, where its passages say so.
    """

    component: str
    scope: str
    version: str
    previous: str | None
    at: Nanoseconds
    modified_at: datetime | None = None


@dataclass(slots=True)
class _Version:
    """A version that was seen, as `SeenVersion` has it; ``saved_count`` and ``saved_at`` are what is stored of it."""

    count: int
    first: int
    last: int
    last_at: int
    saved_count: int = 0
    saved_at: int = 0


@dataclass(slots=True)
class _Track:
    """What was seen of one component: ``total`` answers, the newest of them ``newest_at``."""

    total: int = 0
    newest_at: int = 0
    versions: dict[str, _Version] = field(default_factory=dict)


class VersionMemory:
    """The versions seen, bounded. ``gone`` is how long (ns) a version must not have been seen to be gone."""

    def __init__(self, rows: Sequence[SeenVersion], *, gone: int) -> None:
        self._gone = gone
        self._tracks: OrderedDict[TrackKey, _Track] = OrderedDict()
        self._changed: dict[tuple[str, str, str], None] = {}
        self._forgotten: list[VersionKey] = []
        for row in rows:
            track = self._tracks.setdefault((row.component, row.scope), _Track())
            self._tracks.move_to_end((row.component, row.scope))
            track.total = max(track.total, row.last)
            track.newest_at = max(track.newest_at, row.last_at)
            track.versions[row.version] = _Version(row.count, row.first, row.last, row.last_at, row.count, row.last_at)

    def observe(self, component: str, scope: str, versions: Iterable[str], at: Nanoseconds) -> list[NewVersion]:
        """Note that an answer of ``at`` (ns) showed these versions of a component; return what of that is news."""
        key = (component, scope)
        track = self._tracks.get(key)
        first = track is None
        if track is None:
            track = self._begin(key)
        self._tracks.move_to_end(key)
        if AMBIGUOUS in track.versions:
            return []
        # An answer read long after its time, as from an old file, begins nothing now.
        past = at < track.newest_at - self._gone
        track.total += 1
        track.newest_at = max(track.newest_at, at)
        fresh: list[str] = []
        for version in versions:
            known = track.versions.get(version)
            if known is None or (at - known.last_at >= self._gone and _absence(known, track.total) < CHANCE):
                fresh.append(version)
                continue
            known.count += 1
            known.last = track.total
            known.last_at = max(known.last_at, at)
            if known.last_at - known.saved_at >= _SAVED_AGAIN or known.count >= 2 * known.saved_count:
                self._changed[component, scope, version] = None
        return self._begun(key, track, sorted(fresh), at, silent=first or past) if fresh else []

    def mark_ambiguous(self, component: str, scope: str) -> None:
        """Note that a component shows several versions at once: none of them is ever news again."""
        track = self._tracks.get((component, scope)) or self._begin((component, scope))
        if AMBIGUOUS not in track.versions:
            self._note((component, scope), track, AMBIGUOUS, Nanoseconds(track.newest_at))

    def unsaved(self) -> tuple[list[SeenVersion], list[VersionKey]]:
        """Return the rows to write to the store, and those to remove from it."""
        rows: list[SeenVersion] = []
        for component, scope, version in self._changed:
            known = self._tracks[component, scope].versions[version]
            at = Nanoseconds(known.last_at)
            rows.append(SeenVersion(component, scope, version, known.count, known.first, known.last, at))
        return rows, list(self._forgotten)

    def saved(self, rows: Sequence[SeenVersion], forgotten: Sequence[VersionKey]) -> None:
        """Note that ``rows`` are written and ``forgotten`` are removed: what `unsaved` returned last."""
        for row in rows:
            known = self._tracks[row.component, row.scope].versions[row.version]
            known.saved_count, known.saved_at = row.count, row.last_at
            del self._changed[row.component, row.scope, row.version]
        self._forgotten = self._forgotten[len(forgotten) :]

    def _begin(self, key: TrackKey) -> _Track:
        track = self._tracks[key] = _Track()
        if len(self._tracks) > MAX_TRACKS:
            oldest, gone = self._tracks.popitem(last=False)
            self._forget(oldest, gone)
        return track

    def _begun(
        self, key: TrackKey, track: _Track, fresh: Sequence[str], at: Nanoseconds, *, silent: bool
    ) -> list[NewVersion]:
        """Remember versions from here on, and return them as news unless they are ``silent``."""
        ranked = ((known.last_at, known.last, version) for version, known in track.versions.items())
        *_, newest = max(ranked, default=(None,))
        new: list[NewVersion] = []
        for version in fresh:
            self._note(key, track, version, at)
            if AMBIGUOUS in track.versions:
                return []
            new.append(NewVersion(*key, version, newest if newest != version else None, at))
        return [] if silent else new

    def _note(self, key: TrackKey, track: _Track, version: str, at: Nanoseconds) -> None:
        track.versions[version] = _Version(1, track.total, track.total, at)
        self._changed[(*key, version)] = None
        if len(track.versions) <= MAX_VERSIONS:
            return
        if sum(known.count == 1 for known in track.versions.values()) > MAX_VERSIONS // 2:
            # Another one with each answer: a text with the date in it, say, is no version.
            self._forget(key, track)
            track.versions = {}
            self.mark_ambiguous(*key)
            return
        oldest = min(track.versions, key=lambda name: track.versions[name].last)
        del track.versions[oldest]
        self._changed.pop((*key, oldest), None)
        self._forgotten.append((*key, oldest))

    def _forget(self, key: TrackKey, track: _Track) -> None:
        for version in track.versions:
            self._changed.pop((*key, version), None)
        self._forgotten.append((*key, None))


def _absence(known: _Version, total: int) -> float:
    """Return how likely the answers since a version was seen last are, of a share known only from what was seen.

    The predictive probability of no success under a Beta posterior: after one sighting a thousand others say little.
    """
    others = total - 1 - known.last
    hidden = known.last - known.first + 2 - known.count
    log_chance = lgamma(hidden + others) + lgamma(known.count + hidden)
    return exp(log_chance - lgamma(hidden) - lgamma(known.count + hidden + others))
