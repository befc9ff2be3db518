"""Objects and arrays of a JSON text are counted before they are made."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.security.jsonbounds import count_objects, has_more_objects

ANY = 10**9
STEPS = st.sampled_from([1, 2, 3, 7, 64, 64 * 1024])

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.sampled_from('{[]}"\\,:né€😀\n'), max_size=12) | st.text(max_size=12)
values = st.recursive(
    scalars | texts, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5)
)


def held(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(held, value.values()))
    return 1 + sum(map(held, value)) if isinstance(value, list) else 0


TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"?|.', re.DOTALL)


def begun(text: bytes) -> int:
    """Token by token, up to where no parser goes on: a backslash outside of a string."""
    tokens = (token.group() for token in TOKEN.finditer(text))
    return sum(token in (b"{", b"[") for token in itertools.takewhile(lambda token: token != b"\\", tokens))


@given(value=values, step=STEPS, form=st.sampled_from([{}, {"ensure_ascii": False}, {"indent": 2}]))
def test_the_count_of_a_json_text_is_what_it_holds(value: Any, step: int, form: dict[str, Any]) -> None:
    text = json.dumps(value, **form).encode()
    with patch("collector.security.jsonbounds._STEP", step):
        assert count_objects(text, limit=ANY) == held(value)


@given(parts=st.lists(st.sampled_from([b"{", b"[", b'"', b"\\", b"\\\\", b'\\"', b"x", b"}", b","])), step=STEPS)
def test_what_is_no_json_is_never_counted_for_less_than_a_parser_makes_of_it(parts: list[bytes], step: int) -> None:
    text = b"".join(parts)
    with patch("collector.security.jsonbounds._STEP", step):
        assert count_objects(text, limit=ANY) >= begun(text)


@given(value=values, step=STEPS, limit=st.integers(0, 20))
def test_a_text_has_more_than_a_limit_where_its_count_is_more(value: Any, step: int, limit: int) -> None:
    text = json.dumps(value).encode()
    with patch("collector.security.jsonbounds._STEP", step):
        assert has_more_objects(text, limit) == (held(value) > limit)


@pytest.mark.parametrize("text", [b"", b"\\" * 5, b'"' + b"\\" * 300_001, b'"', b"\xff{" * 9])
def test_any_bytes_can_be_counted(text: bytes) -> None:
    assert count_objects(text, limit=ANY) == text.count(b"{")


def test_counting_ends_beyond_the_limit() -> None:
    assert count_objects(b"[{}]", limit=2) == 2
    assert 1 < count_objects(b"{}" * 10**6, limit=1) < 10**6
