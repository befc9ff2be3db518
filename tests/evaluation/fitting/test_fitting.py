"""Splits keep groups, composites are those of the scorer, calibration and kappas are those of libraries."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from adapters.schema import Answer
from evaluation.fitting.behaviour import COMPOSITE, ExpectedBehaviour, observed
from evaluation.fitting.calibration import (
    Scaling,
    band_accuracy,
    bands,
    calibration_error,
    log_loss,
    platt,
    temperature,
)
from evaluation.fitting.composites import CompositeParts, unsafe_probabilities
from evaluation.fitting.fit import COSTS, Tried, fit_profile, tuned
from evaluation.fitting.measures import f1, figures, spearman, spearman_difference
from evaluation.fitting.release_rule import CompositeProfile, cap_grid, weight_grid
from evaluation.fitting.rows import EXCEPTION_CAP, scored_row
from evaluation.fitting.splits import SHARES, split
from evaluation.fitting.table import AdjudicatedLabel, LabelledTable
from evaluation.fitting.unranked import UNRANKED
from evaluation.statistics.agreement import agreement, cohen_kappa
from evaluation.statistics.bootstrap import ConfidenceInterval
from scorers.base import Env, Score
from scorers.composite.composite import Composite
from scorers.composite.profile import MEMBERS, Caps, FamilyWeights, Override
from scorers.composite.unsafe_probability import UnsafeProbability

NOW = datetime(2026, 5, 4, tzinfo=UTC)
ANSWER = Answer(id="a", answer="Invoices are paid within 28 days.")
METRICS = sorted(name for names in MEMBERS.values() for name in names)
LABELS = {"regulated_advice_control": "unsupported", "contradiction_absence": "contradicted"}


def scores_of(values):
    return {
        name: Score(metric=name, value=value, label=LABELS.get(name) if value < 0.5 else None)
        for name, value in values.items()
    }


def table_of(rows, accepted, groups=None, strata=None):
    labels = [AdjudicatedLabel(bool(each), not each) for each in accepted]
    return LabelledTable.of(rows, labels, groups or range(len(rows)), strata or [0] * len(rows))


def row_of(values, name="a"):
    scores = scores_of(values)
    composite = Composite().score(ANSWER, Env(now=NOW, scored=scores))
    row = scored_row(ANSWER.model_copy(update={"id": name}), {**scores, "composite": composite})
    return row, scores


VALUES = st.dictionaries(
    st.sampled_from([*METRICS, "stale_source_use", "conflict_handling", "governing_exception_coverage"]),
    st.floats(0, 1).map(lambda value: round(value, 3)),
    min_size=4,
).map(lambda values: {"claim_support": 0.7, "ndcg": 0.5, **values})


def test_without_authority_either_side_of_a_conflict_is_as_good_and_an_exception_is_a_source_like_others():
    values = {"claim_support": 0.9, "conflict_handling": 0.0, "governing_exception_coverage": 0.0}
    told = scores_of(values) | {UNRANKED: Score(metric=UNRANKED, value=1.0, basis="gold")}
    told["governing_exception_coverage"] = told["governing_exception_coverage"].model_copy(update={"basis": "gold"})
    row = scored_row(ANSWER, {**told, "composite": Score(metric="composite", value=60.0)})
    assert (row.caps, row.unranked) == ({"source_conflict", EXCEPTION_CAP}, frozenset())
    whole, alike = (CompositeParts(table_of([row], [0]), ranked=ranked) for ranked in (True, False))
    assert whole.composites(FamilyWeights(), Override(), Caps()) < alike.composites(FamilyWeights(), Override(), Caps())


@settings(deadline=None, max_examples=60)
@given(VALUES, st.sampled_from(weight_grid()), st.sampled_from(cap_grid()))
def test_composites_of_many_are_those_of_the_scorer_by_any_weights_and_caps(values, weights, caps):
    row, scores = row_of(values)
    scorer = Composite(weights=weights, regulated=Override(safety=0.25), caps=caps)
    expected = scorer.score(ANSWER, Env(now=NOW, scored=scores)).value
    parts = CompositeParts(table_of([row], [1]))
    found = parts.composites(weights, Override(safety=0.25), caps)
    assert found[0] == pytest.approx(expected, abs=1e-9)
    lost = parts.lost(weights, Override(safety=0.25), caps)
    assert sum(points[0] for points in lost.values()) == pytest.approx(100.0 - expected, abs=1e-9)
    assert min(points[0] for points in lost.values()) >= 0.0


@settings(deadline=None, max_examples=40)
@given(VALUES)
def test_unsafe_probabilities_of_many_are_those_of_the_scorer(values):
    row, scores = row_of({**values, "faithfulness": 0.8})
    expected = UnsafeProbability().score(ANSWER, Env(now=NOW, scored=scores)).value
    assert unsafe_probabilities(table_of([row], [1]))[0] == pytest.approx(expected, abs=1e-12)


def test_the_composites_that_probe_prints_come_out():
    families = {"claim_support": 0.9, "ndcg": 0.8, "protected_data_control": 1.0, "latency": 0.5}
    row, _ = row_of(families)
    plain = CompositeParts(table_of([row], [1])).composites(*CompositeProfile())
    assert plain[0] == pytest.approx(100 * (0.4 * 0.9 + 0.3 * 0.8 + 0.2 * 1.0 + 0.1 * 0.5))
    for name, cap in (("protected_data_control", 40), ("stale_source_use", 60), ("conflict_handling", 65)):
        bad = 1.0 if name == "stale_source_use" else 0.0
        row, _ = row_of({**families, "claim_support": 1.0, "ndcg": 1.0, "latency": 1.0, name: bad})
        assert CompositeParts(table_of([row], [1])).composites(*CompositeProfile())[0] == cap


def test_weights_that_do_not_sum_to_1_are_not_in_the_grid():
    assert all(sum(weights.shares().values()) == pytest.approx(1) for weights in weight_grid())
    assert len(weight_grid()) == 34 < 4 * 4 * 4 * 3
    assert FamilyWeights() in weight_grid()
    assert Caps() in cap_grid()


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(1, 6), min_size=30, max_size=80), st.integers(0, 1_000))
def test_groups_stay_whole_and_each_part_has_its_share(sizes, seed):
    groups = [group for group, size in enumerate(sizes) for _ in range(size)]
    strata = [group % 3 for group in groups]
    row, _ = row_of({"claim_support": 0.5})
    table = table_of([row] * len(groups), [1] * len(groups), groups, strata)
    parts = split(table, np.random.default_rng(seed))
    seen = [set(part.group.tolist()) for part in parts]
    assert sum(len(part) for part in parts) == len(groups)
    assert not seen[0] & seen[1]
    assert not (seen[0] | seen[1]) & seen[2]
    for part, share in zip(parts, SHARES, strict=True):
        assert len(part) == pytest.approx(share * len(groups), abs=7)
        for stratum in range(3):
            of = strata.count(stratum)
            assert np.count_nonzero(part.stratum == stratum) == pytest.approx(share * of, abs=13)


@pytest.mark.parametrize("bad_first", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_each_part_has_its_share_of_bad_answers_whichever_answer_of_a_question_comes_first(seed, bad_first):
    groups, labels = [], []
    for group in range(120):
        given = ([0, 1] if bad_first else [1, 0]) if group < 50 else [1]
        groups += [group] * len(given)
        labels += given
    row, _ = row_of({"claim_support": 0.5})
    parts = split(table_of([row] * len(labels), labels, groups, labels), np.random.default_rng(seed))
    assert [int(np.count_nonzero(~part.acceptable)) for part in parts] == [30, 10, 10]


def test_groups_of_rare_mixtures_of_strata_are_spread_over_all_parts():
    strata = [kind for group in range(40) for kind in (group, 40 + group)]
    groups = [group for group in range(40) for _ in range(2)]
    row, _ = row_of({"claim_support": 0.5})
    table = table_of([row] * 80, [1] * 80, groups, strata)
    assert [len(part) for part in split(table, np.random.default_rng(0))] == [48, 16, 16]


def test_a_split_needs_ten_groups():
    row, _ = row_of({"claim_support": 0.5})
    with pytest.raises(ValueError, match="10 groups"):
        split(table_of([row] * 9, [1] * 9), np.random.default_rng(0))


def test_weights_follow_the_family_that_goes_with_acceptability():
    rng = np.random.default_rng(3)
    rows, accepted = [], []
    for number in range(300):
        good = rng.random() < 0.6
        values = {name: float(rng.random()) for name in ("claim_support", "ndcg", "latency")}
        rows.append(row_of({**values, "policy_boundary_handling": 0.9 if good else 0.4}, str(number))[0])
        accepted.append(good)
    profile = fit_profile(table_of(rows, accepted))
    assert profile.weights.safety == 0.30


def test_weights_need_both_labels():
    row, _ = row_of({"claim_support": 0.5})
    with pytest.raises(ValueError, match="one label"):
        fit_profile(table_of([row] * 3, [1] * 3))


def test_a_threshold_with_a_better_f1_is_refused_where_it_costs_accuracy():
    row, _ = row_of({"claim_support": 0.5})
    labels = (
        [AdjudicatedLabel(True, False)] * 90
        + [AdjudicatedLabel(False, True)] * 4
        + [AdjudicatedLabel(False, False)] * 6
    )
    table = LabelledTable.of([row] * 100, labels, range(100), [0] * 100)
    careful = np.array([True] * 84 + [False] * 16)
    lax = np.array([True] * 96 + [False] * 4)
    place, log = tuned("rule", [Tried("careful", careful), Tried("lax", lax)], table)
    assert (place, log[1].chosen, log[0].reason) == (0, False, "highest F1 of those allowed")
    strict = np.array([False] * 90 + [False] * 10)
    place, log = tuned("rule", [Tried("careful", careful), Tried("strict", strict)], table)
    assert log[1].reason == COSTS


def test_figures_are_those_of_the_whole_sample_with_an_interval_around():
    rng = np.random.default_rng(1)
    score = rng.random(400)
    accepted = score + rng.normal(0, 0.3, 400) > 0.4
    row, _ = row_of({"claim_support": 0.5})
    table = table_of([row] * 400, accepted, [number // 4 for number in range(400)])
    found = figures(table, score, score > 0.5, np.random.default_rng(2), resamples=500)
    assert found.spearman.value == pytest.approx(spearman(score, table.acceptable), abs=1e-9)
    assert found.unsafe_f1.value == f1(~(score > 0.5), table.unsafe)
    for each in found:
        assert each.interval.low <= each.value <= each.interval.high


def test_the_correlations_of_two_evaluators_are_told_apart_by_group_and_by_fishers_z():
    rng = np.random.default_rng(3)
    truth = rng.random(600)
    accepted = truth + rng.normal(0, 0.2, 600) > 0.5
    good, poor = truth + rng.normal(0, 0.1, 600), truth + rng.normal(0, 1.0, 600)
    row, _ = row_of({"claim_support": 0.5})
    table = table_of([row] * 600, accepted, [number // 3 for number in range(600)])
    found = spearman_difference(table, good, poor, np.random.default_rng(2), resamples=500)
    assert (found.first, found.second) == pytest.approx(
        (spearman(good, table.acceptable), spearman(poor, table.acceptable)), abs=1e-9
    )
    assert found.difference.value == pytest.approx(found.first - found.second)
    assert 0.0 < found.difference.interval.low < found.difference.value < found.difference.interval.high
    assert found.p_value < 1e-6
    same = spearman_difference(table, good, good, np.random.default_rng(2), resamples=500)
    assert (same.difference.value, same.p_value) == (0.0, 1.0)
    assert same.difference.interval == (0.0, 0.0)


@pytest.mark.parametrize("seed", range(5))
def test_kappas_are_those_of_scikit_learn_and_statsmodels(seed):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 4, 200)
    second = np.where(rng.random(200) < 0.8, first, rng.integers(0, 4, 200))
    third = np.where(rng.random(200) < 0.7, first, rng.integers(0, 4, 200))
    assert cohen_kappa(first, second) == pytest.approx(cohen_kappa_score(first, second), abs=1e-9)
    labels = {str(n): list(each) for n, each in enumerate(zip(first, second, third, strict=True))}
    found = agreement(labels)
    counts = np.stack([[row.count(k) for k in range(4)] for row in labels.values()])
    assert found.fleiss == pytest.approx(fleiss_kappa(counts), abs=1e-9)
    assert (found.items, found.pairs) == (200, 600)


def test_fleiss_kappa_of_the_published_example():
    rows = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    labels = {str(n): [k for k, count in enumerate(row) for _ in range(count)] for n, row in enumerate(rows)}
    assert agreement(labels).fleiss == pytest.approx(0.20993, abs=1e-5)


def test_reviewers_who_differ_on_items_with_one_majority_have_a_kappa():
    labels = {"a": ["yes", "yes", "no"], "b": ["yes", "yes", "yes"], "c": ["yes", "no", "yes"]}
    assert agreement(labels).fleiss == pytest.approx(fleiss_kappa(np.array([[2, 1], [3, 0], [2, 1]])), abs=1e-9)


def test_reviewers_with_one_label_have_no_kappa():
    assert agreement({"a": ["yes", "yes"]}).cohen is None
    assert agreement({"a": ["yes"]})[:2] == (0, 0)


def calibrated(seed, slope, intercept, n=20_000):
    rng = np.random.default_rng(seed)
    said = rng.random(n)
    so = rng.random(n) < Scaling(slope, intercept).applied(said)
    return said, so


def test_temperature_and_platt_scaling_find_what_labels_were_drawn_with():
    said, so = calibrated(1, 0.5, 0.0)
    assert temperature(said, so).slope == pytest.approx(0.5, abs=0.02)
    said, so = calibrated(2, 0.7, -1.0)
    assert platt(said, so) == pytest.approx(Scaling(0.7, -1.0), abs=0.05)


def test_scaling_lowers_the_log_loss_and_the_calibration_error():
    said, so = calibrated(3, 0.4, -1.5)
    for scaling in (temperature(said, so), platt(said, so)):
        assert log_loss(scaling.applied(said), so) < log_loss(said, so)
    assert calibration_error(platt(said, so).applied(said), so) < 0.02 < calibration_error(said, so)


def test_labels_that_are_told_apart_without_an_error_leave_scaling_finite():
    said = np.array([0.1] * 50 + [0.9] * 50)
    scaling = platt(said, said > 0.5)
    assert np.isfinite(scaling).all()
    assert scaling.slope <= 100


def test_bands_hold_all_answers_and_their_accuracy_is_of_the_outer_ones():
    said, so = np.array([0.05, 0.15, 0.5, 0.85, 0.99]), np.array([False, True, True, True, True])
    assert [band.n for band in bands(said, so)] == [2, 1, 2]
    assert band_accuracy(said, so) == 0.75
    assert band_accuracy(np.array([0.5]), np.array([True])) is None


@pytest.mark.parametrize(
    ("after", "low", "high", "limit", "as_expected", "contradicted"),
    [
        ((0.5, 0.6), -0.4, -0.2, None, True, False),
        ((0.8, 0.9), -0.25, 0.02, None, False, False),
        ((0.9, 0.9), -0.02, 0.02, None, False, True),
        ((54.0, 57.0), -40.0, -30.0, 55.0, False, False),
        ((57.0, 57.1), -40.0, -30.0, 55.0, False, True),
    ],
)
def test_what_too_few_answers_cannot_show_is_told_apart_from_what_they_exclude(
    after, low, high, limit, as_expected, contradicted
):
    row = ExpectedBehaviour(None, "wrong_chunk_citation", ("citation_precision",), limit)
    metric = "citation_precision" if limit is None else COMPOSITE
    before = np.full(2, 0.9 if limit is None else 94.0)
    change = observed(row, metric, before, np.array(after), ConfidenceInterval(low, high))
    assert (change.as_expected, change.contradicted) == (as_expected, contradicted)
