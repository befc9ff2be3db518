"""What holds of every gate: the same observations in the same order make the same state, however they were cut up."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from gates import GATES, AnyGate
from gates.base.gate import Gate
from gates.inputs.changes import Change
from gates.inputs.observations import Batch, Observation

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
minutes = st.integers(0, 600)


@st.composite
def observations(draw):
    arm = draw(st.sampled_from([None, None, "candidate", "baseline"]))
    return Observation(
        at=NOON + timedelta(minutes=draw(minutes), microseconds=draw(st.integers(0, 10**6))),
        answer_id="a",
        metric=draw(st.sampled_from(["m", "m", "m", "other"])),
        value=draw(st.sampled_from([0.0, 1.0, 0.25, 1 / 3, None])),
        probability=draw(st.sampled_from([1.0, 0.5, 0.3, 0.001])),
        slice={"domain": draw(st.sampled_from("ab")), "suspicious": draw(st.sampled_from(["yes", "no"]))},
        cluster=draw(st.sampled_from([None, None, "c1", "c2", "\ud800"])),
        document=draw(st.sampled_from([None, "HR-010"])),
        versions=draw(st.sampled_from([{}, {"app": "1"}, {"app": "2", "judge": "x"}])),
        arm=arm,
        share=draw(st.sampled_from([0.05, 0.5])) if arm else None,
    )


changes = st.builds(
    lambda minute, kind, scope, version: Change(
        at=NOON + timedelta(minutes=minute), kind=kind, scope=scope, version=version
    ),
    minutes,
    st.sampled_from(["deploy", "documents", "scorer"]),
    st.sampled_from([{}, {"domain": "a"}]),
    st.sampled_from([None, "1", "2"]),
)


class Events(list):
    """A list that a failing example shows in short."""

    def __repr__(self):
        shown = [e.kind if isinstance(e, Change) else f"{e.at:%d %H:%M:%S} {e.value}" for e in self]
        return f"<{len(self)} events: {', '.join(shown[-20:])}>"


@st.composite
def streams(draw):
    """Observations roughly in order, some late, with changes among them."""
    seen = draw(st.lists(observations(), min_size=1, max_size=40))
    if draw(st.booleans()):
        seen.sort(key=lambda each: each.at)
    # Enough of a past that references are complete and bets are made.
    past = [
        Observation(
            at=NOON - timedelta(hours=3) + timedelta(minutes=2 * i),
            answer_id=f"p{i}",
            metric="m",
            value=float(i % 9 == 0),
            probability=1.0,
            slice={"domain": "ab"[i % 2], "suspicious": "no"},
        )
        for i in range(draw(st.sampled_from([0, 70])))
    ]
    events = Events([*past, *seen])
    for change in draw(st.lists(changes, max_size=3)):
        events.insert(draw(st.integers(0, len(events))), change)
    return events


def sample(component) -> Gate:
    kind = component.model_fields["type"].annotation.__args__[0]
    return TypeAdapter(AnyGate).validate_python({"type": kind, "name": "g", "metric": "m", **component.example})


every_gate = pytest.mark.parametrize("gate", [sample(gate) for gate in GATES], ids=lambda gate: gate.type)


def fold(gate, events, state, sizes=()):
    """Fold events in batches of these sizes, then of one each."""
    sizes, waiting = list(sizes), []
    for event in events:
        if isinstance(event, Change):
            state, waiting = gate.change(gate.fold(state, Batch.of(waiting)), event), []
            continue
        waiting.append(event)
        if len(waiting) >= (sizes[0] if sizes else 1):
            state, waiting = gate.fold(state, Batch.of(waiting)), []
            sizes = sizes[1:]
    return gate.fold(state, Batch.of(waiting))


LATER = NOON + timedelta(minutes=602)


@pytest.mark.slow
@every_gate
@settings(max_examples=30, deadline=None)
@given(streams(), st.lists(st.integers(1, 80), max_size=6))
def test_batches_of_any_size_make_the_state_that_one_at_a_time_makes(gate, events, sizes):
    alone, together = fold(gate, events, gate.initial()), fold(gate, events, gate.initial(), sizes)
    assert gate.dump(alone) == gate.dump(together)
    assert alone == together
    assert gate.verdict(alone, LATER) == gate.verdict(together, LATER)


@every_gate
@settings(max_examples=30, deadline=None)
@given(streams(), st.integers(0, 110), st.lists(st.integers(1, 80), max_size=3))
def test_a_restart_anywhere_changes_nothing(gate, events, restart, sizes):
    straight = fold(gate, events, gate.initial(), sizes)
    saved = gate.dump(fold(gate, events[:restart], gate.initial()))
    resumed = fold(gate, events[restart:], gate.load(saved), sizes)
    assert gate.dump(resumed) == gate.dump(straight)
    assert gate.verdict(resumed, LATER) == gate.verdict(straight, LATER)


@every_gate
@settings(max_examples=15, deadline=None)
@given(streams(), observations())
def test_folding_and_judging_leave_the_state_as_it_was(gate, events, one):
    state = fold(gate, events, gate.initial(), [1000])
    before = gate.dump(state)
    gate.update(state, one)
    gate.change(state, Change(at=LATER, kind="deploy"))
    gate.verdict(state, LATER)
    assert gate.dump(state) == before
    assert gate.verdict(state, LATER) == gate.verdict(state, LATER)


@every_gate
@settings(max_examples=30, deadline=None)
@given(streams(), minutes)
def test_a_verdict_is_finite_and_never_a_pass_without_data(gate, events, minute):
    verdict = gate.verdict(fold(gate, events, gate.initial(), [1000]), NOON + timedelta(minutes=minute))
    assert verdict.state in ("inconclusive", "fail") or (verdict.slices and all(part.n for part in verdict.slices))
    for part in verdict.slices:
        figures = [part.effective_n, part.estimate, part.lower, part.upper, *part.evidence.values()]
        assert all(math.isfinite(figure) for figure in figures if figure is not None)
        if part.estimate is not None:
            assert part.lower <= part.estimate <= part.upper
    assert all(word not in verdict.model_dump_json() for word in ("NaN", "Infinity"))


LIMITS = {"threshold": 0.3, "objective": 0.9}
"""What is held, by the examples of gates that are told it: at most a mean, and at least a share of good answers."""


@every_gate
@settings(max_examples=30, deadline=None)
@given(streams(), minutes)
def test_an_interval_does_not_lie_on_the_good_side_of_what_fails(gate, events, minute):
    if gate.type not in LIMITS:
        return
    limit = LIMITS[gate.type]
    verdict = gate.verdict(fold(gate, events, gate.initial(), [1000]), NOON + timedelta(minutes=minute))
    for part in verdict.slices:
        if part.state == "fail":
            assert part.upper > limit if gate.type == "threshold" else part.lower <= limit


@every_gate
def test_a_metric_nobody_listens_to_moves_nothing(gate):
    other = Observation(at=NOON, answer_id="a", metric="other", value=7, probability=1)
    assert gate.update(gate.initial(), other) == gate.initial()


@every_gate
def test_a_value_outside_its_bounds_is_an_error_that_names_the_answer(gate):
    wrong = Observation(at=NOON, answer_id="a7", metric="m", value=1.5, probability=1)
    with pytest.raises(ValueError, match=r"m of a7 is 1\.5, outside 0 to 1"):
        gate.update(gate.initial(), wrong)


@every_gate
def test_a_checkpoint_of_another_gate_is_refused(gate):
    for data in (b"[]", b"{}", b""):
        with pytest.raises(ValueError, match=r"state|JSON|empty|unexpected"):
            gate.load(data)
