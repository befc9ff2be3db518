"""Numbers and addresses in an answer that only sends elsewhere."""

from __future__ import annotations

import pytest

from scorers.support.claims import read_statements

NONE = "I couldn't find anything about parking. "
REFERRALS = (
    "Please call us on 01632 960 001 or write to parking@ward.example.",
    "Reception (ext. 4000) can tell you where the nearest car park is and what it costs.",
    "Please contact the desk: https://ward.example/parking.",
    "In an emergency, dial 999.",
    "Your host or gate 2 can tell you.",
)


def claims(text: str, read: str, question: str = "Where can I park?") -> list[str]:
    return [each.words for each in read_statements(text, (), question, (read,)) if each.asserts]


@pytest.mark.parametrize("referral", REFERRALS)
def test_how_to_reach_someone_is_no_claim_where_there_is_no_answer(referral: str) -> None:
    assert claims(NONE + referral, "Visiting hours are 2 pm to 4 pm.") == []


def test_another_number_than_that_of_the_sources_is_a_claim() -> None:
    said = NONE + "Please call us on 01632 960 001."
    assert claims(said, "Questions? Call 01632 960 001.") == []
    assert claims(said, "Questions? Call 01632 960 999.") == ["Please call us on 01632 960 001."]


def test_an_amount_is_no_number_to_call() -> None:
    assert claims(NONE + "Please pay the attendant 12 euros a day.", "Visiting hours are 2 pm to 4 pm.")
    assert claims("Please call us on 01632 960 001.", "Call us.", "Whom do I call?")
