"""Who does what, and what has which value: another member of a set, another name, two that changed places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorers.statements.alignment import ClauseAlignment, Slot
from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.clauses import FIGURE_WEIGHT, Clause, Item
from scorers.statements.words import excludes, is_verb, relation
from scorers.text.normalize import MONTHS

_DATES = frozenset(MONTHS)
LONGEST_SLOT = 3


def differences(a: ClauseAlignment, elsewhere: frozenset[str]) -> Iterator[Difference]:
    """Yield members of a set, substituted words and exchanged roles."""
    paid = all(any(item.figure for item in clause.items) for clause in (a.claim, a.source))
    for ours, theirs in a.apart:
        if (paid or _how_often(a)) and _for_a_time(ours) and _for_a_time(theirs):
            continue  # "120 EUR a year" may be "10 EUR a month": quantities tell
        kind: DifferenceKind = "date" if ours.shown.lower() in _DATES else "entity"
        yield Difference(kind, ours.shown, theirs.shown, 0.9)
    apart = {ours.place for ours, _ in a.apart}
    for slot in a.slots:
        strength = _substituted(a, slot, elsewhere)
        if strength and not any(item.place in apart for item in slot.claim):
            yield Difference("entity", _shown(slot.claim), _shown(slot.source), strength)
    yield from _single(a)
    yield from _of_list(a)
    yield from _roles(a)
    yield from _of_another_part(a)


def _how_often(a: ClauseAlignment) -> bool:
    """Tell whether one of both counts how often something is: "four times a year" is "every quarter"."""
    return any(
        item.shown.lower() in _OFTEN or item.shown.lower().endswith(" times")
        for item in (*a.claim.items, *a.source.items)
    )


_OFTEN = frozenset({"once", "twice", "thrice", "times"})


def _for_a_time(item: Item) -> bool:
    return item.shown.partition(" ")[0].lower() in _RATED


_RATED = frozenset({"per", "a", "an", "each", "every"})


def acts(item: Item) -> bool:
    """Tell whether a word is a verb, as far as its form or the little word before it tells."""
    return item.lead in _VERBAL or is_verb(item.shown.lower())


def subject(clause: Clause) -> frozenset[int]:
    """Return the places of the words before the first verb of a clause, none where that cannot be told.

    >>> from scorers.statements.clauses import read_clauses
    >>> sorted(subject(read_clauses("Application documents are kept for ten years.")[0]))
    [0, 1]
    """
    for item in clause.items:
        if item.place and acts(item):
            return frozenset(range(item.place))
    return frozenset()


_VERBAL = frozenset({"is", "are", "was", "were", "be", "MAY", "MUST", "NEED", "SHOULD", "FORBID", "NOTNEED", "NEG"})


def _of_another_part(a: ClauseAlignment) -> Iterator[Difference]:
    """Yield what a source says of another part of a list: "open on Monday and closed on Sunday"."""
    edges = [at for word, at in a.source.joins if word != ","]
    if not edges or any(item.figure for item in a.claim.items):
        return
    free = {item.place for item in a.source.items if item.word.concepts} - {pair.source for pair in a.pairs}
    if not free:
        return
    rivals = [item for item in a.source.items if item.place in free]
    for pair in a.pairs:
        told = a.source.items[pair.source]
        other = next((each for each in rivals if relation(each.word, told.word) < 0), None)
        if other is None:
            continue
        part = [sum(edge <= item.place for edge in edges) for item in a.source.items]
        if part[other.place] == part[pair.source]:
            continue
        theirs = {part[each.source] for each in a.pairs if a.source.items[each.source].word.members}
        if part[other.place] in theirs and part[pair.source] not in theirs:
            yield Difference("opposite", a.claim.items[pair.claim].shown, other.shown, 0.8)
            return


def _shown(items: Sequence[Item]) -> str:
    return " ".join(item.shown for item in items)


TOLD_REST = 0.34
"""What a word of the source beyond the claim's counts, beside one of the claim's beyond the source's."""


SHORT = 2
LEADS = frozenset(["by", "of", "in", "for", "to", "at", "from", "with", "BY"])
"""What stands before words that name a thing: an agent, a place, a receiver."""


def _substituted(a: ClauseAlignment, slot: Slot, elsewhere: frozenset[str]) -> float:
    """Return how sure it is that the words of a slot are another thing than those in their place."""
    source = a.source
    ours = [item for item in slot.claim if item.weight > FIGURE_WEIGHT]
    theirs = [item for item in slot.source if item.weight > FIGURE_WEIGHT]
    aside = any(a.claim.segments[item.segment].op == "ASIDE" for item in ours)
    # "Ask the platform team to restart it" tells whom to turn to.
    aside = aside or (bool(ours) and ours[0].place == 0 and ours[0].shown.lower() in _ASKING)
    if aside or not ours or not theirs or len(ours) > LONGEST_SLOT or len(theirs) > LONGEST_SLOT:
        return 0.0
    if _cut(ours[-1], theirs[-1], source.items) or _short_for(ours, theirs) or _short_for(theirs, ours):
        return 0.0
    if any(op == "ONLY" and theirs[0].place - 1 <= at <= theirs[-1].place for op, at, _ in source.scopes):
        return 0.8 if a.source.state not in ("YES", "NO") else 0.4
    if all(item.capital for item in ours) and all(item.capital for item in theirs):
        return 0.8
    others = [each for each in a.slots if each is not slot]
    rest = sum([item.weight for each in others for item in each.claim], 0.0)
    rest += TOLD_REST * sum([item.weight for each in others for item in each.source], 0.0)
    if rest > 1 or len(a.pairs) < 2 or not _plain(slot.claim, slot.source):  # noqa: PLR2004 - a subject and a verb
        return 0.0
    there = sum([item.word.root in elsewhere for item in ours], 0.0) / len(ours)
    known = all(item.word.concepts or item.word.members for item in (*ours, *theirs))
    if there == 1:
        return 0.65 if known else 0.55
    if known and len(ours) == len(theirs):
        return 0.55
    ruled = a.source.state not in ("YES", "NO") and max(len(ours), len(theirs)) <= SHORT
    return 0.56 if ruled and not rest and ours[0].lead in LEADS else 0.0


_ASKING = frozenset({"ask", "let", "have", "get", "tell", "request", "contact", "call", "use", "make", "go", "talk"})
"""Verbs that tell whom to turn to."""


def _short_for(short: Sequence[Item], name: Sequence[Item]) -> bool:
    """Tell whether a word has the initials of a name: "NYC" and "New York City"."""
    if len(short) > 1 or len(name) < SHORT or not short[0].shown.isupper():
        return False
    return short[0].shown == "".join([item.shown[:1].upper() for item in name])


def _cut(ours: Item, theirs: Item, items: Sequence[Item]) -> bool:
    """Tell whether the last word of the source may be a part of ours: a chunk can end within a word."""
    return theirs.place == items[-1].place and ours.shown != theirs.shown and ours.shown.startswith(theirs.shown)


REPLACED = 0.7
"""How sure it is that a thing is wrong that stands where the source has another one, both told of in the sources."""


def replaced(a: ClauseAlignment, elsewhere: frozenset[str]) -> Iterator[Difference]:
    """Yield the one thing in which a claim differs from a source, first of all one that the sources tell of elsewhere.

    "Water is available in the laboratory" beside "Water is available in the break room": all but one slot is the same.
    """
    if a.claim.language != "en":
        return
    open_slots = [slot for slot in a.slots if any(item.weight > FIGURE_WEIGHT for item in slot.claim)]
    if len(open_slots) != 1:
        return
    slot = open_slots[0]
    ours = [item for item in slot.claim if item.weight > FIGURE_WEIGHT]
    theirs = [item for item in slot.source if item.weight > FIGURE_WEIGHT]
    if not ours or not theirs or len(ours) > LONGEST_SLOT or len(theirs) > LONGEST_SLOT or not _plain(ours, theirs):
        return
    if any(a.claim.segments[item.segment].op == "ASIDE" for item in ours):
        return
    if ours[0].lead not in LEADS or any(item.figure for item in (*slot.claim, *slot.source)):
        return
    if any(relation(one.word, other.word) for one in ours for other in theirs) or _spelled(ours[-1], theirs[-1]):
        return
    if _short_for(ours, theirs) or _short_for(theirs, ours):
        return
    if _modifies(a.claim.items, ours[-1]) or _modifies(a.source.items, theirs[-1]):
        return
    alike = sum([a.claim.items[pair.claim].weight for pair in a.pairs if pair.sign > 0], 0.0)
    rest = sum([item.weight for each in a.slots if each is not slot for item in each.source], 0.0)
    known = all(item.word.root in elsewhere for item in ours)
    if alike >= LEAST_ALIKE and rest <= (MOST_REST if known else LEAST_REST):
        yield Difference("entity", _shown(slot.claim), _shown(slot.source), REPLACED if known else ANOTHER)


LEAST_ALIKE, MOST_REST, LEAST_REST = 1.4, 2.0, 1.0
ANOTHER = 0.66
ALIKE = 0.75


def _modifies(items: Sequence[Item], last: Item) -> bool:
    """Tell whether a word belongs to the one behind it: "a particular event"."""
    behind = items[last.place + 1] if last.place + 1 < len(items) else None
    return behind is not None and not behind.lead and behind.segment == last.segment and not behind.figure


def _spelled(one: Item, other: Item) -> bool:
    """Tell whether two words are perhaps one, spelled in two ways: "colour", "color"."""
    mine, its = one.word.root, other.word.root
    pairs, others = {mine[at : at + 2] for at in range(len(mine) - 1)}, {its[at : at + 2] for at in range(len(its) - 1)}
    return len(pairs & others) >= ALIKE * min(len(pairs), len(others), 99) > 0


def _single(a: ClauseAlignment) -> Iterator[Difference]:
    """Yield "one nurse" beside "two nurses": a number of one is written like an article."""
    for pair in a.pairs:
        ours, theirs = a.claim.items[pair.claim], a.source.items[pair.source]
        if "one" not in (ours.lead, theirs.lead):
            continue
        for one, other, clause in ((ours, theirs, a.source), (theirs, ours, a.claim)):
            before = clause.items[other.place - 1] if other.place else None
            beside = a.source if clause is a.claim else a.claim
            if before is not None and any(item.figure and item.shown == before.shown for item in beside.items):
                continue  # "one review for pages, two for legal texts"
            if one.lead == "one" and before is not None and _counts_another(before, other, one, clause):
                words = "one", before.shown
                yield Difference("quantity", *(words if one is ours else words[::-1]), SINGLE)
                return


def _counts_another(before: Item, other: Item, one: Item, clause: Clause) -> bool:
    """Tell whether the number before a word is another one than "one", which its clause does not say of it as well."""
    if not before.figure or before.shown in ("1", "one") or (",", other.place) in clause.joins:
        return False
    # "One node can fail with two, two nodes with three" says both.
    return not any(item.lead == "one" and item.word.root == one.word.root for item in clause.items)


SINGLE = 0.75


def _of_list(a: ClauseAlignment) -> Iterator[Difference]:
    """Yield what a list gives to another one: "juniors train on Tuesdays, seniors on Thursdays"."""
    sets = [item for item in a.source.items if item.word.members]
    taken = {pair.source: pair.claim for pair in a.pairs}
    for told in sets:
        if told.place not in taken or not told.lead:
            continue
        rivals = [i for i in sets if i.place not in taken and i.lead not in JOINED and excludes(i.word, told.word)]
        if len(rivals) != 1:
            continue
        first, second = sorted((told.place, rivals[0].place))
        who = subject(a.claim)
        pieces = [
            {at for at in range(first) if at in taken and taken[at] in who},
            {at for at in range(first + 1, second) if at in taken and taken[at] in who},
        ]
        mine = int(told.place == second)
        if not pieces[mine] and pieces[1 - mine] and any(first < i.place < second for i in a.source.items):
            yield Difference("entity", a.claim.items[taken[told.place]].shown, rivals[0].shown, OF_LIST)
            return


OF_LIST = 0.8
JOINED = frozenset({"", "and", "or", ","})


def _plain(ours: Sequence[Item], theirs: Sequence[Item]) -> bool:
    """Tell whether the words of both sides stand alike in their clauses: behind the same little word."""
    return ours[0].lead == theirs[0].lead


def _roles(a: ClauseAlignment) -> Iterator[Difference]:
    """Yield that two words changed places: exactly one exchange in what is else the same, told in the same voice."""
    pairs = [pair for pair in a.pairs if pair.exact]
    if len(pairs) != len(a.pairs) or len(pairs) < 3 or a.covered < 0.9 or a.used < 0.8:  # noqa: PLR2004 - two and a verb
        return
    if (
        a.claim.language != "en"
        or a.claim.passive != a.source.passive
        or len(a.claim.segments) != len(a.source.segments)
    ):
        return
    order = sorted(pair.source for pair in pairs)
    moved = [at for at, pair in enumerate(pairs) if pair.source != order[at]]
    if len(moved) != 2:  # noqa: PLR2004 - one exchange
        return
    one, other = (pairs[at] for at in moved)
    first, second = a.claim.items[one.claim], a.claim.items[other.claim]
    there = a.source.items[order[moved[0]]], a.source.items[order[moved[1]]]
    if (first.lead, second.lead) != (there[0].lead, there[1].lead):
        return
    between = set(range(one.claim + 1, other.claim))
    if not between or any(at in range(one.claim, other.claim + 2) for word, at in a.claim.joins if word != ","):
        return
    yield Difference("role", f"{first.shown} ... {second.shown}", f"{second.shown} ... {first.shown}", 0.85)
