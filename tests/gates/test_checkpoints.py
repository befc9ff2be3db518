"""A checkpoint of before, which a store may still hold, loads and goes on as if nothing had been renamed since.

The golden files stay as they were written: what states hold may only change together with `STATES` of
`gates.windowing.gate` or `gates.monitoring.detectors`, and then there is a new file beside these, and the older one is
refused, so that the state is rebuilt from what is stored.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest
from pydantic import TypeAdapter

from gates import AnyGate
from gates.inputs.changes import Change
from gates.inputs.observations import Batch, Observation

GOLDEN = Path(__file__).parent / "golden"
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
SAVED, EVENTS = 450, 600
"""How many answers were folded before the checkpoint, and how many there are."""
WORDS = {"reason", "cause"}
"""What a verdict says in words, which may be said better."""


def when(i):
    return NOON + timedelta(minutes=3 * i)


def answer(i, *, routed):
    """Answer ``i`` of two domains, a fifth of it thinly sampled; failures become common after the 400th."""
    arm = ("candidate", "baseline")[i % 3 % 2] if routed and i >= 200 else None
    failing = 70 if i >= 400 and arm != "baseline" else 8
    return Observation(
        at=when(i),
        answer_id=f"a{i}",
        metric="m",
        value=(1.0 if i % 4 else 0.75) if i * 7919 % 100 < failing else 0.0,
        probability=1.0 if i % 5 else 0.4,
        slice={"domain": "ab"[i * 31 % 7 % 2], "suspicious": "yes" if i % 5 else "no"},
        cluster=f"s{i // 4}" if i % 6 else None,
        document=None if i % 7 else "HR-010",
        versions={"app": "2" if arm == "candidate" else "1"} if routed else {"judge": "x"},
        arm=arm,
        share=0.5 if arm else None,
    )


CHANGES = {
    "announced": [(300, "deploy", "2"), (310, "model", "b"), (447, "documents", "7")],
    "plain": [(100, "scorer", "2"), (399, "documents", "7"), (449, "deploy", "3")],
}


def play(gate, state, start, end, *, routed=False, changes="plain"):
    """Fold the answers from ``start`` to ``end``, each change after the answer of its number."""
    noted = {i: Change(at=when(i), kind=kind, version=version) for i, kind, version in CHANGES[changes]}
    for i in range(start, end):
        state = gate.fold(state, Batch.of([answer(i, routed=routed)]))
        state = gate.change(state, noted[i]) if i in noted else state
    return state


def measured(gate, state, i):
    """Return a verdict but for its words."""
    verdict = gate.verdict(state, when(i)).model_dump(mode="json", exclude=WORDS)
    return verdict | {"slices": [{k: v for k, v in part.items() if k not in WORDS} for part in verdict["slices"]]}


CASES = sorted(path.stem for path in GOLDEN.glob("*.checkpoint.json"))


@pytest.mark.parametrize("case", CASES)
def test_a_checkpoint_of_the_version_before_loads_and_is_judged_the_same(case):
    golden = orjson.loads((GOLDEN / f"{case}.json").read_bytes())
    gate = TypeAdapter(AnyGate).validate_python(golden["gate"])
    saved = orjson.dumps(golden["state"])
    state = gate.load(saved)
    assert gate.dump(state) == saved
    assert measured(gate, state, SAVED) == golden["verdict"]
    played = play(gate, state, SAVED, EVENTS, **golden["stream"])
    assert measured(gate, played, EVENTS) == golden["verdict_after"]
    assert gate.dump(played) == gate.dump(play(gate, gate.initial(), 0, EVENTS, **golden["stream"]))


@pytest.mark.parametrize("case", sorted(path.stem for path in GOLDEN.glob("*.earlier.json")))
def test_a_checkpoint_of_before_states_held_something_else_is_refused_and_so_rebuilt(case):
    golden = orjson.loads((GOLDEN / f"{case}.json").read_bytes())
    gate = TypeAdapter(AnyGate).validate_python(golden["gate"])
    with pytest.raises(ValueError, match="not a state of the gate 'g' as it is configured"):
        gate.load(orjson.dumps(golden["state"]))
