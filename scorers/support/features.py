"""All that is seen of a claim, one row of numbers a claim: what the model of support reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorers.support import coverage, facts, figures, hours, names, order, polarity, ratings, shape, wording
from scorers.support.alignment import Alignment

FAMILIES = (coverage, order, figures, names, polarity, facts, hours, ratings, wording, shape)
"""One family of features a module, each with ``NAMES`` and ``features``."""

BESIDE = ("unseen", "best_window", "figures_unseen", "names_unseen")
"""Features of a claim that its neighbours are shown too: what is invented comes in runs."""

NAMES: tuple[str, ...] = (
    *(name for family in FAMILIES for name in family.NAMES),
    *(f"{name}_{of}" for of in ("before", "after", "mean") for name in BESIDE),
)
"""The names of the columns of a row, in order."""

_BESIDE = tuple(NAMES.index(name) for name in BESIDE)


def rows(aligned: Sequence[Alignment]) -> list[list[float]]:
    """Return a row for each claim of one answer, the values of `NAMES`."""
    own: list[list[float]] = []
    for each in aligned:
        values: list[float] = []
        for family in FAMILIES:
            values.extend(family.features(each))
        own.append(values)
    shown = [[values[i] for i in _BESIDE] for values in own]
    mean = [sum(column) / len(shown) for column in zip(*shown, strict=True)] if shown else []
    none = [0.0] * len(_BESIDE)
    return [
        [*values, *(shown[i - 1] if i else none), *(shown[i + 1] if i + 1 < len(own) else none), *mean]
        for i, values in enumerate(own)
    ]


def named(values: Sequence[float]) -> Mapping[str, float]:
    """Return a row with its names."""
    return dict(zip(NAMES, values, strict=True))
