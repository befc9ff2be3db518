"""What an attribution says: figures in the metric's own units, findings, and the parts it drills down to."""

from __future__ import annotations

from typing import Literal

from adapters.schema import Instant
from gates.attribution.causes import Cause
from scorers.base import Value

FallKind = Literal["quality within strata", "mix", "quality within strata and mix", "scorer version", "not told"]
Standing = Literal["carries", "not told apart", "excluded", "open"]


class Figures(Value):
    """A mean before and after, over so many answers, and its ``change`` with bounds: minus is lower, not worse.

    ``share`` is how much of the whole change it comes to, as an estimate; above 1 where something else improved.
    """

    n_before: int
    n_after: int
    before: float
    after: float
    change: float
    lower: float
    upper: float
    share: float | None = None


class Finding(Value):
    """What the answers say of one change in the ledger, row ``seq``.

    ``carries``: what it touched got worse, and nothing else that is known explains it. ``not told apart``: the same,
    but its ``rivals`` touched the same answers or, where there are none, something unknown may have; or a release gate
    fails it and these figures do not show why. ``excluded``: it cannot explain half of the change, or what it touched
    did not get worse by it. ``open``: neither is shown. ``figures`` compare what it touched with untouched
    answers of the same strata.
    """

    seq: int
    cause: Cause
    standing: Standing
    detail: str
    figures: Figures | None = None
    rivals: tuple[int, ...] = ()


class Part(Value):
    """A value of a slice dimension, of a component, or a document (``dimension`` is ``document``), after and before.

    ``worse``: its own answers got worse, shown with correction for all values looked at. ``share_before`` and
    ``share_after`` say how much of traffic it had; ``mix`` how much the change of that share moved the mean.
    """

    dimension: str
    value: str
    worse: bool
    figures: Figures
    share_before: float
    share_after: float
    mix: float


class Attribution(Value):
    """Which part of a change lies within strata and which in the mix of traffic, and which known change carries it.

    ``since`` is where the answers say that it began. ``total`` is the change of the mean, ``within`` that of the same
    traffic (what came before, weighted to the mix after), ``mix`` what another mix alone would have moved.
    ``untouched`` are answers since then that no known change touched; ``unknown`` if they got worse, too. All bounds
    together miss with a probability of at most ``alpha`` at each reading. ``strata`` are the dimensions held fixed.
    """

    metric: str
    kind: FallKind
    summary: str
    alpha: float
    answers: int
    since: Instant | None = None
    strata: tuple[str, ...] = ()
    total: Figures | None = None
    within: Figures | None = None
    mix: Figures | None = None
    untouched: Figures | None = None
    unknown: bool = False
    suspects: tuple[Finding, ...] = ()
    suspects_left_out: int = 0
    parts: tuple[Part, ...] = ()

    def findings(self, *standings: Standing) -> tuple[Finding, ...]:
        """Return the findings of these standings."""
        return tuple(each for each in self.suspects if each.standing in standings)
