"""The one module that speaks to prometheus_client: turns the instrument catalogue into live instruments.

Everything exposed is finite, and every label value of a slice comes from the slicer, which caps it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics import MetricWrapperBase

from dashboards import instruments
from dashboards.instruments import Instrument
from scorers.base import Metric

MAX_EXEMPLAR_CHARS = 100
"""OpenMetrics allows 128 characters for an exemplar's names and values together."""


class Telemetry:
    """The agent's instruments, in a registry of their own.

    ``dimensions`` are the configured slice dimensions, in order; they label every sliced instrument.
    """

    def __init__(self, *, metrics: Sequence[Metric], dimensions: Sequence[str], version: str) -> None:
        # A creation time for each series would double their number and tell what Prometheus sees at a restart anyway.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        self._dimensions = tuple(dimensions)
        self._live: dict[str, MetricWrapperBase] = {}
        for instrument in instruments.all_instruments(metrics):
            self._live[instrument.name] = self._make(instrument)
        self.set(instruments.BUILD_INFO, 1, version)

    def _make(self, instrument: Instrument) -> MetricWrapperBase:
        labels = (*instrument.labels, *(self._dimensions if instrument.sliced else ()))
        match instrument.kind:
            case "counter":
                return Counter(instrument.name, instrument.help, labels, registry=self._registry)
            case "histogram":
                buckets = instrument.buckets or Histogram.DEFAULT_BUCKETS
                return Histogram(instrument.name, instrument.help, labels, buckets=buckets, registry=self._registry)
            case "gauge" | "info":
                return Gauge(instrument.name, instrument.help, labels, registry=self._registry)

    def _labels(
        self, instrument: Instrument, values: Sequence[str], slice_: Mapping[str, str] | None
    ) -> tuple[str, ...]:
        if not instrument.sliced:
            return tuple(values)
        cut = slice_ or {}
        return (*values, *(cut.get(dimension, "") for dimension in self._dimensions))

    def _child(
        self, instrument: Instrument, values: Sequence[str], slice_: Mapping[str, str] | None
    ) -> MetricWrapperBase:
        live = self._live[instrument.name]
        labels = self._labels(instrument, values, slice_)
        return live.labels(*labels) if labels else live

    def add(self, instrument: Instrument, amount: float, *labels: str, slice_: Mapping[str, str] | None = None) -> None:
        """Raise a counter by ``amount`` >= 0; an amount of 0 makes the series visible."""
        cast("Counter", self._child(instrument, labels, slice_)).inc(_finite(instrument, amount))

    def set(self, instrument: Instrument, value: float, *labels: str, slice_: Mapping[str, str] | None = None) -> None:
        """Set a gauge."""
        cast("Gauge", self._child(instrument, labels, slice_)).set(_finite(instrument, value))

    def observe(
        self,
        instrument: Instrument,
        value: float,
        *labels: str,
        slice_: Mapping[str, str] | None = None,
        trace_id: str | None = None,
    ) -> None:
        """Add one observation to a histogram, with the trace id as its exemplar."""
        exemplar = {"trace_id": trace_id} if trace_id and len(trace_id) <= MAX_EXEMPLAR_CHARS else None
        cast("Histogram", self._child(instrument, labels, slice_)).observe(_finite(instrument, value), exemplar)

    def replace(self, instrument: Instrument, rows: Iterable[tuple[tuple[str, ...], Mapping[str, str], float]]) -> None:
        """Set a gauge to exactly ``rows`` of (labels, slice, value): series of slices that are gone disappear."""
        live = self._live[instrument.name]
        wanted = {
            self._labels(instrument, labels, slice_): _finite(instrument, value) for labels, slice_, value in rows
        }
        names = (*instrument.labels, *(self._dimensions if instrument.sliced else ()))
        for metric in live.collect():
            for sample in metric.samples:
                key = tuple(sample.labels[name] for name in names)
                if key not in wanted:
                    live.remove(*key)
        for key, value in wanted.items():
            cast("Gauge", live.labels(*key)).set(value)

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """Return the exposition and its content type; OpenMetrics (with exemplars) where ``accept`` asks for it.

        A version nobody can compare (``version=abc``) is answered in the text format.
        """
        try:
            encoder, content_type = choose_encoder(accept)
        except TypeError:
            encoder, content_type = choose_encoder("")
        return encoder(self._registry), content_type


def _finite(instrument: Instrument, value: float) -> float:
    if not math.isfinite(value):
        msg = f"{instrument.name} was given {value}"
        raise ValueError(msg)
    return value
