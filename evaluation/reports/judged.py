"""What a case-aware judge says of a run, beyond means: severity, what goes with what, failure patterns, its cost.

Source: "Case-Aware LLM-as-a-Judge Evaluation for Enterprise-Scale RAG Systems", B.1 (bands), D.1 to D.4 (correlations,
distributions, justifications, validity of the sum), N (failure patterns), 6.1 (cost), 8.5 (proxies).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from adapters.external.case_record import CASE_INPUTS
from evaluation.reports.content import DifferenceFigure, ReportedAnswer, ReportedScore, ReportSection
from evaluation.statistics.correlation import correlation
from scorers.composite.case_profile import band_of

EXTERNAL, WHOLE = "external.", "case_composite"
HELPFUL = "answer_helpfulness"
BAND_ORDER = ("severe", "moderate", "minor", "no_issue")
LEAST_PAIRS = 10
"""Answers that two metrics must share for their correlation to be shown."""
FAILS = 0.60
"""Up to here a score is a moderate or severe failure."""
NAMED = 3
DOTS = 1_000
"""Answers of a plot: more hide each other."""
PROXIES = ("faithfulness", "claim_support", f"{EXTERNAL}faithfulness", f"{EXTERNAL}answer_relevancy")
"""Generic metrics that are often read in place of the judge's."""

_Scored = Mapping[str, ReportedScore]


class FailurePattern(NamedTuple):
    """A pair of judgements that one metric alone does not show, and what to look at."""

    name: str
    good: str | None
    bad: str
    repair: str


PATTERNS = (
    FailurePattern("right passages, wrong steps", "retrieval_correctness", "case_resolution_alignment",
                   "the prompt's handling of order, attempted steps and prohibitions"),
    FailurePattern("right issue, nothing to do about it", "case_issue_identification", HELPFUL,
                   "how answers are structured"),
    FailurePattern("right form, not grounded", "answer_type_fit", "hallucination",
                   "grounding: context sufficiency, and a prompt that asks instead of guessing"),
    FailurePattern("too general where identifiers are given", None, "answer_type_fit",
                   "extraction of error codes and versions from the case"),
)  # fmt: skip
"""N; the last is looked for where a case has identifiers."""


def judged_sections(answers: Sequence[ReportedAnswer]) -> Iterator[ReportSection]:
    """Yield the sections of a run that a case-aware judge scored; none where it did not."""
    scored = [{score.metric.removeprefix(EXTERNAL): score for score in _judged(answer)} for answer in answers]
    if not any(scored):
        return
    yield _severity(scored, _validity(answers))
    found = [row for pattern in PATTERNS if (row := _pattern(pattern, answers, scored)) is not None]
    if found:
        yield ReportSection(
            title="Failure patterns",
            says="Answers that one metric alone would let pass.",
            head=("Pattern", "Answers", "Look at", "Such as"),
            rows=tuple(found),
        )
    yield from _cost(answers)


def judged_correlations(answers: Sequence[ReportedAnswer]) -> tuple[tuple[str, str, float], ...]:
    """Return Pearson's correlation of every two of a judge's scores and their sum, where ten answers have both."""
    values = [
        {name.removeprefix(EXTERNAL): score.value for name, score in _by_metric(answer).items()} for answer in answers
    ]
    if not any(f"{EXTERNAL}{name}" in _by_metric(answer) for answer in answers for name in CASE_INPUTS):
        return ()
    names = (*CASE_INPUTS, WHOLE)
    found = []
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            both = [(each[first], each[second]) for each in values if first in each and second in each]
            if len(both) >= LEAST_PAIRS:
                related = correlation(*np.array(both, np.float64).T)
                if related is not None:
                    found.append((first, second, related.r))
    return tuple(found)


def proxy_section(differences: Sequence[DifferenceFigure]) -> ReportSection | None:
    """Return generic metrics beside the judge's sum in a comparison, and whether they point the same way."""
    overall = {(row.run, row.metric): row for row in differences if row.slice == "all"}
    rows = []
    for (run, metric), row in overall.items():
        whole = overall.get((run, WHOLE))
        if metric not in PROXIES or whole is None or row.difference is None or whole.difference is None:
            continue
        product = row.difference * whole.difference
        rows.append(
            (
                run,
                metric,
                f"{row.difference:+.3g} ({row.verdict})",
                f"{whole.difference:+.3g} ({whole.verdict})",
                "the same way" if product > 0 else "another way" if product < 0 else "neither way",
            )
        )
    if not rows:
        return None
    return ReportSection(
        title="Generic metrics beside the judge's sum",
        says="A metric that points another way than the sum does not see what the judge sees: decide by neither alone.",
        head=("Run", "Metric", "Its difference", f"Difference of {WHOLE}", "It points"),
        rows=tuple(rows),
    )


def judged_helpfulness(answers: Sequence[ReportedAnswer]) -> tuple[tuple[float, float], ...]:
    """Return helpfulness and the sum of each answer that a judge scored, for a plot: of the first `DOTS`."""
    return tuple(_helpfulness(answers)[:DOTS])


def _helpfulness(answers: Sequence[ReportedAnswer]) -> list[tuple[float, float]]:
    helpful = f"{EXTERNAL}{HELPFUL}"
    found = [_by_metric(answer) for answer in answers]
    return [(each[helpful].value, each[WHOLE].value) for each in found if WHOLE in each and helpful in each]


def _by_metric(answer: ReportedAnswer) -> dict[str, ReportedScore]:
    return {score.metric: score for score in answer.scores}


def _judged(answer: ReportedAnswer) -> Iterator[ReportedScore]:
    known = {f"{EXTERNAL}{name}" for name in CASE_INPUTS}
    return (score for score in answer.scores if score.metric in known)


def _validity(answers: Sequence[ReportedAnswer]) -> str:
    """Say how the sum goes with how helpful answers are, which is what it is to stand for."""
    both = _helpfulness(answers)
    related = correlation(*np.array(both, np.float64).T) if len(both) >= LEAST_PAIRS else None
    if related is None:
        return ""
    low, high = related.interval
    return (
        f" The sum goes with answer helpfulness, which is a part of it: r = {related.r:.2f} ({low:.2f} to {high:.2f}, "
        f"{related.n:,} answers)."
    )


def _severity(scored: Sequence[_Scored], validity: str) -> ReportSection:
    rows = []
    for name in CASE_INPUTS:
        found = [each[name] for each in scored if name in each]
        if found:
            bands = Counter[str](band_of(score.value) for score in found)
            words = [len(score.explanation.split()) for score in found if score.explanation]
            mean = sum(score.value for score in found) / len(found)
            shares = (f"{bands[band]:,} ({bands[band] / len(found):.0%})" for band in BAND_ORDER)
            rows.append(
                (
                    name.replace("_", " "),
                    f"{len(found):,}",
                    f"{mean:.4f}",
                    *shares,
                    f"{median(words):g}" if words else "",
                )
            )
    return ReportSection(
        title="Severity by the judge",
        says="Severe is up to 0.30, moderate to 0.60, minor to 0.85. Long justifications tell what took the judge "
        f"most, and are worth a look first.{validity}",
        head=("Score", "Answers", "Mean", "Severe", "Moderate", "Minor", "No issue", "Words of a justification"),
        rows=tuple(rows),
    )


def _pattern(
    pattern: FailurePattern, answers: Sequence[ReportedAnswer], scored: Sequence[_Scored]
) -> tuple[str, ...] | None:
    found = [
        answer.id
        for answer, each in zip(answers, scored, strict=True)
        if pattern.bad in each
        and each[pattern.bad].value <= FAILS
        and (answer.identifiers if pattern.good is None else pattern.good in each and each[pattern.good].value > FAILS)
    ]
    if not found:
        return None
    return pattern.name, f"{len(found):,} of {sum(map(bool, scored)):,}", pattern.repair, ", ".join(found[:NAMED])


def _cost(answers: Sequence[ReportedAnswer]) -> Iterator[ReportSection]:
    costs = [answer.judging_cost_usd for answer in answers if answer.judging_cost_usd is not None]
    tokens = [answer.judging_tokens for answer in answers if answer.judging_tokens is not None]
    rows = []
    if costs:
        mean = sum(costs) / len(costs)
        rows.append(("cost (USD)", f"{len(costs):,}", f"{mean:.4f}", f"{sum(costs):.2f}", f"{1_000 * mean:.2f}"))
    if tokens:
        mean = sum(tokens) / len(tokens)
        rows.append(("tokens", f"{len(tokens):,}", f"{mean:,.0f}", f"{sum(tokens):,}", f"{1_000 * mean:,.0f}"))
    if rows:
        yield ReportSection(
            title="What judging took",
            head=("Of each answer", "Answers that say so", "Mean", "Total", "Of 1,000 answers"),
            rows=tuple(rows),
        )
