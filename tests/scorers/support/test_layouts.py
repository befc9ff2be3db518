"""Right answers and passages in the layouts that applications give them: none of it makes a claim wrong."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Env, Score
from scorers.grounding.faithfulness import Faithfulness
from scorers.memory import Memory
from scorers.support.claims import claims_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TRAVEL = """Hotel costs in Germany are reimbursed up to 180 EUR per night.
In Switzerland the limit is 220 CHF per night. Receipts must be submitted within 30 days of the end of the trip."""
LEAVE = """Employees are entitled to 30 days of annual leave per calendar year. Up to five unused days may be carried
over until 31 March of the following year."""
RETURNS = "Opened software cannot be returned. Refunds are paid to the original payment method within 5 business days."
HOTEL = "Hotel costs in Germany are reimbursed up to 180 EUR per night"
FAQ = "Q: Can I return opened software?\nA: No.\nQ: How long do refunds take?\nA: 5 business days."


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        (TRAVEL, f"{HOTEL}.\n\nSources:\n- [1] Travel and Expense Policy, page 3\n- https://wiki.acme.test/travel"),
        (TRAVEL, f"{HOTEL}.\n\n## References\n1. travel-policy.pdf (p. 3)\n2. https://wiki.acme.test/travel"),
        (TRAVEL, f"{HOTEL}.\n\n**Source:** [Travel and Expense Policy](https://wiki.acme.test/travel#hotels)"),
        (TRAVEL, f"{HOTEL} [1](https://wiki.acme.test/travel?version=7)."),
        (
            LEAVE,
            "According to the HR policy (section 2.1), employees are entitled to 30 days of annual leave per year.",
        ),
        (
            RETURNS,
            "Refunds are paid to the original payment method in 5 business days. Hope this helps! \U0001f60a",
        ),
        (FAQ, "No, opened software can't be returned."),
        (TRAVEL[:-4], "Receipts must be submitted within 30 days of the end of the trip."),
    ],
)
def test_a_right_answer_is_supported_in_any_layout(passage: str, answer: str) -> None:
    asked = Answer(
        id="a", question="What does the policy say?", answer=answer, passages=(Passage(id="p", text=passage),)
    )
    found = Faithfulness().score(asked, Env(now=NOW))
    assert isinstance(found, Score)
    assert found.label == "supported", found


@pytest.mark.parametrize(
    "answer",
    [
        f"{HOTEL}.\n\nSources:\n- Gift cards can be returned at any time.",
        f"{HOTEL}.\n\nSources: gift cards can be returned at any time.",
        f"{HOTEL}.\n\nReferences:\n- travel-policy.pdf\n\nGift cards can be returned at any time.",
    ],
)
def test_what_states_something_is_a_claim_below_the_sources_too(answer: str) -> None:
    claims = [claim.words for claim in claims_of(Answer(id="a", answer=answer), Memory())]
    assert any("can be returned" in claim for claim in claims)


def test_names_of_sources_and_smiles_are_no_claims() -> None:
    answer = Answer(id="a", answer=f"{HOTEL}. \U0001f60a\n\n***\n\nSources\n- Travel policy\n- Book of rates, page 9")
    assert [claim.words for claim in claims_of(answer, Memory())] == [f"{HOTEL}."]


@pytest.mark.parametrize(
    "cited",
    [
        " [TRV-3, v5].",
        " (TRV-3 v5, section 2; see TRV-4).",
        " (Travel and expenses, p. 12).",
        " [travel.pdf#page=3].",
        ".\u00b9\n\n\u00b9 TRV-3, Travel and expenses",
        " [^1].\n\n[^1]: Travel and expenses, page 3",
        " [TRV-3@5].\n\nSource: [Travel and expenses](https://wiki.acme.test/x/TRV-3)",
    ],
)
def test_the_name_of_a_document_in_a_citation_is_no_part_of_the_claim(cited: str) -> None:
    metadata = {"title": "Travel and expenses"}
    held = Passage(id="p", doc_id="TRV-3", version="5", uri="/kb/travel.pdf", text=TRAVEL, metadata=metadata)
    other = Passage(id="q", doc_id="TRV-4", text=LEAVE)
    for claim, label in ((HOTEL, "supported"), (HOTEL.replace("180", "160"), "contradicted")):
        asked = Answer(id="a", question="What may a hotel cost?", answer=claim + cited, passages=(held, other))
        found = Faithfulness().score(asked, Env(now=NOW))
        assert isinstance(found, Score)
        assert (found.label, len(found.evidence)) == (label, 1), found
