"""Good answers told by the label of their score, rather than by its value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, ValidationInfo

from adapters.caching import cached
from gates.evidence.arrays import Bools
from gates.inputs.observations import Batch, label_code
from scorers import SCORERS

MAX_LABELS = 16
GOOD = (
    "Labels of good answers, one or a list: then answers are counted by label, and the share of good ones is judged"
    " instead of the mean value."
)


@cached(maxsize=1)
def known_labels() -> Mapping[str, tuple[str, ...]]:
    """Return the labels of each scorer's metric that has any.

    >>> known_labels()["faithfulness"]
    ('supported', 'unsupported', 'contradicted')
    """
    return {each.metric.name: each.metric.labels for each in SCORERS if each.metric.labels}


def _known(given: str | tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    labels = (given,) if isinstance(given, str) else tuple(dict.fromkeys(given))
    if not 1 <= len(labels) <= MAX_LABELS:
        raise ValueError(f"expected 1 to {MAX_LABELS} labels")
    metric = info.data.get("metric", "")
    there = known_labels().get(metric)
    if metric and there is None:
        names = ", ".join(sorted(known_labels()))
        raise ValueError(f"{metric!r} has no labels to count by; metrics with labels: {names}")
    for label in labels:
        if there is not None and label not in there:
            raise ValueError(f"{label!r} is no label of {metric!r}; there are: {', '.join(there)}")
    if there is not None and set(there) <= set(labels):
        raise ValueError(f"these are all the labels of {metric!r}, so every answer would be good")
    return tuple(label for label in there or labels if label in labels)


GoodLabels = Annotated[str | tuple[str, ...], AfterValidator(_known)]
"""Labels as they are written in a configuration; a tuple once read, in the order of the metric's."""


def labels_in(given: Any) -> tuple[str, ...]:
    """Return the labels that an option says are good; none where it gives a value, or nothing.

    >>> labels_in(("supported",)), labels_in(0.5), labels_in(None)
    (('supported',), (), ())
    """
    return given if isinstance(given, tuple) else ()


def by_label(batch: Batch, mine: Bools, good: tuple[str, ...]) -> tuple[Bools, Bools]:
    """Return which rows of ``mine`` have a label, and which of all rows have a good one."""
    assert batch.label is not None
    codes = np.array([label_code(label) for label in good], np.int64)
    return mine & (batch.label != label_code(None)), np.isin(batch.label, codes)
