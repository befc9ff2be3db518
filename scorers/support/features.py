"""All that is seen of a claim, one row of numbers a claim: what the model of support reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from scorers.statements.features import NAMES as STATED
from scorers.support import (
    absence,
    coverage,
    facts,
    figures,
    hours,
    names,
    order,
    polarity,
    ratings,
    shape,
    tables,
    wording,
)
from scorers.support.alignment import Alignment
from scorers.support.binding import NAMES as BOUND
from scorers.support.stated import NOTHING, Stated

FAMILIES = (coverage, absence, order, figures, names, polarity, facts, hours, ratings, wording, shape, tables)
"""One family of features a module, each with ``NAMES`` and ``features``."""

BESIDE = ("unseen", "best_window")
"""Features of a claim that its neighbours are shown too: what is invented comes in runs."""

SHARED = (*BESIDE, "figures_unseen", "names_unseen")
"""Features whose mean over the answer each of its claims is shown."""

AGAINST = (
    "fact_true_denied", "fact_false_said", "fact_false_choice_said", "fact_false_choice_grouped", "fact_null_said",
    "fact_null_denied", "fact_null_choice_said", "fact_group_denied", "hours_wrong", "hours_absent_day",
    "hours_nowhere", "rating_other", "praise_all_low",
)  # fmt: skip
"""Features that are rare each and say the same: the claim is not what the data says."""

ASTRAY = (
    "figures_unseen", "spelled_unseen", "dates_unseen", "clocks_unseen", "names_unseen", "figure_swapped",
    "unit_elsewhere", "comparison_differs", "opposites", "direction_differs", "gender_differs", "counted_new_spelled",
    "kin_gained", "figures_exchanged",
)  # fmt: skip
"""The same of prose: a figure, a name or a word that turns the claim is another."""

_OWN = tuple(name for family in FAMILIES for name in family.NAMES)

NAMES: tuple[str, ...] = (
    *_OWN,
    "against",
    "astray",
    *STATED,
    *BOUND,
    *(f"{name}_{of}" for of in ("before", "after") for name in BESIDE),
    *(f"{name}_mean" for name in SHARED),
)
"""The names of the columns of a row, in order."""

_COUNTED = tuple(itemgetter(*map(_OWN.index, names)) for names in (AGAINST, ASTRAY))
_SHARED = tuple(NAMES.index(name) for name in SHARED)


def rows(aligned: Sequence[Alignment], said: Sequence[Stated] = ()) -> list[list[float]]:
    """Return a row for each claim of one answer, the values of `NAMES`; ``said`` is what the context states of each."""
    return beside_others([own_values(*each) for each in zip(aligned, said or (NOTHING,) * len(aligned), strict=True)])


def own_values(aligned: Alignment, said: Stated) -> list[float]:
    """Return what is seen of one claim alone: the first values of its row."""
    values: list[float] = []
    for family in FAMILIES:
        values.extend(family.features(aligned))
    values.extend([sum([min(1.0, value) for value in chosen(values) if value], 0.0) for chosen in _COUNTED])
    values.extend(said.seen)
    values.extend(said.bound.values)
    return values


def beside_others(own: Sequence[list[float]]) -> list[list[float]]:
    """Return the rows of one answer's claims from what is seen of each alone (`own_values`)."""
    shared = [[values[i] for i in _SHARED] for values in own]
    mean = [sum(column) / len(shared) for column in zip(*shared, strict=True)] if shared else []
    shown = [values[: len(BESIDE)] for values in shared]
    none = [0.0] * len(BESIDE)
    return [
        [*values, *(shown[i - 1] if i else none), *(shown[i + 1] if i + 1 < len(own) else none), *mean]
        for i, values in enumerate(own)
    ]


class Named(Mapping[str, float]):
    """A row read by the names of its columns."""

    __slots__ = ("_row",)

    def __init__(self, row: Sequence[float]) -> None:
        self._row = row

    def __getitem__(self, name: str) -> float:
        return self._row[_AT[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


_AT = {name: at for at, name in enumerate(NAMES)}
