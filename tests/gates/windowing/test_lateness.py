"""What a gate learns of how late answers come, and that neither batches nor a restart change it."""

from datetime import timedelta

import numpy as np
import pytest

from gates.drift import DriftGate
from gates.inputs.changes import Change
from gates.objective import ObjectiveGate
from gates.release import ReleaseGate
from gates.units.instants import instant
from tests.gates.made import START, TICK, batch

HOURS = 30
NAMES = {"name": "g", "metric": "m", "worse": "higher"}
GATES = [
    DriftGate(type="drift", reference=timedelta(hours=6), min_reference=30, **NAMES),
    ObjectiveGate(type="objective", objective=0.9, **NAMES),
    ReleaseGate(type="release", reference=timedelta(hours=6), min_reference=30, **NAMES),
]
MINUTES = TICK // 5


def arriving(late, share=0.1, seed=3):
    """Answers in the order of their arrival, two a minute; a share of them comes so many minutes late."""
    rng = np.random.default_rng(seed)
    n = HOURS * 120
    at = np.sort(rng.integers(0, HOURS * 60 * MINUTES, n)) + START * TICK
    arrived = at + np.where(rng.random(n) < share, late, 0) * MINUTES
    made = batch(((),), np.zeros(n), np.zeros(n, np.int64), rng.random(n) < 0.05)
    made.at[:] = at
    return taken(made, np.argsort(arrived, kind="stable"))


def taken(made, rows):
    columns = ("group", "at", "value", "probability", "cluster", "arm", "share")
    return type(made)(groups=made.groups, **{name: getattr(made, name)[rows] for name in columns})


def folded(gate, made, state=None):
    return gate.fold(gate.initial() if state is None else state, made)


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.type)
@pytest.mark.parametrize("late", [0, 12, 50, 600])
def test_any_batches_and_a_restart_anywhere_make_the_same_state(gate, late):
    made = arriving(late)
    whole = folded(gate, made)
    state = gate.initial()
    for start in range(0, len(made), 97):
        state = folded(gate, taken(made, slice(start, start + 97)), state)
        state = gate.load(gate.dump(state))
    assert gate.dump(state) == gate.dump(whole)
    now = gate.newest(whole) // TICK * TICK
    assert gate.verdict(state, instant(now)) == gate.verdict(whole, instant(now))


@pytest.mark.slow
def test_a_tick_waits_for_lateness_that_shows_again_and_again():
    gate = GATES[0]
    assert gate.lag(folded(gate, arriving(12))) == timedelta(seconds=1024)
    assert gate.lag(folded(gate, arriving(1))) == timedelta(), "what the grace allows needs no more waiting"
    assert gate.lag(folded(gate, arriving(12, share=0.005))) == timedelta(), "one in two hundred is not usual"
    assert gate.lag(folded(gate, arriving(600))) == timedelta(), "what is too late to be waited for is not"
    assert gate.lag(folded(gate, arriving(28))) == timedelta(minutes=30)
    never = gate.model_copy(update={"longest_wait": timedelta(seconds=1)})
    assert never.lag(folded(never, arriving(12))) == timedelta()


def test_a_backfill_holds_no_tick_up():
    gate, made = GATES[0], arriving(0)
    half = np.arange(len(made)) % 2 == 0
    old = half & (np.arange(len(made)) < 100 * 20)
    end = len(made) - 500
    order = np.concatenate([np.flatnonzero(~old)[: end - old.sum()], np.flatnonzero(old)])
    order = np.concatenate([order, np.setdiff1d(np.arange(len(made)), order)])
    state = folded(gate, taken(made, order))
    assert gate.lag(state) == timedelta()
    assert (gate.lateness(state).late, gate.lateness(state).left_out) == (old.sum(), 0)


def test_every_answer_is_evidence_once_however_late_it_comes():
    gate = GATES[1]
    for late in (0, 12, 50, 600):
        made = arriving(late)
        state = folded(gate, made)
        settled = gate.settled(state, instant((START + 600) * TICK))
        assert settled.rings[2].sums[:, :, 0].sum() == len(made)


def test_what_was_served_before_a_release_is_no_evidence_about_it():
    gate = GATES[2]
    assert gate.lateness(folded(gate, arriving(600))).left_out == 0
    made = arriving(600)
    released = (int(made.at.max()) - 60 * MINUTES) // TICK * TICK
    release = Change(at=instant(released), kind="deploy", version="2")
    cut = int(np.flatnonzero(made.at >= released)[0])
    state = gate.change(folded(gate, taken(made, slice(cut))), release)
    after = folded(gate, taken(made, slice(cut, None)), state)
    before = int(np.count_nonzero(made.at[cut:] < released))
    # Those that came while the tick of the release was open are folded as what was served before it.
    assert 0 < gate.lateness(after).left_out <= before
    settled = gate.settled(after, instant((START + 600) * TICK))
    assert settled.control.slices.since[:, 0].sum() == np.count_nonzero(made.at >= released)
