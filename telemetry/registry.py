"""The registry: keeps the values of all instruments and exposes them. The only module that uses prometheus_client.

An answer changes some two hundred series, so they are plain dictionaries under one lock: the library's own instruments
took longer than everything else the agent does with an answer except scoring it. The library only writes the
exposition, at each scrape.

Every exposed value is finite, every label value of a slice comes from the slicer, which caps them, and no more slices
have series than the exposure says.
"""

from __future__ import annotations

import gzip
import math
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder, gzip_accepted
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from prometheus_client.samples import Exemplar
from prometheus_client.utils import floatToGoString

from gates.inputs.slices import OTHER
from scorers.base import Metric
from telemetry import instruments
from telemetry.exposure import Exposure
from telemetry.instrument import Instrument

MAX_EXEMPLAR_CHARS = 100
"""OpenMetrics allows 128 characters for an exemplar's names and values together."""

Labels = tuple[str, ...]


@dataclass(slots=True)
class _Distribution:
    """One series of a histogram: observations per bucket, their sum, and the newest exemplar of each bucket."""

    counts: list[int]
    total: float = 0.0
    exemplars: dict[int, Exemplar] = field(default_factory=dict)

    def copy(self) -> _Distribution:
        return _Distribution(list(self.counts), self.total, dict(self.exemplars))


class _Live:
    """One instrument and its series, by the values of its labels."""

    def __init__(self, instrument: Instrument, dimensions: Sequence[str]) -> None:
        self.instrument = instrument
        self.names = (*instrument.labels, *(dimensions if instrument.sliced else ()))
        self.bounds = instrument.buckets or ()
        self.values: dict[Labels, float] = {}
        self.distributions: dict[Labels, _Distribution] = {}
        if not self.names:
            # Without labels there is one series, and it exists from the start.
            if instrument.kind == "histogram":
                self.distribution(())
            else:
                self.values[()] = 0.0

    def distribution(self, labels: Labels) -> _Distribution:
        known = self.distributions.get(labels)
        if known is None:
            known = self.distributions[labels] = _Distribution([0] * (len(self.bounds) + 1))
        return known


class Telemetry:
    """The agent's instruments, safe to use from many threads.

    ``dimensions`` are the configured slice dimensions, in order; they label every sliced instrument. ``exposure`` says
    what has a series for each slice. ``clock`` returns Unix seconds, for exemplars.
    """

    def __init__(
        self,
        *,
        metrics: Sequence[Metric],
        dimensions: Sequence[str],
        version: str,
        exposure: Exposure | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.exposure = exposure or Exposure()
        self._dimensions = tuple(dimensions)
        self._clock = clock
        self._lock = threading.Lock()
        self._slices: set[Labels] = set()
        self._others = (OTHER,) * len(self._dimensions)
        self._live = {
            instrument.name: _Live(instrument, self._dimensions)
            for instrument in instruments.all_instruments(metrics, self.exposure)
        }
        self._registry = CollectorRegistry()
        self._registry.register(_Exposed(self._families))
        self.set(instruments.BUILD_INFO, 1, version)
        self.set(instruments.EXPOSED_SLICES_LIMIT, self.exposure.slices)

    def _labels(self, live: _Live, values: Labels, part: Labels) -> Labels:
        if live.instrument.sliced:
            values = (*values, *part)
        if len(values) != len(live.names):
            raise ValueError(f"{live.instrument.name} takes the labels {live.names}, not {values}")
        return values

    def _part(self, slice_: Mapping[str, str] | None) -> Labels:
        cut = slice_ or {}
        return tuple([cut.get(dimension, "") for dimension in self._dimensions])

    def _counted(self, live: _Live, values: Labels, slice_: Mapping[str, str] | None) -> Labels:
        """Return the labels under which something of a slice is counted: its own, or those of all others."""
        part = self._part(slice_)
        if live.instrument.sliced and slice_ and part not in self._slices:
            if len(self._slices) < self.exposure.slices:
                self._slices.add(part)
                self._live[instruments.EXPOSED_SLICES.name].values[()] = float(len(self._slices))
            else:
                part = self._others
        return self._labels(live, values, part)

    def add(self, instrument: Instrument, amount: float, *labels: str, slice_: Mapping[str, str] | None = None) -> None:
        """Raise a counter by ``amount`` >= 0; an amount of 0 makes the series visible."""
        live = self._live[instrument.name]
        if not 0 <= amount < math.inf:
            raise ValueError(f"{instrument.name}: cannot add {amount}")
        with self._lock:
            key = self._counted(live, labels, slice_)
            live.values[key] = live.values.get(key, 0.0) + amount

    def set(self, instrument: Instrument, value: float, *labels: str, slice_: Mapping[str, str] | None = None) -> None:
        """Set a gauge."""
        live = self._live[instrument.name]
        key = self._labels(live, labels, self._part(slice_))
        with self._lock:
            live.values[key] = _finite(instrument, value)

    def observe(
        self,
        instrument: Instrument,
        value: float,
        *labels: str,
        slice_: Mapping[str, str] | None = None,
        trace_id: str | None = None,
    ) -> None:
        """Add one observation to a histogram, with the trace id as its exemplar."""
        live = self._live[instrument.name]
        bucket = bisect_left(live.bounds, _finite(instrument, value))
        with self._lock:
            key = self._counted(live, labels, slice_)
            into = live.distribution(key)
            into.counts[bucket] += 1
            into.total += value
            if trace_id and len(trace_id) <= MAX_EXEMPLAR_CHARS:
                into.exemplars[bucket] = Exemplar({"trace_id": trace_id}, value, self._clock())

    def replace(self, instrument: Instrument, rows: Iterable[tuple[Labels, Mapping[str, str], float]]) -> None:
        """Set a gauge to exactly these rows of (labels, slice, value); all other series of it disappear."""
        live = self._live[instrument.name]
        wanted = {
            self._labels(live, labels, self._part(slice_)): _finite(instrument, value) for labels, slice_, value in rows
        }
        with self._lock:
            live.values = wanted

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """Return the exposition and its content type; OpenMetrics (with exemplars) if ``accept`` asks for it.

        An invalid version (``version=abc``) gets the text format.
        """
        try:
            encoder, content_type = choose_encoder(accept)
        except TypeError:
            encoder, content_type = choose_encoder("")
        return encoder(self._registry), content_type

    def scrape(self, accept: str, accept_encoding: str) -> tuple[bytes, dict[str, str]]:
        """Return the exposition in the encoding that a scraper accepts, and the headers of the response."""
        body, content_type = self.exposition(accept)
        headers = {"Content-Type": content_type, "Vary": "Accept, Accept-Encoding"}
        if gzip_accepted(accept_encoding):
            body = gzip.compress(body, mtime=0)
            headers["Content-Encoding"] = "gzip"
        return body, headers

    def _families(self) -> Iterator[Family]:
        with self._lock:
            self._live[instruments.EXPOSED_SERIES.name].values[()] = float(sum(map(_series, self._live.values())))
        for live in self._live.values():
            # Copied under the lock and written without it: steps do not wait for a scrape.
            with self._lock:
                values = dict(live.values)
                distributions = {labels: each.copy() for labels, each in live.distributions.items()}
            yield _family(live, values, distributions)


class _Exposed(Collector):
    """What the library collects from when it writes an exposition."""

    def __init__(self, families: Callable[[], Iterable[Family]]) -> None:
        self._families = families

    def collect(self) -> Iterable[Family]:
        return self._families()

    def describe(self) -> Iterable[Family]:
        return ()


def _family(live: _Live, values: Mapping[Labels, float], distributions: Mapping[Labels, _Distribution]) -> Family:
    instrument = live.instrument
    match instrument.kind:
        case "counter":
            # The library adds the suffix to the family's name.
            family = Family(instrument.name.removesuffix("_total"), instrument.help, "counter")
        case "histogram":
            family = Family(instrument.name, instrument.help, "histogram")
        case "gauge" | "info":
            family = Family(instrument.name, instrument.help, "gauge")
    for labels, value in values.items():
        family.add_sample(instrument.name, _named(live, labels), value)
    ends = [floatToGoString(bound) for bound in (*live.bounds, math.inf)]  # type: ignore[no-untyped-call]
    for labels, each in distributions.items():
        named = _named(live, labels)
        count = 0
        for bucket, end in enumerate(ends):
            count += each.counts[bucket]
            family.add_sample(
                f"{instrument.name}_bucket", {**named, "le": end}, count, exemplar=each.exemplars.get(bucket)
            )
        family.add_sample(f"{instrument.name}_count", named, count)
        family.add_sample(f"{instrument.name}_sum", named, each.total)
    return family


def _series(live: _Live) -> int:
    """Return how many series are written of an instrument: of a histogram its buckets, its count and its sum."""
    return len(live.values) + len(live.distributions) * (len(live.bounds) + 3)


def _named(live: _Live, labels: Labels) -> dict[str, str]:
    """Return labels by name, without dimensions that the slice lacks: Prometheus has no empty labels."""
    own = len(live.instrument.labels)
    return {
        name: value for place, (name, value) in enumerate(zip(live.names, labels, strict=True)) if value or place < own
    }


def _finite(instrument: Instrument, value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{instrument.name}: {value} is not finite")
    return value


def samples(exposition: str) -> Mapping[str, Sequence[tuple[Mapping[str, str], float]]]:
    """Return the series of an exposition with their labels and values, by name. Raises `ValueError` for what is none.

    >>> samples('groundwire_pending{stage="score"} 3.0')
    {'groundwire_pending': [({'stage': 'score'}, 3.0)]}
    """
    found: dict[str, list[tuple[Mapping[str, str], float]]] = {}
    for family in text_string_to_metric_families(exposition):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((sample.labels, sample.value))
    return found
