"""Who does what: the agent of a clause in either voice, another agent for the same act, two that changed places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adapters.caching import cached
from scorers.statements.alignment import ClauseAlignment
from scorers.statements.base import Difference
from scorers.statements.clauses import FIGURE_WEIGHT, Clause, Item
from scorers.statements.lexicon.verbs import MUTUAL
from scorers.statements.words import excludes, is_verb, relation, root_of
from scorers.text.normalize import MONTHS

_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am"})
_ACTING = frozenset(
    {"", "MAY", "MUST", "NEED", "SHOULD", "NEG", "FORBID", "NOTNEED", "ONLY", "to", "will", "does", "do", "or"}
)
LONGEST_AGENT = 4

EXCHANGED, KNOWN, OF_A_SET, NEW, OTHER = 0.85, 0.8, 0.7, 0.68, 0.45
"""How sure it is that another agent is wrong: that two changed places, that the sources name it elsewhere, that both
are members of a set, that a copy of the source has it, and that it is another word."""

LEAST_USED = 0.4
"""Share of the source's clause, but for its agent, that a claim must hold."""


@cached(maxsize=1)
def _mutual() -> frozenset[str]:
    return frozenset(root_of(word) for word in MUTUAL)


def agent(clause: Clause) -> tuple[tuple[Item, ...], Item] | None:
    """Return who acts in a clause and the verb, or ``None`` where that cannot be told.

    >>> from scorers.statements.clauses import read_clauses
    >>> texts = "The head office signs it.", "It is signed by the head office."
    >>> told = [agent(read_clauses(text)[0]) for text in texts]
    >>> [([item.shown for item in found[0]], found[1].shown) for found in told if found]
    [(['head', 'office'], 'signs'), (['head', 'office'], 'signed')]
    """
    if clause.language != "en":
        return None
    if clause.passive:
        return _behind_by(clause)
    items = clause.items
    for at, item in enumerate(items):
        if item.segment:
            return None
        if at and item.lead in _ACTING and not item.figure and is_verb(item.shown.lower()):
            if item.capital:
                return None  # "Restoring: Open a request": what stands before it is a label
            following = items[at + 1] if at + 1 < len(items) else None
            if following is None or following.lead not in _BE:
                who = tuple(each for each in items[:at] if not each.figure)
                return (who, item) if 0 < len(who) <= LONGEST_AGENT and not _leads(items[:at]) else None
    return None


def _leads(who: Sequence[Item]) -> bool:
    """Tell whether words of a subject belong to something that hangs on it."""
    return any(item.lead not in ("", "ALL", "ONLY", "NEG", "SOME", "other", "others") for item in who)


def _behind_by(clause: Clause) -> tuple[tuple[Item, ...], Item] | None:
    start = next((item.place for item in clause.items if item.lead == "BY" and item.segment == 0), None)
    if not start or clause.items[start].shown.lower() in MONTHS:
        return None
    who = []
    for item in clause.items[start:]:
        if item.place > start and (item.lead or item.segment or " " in item.shown or item.shown.endswith("ly")):
            break
        if not item.figure:
            who.append(item)
    verb = next((i for i in reversed(clause.items[:start]) if i.lead in _BE or i.lead in {"NEG", ""}), None)
    return (tuple(who), verb) if verb is not None and 0 < len(who) <= LONGEST_AGENT else None


def differences(a: ClauseAlignment, elsewhere: frozenset[str]) -> Iterator[Difference]:
    """Yield another agent of the same act; ``elsewhere`` are roots of words that the sources have in other places."""
    ours, theirs = agent(a.claim), agent(a.source)
    if ours is None or theirs is None or relation(ours[1].word, theirs[1].word) <= 0:
        return
    mine, its = {item.place for item in ours[0]}, {item.place for item in theirs[0]}
    answered = {pair.claim: pair.source for pair in a.pairs}
    shown = " ".join(item.shown for item in ours[0]), " ".join(item.shown for item in theirs[0])
    if all(answered.get(at, -1) not in its and at in answered for at in mine):
        back = {pair.source for pair in a.pairs if pair.claim not in mine}
        if its <= back and ours[1].word.root not in _mutual():
            yield Difference("role", *shown, EXCHANGED)
            return
    if not _same_act(a, (mine, its), elsewhere) or _one_of(ours[0], theirs[0]):
        return
    if all(i.word.root in elsewhere for i in ours[0]):
        strength = KNOWN
    elif excludes(ours[0][-1].word, theirs[0][-1].word):
        strength = OF_A_SET
    else:
        strength = NEW if _copied(a, mine) and not _loose(ours[0]) and not _loose(theirs[0]) else OTHER
    yield Difference("role", *shown, strength)


def _copied(a: ClauseAlignment, mine: set[int]) -> bool:
    """Tell whether all that a claim says but for who acts is told in the words of the source."""
    exact = {pair.claim for pair in a.pairs if pair.exact}
    rest = [item for item in a.claim.items if item.place not in mine]
    return len(rest) > LEAST_COPIED and all(item.place in exact for item in rest)


LEAST_COPIED = 2
"""Words besides who acts of which a claim must have more for it to be a copy."""


def _loose(who: Sequence[Item]) -> bool:
    """Tell whether an agent is named so loosely that another word for it is likely."""
    return any(item.weight < 1 or item.word.root in _LOOSE for item in who)


_LOOSE = frozenset(map(root_of, ("company", "firm", "team", "office", "department", "desk", "service", "organisation")))


def _one_of(ours: Sequence[Item], theirs: Sequence[Item]) -> bool:
    """Tell whether two agents share a word or its meaning."""
    return any(relation(one.word, other.word) > 0 for one in ours for other in theirs)


def _same_act(a: ClauseAlignment, agents: tuple[set[int], set[int]], elsewhere: frozenset[str]) -> bool:
    """Tell whether a source tells of the same act, whoever does it."""
    mine, its = agents
    answered = {pair.claim: pair.source for pair in a.pairs}
    rest = [i for i in a.claim.items if i.place not in mine and i.weight > FIGURE_WEIGHT]
    told = [i for i in a.source.items if i.place not in its and i.weight > FIGURE_WEIGHT]
    elided = False
    if len(told) == 1:  # "the board approves it": to what it is done stands before
        left = [i for i in rest if i.place in answered or i.word.root not in elsewhere]
        elided, rest = len(left) == 1 and len(rest) > 1, left
    if not rest or any(answered.get(i.place, -1) in its or i.place not in answered for i in rest):
        return False
    used = set(answered.values())
    if sum(i.place in used for i in told) < LEAST_USED * len(told):
        return False
    return elided or len(rest) > 1 or any(i.figure for i in a.claim.items)
