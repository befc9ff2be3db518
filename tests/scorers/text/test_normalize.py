"""Words and numbers in one comparable form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.text.normalize import terms
from scorers.text.stemming import MAX_TERM


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000 EUR", "EUR 1000.00"),
        ("€1,000", "1000 euros"),
        ("$5", "5 dollars"),
        ("20%", "20 percent"),
        ("twenty weeks", "20 weeks"),
        ("1.5 million", "1,500,000"),
        ("2 thousand", "2000"),
        ("0,5 litres", "0.5 litres"),
        ("April 1, 2025", "2025-04-01"),
        ("1st of April 2025", "1 Apr 2025"),
        ("3 May", "May 3"),
        ("5 pm", "17:00"),
        ("5:30 p.m.", "17:30"),
        ("12 am", "0:00"),
        ("approved requests", "approving request"),
        ("policies", "policy"),
        ("don\u2019t", "do not"),
        ("\uff21\uff22 \uff11\uff12", "ab 12"),  # full-width
        ("٣٤", "34"),
    ],
)
def test_the_same_said_in_another_form_gives_the_same_terms(one: str, other: str) -> None:
    assert sorted(terms(one).items) == sorted(terms(other).items)


@pytest.mark.parametrize(
    ("one", "other"),
    [("150 EUR", "180 EUR"), ("5 am", "5 pm"), ("5 EUR", "5 USD"), ("1.5", "15"), ("v2.3.1", "v2.3.2"), ("7%", "7")],
)
def test_what_differs_stays_different(one: str, other: str) -> None:
    assert sorted(terms(one).items) != sorted(terms(other).items)


def test_may_and_march_are_months_only_beside_a_number() -> None:
    assert terms("It may be requested.").items == ("request",)
    assert "#month3" in terms("on 4 March").items
    assert "#month3" not in terms("a long march").items


def test_a_negator_turns_round_the_two_terms_after_it() -> None:
    assert terms("without approval of the line manager").negated == {"approval", "lin"}
    assert terms("Alcohol is not reimbursed.").negated == {"reimburs"}
    assert terms("Alcohol is reimbursed.").negated == frozenset()


def test_scripts_without_blanks_give_character_pairs() -> None:
    assert terms("育児休暇").items == ("育児", "児休", "休暇")


@given(st.text(max_size=300))
def test_any_text_has_terms_of_bounded_length(text: str) -> None:
    found = terms(text)
    assert all(0 < len(term) <= 2 * MAX_TERM for term in found.items)
    assert found.negated <= set(found.items)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1.2.3 million", "#1.2.3"), ("14:30 million", "#14:30"), ("2.25 billion", "#2250000000")],
)
def test_a_magnitude_scales_plain_numbers_only(text: str, expected: str) -> None:
    assert terms(text).items == (expected,)
