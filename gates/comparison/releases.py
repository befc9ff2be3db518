"""Which release each slice is judged with: a comparison for each candidate, over the slices that have it.

A slice keeps its comparison until a candidate comes that it has not had. That ends it there, and wherever the version
was announced for; an announcement of one service leaves those of others as they are. Of a version that nobody
announced it is not known where it is brought out, so it ends all comparisons: in a slice that is still to see it,
answers of the baseline alone, at the new share of traffic, would be no evidence about the candidate of before.

Slices with the same candidate are one comparison, which errs with the probability that is allowed for a release. One
that has gone on to another candidate leaves behind what it has shown (`gates.evidence.stakes`), and may come back
only to a comparison of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gates.base.verdict import SliceVerdict
from gates.comparison import arms, concurrent
from gates.comparison.arms import Comparison, ComparisonRules
from gates.comparison.cells import ComparisonLayout
from gates.evidence.arrays import Bools, Integers
from gates.inputs.changes import Change
from gates.inputs.slices import Slice
from gates.windowing.series import SeriesIndex
from gates.windowing.watermark import UNKNOWN, Arrivals, by_tick


@dataclass(frozen=True, slots=True)
class ComparedRelease:
    """The release of a slice: the place of its comparison, ``None`` while it awaits a candidate.

    ``seen`` are the candidates that it had, ``expected`` is the version that was announced last for it.
    """

    comparison: int | None = None
    seen: tuple[str, ...] = ()
    expected: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """The state: comparisons that some slice is judged with, in the order they began, and the release of each slice.

    ``announced`` are all versions that ever were.
    """

    each: tuple[Comparison, ...] = ()
    releases: Mapping[Slice, ComparedRelease] = field(default_factory=dict)
    announced: frozenset[str] = frozenset()

    @property
    def candidates(self) -> frozenset[str]:
        """The versions of the candidates; "" of one that does not tell."""
        return frozenset(one.candidate for one in self.each)

    @property
    def candidate(self) -> str | None:
        """The version of the candidate, where all slices have the same, and it is known."""
        return next(iter(self.candidates)) or None if len(self.candidates) == 1 else None

    @property
    def baseline(self) -> str | None:
        """The version that the candidate is compared with, where it is one, and known."""
        versions = {one.baseline for one in self.each}
        return versions.pop() if len(self.candidates) == 1 and len(versions) == 1 else None

    def places(self, slices: Sequence[Slice]) -> Integers:
        """Return the place of the comparison of each slice, `UNKNOWN` where it has none."""
        known = (self.releases.get(slice_, ComparedRelease()).comparison for slice_ in slices)
        return np.array([UNKNOWN if place is None else place for place in known], np.int64)

    def under_way(self, index: SeriesIndex) -> bool:
        """Whether a slice has answers of both arms of its release."""
        places = self.places([slice_ for slice_, _ in index.epochs])
        return any(
            bool((one.slices.compared & (places == place)[: len(one.slices.name)]).any())
            for place, one in enumerate(self.each)
        )

    def grown(self, layout: ComparisonLayout) -> Comparisons:
        """Return the state with room for these slices and strata."""
        return replace(self, each=tuple(one.grown(layout) for one in self.each))

    def noted(self, change: Change, touched: Bools, layout: ComparisonLayout, *, names: bool) -> Comparisons:
        """Return the state after a release was announced, of the component that ``names`` candidates or of another.

        Where answers name versions, those begin and end a comparison: what is announced may as well be the candidate
        that has come before, the baseline, or a model or prompt that the candidate brought. A version that is announced
        may only be a candidate once more. Without versions every release looks like the last one, and what is
        announced then is what tells them apart.
        """
        releases = dict(self.releases)
        for slice_ in {layout.slices[place] for place in np.flatnonzero(touched).tolist()} & releases.keys():
            known = releases[slice_]
            candidate = None if known.comparison is None else self.each[known.comparison].candidate
            if candidate == "":
                releases[slice_] = replace(known, comparison=None, seen=_without(known.seen, ""))
            elif names and change.version and change.version != candidate:
                releases[slice_] = replace(known, seen=_without(known.seen, change.version), expected=change.version)
        announced = self.announced | {change.version} if names and change.version else self.announced
        return _used(replace(self, releases=releases, announced=announced))

    def begun(self, fresh: Mapping[Slice, str], layout: ComparisonLayout) -> Comparisons:
        """Return the state in which slices are judged with these candidates, and others wherever these are served."""
        if not fresh:
            return self
        known = {version for release in self.releases.values() for version in release.seen}
        versions = dict.fromkeys(fresh.values())
        alone = [version for version in versions if version not in self.announced | known]
        ended: dict[Slice, str] = dict.fromkeys(self.releases, alone[-1]) if alone else {}
        ended |= {slice_: one.expected for slice_, one in self.releases.items() if one.expected in versions}
        each, releases = list(self.each), dict(self.releases)
        for slice_, version in sorted((ended | dict(fresh)).items()):
            release = releases.get(slice_, ComparedRelease())
            if version in release.seen:
                continue
            place = _joined(each, version, slice_, layout)
            if place == len(each):
                each.append(Comparison.of(layout, version))
            seen = tuple(sorted({*release.seen, version}))
            releases[slice_] = replace(release, comparison=place, seen=seen)
        return _used(replace(self, each=tuple(each), releases=releases))


def _used(state: Comparisons) -> Comparisons:
    """Return the state without comparisons that no slice is judged with."""
    used = sorted({one.comparison for one in state.releases.values() if one.comparison is not None})
    if len(used) == len(state.each):
        return state
    new = {old: place for place, old in enumerate(used)}
    releases = {
        slice_: one if one.comparison is None else replace(one, comparison=new[one.comparison])
        for slice_, one in state.releases.items()
    }
    return replace(state, each=tuple(state.each[place] for place in used), releases=releases)


def _without(seen: tuple[str, ...], version: str) -> tuple[str, ...]:
    return tuple(each for each in seen if each != version)


def _joined(each: Sequence[Comparison], version: str, slice_: Slice, layout: ComparisonLayout) -> int:
    """Return the place of the newest comparison of a candidate that a slice has shown nothing in, else the next one."""
    rows = [place for place, one in enumerate(layout.slices) if one == slice_]
    free = (
        place
        for place, one in reversed(list(enumerate(each)))
        if one.candidate == version and (one.slices.last[rows] == UNKNOWN).all()
    )
    return next(free, len(each))


def advance(state: Comparisons, rows: Arrivals, rules: ComparisonRules, layout: ComparisonLayout) -> Comparisons:
    """Return the state after these ticks; answers of another candidate than that of their slice are left out."""
    for number, part in by_tick(rows, rules.tick):
        state = state.begun(_fresh(state, part, layout), layout)
        places = state.places(layout.slices)[layout.epoch_of[part.series]]
        each = list(state.each)
        for place in np.unique(places[places != UNKNOWN]).tolist():
            each[place] = arms.advance(each[place], part.taken(places == place), number, rules, layout)
        state = replace(state, each=tuple(each))
    return state


def _fresh(state: Comparisons, rows: Arrivals, layout: ComparisonLayout) -> dict[Slice, str]:
    """Return the candidates that slices have not had, the last of each slice, in the order in which they came."""
    fresh: dict[Slice, str] = {}
    for slice_, version in _candidates(rows, layout):
        if version not in state.releases.get(slice_, ComparedRelease()).seen:
            fresh.pop(slice_, None)
            fresh[slice_] = version
    return fresh


def _candidates(rows: Arrivals, layout: ComparisonLayout) -> Iterator[tuple[Slice, str]]:
    """Yield the slices and versions of answers of a candidate, each pair where it comes first."""
    pairs: dict[tuple[Slice, str], None] = {}
    for series in dict.fromkeys(rows.series.tolist()):
        if (version := layout.candidates[series]) is not None:
            pairs.setdefault((layout.slices[layout.epoch_of[series]], version))
    yield from pairs


def judged(
    state: Comparisons, index: SeriesIndex, layout: ComparisonLayout, rules: ComparisonRules, *, min_answers: int
) -> list[SliceVerdict]:
    """Return the verdict over every slice with answers of both arms of its release, in the order of slices."""
    places = state.places(layout.slices)
    parts = [
        part
        for place, one in enumerate(state.each)
        if one.slices.compared.any()
        for part in concurrent.judged(one, index, layout, rules, places == place, min_answers=min_answers)
    ]
    return sorted(parts, key=lambda part: tuple(part.slice.items()))


def misrouted(state: Comparisons) -> str | None:
    """Return what is wrong with the clusters that answers name, as a sentence; ``None`` where nothing is seen of it."""
    return next(filter(None, map(concurrent.misrouted, state.each)), None)


def dumped(state: Comparisons, order: Sequence[int], cells: Sequence[int]) -> dict[str, Any]:
    """Return a state as JSON takes it, its slices and strata in the orders given."""
    return {
        "each": [arms.dumped(one, order, cells) for one in state.each],
        "releases": [
            [[list(pair) for pair in slice_], one.comparison, list(one.seen), one.expected]
            for slice_, one in sorted(state.releases.items())
        ],
        "announced": sorted(state.announced),
    }


def load(data: Mapping[str, Any], layout: ComparisonLayout) -> Comparisons:
    """Restore what `dumped` returned, for slices and strata in its order."""
    return Comparisons(
        each=tuple(arms.load(one, layout) for one in data["each"]),
        releases={
            _slice(pairs): ComparedRelease(place, tuple(seen), to) for pairs, place, seen, to in data["releases"]
        },
        announced=frozenset(data["announced"]),
    )


def _slice(pairs: Iterable[Sequence[str]]) -> Slice:
    return tuple((name, value) for name, value in pairs)
