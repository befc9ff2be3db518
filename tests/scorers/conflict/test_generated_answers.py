"""Sound answers of a generated benchmark are neither contradicted nor in a conflict that is none.

Its templates know nothing of the rules that judge them, so they show what a new rule costs right answers.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer
from evaluation.benchmark.benchmark import Benchmark
from scorers.base import Env, Score, Scorer
from scorers.conflict.conflict_handling import ConflictHandling
from scorers.grounding.contradiction_absence import ContradictionAbsence

NOW = datetime(2026, 6, 1, tzinfo=UTC)
MOST = 0.01
"""Share of sound answers that may be called wrong."""


@pytest.fixture(scope="module")
def sound() -> list[Answer]:
    benchmark = Benchmark(seed=11, questions=600)
    records = [record for each in benchmark.configurations[::4] for record in benchmark.records(each)]
    return [record.answer for record in records if record.outcome == "sound"]


def called(scorer: Scorer, label: str, answers: list[Answer]) -> list[str]:
    """Return which of the answers a scorer gives a label, and why."""
    found = [(answer, scorer.score(answer, Env(now=NOW))) for answer in answers]
    return [
        f"{answer.question} {answer.answer}: {score.explanation}"
        for answer, score in found
        if isinstance(score, Score) and score.label == label
    ]


@pytest.mark.slow
def test_hardly_any_is_contradicted(sound: list[Answer]) -> None:
    wrong = called(ContradictionAbsence(), "contradicted", sound)
    assert len(sound) > 500
    assert len(wrong) <= MOST * len(sound), "\n".join(wrong)


def test_hardly_any_takes_a_side_of_passages_about_other_things(sound: list[Answer]) -> None:
    agreed = [each for each in sound if each.gold and all(p.label != "conflicting" for p in each.gold.passages)]
    wrong = called(ConflictHandling(), "silent", agreed)
    assert len(agreed) > 300
    assert len(wrong) <= MOST * len(agreed), "\n".join(wrong)
