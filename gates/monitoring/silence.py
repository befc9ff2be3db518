"""Slices with fewer answers than are needed or usual: what fell silent, and what never has more."""

from __future__ import annotations

import math
from datetime import timedelta

import numpy as np

from gates.evidence.arrays import Floats
from gates.monitoring.detectors import PARTS, EpochTable
from gates.monitoring.levels import LEAST_ANSWERS
from gates.monitoring.rules import Rules
from gates.units.duration import format_duration
from gates.units.instants import MICROSECOND
from gates.verdicts.summary import LONGEST_WINDOW, UNJUDGED_SHARE, counted, rounded

FEWER, FAR_FEWER = 2.0, 10.0
"""A slice has fallen silent with too few answers to be judged and this much less than usual, or with this much less."""

USUAL = "usual"
"""Evidence of a slice with few answers: how many a window of it usually holds."""


def usual_answers(epochs: EpochTable, rules: Rules) -> Floats:
    """Return how many answers a window of each slice-epoch has held of late, up to its last ones."""
    week, window = rules.week, rules.part * PARTS
    age = np.maximum(epochs.heard + 1 - epochs.first, window)
    return np.asarray(epochs.answers * math.log(2.0) * window / week / (1.0 - 0.5 ** (age / week)))


def fallen(n: int, usual: float, needed: int) -> bool:
    """Return whether a slice with ``n`` answers, where so many are ``usual``, has fallen silent.

    >>> fallen(10, 300.0, 30), fallen(20, 35.0, 30), fallen(1, 3.0, 30)
    (True, False, False)
    """
    if n < needed:
        return usual >= needed and n * FEWER < usual
    return n * FAR_FEWER < usual


def missing(about: str, n: int, unscored: int, usual: float, needed: int, window: timedelta) -> str:
    """Return what is wrong with a slice that has far fewer scores than it used to: traffic, or scoring.

    >>> missing("m in domain=travel", 2, 0, 300.0, 30, timedelta(days=1)).split(", ")[0]
    'm in domain=travel has 2 scored answers in the last 1d'
    """
    scores = "no scored answers" if not n else counted(n, "scored answer")
    less = f"{about} has {scores} in the last {format_duration(window)}, where about {usual:,.0f} are usual"
    if fallen(n + unscored, usual, needed):
        also = f" ({unscored:,} more came without a score)" if unscored else ""
        return f"{less}{also}: the slice has fallen silent; check that its traffic arrives and is sampled"
    came = "1 answer came" if unscored == 1 else f"{unscored:,} answers came"
    return f"{less}: {came} without a score, so they are no longer scored; check why in rag_unscored_total"


def never_enough(about: str, n: int, usual: float, needed: int, window: timedelta) -> str:
    """Return why a slice cannot pass in which fewer answers than are needed are ``usual``, and which window would do.

    That window usually holds ``m`` answers with ``m - 2 sqrt(m)`` at least those needed: two standard deviations less,
    where answers come independently of each other, are still enough.

    >>> print(never_enough("m in domain=travel", 2, 3.0, 30, timedelta(days=1)))
    m in domain=travel has 2 answers in the last 1d, where about 3 are usual and at least 30 are needed: it is watched\
 and can fail, but to pass it needs a longer `window`, about 15d
    """
    longer = window.total_seconds() * (1.0 + math.sqrt(1.0 + needed)) ** 2 / max(usual, 1e-9)
    few = f"{usual:,.0f}" if usual >= 1.0 else f"{usual:.1g}"
    there = f"{about} has {counted(n)} in the last {format_duration(window)}, where about {few} are usual"
    to_do = (
        f"a longer `window`, about {rounded(longer)}"
        if longer <= LONGEST_WINDOW.total_seconds()
        else "a smaller `min_answers`"
    )
    return f"{there} and at least {needed:,} are needed: it is watched and can fail, but to pass it needs {to_do}"


def warming_up(about: str, learned: int, usual: float, age: int, rules: Rules) -> tuple[str, int]:
    """Return why a slice of ``age`` ticks warms up whose reference has so many answers, and how many more it needs.

    Where so few are ``usual`` that the reference does not become complete within its length, it goes by what it has
    then (`gates.monitoring.levels`).
    """
    there = f"warming up: the reference of {about}"
    if learned >= rules.min_reference and age < rules.min_time:
        whole = rules.min_time * rules.tick * MICROSECOND
        wait = rounded((whole - age * rules.tick * MICROSECOND).total_seconds())
        span = f"needs to span {format_duration(whole)} at least: wait for about {wait}"
        return f"{there} with {counted(learned)} {span}", 1
    if learned >= rules.min_reference:
        return f"{there} is complete with {counted(learned)}: the next answers are judged, 1 is needed", 1
    more = rules.min_reference - learned
    told = f"{there} has {learned:,} of the {counted(rules.min_reference)} it needs: wait for {more:,} more"
    window, left = rules.part * PARTS, max(rules.reference - age, 0)
    if not rules.own_past or age < window or learned + usual * left / window >= rules.min_reference:
        return told, more
    length = format_duration(rules.reference * rules.tick * MICROSECOND)
    return f"{told}, or until {length} after its first answer if it has {LEAST_ANSWERS} by then", max(
        LEAST_ANSWERS - learned, 1
    )


def warming_strata(about: str, learning: float, rules: Rules) -> str | None:
    """Return why a slice cannot pass that has so large a part of its answers in strata without a reference, if so.

    These are not judged, and what is judged says nothing of them.
    """
    if learning <= UNJUDGED_SHARE:
        return None
    needed = f"{rules.min_reference:,} answers of each are needed: wait for them"
    return f"warming up: {100.0 * learning:.2g} % of the answers of {about} are in strata without a reference; {needed}"


def unjudged_strata(learning: float) -> str:
    """Return what a pass says besides, if a small part of its answers is in strata without a reference.

    >>> unjudged_strata(0.04), unjudged_strata(0.0)
    ('; 4 % of its answers are in strata that still warm up', '')
    """
    return f"; {100.0 * learning:.2g} % of its answers are in strata that still warm up" if learning > 0.0 else ""
