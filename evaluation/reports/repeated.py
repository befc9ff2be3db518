"""What a report says of questions that were asked again: how far metrics move where nothing changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.consistency.spread import REPEAT_OF, RepeatedScore, RepeatSpread, repeat_spreads
from evaluation.reports.content import ReportedAnswer, ReportSection

HEAD = (
    "Metric",
    "Questions",
    "Mean",
    "Deviation within",
    "Between",
    "A rerun may differ by",
    "Values change",
    "Labels flip",
)


def repeated_sections(answers: Sequence[ReportedAnswer], names: Sequence[str]) -> Iterator[ReportSection]:
    """Yield a section with the metrics ``names`` that move over the repetitions of a question; none if none does."""
    scores = []
    for answer in answers:
        question = answer.attributes.get(REPEAT_OF)
        if question is not None:
            known = {score.metric: score for score in answer.scores}
            for name in names:
                value, label = (known[name].value, known[name].label) if name in known else (None, None)
                scores.append(RepeatedScore(question, name, value, label))
    rows = tuple(_row(each) for each in repeat_spreads(scores) if each.changing or each.flips or each.partly)
    if rows:
        yield ReportSection(
            title="Asked again",
            says="How far metrics move where nothing changes: over the repetitions of each question.",
            head=HEAD,
            rows=rows,
        )


def _row(spread: RepeatSpread) -> tuple[str, ...]:
    return (
        spread.metric,
        f"{spread.questions:,}",
        _figure(spread.mean),
        _figure(spread.within),
        _figure(spread.between),
        _figure(spread.rerun),
        f"{spread.changing:,} of {spread.questions:,}",
        f"{spread.flips:,} of {spread.labelled:,}" if spread.labelled else "",
    )


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:,.3g}"
