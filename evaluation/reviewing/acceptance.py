"""How far people accept the verdicts of scores, and what a review of flagged answers alone would save and miss.

Source: hybrid verified review, section 4.1 (utility: acceptance rate of suggestions, reduction of time to review).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class VerdictAcceptance(NamedTuple):
    """What people say of the answers that scores clear, and of those they flag.

    Of ``cleared`` answers people find ``missed`` unacceptable; of ``flagged`` ones ``alarms`` acceptable. ``seconds``
    are what labels took in all, ``seconds_flagged`` those of flagged answers: what a review of these alone would take.
    """

    cleared: int
    missed: int
    flagged: int
    alarms: int
    seconds: float
    seconds_flagged: float

    @property
    def accepted(self) -> float | None:
        """The share of verdicts that people agree with; ``None`` where there are none."""
        answers = self.cleared + self.flagged
        return 1.0 - (self.missed + self.alarms) / answers if answers else None

    @property
    def saved(self) -> float | None:
        """The share of the time that a review of flagged answers alone would have saved; ``None`` without times."""
        return 1.0 - self.seconds_flagged / self.seconds if self.seconds > 0.0 else None


def verdict_acceptance(
    clears: Mapping[str, bool], acceptable: Mapping[str, bool], seconds: Mapping[str, float]
) -> VerdictAcceptance:
    """Return how far people agree with what scores say of each packet: whether nothing is wrong with the answer.

    ``seconds`` are what the labels of a packet took, where that was measured.

    >>> found = verdict_acceptance({"p": True, "q": False}, {"p": True, "q": True}, {"p": 30.0, "q": 10.0})
    >>> found.accepted, found.alarms, found.saved
    (0.5, 1, 0.75)
    """
    both = {packet: (clears[packet], acceptable[packet]) for packet in clears if packet in acceptable}
    timed = {packet: seconds[packet] for packet in both if packet in seconds}
    return VerdictAcceptance(
        cleared=sum(clear for clear, _ in both.values()),
        missed=sum(clear and not fine for clear, fine in both.values()),
        flagged=sum(not clear for clear, _ in both.values()),
        alarms=sum(fine and not clear for clear, fine in both.values()),
        seconds=sum(timed.values()),
        seconds_flagged=sum(took for packet, took in timed.items() if not clears[packet]),
    )
