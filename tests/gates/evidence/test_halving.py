"""Halving many brackets at once finds what halving one after the other finds."""

import numpy as np
import pytest

from gates.evidence.halving import FEW, halved


def _one_by_one(stands: float, refused: float, limit: float, halvings: int) -> tuple[float, float]:
    for _ in range(halvings):
        middle = (stands + refused) / 2.0
        if middle**3 >= limit:
            refused = middle
        else:
            stands = middle
    return stands, refused


@pytest.mark.parametrize("many", [1, FEW, FEW + 1])
def test_brackets_are_those_of_halving_one_after_the_other(many: int) -> None:
    limits = np.random.default_rng(1).random(many)

    stands, refused = halved(np.zeros(many), np.ones(many), lambda each: each**3 >= limits, 30)

    expected = [_one_by_one(0.0, 1.0, float(limit), 30) for limit in limits]
    assert list(zip(stands.tolist(), refused.tolist(), strict=True)) == expected


def test_a_bracket_in_which_all_or_nothing_stands_ends_at_its_border() -> None:
    stands, refused = halved(np.zeros(2), np.ones(2), lambda each: each >= [2.0, -1.0], 40)

    assert refused[0] == 1.0
    assert stands[1] == 0.0
    assert refused[1] == pytest.approx(0.0, abs=1e-11)
