"""Claims over policies as a gate sees them: of each kind most wrong ones are flagged, and hardly any right one."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge
from tests.scorers.statements.pairs import Pair, pairs

HERE = Path(__file__).parent
FILES = ("policies.txt", "policies_apart.txt")
SEEN = {pair.kind for pair in pairs(HERE / "policies.txt") if pair.kind}
HARD = {"entity": 0.5, "implicit": 0.6, "other_value": 0.6, "scope": 0.7, "exception": 0.7}
"""Kinds of which less is found than of the others."""


@cache
def labelled(name: str) -> dict[str, list[tuple[Pair, str]]]:
    found = defaultdict(list)
    for number, pair in enumerate(pairs(HERE / name)):
        answer = Answer(
            id=str(number),
            question=pair.question,
            answer=pair.claim,
            passages=(Passage(id="p", text=pair.source),),
            context=("p",),
        )
        judged = judge(answer, Memory())
        found[pair.kind].append((pair, judged.label if isinstance(judged, Judgement) else "none"))
    return found


@pytest.mark.parametrize("kind", sorted(SEEN))
def test_most_wrong_claims_of_a_kind_are_flagged(kind: str) -> None:
    found = labelled("policies.txt")[kind]
    missed = [pair.claim for pair, label in found if label in ("supported", "none")]
    assert len(found) - len(missed) >= HARD.get(kind, 0.75) * len(found), missed


@pytest.mark.parametrize("name", FILES)
def test_of_all_wrong_claims_over_policies_five_in_six_are_contradicted(name: str) -> None:
    labels = [label for kind, found in labelled(name).items() if kind for _, label in found]
    assert labels.count("contradicted") >= 5 / 6 * len(labels)


@pytest.mark.parametrize("name", FILES)
def test_hardly_any_right_claim_over_policies_is_contradicted(name: str) -> None:
    wrongly = [pair.claim for pair, label in labelled(name)[""] if label == "contradicted"]
    assert len(wrongly) <= 0.06 * len(labelled(name)[""]), wrongly


def test_a_right_yes_or_no_alone_is_supported_and_a_wrong_one_contradicted() -> None:
    def label(reply: str) -> str:
        answer = Answer(
            id="a",
            question="Can I return a gift card?",
            answer=reply,
            passages=(Passage(id="p", text="Gift cards cannot be returned. Books can be returned within 30 days."),),
            context=("p",),
        )
        judged = judge(answer, Memory())
        assert isinstance(judged, Judgement)
        return judged.label

    assert (label("No."), label("Yes.")) == ("supported", "contradicted")
