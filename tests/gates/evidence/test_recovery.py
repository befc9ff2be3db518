import numpy as np
import pytest

from gates.evidence import recovery
from gates.evidence.recovery import PATIENCE, Balance

ENOUGH = np.array([True])
NOW, LATER = np.zeros(1), np.full(1, PATIENCE)


def balance(failed, n, level=0.02):
    """Return the balance of ``n`` answers of which so many failed, against a level."""
    return Balance(
        np.array([failed - n * level]), np.array([n * level * (1 - level)]), np.array([n * min(level, 1 - level)])
    )


@pytest.mark.parametrize(("failed", "n"), [(1, 70), (2, 70), (104, 5000)])
def test_a_slice_a_hair_above_its_level_has_recovered(failed, n):
    assert recovery.shown(ENOUGH, NOW, balance(failed, n)).all()


@pytest.mark.parametrize(("failed", "n"), [(4, 70), (9, 70), (125, 5000)])
def test_what_has_become_smaller_but_is_worse_than_chance_has_not_recovered(failed, n):
    assert not recovery.shown(ENOUGH, NOW, balance(failed, n)).any()


def test_a_fault_of_another_size_is_told_by_more_than_chance():
    few, many = (recovery.smaller(ENOUGH, balance(failed, 70))[0] for failed in (5, 9))
    assert (few, many) == (False, True)


def test_nothing_is_both_over_and_of_another_size_and_after_a_while_all_is_one_of_them():
    for n in (10, 70, 1_000, 100_000):
        for failed in np.linspace(0, 0.1 * n, 50):
            seen = balance(failed, n)
            over = [recovery.shown(ENOUGH, waited, seen) for waited in (NOW, LATER / 2, LATER)]
            other = recovery.smaller(ENOUGH, seen)
            assert over[0] <= over[1] <= over[2]
            assert (over[2] ^ other).all()


def test_without_enough_evidence_nothing_is_over():
    assert not recovery.shown(~ENOUGH, LATER, balance(0, 500)).any()
