"""A claim that a table says otherwise is contradicted, and its reader is told row, column and value."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Env
from scorers.support.comparison import comparisons

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
TABLE = "## Working abroad\n\n| Country | Days |\n|---|---|\n| Germany | 180 |\n| Switzerland | 220 |\n"
ROWS = [{"Country": "Germany", "Days": 180}, {"Country": "Switzerland", "Days": 220}]
JSON = json.dumps({"title": "Working abroad", "rows": ROWS})


@pytest.mark.parametrize("context", [TABLE, JSON])
def test_a_value_of_another_row_is_contradicted_and_the_right_one_is_not(context: str) -> None:
    passages = (Passage(id="p", text=context),)
    right, wrong = (
        comparisons(Answer(id="a", answer=f"Germany allows {days} days.", passages=passages), ENV)
        for days in (180, 220)
    )
    assert isinstance(right, tuple)
    assert isinstance(wrong, tuple)
    assert wrong[0].verdict == "contradicted"
    assert "180 for Germany, Days" in wrong[0].differs
    assert right[0].verdict != "contradicted"


def test_rows_that_are_named_by_a_letter_and_a_number_are_told_apart() -> None:
    """The number of "P2" is no amount: it was looked for among the values of other rows."""
    table = (
        "| Level | First call | Update |\n|---|---|---|\n| P1 | 10 minutes | 2 hours |\n| P2 | 2 hours | 6 hours |\n"
    )
    right, wrong = (
        comparisons(
            Answer(id="a", answer=f"P2 gets its first call within {time}.", passages=(Passage(id="p", text=table),)),
            ENV,
        )
        for time in ("2 hours", "10 minutes")
    )
    assert isinstance(right, tuple)
    assert isinstance(wrong, tuple)
    assert (right[0].verdict, wrong[0].verdict) == ("supported", "contradicted")
