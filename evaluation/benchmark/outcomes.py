"""Which outcome the answer of a configuration to a question has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from evaluation.benchmark.chance import Chance
from evaluation.benchmark.composition import Variant
from evaluation.benchmark.configurations import BLEMISHED, ODDS, SHARES, UNACCEPTABLE, AnswerOutcome, RagConfiguration
from evaluation.benchmark.scenarios import BenchmarkScenario

NEEDS: Mapping[AnswerOutcome, str] = {
    "stale_source_acceptance": "freshness",
    "unresolved_source_conflict": "conflict",
    "policy_boundary_over_answer": "policy_boundary",
}
"""Failures that only questions with a flag can have."""
ANSWERED = frozenset(
    {
        "wrong_chunk_citation",
        "numeric_transposition",
        "citation_coverage_gap",
        "omission",
        "needless_deferral",
        "minor_omission",
    }
)
"""What can go wrong only where the question is one to answer."""


class BenchmarkQuestion(NamedTuple):
    """A question: a scenario in one of its variants."""

    scenario: BenchmarkScenario
    variant: Variant

    @property
    def id(self) -> str:
        """The id of the question."""
        return f"{self.scenario.id}-{self.variant[0]}"

    @property
    def text(self) -> str:
        """The question as it is asked."""
        said: str = getattr(self.scenario.wordings, self.variant)
        return said


class Odds:
    """The probability of each outcome of a question, such that rates and shares hold over all questions.

    A failure that only some questions can have is more likely there, by what part of all questions they are. Failures
    of one question exclude each other.
    """

    def __init__(self, every: list[BenchmarkQuestion]) -> None:
        """Count which questions can have which outcome."""
        outcomes: list[AnswerOutcome] = [*SHARES, *UNACCEPTABLE, "minor_omission"]
        self._weight: dict[AnswerOutcome, float] = {
            outcome: sum(ODDS[each.variant] for each in every if _can(each, outcome)) / len(every)
            for outcome in outcomes
        }

    def outcome(self, asked: BenchmarkQuestion, configuration: RagConfiguration, chance: Chance) -> AnswerOutcome:
        """Draw the outcome of one answer."""
        left = chance.uniform("outcome", configuration.name, asked.id)
        for outcome, probability in self._of(asked, configuration):
            left -= probability
            if left < 0:
                return outcome
        return "sound"

    def _of(self, asked: BenchmarkQuestion, configuration: RagConfiguration) -> Iterator[tuple[AnswerOutcome, float]]:
        shares: list[tuple[AnswerOutcome, float]] = [
            (name, configuration.unsafe * share) for name, share in SHARES.items()
        ]
        short = 1.0 - configuration.acceptable - configuration.unsafe
        shares += [(name, short * share) for name, share in UNACCEPTABLE.items()]
        shares.append(("minor_omission", configuration.acceptable * BLEMISHED))
        for outcome, share in shares:
            if _can(asked, outcome):
                yield outcome, share * ODDS[asked.variant] / self._weight[outcome]


def _can(asked: BenchmarkQuestion, outcome: AnswerOutcome) -> bool:
    flags = asked.scenario.flags
    if outcome == "missing_governing_exception":
        return asked.scenario.exception is not None
    if outcome in ANSWERED and "policy_boundary" in flags:
        return False
    return outcome not in NEEDS or NEEDS[outcome] in flags
