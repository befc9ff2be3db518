"""Two names that an answer has in each other's places, and sentences turned round that say the same."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

AUDIT = "Internal audit inspects each branch twice a year."
METER = "The tenant reads the gauge in June and sends the figure to the agency by 10 July."
WILL = "The founder appoints the auditors; the council approves the budget and is not bound by their advice."
PROOF = "We ask the carrier for a receipt, and the carrier has 20 days to send it to us."
FORM = "Managers send the form to legal, and legal sends it to finance."
HOURS = "Pools open at 8 in summer and rinks open at 9 in winter."

RIGHT = {
    "copied": (AUDIT, "Each branch is inspected by internal audit twice a year."),
    "told by whom": ("Claims are settled by the insurer, not by the broker.", "The insurer settles the claims."),
    "when first": (AUDIT, "Twice a year internal audit inspects each branch."),
    "from the other side": ("The club lends the kit to members.", "Members borrow the kit from the club."),
    "compared": ("Sea freight costs less than air freight.", "Air freight costs more than sea freight."),
    "one of two": ("The shop may repair or replace the item.", "The shop may replace or repair the item."),
    "both ways": ("The coach meets the parents monthly.", "The parents meet the coach monthly."),
    "what it stands for": (FORM, "Legal sends the form to finance."),
    "clauses": (HOURS, "Rinks open at 9 in winter and pools open at 8 in summer."),
    "condition last": (
        "If the buyer does not pay, the seller may keep the goods.",
        "The seller may keep the goods if the buyer does not pay.",
    ),
}
WRONG = {
    "who to whom": (AUDIT, "Each branch inspects internal audit twice a year."),
    "in two clauses": (METER, "The agency reads the gauge in June and sends the figure to the tenant by 10 July."),
    "of two acts": (WILL, "The council appoints the auditors, and the founder approves the budget."),
    "we": (PROOF, "The carrier asks us for a receipt."),
    "compared": ("Sea freight costs less than air freight.", "Air freight costs less than sea freight."),
    "another one": (FORM, "Finance sends the form to legal."),
    "clauses": (HOURS, "Rinks open at 8 in summer and pools open at 9 in winter."),
    "beside what goes both ways": (
        "When they agree, the dealer refunds the driver.",
        "When they agree, the driver refunds the dealer.",
    ),
    "another thing": (FORM, "Finance sends the invoice to legal."),
}


@pytest.mark.parametrize("case", RIGHT)
def test_a_sentence_turned_round_says_the_same(case: str) -> None:
    context, answer = RIGHT[case]
    assert label_of(context, None, answer) == "supported"


@pytest.mark.parametrize("case", WRONG)
def test_names_in_each_others_places_do_not(case: str) -> None:
    context, answer = WRONG[case]
    assert label_of(context, None, answer) == "contradicted"
