"""A sweep of thresholds: its scores by hand, what is refused, and what is recommended."""

import numpy as np
import pytest

from collector.commands.threshold.tables import sweep_table
from evaluation.thresholds.composite import PANEL, ObservedRange, PanelMetric, balance, composite_scores, stable_score
from evaluation.thresholds.report import associations, report
from evaluation.thresholds.sweep import SweepReader, SweepRowError, merged

ONE = (PanelMetric("quality", 1.0),)
WHOLE = {"quality": ObservedRange(0.0, 1.0)}


def read(rows, panel=ONE):
    reader = SweepReader("model", panel)
    for number, row in enumerate(rows, 2):
        reader.add(row, place=f"line {number}")
    return reader


def sweep(columns, *, baseline=0.0):
    """Return a sweep from the qualities at each threshold."""
    rows = [
        {"question": number, "threshold": threshold, "quality": value}
        for threshold, values in columns.items()
        for number, value in enumerate(values)
    ]
    return read(rows).sweep(WHOLE, baseline=baseline)


def judged(columns, **options):
    return report(sweep(columns), np.random.default_rng(0), resamples=2_000, **options)


def test_the_weights_of_the_panel_add_up_to_one():
    assert sum(metric.weight for metric in PANEL) == pytest.approx(1.0)


def test_a_composite_score_weighs_metrics_on_their_ranges_and_turns_those_that_are_better_when_lower():
    panel = (PanelMetric("bleu", 0.75), PanelMetric("perplexity", 0.25, "lower"))
    ranges = {"bleu": ObservedRange(0.2, 0.6), "perplexity": ObservedRange(5.0, 25.0)}
    assert composite_scores(np.array([[0.3, 10.0]]), panel, ranges) == pytest.approx([0.75 * 0.25 + 0.25 * 0.75])


def test_the_score_of_a_configuration_is_its_mean_rewarded_for_steadiness_and_its_balance_the_gain_for_each_variation():
    assert stable_score(0.5, 0.2) == pytest.approx(0.5 * 1.08 - 0.002)
    assert stable_score(0.5, 0.2, reward=0.2, penalty=0.1) == pytest.approx(0.5 * 1.16 - 0.004)
    assert balance(4.536, 0.1337) == pytest.approx(0.0454 / 0.134)
    assert balance(1.0, 0.0001) is None


def test_gains_are_over_the_questions_that_both_have_and_spread_over_all_that_a_threshold_has():
    base, here = [0.5, 0.5, 0.6, 0.6, None], [0.6, 0.6, None, 0.7, 0.1]
    rows = {row.threshold: row for row in judged({0.0: base, 0.5: here}).rows}
    against, row = rows[0.5].against, rows[0.5]
    assert (against.questions, row.questions) == (3, 4)
    assert against.mean == pytest.approx(1.9 / 3)
    assert against.gain_percent == pytest.approx(100 * (1.9 / 1.6 - 1))
    assert row.mean == pytest.approx(0.5)
    assert row.cv == pytest.approx(np.std([0.6, 0.6, 0.7, 0.1], ddof=1) / 0.5)


def test_the_better_threshold_is_recommended_with_how_stable_that_is():
    noise = np.random.default_rng(1).normal(0.0, 0.05, (3, 200))
    told = judged({0.0: 0.5 + noise[0], 0.6: 0.5 + noise[1], 0.8: 0.6 + noise[2]})
    assert [row.verdict for row in told.rows] == ["baseline", "no difference shown", "better"]
    assert told.recommendation.threshold == 0.8
    assert (told.recommendation.by_questions, told.recommendation.by_weights, told.recommendation.rivals) == (1, 1, [])


def test_no_threshold_is_recommended_where_none_is_shown_to_be_better():
    noise = np.random.default_rng(2).normal(0.5, 0.05, (3, 60))
    chosen = judged(dict(zip([0.0, 0.6, 0.8], noise, strict=True))).recommendation
    assert chosen.threshold is None
    assert chosen.reason == "no threshold is shown to be better than the baseline"
    assert chosen.rivals


def test_a_threshold_with_one_question_is_not_judged():
    [_, row] = judged({0.0: [0.5, 0.6, 0.7], 0.9: [0.9, None, None]}).rows
    assert (row.verdict, row.against, row.stable) == ("too few questions", None, None)


def test_scores_of_a_mean_and_their_steadiness_are_correlated_over_all_sweeps():
    noise = np.random.default_rng(3).normal(0.0, 0.05, (4, 50))
    told = judged({0.0: 0.4 + noise[0], 0.5: 0.5 + noise[1], 0.7: 0.6 + noise[2], 0.9: 0.7 + noise[3]})
    assert associations([told]) == pytest.approx((1.0, -1.0))
    assert associations([]) is None


def test_ranges_are_taken_over_all_sweeps():
    readers = [read([{"question": 1, "threshold": 0, "quality": value}]) for value in (0.2, 0.7)]
    assert merged([reader.ranges() for reader in readers]) == {"quality": ObservedRange(0.2, 0.7)}


GOOD = {"question": "1", "threshold": "0.5", "quality": "0.25"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (GOOD | {"question": ""}, "question: missing"),
        (GOOD | {"question": True}, "question: not a text or number"),
        (GOOD | {"threshold": ""}, "threshold: missing"),
        (GOOD | {"threshold": "high"}, "threshold: expected a finite number, got 'high'"),
        (GOOD | {"quality": "nan"}, "quality: expected a finite number, got 'nan'"),
        (GOOD | {"quality": [1]}, "quality: expected a finite number, got '[1]'"),
        ({"question": "1", "threshold": "0.5"}, "quality: no such column"),
    ],
)
def test_a_row_that_cannot_be_used_is_refused_by_its_column(row, message):
    with pytest.raises(SweepRowError) as caught:
        read([row])
    assert str(caught.value) == message


def test_a_question_stands_once_at_each_threshold():
    with pytest.raises(SweepRowError, match=r"question: '1' at threshold 0.5 is in line 2 already"):
        read([GOOD, GOOD])


@pytest.mark.parametrize(
    ("baseline", "message"),
    [(0.1, "threshold: no row has 0.1"), (0.5, "threshold: is 0.5 in all rows")],
)
def test_a_baseline_must_be_one_of_several_thresholds(baseline, message):
    with pytest.raises(ValueError, match=message):
        read([GOOD]).sweep(WHOLE, baseline=baseline)


def test_a_baseline_needs_two_questions():
    with pytest.raises(ValueError, match="has 1 question with every metric; 2 are needed"):
        judged({0.0: [0.5, None], 0.5: [0.5, 0.6]})


def test_a_panel_that_is_the_same_at_every_threshold_recommends_none_of_them():
    same = judged({0.0: [0.2, 0.4, 0.9], 0.3: [0.2, 0.4, 0.9], 0.6: [0.2, 0.4, 0.9]})
    assert same.flat
    assert same.recommendation.reason == (
        "this panel has the same scores at every threshold, and cannot tell them apart"
    )
    told = "".join(sweep_table(same, 0.05))
    assert "no recommendation: this panel has the same scores at every threshold" in told
    assert "keep the baseline" not in told
    assert "highest" not in told
    assert not judged({0.0: [0.2, 0.4, 0.9], 0.3: [0.2, 0.4, 0.8]}).flat
