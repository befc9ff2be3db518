"""The generated benchmark has PROBE's composition, and its answers say what their labels say of them."""

from collections import Counter

import pytest

from evaluation.benchmark.benchmark import Benchmark
from evaluation.benchmark.composition import planned
from evaluation.benchmark.configurations import CONFIGURATIONS, FAILURES, SHARES, severity_of
from evaluation.benchmark.outcomes import Odds
from scorers.catalog import Catalog

WHOLE = Benchmark(seed=3107)
SMALL = Benchmark(seed=5, questions=300)
CONFIGURATION = CONFIGURATIONS[0]


def test_2400_questions_have_the_shares_of_table_2():
    flags = Counter(flag for asked in WHOLE.asked for flag in asked.scenario.flags)
    assert len(WHOLE.asked) == 2_400
    assert flags == {"conflict": 720, "freshness": 576, "multi_source": 432, "policy_boundary": 288}
    by_domain = Counter(a.scenario.domain for a in WHOLE.asked if "conflict" in a.scenario.flags)
    assert by_domain == {"supply_chain": 224, "healthcare_operations": 256, "financial_services": 240}
    assert set(Counter(asked.scenario.family for asked in WHOLE.asked).values()) == {200}
    gold = Counter()
    for asked in WHOLE.asked:
        gold[asked.scenario.domain] += asked.scenario.gold_passages
    assert gold == {"supply_chain": 1_920, "healthcare_operations": 2_080, "financial_services": 1_752}


def test_questions_come_in_groups_of_a_direct_a_paraphrased_and_an_adversarial_variant():
    variants = Counter(asked.variant for asked in WHOLE.asked)
    assert variants == {"direct": 808, "paraphrase": 792, "adversarial": 800}
    assert len({asked.text for asked in WHOLE.asked}) == 2_400
    assert len({asked.id for asked in WHOLE.asked}) == 2_400


@pytest.mark.parametrize("questions", [25, 26, 50, 100, 200])
def test_a_family_of_any_size_has_its_questions_once(questions):
    groups = planned("healthcare_operations", questions)
    assert sum(len(each.variants) for each in groups) == questions
    assert [each.place for each in groups] == list(range(len(groups)))


def test_outcomes_are_drawn_with_the_rates_and_shares_of_tables_5_and_8():
    odds = Odds(WHOLE.asked)
    configuration = CONFIGURATIONS[2]
    expected = Counter()
    for asked in WHOLE.asked:
        for outcome, probability in odds._of(asked, configuration):
            expected[outcome] += probability / len(WHOLE.asked)
    unsafe = {name: expected[name] for name in FAILURES}
    assert sum(unsafe.values()) == pytest.approx(configuration.unsafe)
    assert {name: value / configuration.unsafe for name, value in unsafe.items()} == pytest.approx(dict(SHARES))
    short = sum(value for name, value in expected.items() if severity_of(name) == "moderate")
    assert short == pytest.approx(1 - configuration.unsafe - configuration.acceptable)


def test_the_same_seed_makes_the_same_answers_in_any_order_and_another_seed_others():
    again = Benchmark(seed=5, questions=300)
    reversed_first = [list(again.records(each)) for each in reversed(CONFIGURATIONS[:2])]
    assert list(SMALL.records(CONFIGURATION)) == reversed_first[1]
    assert list(Benchmark(seed=6, questions=300).records(CONFIGURATION)) != reversed_first[1]


def test_every_answer_cites_its_context_and_nothing_else():
    for configuration in CONFIGURATIONS[:3]:
        for answer, _ in SMALL.records(configuration):
            assert len(answer.context) == 4 <= len(answer.passages) == 6
            assert len({passage.id for passage in answer.passages}) == 6
            for citation in answer.citations:
                assert answer.answer[citation.start : citation.end] == citation.marker
                assert citation.passage_id in answer.context
                assert answer.context[int(citation.marker[1:-1]) - 1] == citation.passage_id
            assert "{" not in answer.answer + answer.question


def records_by_outcome(benchmark):
    found = {}
    for configuration in benchmark.configurations[:4]:
        for asked, record in zip(benchmark.asked, benchmark.records(configuration), strict=True):
            found.setdefault(record.outcome, []).append((asked.scenario, record.answer))
    return found


@pytest.mark.slow
def test_a_failure_is_in_the_words_of_the_answer():
    found = records_by_outcome(WHOLE)
    assert set(found) >= FAILURES
    cited = lambda answer: {citation.passage_id for citation in answer.citations}  # noqa: E731
    for scenario, answer in found["stale_source_acceptance"]:
        assert cited(answer) == {scenario.former.id}
    for scenario, answer in found["unresolved_source_conflict"] + found["missing_governing_exception"]:
        taken, left = (scenario.rule, scenario.exception) if scenario.note is None else (scenario.note, scenario.rule)
        assert left.id not in cited(answer)
        assert taken.id in cited(answer)
    for scenario, answer in found["missing_governing_exception"]:
        assert scenario.exception.id not in {passage.id for passage in answer.passages}
    for scenario, answer in found["wrong_chunk_citation"]:
        assert answer.citations[0].passage_id == scenario.beside.id
        assert scenario.beside.document.id == scenario.needed[0].document.id
    for scenario, answer in found["numeric_transposition"]:
        right = [claim for section in scenario.needed[:1] for claim in section.statement.claims]
        assert not any(claim in answer.answer for claim in right)
    for scenario, answer in found["protected_data_exposure"]:
        assert scenario.record.statement.text.partition(": ")[2][:8] in answer.answer
    for scenario, answer in found["retrieval_silence_with_invented_answer"]:
        assert answer.attributes["evidence"] == "none"
        assert {section.id for section in scenario.sections}.isdisjoint(p.id for p in answer.passages)
    for scenario, answer in found["policy_boundary_over_answer"]:
        assert scenario.office not in answer.answer
    for scenario, answer in found["omission"]:
        whole = [claim for section in scenario.needed for claim in section.statement.claims]
        assert sum(claim in answer.answer for claim in whole) < len(scenario.needed)


def test_conflicts_that_only_authority_decides_stand_beside_those_that_an_exception_decides():
    conflicts = {asked.scenario.id: asked.scenario for asked in WHOLE.asked if asked.scenario.conflicts}.values()
    noted = [each for each in conflicts if each.note is not None]
    assert 0.3 < len(noted) / len(conflicts) < 0.5
    for scenario in noted:
        note, rule = scenario.note.passage, scenario.rule.passage
        assert scenario.exception is None
        assert note.authority < rule.authority
        assert rule.effective_from < note.effective_from
        assert note.effective_to is None
        assert not {"override", "precedence", "replace"} & set(note.text.casefold().split())
        assert note.text != rule.text
        labels = {each.id: each.label for each in scenario.gold.passages}
        assert (labels[rule.id], labels[note.id]) == ("sufficient", "conflicting")


def test_nothing_of_the_label_stands_in_the_answer():
    for record in SMALL.records(CONFIGURATION):
        told = record.answer.model_dump_json()
        assert record.answer.gold.acceptable is None
        assert "outcome" not in told
        assert record.outcome == "sound" or record.outcome not in told


def test_the_catalog_is_one_and_passages_are_its_entries():
    catalog = Catalog(list(SMALL.documents()))
    assert len(list(SMALL.documents())) == len({(d.id, d.version, d.section) for d in SMALL.documents()})
    assert catalog is not None


@pytest.mark.parametrize("questions", [0, 299, 2_412, 301])
def test_other_numbers_of_questions_are_refused(questions):
    with pytest.raises(ValueError, match="multiple of 12 from 300 to 2,400"):
        Benchmark(seed=1, questions=questions)
