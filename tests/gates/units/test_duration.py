from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from gates.units.duration import Duration, format_duration, parse_duration

ADAPTER = TypeAdapter(Duration)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("30s", timedelta(seconds=30)),
        ("15m", timedelta(minutes=15)),
        ("1h30m", timedelta(minutes=90)),
        ("7d", timedelta(days=7)),
        ("250ms", timedelta(milliseconds=250)),
        ("2m5ms", timedelta(seconds=120, milliseconds=5)),
    ],
)
def test_lengths_of_time_are_read_as_people_write_them(text: str, length: timedelta) -> None:
    assert ADAPTER.validate_python(text) == length


@pytest.mark.parametrize(
    "bad", ["", "15", 15, 1.5, None, "1 h", "m", "1m1h", "-5m", "5m\n", "5M", "1e3s", "9" * 99 + "s"]
)
def test_anything_else_is_refused_with_an_example_of_what_is_right(bad: object) -> None:
    with pytest.raises(ValidationError, match="write it like 30s, 15m, 1h30m or 7d"):
        ADAPTER.validate_python(bad)


@pytest.mark.parametrize("bad", ["0s", timedelta(), timedelta(seconds=-1)])
def test_nothing_is_no_length_of_time(bad: object) -> None:
    with pytest.raises(ValidationError, match="longer than zero"):
        ADAPTER.validate_python(bad)


@given(st.integers(1, 10**12))
def test_what_is_written_is_read_back(milliseconds: int) -> None:
    length = timedelta(milliseconds=milliseconds)
    assert parse_duration(format_duration(length)) == length


def test_json_shows_the_form_that_configuration_files_use() -> None:
    assert ADAPTER.dump_python(timedelta(minutes=15), mode="json") == "15m"
    assert ADAPTER.dump_python(timedelta(minutes=15)) == timedelta(minutes=15)
    assert ADAPTER.json_schema()["type"] == "string"
