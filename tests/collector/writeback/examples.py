"""Answers, evaluations, items and a judge for tests of write-back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from adapters.schema import Answer
from collector.store.rows import StoredEvaluation
from collector.writeback.base import WriteBackItem
from gates.base.verdict import SliceVerdict, Verdict
from scorers.base import Evaluation, Metric, Score

AT = 1_780_000_000_000_000_000
SECOND = 1_000_000_000
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"


def metric(name):
    return Metric(
        name=name,
        family="grounding",
        unit="ratio",
        better="higher",
        help="h",
        formula="f",
        source="s",
        cost="fields",
        limits="l",
    )


METRICS = {name: metric(name) for name in ("claim_support", "stale_source_use")}

ITEM = WriteBackItem(
    answer_id="answer-1",
    revision=0,
    trace_id=TRACE,
    span_id=SPAN,
    environment="production",
    name="claim_support",
    started_at=AT,
    scored_at=AT + SECOND,
    value=0.5,
    label="partial",
    explanation="1 of 2 claims supported",
    metadata={"metric_version": "1", "basis": "passages"},
)
VERDICT = replace(ITEM, name="gate:grounded", value=None, label="pass", explanation="at least 0.9")


def many(count):
    """Items of as many answers, each with a span of its own."""
    return [replace(ITEM, answer_id=f"answer-{n}", span_id=f"{n + 1:016x}") for n in range(count)]


def evaluated(name="answer-1", *, revision=0, seq=1, slice_=None, scores=None):
    scores = scores or (Score(metric="claim_support", value=0.5), Score(metric="stale_source_use", value=1.0))
    evaluation = Evaluation(answer_id=name, revision=revision, scores=scores)
    return StoredEvaluation(evaluation, AT, AT + SECOND, slice_ or {"domain": "travel"}, 1.0, None, {}, seq=seq)


def answer(name="answer-1", *, number=1, **fields):
    return Answer(**{"id": name, "trace_id": f"{number:032x}", "span_id": f"{number:016x}", **fields})


class Judge:
    """Stands for the judging step."""

    def __init__(self, *verdicts, fresh=True):
        self.verdicts = {verdict.gate: verdict for verdict in verdicts}
        self.fresh = fresh


def verdict(gate="grounded", **parts):
    """A verdict with a part for each domain named."""
    return Verdict(
        gate=gate,
        state="fail",
        at=datetime(2026, 6, 1, tzinfo=UTC),
        reason="r",
        no_data=False,
        policy_version="p1",
        slices=tuple(
            SliceVerdict(slice={"domain": domain}, state=state, reason=f"why {domain}", n=40, effective_n=40)
            for domain, state in parts.items()
        ),
    )
