"""Numbers in one form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.text.numbers import canonical_number


@pytest.mark.parametrize("raw", ["1,2,3", "1.2.3", "10.0.0.1"])
def test_lists_and_versions_are_not_read_as_one_number(raw: str) -> None:
    assert canonical_number(raw) == raw


@given(st.integers(0, 10**12))
def test_grouping_does_not_change_a_number(number: int) -> None:
    assert canonical_number(f"{number:,}") == canonical_number(str(number)) == str(number)
