"""A wrong field of a labelled row is told by its place and by what to write there, never by its content."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.base import MalformedRecord
from adapters.files.jsonl import answer_of

CLAIM = {"text": "Leave is paid.", "support": ["paid leave"]}


def problem(**fields: Any) -> str:
    with pytest.raises(MalformedRecord) as told:
        answer_of({"question": "q", "answer": "a", **fields}, "line 3")
    return str(told.value)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"support": "paid leave"}, "claims[0].support: must be a list, not text"),
        ({"support": []}, "claims[0].support: must not be empty"),
        ({"support": [1]}, "claims[0].support[0]: must be text, not a number"),
        ({"text": " "}, "claims[0].text: text has no words"),
        ({"text": "x" * 2_001}, "claims[0].text: longer than 2,000 characters; shorten it"),
        ({"point": ["a"]}, "claims[0].point: must be text, not a list"),
        ({"citatoin": "p"}, "claims[0].citatoin: unknown field; did you mean citation?"),
        ({"zzz": 1}, "claims[0].zzz: unknown field; known: id, text, citation, support, point"),
    ],
)
def test_a_wrong_field_of_a_ledger_says_where_and_what_to_do(wrong: dict[str, Any], said: str) -> None:
    assert problem(claims=[CLAIM | wrong]) == f"line 3: {said}"


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("2026-03-04T12:00:00", "has no time zone: end it with Z, or with an offset such as +01:00"),
        ("28/11/2026 14:00", "must be a time such as 2026-03-04T12:00:00Z"),
        ([], "must be a time such as 2026-03-04T12:00:00Z"),
    ],
)
def test_a_time_that_is_not_clear_says_how_to_write_it(at: Any, said: str) -> None:
    assert problem(started_at=at) == f"line 3: started_at: {said}"


def test_a_missing_field_and_a_wrong_ledger_say_what_is_needed() -> None:
    assert problem(claims=[{"text": "Leave is paid."}]) == "line 3: claims[0].support: required"
    assert problem(claims=["Leave is paid."]) == "line 3: claims[0]: must be an object with fields, not text"
    assert problem(claims=CLAIM) == "line 3: claims: must be a list, not an object"


def test_what_stands_in_a_wrong_field_is_not_repeated() -> None:
    assert "jane" not in problem(claims=[CLAIM | {"support": "jane@example.org"}])
    assert "jane" not in problem(gold={"passages": [{"id": "p", "label": "jane@example.org"}]})
