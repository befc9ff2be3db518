"""The regression gate: every case of a suite, by its name."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from gates import regression
from gates.inputs.observations import Batch, Observation
from gates.regression import RegressionGate

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def gate(**options):
    told = {"type": "regression", "name": "suite", "metric": "claim_support", "worse": "lower"}
    return RegressionGate.model_validate(told | options)


def ran(version, hour, values, *, label=None, **columns):
    """A run of the suite: the value of each case."""
    return Batch.of(rows(version, hour, values, label=label, **columns))


def rows(version, hour, values, *, label=None, **columns):
    return [
        Observation(
            at=NOON + timedelta(hours=hour, seconds=place),
            answer_id=f"{version}-{case}",
            metric=columns.get("metric", "claim_support"),
            value=value,
            probability=1,
            slice={"case": case, "domain": "travel"},
            versions={} if version is None else {"release": version},
            arm=columns.get("arm"),
            label=label,
        )
        for place, (case, value) in enumerate(values.items())
    ]


def judged(subject, *runs):
    state = subject.initial()
    for run in runs:
        state = subject.fold(state, run)
    assert subject.load(subject.dump(state)) == state
    return subject.verdict(state, NOON + timedelta(days=1))


def suite(n=40, **changed):
    return {f"HR-{place:03d}": 0.9 for place in range(n)} | {name.replace("_", "-"): v for name, v in changed.items()}


def test_one_case_of_forty_that_fell_fails_the_release_and_is_named():
    verdict = judged(gate(), ran("1", 0, suite()), ran("2", 1, suite(HR_007=0.2)))
    assert (verdict.state, verdict.candidate, verdict.baseline) == ("fail", "2", "1")
    assert verdict.reason == "1 of 40 cases fell from release 1 to 2 in claim_support: HR-007 from 0.9 to 0.2"


def test_a_better_mean_does_not_make_up_for_a_case_that_fell():
    better = dict.fromkeys(suite(), 1.0) | {"HR-003": 0.8}
    assert judged(gate(), ran("1", 0, suite()), ran("2", 1, better)).state == "fail"


def test_all_cases_at_least_as_good_pass_and_new_ones_are_counted():
    verdict = judged(gate(), ran("1", 0, suite()), ran("2", 1, suite(41, HR_001=1.0)))
    assert verdict.state == "pass"
    assert "claim_support; 1 more is new and not compared; a fall of any size" in verdict.reason


def test_while_cases_are_missing_nothing_passes_and_they_are_named():
    verdict = judged(gate(), ran("1", 0, suite()), ran("2", 1, suite(38)))
    assert (verdict.state, verdict.code) == ("inconclusive", 0)
    assert verdict.reason.endswith("2 are not answered yet, and their answers are needed: HR-038; HR-039")


def test_one_case_that_is_missing_is_named_as_one():
    verdict = judged(gate(), ran("1", 0, suite()), ran("2", 1, suite(39)))
    assert verdict.reason.endswith("1 is not answered yet, and its answer is needed: HR-039")


def test_a_case_that_fell_fails_before_the_suite_is_complete():
    assert judged(gate(), ran("1", 0, suite()), ran("2", 1, {"HR-000": 0.1})).state == "fail"


def test_the_worst_falls_are_named_first_and_the_rest_are_counted():
    fallen = {f"HR-{place:03d}": 0.5 - place / 100 for place in range(14)}
    reason = judged(gate(), ran("1", 0, suite()), ran("2", 1, suite() | fallen)).reason
    assert reason.startswith(
        "14 of 40 cases fell from release 1 to 2 in claim_support: HR-013 from 0.9 to 0.37; HR-012"
    )
    assert reason.endswith("; and 4 more")


def test_a_release_that_failed_is_not_what_the_next_one_is_held_against():
    runs = [ran("1", 0, suite()), ran("2", 1, suite(HR_007=0.2)), ran("3", 2, suite(HR_007=0.2))]
    verdict = judged(gate(), *runs)
    assert (verdict.state, verdict.baseline) == ("fail", "1")
    assert judged(gate(), *runs, ran("4", 3, suite())).state == "pass"


def test_a_release_that_was_mended_and_run_again_is_judged_by_its_last_answers():
    runs = [ran("1", 0, suite()), ran("2", 1, suite(HR_007=0.2)), ran("2", 2, {"HR-007": 0.9})]
    assert judged(gate(), *runs).state == "pass"
    assert judged(gate(), runs[2], runs[0], runs[1]).state == "pass"


def test_arms_are_compared_where_answers_name_them():
    runs = [ran("2", 0, suite(HR_007=0.2), arm="candidate"), ran("1", 1, suite(), arm="baseline")]
    assert judged(gate(), *runs).candidate == "2"
    assert judged(gate(), *runs).state == "fail"


def test_what_may_differ_is_in_the_unit_of_the_metric():
    runs = ran("1", 0, {"a": 80.0}, metric="composite"), ran("2", 1, {"a": 78.5}, metric="composite")
    assert judged(gate(metric="composite"), *runs).state == "fail"
    assert judged(gate(metric="composite", tolerance=2), *runs).state == "pass"
    with pytest.raises(ValidationError, match="less than 1"):
        gate(tolerance=1)


def test_labels_are_compared_where_they_say_what_is_good():
    subject = gate(metric="faithfulness", good="supported")
    good = ran("1", 0, {"a": 0.7}, metric="faithfulness", label="supported")
    same = ran("2", 1, {"a": 0.6}, metric="faithfulness", label="supported")
    bad = ran("2", 1, {"a": 0.9}, metric="faithfulness", label="contradicted")
    assert judged(subject, good, same).state == "pass"
    assert judged(subject, good, bad).state == "fail"


def test_one_release_alone_has_nothing_to_be_held_against():
    verdict = judged(gate(), ran("1", 0, suite()))
    assert (verdict.state, verdict.no_data) == ("inconclusive", True)
    assert verdict.reason == (
        "release 1 is the only one that answered cases: run the suite with the release before it as well"
    )


def releases(count, *fallen, of=ran):
    for number in range(count):
        yield of(f"{number:03d}", number, suite(10, HR_004=0.1) if number in fallen else suite(10))


@pytest.mark.parametrize("fallen", [(), (3, 7), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)])
def test_a_gate_goes_on_judging_after_more_releases_than_it_keeps(monkeypatch, fallen):
    monkeypatch.setattr(regression, "MOST_VALUES", 40)
    verdict = judged(gate(), *releases(15, *fallen))
    assert (verdict.state, verdict.candidate) == ("pass", "014")
    assert verdict.baseline == ("000" if len(fallen) > 2 else "013")
    assert judged(gate(), *releases(16, *fallen, 15)).state == "fail"


def test_what_is_forgotten_does_not_depend_on_batches(monkeypatch):
    monkeypatch.setattr(regression, "MOST_VALUES", 25)
    subject = gate()
    answers = [row for run in releases(9, 4, of=rows) for row in run]
    whole, single = subject.fold(subject.initial(), Batch.of(answers)), subject.initial()
    for answer in answers:
        single = subject.fold(single, Batch.of([answer]))
    assert subject.dump(whole) == subject.dump(single)


def test_a_suite_that_does_not_fit_twice_is_told_and_never_passes(monkeypatch):
    monkeypatch.setattr(regression, "MOST_VALUES", 60)
    verdict = judged(gate(), ran("1", 0, suite()), ran("2", 1, suite()))
    assert verdict.state == "inconclusive"
    assert "there are more cases or releases than can be told apart by case" in verdict.reason
