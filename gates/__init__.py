"""Gates: statistics and decisions over scores. One gate, one file, and one line in `GATES` and in `AnyGate`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gates.base import Gate
from gates.slices import Dimension
from gates.threshold import ThresholdGate
from scorers.base import Metric

GATES: tuple[type[Gate], ...] = (ThresholdGate,)
"""Every gate there is."""

AnyGate = ThresholdGate
"""What a gate in a configuration file may be. From the second gate on: a union discriminated by ``type``."""


def problems(
    gates: Sequence[Gate], metrics: Iterable[Metric], dimensions: Sequence[Dimension]
) -> Iterator[tuple[str, str]]:
    """Yield ``(path, what is wrong)`` of gates that cannot work with what is scored and how traffic is cut.

    The fields of one gate are checked when it is built; this checks what only the whole configuration shows.

    >>> gate = ThresholdGate(type="threshold", name="stale", metric="stale_source_use", at_most=0.1, by=("domain",))
    >>> for problem in problems([gate], [], [Dimension(name="service")]):
    ...     print(problem)
    ('gates[0].metric', "no scorer gives 'stale_source_use'; there are: none")
    ('gates[0].by[0]', "no slice dimension 'domain'; there are: service")
    """
    known = {metric.name: metric for metric in metrics}
    names = frozenset(dimension.name for dimension in dimensions)
    seen: set[str] = set()
    for i, gate in enumerate(gates):
        if gate.name in seen:
            yield f"gates[{i}].name", f"another gate is named {gate.name!r} already"
        seen.add(gate.name)
        for field, message in gate.problems(known, names):
            yield f"gates[{i}].{field}", message
