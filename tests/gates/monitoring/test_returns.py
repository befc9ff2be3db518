"""What fails is held against its failed level, tick by tick."""

import numpy as np
import pytest

from gates.evidence import detector, recovery
from gates.monitoring.bets import Bet, Sizes
from gates.monitoring.detectors import DetectorTable
from gates.monitoring.returns import recover
from tests.gates.test_drift import gate

LEVEL, FAULT, A_TICK = 0.02, 0.3, 4


def failed():
    """Return a detector that has failed at tick 0, of which three in ten answers were bad."""
    table = DetectorTable.empty(1)
    table.failing[:], table.alarmed[:], table.updated_at[:] = True, 0, 1
    table.shift[:] = (FAULT - LEVEL) / LEVEL
    table.fault[:] = 60 * (FAULT - LEVEL), 60 * LEVEL, 60 * LEVEL
    return table


def folded(table, number, losses):
    """Fold the losses of a tick, and return whether the recovery is shown."""
    many = len(losses)
    one, level = np.ones(many), np.full(many, LEVEL)
    spread = level * (1 - level)
    sizes = Sizes(level, level, one * 0.002, spread, spread, one, one, one)
    zero = np.zeros(many, np.int64)
    bet = Bet(number, np.full(many, number), zero, sizes, (), one, np.asarray(losses, float))
    return bool(recover(table, bet, np.array([number]), gate().rules).size)


def almost(table, bad):
    """Fold good answers, and so many bad ones, until evidence is enough; return the tick after that, if it is not over.

    Bad ones come where evidence has grown: what falls below what it began with begins anew.
    """
    number = 1
    while not table.waited[0]:
        worse = bad > 0 and detector.level(table.proof)[0] > 100.0
        bad -= int(worse)
        if folded(table, number, [float(worse), 0.0, 0.0, 0.0]):
            return None
        number += 1
    return number


@pytest.mark.parametrize("bad", [0, 2, 3, 4, 5])
def test_from_enough_evidence_on_a_few_bad_answers_too_many_hold_a_fail_for_less_than_a_hundred_answers(bad):
    table = failed()
    begun = number = almost(table, bad)
    assert (number is None) == (bad < 4), "with four the answers are worse than the level by more than a deviation"
    while number is not None and not folded(table, number, np.zeros(A_TICK)):
        number += 1
        assert (number - begun) * A_TICK < 100
    assert not table.failing[0]
    assert table.waited[0] == 0.0


def test_evidence_that_was_enough_and_is_gone_again_is_no_recovery():
    table = failed()
    number = almost(table, 4)
    while detector.level(table.proof)[0] >= 1.0:
        assert not folded(table, number, np.ones(A_TICK))
        number += 1
    assert table.failing[0]
    assert table.waited[0] == 0.0


def test_a_fault_that_has_become_smaller_is_held_against_its_new_size():
    table, sizes = failed(), []
    rng = np.random.default_rng(1)
    for number in range(1, 300):
        assert not folded(table, number, rng.random(A_TICK) < 0.12)
        sizes.append(float(table.shift[0]))
    assert sizes[-1] < sizes[0] / 2
    assert float(detector.level(table.proof)[0]) < recovery.NEEDED
