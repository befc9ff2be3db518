"""Every Prometheus instrument of the agent, defined once in the module of its subject and registered by that.

The agent counts with them, the metric catalogue page documents them, boards and rules refer to them.
"""

# ruff: noqa: F403 - every instrument is found here, whatever its subject

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType

from scorers.base import Metric
from telemetry.exposure import Exposure
from telemetry.instrument import Instrument, quality_instrument
from telemetry.instruments import answers, canaries, catalog, gates, links, pipeline, receivers, store
from telemetry.instruments.answers import *
from telemetry.instruments.canaries import *
from telemetry.instruments.catalog import *
from telemetry.instruments.gates import *
from telemetry.instruments.links import *
from telemetry.instruments.pipeline import *
from telemetry.instruments.receivers import *
from telemetry.instruments.store import *


def defined(*subjects: ModuleType) -> tuple[Instrument, ...]:
    """Return the instruments that these modules define, in their order."""
    return tuple(value for subject in subjects for value in vars(subject).values() if isinstance(value, Instrument))


QUALITY = defined(answers)
GATES = defined(gates)
HEALTH = defined(receivers, links, pipeline, catalog, canaries, store)


def all_instruments(metrics: Iterable[Metric], exposure: Exposure | None = None) -> tuple[Instrument, ...]:
    """Return every instrument the agent has when these metrics are scored; by default all metrics are exposed."""
    chosen = exposure or Exposure()
    by_slice = {each for name, each in answers.DISTRIBUTIONS.items() if chosen.distribution(name)}
    return (
        *(replace(each, sliced=True) if each in by_slice else each for each in QUALITY),
        *(
            quality_instrument(metric, sliced=chosen.distribution(metric.name))
            for metric in metrics
            if chosen.metric(metric.name)
        ),
        *GATES,
        *HEALTH,
    )
