"""What a clause of a source says otherwise than a clause of a claim."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from scorers.statements import agents, entities, scopes
from scorers.statements.alignment import ClauseAlignment
from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.clauses import Clause, Force, Item
from scorers.statements.forces import clash, flipped
from scorers.statements.gating import NEARLY_ALL, denied_member, gate, opposed, rise
from scorers.statements.lexicon.verbs import FINITE
from scorers.statements.naming import only_names
from scorers.statements.segments import SIDE, conditions
from scorers.statements.words import is_verb, root_of
from scorers.text.normalize import word_set

LONGEST_SHOWN = 80
TURNING = frozenset({"polarity", "modality", "opposite"})
REVERSING = TURNING | {"role"}
"""What beside another bound is another case of one rule."""


class ClauseJudgement(NamedTuple):
    """The differences between two clauses, the likeliest first, and whether all that was compared agrees."""

    differences: tuple[Difference, ...]
    agrees: bool
    near: float
    gate: float
    named: float = 0.0

    @property
    def strength(self) -> float:
        """That of the strongest difference, 0 where there is none."""
        return self.differences[0].strength if self.differences else 0.0

    def doubted(self, factor: float) -> ClauseJudgement:
        """Return this with weaker differences."""
        weaker = (each._replace(strength=round(each.strength * factor, 3)) for each in self.differences)
        return self._replace(differences=tuple(weaker))

    def without(self, kind: DifferenceKind) -> ClauseJudgement:
        """Return this without the differences of a kind."""
        return self._replace(differences=tuple(each for each in self.differences if each.kind != kind))

    def _weight(self, difference: Difference) -> float:
        """Return what a figure counts: one of another member of a list stands in a sentence that says much besides."""
        listed = difference.kind == "entity" and difference.strength >= LISTED
        return max(self.gate, self.named) if listed else self.gate

    def with_figures(self, found: Sequence[Difference], *, agree: bool, alike: bool = False) -> ClauseJudgement:
        """Return this with what figures differ in; ``agree`` tells that each is the same on both sides.

        ``alike`` tells that both permit or require, or both deny: then another bound is no other case of one rule.
        """
        if not found:
            return self._replace(agrees=self.agrees and agree)
        if (
            not alike
            and any(each.kind == "bound" for each in found)
            and any(each.kind in REVERSING for each in self.differences)
        ):
            # "Up to 50 EUR none is needed" and "above 50 EUR one is needed" say the same.
            return self._replace(differences=(), agrees=False)
        weighed = (each._replace(strength=round(each.strength * self._weight(each), 3)) for each in found)
        both = sorted((*self.differences, *weighed), key=lambda difference: -difference.strength)
        return ClauseJudgement(tuple(both), agrees=False, near=self.near, gate=self.gate, named=self.named)


def judge(a: ClauseAlignment, *, elsewhere: frozenset[str] = frozenset(), reply: bool = False) -> ClauseJudgement:
    """Compare two clauses that are laid beside each other; ``elsewhere`` are roots of the words of other sources.

    A ``reply`` of yes or no takes the words of a question, which are never a copy of what answers it.
    """
    if _denied_of_others(a):
        return ClauseJudgement((), agrees=False, near=a.near, gate=gate(a, reply=reply))
    found = [*_forces(a, elsewhere, reply=reply), *scopes.differences(a), *entities.differences(a, elsewhere)]
    near = gate(a, reply=reply)
    turned, denied = opposed(a), denied_member(a)
    # What stands in the place of something else is no reason to compare less: these weigh the rest of the clause.
    alone = [*agents.differences(a, elsewhere), *entities.replaced(a, elsewhere)]
    weighed = sorted(
        (
            Difference(
                kind,
                _cut(ours),
                _cut(theirs),
                round(min(base * max(weight, turned * (kind == "opposite"), denied * (kind == "polarity")), 1.0), 3),
            )
            for differences, weight in ((found, near), (alone, 1.0))
            for kind, ours, theirs, base in differences
        ),
        key=lambda difference: -difference.strength,
    )
    freed = reply and a.claim.state == "NOTNEED" and any(pair.sign < 0 for pair in a.pairs)
    agrees = not found and not alone and not freed and not _turned_aside(a) and _says_all(a)
    return ClauseJudgement(tuple(weighed), agrees, a.near, near, rise(a.core, *NAMING))


def _denied_of_others(a: ClauseAlignment) -> bool:
    """Tell whether a claim denies of others what the source allows some alone: no contractor, where only employees may.

    What "only" singles out is the word behind it, or the one before it where it ends its clause.
    """
    if a.source.state in ("FORBID", "NO") and a.claim.state in ("MAY", "YES"):
        return _kept_for_some(a)
    if a.claim.state not in ("FORBID", "NO") or a.source.state not in ("MAY", "YES"):
        return False
    told = a.source.items
    answered = {pair.source for pair in a.pairs}
    for op, at, _ in a.source.scopes:
        behind = [item.place for item in told[at:] if not item.figure]
        before = [item.place for item in told[max(0, at - 2) : at] if not item.figure]
        before = before if len(before) > 1 and not told[before[-1]].lead else before[-1:]  # "in the Flex rate only"
        single = behind[:1] if at == 0 else behind or before
        if op == "ONLY" and any(place not in answered for place in single):
            return True
    return False


def _kept_for_some(a: ClauseAlignment) -> bool:
    """Tell whether a claim says of some alone what the source denies of others: "only active users"."""
    only = min((at for op, at, _ in a.claim.scopes if op == "ONLY"), default=-1)
    if only != 0 or a.claim.language != "en" or not a.source.items:
        return False
    answered = {pair.source for pair in a.pairs if pair.sign > 0}
    return a.source.items[0].place not in answered


def _turned_aside(a: ClauseAlignment) -> bool:
    """Tell whether words are opposites of which one stands in a condition: what that comes to is not told."""
    ours, theirs = a.claim.items, a.source.items
    return any(pair.sign < 0 and (ours[pair.claim].segment or theirs[pair.source].segment) for pair in a.pairs)


HALF = 0.5


def _says_all(a: ClauseAlignment) -> bool:
    """Tell whether a source says all that a claim does, with nothing of note in place of anything."""
    missing = sum([item.weight for slot in a.slots for item in slot.claim if not item.figure], 0.0)
    swapped = any(slot.claim and slot.source for slot in a.slots)
    return a.covered > NEARLY_ALL and a.used > HALF and missing <= len(a.claim.items) / 5 and not swapped


LISTED = 0.9
"""How sure a figure of another member of a list must be to count whatever else the list says."""
NAMING = 0.35, 0.75
"""Shares of a claim that a list has: from where on its figures tell of another member, and surely."""


def _forces(a: ClauseAlignment, elsewhere: frozenset[str], *, reply: bool) -> Iterator[Difference]:
    ours, theirs = a.claim, a.source
    relative, opposite = _relative(a, reply=reply)
    explained = 0
    for found, settles in conditions(a, relative, elsewhere):
        explained = max(explained, settles)
        if found is not None:
            yield found
    mine, its = _spoken(a)
    if explained == 1 and (mine, its) == ("MUST", "FORBID"):
        # "May not unless C" is "may if C", and no duty under C.
        yield Difference("modality", ours.segments[0].shown, theirs.segments[0].shown, 0.75)
    if explained > 1 or (explained and not ({mine, its} == {"MUST", "MAY"} and relative > 0)):
        return
    if {mine, its} == {"MAY", "MUST"} and any(op == "ONLY" for op, _, _ in (*ours.scopes, *theirs.scopes)):
        return
    yield from _clashing(a, (mine, its), (relative, opposite), reply=reply)


def _clashing(
    a: ClauseAlignment, forces: tuple[Force, Force], turned: tuple[int, tuple[str, str] | None], *, reply: bool
) -> Iterator[Difference]:
    """Yield that two forces cannot both hold, of the same thing or of opposites."""
    (mine, its), (relative, opposite) = forces, turned
    ours, theirs = a.claim, a.source
    if relative < 0:
        if mine == its or clash(mine, its) is None:
            one, other = opposite or (ours.segments[0].shown, theirs.segments[0].shown)
            if (mine == its or clash(flipped(mine), its)) and not _freed(one, its):
                yield Difference("opposite", one, other, 0.9)
            return
        found_clash = clash(flipped(mine), its)
    else:
        found_clash = clash(mine, its)
    if _one_force(a, mine, its, reply=reply) or only_names(theirs):
        return
    if found_clash is not None:
        strength, kind = found_clash
        strength *= 1.0 if _denial_answered(a) or (reply and _denied_somewhere(a.source)) else UNANSWERED
        yield Difference(kind, ours.segments[0].shown, theirs.segments[0].shown, strength)


def _one_force(a: ClauseAlignment, mine: Force, its: Force, *, reply: bool) -> bool:
    """Tell whether two forces come to one here: what is exempt from return cannot be returned."""
    shown = a.claim.segments[0].shown, a.source.segments[0].shown
    if _lacks(a.claim, a.source) or _lacks(a.source, a.claim):
        return True
    if {mine, its} == {"FORBID", "NOTNEED"} and any(map(_EXEMPT.search, shown)):
        return True
    # "Should I?" asks what may be done as much as what is wise.
    return reply and ({mine, its} in _ADVISED or (its == "FORBID" and shown[0].lower().startswith("should")))


def _lacks(one: Clause, other: Clause) -> bool:
    """Tell whether one has with "without" what the other denies: "comes without a bag" and "no bag"."""
    without = next((item for item in one.items if item.segment and one.segments[item.segment].op == "WITHOUT"), None)
    denied = [other.items[at].word.root for at in other.denied if at < len(other.items)]
    return without is not None and denied == [without.word.root] and not one.denied


_ADVISED = ({"SHOULDNOT", "FORBID"}, {"SHOULD", "MUST"}, {"SHOULD", "MAY"}, {"SHOULDNOT", "NOTNEED"})
_EXEMPT = re.compile(r"\b(?:exempt(?:ed)?|excused|excluded) from\b", re.IGNORECASE)

UNANSWERED = 0.55
"""What a denial counts whose word the other statement does not have."""


def _denial_answered(a: ClauseAlignment) -> bool:
    """Tell whether the word that one statement denies stands in the other one too."""
    mine = {pair.claim for pair in a.pairs} | {one.place for one, _ in a.apart}
    its = {pair.source for pair in a.pairs} | {other.place for _, other in a.apart}
    return _any(a.claim, mine) and _any(a.source, its)


def _denied_somewhere(clause: Clause) -> bool:
    """Tell whether a clause denies of one place: "not allowed in the building" answers "Are pets allowed?"."""
    leads = [clause.items[at].lead for at in clause.denied if at < len(clause.items)]
    return clause.language == "en" and bool(leads) and all(lead in _PLACES for lead in leads)


_PLACES = frozenset({"in", "on", "at", "inside", "within", "near"})


def _any(clause: Clause, answered: set[int]) -> bool:
    inside = [at for at in clause.denied if at < len(clause.items)]
    if clause.language == "en" and len(inside) == 1 and clause.items[inside[0]].shown.lower() in _PLACING:
        return True  # what does not belong in a bin does not go there
    if clause.language == "en":
        inside += _joined(clause, inside)
    if clause.language != "en":  # where the verb ends its part, what stands behind a "not" may be of the next one
        inside = [at for at in inside if not clause.items[at].segment]
    return not inside or any(at in answered for at in inside)


_PLACING = frozenset({"belong", "belongs", "go", "goes"})


def _joined(clause: Clause, denied: Sequence[int]) -> list[int]:
    """Return what stands beside a denied word in a list: "not in rooms and on balconies", "cannot be sold or lent"."""
    first = min(denied, default=len(clause.items))
    edges = {at: word for word, at in clause.joins if first < at < len(clause.items)}
    acts = bool(edges) and is_verb(clause.items[first].shown.lower())
    return [
        at
        for at, word in sorted(edges.items())
        if (acts and word == "or") or not is_verb(clause.items[at].shown.lower())
    ]


def _spoken(a: ClauseAlignment) -> tuple[Force, Force]:
    """Return the states of the parts that hold most of the words that answer each other."""
    ours, theirs = a.claim, a.source
    if ours.state == theirs.state:
        return ours.state, theirs.state
    parts = Counter((ours.items[pair.claim].segment, theirs.items[pair.source].segment) for pair in a.pairs)
    if not parts:
        return ours.state, theirs.state
    (one, other), count = parts.most_common(1)[0]
    loose = ("WHO", *SIDE)
    if count * 2 <= len(a.pairs) or (one and ours.segments[one].op not in loose):
        one = 0
    if count * 2 <= len(a.pairs) or (other and theirs.segments[other].op not in loose):
        other = 0
    its = theirs.segments[other]
    if its.op == "WHO" and _POSSIBLE.match(its.shown.lower()):
        return ours.segments[one].state, theirs.state
    return ours.segments[one].state, its.state


_POSSIBLE = re.compile(
    r"(?:that|which|who) (?:can|could|may|might)\b.{0,200}\b(?:is|are|was|were|has|have|will|must)\b"
)
"""What tells a thing apart by what it can do, before the verb that says something of it."""


def _relative(a: ClauseAlignment, *, reply: bool) -> tuple[int, tuple[str, str] | None]:
    """Return -1 where the main parts speak of opposites, else 1, and the words that are."""
    mine, its = a.claim.items, a.source.items
    main = [pair for pair in a.pairs if mine[pair.claim].segment == 0 and its[pair.source].segment == 0]
    if sum(item.figure for item in its) > 1 and any(item.figure for item in mine):
        # "Open from 8 to 12" says that it closes at 12.
        main = [pair for pair in main if pair.sign > 0 or mine[pair.claim].word.root not in HOURS]
    # "Above 25 EUR" and "below 25 EUR" are bounds, compared as such.
    main = [pair for pair in main if pair.sign > 0 or not _bounding(mine, pair.claim)]
    turned = [pair for pair in main if pair.sign < 0]
    relative = prod(pair.sign for pair in main)
    shown = (mine[turned[0].claim].shown, its[turned[0].source].shown) if turned else None
    answered = {pair.claim for pair in a.pairs}
    used = {pair.source for pair in a.pairs}
    lost = _denying(mine, answered), _denying(its, used)
    if lost[1] is not None and lost[1].word.root in ENDED and any(item.word.root == NOTICE for item in mine):
        lost = lost[0], None  # whoever has a notice of three months may terminate with one
    if a.covered < HALF or (not reply and (a.covered < NEARLY_ALL - 0.1 or a.used < HALF)):
        lost = None, None
    if lost[1] is not None and (
        _is_adjunct(a.claim)
        or _of_other_part(a.source, lost[1].place, used)
        # "Members pay 7 EUR, children are free" has one sum, and a claim with that speaks of members.
        or (lost[1].shown.lower() == "free" and any(item.figure and item.place in used for item in its))
    ):
        lost = lost[0], None
    for denying, other in ((lost[0], a.source), (lost[1], a.claim)):
        if denying is not None:
            relative = -relative
            if shown is None:
                told = other.segments[0].shown
                shown = (denying.shown, told) if other is a.source else (told, denying.shown)
    return (1 if relative >= 0 else -1), shown


def _is_adjunct(clause: Clause) -> bool:
    """Tell whether a clause says when or how alone, its verb being that of its question.

    "Within 14 days" of what may be withdrawn denies nothing of that.
    """
    shown = clause.segments[0].shown
    return _ADJUNCT.match(shown) is not None and clause.state == "YES" and FINITE.isdisjoint(shown.lower().split())


_ADJUNCT = re.compile(
    r"(?:$|(?:within|until|till|up to|by|before|after|from|for|during|on|at|in|between|with|without|upon)\b)",
    re.IGNORECASE,
)


def _bounding(items: Sequence[Item], at: int) -> bool:
    """Tell whether a word bounds the figure behind it."""
    return at + 1 < len(items) and items[at + 1].figure and items[at].shown.lower() in BOUNDING


BOUNDING = word_set(
    "above over exceed exceeding exceeds below under beneath before after within longer shorter heavier lighter larger"
    " smaller older younger higher lower greater more less fewer minimum maximum min max"
)


def _freed(word: str, its: Force) -> bool:
    """Tell whether a word frees of what a source says is not needed: what is exempt needs no permit."""
    return its == "NOTNEED" and root_of(word.lower()) in FREED


FREED = frozenset(root_of(word) for word in ("exempt", "exempted", "excused", "spared"))
"""What these say of somebody is that no duty is his."""


NOTICE, ENDED = root_of("notice"), frozenset(root_of(word) for word in ("terminate", "cancel", "withdraw", "quit"))
"""By what somebody ends a contract, and what says that he does."""
ENDINGS = frozenset(root_of(word) for word in ("expire", "lapse"))
"""What "expires after 60 days" is valid for 60 days: with a figure these deny nothing."""


HOURS = frozenset(root_of(word) for word in ("open", "opens", "close", "closes", "closed", "begin", "end", "start"))


def _of_other_part(source: Clause, place: int, used: set[int]) -> bool:
    """Tell whether a word stands in a part of a list that the claim speaks less of than of another one."""
    edges = [at for word, at in source.joins if word != ","]
    if any((edge == place + 1 and edge in used) or (edge == place and place - 1 in used) for edge in edges):
        return True
    parts = Counter(sum(edge <= at for edge in edges) for at in used)
    own = sum(edge <= place for edge in edges)
    return any(count > parts[own] for part, count in parts.items() if part > own)


def _denying(items: Sequence[Item], answered: set[int]) -> Item | None:
    """Return a word of the main part that denies and that nothing answers."""
    for at, item in enumerate(items):
        if not item.word.denies or item.segment or item.place in answered or item.capital:
            continue
        shown = item.shown.lower()
        if (item.lead == "of" and not shown.endswith("ed")) or _tells_which(items, at):
            continue  # "within a week of the cancellation"
        if item.word.root in ENDINGS and any(each.figure for each in items):
            return None
        # "free of charge" denies where it is what is said of something: "delivery is free".
        return item if not shown.startswith("free") or item.lead in ("is", "are", "be") else None
    return None


def _tells_which(items: Sequence[Item], at: int) -> bool:
    """Tell whether a word that denies tells which thing is meant, before its name: "a lost card", "expired tickets"."""
    item, after = items[at], items[at + 1] if at + 1 < len(items) else None
    if after is None or after.lead or after.figure or after.segment != item.segment or item.shown.lower() == "free":
        return False
    if item.lead in _LEADING and item.shown.lower().endswith(PARTICIPLES):
        return True  # "charged for lost devices"
    return item.lead in ARTICLES or (at == 0 and not item.lead and item.shown.lower().endswith(PARTICIPLES))


_LEADING = frozenset(("for", "of", "with", "on", "to", "in", "from", "as"))
ARTICLES = frozenset(("a", "an", "the", "any", "each", "every", "your", "their", "his", "her", "its", "our", "my"))
PARTICIPLES = ("ed", "lost", "drawn", "void", "valid", "able")


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST_SHOWN else words[: LONGEST_SHOWN - 3].rsplit(" ", 1)[0] + "..."
