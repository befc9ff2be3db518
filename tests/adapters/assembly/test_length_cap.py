"""The length that an exporter cut values at shows in the values alone."""

from __future__ import annotations

from typing import Any

from adapters.assembly.length_cap import length_cap
from adapters.trace import Span

DESK = {"service.name": "desk"}


def spans(*values: str, resource: Any = DESK) -> list[Span]:
    return [Span("t", "s", None, "search", 1, 2, {f"passage.{i}": v for i, v in enumerate(values)}, resource=resource)]


def test_several_values_of_one_length_and_none_beyond_it_were_cut() -> None:
    cut = spans("a" * 64, "b" * 64)
    assert length_cap(cut) == length_cap(cut, cut) == 64


def test_passages_split_by_length_were_not_cut_where_the_process_sent_a_longer_prompt() -> None:
    chunks, prompt = spans("a" * 64, "b" * 64), spans("c" * 200)
    assert length_cap(chunks, [*chunks, *prompt]) is None


def test_what_another_process_sent_tells_nothing_of_the_limit_of_this_one() -> None:
    cut, other = spans("a" * 64, "b" * 64), spans("c" * 200, resource={"service.name": "search"})
    assert length_cap(cut, [*cut, *other]) == 64


def test_json_that_never_ends_was_cut_whatever_stands_beside_it() -> None:
    cut = spans('["' + "a" * 62)
    assert length_cap(cut, [*cut, *spans("c" * 200)]) == 64
