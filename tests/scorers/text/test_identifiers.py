"""What must be copied letter by letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.text.identifiers import identifiers, nearest


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Upgrade to 2.3.1 or v4.", ["2.3.1", "v4"]),
        ("It fails with ERR_TIMEOUT and 0x80070005.", ["ERR_TIMEOUT", "0x80070005"]),
        ("Order AB-12345 ships today.", ["AB-12345"]),
        ("Run `kubectl get pods -A`.", ["kubectl get pods -A"]),
        ("Edit /etc/nginx/nginx.conf or C:\\Temp\\log.txt", ["/etc/nginx/nginx.conf", "C:\\Temp\\log.txt"]),
        ("See https://corp.test/a?b=1.", ["https://corp.test/a?b=1"]),
        ("The 3rd of 20 items costs 5kg, 24h, 10GB in the 1990s.", []),
        ("A 20-year-old and/or well-known man, e.g. J.R. Smith, on 2024-05-01.", []),
        ("Due by 03.03.2025 or 3.4.2025, at 09:00 - 17:00, for 1 500 000 EUR.", []),
        ("Pay to IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFF.", ["DE89 3704 0044 0532 0130 00"]),
        ("Call +49 (0)30 123 45-67 or 06 12 34 56 78.", ["+49 (0)30 123 45-67", "06 12 34 56 78"]),
        ("Write to help@acme.test.", ["help@acme.test"]),
        ("A 4.5-star place that closed for COVID-19 reopened.", []),
        ("", []),
    ],
)
def test_identifiers_are_told_from_words_and_amounts(text: str, found: list[str]) -> None:
    assert [each.text for each in identifiers(text)] == found


def test_an_identifier_stands_where_it_says() -> None:
    text = "Set MAX_RETRY to 3 in `agent.yaml`."
    for each in identifiers(text):
        assert each.text in text[each.start : each.end]


def test_what_is_too_different_is_not_near() -> None:
    assert nearest("E-4012", ["MAX_RETRY"]) is None


@given(st.text(max_size=300))
def test_any_text_has_identifiers_in_order_within_it(text: str) -> None:
    found = identifiers(text)
    assert [each.start for each in found] == sorted(each.start for each in found)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
