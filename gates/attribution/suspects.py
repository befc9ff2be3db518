"""Which of the known changes carries a fall in quality, by what each of them touched and did not touch.

A suspect is worse if the answers it touched got worse than the same strata of answers that nothing touched. Of two that
are both worse, one adds to the other if

1. what it alone touched is worse; or
2. what both touched is worse than what the other alone touched, or got worse by more;

and one is idle beside the other if

1. what it alone touched got worse by less than half of what both did; or
2. what both touched got worse by less than half as much again as what the other alone touched.

Every statement is about bounds that hold together, so that one adds, or is idle, wrongly with a probability of at most
the ``alpha`` given. Where neither adds to the other, because they touched the same answers or few others, they are not
told apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gates.attribution.sample import Sample, Suspect
from gates.evidence import contrast
from gates.evidence.contrast import Contrast
from gates.inputs.observations import Bools, Integers

LEAST = 20
"""Answers below which nothing is said of what a suspect touched."""
LEAST_REFERENCE = 30
"""Untouched answers from before a suspect below which it is not looked at."""
HALF = 0.5
"""Less than half of a change is not what carries it."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """The suspects that can be looked at, with what each touched, and why each of the others cannot.

    ``onset`` is where the fall began as far as the answers show it, ``places`` are of the suspects, oldest first.
    """

    sample: Sample
    strata: Integers
    touched: Sequence[Bools]
    kin: Sequence[Bools | None]
    blurred: Sequence[Bools]
    untouched: Bools
    open: Mapping[int, str]
    after: Bools

    def compared(self, pairs: Sequence[tuple[Bools, Bools, Sequence[int]]], alpha: float) -> list[Contrast | None]:
        """Return how answers compare with their reference, ``None`` where there are too few; ends miss with ``alpha``.

        Each pair comes with the suspects in it: answers are compared with those that were given the same of their
        documents.
        """
        sample = self.sample
        pairs = [(some & self._known(places), reference, places) for some, reference, places in pairs]
        enough = [
            np.count_nonzero(some) >= LEAST and np.count_nonzero(reference) >= LEAST_REFERENCE
            for some, reference, _ in pairs
        ]
        weights = (
            contrast.matched(sample.weight, self._kindred(places), some, reference)
            for (some, reference, places), fine in zip(pairs, enough, strict=True)
            if fine
        )
        found = iter(contrast.contrasts(sample.loss, sample.unit, weights, alpha))
        made = [next(found) if fine else None for fine in enough]
        return [each if each is not None and min(each.after.n, each.before.n) >= LEAST else None for each in made]

    def _known(self, places: Sequence[int]) -> Bools | bool:
        return self.sample.read if any(self.kin[place] is not None for place in places) else True

    def _kindred(self, places: Sequence[int]) -> Integers:
        code = self.strata
        for place in places:
            given = self.kin[place]
            if given is not None:
                code = 2 * code + given
        return code


def trial(sample: Sample, suspects: Sequence[Suspect], strata: Integers, after: Bools) -> Trial:
    """Return the suspects as they stand: with their answers, or why they cannot be looked at.

    The oldest are given up while they leave too few answers untouched to compare with.
    """
    touched = [sample.touched(each) for each in suspects]
    kin = [sample.given(each.documents) if each.documents else None for each in suspects]
    blurred = [sample.blurred(each) for each in suspects]
    open_: dict[int, str] = {}
    for place, each in enumerate(suspects):
        since = sample.at >= each.at
        if each.documents and np.count_nonzero(sample.read & since) < HALF * np.count_nonzero(since):
            open_[place] = "of most answers it is not known which documents they were given"
        elif np.count_nonzero(touched[place]) < LEAST:
            open_[place] = f"{np.count_nonzero(touched[place])} scored answers were touched by it, too few to tell"
    order = sorted(
        (place for place in range(len(suspects)) if place not in open_), key=lambda place: suspects[place].at
    )
    clear = np.logical_not(np.logical_or.reduce([*blurred, np.zeros(len(sample), dtype=np.bool_)]))
    untouched = _none(sample, touched, kin, order) & clear
    while order and np.count_nonzero(untouched) < LEAST_REFERENCE:
        open_[order.pop(0)] = "there are too few answers from before it to compare with"
        untouched = _none(sample, touched, kin, order) & clear
    return Trial(
        sample=sample,
        strata=strata,
        touched=touched,
        kin=kin,
        blurred=blurred,
        untouched=untouched,
        open=open_,
        after=after,
    )


def _none(sample: Sample, touched: Sequence[Bools], kin: Sequence[Bools | None], places: Sequence[int]) -> Bools:
    """Return which answers none of these suspects touched, as far as that is known."""
    found = np.ones(len(sample), dtype=np.bool_)
    for place in places:
        found &= ~touched[place]
        if kin[place] is not None:
            found &= sample.read
    return found


@dataclass(kw_only=True)
class Ruling:
    """What came of a trial: how each suspect's answers compare, who is worse, who is ``idle`` beside whom.

    ``adds`` holds the pairs of which the first adds to the second. Beside something that is not known, ``late`` are
    suspects of which it is shown that the fall began after them or elsewhere, with the reason, and ``vague`` those of
    which neither is shown. ``rest`` is the change of answers since the onset that none has touched.
    """

    own: Mapping[int, Contrast | None]
    worse: list[int]
    idle: dict[int, list[int]] = field(default_factory=dict)
    adds: set[tuple[int, int]] = field(default_factory=set)
    late: dict[int, str] = field(default_factory=dict)
    vague: set[int] = field(default_factory=set)
    rest: Contrast | None = None


def judged(found: Trial, *, alpha: float, alpha_pairs: float, alpha_onset: float) -> Ruling:
    """Return the ruling; each ``alpha`` is shared by all statements of its kind that could be made."""
    places = [place for place in range(len(found.touched)) if place not in found.open]
    own = found.compared(
        [(found.touched[place], found.untouched, (place,)) for place in places], alpha / (2 * max(1, len(places)))
    )
    by = dict(zip(places, own, strict=True))
    worse = [place for place, each in by.items() if each is not None and each.lower > 0.0]
    ruling = Ruling(own=by, worse=worse)
    _pairs(found, ruling, alpha_pairs / (2 * 3 * max(1, len(places) * (len(places) - 1))))
    _onset(found, ruling, alpha_onset / (2 * (2 * len(places) + 1)))
    return ruling


def _pairs(found: Trial, ruling: Ruling, alpha: float) -> None:
    pairs = list(itertools.permutations(ruling.worse, 2))
    touched, none = found.touched, found.untouched
    sets = [
        (some, reference, pair)
        for pair in pairs
        for mine, other in [(touched[pair[0]], touched[pair[1]])]
        for some, reference in ((mine & ~other, none), (mine & other, none), (mine & other, other & ~mine))
    ]
    results = found.compared(sets, alpha)
    tried = {pair: results[3 * number : 3 * number + 3] for number, pair in enumerate(pairs)}
    idle: set[tuple[int, int]] = set()
    for pair, (only, both, beside) in tried.items():
        theirs = tried[pair[::-1]][0]
        if _adds(only, both, beside, theirs):
            ruling.adds.add(pair)
        if _idle(only, both, theirs, ruling.own[pair[1]]):
            idle.add(pair)
    for mine, other in sorted(idle):
        # Two of which neither does anything alone do it together.
        if (other, mine) not in idle:
            ruling.idle.setdefault(mine, []).append(other)


def _adds(only: Contrast | None, both: Contrast | None, beside: Contrast | None, theirs: Contrast | None) -> bool:
    """Whether a suspect adds to another; ``beside`` compares what both touched with what the other alone did."""
    if any(each is not None and each.lower > 0.0 for each in (only, beside)):
        return True
    return both is not None and theirs is not None and both.lower > max(0.0, theirs.upper)


def _idle(only: Contrast | None, both: Contrast | None, theirs: Contrast | None, other: Contrast | None) -> bool:
    """Whether a suspect is idle beside another; ``other`` are all answers that one touched."""
    beside = both if both is not None else other
    if only is not None and beside is not None and beside.lower > 0.0 and only.upper < HALF * beside.lower:
        return True
    return both is not None and theirs is not None and both.upper < (1.0 + HALF) * theirs.lower


def _onset(found: Trial, ruling: Ruling, alpha: float) -> None:
    """Hold each suspect against something unknown that touched all answers since the onset."""
    before = found.untouched & ~found.after
    sets: list[tuple[Bools, Bools, Sequence[int]]] = [(found.untouched & found.after, before, ())]
    for place in ruling.worse:
        mine = found.touched[place]
        sets += [
            (mine & ~found.after, before, (place,)),
            (mine & found.after, found.after & ~mine & ~found.blurred[place], (place,)),
        ]
    rest, *others = found.compared(sets, alpha)
    ruling.rest = rest
    for number, place in enumerate(ruling.worse):
        own, (early, beside) = ruling.own[place], others[2 * number : 2 * number + 2]
        assert own is not None
        if early is not None and early.upper < HALF * own.change:
            ruling.late[place] = "what it touched before the fall began shows no such change"
        elif rest is not None and own.upper < (1.0 + HALF) * rest.lower:
            ruling.late[place] = "what it did not touch fell as much"
        elif any(each is not None and each.lower <= 0.0 for each in (early, beside)) or (
            rest is not None and rest.lower > 0.0 and own.lower <= rest.upper
        ):
            ruling.vague.add(place)
