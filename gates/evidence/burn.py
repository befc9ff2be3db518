"""Error budgets and how fast they burn.

An objective of ``o`` allows a share ``1 - o`` of bad answers over a period. The burn rate is the share of bad answers
over the share allowed: at 1 the budget lasts the period exactly, at 14.4 an hour takes 2 % of 30 days'. A pair of
windows burns when both do, at its factor: the long window says that it matters, the short one that it still goes on.
Source: B. Beyer, N. R. Murphy, D. K. Rensin, K. Kawahara and S. Thorne (eds.), "The Site Reliability Workbook" (2018),
chapter 5, section 6 and table 5-8. This is budget accounting: it bounds no number of false alarms.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, NamedTuple

import numpy as np

from gates.evidence.arrays import Floats

Urgency = Literal["page", "ticket"]


class WindowPair(NamedTuple):
    """Two windows that must both burn at ``factor``."""

    factor: float
    long: timedelta
    short: timedelta
    severity: Urgency


PAIRS = (
    WindowPair(14.4, timedelta(hours=1), timedelta(minutes=5), "page"),
    WindowPair(6.0, timedelta(hours=6), timedelta(minutes=30), "page"),
    WindowPair(3.0, timedelta(days=1), timedelta(hours=2), "ticket"),
    WindowPair(1.0, timedelta(days=3), timedelta(hours=6), "ticket"),
)
"""The pairs of the workbook, the most urgent first."""


def rate(bad: Floats, total: Floats, objective: float) -> Floats:
    """Return burn rates; nothing burns where there is nothing.

    >>> rate(np.array([3.0, 0.0]), np.array([100.0, 0.0]), 0.99).round(6).tolist()
    [3.0, 0.0]
    """
    return np.where(total > 0.0, bad / np.maximum(total, 1e-300), 0.0) / (1.0 - objective)


def left(bad: Floats, total: Floats, objective: float) -> Floats:
    """Return the share of the budget that is left, 1 where nothing was served; below 0 it is overspent.

    >>> left(np.array([0.5, 2.0]), np.array([100.0, 100.0]), 0.99).round(6).tolist()
    [0.5, -1.0]
    """
    return 1.0 - rate(bad, total, objective)
