"""One budget of false alarms over all gates of an agent: which share each gate has.

What each gate accepts in a week adds up: of gates that accept ``F_1, F_2, ...`` false alarms, no more than their sum is
expected, whatever they have in common (expectations add). A gate that says itself what it accepts has that; the rest of
the budget is shared out equally over those that do not. Gates that judge a release or a limit state no such rate: they
err with a probability for each release, or for each reading, and have no share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from gates.base.gate import Gate

AnyGate = TypeVar("AnyGate", bound=Gate)

LEAST = 1e-12
"""Shares smaller than this are rounding."""


def divided(gates: Sequence[AnyGate], budget: float) -> tuple[AnyGate, ...]:
    """Return the gates, each with its share of so many false alarms a week.

    Raises `ValueError` where gates ask for more than there is, or leave nothing for those that ask for none.

    >>> from gates.drift import DriftGate
    >>> plain = {"type": "drift", "metric": "claim_support", "worse": "lower"}
    >>> asked = [DriftGate(name="a", alarms_per_week=0.5, **plain), *(DriftGate(name=n, **plain) for n in "bc")]
    >>> [gate.accepted_alarms for gate in divided(asked, 2.0)]
    [0.5, 0.75, 0.75]
    """
    asking = {gate.name: gate.asked_alarms for gate in gates if gate.asked_alarms is not None}
    sharing = [gate.name for gate in gates if gate.accepted_alarms is not None and gate.name not in asking]
    left = budget - sum(asking.values())
    named = ", ".join(f"{name} {alarms:g}" for name, alarms in asking.items())
    if left < -LEAST:
        raise ValueError(
            f"gates ask for {sum(asking.values()):g} false alarms per week together ({named}),"
            f" judge.alarms_per_week allows {budget:g}: lower their alarms_per_week, or raise the budget"
        )
    if sharing and left <= LEAST:
        raise ValueError(
            f"nothing is left of judge.alarms_per_week {budget:g} for {', '.join(sharing)} ({named}): lower the others'"
            " alarms_per_week, or raise the budget"
        )
    share = left / max(1, len(sharing))
    return tuple(gate.allotted(share) if gate.name in sharing else gate for gate in gates)
