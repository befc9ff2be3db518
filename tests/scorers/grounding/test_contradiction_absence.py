"""Contradiction absence: what the other side of a conflict says counts where the answer passes over it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers import run_panel
from scorers.base import Env, Score
from scorers.conflict.conflict_handling import ConflictHandling
from scorers.conflict.source_conflict import SourceConflict
from scorers.grounding.contradiction_absence import ContradictionAbsence

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
TEXTS = ("The notice period is 30 days.", "The notice period is 60 days.")
PASSAGES = tuple(Passage(id=text[21:23], text=text) for text in TEXTS)
PANEL = (ContradictionAbsence(), SourceConflict(), ConflictHandling())


def scored(said: str) -> dict[str, Score]:
    answer = Answer(id="a", question="What is the notice period?", answer=said, passages=PASSAGES)
    return {score.metric: score for score in run_panel(PANEL, answer, ENV).scores}


def test_a_side_taken_silently_is_contradicted_by_the_other() -> None:
    found = scored(TEXTS[0])
    absence, conflict = found["contradiction_absence"], found["source_conflict"]
    assert found["conflict_handling"].label == "silent"
    assert absence.value == pytest.approx(1 - conflict.value)
    assert {evidence.passage_id for evidence in absence.evidence} == {"30", "60"}
    assert "taken silently" in (absence.explanation or "")


def test_a_conflict_that_is_named_contradicts_nothing() -> None:
    named = scored("It is 30 days by one policy and 60 days by another.")
    assert named["conflict_handling"].label == "named"
    assert named["contradiction_absence"].value > scored(TEXTS[0])["contradiction_absence"].value


def test_where_conflicts_are_not_scored_the_answer_stands_against_its_context_alone() -> None:
    answer = Answer(id="a", question="What is the notice period?", answer=TEXTS[0], passages=PASSAGES)
    (alone,) = run_panel(PANEL[:1], answer, ENV).scores
    assert alone.value > scored(TEXTS[0])["contradiction_absence"].value


def test_a_value_that_is_high_beside_the_label_contradicted_says_what_it_is() -> None:
    passage = Passage(id="p", text="VPN is required outside the office.")
    answer = Answer(id="a", answer="VPN is not required outside of the office.", passages=(passage,))
    score = ContradictionAbsence().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    assert isinstance(score, Score)
    assert (score.label, score.value > 0.5) == ("contradicted", True)
    assert "at even odds, which decides the label; 0.79 is the probability that nothing is" in str(score.explanation)
