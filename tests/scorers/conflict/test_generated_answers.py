"""Sound answers of a generated benchmark are neither contradicted nor in a conflict that is none.

Its templates know nothing of the rules that judge them, so they show what a new rule costs right answers.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer
from evaluation.benchmark.benchmark import Benchmark
from scorers.base import Env, Score
from scorers.conflict.conflict_handling import ConflictHandling
from scorers.grounding.contradiction_absence import ContradictionAbsence

MOST = 0.01
"""Share of sound answers that may be called wrong."""


@pytest.fixture(scope="module")
def sound() -> list[Answer]:
    benchmark = Benchmark(seed=11, questions=600)
    records = [record for each in benchmark.configurations[::4] for record in benchmark.records(each)]
    return [record.answer for record in records if record.outcome == "sound"]


def test_hardly_any_is_contradicted(sound: list[Answer]) -> None:
    scorer, env = ContradictionAbsence(), Env(now=datetime(2026, 6, 1, tzinfo=UTC))
    found = [(answer, scorer.score(answer, env)) for answer in sound]
    wrong = [
        f"{each.answer}: {score.explanation}"
        for each, score in found
        if isinstance(score, Score) and score.label == "contradicted"
    ]
    assert len(sound) > 500
    assert len(wrong) <= MOST * len(sound), "\n".join(wrong)


def test_hardly_any_takes_a_side_of_passages_about_other_things(sound: list[Answer]) -> None:
    scorer, env = ConflictHandling(), Env(now=datetime(2026, 6, 1, tzinfo=UTC))
    one_sided = [each for each in sound if each.gold and all(p.label != "conflicting" for p in each.gold.passages)]
    found = [(answer, scorer.score(answer, env)) for answer in one_sided]
    wrong = [
        f"{each.question} {score.explanation}"
        for each, score in found
        if isinstance(score, Score) and score.label == "silent"
    ]
    assert len(one_sided) > 300
    assert len(wrong) <= MOST * len(one_sided), "\n".join(wrong)
