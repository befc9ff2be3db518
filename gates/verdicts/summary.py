"""What a verdict says: figures of a slice in the metric's own units, and how slices become the verdict of a gate."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from numpy.typing import ArrayLike

from gates.base.gate import Gate
from gates.base.verdict import Outcome, SliceVerdict, Verdict
from gates.evidence import intervals
from gates.evidence.intervals import WeightedTotals
from gates.inputs.slices import Slice
from gates.units.duration import format_duration
from gates.units.scale import UNIT, Scale

SAID: Mapping[Outcome, str] = {"fail": "failing", "inconclusive": "inconclusive", "pass": "passing"}
"""What slices of an outcome are said to be."""

TOLD_SLICES: Mapping[Outcome, int] = {"fail": 2, "inconclusive": 2, "pass": 1}
"""Slices whose own reasons the reason of a verdict repeats, by outcome; all of them are in the verdict."""

NAMED_SLICES = 5
"""Slices that the reason of a verdict names, those it tells of among them."""

ANSWERS_NEEDED = "answers_needed"
"""Evidence of a slice that is not judged yet: at least so many more answers are needed before it is."""

REFERENCE = "reference"
"""Evidence: what the estimate is held against, as reasons name it: a limit, or the mean of a past or of a baseline."""

CANDIDATE_MEAN = "candidate"
"""The name under which evidence holds the mean of a candidate's arm; that of the baseline is its reference."""
DETECTABLE = "detectable"
"""Evidence of a slice that passes: a mean, or a difference, that would have been found by now."""

_WAITING = re.compile(r"wait for ([\d,]+) more")
_LONGER = re.compile(r"; if no more come in \w+, set a longer `window`, about \w+")
LONGEST_WINDOW = timedelta(days=28)
"""No longer window is advised: it would hold answers of before most incidents."""

LONGEST_WAIT = timedelta(days=90)
"""No decision is promised for later: by then the release, or the traffic, is another."""

UNJUDGED_SHARE = 0.1
"""The share of all answers that slices may have which are not judged yet, for the gate to pass without them."""


def concluded(
    gate: Gate,
    at: datetime,
    parts: Iterable[SliceVerdict],
    nothing: str,
    *,
    candidate: str | None = None,
    baseline: str | None = None,
) -> Verdict:
    """Return the verdict of a gate over its slices; ``nothing`` says why there are none."""
    slices = tuple(parts)
    outcome, reason = summary(slices, nothing)
    return Verdict(
        gate=gate.name,
        state=outcome,
        at=at,
        reason=reason,
        no_data=not any(part.n for part in slices),
        policy_version=gate.policy_version,
        candidate=candidate,
        baseline=baseline,
        slices=slices,
    )


def figures(totals: WeightedTotals, *, sign: int, scale: Scale = UNIT, alpha: ArrayLike = 0.05) -> list[dict[str, Any]]:
    """Return number, effective number, estimate and bounds of every slice, by the names of `SliceVerdict`.

    ``totals`` are those of losses by slice: with a ``sign`` of -1 a loss is one minus the value. ``scale`` is the range
    that losses are parts of, ``alpha`` the error of each bound, of all slices or of each.

    >>> import numpy as np
    >>> figures(WeightedTotals.of(np.array([[30.0, 30.0, 3.0, 1.0], [0.0, 0.0, 0.0, 0.0]])), sign=-1)[0]["estimate"]
    0.9
    """
    bounds = (scale.own(each if sign > 0 else 1.0 - each).tolist() for each in intervals.bounds(totals, alpha))
    rows = []
    for place, (answers, mean, low, high) in enumerate(zip(totals.n.astype(int).tolist(), *bounds, strict=True)):
        row: dict[str, Any] = {"n": answers, "effective_n": totals.effective_n(place)}
        if answers:
            row |= {"estimate": mean, "lower": min(low, high), "upper": max(low, high)}
        rows.append(row)
    return rows


def summary(parts: Sequence[SliceVerdict], nothing: str) -> tuple[Outcome, str]:
    """Return the outcome of a gate and why: it fails with any slice, and passes only with all of them.

    Of one slice alone its reason says all. Slices that are not judged yet, because they are new or small, are named.
    They do not keep a gate from passing where they have at most `UNJUDGED_SHARE` of the answers. Where there are many
    slices, the reason tells of those that matter most: that moved most answers, that are missing, or of which least is
    known.

    >>> summary([], "no scored answers")
    ('inconclusive', 'no scored answers')
    >>> summary([SliceVerdict(slice={"d": "a"}, state="fail", reason="m in d=a fell", n=9, effective_n=9)], "")
    ('fail', 'm in d=a fell')
    >>> new = SliceVerdict(slice={"d": "new"}, state="inconclusive", reason="warming up", n=9, effective_n=9,
    ...                    evidence={ANSWERS_NEEDED: 291.0})
    >>> old = SliceVerdict(slice={"d": "old"}, state="pass", reason="no fall shown", n=900, effective_n=900)
    >>> summary([new, old], "")
    ('pass', '1 of 2 slices passing: d=old: no fall shown; 1 of 2 slices not judged yet: d=new: warming up')
    >>> summary([new, old.model_copy(update={"n": 20})], "")
    ('inconclusive', '1 of 2 slices inconclusive: d=new: warming up')
    >>> known = {"state": "pass", "n": 900, "effective_n": 900}
    >>> found = {"a": 0.03, "b": 0.05, "c": 0.04}
    >>> summary([SliceVerdict(slice={"d": name}, reason=f"no rise to {least}", **known,
    ...                       evidence={DETECTABLE: least, REFERENCE: 0.02}) for name, least in found.items()], "")[1]
    '3 of 3 slices passing, least is known of d=b: d=b: no rise to 0.05; also d=a; d=c'
    >>> had = {"near": (0.07, 0.0, 0.197), "far": (0.01, 0.0, 0.0915)}
    >>> summary([SliceVerdict(slice={"d": name}, reason="m", estimate=mean, lower=low, upper=high, **known,
    ...                       evidence={DETECTABLE: high, REFERENCE: 0.2}) for name, (mean, low, high) in had.items()],
    ...         "")[1]
    '2 of 2 slices passing, least is known of d=near: d=near: m; also d=far'
    """
    if not parts:
        return "inconclusive", nothing
    failing, open_, passing = ([part for part in parts if part.state == each] for each in SAID)
    unjudged = [part for part in open_ if ANSWERS_NEEDED in part.evidence]
    missing = [part for part in open_ if ANSWERS_NEEDED not in part.evidence]
    if failing:
        quiet = [part for part in missing if part.slice]
        also = f"; {len(quiet):,} inconclusive: {_names(quiet, NAMED_SLICES)}" if quiet else ""
        return "fail", _named("fail", failing, parts) + also
    few = answers_in(unjudged) <= UNJUDGED_SHARE * answers_in(parts)
    if not open_:
        return "pass", _named("pass", passing, parts)
    if passing and few and not missing:
        reasons = _named("pass", passing, parts), _named("inconclusive", unjudged, parts, said="not judged yet")
        return "pass", "; ".join(reasons)
    return "inconclusive", _named("inconclusive", open_, parts)


def answers_in(parts: Sequence[SliceVerdict]) -> int:
    """Return how many answers the parts of a verdict are over; all traffic beside its slices counts once."""
    return max(sum(part.n for part in parts if part.slice), sum(part.n for part in parts if not part.slice))


def subject(metric: str, slice_: Mapping[str, str] | Slice) -> str:
    """Return what a reason speaks of: a metric, and of which slice.

    >>> subject("claim_support", {"domain": "travel"}), subject("claim_support", ())
    ('claim_support in domain=travel', 'claim_support')
    """
    return f"{metric} in {slice_name(slice_)}" if slice_ else metric


def slice_name(slice_: Mapping[str, str] | Slice) -> str:
    """Return a slice as reasons name it.

    >>> slice_name({"domain": "travel", "language": "en"})
    'domain=travel, language=en'
    """
    return ", ".join(f"{name}={value}" for name, value in dict(slice_).items())


def counted(n: int, of: str = "answer") -> str:
    """Return a number of answers, or of something else.

    >>> counted(1), counted(1240)
    ('1 answer', '1,240 answers')
    """
    return f"{n:,} {of}" if n == 1 else f"{n:,} {of}s"


def none_scored(
    metric: str, within: timedelta, *, delay: timedelta | None = None, last: timedelta | None = None
) -> str:
    """Return the reason where nothing was scored, and where to look for why; ``delay`` is how late answers may count.

    ``last`` is how long ago the last answer was, by its own times, where one is known of from before.

    >>> none_scored("claim_support", timedelta(hours=1)).partition(": ")[0]
    'no scored answers in the last 1h'
    >>> none_scored("claim_support", timedelta(days=1), delay=timedelta(minutes=7)).partition(": ")[0]
    'no scored answers in the last 1d (they count up to 7m after they came)'
    >>> print(none_scored("claim_support", timedelta(minutes=30), last=timedelta(seconds=3612)).partition("; ")[2])
    by the times of its spans the newest is 60m old: if answers arrive now, the clock of the application is behind, or\
 its times are not in UTC
    """
    old = ""
    if last is not None and last > within:
        old = (
            f"; by the times of its spans the newest is {rounded_down(last.total_seconds())} old: if answers arrive"
            " now, the clock of the application is behind, or its times are not in UTC"
        )
    late = "" if delay is None else f" (they count up to {format_duration(delay)} after they came)"
    return (
        f"no scored answers in the last {format_duration(within)}{late}: check that answers arrive and are sampled,"
        f" and see rag_unscored_total for why {metric} was not scored{old}"
    )


def too_few(of: str, n: int, needed: int, within: timedelta) -> str:
    """Return the reason where there are fewer answers than are needed; ``of`` is the `subject`.

    >>> too_few("claim_support", 12, 30, timedelta(hours=1))
    'claim_support has 12 answers in the last 1h, at least 30 are needed: wait for 18 more'
    """
    there = f"{of} has {counted(n)} in the last {format_duration(within)}"
    return f"{there}, at least {needed:,} are needed: wait for {needed - n:,} more"


def longer_window(n: float, more: float, within: timedelta, seen: timedelta) -> str:
    """Return what to do where a moving window of ``n`` answers is ``more`` short, and traffic stays as it is.

    Such a window never holds them, however long anyone waits; past `LONGEST_WINDOW` no longer one is advised. The first
    of them came ``seen`` ago: as long as that is less than half of the window, nobody knows the traffic yet.

    >>> day = timedelta(days=1)
    >>> longer_window(960, 96, day, day), longer_window(1, 4000, day, day), longer_window(960, 96, day, day / 3)
    ('; if no more come in 1d, set a longer `window`, about 27h', '', '')
    """
    seconds = seen.total_seconds() * (n + more) / max(n, 1e-9)
    if 2 * seen < within or not within.total_seconds() < seconds <= LONGEST_WINDOW.total_seconds():
        return ""
    return f"; if no more come in {format_duration(within)}, set a longer `window`, about {rounded(seconds)}"


def of_finished(reason: str, within: timedelta) -> str:
    """Return a reason about answers of a window as it is of a finished run: no more of them will come.

    >>> day = timedelta(days=1)
    >>> of_finished(too_few("claim_support", 12, 30, day) + longer_window(12, 18, day, day), day)
    'claim_support has 12 answers, at least 30 are needed: add 18 to the suite, or set a smaller `min_answers`'
    """
    told = reason.replace(f" in the last {format_duration(within)}", "")
    told = told.replace(f"if no more come in {format_duration(within)}, it cannot", "it cannot")
    return _LONGER.sub("", _WAITING.sub(r"add \1 to the suite, or set a smaller `min_answers`", told))


def out_of_reach(n: float, more: float, within: timedelta) -> bool:
    """Return whether so many more answers take longer than `LONGEST_WAIT`, where ``n`` came ``within`` some time.

    >>> out_of_reach(900, 721_393, timedelta(days=1)), out_of_reach(900, 72_000, timedelta(days=1))
    (True, False)
    """
    return n > 0 and more * within.total_seconds() > n * LONGEST_WAIT.total_seconds()


def needing(setting: str, slice_: Mapping[str, str] | Slice) -> str:
    """Return what a slice needs whose traffic will not decide: another setting, or more answers in each slice.

    >>> needing("a larger `margin`", {"domain": "travel"}), needing("a larger `margin`", ())
    ('needs a larger `margin`, or fewer slices (`by`)', 'needs a larger `margin`')
    """
    return f"needs {setting}" + (", or fewer slices (`by`)" if slice_ else "")


def rounded(seconds: float) -> str:
    """Return a length of time as people set it, rounded up: in minutes below 2h, in hours below 2d, else in days.

    >>> rounded(5_000), rounded(95_000), rounded(180_000)
    ('84m', '27h', '3d')
    """
    unit = next((each for each in (86_400, 3_600) if seconds >= 2 * each), 60)
    return f"{math.ceil(seconds / unit)}{ {86_400: 'd', 3_600: 'h', 60: 'm'}[unit] }"


def rounded_down(seconds: float) -> str:
    """Return an age as people say it: in seconds below 2m, in minutes below 2h, in hours below 2d, else in days.

    >>> rounded_down(95), rounded_down(3_612), rounded_down(100_000), rounded_down(200_000)
    ('95s', '60m', '27h', '2d')
    """
    unit = next((each for each in (86_400, 3_600, 60) if seconds >= 2 * each), 1)
    return f"{math.floor(seconds / unit)}{ {86_400: 'd', 3_600: 'h', 60: 'm', 1: 's'}[unit] }"


def with_capped(verdict: Verdict, capped: int, least: float) -> Verdict:
    """Return a verdict that says how many answers weigh less than the inclusion probability recorded with them.

    Below a probability of ``least`` weights are capped, so that no single answer outweighs all others; ``capped`` such
    answers then stand for less traffic than they should, and the estimate leans to answers drawn more often.
    """
    if not capped:
        return verdict
    has, weigh = ("1 answer has", "weighs") if capped == 1 else (f"{capped:,} answers have", "weigh")
    told = f"{has} an inclusion probability below {least:g} and {weigh} as if it were {least:g}"
    return verdict.model_copy(update={"reason": f"{verdict.reason}; {told}"})


def agreeing(part: SliceVerdict, least: float, *, worse: int, inside: bool = False) -> SliceVerdict:
    """Return a verdict whose interval agrees with it: of a mean that is to be kept on one side of ``least``.

    ``worse`` is 1 where higher values are worse. A pass has an interval that reaches the side which is kept, a fail one
    that reaches the other: to widen an interval up to there keeps what it covers. With ``inside`` the gate has shown
    by itself on which side of ``least`` the mean is, so the interval ends there: it misses no more often than the
    interval and that decision do together (the union bound), and never without its estimate.

    >>> known = {"slice": {}, "reason": "", "n": 40, "effective_n": 40}
    >>> part = SliceVerdict(**known, state="fail", estimate=0.08, lower=0.02, upper=0.2)
    >>> agreeing(part, 0.05, worse=1, inside=True).lower, agreeing(part, 0.05, worse=1).lower
    (0.05, 0.02)
    >>> agreeing(part.model_copy(update={"state": "pass", "lower": 0.06}), 0.05, worse=1).lower
    0.05
    >>> agreeing(part.model_copy(update={"state": "pass", "estimate": 0.03}), 0.05, worse=1, inside=True).upper
    0.05
    """
    if part.estimate is None or part.lower is None or part.upper is None or part.state == "inconclusive":
        return part
    lower, upper = part.lower, part.upper
    # The mean is above ``least`` where higher values are worse and it fails, or are better and it passes.
    if (worse > 0) == (part.state == "fail"):
        upper = max(upper, least)
        lower = max(lower, min(least, part.estimate)) if inside else lower
    else:
        lower = min(lower, least)
        upper = min(upper, max(least, part.estimate)) if inside else upper
    if (lower, upper) == (part.lower, part.upper):
        return part
    return part.model_copy(update={"lower": lower, "upper": upper})


def _named(state: Outcome, those: Sequence[SliceVerdict], parts: Sequence[SliceVerdict], said: str = "") -> str:
    """Return what is said of some of the parts of a verdict: of all traffic first, then of slices.

    Of the slices those are told that matter most, and a few more are named.
    """
    whole = [part.reason for part in those if not part.slice]
    slices, total = [part for part in those if part.slice], sum(bool(part.slice) for part in parts)
    if not slices:
        return "; ".join(whole)
    # Sorted stably: among equals the order of the verdict stands.
    ordered, told = sorted(slices, key=_WEIGHT[state], reverse=True), TOLD_SLICES[state]
    named = "; ".join(
        part.reason if (name := slice_name(part.slice)) in part.reason else f"{name}: {part.reason}"
        for part in ordered[:told]
    )
    least = f", least is known of {slice_name(ordered[0].slice)}" if state == "pass" and len(slices) > 1 else ""
    those_told = {id(part) for part in ordered[:told]}
    rest = [part for part in slices if id(part) not in those_told]
    also = f"; also {_names(rest, NAMED_SLICES - told)}" if rest else ""
    count = f"{len(slices):,} of {total:,} slices {said or SAID[state]}{least}: " if total > 1 else ""
    return "; ".join([*whole, f"{count}{named}{also}"])


def compares_arms(part: SliceVerdict) -> bool:
    """Return whether a verdict over a slice compares both arms of a release, served at the same time.

    >>> compares_arms(SliceVerdict(slice={}, state="fail", reason="", n=9, effective_n=9, evidence={REFERENCE: 0.2}))
    False
    """
    return CANDIDATE_MEAN in part.evidence


def _names(parts: Sequence[SliceVerdict], most: int) -> str:
    """Return the first slices by name, and how many more there are."""
    named = [slice_name(part.slice) for part in parts[:most]]
    return "; ".join([*named, *([f"and {len(parts) - most:,} more"] if len(parts) > most else [])])


def _moved(part: SliceVerdict) -> float:
    """Return how many answers' worth of harm a slice that fails has, beyond what it is held against."""
    now = part.evidence.get(CANDIDATE_MEAN, part.estimate)
    return 0.0 if now is None else abs(now - part.evidence.get(REFERENCE, now)) * part.effective_n


def _unseen(part: SliceVerdict) -> float:
    """Return how little is known of a slice that passes: the width of its interval, or what could go unfound."""
    if part.lower is not None and part.upper is not None:
        return part.upper - part.lower
    found = part.evidence.get(DETECTABLE, part.evidence.get(REFERENCE, 0.0))
    return abs(found - part.evidence.get(REFERENCE, found))


def _open(part: SliceVerdict) -> float:
    """Return how much an inconclusive slice keeps from being known: what is missing before what is new or small."""
    return part.n if ANSWERS_NEEDED in part.evidence else math.inf


_WEIGHT: Mapping[Outcome, Callable[[SliceVerdict], float]] = {"fail": _moved, "inconclusive": _open, "pass": _unseen}
"""What slices of an outcome are ordered by, where a verdict cannot tell of all of them."""
