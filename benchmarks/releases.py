"""How often release gates err: equal candidates brought out region by region, users who stay with an arm, a canary.

    python -m benchmarks.releases [regions|users|canary] --runs 400 --seed 1

Prints a line for each case: the share of runs that were rolled back, with its standard error, the share promoted, and
the median of the candidate's answers until then.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gates.evidence.arrays import Floats, Integers
from gates.inputs.observations import ARMS, Batch, Group
from gates.release import ReleaseGate
from gates.units.instants import Microseconds, tick_end
from gates.windowing.watermark import UNKNOWN

TICK = Microseconds(300_000_000)
START = 5_952_096
"""The first tick: the beginning of a day."""
DAY = 288
SHARES = (0.05, 0.1, 0.25, 0.5)
FAILING = 0.02
MARGIN = 0.01
SWING = 0.3
"""How far quality swings over a day, of both arms alike, in parts of its mean."""
REGIONS = (1, 3, 10, 20, 40)

Made = Iterator[Batch]


def batch(groups: Sequence[Group], of: Integers, tick: Integers, failed: Any, **columns: Any) -> Batch:
    """Return answers of some ticks as a gate folds them."""
    n = len(of)
    plain = {"probability": np.ones(n), "cluster": np.zeros(n, np.int64)}
    at = (START + tick) * TICK + np.arange(n) % 1000
    return Batch(groups=tuple(groups), group=of, at=at, value=np.asarray(failed, np.float64), **{**plain, **columns})


def routed(rng: np.random.Generator, share: Floats) -> tuple[Any, dict[str, Any]]:
    """Return which answers go to the candidate, each for itself, and their columns."""
    candidate = rng.random(len(share)) < share
    return candidate, {"arm": np.where(candidate, ARMS["candidate"], ARMS["baseline"]), "share": share}


def groups(regions: int) -> list[Group]:
    """Return so many regions."""
    return [Group("m", (("region", f"{place:03d}"),), (("app", "2"),)) for place in range(regions)]


def by_region(
    rng: np.random.Generator, regions: int, *, worse: Sequence[int] = (), by: float = 0.0, rate: float = 25.0
) -> Made:
    """Yield a roll-out region by region: each begins 6 hours after the one before, and takes a day from 5 to 50 %.

    Regions in ``worse`` fail more often ``by`` so much with the candidate. Quality swings over the day.
    """
    bad = np.where(np.isin(np.arange(regions), worse), by, 0.0)
    ahead = DAY // 4
    for tick in range(0, (regions - 1) * ahead + DAY, 12):
        ticks = np.arange(tick, tick + 12)
        began = np.arange(regions) * ahead
        step = (ticks[:, None] - began[None]) * len(SHARES) // DAY
        on = (step >= 0) & (step < len(SHARES))
        count = rng.poisson(rate, on.shape) * on
        of = np.repeat(np.tile(np.arange(regions), len(ticks)), count.ravel())
        at = np.repeat(np.repeat(ticks, regions), count.ravel())
        share = np.array(SHARES)[np.clip((at - began[of]) * len(SHARES) // DAY, 0, len(SHARES) - 1)]
        candidate, columns = routed(rng, share)
        quality = FAILING * (1.0 + SWING * np.sin(2.0 * np.pi * at / DAY))
        failed = rng.random(len(of)) < quality + np.where(candidate, bad[of], 0.0)
        yield batch(groups(regions), of, at, failed, **columns)


@dataclass(frozen=True)
class Users:
    """Who asks: how many there are, how alike the answers of one are, and how much more the busiest ask than others.

    ``hashed`` says whether a user joins the candidate once the share exceeds his number; else each is drawn when he
    first comes, at the share of then, and stays.
    """

    many: int
    icc: float
    heavy: float = 0.0
    hashed: bool = True


def sticky(
    rng: np.random.Generator, users: Users, *, worse: float = 0.0, rate: float = 40.0, shares: Any = SHARES
) -> Made:
    """Yield a canary of a day in which every user stays with an arm; failures of one user come together."""
    own = rng.beta(*(np.array([FAILING, 1.0 - FAILING]) * (1.0 / users.icc - 1.0)), users.many)
    busy = (1.0 + np.arange(users.many)) ** -users.heavy
    busy /= busy.sum()
    number = rng.random(users.many)
    fixed = np.full(users.many, -1)
    name = 1 + np.arange(users.many) * 2**40 + rng.integers(0, 2**40)
    for tick in range(0, DAY, 12):
        at = np.repeat(np.arange(tick, tick + 12), rng.poisson(rate, 12))
        user = rng.choice(users.many, len(at), p=busy)
        share = np.array(shares)[at * len(shares) // DAY]
        if users.hashed:
            candidate = number[user] < share
        else:
            fresh = (fixed < 0) & np.isin(np.arange(users.many), user)
            fixed[fresh] = number[fresh] < share[0]
            candidate = fixed[user] == 1
        quality = own[user] * (1.0 + SWING * np.sin(2.0 * np.pi * at / DAY)) + np.where(candidate, worse, 0.0)
        arm = np.where(candidate, ARMS["candidate"], ARMS["baseline"])
        columns = {"arm": arm, "share": share, "cluster": name[user].astype(np.int64)}
        yield batch(groups(1), np.zeros(len(at), np.int64), at, rng.random(len(at)) < quality, **columns)


def canary(rng: np.random.Generator, *, worse: float = 0.0, rate: float = 50.0) -> Made:
    """Yield a canary of a day, every answer routed for itself."""
    for tick in range(0, DAY, 12):
        at = np.repeat(np.arange(tick, tick + 12), rng.poisson(rate, 12))
        candidate, columns = routed(rng, np.array(SHARES)[at * len(SHARES) // DAY])
        quality = FAILING * (1.0 + SWING * np.sin(2.0 * np.pi * at / DAY)) + np.where(candidate, worse, 0.0)
        yield batch(groups(1), np.zeros(len(at), np.int64), at, rng.random(len(at)) < quality, **columns)


@dataclass(frozen=True)
class Ended:
    """After how many of its answers a candidate was rolled back, or had passed in the end."""

    rolled_back: int | None
    promoted: int | None


def ended(gate: ReleaseGate, made: Made) -> Ended:
    """Return what becomes of a candidate: a rollback stands once it is decided, a promotion is read at the end."""
    state, answers = gate.initial(), 0
    for each in made:
        if len(each):
            state = gate.fold(state, each)
            answers += int(np.count_nonzero(each.arm == ARMS["candidate"]))
            at = tick_end(int(each.at.max()) // TICK + 12, TICK)
            if any(one.failed != UNKNOWN for one in state.comparisons.each):
                break
    outcome = gate.verdict(state, at).state
    return Ended(answers if outcome == "fail" else None, answers if outcome == "pass" else None)


def table(case: str, gate: ReleaseGate, make: Callable[[np.random.Generator], Made], runs: int, seed: int) -> None:
    """Print what becomes of so many candidates."""
    ends = [ended(gate, make(np.random.default_rng([seed, run]))) for run in range(runs)]
    back = [each.rolled_back for each in ends if each.rolled_back is not None]
    on = [each.promoted for each in ends if each.promoted is not None and each.rolled_back is None]
    share = len(back) / runs
    error = (max(share, 1.0 / runs) * (1.0 - share) / runs) ** 0.5
    median = f"{np.median(back):8,.0f}" if back else f"{'-':>8}"
    print(
        f"{case:48} rolled back {share:6.1%} +- {error:.1%} ({median} answers), promoted {len(on) / runs:6.1%}",
        flush=True,
    )


def main() -> None:
    """Print the table that is asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", choices=("regions", "users", "canary"))
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tick", default="5m", help="tick of the gate over regions")
    parser.add_argument("--only", type=int, nargs="*", help="these numbers of regions alone")
    given = parser.parse_args()
    plain: dict[str, Any] = {"type": "release", "name": "g", "metric": "m", "worse": "higher", "margin": MARGIN}
    whole, sliced = ReleaseGate(**plain), ReleaseGate(**plain, by=("region",), tick=given.tick)
    runs, seed = given.runs, given.seed
    if given.table in (None, "regions"):
        for many in given.only or REGIONS:
            table(f"{many} regions, equal", sliced, lambda rng, many=many: by_region(rng, many), runs, seed)
        for many, worse in ((10, range(10)), (10, (9,)), (40, range(40)), (40, (39,))):
            if given.only and many not in given.only:
                continue
            case = f"{many} regions, {len(worse)} of them 2 -> 5 %"
            table(
                case,
                sliced,
                lambda rng, many=many, worse=worse: by_region(rng, many, worse=worse, by=0.03),
                runs // 4,
                seed,
            )
    if given.table in (None, "users"):
        for users in (
            Users(2000, 0.05),
            Users(500, 0.2),
            Users(500, 0.5),
            Users(300, 0.2, heavy=1.0),
            Users(2000, 0.2, hashed=False),
        ):
            table(f"{users}, equal", whole, lambda rng, users=users: sticky(rng, users), runs, seed)
        table("2000 users, 2 -> 5 %", whole, lambda rng: sticky(rng, Users(2000, 0.05), worse=0.03), runs // 4, seed)
    if given.table in (None, "canary"):
        for case, worse in (("2 -> 2 %", 0.0), ("2 -> 3 %", MARGIN), ("2 -> 5 %", 0.03)):
            table(f"canary, {case}", whole, lambda rng, worse=worse: canary(rng, worse=worse), runs, seed)


if __name__ == "__main__":
    main()
