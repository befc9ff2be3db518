"""Words without their inflection."""

from __future__ import annotations

import pytest

from scorers.text.stemming import stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [("bed", "bed"), ("king", "king"), ("string", "string"), ("pass", "pass"), ("bus", "bus"), ("tried", "try")],
)
def test_words_that_only_look_inflected_are_left_alone(word: str, expected: str) -> None:
    assert stem(word) == expected
