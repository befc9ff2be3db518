"""Structured context as sentences and facts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.text.record import MAX_LEAVES, key_words, read_record


def test_what_is_true_is_told_and_what_is_not_is_a_fact_alone() -> None:
    record = read_record('{"hasPool": true, "hasSauna": false, "hasGym": null, "pets_allowed": "no"}')
    assert record is not None
    assert record.sentences == ("has Pool",)
    assert [(fact.joined, fact.truth) for fact in record.facts] == [
        ("pool", "true"),
        ("sauna", "false"),
        ("gym", "null"),
        ("petsallowed", "false"),
    ]


def test_an_option_of_a_group_is_told_with_its_group() -> None:
    record = read_record('{"spec": {"ConnectionPorts": {"usb": true, "hdmi": false}}}')
    assert record is not None
    assert record.sentences == ("Connection Ports usb",)
    assert [fact.choice for fact in record.facts] == [True, True]


def test_hours_of_the_week_and_ratings_are_tables_of_their_own() -> None:
    record = read_record(
        '{"opening": {"Mon": "9:0-17:30", "sunday": "10 am - 2 pm"}, "rating": 4, "items": [{"score": 3.5}]}'
    )
    assert record is not None
    assert record.hours == {0: (540, 1050), 6: (600, 840)}
    assert record.ratings == (4.0, 3.5)
    assert "Mon 9:00 to 17:30" in record.sentences


def test_prose_in_a_field_is_read_as_prose_and_lists_of_words_as_one_value() -> None:
    prose = "The room was quiet. " * 8
    record = read_record(json.dumps({"tags": ["tea", "cake"], "review": prose, "state": "CA"}))
    assert record is not None
    assert record.sentences == ("tags tea, cake", prose, "state CA California")


@pytest.mark.parametrize("text", ["", "plain", "{", '{"a": ', "[1, 2]", "42", '"x"', "[" * 100_000, '{"a":' * 50_000])
def test_what_is_no_record_is_read_as_text(text: str) -> None:
    assert read_record(text) is None


def test_a_huge_record_is_read_in_part() -> None:
    record = read_record(json.dumps({str(i): i for i in range(3 * MAX_LEAVES)}))
    assert record is not None
    assert len(record.facts) <= MAX_LEAVES


@pytest.mark.parametrize(
    ("key", "words"),
    [("outdoorSeating", ["outdoor", "Seating"]), ("WIFI_free", ["WIFI", "free"]), ("größe", ["gr", "ö", "ß", "e"])],
)
def test_keys_are_split_whatever_their_style(key: str, words: list[str]) -> None:
    assert "".join(key_words(key)).replace("_", "") == "".join(words)


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=8) | st.sampled_from(["monday", "stars", "a_b"]), values, max_size=4))
def test_any_record_is_read(data: dict[str, object]) -> None:
    record = read_record(json.dumps(data))
    assert record is not None
    assert all(isinstance(sentence, str) for sentence in record.sentences)
