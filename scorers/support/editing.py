"""A sentence of the context told word for word but for one small word: another order, another unit, a lost "not".

What is a copy but for one thing needs no reading of clauses: the words are laid beside each other, and the one place in
which they differ tells. Compared are only words that say an order, a bound, a unit, a place in a row, a number, a
denial or an exception, and who does it; another noun may be another name for the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.words import excludes, is_verb, relation, word_of
from scorers.support.alignment import Alignment
from scorers.support.copies import BOUNDS, COVERS, ORDER, CopiedWord, copied_words
from scorers.support.joining import joined_otherwise
from scorers.text.normalize import behind_particle, word_set

LEAST_TOLD = 0.7
"""Share of a claim, weighted by rarity, that a sentence must have to be compared word by word."""

LEAST_COPIED, MOST_OTHER = 3, 0.25
"""Words with content that a copy must have, and the share of those of the claim that may stand for others."""

SHORTEST, MOST_WORDS = 2, 2
"""Words with content that the shortest copy has, and other words that any copy may have."""

LONGEST = 400
"""Characters of a claim or a sentence that are compared."""

SURE = 0.85
"""How sure it is that a copy with one small word changed says something else."""


class CopyEdit(NamedTuple):
    """What a claim changes in a sentence of its context: the difference, the source, and the sentence."""

    difference: Difference
    source: int
    words: str


_AGAINST = {
    "order": frozenset({
        ("before", "after"), ("before", "during"), ("after", "during"), ("after", "until"), ("after", "before"),
        ("during", "before"), ("during", "after"), ("until", "after"),
    }),
    "bound": frozenset({
        ("least", "most"), ("most", "least"), ("more", "less"), ("less", "more"), ("most", "more"), ("more", "most"),
        ("least", "less"), ("less", "least"),
    }),
    "cover": frozenset({("with", "without"), ("without", "with"), ("inside", "outside"), ("outside", "inside")}),
}  # fmt: skip
"""Which of two words contradict each other, the claim's first."""

_KINDS: dict[str, DifferenceKind] = {
    "order": "order", "bound": "bound", "unit": "unit", "measure": "unit", "row": "entity",
    "number": "quantity", "cover": "exception",
}  # fmt: skip


def edited(a: Alignment) -> CopyEdit | None:
    """Return what a claim changes in the sentence of prose that it copies, ``None`` where it copies none or all of one.

    A sentence that has all of the claim acquits, whatever another one says.
    """
    claim = a.claim.sentence.words
    if len(claim) > LONGEST:
        return None
    ours: Sequence[CopiedWord] | None = None
    found: CopyEdit | None = None
    for weight, source, at in a.nearest_sentences():
        if -weight < LEAST_TOLD * a.total:
            break
        sentence = a.context.sources[source].sentences[at]
        if sentence.kind == "question" or len(sentence.words) > LONGEST:
            continue
        joined = joined_otherwise(claim, sentence.words)
        if joined is not None:
            found = found or CopyEdit(joined, source, sentence.words)
            continue
        if ours is None:
            ours = copied_words(claim[behind_particle(claim) :])
        difference, copied = changed(ours, copied_words(sentence.words[behind_particle(sentence.words) :]))
        if copied:
            return None
        if difference is not None and found is None:
            found = CopyEdit(difference, source, sentence.words)
    return found


Opcodes = Sequence[tuple[str, int, int, int, int]]
"""What `SequenceMatcher` says: an operation, and the places of the claim and of the sentence."""


def changed(ours: Sequence[CopiedWord], theirs: Sequence[CopiedWord]) -> tuple[Difference | None, bool]:
    """Return the one thing that a claim changes in a sentence, and whether it has all of the claim unchanged.

    >>> one, other = copied_words("Guests leave after noon."), copied_words("Guests must leave before noon on Sundays.")
    >>> changed(one, other)[0]
    Difference(kind='order', claimed='after', told='before', strength=0.85)
    """
    content = [word for word in ours if word.kind in ("", "number")]
    there = {word.key for word in theirs}
    shared = sum(word.key in there for word in content)
    if not _is_copy(shared, content):
        return None, False  # it cannot be one, in whichever order the words stand
    matcher = SequenceMatcher(None, [w.key for w in ours], [w.key for w in theirs], autojunk=False)
    codes = matcher.get_opcodes()
    copied = sum(word.kind in ("", "number") for op, i, j, _, _ in codes if op == "equal" for word in ours[i:j])
    if not _is_copy(copied, content):
        return None, False
    found: list[Difference] = []
    other, denied = 0, False
    if (rated := _rates(codes, ours, theirs)) is not None:
        return rated, False
    for at, (op, i1, i2, j1, j2) in enumerate(codes):
        if op == "equal":
            continue
        mine, its = ours[i1:i2], theirs[j1:j2]
        edge = at == 0, at == len(codes) - 1
        difference = _difference(mine, its, (ours, i1, i2), (theirs, j1, j2), edge)
        if difference is not None:
            found.append(difference)
        else:
            other += sum(word.kind not in ("little", "never") for word in mine)
            inner = not (edge[0] or edge[1])
            denied = denied or any(word.kind == "never" for word in (*mine, *(its if inner else ())))
    if not found:
        return None, not other and copied == len(content)
    foreign = len(content) - shared
    most = MOST_FOREIGN.get(found[0].kind, 1)
    if len(found) > 1 or other > 1 or foreign > most:
        return None, False
    if denied or (found[0].kind == "polarity" and (other or _singles_out(ours, theirs))):
        return None, False
    return found[0], False


def _is_copy(copied: int, content: Sequence[CopiedWord]) -> bool:
    """Tell whether so many of the words of a claim make it a copy."""
    if copied < LEAST_COPIED and (copied < SHORTEST or len(content) > LEAST_COPIED):
        return False
    return len(content) - copied <= max(MOST_WORDS, MOST_OTHER * len(content))


MOST_FOREIGN = {"polarity": 0, "quantity": 1}
"""Words of a claim that a sentence may not have, by what differs: a verb of its own may turn a denial round."""


def _singles_out(ours: Sequence[CopiedWord], theirs: Sequence[CopiedWord]) -> bool:
    """Tell whether one speaks of some alone or of all but some, who may be denied something, or forbids by a verb."""
    return any(word.key in _SINGLING or word.shown in _FORBIDDING for word in (*ours, *theirs))


_SINGLING = word_set("only except but other others just unless apart excluding either neither")


_FORBIDDING = word_set(
    "prohibited forbidden banned barred refused denied excluded ineligible impossible prohibits forbids"
)


def _rates(codes: Opcodes, ours: Sequence[CopiedWord], theirs: Sequence[CopiedWord]) -> Difference | None:
    """Return the unit behind a "per" that is another one: "450 EUR a month for two semesters" is not "a semester"."""
    for op, i1, i2, j1, _ in codes:
        for at in range(i1, i2) if op == "equal" else ():
            one, other = ours[at + 1 : at + 2], theirs[j1 + at - i1 + 1 : j1 + at - i1 + 2]
            units = bool(one and other) and one[0].kind == other[0].kind == "unit" and one[0].key != other[0].key
            if ours[at].key == "per" and units:
                return Difference("unit", f"per {one[0].shown}", f"per {other[0].shown}", SURE)
    return None


DifferingPlace = tuple[Sequence[CopiedWord], int, int]
"""Words, and from where to where they differ."""


def _difference(
    mine: Sequence[CopiedWord],
    its: Sequence[CopiedWord],
    ours: DifferingPlace,
    theirs: DifferingPlace,
    edge: tuple[bool, bool],
) -> Difference | None:
    """Return in what one place differs that a claim changes."""
    a = [word for word in mine if word.kind != "little"]
    b = [word for word in its if word.kind != "little"]
    if edge[1] and a and len(b) > len(a) and its[0].kind == mine[0].kind:
        b = b[: len(a)]  # the sentence goes on
    if len(a) == len(b) == 1 and a[0].kind == b[0].kind and a[0].kind in _KINDS:
        return _of_kind(a[0], b[0], ours, theirs)
    if len(a) == len(b) == 1 and {a[0].shown, b[0].shown} in _IN_AND_OUT:
        return Difference("order", a[0].shown, b[0].shown, SURE)
    return _denied(mine, its, edge) or _agent(mine, its, ours, theirs)


_IN_AND_OUT = ({"during", "outside"},)
BY = 0.75
"""How sure it is that another one does it than the sentence says."""
LONGEST_NAME = 3
"""Words of a name."""
_WE = word_set("we us our")
_PARTY = word_set("we us our you your")


def _agent(
    mine: Sequence[CopiedWord], its: Sequence[CopiedWord], ours: DifferingPlace, theirs: DifferingPlace
) -> Difference | None:
    """Return that another one does it, or that it is another one's."""
    one, other = _name(mine), _name(its) if ours[1] else _last_name(its)
    if not one or not other or any(_akin(x, y) for x in one for y in other):
        return None
    before = ours[0][ours[1] - 1].key if ours[1] else "", theirs[0][theirs[1] - 1].key if theirs[1] else ""
    shown = " ".join(word.shown for word in one), " ".join(word.shown for word in other)
    if before == ("by", "by") and one[0] is mine[0] and other[0] is its[0]:
        return Difference("role", *shown, BY)
    behind = ours[0][ours[2]] if ours[2] < len(ours[0]) else None
    if (
        not ours[1]
        and behind is not None
        and _acts(behind)
        and excludes(word_of(one[-1].shown), word_of(other[-1].shown))
    ):
        return Difference("role", *shown, BY)
    return None


def _acts(word: CopiedWord) -> bool:
    return word.shown in _FORCES or (word.kind == "" and is_verb(word.shown))


_FORCES = word_set("must may can could should might shall will has have needs need")


def _name(words: Sequence[CopiedWord]) -> Sequence[CopiedWord]:
    """Return the words that name somebody at the beginning of a place that differs."""
    end = next((at for at, w in enumerate(words) if w.kind and w.shown not in _PARTY), len(words))
    return words[:end] if end <= LONGEST_NAME else ()


def _last_name(words: Sequence[CopiedWord]) -> Sequence[CopiedWord]:
    """Return the words that name somebody at the end of a place that differs: "if it is late and the manager"."""
    start = next((at for at in range(len(words) - 1, -1, -1) if words[at].kind and words[at].shown not in _PARTY), -1)
    found = words[start + 1 :]
    return found if len(found) <= LONGEST_NAME else ()


def _akin(one: CopiedWord, other: CopiedWord) -> bool:
    """Tell whether two words may name the same one."""
    if one.key == other.key:
        return True
    mine, its = one.shown in _WE, other.shown in _WE
    if mine or its:
        return (other if mine else one).shown not in _SIDES
    return relation(word_of(one.shown), word_of(other.shown)) > 0


_SIDES = word_set(
    "you your customer customers client clients buyer buyers tenant tenants recipient recipients sender senders user"
    " users employee employees guest guests passenger passengers applicant applicants member members patient patients"
    " policyholder policyholders borrower borrowers supplier suppliers student students"
)
"""Those whom whoever says "we" speaks to or of, and is not."""


def _of_kind(one: CopiedWord, other: CopiedWord, ours: DifferingPlace, theirs: DifferingPlace) -> Difference | None:
    kind = one.kind
    if kind == "order":
        against = (ORDER[one.shown], ORDER[other.shown]) in _AGAINST["order"]
    elif kind == "bound":
        against = (BOUNDS[one.shown], BOUNDS[other.shown]) in _AGAINST["bound"]
    elif kind == "cover":
        against = (COVERS[one.shown], COVERS[other.shown]) in _AGAINST["cover"]
    elif any(word.key == one.key for word in theirs[0]):
        against = False  # it stands there as well, of something else
    elif kind == "unit":
        against = _counted(*ours) and _counted(*theirs)
    elif kind == "number":
        against = _bounds(*theirs) == _bounds(*ours) and not _ranges(*theirs) and not _ranges(*ours)
    else:
        against = True
    if not against:
        return None
    return Difference(_KINDS[kind], one.shown.replace("atm", "at m").replace("atl", "at l"), other.shown, SURE)


def _counted(words: Sequence[CopiedWord], start: int, end: int) -> bool:
    """Tell whether a unit stands behind a figure or a "per"."""
    before = next((word for word in reversed(words[:start]) if word.kind != "little" or word.key == "per"), None)
    inside = any(word.kind == "number" or word.key == "per" for word in words[start:end])
    return inside or (before is not None and (before.kind == "number" or before.key == "per"))


def _bounds(words: Sequence[CopiedWord], start: int, end: int) -> str:
    """Return the bound before a figure: beside another one, or none, it may be one of its cases."""
    near = [*words[max(0, start - 2) : end]]
    return next((BOUNDS[word.shown] for word in near if word.kind == "bound"), "within" if _has(near, "within") else "")


def _has(words: Sequence[CopiedWord], key: str) -> bool:
    return any(word.key == key for word in words)


def _ranges(words: Sequence[CopiedWord], start: int, end: int) -> bool:
    """Tell whether a figure is one end of a range, or one of several."""
    near = [*words[max(0, start - 1) : start], *words[start:end], *words[end : end + 2]]
    return any(word.key in _RANGING for word in near)


_RANGING = word_set("or to and from between than")


def _denied(mine: Sequence[CopiedWord], its: Sequence[CopiedWord], edge: tuple[bool, bool]) -> Difference | None:
    """Return that one denies right there what the other states."""
    ours, theirs = _denies(mine), _denies(its)
    if ours == theirs or any(word.kind == "" for word in (mine if ours or edge[1] else ())) or (ours and _said(its)):
        return None
    if theirs and (_said(mine) or edge[1]):
        return None
    if theirs and edge[0] and any(word.kind in ("number", "bound") for word in its):
        return None  # it denies of a case: "purchases below 250 EUR need no approval"
    shown = " ".join(word.shown for word in mine), " ".join(word.shown for word in its)
    return Difference("polarity", shown[0][:60], shown[1][-60:], SURE)


def _said(words: Sequence[CopiedWord]) -> bool:
    return any(word.kind not in ("little", "never") for word in words)


def _denies(words: Sequence[CopiedWord]) -> bool:
    """Tell whether words deny what stands right behind them."""
    if not words:
        return False
    denying = [word.kind == "never" or word.key == "without" for word in words]
    return denying[-1] or (any(denying) and all(word.kind in ("never", "little", "cover") for word in words))
