"""PromQL as boards and rules write it. Ratios are sums over sums, and a mean of nothing is no data.

Source: https://prometheus.io/docs/prometheus/latest/querying/basics/
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from telemetry import instruments
from telemetry.instrument import Instrument

RATE_INTERVAL = "$__rate_interval"
"""The range Grafana picks so that a rate always spans several scrapes."""

ANY: Mapping[str, str] = MappingProxyType({})
"""No condition on labels: every series."""


def matchers(pairs: Mapping[str, str]) -> str:
    """Return ``{label<op>"value",...}`` from label to operator and value, nothing for none.

    >>> matchers({"metric": '="claim_support"', "domain": '=~"$domain"'})
    '{metric="claim_support",domain=~"$domain"}'
    """
    return "{" + ",".join(f"{label}{test}" for label, test in pairs.items()) + "}" if pairs else ""


def chosen(dimensions: Iterable[str]) -> dict[str, str]:
    """Return matchers that hold a board's series to the values chosen in its variables.

    >>> chosen(["domain"])
    {'domain': '=~"$domain"'}
    """
    return {dimension: f'=~"${dimension}"' for dimension in dimensions}


def total(by: Iterable[str], vector: str, *, operator: str = "sum") -> str:
    """Return ``vector`` aggregated over everything but ``by``.

    >>> total(["stage"], "up"), total([], "up", operator="max")
    ('sum by (stage) (up)', 'max(up)')
    """
    labels = ", ".join(by)
    return f"{operator} by ({labels}) ({vector})" if labels else f"{operator}({vector})"


def lowest(by: Iterable[str], gauge: Instrument, pairs: Mapping[str, str] = ANY) -> str:
    """Return the lowest value of a gauge over everything but ``by``."""
    return total(by, gauge.name + matchers(pairs), operator="min")


def highest(by: Iterable[str], gauge: Instrument, pairs: Mapping[str, str] = ANY) -> str:
    """Return the highest value of a gauge over everything but ``by``."""
    return total(by, gauge.name + matchers(pairs), operator="max")


def age(timestamp: str) -> str:
    """Return the seconds since a timestamp.

    >>> age("process_start_time_seconds")
    '(time() - process_start_time_seconds)'
    """
    return f"(time() - {timestamp})"


def rate(instrument: Instrument, window: str, pairs: Mapping[str, str] = ANY, *, suffix: str = "") -> str:
    """Return the rate per second of a counter, or of a part of a histogram.

    >>> rate(instruments.REQUESTS, "5m")
    'rate(groundwire_receive_requests_total[5m])'
    """
    return f"rate({instrument.name}{suffix}{matchers(pairs)}[{window}])"


def increase(counter: Instrument, window: str, pairs: Mapping[str, str] = ANY) -> str:
    """Return by how much a counter rose within a window."""
    return f"increase({counter.name}{matchers(pairs)}[{window}])"


def share(part: str, whole: str, *, on: str = "") -> str:
    """Return ``part / whole`` where the whole is above zero: 0/0 would be NaN."""
    return f"{part} / {on}({whole} > 0)"


def mean(by: Iterable[str], window: str, pairs: Mapping[str, str] = ANY) -> str:
    """Return the mean of the metrics matched over all traffic: an answer weighs one over its inclusion probability."""
    labels = tuple(by)
    scores = total(labels, rate(instruments.WEIGHTED_SCORES, window, pairs))
    answers = total(labels, rate(instruments.WEIGHTED_ANSWERS, window, pairs))
    return share(scores, answers)


def quantile(q: float, histogram: Instrument, by: Iterable[str] = (), pairs: Mapping[str, str] = ANY) -> str:
    """Return a quantile of a histogram over Grafana's range, interpolated within its buckets."""
    return f"histogram_quantile({q}, {total(('le', *by), rate(histogram, RATE_INTERVAL, pairs, suffix='_bucket'))})"


def runnable(expression: str, dimensions: Iterable[str], *, window: str = "5m") -> str:
    """Return ``expression`` with a board's variables filled in: every value of every dimension, rates over ``window``.

    >>> runnable('rate(rag_answers_total{domain=~"$domain"}[$__rate_interval])', ["domain"])
    'rate(rag_answers_total{domain=~".*"}[5m])'
    """
    filled = expression.replace(RATE_INTERVAL, window)
    for dimension in dimensions:
        filled = re.sub(rf"\${dimension}\b", ".*", filled)
    return filled
