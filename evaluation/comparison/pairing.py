"""Which answer of one run belongs to which of another, and what they have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evaluation.comparison.runs import Provenance, ScoredRun
from evaluation.consistency.spread import REPEAT_OF
from gates.evidence.arrays import Integers

MAX_SLICES = 200
"""Values of one attribute that are compared one by one: what has more is no way to split answers."""
LEAST_PAIRED = 0.5
"""The least share of the smaller run's answers that must be paired: of what few share, most is left out."""
MOST_APART = 0.1
"""Share of answers without a partner, or of pairs that ask different questions, beyond which a comparison does not tell
of the whole suite."""
SHOWN = 60
"""Characters of an id in an error."""


class PairingError(ValueError):
    """Why two runs cannot be compared."""


class AnswerPair(NamedTuple):
    """The ids of two answers to one question, and what is known of the one of the baseline."""

    baseline: str
    candidate: str
    told: Provenance


class SliceOfPairs(NamedTuple):
    """The pairs of one value of an attribute, by their numbers; all of them where there is no attribute."""

    attribute: str | None
    value: str | None
    pairs: Integers


@dataclass(frozen=True, slots=True)
class PairedAnswers:
    """The pairs of two runs, with the answers that only one of them has; codes of groups and strata for each pair."""

    pairs: Sequence[AnswerPair]
    only_baseline: int
    only_candidate: int
    group: Integers
    stratum: Integers
    slices: Sequence[SliceOfPairs]
    differently_asked: str = ""
    """How many pairs ask different questions; empty where none does, or where questions are not known."""

    @property
    def uncovered(self) -> bool:
        """Whether more than a tenth of the baseline's answers have no partner: the pairs do not tell of all of it."""
        return self.only_baseline > MOST_APART * (len(self.pairs) + self.only_baseline)

    @property
    def left_out(self) -> float:
        """The share of the answers of the run that has more of them alone: 0 where all answers are paired."""
        alone = max(self.only_baseline, self.only_candidate)
        return alone / (len(self.pairs) + alone)

    def told(self, baseline: str, candidate: str) -> str:
        """Say how many answers only one of the runs has.

        >>> none = np.zeros(0, np.int64)
        >>> PairedAnswers([], 4, 0, none, none, []).told("today", "next")
        '4 of 4 answers of today and 0 of 0 of next have no answer to compare with'
        """
        here, there = len(self.pairs) + self.only_baseline, len(self.pairs) + self.only_candidate
        return (
            f"{self.only_baseline:,} of {here:,} answers of {baseline} and {self.only_candidate:,} of {there:,} of "
            f"{candidate} have no answer to compare with"
        )


def paired(
    baseline: ScoredRun,
    candidate: ScoredRun,
    *,
    key: str | None = None,
    by: Sequence[str] = (),
    group: str | None = None,
    strata: str | None = None,
) -> PairedAnswers:
    """Pair the answers of two runs by their ids, or by the attribute ``key``, or by what was asked.

    ``by`` are attributes whose values are compared one by one. Pairs with one value of ``group``, by default those of
    one conversation, or of one question that was asked again, are drawn together by the bootstrap, within one value of
    ``strata``. Raises `PairingError` where a key is ambiguous, paired answers are in different slices, fewer than half
    of the smaller run's answers are paired, or more than a tenth of the pairs by ids ask different questions.
    """
    left, right = _keyed(baseline, key), _keyed(candidate, key)
    both = [name for name in left if name in right]
    if len(both) < LEAST_PAIRED * min(len(left), len(right)) or not both:
        few = f"only {len(both):,}" if both else "no"
        what = "answer ids" if key is None else f"values of {key}"
        sizes = f", of {len(left):,} and {len(right):,}" if both else ""
        advice = "" if key else "; pair them by --pair question, or by an attribute that tells questions apart"
        raise PairingError(f"{baseline.name} and {candidate.name} have {few} {what} in common{sizes}{advice}")
    pairs = [AnswerPair(left[name], right[name], baseline.answers[left[name]]) for name in both]
    for name in (*by, *([strata] if strata else ())):
        _agree(pairs, baseline, candidate, name)
    differently_asked = "" if key else _differently_asked(pairs, baseline, candidate)
    together = "session_id" if group is None else group
    # What says of no group is one of its own: a number cannot be the name of a group.
    groups = [
        _some(pair.told.named(together) or (pair.told.named(REPEAT_OF) if group is None else None), number)
        for number, pair in enumerate(pairs)
    ]
    return PairedAnswers(
        pairs=pairs,
        only_baseline=len(left) - len(pairs),
        only_candidate=len(right) - len(pairs),
        group=_codes(groups),
        stratum=_codes([pair.told.named(strata) if strata else None for pair in pairs]),
        slices=[SliceOfPairs(None, None, np.arange(len(pairs))), *_slices(pairs, by)],
        differently_asked=differently_asked,
    )


def _differently_asked(pairs: Sequence[AnswerPair], baseline: ScoredRun, candidate: ScoredRun) -> str:
    """Return how many pairs by ids ask different questions. Raises `PairingError` where too many do."""
    found = [
        (pair.baseline, here, there)
        for pair in pairs
        if (here := baseline.questions.get(pair.baseline)) is not None
        and (there := candidate.questions.get(pair.candidate)) is not None
        and _words(here) != _words(there)
    ]
    if not found:
        return ""
    name, here, there = found[0]
    ask = "asks a different question" if len(found) == 1 else "ask different questions"
    said = (
        f"{len(found):,} of {len(pairs):,} pairs by id {ask}, the first: answer {name[:SHOWN]!r} is to {_shown(here)} "
        f"in {baseline.name} and to {_shown(there)} in {candidate.name}; pair them by --pair question"
    )
    if len(found) > MOST_APART * len(pairs):
        raise PairingError(said)
    return said


def _words(question: str) -> Sequence[str]:
    return question.casefold().split()


def _keyed(run: ScoredRun, key: str | None) -> Mapping[str, str]:
    if key is None:
        return {answer: answer for answer in run.answers}
    found: dict[str, str] = {}
    for answer in run.answers:
        name = run.named(answer, key)
        if name is None:
            raise PairingError(f"{run.name}: answer {answer[:SHOWN]!r} has no attribute {key}")
        if name in found:
            raise PairingError(
                f"{run.name}: {key} is {name[:SHOWN]!r} of two answers, {found[name][:SHOWN]!r} and {answer[:SHOWN]!r}"
            )
        found[name] = answer
    return found


_HINT = "; a conversation has one only where all its answers agree in it"


def _agree(pairs: Sequence[AnswerPair], baseline: ScoredRun, candidate: ScoredRun, name: str) -> None:
    if all(pair.told.named(name) is None for pair in pairs):
        raise PairingError(f"{baseline.name}: no paired answer has an attribute {name}{_HINT}")
    for pair in pairs:
        here, there = pair.told.named(name), candidate.answers[pair.candidate].named(name)
        if here != there:
            raise PairingError(
                f"{name} of answer {pair.baseline[:SHOWN]!r} is {_shown(here)} in {baseline.name} "
                f"and {_shown(there)} in {candidate.name}"
            )


def _shown(value: str | None) -> str:
    return "missing" if value is None else repr(value[:SHOWN])


def _slices(pairs: Sequence[AnswerPair], by: Sequence[str]) -> Iterator[SliceOfPairs]:
    for name in by:
        members: dict[str, list[int]] = {}
        for number, pair in enumerate(pairs):
            value = pair.told.named(name)
            if value is not None:
                members.setdefault(value, []).append(number)
        if len(members) > MAX_SLICES:
            raise PairingError(f"{name} has {len(members):,} values; at most {MAX_SLICES} can be compared one by one")
        for value in sorted(members):
            yield SliceOfPairs(name, value, np.array(members[value]))


def _some(value: str | None, number: int) -> str | int:
    return number if value is None else value


def _codes(values: Sequence[str | int | None]) -> Integers:
    known: dict[str | int | None, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], np.int64)
