"""Metrics that are no parts of 1: what a gate says of them is what it says of parts, in the metric's own unit."""

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from gates import AnyGate
from gates.inputs.changes import Change
from gates.inputs.observations import ARMS, Batch, Group
from gates.units.instants import instant
from tests.gates.made import START, TICK

KINDS = {
    "threshold": ({"at_least": 70.0, "window": "1d"}, {"at_least": 0.7, "window": "1d"}),
    "drift": ({"worse": "lower", "reference": "2d", "tolerance": 2.0}, {"tolerance": 0.02}),
    "drift of a level": ({"worse": "lower", "declared": 75.0}, {"declared": 0.75}),
    "release": ({"worse": "lower", "margin": 5.0}, {"margin": 0.05}),
    "release by default": ({"worse": "lower"}, {}),
    "objective": ({"worse": "lower", "objective": 0.9, "good": 60.0}, {"good": 0.6}),
    "objective by degrees": ({"worse": "lower", "objective": 0.9}, {}),
}
BOUNDS = {"points": (None, 0.0, 100.0), "stars": ((1.0, 5.0), 1.0, 4.0)}


def gates(kind, metric, bounds, lower, width):
    """The same gate in the metric's unit and in parts of its range."""
    points, parts = KINDS[kind]
    plain = {"type": kind.split()[0], "name": "g", "by": ["domain"]}
    places = {name: lower + value / 100.0 * width for name, value in points.items() if name in ("at_least", "declared")}
    places |= {"good": lower + points["good"] / 100.0 * width} if "good" in points else {}
    lengths = {name: points[name] / 100.0 * width for name in ("tolerance", "margin") if name in points}
    own = {**plain, **points, **places, **lengths, "metric": metric, "bounds": bounds}
    adapter = TypeAdapter(AnyGate)
    return adapter.validate_python(own), adapter.validate_python({**plain, **points, **parts, "metric": "m"})


def traffic(metric, lower, width, *, routed):
    """Four days of answers in two slices; one gets worse in the last."""
    rng = np.random.default_rng(4)
    n = 6000
    tick = np.sort(rng.integers(0, 4 * 288, n))
    slice_ = rng.integers(0, 2, n)
    part = np.where(rng.random(n) < 0.1, 0.0, rng.beta(17, 3, n))
    worse = (slice_ == 1) & (tick >= 3 * 288)
    candidate = rng.random(n) < 0.5
    worse &= candidate if routed else True
    part = np.where(worse & (rng.random(n) < 0.4), 0.2, part)
    arm = np.where(candidate, ARMS["candidate"], ARMS["baseline"]) if routed else np.full(n, ARMS[None])
    return Batch(
        groups=tuple(Group(metric, (("domain", name),), ()) for name in ("a", "b")),
        group=slice_,
        at=(tick + START) * TICK + np.arange(n) % 1000,
        value=lower + width * part,
        probability=rng.choice([0.5, 1.0], n),
        cluster=np.zeros(n, np.int64),
        arm=arm,
        share=np.where(arm > 0, 0.5, 0.0),
    )


@pytest.mark.slow
@pytest.mark.parametrize("unit", BOUNDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_gate_says_of_any_range_what_it_says_of_parts_in_the_unit_of_the_metric(kind, unit):
    bounds, lower, width = BOUNDS[unit]
    metric = "composite" if unit == "points" else "judge_says"
    routed = kind.startswith("release")
    own, plain = gates(kind, metric, bounds, lower, width)
    found = []
    for gate, batch in (
        (own, traffic(metric, lower, width, routed=routed)),
        (plain, traffic("m", 0.0, 1.0, routed=routed)),
    ):
        state = gate.fold(gate.initial(), batch)
        assert gate.load(gate.dump(state)) == state
        found.append(gate.verdict(state, instant((START + 4 * 288) * TICK)))
    told, parts = found
    assert told.state == parts.state == "fail"
    assert [part.state for part in told.slices] == [part.state for part in parts.slices]
    difference, share = routed, kind.startswith("objective")
    for mine, theirs in zip(told.slices, parts.slices, strict=True):
        for name in ("estimate", "lower", "upper"):
            part = getattr(theirs, name)
            own_unit = part if share else width * part + (0.0 if difference else lower)
            assert getattr(mine, name) == pytest.approx(own_unit, abs=1e-9), name
        assert (mine.n, mine.alarmed_at) == (theirs.n, theirs.alarmed_at)
        for name, value in theirs.evidence.items():
            own_unit = value if share else lower + width * value
            absolute = dict.fromkeys(("level", "reference", "candidate"), own_unit)
            found = width * value if difference else own_unit
            scaled = (absolute | {"detectable": found}).get(name, value)
            assert mine.evidence[name] == pytest.approx(scaled, rel=1e-6), name


def test_reasons_speak_in_the_unit_of_the_metric():
    own, _ = gates("threshold", "composite", None, 0.0, 100.0)
    verdict = own.verdict(
        own.fold(own.initial(), traffic("composite", 0.0, 100.0, routed=False)), instant((START + 1100) * TICK)
    )
    assert "; limit 70; a mean below 71.7 would have been found" in verdict.slices[0].reason
    release, _ = gates("release", "composite", None, 0.0, 100.0)
    state = release.fold(release.initial(), traffic("composite", 0.0, 100.0, routed=True))
    reasons = [part.reason for part in release.verdict(state, instant((START + 860) * TICK)).slices]
    assert any(reason.startswith("the candidate is not worse by 5: ") for reason in reasons)


@pytest.mark.parametrize("limit", [9.995, 69.95, 99.95])
def test_a_reason_quotes_the_limit_as_it_was_set(limit):
    subject, _ = gates("threshold", "composite", None, 0.0, 100.0)
    subject = subject.model_copy(update={"at_least": limit})
    state = subject.fold(subject.initial(), traffic("composite", 0.0, 100.0, routed=False))
    reason = subject.verdict(state, instant((START + 1100) * TICK)).slices[0].reason
    assert f"; limit {limit}" in reason


def test_a_release_that_nothing_is_routed_to_is_judged_in_points_too():
    gate = TypeAdapter(AnyGate).validate_python(
        {"type": "release", "name": "g", "metric": "composite", "worse": "lower", "by": ["domain"], "margin": 20.0}
    )
    batch = traffic("composite", 0.0, 100.0, routed=False)
    cut = int(np.searchsorted(batch.at, (START + 3 * 288) * TICK))
    first, rest = (part_of(batch, *ends) for ends in ((0, cut), (cut, len(batch))))
    state = gate.fold(gate.initial(), first)
    state = gate.change(state, Change(at=instant((START + 3 * 288) * TICK), kind="deploy", version="2"))
    verdict = gate.verdict(gate.fold(state, rest), instant((START + 4 * 288) * TICK))
    same, worse = verdict.slices
    assert (same.state, same.reason.partition(":")[0]) == (
        "pass",
        "composite in domain=a is not worse by 20 than before the release",
    )
    assert (worse.state, round(worse.estimate, -1)) == ("fail", 50.0)


def part_of(batch, start, stop):
    return Batch(
        groups=batch.groups,
        **{
            name: getattr(batch, name)[start:stop]
            for name in ("group", "at", "value", "probability", "cluster", "arm", "share")
        },
    )


def test_a_value_beyond_the_range_of_its_metric_is_an_error():
    own, _ = gates("drift", "composite", None, 0.0, 100.0)
    batch = traffic("composite", 0.0, 101.0, routed=False)
    with pytest.raises(ValueError, match=r"composite of row \d+ is 100\.\d+, outside 0 to 100"):
        own.fold(own.initial(), batch)


def test_an_objective_with_a_last_good_value_takes_a_metric_without_an_upper_bound():
    # An objective that is kept: while one burns, the share is that of the window that burns.
    options = {"type": "objective", "name": "slow", "worse": "higher", "objective": 0.05, "good": 30.0}
    gate = TypeAdapter(AnyGate).validate_python({**options, "metric": "seconds_waited", "bounds": [0, None]})
    batch = traffic("seconds_waited", 0.0, 1000.0, routed=False)
    part = gate.verdict(gate.fold(gate.initial(), batch), instant((START + 4 * 288) * TICK)).slices[0]
    assert part.estimate == pytest.approx(np.average(batch.value <= 30.0, weights=1.0 / batch.probability))
    with pytest.raises(ValidationError, match="has no upper bound, which every confidence bound needs"):
        TypeAdapter(AnyGate).validate_python(
            {"type": "threshold", "name": "slow", "metric": "seconds_waited", "bounds": [0, None], "at_most": 30.0}
        )


@pytest.mark.parametrize(
    ("options", "where", "message"),
    [
        ({"at_least": 100.5}, "at_least", "less than or equal to 100 "),
        ({"at_least": 0}, "at_least", "greater than 0"),
        ({"at_most": 100}, "at_most", "less than 100 "),
        ({"at_least": 70, "metric": "compsite"}, "at_least", "equal to 1: no scorer gives 'compsite', and bounds"),
        ({"at_least": 70, "bounds": [0, 10]}, "bounds", "values from 0 to 100; leave bounds out"),
        ({"at_least": 3, "metric": "x", "bounds": [5, 1]}, "bounds", "the lower one first"),
        ({"at_least": 3, "metric": "x", "bounds": [0, float("nan")]}, "bounds", "the lower one first"),
        ({"at_least": 3, "metric": "x", "bounds": [-1e308, 1e308]}, "bounds", "too wide to compute"),
        ({"type": "drift", "worse": "lower", "tolerance": 100}, "tolerance", "less than 100"),
        ({"type": "drift", "worse": "lower", "declared": 101}, "declared", "less than or equal to 100"),
        ({"type": "drift", "worse": "lower", "declared": 0}, "", "no mean could be worse"),
        ({"type": "release", "worse": "lower", "margin": 100}, "margin", "less than 100"),
        ({"type": "objective", "worse": "lower", "objective": 0.9, "good": -1}, "good", "equal to 0"),
    ],
)
def test_a_limit_outside_the_range_is_refused_where_it_stands(options, where, message):
    plain = {"type": "threshold", "name": "g", "metric": "composite"}
    with pytest.raises(ValidationError, match=message) as found:
        TypeAdapter(AnyGate).validate_python(plain | options)
    assert where in ("", str(found.value.errors()[0]["loc"][-1]))


@pytest.mark.parametrize(
    ("options", "known"),
    [
        ({"type": "threshold", "at_most": 0.2}, "fc76de1c7897"),
        ({"type": "drift", "worse": "higher"}, "3a1a7f800eea"),
        ({"type": "release", "worse": "higher"}, "f84d5a807d60"),
        ({"type": "objective", "worse": "higher", "objective": 0.9}, "2b813abd9865"),
    ],
)
def test_a_policy_on_parts_of_1_is_the_one_it_was_before_there_were_ranges(options, known):
    assert TypeAdapter(AnyGate).validate_python({"name": "g", "metric": "m", **options}).policy_version == known


def test_a_default_margin_survives_its_own_json():
    adapter = TypeAdapter(AnyGate)
    gate = adapter.validate_python({"type": "release", "name": "g", "metric": "composite", "worse": "lower"})
    assert gate.margin == 1.0
    assert adapter.validate_json(gate.model_dump_json()) == gate
