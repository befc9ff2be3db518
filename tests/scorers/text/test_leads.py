"""What goes around a statement and says nothing of its own is cut; what is part of it stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.text.leads import bare, uncapitalised

SAID = "gift cards can be returned."
LEADS = (
    "Based on the provided documents, ",
    "Based on the context you provided: ",
    "According to section 4.2 of the employee handbook, ",
    "As stated in the travel policy, ",
    "As per our guidelines, ",
    "From what I can see in the returns guide, ",
    "As far as I can tell, ",
    "The policy clearly states that ",
    "Our records indicate that ",
    "The documents I have found (p. 3) say that ",
    "In our leave policy, it says that ",
    "I checked the returns policy and ",
    "I've reviewed the guidelines, and they state that ",
    "I found that ",
    "It looks like ",
    "My understanding is that ",
    "Please note that ",
    "To answer your question: ",
    "Short answer: ",
    "In summary, ",
    "Hi there! ",
    "Thanks for reaching out. According to our FAQ, ",
    "Good question! Sure, here is what I found: ",
    "Sure! According to the documents you shared, ",
    "Here's a quick summary of the rule: ",
)
TAILS = (
    " according to the policy.",
    ", as stated in the handbook.",
    ", per our guidelines.",
    " (as per the returns policy).",
    " in the provided documents.",
)
KEPT = (
    "Under the premium plan, calls are free.",
    "In Germany, the limit is 180 euros.",
    "According to the 2023 policy, leave is 20 days.",
    "No policy states that gift cards can be returned.",
    "The policy says nothing about gift cards.",
    "The handbook does not say that gift cards can be returned.",
    "If the policy says that, call HR.",
    "Managers who read the policy say that it is unfair.",
    "Leave is 5 days per year in the office.",
    "The limit is 20 euros per person.",
    "Based on age, fees differ.",
    "I checked the policy and could not find anything.",
    "Note: it.",
    "Poster printing isn't in the guide.",
    "The fee is listed in our handbook.",
)


@pytest.mark.parametrize("lead", LEADS)
def test_what_leads_in_is_cut(lead: str) -> None:
    assert bare(lead + SAID) == SAID
    assert bare(f"Yes, {lead[0].lower()}{lead[1:]}{SAID}") == f"Yes, {SAID}"


@pytest.mark.parametrize("tail", TAILS)
def test_a_source_behind_a_statement_is_cut(tail: str) -> None:
    assert bare(SAID.rstrip(".") + tail) == SAID


def test_a_quoted_statement_is_read_without_its_marks() -> None:
    assert bare('The policy says: "Gift cards can be returned."') == "Gift cards can be returned."


@pytest.mark.parametrize("claim", KEPT)
def test_what_a_statement_says_stays(claim: str) -> None:
    assert bare(claim) == claim


@pytest.mark.parametrize("claim", [SAID, "HR PAYS.", "See form TRV-1.", "\u00dcBERSTUNDEN"])
def test_only_a_statement_that_is_cried_out_is_lowered(claim: str) -> None:
    assert uncapitalised(claim) == claim


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from([*LEADS, *TAILS, "the ", "policy ", "of ", "states ", ", ", "(", "4.2 ", "x"]), max_size=30
    )
)
def test_any_heap_of_leads_is_read_in_bounded_time_and_keeps_its_words(parts: list[str]) -> None:
    claim = "".join(parts) + SAID
    assert set(bare(claim).split()) <= set(claim.replace('"', " ").split()) | {word + "." for word in claim.split()}
