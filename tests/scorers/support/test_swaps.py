"""Claims that take something of their source for another thing of the same source."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge
from tests.scorers.statements.pairs import Pair, pairs

FILE = Path(__file__).parent / "swaps.txt"
LEAST = {"entity": 0.95, "role": 0.85}


def judged(claim: str, source: str, question: str | None = None) -> Judgement:
    answer = Answer(id="a", question=question, answer=claim, passages=(Passage(id="p", text=source),))
    found = judge(answer, Memory())
    assert isinstance(found, Judgement)
    return found


@cache
def labelled() -> tuple[tuple[Pair, str], ...]:
    return tuple((pair, judged(pair.claim, pair.source, pair.question).label) for pair in pairs(FILE))


@pytest.mark.parametrize("kind", sorted(LEAST))
def test_most_claims_that_swap_something_are_contradicted(kind: str) -> None:
    labels = [label for pair, label in labelled() if pair.kind == kind]
    assert labels.count("contradicted") >= LEAST[kind] * len(labels)


def test_hardly_any_right_claim_beside_them_is_contradicted() -> None:
    wrongly = [pair.claim for pair, label in labelled() if not pair.kind and label == "contradicted"]
    assert len(wrongly) <= 0.06 * sum(not pair.kind for pair, _ in labelled()), wrongly


def test_what_is_told_of_another_thing_is_named_with_what_is_told_of_this_one() -> None:
    found = judged(
        "Batteries go into the yellow crate.",
        "Broken glass goes into the grey bin, batteries into the red box, and ink into the yellow crate.",
    )
    assert found.quote(0).differs.startswith('entity differs: "yellow crate" against "red box"')


@pytest.mark.parametrize(
    "claim",
    [
        "Batteries do not go into the yellow crate.",
        "Batteries go into the red box and ink into the yellow crate.",
        "Unlike ink, batteries go into the red box.",
    ],
)
def test_what_is_told_of_two_things_apart_is_let_stand(claim: str) -> None:
    source = "Broken glass goes into the grey bin, batteries into the red box, and ink into the yellow crate."
    assert judged(claim, source).label == "supported"


def test_what_another_sentence_says_of_both_is_let_stand() -> None:
    source = "The Oslo office looks after the north, while the Madrid office looks after the south."
    claim = "The Oslo office looks after the south."
    assert judged(claim, source).label == "contradicted"
    assert judged(claim, f"{source} In August the Oslo office looks after the south, too.").label == "supported"


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("Sol beat Bell in the final.", "Bell lost to Sol in the final.", "Sol lost to Bell in the final."),
        ("Mara lends Tom a drill.", "Tom borrows a drill from Mara.", "Mara borrows a drill from Tom."),
        ("Alder bought Finn in spring.", "Finn was sold to Alder in spring.", "Alder was sold to Finn in spring."),
    ],
)
def test_a_transfer_is_told_by_the_verb_of_either_side(source: str, right: str, wrong: str) -> None:
    assert judged(right, source).label == "supported"
    found = judged(wrong, source)
    assert (found.label, found.quote(0).differs[:13]) == ("contradicted", "role differs:")


def test_one_who_does_the_same_elsewhere_is_no_other_one() -> None:
    source = "The line manager approves claims up to 500 EUR, and the controller approves anything above that."
    assert judged("The controller approves claims above 500 EUR.", source).label == "supported"
