"""What fails is held against its failed level, until its recovery is shown: `gates.evidence.recovery`, for many."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence import clusters, detector, recovery
from gates.evidence.arrays import Floats, Integers
from gates.evidence.recovery import Balance
from gates.monitoring.bets import Bet
from gates.monitoring.detectors import DetectorTable
from gates.monitoring.rules import Rules
from gates.windowing.watermark import UNKNOWN


def recover(
    table: DetectorTable,
    bet: Bet,
    since: Integers,
    rules: Rules,
    least: ArrayLike = recovery.LEAST_SHIFT,
    *,
    spared: bool = True,
) -> Integers:
    """Bet on the recovery of detectors that fail, end what has recovered, and return which did.

    ``since`` is the tick until which each detector was updated before, ``least`` the smallest fault of each; without
    ``spared`` answers may not be worse than their level. Late answers of before an alarm say nothing of what came
    after it.
    """
    there = table.failing[bet.row] & bet.ready & (bet.own > table.alarmed[bet.row])
    if not there.any():
        return bet.row[:0]
    bet = bet.taken(there)
    begin = np.flatnonzero(clusters.begins(bet.row))
    rows = bet.row[begin]
    with np.errstate(over="ignore"):
        product = np.multiply.reduceat(factor(bet, table.shift[bet.row]), begin, axis=0)
    elapsed = np.minimum(bet.number + 1 - since[rows], rules.week)
    evidence = detector.advance(table.proof[rows], elapsed * (7.0 / rules.week), product)
    level = detector.level(evidence)
    v = bet.weight / bet.sizes.heaviest
    gains = (v * (bet.loss - bet.sizes.level), v * v * bet.sizes.variance, v * _unit(bet))
    table.proof[rows] = evidence
    table.balance[rows] += np.stack([np.add.reduceat(gain, begin) for gain in gains], axis=1)
    balance, waited = Balance(*table.balance[rows].T), table.waited[rows]
    enough = (level >= recovery.NEEDED) | (waited > 0.0) & (level >= 1.0)
    table.waited[rows[enough]] += np.diff(np.append(begin, len(bet.row)))[enough]
    smaller, lasting = rows[recovery.smaller(enough, balance)], rows[level < 1.0]
    table.fault[lasting] += table.balance[lasting]
    table.fault[smaller] = table.balance[smaller]
    smallest = np.broadcast_to(np.asarray(least, dtype=np.float64), table.shift.shape)[rows]
    table.shift[rows] = recovery.shift(Balance(*table.fault[rows].T), smallest)
    table.proof[smaller] = table.balance[smaller] = 0.0
    table.balance[lasting] = 0.0
    table.waited[smaller] = table.waited[lasting] = 0.0
    shown = recovery.shown(enough, waited, balance, spared=spared)
    recovered: Integers = rows[shown & (bet.number - table.alarmed[rows] >= rules.hold)]
    end(table, recovered)
    table.recovered[recovered] = bet.number
    return recovered


def end(table: DetectorTable, rows: Integers) -> None:
    """Let detectors no longer fail, and begin from nothing."""
    table.failing[rows] = False
    table.evidence[rows] = table.proof[rows] = table.balance[rows] = 0.0
    table.fault[rows] = 0.0
    table.level[rows] = table.shift[rows] = table.waited[rows] = 0.0
    table.onset[rows], table.rise[rows] = UNKNOWN, 0.0


def _unit(bet: Bet) -> Floats:
    return np.minimum(bet.sizes.q0, 1.0 - bet.sizes.q0)


def factor(bet: Bet, shift: Floats) -> Floats:
    """Return the factor of each answer: what a cluster has shown of being better lowers the level of the next."""
    sizes, deviation = bet.sizes, bet.deviation
    fault = shift * _unit(bet)
    lowered = sum(clusters.expected_excess(each.n, fault / deviation - each.mean, each.icc) for each in bet.shown)
    failed = sizes.level + fault
    against = np.maximum(failed - lowered * deviation, 0.0)
    lam = recovery.bets(
        sizes.level,
        failed,
        against,
        sizes.variance * sizes.square / sizes.heaviest**2,
        scale=sizes.mean / sizes.heaviest,
    )
    gain = bet.weight / sizes.heaviest * (against - bet.loss)
    return np.asarray(1.0 + bet.legal_returns(lam, against) * gain[:, None])
