"""Traffic that tests of gates make up: columns straight from arrays, quickly."""

import numpy as np

from gates.inputs.observations import ARMS, Batch, Group

TICK = 300_000_000
"""Five minutes, in microseconds."""
START = 5_952_096
"""The first tick of made-up time, the first of a day."""


def batch(slices, slice_of, tick, value, **columns):
    """Observations of the metric ``m``, spread over their ticks; ``slice_of`` points into ``slices``."""
    n = len(value)
    plain = {
        "probability": np.ones(n),
        "cluster": np.zeros(n, np.int64),
        "arm": np.full(n, ARMS[None]),
        "share": np.zeros(n),
    }
    versions = columns.pop("versions", ())
    return Batch(
        groups=tuple(Group("m", each, versions) for each in slices),
        group=np.asarray(slice_of, np.int64),
        at=(np.asarray(tick) + START) * TICK + np.arange(n) % 1000,
        value=np.asarray(value, float),
        **{**plain, **columns},
    )


def poisson(rng, rate, ticks, slices):
    """Slices and ticks of answers that come at ``rate`` a tick, in order of time."""
    counts = rng.poisson(rate, (len(ticks), slices))
    return (
        np.repeat(np.tile(np.arange(slices), len(ticks)), counts.ravel()),
        np.repeat(np.repeat(ticks, slices), counts.ravel()),
    )
