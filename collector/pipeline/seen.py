"""Which versions answers showed, so that a new one can be told from one that is served beside others.

A version is news when it is first seen of a component that was seen with another before. It is not news again while it
keeps coming, as in a rolling update or a canary beside its baseline. It is news again, as after a roll-back, when it
had gone: nothing showed it for a while, and so many answers showed others that, by the share it had, this is no chance.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
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
class _Known:
    """A version that was seen, as `SeenVersion` has it; ``kept_count`` and ``kept_at`` are what of it is kept."""

    count: int
    first: int
    last: int
    last_at: int
    kept_count: int = 0
    kept_at: int = 0


@dataclass(slots=True)
class _Track:
    """What was seen of one component: ``total`` answers, the newest of them ``newest_at``."""

    total: int = 0
    newest_at: int = 0
    versions: dict[str, _Known] = field(default_factory=dict)


class Memory:
    """The versions seen, bounded. ``gone`` is how long (ns) a version must not have been seen to be gone."""

    def __init__(self, rows: Sequence[SeenVersion], *, gone: int) -> None:
        self._gone = gone
        self._tracks: OrderedDict[Key, _Track] = OrderedDict()
        self._changed: dict[tuple[str, str, str], None] = {}
        self._forgotten: list[Row] = []
        for row in rows:
            track = self._tracks.setdefault((row.component, row.scope), _Track())
            self._tracks.move_to_end((row.component, row.scope))
            track.total = max(track.total, row.last)
            track.newest_at = max(track.newest_at, row.last_at)
            track.versions[row.version] = _Known(row.count, row.first, row.last, row.last_at, row.count, row.last_at)

    def observe(self, component: str, scope: str, versions: Iterable[str], at: int) -> list[News]:
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
            if known.last_at - known.kept_at >= _KEPT_AGAIN or known.count >= 2 * known.kept_count:
                self._changed[component, scope, version] = None
        return self._begun(key, track, sorted(fresh), at, silent=first or past) if fresh else []

    def mark_ambiguous(self, component: str, scope: str) -> None:
        """Note that a component shows several versions at once: none of them is ever news again."""
        track = self._tracks.get((component, scope)) or self._begin((component, scope))
        if AMBIGUOUS not in track.versions:
            self._note((component, scope), track, AMBIGUOUS, track.newest_at)

    def changes(self) -> tuple[list[SeenVersion], list[Row]]:
        """Return what is to be kept that is not yet, and what is to be forgotten."""
        rows: list[SeenVersion] = []
        for component, scope, version in self._changed:
            known = self._tracks[component, scope].versions[version]
            at = Nanoseconds(known.last_at)
            rows.append(SeenVersion(component, scope, version, known.count, known.first, known.last, at))
        return rows, list(self._forgotten)

    def kept(self, rows: Sequence[SeenVersion], forgotten: Sequence[Row]) -> None:
        """Note that ``rows`` are kept and ``forgotten`` is removed: what `changes` returned last."""
        for row in rows:
            known = self._tracks[row.component, row.scope].versions[row.version]
            known.kept_count, known.kept_at = row.count, row.last_at
            del self._changed[row.component, row.scope, row.version]
        self._forgotten = self._forgotten[len(forgotten) :]

    def _begin(self, key: Key) -> _Track:
        track = self._tracks[key] = _Track()
        if len(self._tracks) > MAX_TRACKS:
            oldest, gone = self._tracks.popitem(last=False)
            self._forget(oldest, gone)
        return track

    def _begun(self, key: Key, track: _Track, fresh: Sequence[str], at: int, *, silent: bool) -> list[News]:
        """Remember versions from here on, and return them as news unless they are ``silent``."""
        ranked = ((known.last_at, known.last, version) for version, known in track.versions.items())
        *_, newest = max(ranked, default=(None,))
        found: list[News] = []
        for version in fresh:
            self._note(key, track, version, at)
            if AMBIGUOUS in track.versions:
                return []
            found.append(News(key[0], version, newest if newest != version else None))
        return [] if silent else found

    def _note(self, key: Key, track: _Track, version: str, at: int) -> None:
        track.versions[version] = _Known(1, track.total, track.total, at)
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

    def _forget(self, key: Key, track: _Track) -> None:
        for version in track.versions:
            self._changed.pop((*key, version), None)
        self._forgotten.append((*key, None))


def _absence(known: _Known, total: int) -> float:
    """Return how likely the answers since a version was seen last are, of a share known only from what was seen.

    The predictive probability of no success under a Beta posterior: after one sighting a thousand others say little.
    """
    others = total - 1 - known.last
    hidden = known.last - known.first + 2 - known.count
    log_chance = lgamma(hidden + others) + lgamma(known.count + hidden)
    return exp(log_chance - lgamma(hidden) - lgamma(known.count + hidden + others))
