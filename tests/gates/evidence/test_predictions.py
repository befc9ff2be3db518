"""Means of a metric on all answers and labels on few."""

import json
from pathlib import Path

import numpy as np
import pytest

from gates.evidence import predictions
from gates.evidence.predictions import LabelRule, PredictionSums, eta, mean, prediction_sums, standard_error

GOLDEN = Path(__file__).parent.parent / "golden" / "ppi-python.json"
ACTIVE = LabelRule(0.03, active=True)


def summed(predicted, truth, probability, rule=ACTIVE, weight=None, cluster=None):
    n = len(predicted)
    rows = prediction_sums(
        np.zeros(n, np.int64),
        np.arange(n) if cluster is None else cluster,
        np.ones(n) if weight is None else weight,
        predicted,
        truth,
        probability,
        rule=rule,
        samples=1,
    )
    return PredictionSums.columns(rows)


def traffic(rng, n, rate):
    """True losses and a scorer with an AUC of .98 that is calibrated."""
    truth = (rng.random(n) < rate).astype(float)
    signal = rng.normal(size=n) + 3.0 * truth
    return truth, 1 / (1 + np.exp(-(np.log(rate / (1 - rate)) + 3.0 * signal - 4.5)))


def drawn(rng, predicted, rule, keenness=0.1):
    probability = rule.probability(predicted, keenness)
    return np.where(rng.random(len(predicted)) < probability, probability, 0.0)


@pytest.mark.parametrize("scorer", ["right", "too high", "reversed", "constant"])
@pytest.mark.parametrize("trust", [0.0, 0.4, 1.0])
def test_whatever_the_scorer_says_the_mean_is_that_of_the_labels(scorer, trust):
    rng = np.random.default_rng(7)
    truth, predicted = traffic(rng, 400_000, 0.05)
    wrong = {"right": predicted, "too high": predicted**0.2, "reversed": 1 - predicted, "constant": 0 * predicted + 0.3}
    given = wrong[scorer]
    sums = summed(given, truth, drawn(rng, given, ACTIVE))
    assert abs(mean(sums, trust)[0] - 0.05) < 4 * standard_error(sums, trust)[0]


@pytest.mark.parametrize("rule", [ACTIVE, LabelRule(0.1, active=False), LabelRule(0.4, active=False)])
def test_no_transformed_loss_is_below_minus_eta(rule):
    predicted = np.linspace(0, 1, 101)
    for truth in (0.0, 1.0):
        for trust in (0.2, 1.0):
            loss = predictions.transformed(
                rule.usable(predicted), trust, np.full(101, truth), rule.probability(predicted, 0.0)
            )
            assert loss.min() >= -trust - 1e-12


@pytest.mark.parametrize("n", [1_000, 10_000])
@pytest.mark.parametrize("rate", [0.02, 0.05])
@pytest.mark.parametrize("rule", [ACTIVE, LabelRule(0.1, active=False)])
def test_intervals_cover_at_least_as_often_as_promised(n, rate, rule):
    rows = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        truth, predicted = traffic(rng, n, rate)
        rows.append(np.stack(summed(predicted, truth, drawn(rng, predicted, rule), rule))[:, 0])
    sums = PredictionSums.columns(np.array(rows))
    low, high = predictions.bounds(sums, eta(sums), rule, 0.025)
    covered = np.mean((low <= rate) & (rate <= high))
    # Three standard errors of 200 runs below .93 would be .876.
    assert covered >= 0.93


def test_a_mean_by_clusters_is_less_sure_where_they_fail_together():
    rng = np.random.default_rng(3)
    fate = np.repeat((rng.random(500) < 0.1).astype(float), 10)
    predicted = np.clip(fate * 0.8 + 0.05, 0, 1)
    probability = drawn(rng, predicted, ACTIVE)
    alone = summed(predicted, fate, probability)
    together = summed(predicted, fate, probability, cluster=np.repeat(np.arange(500), 10))
    assert standard_error(together, 1.0)[0] > 2 * standard_error(alone, 1.0)[0]


def test_weighted_answers_count_for_the_traffic_they_stand_for():
    predicted, truth = np.array([0.5, 0.5]), np.array([1.0, 0.0])
    sums = summed(predicted, truth, np.ones(2), weight=np.array([3.0, 1.0]))
    assert mean(sums, 1.0)[0] == pytest.approx(0.75)


def test_nothing_is_known_without_labels():
    sums = summed(np.full(50, 0.2), np.zeros(50), np.zeros(50))
    assert [float(end[0]) for end in predictions.bounds(sums, eta(sums), ACTIVE, 0.025)] == [0.0, 1.0]


@pytest.mark.parametrize("case", json.loads(GOLDEN.read_text())["cases"], ids=lambda case: case["name"])
def test_evenly_drawn_labels_give_the_estimate_of_ppi_python(case):
    labelled, others, truth = (np.array(case[name]) for name in ("predicted_labelled", "predicted", "truth"))
    n, everything = len(truth), len(truth) + len(others)
    sums = summed(
        np.concatenate([labelled, others]),
        np.concatenate([truth, np.zeros(len(others))]),
        np.concatenate([np.full(n, n / everything), np.zeros(len(others))]),
        LabelRule(1.0, active=False),
    )
    trust = case["lambda"] * everything / len(others)
    assert mean(sums, trust)[0] == pytest.approx(case["mean"], rel=1e-9)
    # Our labels are drawn one by one: how many there are is chance too, which widens the interval of a biased scorer.
    width = standard_error(sums, trust)[0] * predictions.quantile(0.025)
    assert width == pytest.approx(case["half_width"], rel=0.02 if case["calibrated"] else 0.5)
    assert width >= case["half_width"] * 0.98
