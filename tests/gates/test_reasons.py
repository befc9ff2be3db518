"""What holds of what every gate says: a sentence with all that is needed to act, whose figures are the verdict's."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from pydantic import TypeAdapter

from gates import GATES, AnyGate
from gates.inputs.changes import Change
from gates.inputs.observations import ARMS, Batch
from gates.replay.replay import COLUMNS
from gates.units.instants import instant
from gates.verdicts.summary import DETECTABLE, REFERENCE, slice_name
from tests.gates.made import START, TICK, batch, poisson
from tests.gates.test_laws import LATER, every_gate, fold, streams

SLICES = tuple((("domain", name), ("suspicious", "no")) for name in ("travel", "leave"))
DAYS, DAY = 4, 288
LONGER = {"margin": 0.1, "min_reference": 30}
MEAN = {"metric": "m", "worse": "higher"}
VARIANTS = {
    "threshold": {"type": "threshold", "metric": "m", "at_most": 0.2, "window": "6h"},
    "threshold of slices": {"type": "threshold", "metric": "m", "at_least": 0.8, "window": "6h", "by": ["domain"]},
    "drift": {"type": "drift", **MEAN, "reference": "2d", "by": ["domain"]},
    "drift of a level": {"type": "drift", **MEAN, "declared": 0.1},
    "release": {"type": "release", **MEAN, **LONGER},
    "release of slices": {"type": "release", **MEAN, **LONGER, "by": ["domain"]},
    "release of strata": {"type": "release", **MEAN, **LONGER, "strata": ["domain"]},
    "release of metrics": {"type": "release", **MEAN, **LONGER, "also": [{"metric": "n", "worse": "higher"}]},
    "release of before": {"type": "release", **MEAN, **LONGER, "by": ["domain"]},
    "objective": {"type": "objective", **MEAN, "objective": 0.9, "by": ["domain"]},
    "acceptance": {"type": "acceptance", "metric": "m", "at_least": 0.6, "by": ["domain"], "window": "1d"},
    "regression": {"type": "regression", **MEAN, "case": "domain"},
}
"""A gate of every kind, and of every way in which kinds judge."""
RATES = {"good": 0.05, "bad": 0.5, "between": 0.2}


def gate_of(kind):
    return TypeAdapter(AnyGate).validate_python({"name": "g", **VARIANTS[kind]})


def judged(kind, world, *, rate=4.0, seed=2):
    """Return the gate, and its verdict after a day in which something is good, bad or between, behind three good ones.

    For an acceptance gate and limits from below a value is good where it is high.
    """
    rng, gate = np.random.default_rng(seed), gate_of(kind)
    place, tick = poisson(rng, rate, np.arange(DAYS * DAY), 2)
    late = tick >= (DAYS - 1) * DAY
    routed = kind.startswith("release") and kind != "release of before"
    arm = np.where(rng.random(len(tick)) < 0.5, ARMS["candidate"], ARMS["baseline"]) if routed else np.zeros(len(tick))
    mine = late & (arm != ARMS["baseline"])
    loss = (rng.random(len(tick)) < np.where(mine, RATES[world], RATES["good"])).astype(float)
    value = 1.0 - loss if {"at_least"} & VARIANTS[kind].keys() else loss
    columns = {"arm": arm.astype(np.int64), "share": np.where(arm > 0, 0.5, 0.0)}
    before, after = (
        batch(
            SLICES,
            place[part],
            tick[part],
            value[part],
            versions=(("release", version),),
            **{name: column[part] for name, column in columns.items()},
        )
        for part, version in ((~late, "1"), (late, "2"))
    )
    if len(gate.metrics) > 1:
        after = in_both(after)
    state = gate.initial() if routed else gate.fold(gate.initial(), before)
    if not routed:
        state = gate.change(state, Change(at=at((DAYS - 1) * DAY), kind="deploy", version="2"))
    state = gate.fold(state, after)
    return gate, gate.verdict(state, at(DAYS * DAY))


def in_both(data):
    """Return answers that are scored by ``n`` as they are by ``m``."""
    others = tuple(group._replace(metric="n") for group in data.groups)
    twice = {name: np.repeat(getattr(data, name), 2) for name in COLUMNS}
    group = twice.pop("group") + np.tile([0, len(others)], len(data))
    return Batch(groups=(*data.groups, *others), group=group, **twice)


def at(tick):
    return instant((START + tick) * TICK)


TIME = r"since|in the last|so far|over \d+[mhd]|in \d+[mhd]|from (release|the baseline)|warming up|decided at"


def wrong(gate, part):
    """Yield what a reason lacks."""
    reason = part.reason
    if not any(name in reason for name in gate.metrics):
        yield "no metric"
    if part.slice and slice_name(part.slice) not in reason:
        yield "no slice"
    learned = re.search(r"[\d,]+ of the [\d,]+ answers|with [\d,]+ answers?|no (scored )?answers", reason)
    number = re.search(rf"(?<![\d,.]){part.n:,} (of |its |more |scored )?(answer|case|its|[\d,]+)", reason)
    if gate.type != "acceptance" and not (learned or number):
        yield f"not its {part.n} answers"
    if not re.search(TIME, reason):
        yield "no time"
    if re.search(r"  |\n|nan|inf\b|None|\.\.|;;|; ?$|: ?$", reason) or len(reason.split()) < 5:
        yield "no sentence"
    yield from {"fail": unmoved, "pass": unfound, "inconclusive": undone}[part.state](gate, part)


def unmoved(gate, part):
    """Yield what a reason of a fail does not tell of from where to where it went."""
    if gate.type in ("regression", "acceptance"):
        return
    shown = [part.evidence[REFERENCE], part.evidence.get("candidate", part.estimate)]
    shown = [100.0 * each if gate.type == "objective" else each for each in shown]
    for each in shown:
        if f"{each:.3g}" not in part.reason and f"{each:.5g}" not in part.reason:
            yield f"not from or to {each}"


def unfound(_, part):
    """Yield what a reason of a pass does not tell of what would have been found."""
    found = part.evidence[DETECTABLE]
    figures = (f"{found:.3g}", f"{100.0 * found:.5g} %", "by so few answers", "of any size")
    if "would have been found" not in part.reason or not any(each in part.reason for each in figures):
        yield f"not that {found} would have been found"


def undone(_, part):
    """Yield that a reason of what is inconclusive does not say what to do."""
    if not re.search(r"needed|needs|check", part.reason):
        yield "not what to do"


def accepted(gate, part):
    """Return the values that a gate accepts, as an interval, ``None`` where what it shows is not what it judges."""
    if gate.type == "regression" or (gate.type == "acceptance" and "mean" not in (part.cause or "mean")):
        return None
    better = -np.inf if getattr(gate, "worse", "lower") == "higher" else np.inf
    if gate.type == "objective":
        return gate.objective, 1.0
    if gate.type == "acceptance":
        return gate.at_least, np.inf
    if gate.type == "threshold":
        return (-np.inf, gate.at_most) if gate.at_most is not None else (gate.at_least, np.inf)
    if gate.type == "drift":
        return tuple(sorted((better, part.evidence["level"]))) if "level" in part.evidence else None
    kept = part.evidence[REFERENCE] if "candidate" not in part.evidence else 0.0
    way = 1.0 if better < 0 else -1.0
    return tuple(sorted((better, kept + (way * gate.margin if part.state == "pass" else 0.0))))


def contradicts(gate, part):
    """Return how an interval contradicts its verdict."""
    region = accepted(gate, part)
    if region is None or part.estimate is None:
        return None
    if part.state == "pass" and (part.lower > region[1] + 1e-9 or part.upper < region[0] - 1e-9):
        return f"passes with {part.lower} to {part.upper}, outside of {region}"
    beyond = part.state == "pass" and (part.lower < region[0] - 1e-9 or part.upper > region[1] + 1e-9)
    if gate.type == "release" and beyond:
        return f"passes with {part.lower} to {part.upper}, not all of it in {region}"
    if part.state != "fail":
        return None
    if gate.type == "objective":
        # A budget is accounting, and its windows are what they are: only the estimate is decided by.
        inside = part.lower >= region[0] + 1e-9
    else:
        touched = max(part.lower, region[0]), min(part.upper, region[1])
        inside = touched[1] - touched[0] > 1e-9
    return f"fails with {part.lower} to {part.upper}, inside of {region}" if inside else None


@pytest.mark.parametrize("kind", VARIANTS)
def test_a_gate_without_answers_says_what_to_look_at(kind):
    gate = judged(kind, "good", rate=0.05)[0]
    verdict = gate.verdict(gate.initial(), at(DAYS * DAY))
    assert (verdict.state, verdict.slices) == ("inconclusive", ())
    assert re.match(r"no (scored )?answers .*: .*\bcheck\b", verdict.reason), verdict.reason


def test_every_type_of_gate_is_among_those_that_are_looked_at():
    assert {each["type"] for each in VARIANTS.values()} == {
        gate.model_fields["type"].annotation.__args__[0] for gate in GATES
    }


@pytest.mark.parametrize("world", RATES)
@pytest.mark.parametrize("kind", VARIANTS)
def test_every_verdict_says_what_where_how_much_since_when_and_what_to_do(kind, world):
    for rate in (4.0, 0.05):
        gate, verdict = judged(kind, world, rate=rate)
        assert verdict.slices or rate < 1.0
        for part in verdict.slices:
            assert list(wrong(gate, part)) == [], part.reason
            assert contradicts(gate, part) is None, part.reason


@pytest.mark.slow
@pytest.mark.parametrize("kind", VARIANTS)
def test_what_is_bad_fails_and_what_is_good_passes_where_there_are_answers_enough(kind):
    assert [judged(kind, world)[1].state for world in ("good", "bad")] == ["pass", "fail"]


@every_gate
@settings(max_examples=40, deadline=None)
@given(streams())
def test_whatever_comes_no_reason_lacks_a_part_and_no_interval_contradicts_its_verdict(gate, events):
    for part in gate.verdict(fold(gate, events, gate.initial(), [1000]), LATER).slices:
        assert list(wrong(gate, part)) == [], part.reason
        assert contradicts(gate, part) is None, part.reason
