"""Equations that an answer writes: whether they hold, and what only looks like one."""

from __future__ import annotations

import pytest

from scorers.support.equations import equations_in
from tests.scorers.support.test_other_words import label_of


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("2 x 3.50 = 7.00", True),
        ("2 x 3.50 = 7.50", False),
        ("100 - 20 - 5 = 75 EUR", True),
        ("10 + 2 x 5 = 20", True),
        ("10 + 2 x 5 = 60", False),
        ("1,200 / 12 = 100 a month", True),
        ("20% of nothing, and 200 EUR - 10% = 180 EUR", True),
        ("28 / 12 \u00d7 8 \u2248 18.7 days", True),
        ("28 / 12 \u00d7 8 \u2248 19.7 days", False),
        ("4 x 30 minutes = 2 hours", True),
        ("6 divided by 4 makes 1.5", True),
    ],
)
def test_an_equation_holds_or_does_not(words: str, *, holds: bool) -> None:
    (found,) = equations_in(words)
    assert found.holds is holds


@pytest.mark.parametrize(
    "words",
    [
        "The ratio is 3 / 0 = 3",
        "a = b",
        "v1.2 = stable",
        "A third is 1/3 = 33%",
        "steps 3 / 4 = 10 minutes",
        "10\u201315 = 12",
        "10 - 15 is about 12 minutes",
        "5% of 200 + 10 = 20",
        "x + 5 + 10 = 20",
        "(2 + 3) x 4 = 20",
        "2 x 1.500 = 3,000",
        "5 x 3 = 15.5k",
        "4 = 2 + 2 = 2 x 2",
    ],
)
def test_what_is_no_equation_is_none(words: str) -> None:
    assert equations_in(words) == ()


def test_an_answer_whose_own_equation_does_not_hold_is_contradicted() -> None:
    assert (
        label_of("Passes are sold in books of ten for GBP 14.", "Two books?", "Two books are 2 x GBP 14 = GBP 38.")
        == "contradicted"
    )
