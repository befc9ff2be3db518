"""Which of the suspects explains a fall in quality, by what each of them touched and did not touch.

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
from gates.evidence.arrays import Bools, Integers
from gates.evidence.contrast import Contrast

LEAST = 20
"""Answers touched below which a suspect is not assessed."""
LEAST_REFERENCE = 30
"""Untouched answers from before a suspect below which it is not assessed."""
ENOUGH = 1000
"""Answers with known documents that show that a document plays no part: a part in fewer explains no fall."""
HALF = 0.5
"""Less than half of a change does not explain it."""


@dataclass(frozen=True, kw_only=True)
class ChangeExposure:
    """Which answers each suspect touched, and why some suspects cannot be assessed.

    ``spared`` are suspects that cannot have touched any answer, with the reason; they are ``open`` as well. ``onset``
    is where the fall began as far as the answers show it, ``places`` are of the suspects, oldest first.
    """

    sample: Sample
    strata: Integers
    touched: Sequence[Bools]
    of_documents: Sequence[Bools | None]
    blurred: Sequence[Bools]
    untouched: Bools
    open: Mapping[int, str]
    spared: Mapping[int, str]
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
            contrast.matched(sample.weight, self._strata_of(places), some, reference)
            for (some, reference, places), fine in zip(pairs, enough, strict=True)
            if fine
        )
        found = iter(contrast.contrasts(sample.loss, sample.unit, weights, alpha))
        made = [next(found) if fine else None for fine in enough]
        return [each if each is not None and min(each.after.n, each.before.n) >= LEAST else None for each in made]

    def _known(self, places: Sequence[int]) -> Bools | bool:
        return self.sample.documents_known if any(self.of_documents[place] is not None for place in places) else True

    def _strata_of(self, places: Sequence[int]) -> Integers:
        code = self.strata
        for place in places:
            alike = self.of_documents[place]
            if alike is not None:
                code = 2 * code + alike
        return code


def exposure(sample: Sample, suspects: Sequence[Suspect], strata: Integers, after: Bools) -> ChangeExposure:
    """Return what the suspects touched, or why they cannot be assessed.

    The oldest are left out while they leave too few answers untouched to compare with.
    """
    touched = [sample.touched(each) for each in suspects]
    of_documents = [sample.with_documents(each.documents) if each.documents else None for each in suspects]
    blurred = [sample.blurred(each) for each in suspects]
    spared = {
        place: why
        for place, each in enumerate(suspects)
        if (why := _spared(sample, each, touched[place] | blurred[place], of_documents[place]))
    }
    open_: dict[int, str] = dict(spared)
    for place, each in enumerate(suspects):
        if place in spared:
            continue
        since = sample.at >= each.at
        if each.documents and np.count_nonzero(sample.documents_known & since) < HALF * np.count_nonzero(since):
            open_[place] = "the documents of most answers are unknown"
        elif np.count_nonzero(touched[place]) < LEAST:
            open_[place] = f"it touched only {np.count_nonzero(touched[place])} scored answers"
    order = sorted(
        (place for place in range(len(suspects)) if place not in open_), key=lambda place: suspects[place].at
    )
    clear = np.logical_not(np.logical_or.reduce([*blurred, np.zeros(len(sample), dtype=np.bool_)]))
    while True:
        untouched = clear.copy()
        for place in order:
            untouched &= ~touched[place]
            if of_documents[place] is not None:
                untouched &= sample.documents_known
        if not order or np.count_nonzero(untouched) >= LEAST_REFERENCE:
            break
        open_[order.pop(0)] = "too few answers from before the change to compare with"
    return ChangeExposure(
        sample=sample,
        strata=strata,
        touched=touched,
        of_documents=of_documents,
        blurred=blurred,
        untouched=untouched,
        open=open_,
        spared=spared,
        after=after,
    )


def _spared(sample: Sample, suspect: Suspect, maybe: Bools, of_documents: Bools | None) -> str:
    """Return why a suspect cannot have touched any answer, empty where it may have.

    Answers since that were not given its documents may have lacked them, where others before were given them.
    """
    since = sample.at >= suspect.at
    if maybe.any():
        return ""
    if of_documents is None or not since.any():
        return "no answer that it could have touched has come since"
    told = all(
        int(np.count_nonzero(sample.documents_known & side)) >= min(ENOUGH, int(np.count_nonzero(side)))
        for side in (since, ~since)
    )
    return "no answer was given its documents, before or since" if told and not of_documents.any() else ""


@dataclass(kw_only=True)
class Assessment:
    """What comparisons show of the suspects: how each one's answers did, which are worse, which ``idle`` beside others.

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


def assess(exposed: ChangeExposure, *, alpha: float, alpha_pairs: float, alpha_onset: float) -> Assessment:
    """Compare the suspects; each ``alpha`` is shared by all statements of its kind that could be made."""
    places = [place for place in range(len(exposed.touched)) if place not in exposed.open]
    own = exposed.compared(
        [(exposed.touched[place], exposed.untouched, (place,)) for place in places], alpha / (2 * max(1, len(places)))
    )
    by = dict(zip(places, own, strict=True))
    worse = [place for place, each in by.items() if each is not None and each.lower > 0.0]
    assessed = Assessment(own=by, worse=worse)
    _pairs(exposed, assessed, alpha_pairs / (2 * 3 * max(1, len(places) * (len(places) - 1))))
    _onset(exposed, assessed, alpha_onset / (2 * (2 * len(places) + 1)))
    return assessed


def _pairs(exposed: ChangeExposure, assessed: Assessment, alpha: float) -> None:
    pairs = list(itertools.permutations(assessed.worse, 2))
    touched, none = exposed.touched, exposed.untouched
    sets = [
        (some, reference, pair)
        for pair in pairs
        for mine, other in [(touched[pair[0]], touched[pair[1]])]
        for some, reference in ((mine & ~other, none), (mine & other, none), (mine & other, other & ~mine))
    ]
    results = exposed.compared(sets, alpha)
    tried = {pair: results[3 * number : 3 * number + 3] for number, pair in enumerate(pairs)}
    idle: set[tuple[int, int]] = set()
    for pair, (only, both, beside) in tried.items():
        theirs = tried[pair[::-1]][0]
        if _adds(only, both, beside, theirs):
            assessed.adds.add(pair)
        if _idle(only, both, theirs, assessed.own[pair[1]]):
            idle.add(pair)
    for mine, other in sorted(idle):
        # Two of which neither does anything alone do it together.
        if (other, mine) not in idle:
            assessed.idle.setdefault(mine, []).append(other)


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


def _onset(exposed: ChangeExposure, assessed: Assessment, alpha: float) -> None:
    """Hold each suspect against something unknown that touched all answers since the onset."""
    before = exposed.untouched & ~exposed.after
    sets: list[tuple[Bools, Bools, Sequence[int]]] = [(exposed.untouched & exposed.after, before, ())]
    for place in assessed.worse:
        mine = exposed.touched[place]
        sets += [
            (mine & ~exposed.after, before, (place,)),
            (mine & exposed.after, exposed.after & ~mine & ~exposed.blurred[place], (place,)),
        ]
    rest, *others = exposed.compared(sets, alpha)
    assessed.rest = rest
    for number, place in enumerate(assessed.worse):
        own, (early, beside) = assessed.own[place], others[2 * number : 2 * number + 2]
        assert own is not None
        if early is not None and early.upper < HALF * own.change:
            assessed.late[place] = "answers it touched before the fall began show no such change"
        elif rest is not None and own.upper < (1.0 + HALF) * rest.lower:
            assessed.late[place] = "answers it did not touch got as much worse"
        elif any(each is not None and each.lower <= 0.0 for each in (early, beside)) or (
            rest is not None and rest.lower > 0.0 and own.lower <= rest.upper
        ):
            assessed.vague.add(place)
