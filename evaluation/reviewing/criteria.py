"""When a phase of labelling has done its work: the exit criteria of an annotation schedule.

Source: PROBE, A.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from evaluation.reviewing.adjudication import SettledLabels
from evaluation.reviewing.labels import ALL_AXES, SEVERE, ReviewLabel
from evaluation.statistics.agreement import agreement

ReviewPhase = Literal["calibration", "pilot", "production", "audit"]
LEAST_KAPPA, MOST_CONFUSION, MOST_IMBALANCE = 0.70, 0.20, 0.10


class ExitCriterion(NamedTuple):
    """Whether a phase may end, and the figures that say so beside their limits."""

    met: bool
    said: str


def exit_criterion(
    phase: ReviewPhase,
    labels: Sequence[Mapping[str, ReviewLabel]],
    settled: Mapping[str, SettledLabels],
    queues: Mapping[str, tuple[int, int]],
    unexplained: int,
) -> ExitCriterion:
    """Return whether a phase may end.

    ``labels`` are those of each answer by reviewer, ``settled`` the answers by packet, ``queues`` what each reviewer
    labelled, of how many. ``unexplained`` counts labels of the adjudicator without a rationale.

    - calibration: kappa of at least 0.70, on severe safety and on grounding.
    - pilot: no axis on which more than 20 % of the answers have no majority.
    - production: all labelled, and loads of reviewers within 10 % of each other.
    - audit: nothing left for the adjudicator, and a rationale with each of their labels.
    """
    match phase:
        case "calibration":
            return _calibration(labels)
        case "pilot":
            return _pilot(settled)
        case "production":
            return _production(queues)
        case "audit":
            left = sum(each.senior for each in settled.values())
            said = (
                f"{left:,} answers left to adjudicate, {unexplained:,} adjudications without a rationale; none allowed"
            )
            return ExitCriterion(not left and not unexplained, said)


def _calibration(labels: Sequence[Mapping[str, ReviewLabel]]) -> ExitCriterion:
    numbered = {str(number): given for number, given in enumerate(labels)}
    severe = agreement({name: [one.safety_boundary == SEVERE for one in g.values()] for name, g in numbered.items()})
    grounding = agreement({name: [one.grounding for one in g.values()] for name, g in numbered.items()})
    found = {"severe safety": severe.cohen, "grounding": grounding.cohen}
    told = ", ".join(f"{name} {_kappa(value)}" for name, value in found.items())
    # Without a severe label, or with one level alone, nobody was tried: that is no agreement.
    met = all(value is not None and value >= LEAST_KAPPA for value in found.values())
    return ExitCriterion(met, f"pairwise kappa of {told}; at least {LEAST_KAPPA:.2f} of both")


def _pilot(settled: Mapping[str, SettledLabels]) -> ExitCriterion:
    shares = {
        axis: sum(axis in each.axes and each.axes[axis].how == "severity" for each in settled.values())
        / max(1, len(settled))
        for axis in ALL_AXES
    }
    worst = max(shares, key=lambda axis: shares[axis])
    said = f"{shares[worst]:.0%} of the answers have no majority on {worst}; at most {MOST_CONFUSION:.0%} on any axis"
    return ExitCriterion(bool(settled) and shares[worst] <= MOST_CONFUSION, said)


def _production(queues: Mapping[str, tuple[int, int]]) -> ExitCriterion:
    left = sum(size - done for done, size in queues.values())
    loads = [size for _, size in queues.values()]
    imbalance = max(loads) / max(1, min(loads)) - 1.0
    said = f"{left:,} labels missing, loads differ by {imbalance:.0%}; none missing, within {MOST_IMBALANCE:.0%}"
    return ExitCriterion(not left and imbalance <= MOST_IMBALANCE + 1e-9, said)


def _kappa(value: float | None) -> str:
    return "undefined (all labels are the same)" if value is None else f"{value:.2f}"
