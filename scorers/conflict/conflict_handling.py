"""Conflict handling: what an answer does where its sources disagree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from adapters.schema import Answer, GoldLabel, Passage
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, not_applicable
from scorers.conflict.declared import Sides, labels_of, sides_taken
from scorers.conflict.precedence import Precedence
from scorers.conflict.source_conflict import sides
from scorers.disagreement.between import Between, between
from scorers.disagreement.disagreement import Disagreement, conflicting
from scorers.disagreement.taking import Taken, taken
from scorers.models.linear import linear_model
from scorers.policy.behaviours import Said
from scorers.text.counts import several
from scorers.text.excerpt import excerpt
from scorers.wording.conflicting import names_conflict

MAX_CONFLICTS = 10
"""Conflicts of one answer that are judged, the surest."""

LISTED = 3
"""Conflicts that are shown, the mishandled ones first."""

_Handled = Literal["silent", "resolved", "named", "deferred"]


class ConflictHandling(Scorer):
    """Whether a conflict between sources is handled: 1 it is named, resolved or deferred, 0 a side is taken silently.

    Conflicts are those that `source_conflict` calls so. The answer *names* one where it says that sources do not agree
    or states both values; it *resolves* one where it takes the side that prevails: in force against superseded, else
    the higher authority, else the later date (by gold labels, the catalog, or the passages themselves: ``basis``);
    it *defers* where it takes no side, and abstains, declines, or refers to someone. Taking a side that does not
    prevail, or where nothing tells which does, is 0. Of several conflicts the worst handled counts; one that the answer
    does not touch is left out. ``label`` says what was done. Without a conflict it is ``not_applicable``.

    Labels may declare a conflict that texts do not show (``basis: gold``): a retrieved passage labelled conflicting is
    in conflict with each that is labelled sufficient, which prevails, else with the others labelled conflicting. The
    side taken is that which the answer does not contradict, else that which it cites or rests on.

    >>> from datetime import UTC, datetime
    >>> texts = {"The notice period is 30 days.": 0.9, "The notice period is 60 days.": 0.4}
    >>> passages = tuple(Passage(id=f"p{a}", text=text, authority=a) for text, a in texts.items())
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> for text in ("It is 30 days.", "It is 60 days.", "It is 30 days by one policy and 60 days by another."):
    ...     answer = Answer(id="a", question="What is the notice period?", answer=text, passages=passages)
    ...     score = ConflictHandling().score(answer, env)
    ...     print(score.value, score.label)
    1.0 resolved
    0.0 silent
    1.0 named
    """

    metric: ClassVar[Metric] = Metric(
        name="conflict_handling",
        family="conflict",
        languages=("en",),
        words=("question", "answer", "passages"),
        unit="ratio",
        better="higher",
        help="Whether a conflict between sources is handled: 1 named, resolved or deferred, 0 one side taken silently.",
        formula="min over conflicts that the answer touches: 1 if it names the conflict, takes the side that prevails "
        "(in force, higher authority or later date) or defers; 0 if it takes the other side, or any side where "
        "nothing decides which prevails",
        source="PROBE section 5.5 (explain the conflict, identify the higher-authority source, or defer to a reviewer),"
        " Algorithm 1 line 10 (unresolved conflict), 3.4 (cap 65).",
        bases=("gold", "catalog", "passages"),
        labels=("deferred", "named", "resolved", "silent"),
        cost="passages",
        limits="Judges only the conflicts that source_conflict detects or labels declare, and misses those it "
        "misses; the side taken is recognized by the values and statements of the answer, so an answer in "
        "words of neither side has no value.",
        buckets=(0.5, 1.0),
        version="5",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"question", "answer", "passages"})
    ranked: ClassVar[bool] = True
    """Whether more than being in force says which side prevails; without, as an ablation asks, either side is right."""
    type: Literal["conflict_handling"] = "conflict_handling"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return how conflicts were handled, or why there is nothing to judge."""
        if sides_declared := sides_taken(answer, env.memory):
            return self._declared(answer, sides_declared, env)
        found = between(answer)
        if isinstance(found, Absent):
            return found
        conflicts = [pair for pair in found.pairs if conflicting(pair)]
        if not conflicts:
            return not_applicable("no conflict between passages")
        precedence = Precedence(answer, env, ranked=self.ranked)
        said = _Said(answer.question or "", answer.answer or "")
        judged = [_judged(answer, found, pair, precedence, said) for pair in conflicts[:MAX_CONFLICTS]]
        touched = [one for one in judged if one is not None]
        if not touched:
            return not_applicable("the answer takes no side")
        touched.sort(key=lambda one: one.handled != "silent")
        worst = touched[0]
        shown = [evidence for one in touched[:LISTED] for evidence in sides(found, one.pair)]
        return Measured(
            value=0.0 if worst.handled == "silent" else 1.0,
            basis=precedence.basis(*found.passages),
            label=worst.handled,
            explanation=f"{several(len(touched), 'conflict')}; {worst.why}",
            evidence=tuple(shown),
        )

    def _declared(self, answer: Answer, pairs: Sequence[tuple[Sides, Taken]], env: Env) -> Measured | Absent:
        precedence = Precedence(answer, env, ranked=self.ranked)
        said, labels = _Said(answer.question or "", answer.answer or ""), labels_of(answer)
        governing = {name: label for name, label in labels.items() if self.ranked}
        judged = [(pair, _judged_side(pair, side, governing, precedence, said)) for pair, side in pairs]
        touched = [(pair, one) for pair, one in judged if one is not None]
        if not touched:
            return not_applicable("the answer takes no side")
        touched.sort(key=lambda each: each[1][0] != "silent")
        handled, why = touched[0][1]
        return Measured(
            value=0.0 if handled == "silent" else 1.0,
            basis="gold",
            label=handled,
            explanation=f"{len(touched)} conflicts by labels; {why}",
            evidence=tuple(
                Evidence.of_passage(passage, f"labelled {labels[passage.id]}")
                for pair, _ in touched[:LISTED]
                for passage in pair
            ),
        )


@dataclass(frozen=True, slots=True)
class _Judged:
    pair: Disagreement
    handled: _Handled
    why: str


class _Said:
    """What the answer says beside the values, read once and only where it matters."""

    def __init__(self, question: str, text: str) -> None:
        self._question, self._text = question, text

    @cached_property
    def names(self) -> bool:
        return names_conflict(self._text)

    @cached_property
    def defers(self) -> bool:
        said = Said(self._question, self._text)
        return (
            said.defers
            or said.escalates
            or said.abstains >= linear_model("abstention").threshold
            or said.refuses >= linear_model("refusal").threshold
        )


def _judged_side(
    pair: Sides, side: Taken, labels: Mapping[str, GoldLabel], precedence: Precedence, said: _Said
) -> tuple[_Handled, str] | None:
    """Return how a declared conflict was handled and why, ``None`` where the answer has nothing to do with it."""
    if side is Taken.BOTH or said.names:
        return "named", "the answer gives both sides or names the conflict"
    if side is Taken.NEITHER:
        return ("deferred", "the answer takes no side") if said.defers else None
    ours, theirs = pair if side is Taken.FIRST else pair[::-1]
    if "sufficient" in (labels.get(ours.id), labels.get(theirs.id)):
        governs = labels[ours.id] == "sufficient"
        return ("resolved", "the side taken is labelled sufficient") if governs else ("silent", _OVERRULED)
    known = precedence.prevails(ours, theirs)
    if known is None:
        return ("silent", _undecided(ours, theirs)) if precedence.ranked else ("resolved", _ALIKE)
    prevails, why = known
    return "resolved" if prevails else "silent", f"the {'side taken' if prevails else 'other side'} is {why}"


_OVERRULED = "the other side is labelled sufficient"
_ALIKE = "both sides are in force, and no source ranks above another"
_UNDECIDED = "nothing decides which source prevails, and the answer does not say that they differ"


def _undecided(ours: Passage, theirs: Passage) -> str:
    """Return that nothing decides, and of two versions of one document what would."""
    versions = {ours.version, theirs.version} - {None}
    if ours.doc_id is None or ours.doc_id != theirs.doc_id or len(versions) == 1 or not versions:
        return _UNDECIDED
    told = " and ".join(sorted(excerpt(str(each)) for each in versions))
    which = f"both are {excerpt(ours.doc_id)}, versions {told}, and no date or catalog says which is in force"
    return f"{which}; the answer does not say that they differ"


def _judged(answer: Answer, found: Between, pair: Disagreement, precedence: Precedence, said: _Said) -> _Judged | None:
    """Return how a conflict was handled, ``None`` where the answer has nothing to do with it."""
    side = taken(answer, found.passages, pair)
    if side is Taken.BOTH or said.names:
        return _Judged(pair, "named", "the answer gives both sides or names the conflict")
    if side is Taken.NEITHER:
        return _Judged(pair, "deferred", "the answer takes no side") if said.defers else None
    ours, theirs = _passages(found, pair, side)
    known = precedence.prevails(ours, theirs)
    if known is None:
        silent = _Judged(pair, "silent", _undecided(ours, theirs))
        return silent if precedence.ranked else _Judged(pair, "resolved", _ALIKE)
    prevails, why = known
    return _Judged(
        pair, "resolved" if prevails else "silent", f"the {'side taken' if prevails else 'other side'} is {why}"
    )


def _passages(found: Between, pair: Disagreement, side: Taken) -> tuple[Passage, Passage]:
    first, second = found.passages[pair.first.passage], found.passages[pair.second.passage]
    return (first, second) if side is Taken.FIRST else (second, first)
