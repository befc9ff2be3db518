"""In which values of slices, versions and documents a change lies."""

from __future__ import annotations

import numpy as np

from gates.attribution.effects import LEAST_SHARE, View, rounded
from gates.attribution.report import Part
from gates.attribution.sample import UNTOLD, Sample
from gates.evidence import contrast
from gates.evidence.contrast import Contrast
from gates.inputs.observations import Bools

CONCENTRATED = 1.5
"""A value is told of when it has this many times the share of the change that it has of traffic."""
MAX_VALUES = 20
"""Values of one dimension that are looked at: the most frequent."""
MAX_LOOKED, MAX_TOLD = 100, 10
"""Values that are looked at and told of in all. More would share the error until nothing could be told."""
DOCUMENT = "document"


def parts(view: View, alpha: float) -> tuple[Part, ...]:
    """Return the values whose answers got worse or whose share of traffic moved the mean, the most of it first.

    A value is called worse wrongly with a probability of at most ``alpha``, over all that are looked at.
    """
    sample, after = view.sample, view.after
    sets = _values(sample)
    made = (contrast.matched(sample.weight, view.strata, some & after, some & ~after) for *_, some in sets)
    found = contrast.contrasts(sample.loss, sample.unit, made, alpha / (2 * max(1, len(sets))))
    told = [_part(view, *each, change) for each, change in zip(sets, found, strict=True)]
    ranked = sorted(
        (-max(part.figures.share or 0.0, moved), part.dimension, part.value, part)
        for part, moved in told
        if part.worse or moved >= LEAST_SHARE
    )
    return tuple(part for *_, part in ranked[:MAX_TOLD])


def _part(view: View, name: str, value: str, some: Bools, found: Contrast) -> tuple[Part, float]:
    among = view.sample.read if name == DOCUMENT else True
    was, is_ = (view.part(some, among=among, before=before) for before in (True, False))
    moved = (is_ - was) * (found.before.mean - view.total.before.mean) if found.before.n else 0.0
    carried = view.share(found.change * is_) if min(found.before.n, found.after.n) else 0.0
    part = Part(
        dimension=name,
        value=value,
        worse=found.lower > 0.0 and carried >= max(LEAST_SHARE, CONCENTRATED * is_),
        figures=view.figures(found, carried),
        share_before=rounded(was),
        share_after=rounded(is_),
        mix=rounded(moved if view.worse == "higher" else -moved),
    )
    return part, view.share(moved)


def _values(sample: Sample) -> list[tuple[str, str, Bools]]:
    """Return the most frequent documents and values, and which answers have them."""
    found: list[tuple[str, str, Bools]] = []
    if sample.documents:
        counts = np.bincount(sample.document, minlength=len(sample.documents))
        names = [sample.documents[place] for place in np.argsort(-counts, kind="stable")[:MAX_VALUES].tolist()]
        found += [(DOCUMENT, name, sample.given([name])) for name in names]
    for name, column in (*sample.slices.items(), *sample.versions.items()):
        if len(column.values) > 1 and len(found) < MAX_LOOKED:
            counts = np.bincount(column.code, minlength=len(column.values))
            places = np.argsort(-counts, kind="stable")[:MAX_VALUES].tolist()
            found += [(name, column.values[v], column.code == v) for v in places if column.values[v] != UNTOLD]
    return found[:MAX_LOOKED]
