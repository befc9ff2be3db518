"""Which scenarios a benchmark has: so many of each kind in each family, each asked in up to three variants.

Source: PROBE 3.2 and Table 2: of 800 questions a domain 28, 32 and 30 % conflict, 24 % have a stale near miss, 18 %
need two sources, 12 % are at a policy boundary; 2.4, 2.6 and 2.2 gold passages a question. PROBE does not say how these
overlap: here a quarter of the stale ones conflict as well, as in its sample A.3, and the others do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from evaluation.benchmark.domains.financial import FINANCIAL
from evaluation.benchmark.domains.healthcare import HEALTHCARE
from evaluation.benchmark.domains.supply_chain import SUPPLY_CHAIN
from evaluation.benchmark.templates import Domain, DomainTemplates

ScenarioKind = Literal["plain", "conflict", "stale", "conflict_and_stale", "multi_source", "boundary"]
Variant = Literal["direct", "paraphrase", "adversarial"]

DOMAINS: tuple[DomainTemplates, ...] = (SUPPLY_CHAIN, HEALTHCARE, FINANCIAL)
FAMILIES = 12
QUESTIONS = 2_400
LEAST_QUESTIONS = 300
"""What PROBE calls the least replication package (6.4)."""
VARIANTS: tuple[Variant, ...] = ("direct", "paraphrase", "adversarial")

CONFLICT: Mapping[Domain, float] = {"supply_chain": 0.28, "healthcare_operations": 0.32, "financial_services": 0.30}
STALE, BOTH, MULTI_SOURCE, BOUNDARY = 0.24, 0.06, 0.18, 0.12
THIRD_PASSAGE: Mapping[Domain, float] = {"supply_chain": 0.4, "healthcare_operations": 0.6, "financial_services": 0.2}
"""Share of questions with a third gold passage beside the two that each has."""
_PAIR, _REST_OF_TWO_PAIRS = 2, 4


class PlannedScenario(NamedTuple):
    """A scenario to be made: its place in its family, what it has, and the variants in which it is asked."""

    place: int
    kind: ScenarioKind
    variants: tuple[Variant, ...]
    third: bool


def planned(domain: Domain, questions: int) -> list[PlannedScenario]:
    """Return the scenarios of a family with so many questions.

    >>> scenarios = planned("healthcare_operations", 200)
    >>> sum(len(each.variants) for each in scenarios if each.kind.startswith("conflict"))
    64
    """
    both, conflict = round(questions * BOTH), round(questions * CONFLICT[domain])
    shares: dict[ScenarioKind, int] = {
        "conflict_and_stale": both,
        "conflict": conflict - both,
        "stale": round(questions * STALE) - both,
        "multi_source": round(questions * MULTI_SOURCE),
        "boundary": round(questions * BOUNDARY),
    }
    shares["plain"] = questions - sum(shares.values())
    groups = [(kind, variants) for kind, count in shares.items() for variants in _groups(count)]
    third = set(_third(groups, round(questions * THIRD_PASSAGE[domain])))
    return [PlannedScenario(place, kind, variants, place in third) for place, (kind, variants) in enumerate(groups)]


def _groups(count: int) -> Iterator[tuple[Variant, ...]]:
    """Yield groups of three variants, and pairs, or one alone, where the count is no multiple of three."""
    rest = count % len(VARIANTS)
    pairs = 1 if rest == _PAIR else _PAIR if rest and count >= _REST_OF_TWO_PAIRS else 0
    for _ in range((count - pairs * _PAIR) // len(VARIANTS)):
        yield VARIANTS
    for number in range(pairs):
        yield VARIANTS[:2] if number else (VARIANTS[0], VARIANTS[2])
    if rest and not pairs:
        yield VARIANTS[:1]


def _third(groups: list[tuple[ScenarioKind, tuple[Variant, ...]]], questions: int) -> Iterator[int]:
    """Yield the places of groups, spread over the family, that have so many questions together."""
    order = sorted(range(len(groups)), key=lambda place: (-len(groups[place][1]), place * 29 % len(groups)))
    for place in order:
        size = len(groups[place][1])
        if size <= questions and questions - size != 1:
            questions -= size
            yield place
