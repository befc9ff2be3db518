"""What times are believed after the clock was set: an evaluation or a change is never dated later than it was recorded.

Times of answers are bounded by the agent's own clock, so one that lies in the future was recorded while that clock was
ahead. By itself this says little: the clock may as well be behind now. What tells both apart is that a clock which is
set leaps. So what is dated after now, and more than `LEAP` after the newest evidence before it, counts as of that
newest evidence: it was recorded after it, and nothing more is known. What goes on without a leap is believed, and then
it is the clock that is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np

from gates.inputs.changes import Change
from gates.inputs.observations import Batch
from gates.units.instants import MICROSECOND, Microseconds, instant, microseconds

LEAP = timedelta(hours=1) // MICROSECOND
"""How much later than what came before it something may be dated before its time is not believed, in microseconds."""


def dated(batch: Batch, newest: int | None, now: int) -> tuple[Batch, int]:
    """Return the batch with times that are believed, and of how many rows they are others.

    ``newest`` is the newest time before the batch, ``now`` what the clock says, both in microseconds.
    """
    if not (batch.at > now).any():
        return batch, 0
    believed = batch.at.copy()
    for place, at in enumerate(believed.tolist()):
        if newest is not None and at > now and at - newest > LEAP:
            believed[place] = newest
        else:
            newest = at if newest is None else max(at, newest)
    changed = int(np.count_nonzero(believed != batch.at))
    return (replace(batch, at=believed), changed) if changed else (batch, 0)


def change_dated(change: Change, newest: int | None, now: int) -> Change:
    """Return a change with a time that is believed: in its place among the evidence, where its own is not.

    >>> noon = 1_767_268_800_000_000
    >>> late = Change(at="2027-01-01T12:00:00Z", kind="deploy")
    >>> change_dated(late, noon, noon).at.year, change_dated(late, None, noon).at.year
    (2026, 2027)
    """
    at = microseconds(change.at)
    if newest is None or at <= now or at - newest <= LEAP:
        return change
    return change.model_copy(update={"at": instant(Microseconds(newest))})
