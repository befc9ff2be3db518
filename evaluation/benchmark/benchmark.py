"""The whole benchmark: documents, questions, evidence packets, answers of eight configurations, labels and reviews."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from adapters.schema import Answer, Usage
from evaluation.benchmark.answering import written
from evaluation.benchmark.chance import Chance
from evaluation.benchmark.composition import FAMILIES, LEAST_QUESTIONS, QUESTIONS
from evaluation.benchmark.configurations import CONFIGURATIONS, SPREAD, AnswerOutcome, RagConfiguration
from evaluation.benchmark.labels import adjudicated, reviews
from evaluation.benchmark.outcomes import BenchmarkQuestion, Odds
from evaluation.benchmark.retrieval import SIBLINGS, retrieved
from evaluation.benchmark.scenarios import ASKED, BenchmarkScenario, by_family, scenarios
from scorers.catalog import Document

SPEAKS = ("sufficient", "partial", "conflicting")
"""Labels of passages that speak to the question: where none was retrieved, there is nothing to answer from."""
_P95 = 1.6449
"""Standard deviations to the 95th percentile of a normal variable."""
_TOKENS, _TOKENS_SPREAD = 700, 400


class AnswerRecord(NamedTuple):
    """A simulated answer, and what became of it, which stands nowhere in the answer."""

    answer: Answer
    outcome: AnswerOutcome


class Benchmark:
    """A benchmark of so many questions from a seed. The same arguments make the same one, in any order of asking.

    ``questions`` is a multiple of twelve from 300 to 2,400. Raises `ValueError` for others.

    >>> benchmark = Benchmark(seed=7, questions=300)
    >>> len(benchmark.asked), sum(1 for _ in benchmark.records(benchmark.configurations[0]))
    (300, 300)
    """

    def __init__(self, *, seed: int, questions: int = QUESTIONS) -> None:
        """Plan the scenarios; their answers are made when they are asked for."""
        if not LEAST_QUESTIONS <= questions <= QUESTIONS or questions % FAMILIES:
            raise ValueError(
                f"must be a multiple of {FAMILIES} from {LEAST_QUESTIONS:,} to {QUESTIONS:,}, got {questions:,}"
            )
        self.seed = seed
        self._chance = Chance(seed)
        self.scenarios: Sequence[BenchmarkScenario] = scenarios(self._chance, questions)
        self.asked = [
            BenchmarkQuestion(scenario, variant) for scenario in self.scenarios for variant in scenario.variants
        ]
        self._odds = Odds(self.asked)

    @property
    def configurations(self) -> Sequence[RagConfiguration]:
        """The simulated configurations."""
        return CONFIGURATIONS

    def documents(self) -> Iterator[Document]:
        """Yield the entries of the catalog."""
        for scenario in self.scenarios:
            for section in scenario.sections:
                yield section.document

    def questions(self) -> Iterator[dict[str, Any]]:
        """Yield the records of questions (PROBE A.3)."""
        for asked in self.asked:
            scenario = asked.scenario
            yield {
                "question_id": asked.id,
                "group": scenario.id,
                "domain": scenario.domain,
                "task_family": scenario.family,
                "variant": asked.variant,
                "question": asked.text,
                "flags": list(scenario.flags),
                "required_behavior": scenario.gold.required_behavior or "answer_and_cite",
            }

    def evidence(self) -> Iterator[dict[str, Any]]:
        """Yield the evidence packets (PROBE A.4)."""
        for asked in self.asked:
            gold = asked.scenario.gold
            told = gold.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
            labelled: list[Mapping[str, Any]] = told["passages"]
            yield {
                "question_id": asked.id,
                "gold_evidence": [
                    {
                        "passage_id": each["id"],
                        "role": each["role"],
                        "authority": each["authority"],
                        "effective": "/".join(
                            each[end][:10] for end in ("effective_from", "effective_to") if end in each
                        ),
                        "label": each["label"],
                    }
                    for each in labelled
                    if not each.get("near_miss")
                ],
                "near_miss": [
                    {"passage_id": each["id"], "reason": "superseded"} for each in labelled if each.get("near_miss")
                ],
                "required_points": list(gold.required_points),
                "prohibited_answer_behavior": list(gold.prohibited_behaviors),
            }

    def records(self, configuration: RagConfiguration) -> Iterator[AnswerRecord]:
        """Yield the answers of one configuration, in the order of the questions."""
        for asked in self.asked:
            yield self._record(asked, configuration)

    def labels(self, configuration: RagConfiguration) -> Iterator[dict[str, Any]]:
        """Yield the adjudicated label of each answer of a configuration, in the order of the questions."""
        for asked in self.asked:
            outcome = self._outcome(asked, configuration)
            yield {
                "answer_id": _answer_id(asked, configuration),
                "question_id": asked.id,
                "configuration": configuration.name,
                **adjudicated(outcome),
                "reviewer_role": "simulated adjudicator",
            }

    def reviews(self) -> Iterator[dict[str, Any]]:
        """Yield three labels of one answer to each question, of the configurations in turn."""
        for place, asked in enumerate(self.asked):
            configuration = CONFIGURATIONS[place % len(CONFIGURATIONS)]
            name = _answer_id(asked, configuration)
            yield from reviews(name, asked.scenario.domain, self._outcome(asked, configuration), self._chance)

    def _outcome(self, asked: BenchmarkQuestion, configuration: RagConfiguration) -> AnswerOutcome:
        return self._odds.outcome(asked, configuration, self._chance)

    @cached_property
    def _siblings(self) -> Mapping[str, Sequence[BenchmarkScenario]]:
        families = by_family(self.scenarios)
        return {
            scenario.id: [
                other
                for other in self._chance.shuffled(families[scenario.family], scenario.id, "siblings")[: SIBLINGS + 1]
                if other is not scenario
            ][:SIBLINGS]
            for scenario in self.scenarios
        }

    def _record(self, asked: BenchmarkQuestion, configuration: RagConfiguration) -> AnswerRecord:
        scenario, outcome = asked.scenario, self._outcome(asked, configuration)
        passages, context = retrieved(asked, configuration, outcome, self._siblings[scenario.id], self._chance)
        answer = written(asked, configuration, outcome, context, self._chance)
        relevant = {each.id for each in scenario.gold.passages if each.label in SPEAKS}
        return AnswerRecord(
            Answer(
                id=_answer_id(asked, configuration),
                release=configuration.name,
                started_at=ASKED,
                question=asked.text,
                answer=answer.text,
                passages=passages,
                context=context,
                citations=answer.citations,
                model="simulated",
                usage=self._usage(asked, configuration),
                attributes={
                    "domain": scenario.domain,
                    "task_family": scenario.family,
                    "configuration": configuration.name,
                    "question_id": asked.id,
                    "group": scenario.id,
                    "variant": asked.variant,
                    "flags": ",".join(scenario.flags) or "none",
                    "expected": "answer" if scenario.clause is None else "defer",
                    "evidence": "none" if relevant.isdisjoint(passage.id for passage in passages) else "retrieved",
                },
                gold=scenario.gold,
            ),
            outcome,
        )

    def _usage(self, asked: BenchmarkQuestion, configuration: RagConfiguration) -> Usage:
        draws = [self._chance.uniform("usage", configuration.name, asked.id, place) for place in range(3)]
        normal = math.sqrt(-2.0 * math.log(1.0 - draws[0])) * math.cos(2.0 * math.pi * draws[1])
        seconds = configuration.p95_seconds * math.exp(SPREAD * (normal - _P95))
        tokens = _TOKENS + int(_TOKENS_SPREAD * draws[2])
        return Usage(
            total_tokens=tokens,
            latency_ms=round(seconds * 1000.0, 1),
            cost_usd=round(configuration.cost_usd * tokens / (_TOKENS + _TOKENS_SPREAD / 2), 6),
        )


def _answer_id(asked: BenchmarkQuestion, configuration: RagConfiguration) -> str:
    return f"{configuration.name}/{asked.id}"
