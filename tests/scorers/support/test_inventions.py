"""What a context says nothing of: figures, and what is said of something that it names."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge

POLICY = (
    "Leave is requested from the line manager in writing. Returns are accepted within 14 days; faulty items get a"
    " full refund. Delivery takes 2 days. The desk is open around the clock. The hotel costs 120 EUR per night, and"
    " breakfast 15 EUR. You need a passport, a visa and a ticket."
)
KINDS = {"+": "reworded", "-": "invented", "~": "half invented"}


def judged(claim: str, text: str = POLICY, question: str | None = None) -> Judgement:
    answer = Answer(id="a", question=question, answer=claim, passages=(Passage(id="p", text=text),))
    found = judge(answer, Memory())
    assert isinstance(found, Judgement)
    return found


@cache
def flagged(kind: str) -> tuple[list[str], int]:
    """Return the claims of a kind that are flagged, and how many there are."""
    found = defaultdict(list)
    for block in (Path(__file__).parent / "inventions.txt").read_text(encoding="utf-8").strip().split("\n\n"):
        passage, *claims = block.splitlines()
        for line in claims:
            found[KINDS[line[0]]].append((line[2:], judged(line[2:], passage).label))
    return [claim for claim, label in found[kind] if label != "supported"], len(found[kind])


@pytest.mark.parametrize("kind", ["invented", "half invented"])
def test_most_of_what_is_invented_of_something_that_a_policy_names_is_flagged(kind: str) -> None:
    claims, count = flagged(kind)
    assert len(claims) >= 0.8 * count


def test_hardly_any_reworded_claim_is_taken_for_an_invention() -> None:
    claims, count = flagged("reworded")
    assert len(claims) <= 0.05 * count, claims


@pytest.mark.parametrize(
    "claim",
    [
        "Leave is requested in writing 30 days ahead.",
        "Leave is requested on 4 June 2024.",
        "The refund is 80 EUR for faulty items.",
        "Leave is requested from the line manager within three weeks.",
    ],
)
def test_a_figure_that_stands_nowhere_is_never_supported(claim: str) -> None:
    found = judged(claim)
    assert found.label != "supported"
    assert found.supported[0] < 0.5


@pytest.mark.parametrize(
    "claim",
    [
        "Returns are accepted within two weeks.",
        "The desk is open 24/7.",
        "You need 3 documents: a passport, a visa and a ticket.",
        "As passage 3 says, leave is requested from the line manager in writing.",
        "Delivery takes 48 hours.",
    ],
)
def test_a_figure_that_a_policy_gives_in_another_way_is_no_invention(claim: str) -> None:
    assert judged(claim).label == "supported"


def test_a_figure_of_the_question_is_no_invention() -> None:
    said = "After 10 days you can still return it, as returns are accepted within 14 days."
    assert judged(said, question="Can I return it after 10 days?").label == "supported"


def test_of_many_claims_one_may_end_in_words_of_its_own() -> None:
    invented = "The desk is decorated with balloons."
    alone, among = judged(invented), judged(f"{POLICY} {invented}")
    assert alone.label == "unsupported"
    assert among.supported[among.claims[-1]] > alone.supported[0]
