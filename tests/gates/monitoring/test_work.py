"""How much work a drift gate makes of its slices: so many calls a slice, however many there are."""

from __future__ import annotations

import cProfile
import gc
from datetime import timedelta

import numpy as np

from gates.drift import DriftGate
from gates.simulation.traffic import failing, groups, served
from gates.units.instants import Microseconds, instant

MANY, TICK, DAY = 600, 300_000_000, 288
CALLS_A_SLICE = 150
"""A tick takes about 80 calls for each slice; where every slice was held against the others one by one, it took 430."""


def calls(worked: cProfile.Profile) -> int:
    """Return how many functions were called."""
    return sum(entry.callcount for entry in worked.getstats())


def test_a_tick_in_which_slices_get_their_references_is_judged_in_few_steps_a_slice() -> None:
    gate = DriftGate(type="drift", name="g", metric="m", worse="higher", by=("slice",))
    rng, slices, rates = np.random.default_rng(67), groups(MANY), np.ones(MANY)
    state = gate.fold(gate.initial(), served(rng, failing(0.02), rates, 0, DAY).batch(slices, TICK))
    tick, now = served(rng, failing(0.02), rates, DAY, 1).batch(slices, TICK), instant(Microseconds((DAY + 1) * TICK))
    known = [each.evidence.get("level") for each in gate.verdict(state, now - timedelta(minutes=15)).slices]
    assert not any(known)
    profile = cProfile.Profile()
    gc.disable()
    try:
        profile.enable()
        verdict = gate.verdict(gate.settled(gate.fold(state, tick), now), now)
        profile.disable()
    finally:
        gc.enable()
    assert sum("level" in part.evidence for part in verdict.slices) > MANY / 4
    assert calls(profile) <= CALLS_A_SLICE * MANY
