"""How many cores this process may use: those it is bound to, and no more than its control group has quota for."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")
QUOTA = "cpu.max"


def usable_cores(*, membership: Path = MEMBERSHIP, cgroups: Path = CGROUPS) -> int:
    """Return the number of cores, at least one.

    A container that is given the time of one and a half cores has two: rounded up, since what waits costs nothing.
    Source: https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files

    >>> usable_cores() >= 1
    True
    """
    bound = len(os.sched_getaffinity(0))
    return max(1, min(bound, *(math.ceil(quota) for quota in _quotas(membership, cgroups)), bound))


def _quotas(membership: Path, cgroups: Path) -> Iterator[float]:
    """Yield what this process's group and each group around it are given, in cores."""
    try:
        own = next(line[3:] for line in membership.read_text().splitlines() if line.startswith("0::"))
    except (OSError, StopIteration):
        return
    # In a container the group may be told as it is named outside, where there is no such folder here.
    inner = cgroups / own.strip("/")
    for group in (inner, *inner.parents):
        if not group.is_relative_to(cgroups):
            return
        try:
            quota, period = (group / QUOTA).read_text().split()
            yield int(quota) / int(period)
        except (OSError, ValueError, ZeroDivisionError):
            # No such group, no limit ("max"), or another kind of system.
            continue
