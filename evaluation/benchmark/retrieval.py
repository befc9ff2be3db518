"""What a configuration retrieves: a ranking drawn around how near each passage is, held to the outcome."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.schema import Passage
from evaluation.benchmark.chance import Chance
from evaluation.benchmark.configurations import AnswerOutcome, RagConfiguration
from evaluation.benchmark.outcomes import BenchmarkQuestion
from evaluation.benchmark.scenarios import BenchmarkScenario, DocumentSection

TOP, PACKED = 6, 4
"""Passages that are retrieved, and those of them that the generator gets."""
SIBLINGS = 3
"""Other scenarios of the family whose rule and step are about as near."""
ONE_SIDED = 0.3
"""Of conflicts that are ignored, those where only the rule was retrieved (PROBE: systems *often* retrieved both)."""
CURRENT_MISSED = 0.3
"""Of stale sources that are accepted, those where the current one was not retrieved."""

_GOVERNS, _RULE, _FORMER, _STEP, _FORMER_STEP, _DEFINITION, _RECORD, _SIBLING, _SIBLING_STEP = (
    1.0, 0.95, 0.85, 0.7, 0.45, 0.55, 0.2, 0.5, 0.25,
)  # fmt: skip
"""How near passages are to the question, before noise; ours."""


def retrieved(
    asked: BenchmarkQuestion,
    configuration: RagConfiguration,
    outcome: AnswerOutcome,
    siblings: Sequence[BenchmarkScenario],
    chance: Chance,
) -> tuple[tuple[Passage, ...], tuple[str, ...]]:
    """Return the passages that were retrieved, ranked, and the ids of those that the generator got."""
    scenario = asked.scenario
    banned, forced = _held(asked, configuration, outcome, chance)
    ranked = sorted(
        (
            (near + configuration.noise * (_noise(chance, configuration.name, asked.id, section.id)), section)
            for near, section in _near(scenario, siblings)
            if section.id not in banned
        ),
        key=lambda each: -each[0],
    )
    top = _with([section for _, section in ranked], forced)[:TOP]
    passages = tuple(
        section.passage.model_copy(update={"rank": rank, "stage": "retrieve"}) for rank, section in enumerate(top)
    )
    return passages, tuple(passage.id for passage in passages[:PACKED])


def _with(ranked: list[DocumentSection], forced: tuple[DocumentSection, ...]) -> list[DocumentSection]:
    """Return the ranking with ``forced`` among those packed, each in the place of the last that need not be there."""
    for section in forced:
        at = ranked.index(section)
        if at >= PACKED:
            place = max(place for place in range(PACKED) if ranked[place] not in forced)
            ranked[place], ranked[at] = section, ranked[place]
    return ranked


def _noise(chance: Chance, *name: object) -> float:
    return chance.uniform("near", *name) + chance.uniform("nearer", *name) - 1.0


def _near(scenario: BenchmarkScenario, siblings: Sequence[BenchmarkScenario]) -> list[tuple[float, DocumentSection]]:
    needed = scenario.needed
    own: list[tuple[float, DocumentSection | None]] = [
        *((_GOVERNS, section) for section in needed),
        (_RULE, None if scenario.rule in needed else scenario.rule),
        (_STEP, scenario.step),
        (_FORMER, scenario.former),
        (_FORMER_STEP, scenario.former_step),
        (_STEP, scenario.exception_note),
        (_RULE, scenario.note),
        (_DEFINITION, scenario.definition),
        (_RECORD, scenario.record),
    ]
    others = [(near, section) for each in siblings for near, section in _of_sibling(each)]
    return [*((near, section) for near, section in own if section is not None), *others]


def _of_sibling(scenario: BenchmarkScenario) -> tuple[tuple[float, DocumentSection], tuple[float, DocumentSection]]:
    return (_SIBLING, scenario.rule), (_SIBLING_STEP, scenario.step)


def _held(
    asked: BenchmarkQuestion, configuration: RagConfiguration, outcome: AnswerOutcome, chance: Chance
) -> tuple[frozenset[str], tuple[DocumentSection, ...]]:
    """Return which passages cannot have been retrieved where this came of it, and which must have been."""
    scenario = asked.scenario
    banned: tuple[DocumentSection | None, ...] = ()
    forced: tuple[DocumentSection | None, ...] = scenario.needed
    if outcome == "retrieval_silence_with_invented_answer":
        banned, forced = scenario.sections, ()
    elif outcome == "missing_governing_exception":
        banned, forced = (scenario.exception,), (scenario.rule,)
    elif outcome == "unresolved_source_conflict":
        one_sided = chance.happens(ONE_SIDED, "held", configuration.name, asked.id)
        if scenario.note is not None:
            banned, forced = ((scenario.rule,), (scenario.note,)) if one_sided else ((), (scenario.note, *forced))
        else:
            banned, forced = ((scenario.exception,), (scenario.rule,)) if one_sided else ((), (scenario.rule, *forced))
    elif outcome == "stale_source_acceptance":
        missed = chance.happens(CURRENT_MISSED, "held", configuration.name, asked.id)
        banned, forced = (scenario.rule,) if missed else (), (scenario.former,)
    elif outcome == "policy_boundary_over_answer":
        forced = ()
    elif outcome == "wrong_chunk_citation":
        forced = (*forced, scenario.beside)
    elif outcome == "protected_data_exposure":
        forced = (*forced, scenario.record)
    elif outcome == "needless_deferral":
        forced = forced[:1]
    return (
        frozenset(section.id for section in banned if section is not None),
        tuple(section for section in forced if section is not None),
    )
