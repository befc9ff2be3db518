"""The `regression` gate: every case of a labelled suite against what the release before it scored, no statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import orjson
from pydantic import Field, ValidationInfo, field_validator

from gates.base.bounded import BoundedGate, dimension_problems, distance
from gates.base.gate import State
from gates.base.labels import GOOD, GoodLabels
from gates.base.verdict import Outcome, SliceVerdict, Verdict
from gates.evidence.arrays import Floats, Integers
from gates.inputs.observations import ARMS, Batch, Group
from gates.inputs.slices import NONE, OTHER
from gates.verdicts.summary import DETECTABLE, concluded
from scorers.base import Metric

MOST_VALUES = 200_000
"""Values kept, of all cases and releases. Where they are too many, releases before the baseline are forgotten, then
those that fell; where baseline and candidate alone fill it, further cases are left out, and nothing passes."""
NAMED_CASES = 10
"""Cases that a reason names."""


class SuiteRun(NamedTuple):
    """The answers of one release to a suite: its arm, where answers name one, and its version."""

    arm: int
    version: str


Values = Mapping[SuiteRun, Mapping[str, tuple[int, float]]]
"""The state: time and loss of the last answer to every case, by run."""


class RegressionGate(BoundedGate):
    """Compares each case of a suite with itself: fails with the cases that fell, and names them.

    A case is named by the slice dimension ``case``. It fell where its value is worse than the baseline's by more than
    ``tolerance``. The gate passes when all cases of the baseline are there and none fell; while some are missing, or
    there is nothing to compare with, it is inconclusive. Where a case was answered several times by one release, its
    last answer counts. Cases that the baseline does not have are not judged, only counted.

    The candidate is the release that answered last for the first time, the baseline the last one before it that did not
    fail: so what fell once is not what the next release is held against. Where answers name arms, these are compared.

    As every case counts and nothing is estimated, the gate is worth what the suite is: a generator that answers the
    same question differently each time needs ``tolerance``, or a ``release`` gate.

    >>> from datetime import UTC, datetime, timedelta
    >>> from gates.inputs.observations import Batch, Observation
    >>> gate = RegressionGate(type="regression", name="suite", metric="claim_support", worse="lower")
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> def ran(version, at, **values):
    ...     told = {"metric": "claim_support", "probability": 1, "versions": {"release": version}, "at": at}
    ...     cases = values.items()
    ...     return Batch.of(Observation(answer_id=n, value=v, slice={"case": n}, **told) for n, v in cases)
    >>> state = gate.fold(gate.initial(), ran("1", noon, a=0.9, b=0.8))
    >>> state = gate.fold(state, ran("2", noon + timedelta(hours=1), a=0.9, b=0.4))
    >>> gate.verdict(state, noon + timedelta(hours=2)).reason
    '1 of 2 cases fell from release 1 to 2 in claim_support: b from 0.8 to 0.4'
    """

    example: ClassVar = {"worse": "higher", "case": "domain"}
    type: Literal["regression"]
    worse: Literal["lower", "higher"] = Field(description="Which way the metric moves when quality falls.")
    good: GoodLabels | None = Field(default=None, description=GOOD)
    case: str = Field(default="case", description="Slice dimension that names the case of a suite.")
    tolerance: float = Field(
        default=0.0, ge=0, description="How much worse a case may be, in the metric's unit, and still be as good."
    )
    component: str = Field(default="release", description="Component whose version tells releases apart.")

    @field_validator("tolerance")
    @classmethod
    def _below_the_range(cls, tolerance: float, given: ValidationInfo) -> float | None:
        return distance(tolerance, given)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The slice dimension of cases."""
        return (self.case,)

    @property
    def expectation(self) -> str:
        """What makes it fail."""
        more = f" by more than {self.tolerance:g}" if self.tolerance else ""
        return (
            f"It fails if any case is worse{more} than in the release before; nothing is estimated. Where a generator "
            "answers differently each time, repeat it or set `tolerance`."
        )

    @property
    def estimates_metric(self) -> bool:
        """Not its values: how many cases are at least as good."""
        return False

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working."""
        yield from (each for each in super().problems(metrics, dimensions) if not each[0].startswith("by"))
        for _, problem in dimension_problems("case", self.dimensions, dimensions):
            yield "case", problem

    def _direction_problems(self, metric: Metric) -> Iterator[tuple[str, str]]:
        if metric.better == self.worse:
            yield "worse", f"{self.metric!r} is better when {metric.better}, so worse is not {self.worse}"

    def initial(self) -> State:
        """Return the state before any observation."""
        return {}

    def fold(self, state: State, batch: Batch) -> State:
        """Fold observations; those without a case are left out. Raises `ValueError` on a value outside the range."""
        batch, mine = self._parts(batch)
        places = np.flatnonzero(mine)
        if not places.size:
            return state
        runs, copied = dict(state), set()
        room = MOST_VALUES - _values(runs)
        loss = batch.value if self.worse == "higher" else 1.0 - batch.value
        # What is forgotten depends on all answers before it: those are only put together where nothing is.
        answers = _last(batch, places, loss) if places.size <= room else places
        for place in answers.tolist():
            run, case = self._of(batch.groups[batch.group[place]], int(batch.arm[place]))
            if case is None:
                continue
            if room <= 0 and case not in runs.get(run, {}):
                for each in self._dispensable(runs, run):
                    del runs[each]
                room = MOST_VALUES - _values(runs)
                if room <= 0:
                    continue
            if run not in copied or run not in runs:
                runs[run] = dict(runs.get(run, {}))
                copied.add(run)
            room -= case not in runs[run]
            answer = (int(batch.at[place]), float(loss[place]))
            runs[run][case] = max(runs[run].get(case, answer), answer)
        return runs

    def _dispensable(self, runs: Values, current: SuiteRun) -> list[SuiteRun]:
        """Return the runs that no verdict needs: all before the baseline, or the oldest of those that fell since."""
        baseline, candidate = self._compared(runs)
        order = [run for run in _in_order(runs) if run not in (candidate, current)]
        if baseline not in order:
            return order[:1]
        place = order.index(baseline)
        return order[:place] or order[place + 1 : place + 2]

    def _of(self, group: Group, arm: int) -> tuple[SuiteRun, str | None]:
        case = dict(group.slice).get(self.case)
        return SuiteRun(arm, dict(group.versions).get(self.component, "")), None if case in (None, NONE) else case

    def verdict(self, state: State, at: datetime) -> Verdict:
        """Judge the newest release, case by case."""
        runs: Values = state
        baseline, candidate = self._compared(runs)
        nothing = self._none() if candidate is None else self._alone(candidate)
        parts = () if baseline is None or candidate is None else (self._judged(runs, baseline, candidate),)
        versions = [None if run is None else run.version or None for run in (candidate, baseline)]
        return concluded(self, at, parts, nothing, candidate=versions[0], baseline=versions[1])

    def _none(self) -> str:
        return (
            f"no scored answers to cases: run the suite, and check that its answers name their case in the slice"
            f" dimension {self.case!r} and that {self.metric} is scored"
        )

    def _alone(self, run: SuiteRun) -> str:
        return f"{_called(run)} is the only one that answered cases: run the suite with the release before it as well"

    def _compared(self, runs: Values) -> tuple[SuiteRun | None, SuiteRun | None]:
        """Return baseline and candidate, as far as there are any."""
        order = _in_order(runs)
        arms = [[run for run in order if run.arm == ARMS[arm]] for arm in ("baseline", "candidate")]
        if arms[1]:
            return arms[0][-1] if arms[0] else None, arms[1][-1]
        accepted: SuiteRun | None = None
        for run in order[:-1]:
            if accepted is None or not self._fallen(runs, accepted, run):
                accepted = run
        return accepted, order[-1] if order else None

    def _fallen(self, runs: Values, baseline: SuiteRun, candidate: SuiteRun) -> list[str]:
        """Return the cases that fell, the worst first."""
        before, after = runs[baseline], runs[candidate]
        # What rounding to parts of the range may add is no fall.
        most = self.tolerance / self.scale.width + 1e-12
        fell = {case: after[case][1] - loss for case, (_, loss) in before.items() if case in after}
        return sorted((case for case, by in fell.items() if by > most), key=lambda case: (-fell[case], case))

    def _judged(self, runs: Values, baseline: SuiteRun, candidate: SuiteRun) -> SliceVerdict:
        before, after = runs[baseline], runs[candidate]
        fallen, missing = self._fallen(runs, baseline, candidate), sorted(before.keys() - after.keys())
        compared, added = len(before) - len(missing), len(after.keys() - before.keys())
        between = f"from {_called(baseline)} to {candidate.version or 'the candidate'} in {self.judged}"
        outcome: Outcome = "inconclusive"
        merged = OTHER in after or len(before) + len(after) >= MOST_VALUES
        if fallen:
            told = [
                f"{case} from {self._own(before[case][1]):.4g} to {self._own(after[case][1]):.4g}" for case in fallen
            ]
            outcome, reason = "fail", f"{len(fallen):,} of {compared:,} cases fell {between}: {_listed(told)}"
        elif merged:
            reason = (
                f"{compared:,} cases were compared {between}, but there are more cases or releases than can be told"
                f" apart by {self.case}, so not each was: run fewer cases"
            )
        elif missing:
            many = "are not answered yet, and their answers are"
            reason = (
                f"{compared:,} of {len(before):,} cases are at least as good {between}, {len(missing):,}"
                f" {'is not answered yet, and its answer is' if len(missing) == 1 else many} needed: {_listed(missing)}"
            )
        else:
            fall = f"by more than {self.tolerance:g}" if self.tolerance else "of any size"
            outcome, reason = "pass", f"all {compared:,} cases are at least as good {between}"
            reason += f"; {added:,} more {'is' if added == 1 else 'are'} new and not compared" if added else ""
            reason += f"; a fall {fall} of any case would have been found"
        return SliceVerdict(
            slice={},
            state=outcome,
            reason=reason,
            n=compared,
            effective_n=float(compared),
            evidence={
                "fallen": float(len(fallen)),
                "missing": float(len(missing)),
                "new": float(added),
                **({DETECTABLE: self.tolerance} if outcome == "pass" else {}),
            },
        )

    def _own(self, loss: float) -> float:
        own: float = self.scale.own(loss if self.worse == "higher" else 1.0 - loss)
        return own

    def dump(self, state: State) -> bytes:
        """Serialize a state as JSON; equal states give equal bytes."""
        runs: Values = state
        rows = [
            [run.arm, run.version, sorted([c, *v] for c, v in cases.items())] for run, cases in sorted(runs.items())
        ]
        return orjson.dumps({"gate": self.type, "policy": self.policy_version, "runs": rows})

    def load(self, data: bytes) -> State:
        """Restore what `dump` wrote. Raises `ValueError` if a gate of another configuration wrote it."""
        decoded: Any = orjson.loads(data)
        if not isinstance(decoded, dict) or (decoded.get("gate"), decoded.get("policy")) != (
            self.type,
            self.policy_version,
        ):
            raise ValueError(f"not a state of the gate {self.name!r} as it is configured")
        try:
            return {
                SuiteRun(arm, version): {case: (at, loss) for case, at, loss in cases}
                for arm, version, cases in decoded["runs"]
            }
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a state of this version of the gate {self.name!r}: {error!r}") from error


def _values(runs: Values) -> int:
    return sum(map(len, runs.values()))


def _in_order(runs: Values) -> list[SuiteRun]:
    """Return the runs, the one that began first first."""
    begun = {run: min(at for at, _ in cases.values()) for run, cases in runs.items()}
    return sorted(runs, key=lambda run: (begun[run], run))


def _last(batch: Batch, places: Integers, loss: Floats) -> Integers:
    """Return the last answer of every group and arm, of one instant the worst; in the order in which these came."""
    key = (batch.group * len(ARMS) + batch.arm)[places]
    order = np.lexsort((loss[places], batch.at[places], key))
    ends = np.append(key[order][1:] != key[order][:-1], [True])
    _, first = np.unique(key, return_index=True)
    return np.asarray(places[order[ends][np.argsort(first)]])


def _called(run: SuiteRun) -> str:
    if run.version:
        return f"release {run.version}"
    return "the candidate" if run.arm == ARMS["candidate"] else "the baseline"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - NAMED_CASES
    return "; ".join(names[:NAMED_CASES]) + (f"; and {more:,} more" if more > 0 else "")
