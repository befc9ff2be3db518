"""Rewording a claim without harm keeps its label; changing what it says often does not."""

import random

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge
from training.pairs.pair import edits
from training.pairs.ways import HARMLESS, WRONG

POLICY = (
    "Employees must submit travel claims within 30 days after the trip. Hotel costs are refunded up to $180 per night."
    " Interns may work from home if their tutor agrees. Gift cards cannot be returned or exchanged."
    " The reading room is open from 9:00 until 18:00 on weekdays. Visitors must wear a badge at all times."
    " Passwords must have at least 14 characters. Orders of more than 1,500 euros need the approval of a director."
    " Members may cancel before the end of the first month. The policy came into force on 3 May 2024."
    " All drivers have to take a safety course every 2 years. Leave that is not used by 31 March expires."
)
CLAIMS = tuple(f"{claim}." for claim in POLICY[:-1].split(". "))


def label_of(claim: str) -> str:
    answer = Answer(id="a", answer=claim, passages=(Passage(id="p", text=POLICY),), context=("p",))
    found = judge(answer, Memory())
    assert isinstance(found, Judgement)
    return found.verdict.label


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_copied_from_its_context_is_supported(claim: str) -> None:
    assert label_of(claim) == "supported"


@pytest.mark.parametrize("kind", sorted(HARMLESS))
def test_rewordings_without_harm_keep_the_label(kind: str) -> None:
    rng = random.Random(3)
    made = [
        edit.text
        for claim in CLAIMS
        for _ in range(4)
        for edit in edits({kind: HARMLESS[kind]}, claim, POLICY, rng, most=2)
    ]
    kept = [label_of(text) == "supported" for text in dict.fromkeys(made)]
    assert sum(kept) >= 0.85 * len(kept)


def test_one_change_in_twenty_rewordings_at_most_changes_the_label() -> None:
    rng = random.Random(4)
    made = {edit.text for claim in CLAIMS for _ in range(4) for edit in edits(HARMLESS, claim, POLICY, rng)}
    kept = [label_of(text) == "supported" for text in sorted(made)]
    assert sum(kept) >= 0.95 * len(kept)


def test_most_claims_with_one_thing_changed_lose_the_label() -> None:
    rng = random.Random(5)
    made = {edit.text for claim in CLAIMS for _ in range(4) for edit in edits(WRONG, claim, POLICY, rng)}
    lost = [label_of(text) != "supported" for text in sorted(made)]
    assert sum(lost) >= 0.6 * len(lost)
