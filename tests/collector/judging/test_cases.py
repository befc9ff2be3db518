"""Which answers a decision names as evidence."""

from contextlib import closing
from datetime import UTC, datetime

import pytest

from adapters.schema import Answer
from collector.judging.cases import not_good
from collector.store.rows import Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from gates.decisions.record import AnswerEvidence
from gates.objective import ObjectiveGate
from gates.threshold import ThresholdGate
from scorers import SCORERS
from scorers.base import Evaluation, Score

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
METRICS = {each.metric.name: each.metric for each in SCORERS}
VALUES = {"invented": (0.02, "unsupported"), "sound": (0.94, "supported")}


@pytest.mark.parametrize(
    ("gate", "named"),
    [
        (
            ThresholdGate(type="threshold", name="g", metric="faithfulness", good="supported", at_least=0.9),
            ["invented"],
        ),
        (
            ObjectiveGate(type="objective", name="g", metric="faithfulness", worse="lower", good=0.9, objective=0.9),
            ["invented"],
        ),
        (ThresholdGate(type="threshold", name="g", metric="faithfulness", at_least=0.9), ["invented", "sound"]),
    ],
    ids=["labels", "value", "mean"],
)
def test_an_answer_that_a_gate_counts_as_good_is_no_evidence_of_its_failure(tmp_path, gate, named):
    with closing(open_store(tmp_path)) as store:
        for seq, (name, (value, label)) in enumerate(VALUES.items(), start=1):
            stored = StoredAnswer(Answer(id=name, answer="Yes."), {"service": "desk"}, 1.0, True)
            store.append_pulled(Pulled("files", b"", seq, answers=[stored]))
            scores = (Score(metric="faithfulness", value=value, label=label),)
            evaluation = Evaluation(answer_id=name, revision=0, scores=scores)
            store.record_evaluations([StoredEvaluation(evaluation, seq, seq, stored.slice, 1.0, None, {})])
        shown = [
            AnswerEvidence(answer_id=name, at=NOON, metric="faithfulness", value=value, slice={})
            for name, (value, _) in VALUES.items()
        ]
        assert [each.answer_id for each in not_good(shown, gate, store, METRICS)] == named
