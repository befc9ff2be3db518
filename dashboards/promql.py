"""PromQL as boards and rules write it. Ratios are sums over sums, and a mean of nothing is no data.

Source: https://prometheus.io/docs/prometheus/latest/querying/basics/
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from scorers.base import Metric
from telemetry import instruments
from telemetry.instrument import Instrument, quality_instrument

RATE_INTERVAL = "$__rate_interval"
"""The range Grafana picks so that a rate always spans several scrapes."""


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


def rate(instrument: Instrument, pairs: Mapping[str, str], window: str, *, suffix: str = "") -> str:
    """Return the rate per second of a counter, or of a part of a histogram.

    >>> rate(instruments.REQUESTS, {}, "5m")
    'rate(groundwire_receive_requests_total[5m])'
    """
    return f"rate({instrument.name}{suffix}{matchers(pairs)}[{window}])"


def increase(instrument: Instrument, pairs: Mapping[str, str], window: str) -> str:
    """Return by how much a counter rose in a window."""
    return f"increase({instrument.name}{matchers(pairs)}[{window}])"


def share(part: str, whole: str, *, on: str = "") -> str:
    """Return ``part / whole`` where the whole is more than nothing: never 0/0, which is NaN."""
    return f"{part} / {on}({whole} > 0)"


def mean(by: Iterable[str], pairs: Mapping[str, str], window: str) -> str:
    """Return the mean of the metrics matched over all traffic: an answer weighs one over its inclusion probability."""
    labels = tuple(by)
    scores = total(labels, rate(instruments.WEIGHTED_SCORES, pairs, window))
    answers = total(labels, rate(instruments.WEIGHTED_ANSWERS, pairs, window))
    return share(scores, answers)


def quantile(q: float, instrument: Instrument, pairs: Mapping[str, str], window: str, *, by: Iterable[str] = ()) -> str:
    """Return a quantile of a histogram, interpolated within its buckets."""
    return f"histogram_quantile({q}, {total(('le', *by), rate(instrument, pairs, window, suffix='_bucket'))})"


def score_quantile(q: float, metric: Metric, pairs: Mapping[str, str]) -> str:
    """Return a quantile of a metric's values over the scored answers, each counted once."""
    return quantile(q, quality_instrument(metric), pairs, RATE_INTERVAL)


def runnable(expression: str, dimensions: Iterable[str], *, window: str = "5m") -> str:
    """Return ``expression`` with a board's variables filled in: every value of every dimension, rates over ``window``.

    >>> runnable('rate(rag_answers_total{domain=~"$domain"}[$__rate_interval])', ["domain"])
    'rate(rag_answers_total{domain=~".*"}[5m])'
    """
    filled = expression.replace(RATE_INTERVAL, window)
    for dimension in dimensions:
        filled = re.sub(rf"\${dimension}\b", ".*", filled)
    return filled
