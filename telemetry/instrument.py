"""What an instrument is, and the instrument that exposes the values of a metric.

Names follow the Prometheus conventions (base units, ``_total`` on counters):
https://prometheus.io/docs/practices/naming/
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorers.base import Metric, Unit

InstrumentKind = Literal["counter", "gauge", "histogram", "info"]

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
SCORING_SECONDS = (0.001, 0.01, 0.1, 1.0, 5.0)
"""Coarse, as every metric has them: whether a scorer is fast, slow, or at its limit of time."""
TOKENS = (64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0, 32768.0, 65536.0)
SECONDS_A_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Instrument:
    """One instrument. ``sliced`` adds a label per configured slice dimension after ``labels``.

    ``name`` is the name as exposed, ``_total`` included.
    """

    name: str
    kind: InstrumentKind
    help: str
    labels: tuple[str, ...] = ()
    sliced: bool = False
    buckets: tuple[float, ...] | None = None


def counter(name: str, help: str, *labels: str, sliced: bool = False) -> Instrument:  # noqa: A002 - Prometheus's word
    """Return a counter with these labels."""
    return Instrument(name, "counter", help, labels, sliced)


def gauge(name: str, help: str, *labels: str, sliced: bool = False) -> Instrument:  # noqa: A002 - Prometheus's word
    """Return a gauge with these labels."""
    return Instrument(name, "gauge", help, labels, sliced)


def histogram(name: str, help: str, *labels: str, buckets: tuple[float, ...]) -> Instrument:  # noqa: A002 - its word
    """Return a histogram with these labels and upper bounds of its buckets."""
    return Instrument(name, "histogram", help, labels, buckets=buckets)


def exposed_unit(metric: Metric) -> tuple[Unit, float]:
    """Return the unit in which a metric's histogram is exposed, and how many of it are one of the metric's.

    Prometheus has base units: times are seconds there, whatever a metric counts in.
    """
    return ("seconds", SECONDS_A_DAY) if metric.unit == "days" else (metric.unit, 1.0)


def quality_instrument(metric: Metric, *, sliced: bool = False) -> Instrument:
    """Return the histogram that exposes the values of ``metric``, one observation a scored answer.

    A name that ends with its unit (``source_age_days``) does not get it twice, and a dot in one is no part of a name
    in Prometheus.
    """
    unit, size = exposed_unit(metric)
    name = f"rag_{metric.name.removesuffix(f'_{metric.unit}').replace('.', '_')}_{unit}"
    buckets = tuple(bound * size for bound in metric.buckets)
    return Instrument(name, "histogram", metric.help, sliced=sliced, buckets=buckets)
