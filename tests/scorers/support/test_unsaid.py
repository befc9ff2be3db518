"""Sentences that leave out what they have said already, and what their second half denies."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

SOURCES = {
    "points": "Points expire on 31 March and cannot be transferred. Vouchers run for two years and may be extended.",
    "pets": "Dogs are allowed in the garden, cats are not. Parking fees are reimbursed, fines are not.",
    "note": "The sick note is uploaded in the portal, not handed to your manager.",
    "approval": "Purchases below 250 EUR need no approval; above that the owner of the budget approves them.",
    "leave": "Leave of more than three days is requested in the portal at least four weeks ahead; shorter leave one "
    "week ahead.",
    "lots": "Coated lots with a defect rate above 2.5 percent are rejected, and the logistics director signs the "
    "rejection.",
    "trailers": "Trailers stand free for 18 hours; after that the tenant pays detention.",
    "budgets": "Budgets for dinners end at 900 EUR a year.",
    "memo": "Until 30 June, invoices are held for 35 days and released by the sourcing manager only.",
    "patients": "After bronchoscopy, patients are observed for 72 hours, and the nurse clears the discharge. Before "
    "bronchoscopy, patients fast for 8 hours, and the nurse documents it.",
    "returned": "The car is handed over with a full tank and must be returned with a full tank.",
}
RIGHT = [
    ("points", "No, points expire on 31 March."),
    ("points", "Vouchers may be extended."),
    ("pets", "Dogs are allowed, but cats aren't."),
    ("pets", "Parking fees are reimbursed, but fines aren't."),
    ("note", "Upload it in the portal rather than giving it to your manager."),
    ("approval", "Approval by the owner of the budget is needed."),
    ("leave", "Request it in the portal at least four weeks in advance."),
    ("lots", "A defect rate above 2.5 percent leads to rejection of coated lots, signed by the logistics director."),
    ("trailers", "After 18 hours without charge, the tenant pays detention."),
    ("budgets", "No budget for dinners exceeds 900 EUR a year."),
    ("memo", "A memo holds the invoices for 35 days until 30 June; the sourcing manager releases them."),
    ("patients", "Patients are observed for 72 hours after bronchoscopy before the nurse clears the discharge."),
]
WRONG = [
    ("points", "Yes, points can be transferred."),
    ("points", "Vouchers cannot be extended."),
    ("pets", "Cats are allowed, but dogs aren't."),
    ("pets", "Fines are reimbursed."),
    ("note", "Hand the sick note to your manager."),
    ("budgets", "No budget for dinners exceeds 700 EUR a year."),
    ("memo", "Until 30 June, invoices are released by the site controller."),
    ("returned", "The car may be returned with an empty tank at no charge."),
]


@pytest.mark.parametrize(("source", "claim"), RIGHT)
def test_what_says_the_same_is_not_contradicted(source: str, claim: str) -> None:
    assert label_of(SOURCES[source], "What are the rules?", claim) != "contradicted"


@pytest.mark.parametrize(("source", "claim"), WRONG)
def test_what_the_unsaid_half_denies_is_not_supported(source: str, claim: str) -> None:
    assert label_of(SOURCES[source], "What are the rules?", claim) != "supported"
