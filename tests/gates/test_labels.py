"""Gates that count answers by the label of their score."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from gates import GATES
from gates.base.bounded import BoundedGate
from gates.base.gate import Gate
from gates.inputs.observations import Batch, Observation
from gates.objective import ObjectiveGate
from gates.release import ReleaseGate
from gates.replay.jsonl import evaluation_line
from gates.replay.reader import EvaluationReader
from gates.replay.replay import Replay
from gates.threshold import ThresholdGate

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LABELS = ("supported", "contradicted")
bounded = [kind for kind in GATES if issubclass(kind, BoundedGate) and "good" in kind.model_fields]
each_gate = pytest.mark.parametrize("kind", bounded, ids=lambda kind: kind.__name__)


def seen(label: str | None, i: int, value: float = 0.5, **more: Any) -> Observation:
    at = NOON + timedelta(seconds=20 * i)
    named = {"at": at, "answer_id": f"a{i}", "metric": "faithfulness", "probability": 1, "label": label}
    return Observation.model_validate(named | {"value": value, "slice": {"domain": "travel"}} | more)


def threshold(**options: Any) -> ThresholdGate:
    given = {"type": "threshold", "name": "g", "metric": "faithfulness", "at_least": 0.8, "window": "3h"}
    return ThresholdGate.model_validate(given | options)


def verdict(gate: Gate, observations: list[Observation]) -> tuple[str, str]:
    found = gate.verdict(gate.fold(gate.initial(), Batch.of(observations)), NOON + timedelta(hours=2))
    return found.state, found.slices[0].reason if found.slices else found.reason


@pytest.mark.parametrize("good", ["supported", ["supported"], ["supported", "unsupported"]])
def test_the_share_of_good_labels_is_judged_whatever_the_values_are(good: Any) -> None:
    gate = threshold(good=good)
    right = [seen("supported", i, value=0.01) for i in range(200)]
    wrong = [seen("contradicted" if i % 2 else "supported", i, value=0.99) for i in range(200)]
    assert verdict(gate, right)[0] == "pass"
    state, reason = verdict(gate, wrong)
    assert state == "fail"
    assert reason.startswith(f"share of answers with faithfulness {' or '.join(gate.good_labels)} is 0.")


def test_an_answer_without_a_label_is_not_counted() -> None:
    mixed = [seen("supported" if i % 2 else None, i) for i in range(200)]
    found = threshold(good="supported")
    part = found.verdict(found.fold(found.initial(), Batch.of(mixed)), NOON + timedelta(hours=2)).slices[0]
    assert (part.n, part.estimate) == (100, 1.0)


def test_an_objective_counts_labels_as_it_counts_values() -> None:
    given = {"type": "objective", "name": "o", "metric": "faithfulness", "worse": "lower", "objective": 0.9}
    by_label = ObjectiveGate.model_validate(given | {"good": "supported"})
    by_value = ObjectiveGate.model_validate(given | {"good": 0.5})
    rows = [seen("supported" if i % 3 else "unsupported", i, value=0.9 if i % 3 else 0.1) for i in range(300)]
    assert verdict(by_label, rows) == verdict(by_value, rows)
    assert verdict(by_label, rows)[0] == "fail"


def test_a_release_is_compared_by_the_share_of_good_labels() -> None:
    given = {"type": "release", "name": "r", "metric": "faithfulness", "worse": "lower", "good": "supported"}
    gate = ReleaseGate.model_validate(given)

    def rows(bad: int) -> list[Observation]:
        return [
            seen(
                "contradicted" if i % 2 == 0 and i % bad == 0 else "supported",
                i,
                arm=("candidate", "baseline")[i % 2],
                share=0.5,
            )
            for i in range(600)
        ]

    assert verdict(gate, rows(4))[0] == "fail"
    assert verdict(gate, rows(10**6))[0] != "fail"


@each_gate
def test_every_gate_takes_labels_and_loads_what_it_dumped(kind: type[BoundedGate]) -> None:
    options = {key: value for key, value in kind.example.items() if key not in ("at_most", "worse")}
    options |= {"at_least": 0.5} if kind is ThresholdGate else {"worse": "lower"}
    gate = kind.model_validate(
        options
        | {"type": kind.model_fields["type"].annotation.__args__[0], "name": "g", "metric": "faithfulness"}
        | {"good": "supported"}
    )
    state = gate.fold(gate.initial(), Batch.of([seen(LABELS[i % 2], i) for i in range(120)]))
    assert gate.load(gate.dump(state)) == state
    assert gate.counts_labels
    assert not gate.estimates_metric
    assert kind.model_validate(gate.model_dump()).policy_version == gate.policy_version


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"good": "suported"},
            "'suported' is no label of 'faithfulness'; there are: supported, unsupported",
        ),
        ({"metric": "ndcg", "good": "supported"}, "'ndcg' has no labels to count by; metrics with labels: "),
        ({"good": ["supported", "unsupported", "contradicted"]}, "every answer would be good"),
        ({"good": []}, "expected 1 to 16 labels"),
        ({"good": "supported", "at_most": 0.2, "at_least": None}, "set at_least instead"),
    ],
)
def test_what_cannot_be_counted_is_told(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError) as refused:
        threshold(**options)
    assert told in str(refused.value)


def test_worse_is_lower_where_the_share_of_good_answers_is_judged() -> None:
    with pytest.raises(ValidationError, match="set worse to lower"):
        ReleaseGate(type="release", name="r", metric="stale_source_use", worse="higher", good="current")


def test_a_configuration_without_labels_is_the_policy_it_was() -> None:
    assert (
        threshold().policy_version == threshold(good=None).policy_version != threshold(good="supported").policy_version
    )


def test_a_recording_with_labels_is_replayed_by_them() -> None:
    def events(rows: list[Observation]) -> Iterator[str]:
        reader = EvaluationReader()
        reader.add([evaluation_line(row) for row in rows])
        return (
            event.state for event in Replay(gate=threshold(good="supported"), recording=reader.recording()).events()
        )

    assert set(events([seen("supported", i) for i in range(200)])) == {"pass"}
    assert "fail" in set(events([seen("contradicted", i) for i in range(200)]))
    assert set(events([seen(None, i) for i in range(200)])) <= {"inconclusive"}


def test_right_refusals_do_not_lower_a_release() -> None:
    """A refusal has no label of faithfulness, so a candidate with more of them is judged by its other answers."""
    given = {"type": "release", "name": "r", "metric": "faithfulness", "worse": "lower", "good": "supported"}
    rows = [
        seen("supported", i, arm=("candidate", "baseline")[i % 2], share=0.5)
        for i in range(3_000)
        if i % 2 or i % 10  # a tenth of the candidate's answers claim nothing
    ]
    assert verdict(ReleaseGate.model_validate(given | {"margin": 0.05}), rows)[0] == "pass"
