"""Figures of a claim that are those of a source with digits or values exchanged."""

from __future__ import annotations

import pytest

from scorers.statements.quantities import read_quantities, transposed


def found(claim: str, source: str) -> bool:
    return transposed(read_quantities(claim), read_quantities(source)) is not None


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It takes 81 days.", "It takes 18 days."),
        ("It costs 1,540 EUR.", "It costs 1450 EUR."),
        ("It is due on 12 May 2025.", "It is due on 21 May 2025."),
        ("There are 5 clerks and 3 managers.", "There are 3 clerks and 5 managers."),
        ("Germany 220 EUR, Austria 180 EUR.", "Germany 180 EUR, Austria 220 EUR."),
    ],
)
def test_exchanged_digits_and_exchanged_values_are_transpositions(claim: str, source: str) -> None:
    assert found(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It takes 30 days.", "It takes 14 days."),
        ("It takes 18 days.", "It takes 18 days, at most 81 days."),
        ("It takes 81 days.", "It costs 18 EUR."),
        ("Austria 220 EUR, Germany 180 EUR.", "Germany 180 EUR, Austria 220 EUR."),
        ("It takes 60 minutes.", "It takes an hour."),
        ("It takes 3 to 5 days.", "It takes 5 days or 3 days."),
    ],
)
def test_any_other_difference_is_no_transposition(claim: str, source: str) -> None:
    assert not found(claim, source)
