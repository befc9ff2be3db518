"""What a report says where a case-aware judge scored a run, and where a gate decides over it."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from pydantic import TypeAdapter
from scipy import stats

from adapters.external.case_record import CASE_INPUTS
from collector.reports.judgeplots import judged_means
from collector.reports.plots import plots_of
from evaluation.reports.content import DifferenceFigure, ReportContent, ReportedAnswer, ReportedScore
from evaluation.reports.figures import run_figures
from evaluation.reports.gating import gate_decision, gate_reasons, gate_section, gated
from evaluation.reports.judged import judged_correlations, judged_sections, proxy_section
from gates import AnyGate
from scorers import SCORERS
from scorers.composite.case_profile import PROFILES, weighted_sum

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
GATE = {"type": "acceptance", "name": "release", "metric": "case_composite", "at_least": 0.7, "min_answers": 50}
gate_of = TypeAdapter(AnyGate).validate_python


def answer(number: int, scores: dict[str, float], **more) -> ReportedAnswer:
    whole = weighted_sum(scores, PROFILES["case-aware"])
    told = [ReportedScore(metric=f"external.{n}", value=v, explanation="two words") for n, v in scores.items()]
    return ReportedAnswer(
        id=f"t{number}",
        group=f"c{number // 3}",
        scores=(*told, ReportedScore(metric="case_composite", value=whole)),
        **more,
    )


def judged(number: int, **values: float) -> ReportedAnswer:
    return answer(number, dict.fromkeys(CASE_INPUTS, 0.9) | values, identifiers=number == 3, judging_cost_usd=0.0138)


def section(answers: list[ReportedAnswer], title: str):
    return next(each for each in judged_sections(answers) if each.title == title)


def test_scores_are_counted_by_their_band_of_severity_with_the_words_of_their_justifications() -> None:
    answers = [judged(0, hallucination=0.2), judged(1, hallucination=0.5), judged(2, hallucination=0.7), judged(3)]
    row = section(answers, "Severity by the judge").rows[0]
    assert row == ("hallucination", "4", "0.5750", "1 (25%)", "1 (25%)", "1 (25%)", "1 (25%)", "2")


def test_failure_patterns_are_pairs_that_one_metric_alone_would_let_pass() -> None:
    answers = [
        judged(0, case_resolution_alignment=0.4),
        judged(1, answer_helpfulness=0.6),
        judged(2, hallucination=0.1),
        judged(3, answer_type_fit=0.3),
        judged(4, answer_type_fit=0.3),
        judged(5, retrieval_correctness=0.2, case_resolution_alignment=0.2),
    ]
    found = {row[0]: (row[1], row[3]) for row in section(answers, "Failure patterns").rows}
    assert found == {
        "right passages, wrong steps": ("1 of 6", "t0"),
        "right issue, nothing to do about it": ("1 of 6", "t1"),
        "right form, not grounded": ("1 of 6", "t2"),
        "too general where identifiers are given": ("1 of 6", "t3"),
    }


def test_what_judging_took_is_told_of_the_answers_that_say_so() -> None:
    answers = [judged(number) for number in range(469)]
    assert section(answers, "What judging took").rows == (("cost (USD)", "469", "0.0138", "6.47", "13.80"),)


def test_correlations_are_pearsons_and_the_sum_is_held_against_helpfulness() -> None:
    rng = np.random.default_rng(2)
    values = rng.uniform(0.2, 1.0, (40, 8))
    answers = [answer(number, dict(zip(CASE_INPUTS, row, strict=True))) for number, row in enumerate(values)]
    found = {(first, second): r for first, second, r in judged_correlations(answers)}
    assert len(found) == 36
    assert found["hallucination", "answer_helpfulness"] == pytest.approx(
        stats.pearsonr(values[:, 0], values[:, 3]).statistic
    )
    whole = [each.scores[-1].value for each in answers]
    r = stats.pearsonr(whole, values[:, 3]).statistic
    assert f"r = {r:.2f} (" in section(answers, "Severity by the judge").says


def test_a_judged_run_has_a_radar_of_its_means_and_a_dot_for_each_answer() -> None:
    pytest.importorskip("matplotlib")
    metrics = {scorer.metric.name: scorer.metric for scorer in SCORERS}
    run = run_figures("today", [judged(number) for number in range(20)], metrics, np.random.default_rng(1))
    assert judged_means([run])["today"].keys() == set(CASE_INPUTS)
    assert len(run.helpfulness) == 20
    content = ReportContent(
        kind="run", title="t", made_at="2026-01-01", groundwire="1", verdict="fine", decision="d", reasons=(),
        runs=(run,), differences=(),
    )  # fmt: skip
    titles = [title for title, _ in plots_of(content)]
    assert titles[-2:] == ["Mean scores by the judge", "The judge's sum beside helpfulness, an answer a dot"]


def test_a_run_without_a_judge_has_none_of_this() -> None:
    plain = [ReportedAnswer(id="a", scores=(ReportedScore(metric="faithfulness", value=0.5),))]
    assert list(judged_sections(plain)) == []
    assert judged_correlations(plain) == ()


def difference(metric: str, by: float, verdict: str) -> DifferenceFigure:
    return DifferenceFigure(
        run="next", metric=metric, better="higher", slice="all", pairs=9, baseline=0.5, candidate=0.5 + by,
        difference=by, verdict=verdict,
    )  # fmt: skip


def test_a_generic_metric_that_points_another_way_than_the_sum_is_named() -> None:
    rows = [difference("case_composite", 0.1, "better"), difference("faithfulness", -0.2, "worse")]
    found = proxy_section([*rows, difference("claim_support", 0.0, "identical")])
    assert [row[1:] for row in found.rows] == [
        ("faithfulness", "-0.2 (worse)", "+0.1 (better)", "another way"),
        ("claim_support", "+0 (identical)", "+0.1 (better)", "neither way"),
    ]
    assert proxy_section(rows[1:]) is None


def test_a_gate_decides_over_a_run_and_nothing_outvotes_a_hold() -> None:
    rng = np.random.default_rng(3)
    good = [judged(number, hallucination=float(rng.uniform(0.7, 1))) for number in range(600)]
    passed = gated(gate_of(GATE), good, NOON)
    assert passed.state == "pass"
    assert gate_decision("next", passed, ("unclear", "?")) == ("release", "Release next: gate release passes.")
    assert "limit 0.7" in gate_reasons(passed)[0]
    assert gate_decision("next", passed, ("hold", "Hold next: worse")) == ("hold", "Hold next: worse")
    assert gate_section("next", passed).rows[0][:3] == ("all", "pass", "600")
    bad = [answer(number, dict.fromkeys(CASE_INPUTS, 0.3)) for number in range(600)]
    failed = gated(gate_of(GATE), bad, NOON)
    assert gate_decision("next", failed, ("release", "fine"))[0] == "hold"
    few = gated(gate_of(GATE), good[:20], NOON)
    assert gate_decision("next", few, ("release", "fine"))[0] == "unclear"
    assert gate_reasons(few) == (
        "case_composite has 20 answers, at least 50 are needed: add 30 to the suite, or set a smaller `min_answers`",
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"type": "drift", "at_least": None, "min_answers": None}, "of type drift, which needs traffic over time"),
        ({"unsafe_at_most": 0.1}, "judges unsafe_probability, of which the run has no value"),
    ],
)
def test_a_gate_that_cannot_judge_a_run_is_named(change: dict[str, object], said: str) -> None:
    told = {name: value for name, value in (GATE | change).items() if value is not None}
    if told["type"] == "drift":
        told["worse"] = "lower"
    with pytest.raises(ValueError, match=said):
        gated(gate_of(told), [judged(0)], NOON)
