"""In which values of slices, versions and documents a change lies."""

from __future__ import annotations

import numpy as np

from gates.attribution.effects import LEAST_SHARE, Effects, rounded
from gates.attribution.report import Part
from gates.attribution.sample import UNKNOWN, Sample
from gates.evidence import contrast
from gates.evidence.arrays import Bools
from gates.evidence.contrast import Contrast

CONCENTRATED = 1.5
"""A value is reported when it has this many times the share of the change that it has of traffic."""
MAX_VALUES = 20
"""Values of one dimension that are looked at: the most frequent."""
MAX_LOOKED, MAX_REPORTED = 100, 10
"""Values that are looked at and reported in all. With more the error would be shared until nothing could be shown."""
DOCUMENT = "document"


def drill_down(effects: Effects, alpha: float) -> tuple[Part, ...]:
    """Return the values whose answers got worse or whose share of traffic moved the mean, the most of it first.

    A value is called worse wrongly with a probability of at most ``alpha``, over all that are looked at.
    """
    sample, after = effects.sample, effects.after
    sets = _values(sample)
    weights = (contrast.matched(sample.weight, effects.strata, some & after, some & ~after) for *_, some in sets)
    changes = contrast.contrasts(sample.loss, sample.unit, weights, alpha / (2 * max(1, len(sets))))
    parts = [_part(effects, *each, change) for each, change in zip(sets, changes, strict=True)]
    ranked = sorted(
        (-max(part.figures.share or 0.0, moved), part.dimension, part.value, part)
        for part, moved in parts
        if part.worse or moved >= LEAST_SHARE
    )
    return tuple(part for *_, part in ranked[:MAX_REPORTED])


def _part(effects: Effects, name: str, value: str, some: Bools, own: Contrast) -> tuple[Part, float]:
    among = effects.sample.documents_known if name == DOCUMENT else True
    was, is_ = (effects.traffic_share(some, among=among, before=before) for before in (True, False))
    moved = (is_ - was) * (own.before.mean - effects.total.before.mean) if own.before.n else 0.0
    carried = effects.share(own.change * is_) if min(own.before.n, own.after.n) else 0.0
    part = Part(
        dimension=name,
        value=value,
        worse=own.lower > 0.0 and carried >= max(LEAST_SHARE, CONCENTRATED * is_),
        figures=effects.figures(own, carried),
        share_before=rounded(was),
        share_after=rounded(is_),
        mix=rounded(moved if effects.worse == "higher" else -moved),
    )
    return part, effects.share(moved)


def _values(sample: Sample) -> list[tuple[str, str, Bools]]:
    """Return the most frequent documents and values, and which answers have them."""
    values: list[tuple[str, str, Bools]] = []
    if sample.documents:
        counts = np.bincount(sample.document, minlength=len(sample.documents))
        names = [sample.documents[place] for place in np.argsort(-counts, kind="stable")[:MAX_VALUES].tolist()]
        values += [(DOCUMENT, name, sample.with_documents([name])) for name in names]
    for name, column in (*sample.slices.items(), *sample.versions.items()):
        if len(column.values) > 1 and len(values) < MAX_LOOKED:
            counts = np.bincount(column.code, minlength=len(column.values))
            places = np.argsort(-counts, kind="stable")[:MAX_VALUES].tolist()
            values += [(name, column.values[v], column.code == v) for v in places if column.values[v] != UNKNOWN]
    return values[:MAX_LOOKED]
