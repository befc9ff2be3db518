"""The `threshold` gate: a weighted mean over a sliding window against a limit, decided on a confidence bound."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, Literal

import numpy as np
import orjson
from pydantic import Field, ValidationInfo, field_validator, model_validator

from gates.base.bounded import BoundedGate, inside
from gates.base.gate import State
from gates.base.labels import GOOD, GoodLabels
from gates.base.verdict import LateAnswers, Outcome, SliceVerdict, Verdict
from gates.evidence import betting, intervals
from gates.evidence.arrays import Bools, Integers
from gates.inputs.observations import Batch
from gates.inputs.slices import Slice
from gates.units.duration import Duration, format_duration
from gates.units.instants import EPOCH, MICROSECOND, Microseconds, microseconds
from gates.units.scale import Scale
from gates.verdicts.late import without_late
from gates.verdicts.summary import (
    DETECTABLE,
    REFERENCE,
    concluded,
    counted,
    longer_window,
    needing,
    none_scored,
    out_of_reach,
    subject,
    too_few,
    with_capped,
)
from gates.verdicts.unscored import with_unscored
from gates.windowing.buckets import (
    BUCKETS,
    CHUNK,
    LEAST_PROBABILITY,
    LEFT_OUT,
    SCORED,
    SQUARE_UNIT,
    TEXTLESS,
    UNIT,
    VALUELESS,
    Buckets,
    BucketSums,
    folded,
    key_of,
    told_apart,
)
from scorers.base import Metric

_UNSCORED = {TEXTLESS: "without_text", VALUELESS: "without_value"}
"""The names under which a dumped state counts answers without a value, by their kind."""
OUTLOOK = 10**6
"""Where so many answers would not decide, it is not said how many would."""


class ThresholdGate(BoundedGate):
    """Holds the mean of a metric over a window against a limit, for every slice of the dimensions in ``by``.

    The mean is over all traffic: each answer counts with one over its inclusion probability. A slice passes when the
    confidence bound towards the limit keeps it, fails when the bound away from the limit breaks it, and is inconclusive
    otherwise or with fewer than ``min_answers``. The gate fails if any slice fails and passes if every slice with data
    passes.

    ``confidence`` is that of the verdict as a whole: with 95 %, what it says of its slices is wrong about any of them
    in at most one reading of twenty. Each of ``k`` slices with ``min_answers`` is therefore judged with an error of
    ``(1 - confidence) / k``. Proof: a slice that keeps its limit is judged wrongly only where its bound away from the
    limit misses, one that breaks it only where the other bound does, so each with at most that probability, and the
    sum over ``k`` slices is at most ``1 - confidence``, however the slices depend on each other (C. E. Bonferroni,
    1936). Premises: answers of a slice are independent, and how many slices have answers does not depend on how good
    these are.

    The bounds are a confidence sequence (`gates.evidence.betting`): over the answers since one moment they hold at all
    readings together, so that a window which fills may be read at any time, as often as one likes, while the same
    slices are judged; where their number grows from ``k`` to ``m`` meanwhile, the error over all these readings is at
    most ``1 + ln(m / k)`` times as large, since the slice that comes as number ``j`` is never judged with more than
    ``(1 - confidence) / j``. A window that has moved on is evidence anew, with an error of its own; for watching
    without end there is the `drift` gate.

    What the mean says, it says of the answers with a value. A slice does not pass where more than a tenth of its
    answers came without text, nor where ten or more came and none has a value (`gates.verdicts.unscored`): that only
    withholds, so no error above grows.

    >>> from datetime import UTC, datetime
    >>> gate = ThresholdGate(type="threshold", name="stale", metric="stale_source_use", at_most=0.1, window="15m")
    >>> noon, state = datetime(2026, 1, 1, 12, tzinfo=UTC), gate.initial()
    >>> gate.verdict(state, noon).state, gate.verdict(state, noon).reason.partition(": ")[0]
    ('inconclusive', 'no scored answers in the last 15m')
    >>> from gates.inputs.observations import Observation
    >>> for i in range(60):
    ...     observation = Observation(at=noon, answer_id=f"a{i}", metric="stale_source_use", value=0, probability=1)
    ...     state = gate.update(state, observation)
    >>> verdict = gate.verdict(state, noon)
    >>> for told in (verdict.state, *verdict.reason.split("; ")):
    ...     print(told)
    pass
    stale_source_use is 0, at most 0.0899 (95 % confidence, 60 answers in the last 15m)
    limit 0.1
    a mean above 0.0899 would have been found
    """

    example: ClassVar = {"at_most": 0.3, "window": "2h", "by": ("domain",)}
    type: Literal["threshold"]
    good: GoodLabels | None = Field(default=None, description=GOOD)
    at_most: float | None = Field(default=None, description="Upper limit on the weighted mean.")
    at_least: float | None = Field(default=None, description="Lower limit on the weighted mean.")
    by: tuple[str, ...] = Field(
        default=(), max_length=8, description="Slice dimensions judged separately; none: all traffic together."
    )
    window: Duration = Field(default=timedelta(hours=1), description="Length of the sliding window.")
    confidence: float = Field(
        default=0.95, ge=0.5, lt=1, description="Confidence of the verdict, over all slices together."
    )
    min_answers: int = Field(
        default=30, ge=1, description="Scored answers a slice needs in the window; with fewer it is inconclusive."
    )

    @field_validator("at_most")
    @classmethod
    def _below_the_worst(cls, limit: float | None, given: ValidationInfo) -> float | None:
        return inside(limit, given, high=False)

    @field_validator("at_least")
    @classmethod
    def _above_the_worst(cls, limit: float | None, given: ValidationInfo) -> float | None:
        return inside(limit, given, low=False)

    @field_validator("by")
    @classmethod
    def _distinct(cls, by: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(by)) != len(by):
            raise ValueError("duplicate dimension")
        return tuple(sorted(by))

    @field_validator("window")
    @classmethod
    def _resolvable(cls, window: timedelta) -> timedelta:
        if window < timedelta(seconds=1):
            raise ValueError("a window must be at least 1s")
        return window

    @model_validator(mode="after")
    def _one_limit(self) -> ThresholdGate:
        if (self.at_most is None) == (self.at_least is None):
            raise ValueError("set exactly one of at_most and at_least")
        return self

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The slice dimensions whose slices are judged apart."""
        return self.by

    @property
    def expectation(self) -> str:
        """How sure its verdicts are, and when a slice has none."""
        return (
            f"With {self.confidence * 100:.4g} % confidence nothing that it says of its slices is wrong, however often "
            f"it is read while the window fills. A slice is inconclusive below {counted(self.min_answers)} in "
            f"{format_duration(self.window)}, and while its interval holds the limit; more answers narrow that. A "
            "window that moves on makes new errors: for months of watching take a `drift` gate."
        )

    @property
    def limit(self) -> float:
        """The limit, whichever side it holds."""
        return self.at_most if self.at_most is not None else self.at_least or 0.0

    def _direction_problems(self, metric: Metric) -> Iterator[tuple[str, str]]:
        option, better = ("at_most", "lower") if self.at_least is None else ("at_least", "higher")
        if metric.better != better:
            wanted = "at_least" if option == "at_most" else "at_most"
            told = f"{self.metric!r} is better when {metric.better}, but this limit wants it {better}"
            yield option, f"{told}: give `{wanted}`"

    def initial(self) -> State:
        """Return the state before any observation."""
        return {}

    def fold(self, state: State, batch: Batch) -> State:
        """Fold observations; others' metrics are ignored, and answers older than the window are only counted.

        The window ends at the newest answer seen; the order of arrival does not matter within it. Raises `ValueError`
        on a value outside the metric's range.
        """
        batch, mine = self._parts(batch)
        kind = np.where(batch.without_value(self.metric), VALUELESS, SCORED)
        kind[batch.without_text(self.metric)] = TEXTLESS
        places = np.flatnonzero(mine | (kind != SCORED))
        for start in range(0, len(places), CHUNK):
            rows = places[start : start + CHUNK]
            state = folded(state, batch, rows, self.bucket(batch.at[rows]), self.by, kind[rows])
        return state

    @property
    def counts_unscored(self) -> bool:
        """Whether answers without a score are told of: those without text, or alone, keep a slice from passing."""
        return True

    def newest(self, state: State) -> Microseconds | None:
        """Return when the newest part of the window began."""
        buckets: Buckets = state
        return Microseconds(max(buckets) * (self.window // MICROSECOND) // BUCKETS) if buckets else None

    def verdict(self, state: State, at: datetime) -> Verdict:
        """Judge the answers of the window that ends at ``at``."""
        now = self.bucket(microseconds(at))
        all_totals: dict[Slice, BucketSums] = {}
        buckets: Buckets = state
        for index, slices in buckets.items():
            if now - BUCKETS < index <= now:
                for key, sums in slices.items():
                    all_totals[key] = all_totals.get(key, BucketSums()).plus(sums)
        left_out = all_totals.pop(LEFT_OUT, BucketSums()).n
        kinds: list[dict[Slice, BucketSums]] = [{}, {}, {}]
        for key, sums in all_totals.items():
            slice_, kind = told_apart(key)
            kinds[kind][slice_] = sums
        totals = kinds[SCORED]
        keys = sorted(totals)
        parts = self._judged(keys, [totals[key] for key in keys], self.seen(state, at))
        bare, blank = ({key: sums.n for key, sums in kinds[kind].items()} for kind in (TEXTLESS, VALUELESS))
        parts = with_unscored(parts, bare, blank, self.judged, self.window)
        newest = self.newest(state)
        last = None if newest is None else at - (EPOCH + newest * MICROSECOND)
        verdict = concluded(self, at, parts, none_scored(self.metric, self.window, last=last))
        verdict = with_capped(verdict, sum(each.capped for each in totals.values()), LEAST_PROBABILITY)
        return without_late(verdict, LateAnswers(late=left_out, left_out=left_out))

    def seen(self, state: State, at: datetime) -> timedelta:
        """Return how long ago the oldest answers of the window came that ends at ``at``, to a sixtieth of it."""
        buckets: Buckets = state
        now = self.bucket(microseconds(at))
        oldest = min((index for index in buckets if now - BUCKETS < index <= now), default=now)
        return self.window * int(now - oldest + 1) / BUCKETS

    def lateness(self, state: State) -> LateAnswers:
        """Return how many answers were older than the window when they came; only those of the window are known."""
        buckets: Buckets = state
        left_out = sum(slices[LEFT_OUT].n for slices in buckets.values() if LEFT_OUT in slices)
        return LateAnswers(late=left_out, left_out=left_out)

    def dump(self, state: State) -> bytes:
        """Serialize a state as JSON; equal states give equal bytes."""
        buckets: Buckets = state
        rows: tuple[list[Any], ...] = ([], [], [])
        for index, slices in sorted(buckets.items()):
            for key, sums in sorted(slices.items()):
                if key == LEFT_OUT:
                    continue
                slice_, kind = told_apart(key)
                kept = sums[:1] if kind else sums if sums.capped else sums[:-1]
                rows[kind].append([index, [value for _, value in slice_], *kept])
        late = [[index, slices[LEFT_OUT].n] for index, slices in sorted(buckets.items()) if LEFT_OUT in slices]
        told = (("left_out", late), *zip(_UNSCORED.values(), rows[1:], strict=True))
        more = {name: found for name, found in told if found}
        return orjson.dumps({**self._shape(), "rows": rows[SCORED], **more})

    def load(self, data: bytes) -> State:
        """Restore what `dump` wrote. Raises `ValueError` if a gate of another metric, window or slicing wrote it."""
        decoded: Any = orjson.loads(data)
        if not isinstance(decoded, dict) or {k: decoded.get(k) for k in self._shape()} != self._shape():
            raise ValueError(f"not a state of the gate {self.name!r} as it is configured")
        buckets: dict[int, dict[Slice, BucketSums]] = {}
        try:
            for index, values, *sums in decoded["rows"]:
                buckets.setdefault(index, {})[tuple(zip(self.by, values, strict=True))] = BucketSums(*sums)
            for index, n in decoded.get("left_out", ()):
                buckets.setdefault(index, {})[LEFT_OUT] = BucketSums(n)
            for kind, name in _UNSCORED.items():
                for index, values, n in decoded.get(name, ()):
                    key = key_of(tuple(zip(self.by, values, strict=True)), kind)
                    buckets.setdefault(index, {})[key] = BucketSums(n)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a state of this version of the gate {self.name!r}: {error!r}") from error
        return buckets

    def _shape(self) -> dict[str, Any]:
        """What decides how observations are summed; the limit does not."""
        shape = {"metric": self.metric, "by": list(self.by), "window": self.window // MICROSECOND}
        if self.counts_labels:
            return shape | {"good": list(self.good_labels)}
        return shape if self.scale == Scale() else shape | {"range": list(self.scale)}

    def _judged(self, keys: Sequence[Slice], totals: Sequence[BucketSums], seen: timedelta) -> Iterator[SliceVerdict]:
        if not keys:
            return
        counts, *sums, heaviest, _ = np.array(totals, dtype=np.float64).T
        weight, weighted, heaviest = sums[0] / UNIT, sums[1] / UNIT, heaviest / UNIT
        squares = (each / SQUARE_UNIT / heaviest**2 for each in sums[2:])
        judged = max(1, int(np.count_nonzero(counts >= self.min_answers)))
        lower, upper = betting.bounds(
            betting.Sums(counts, weight / heaviest, weighted / heaviest, *squares), (1.0 - self.confidence) / judged
        )
        lower, upper = self.scale.own(lower), self.scale.own(upper)
        for place, key in enumerate(keys):
            n, low, high = totals[place].n, float(lower[place]), float(upper[place])
            part = SliceVerdict(
                slice=dict(key),
                state="inconclusive",
                reason="",
                n=n,
                effective_n=intervals.effective_n(n, float(weight[place]), float(heaviest[place])),
                estimate=self.scale.own(min(1.0, float(weighted[place] / weight[place]))),
                lower=low,
                upper=high,
            )
            state, reason, evidence = self._decide(part, low, high, judged, seen)
            yield part.model_copy(update={"state": state, "reason": reason, "evidence": evidence})

    def breaks(self, sums: betting.Sums) -> Bools:
        """Return which slices break their limit, of sums of parts of the range: as `verdict` says, but without bounds.

        A bound is beyond the limit where the wealth against the limit itself is enough.
        """
        enough, limit = sums.n >= self.min_answers, self.scale.part(self.limit)
        up = self.at_most is not None
        worse = sums.vy > limit * sums.v if up else sums.vy < limit * sums.v
        wealth = betting.log_wealth(sums, np.full((len(sums.n), 1), limit), up=up)[:, 0]
        needed = math.log(max(1, int(np.count_nonzero(enough))) / (1.0 - self.confidence))
        return np.asarray(enough & worse & (wealth >= needed))

    def bucket(self, at: Integers | int) -> Any:
        """Return the bucket of instants, in microseconds."""
        return at * BUCKETS // (self.window // MICROSECOND)

    def _decide(
        self, part: SliceVerdict, lower: float, upper: float, judged: int, seen: timedelta
    ) -> tuple[Outcome, str, Mapping[str, float]]:
        """Judge a slice by its bounds: what they exclude would have been found, were it so."""
        about, known = subject(self.judged, part.slice), {REFERENCE: self.limit}
        if part.n < self.min_answers:
            short = longer_window(part.n, self.min_answers - part.n, self.window, seen)
            return "inconclusive", too_few(about, part.n, self.min_answers, self.window) + short, known
        over = f" over all {judged:,} slices" if judged > 1 else ""
        answers = f"{counted(part.n)} in the last {format_duration(self.window)}"
        sure = f"({self.confidence * 100:.4g} % confidence{over}, {answers}); limit {self.limit:g}"
        mean = f"{about} is {part.estimate:.3g}"
        least, most = f"{mean}, at least {lower:.3g} {sure}", f"{mean}, at most {upper:.3g} {sure}"
        if self.at_most is not None:
            keeps, breaks, good, bad, beyond = upper <= self.limit, lower > self.limit, most, least, "above"
        else:
            keeps, breaks, good, bad, beyond = lower >= self.limit, upper < self.limit, least, most, "below"
        if breaks:
            return "fail", bad, known
        if keeps:
            found = upper if self.at_most is not None else lower
            reason = f"{good}; a mean {beyond} {found:.3g} would have been found"
            return "pass", reason, {**known, DETECTABLE: found}
        needed = self._outlook(part, judged)
        outlook = f"about {needed:,} more answers like these are needed to tell"
        outlook += longer_window(part.n, needed, self.window, seen)
        if not needed or out_of_reach(part.n, needed, seen):
            needs = needing("a higher limit" if self.at_most is not None else "a lower limit", part.slice)
            outlook = f"if no more come in {format_duration(self.window)}, it cannot be told and {needs}"
        reason = f"{mean}, from {lower:.3g} to {upper:.3g} {sure}: {outlook}"
        return "inconclusive", reason, {**known, **({"needed": float(needed)} if needed else {})}

    def _outlook(self, part: SliceVerdict, judged: int) -> int:
        """Return about how many more answers decide, if they are like those there are; 0 where that cannot be said.

        Of ``n`` losses of 0 and 1 with mean ``p`` the wealth of `gates.evidence.betting` against the limit ``m`` has a
        logarithm of about ``n kl(p, m) - ln(pi n p (1 - p)) / 2 + ln(CHORD)``, and ``ln(k / (1 - confidence))`` is
        needed.
        """
        mean, limit = self.scale.part(part.estimate), self.scale.part(self.limit)
        gain = intervals.kl(mean, limit)
        worth = part.effective_n / part.n
        if gain * OUTLOOK < 1.0 or worth <= 0.0:
            return 0
        needed = math.log(judged / (1.0 - self.confidence) / betting.CHORD)
        n = needed / gain
        for _ in range(3):
            n = (needed + max(0.0, math.log(math.pi * n * max(mean * (1.0 - mean), 1.0 / n)) / 2.0)) / gain
        # Rounded up to a tenth more: an estimate does not promise less.
        return max(math.ceil(part.n / 10), math.ceil((n - part.effective_n) / worth))
