"""Who does what to whom: "the museum lends it to the embassy" is "the embassy borrows it from the museum"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from adapters.caching import cached, cached_by_text
from scorers.statements.base import Difference
from scorers.statements.lexicon.verbs import MUTUAL, TRANSFERS
from scorers.statements.parallels import AUXILIARY, DETERMINERS, PERSONAL, is_finite, part_word
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import is_verb, root_of, rooted
from scorers.text.glance import glance
from scorers.text.normalize import word_set
from scorers.text.plain import for_ascii

_TOKEN = re.compile(r"[^\W_]{1,64}(?:['\u2019][^\W\d_]{1,8})?")
_PIECE = re.compile(r"([,;:()\u2014]|\b(?:and|but|while|whereas|that|which|who|whom)\b)")
_TOKEN_ASCII, _PIECE_ASCII = for_ascii(_TOKEN), for_ascii(_PIECE)
_BE = word_set("is are was were be been being am")
_HELPING = _BE | word_set("may must can cannot will shall should could would have has had do does did need needs")
_PHRASES = (
    (
        re.compile(
            r"\b(?:get|gets|got) the better of\b|\b(?:win|wins|won|prevailed) (?:against|over)\b", re.IGNORECASE
        ),
        "beat",
    ),
    (re.compile(r"\b(?:lose|loses|lost) against\b", re.IGNORECASE), "lost to"),
)
"""Verbs of several words, and a single one for each."""
_LED_BY = word_set("get gets got win wins won prevailed lose loses lost")
"""What these begin with."""
_IN_PHRASES = word_set("better win wins won prevailed lose loses lost take takes took taken")
_SKIPPED = word_set("first also always then now usually only already still both all each themselves itself")
_FOLLOWING = word_set("to by from against for in on at with over within through after before until during under into")
_TAKES = word_set("take takes took taken")
_RELATIVE = word_set("that which whom")
_REFERRING = word_set("it them this these those")


class RoleAct(NamedTuple):
    """One does something to another: kind of the act, words that tell who does it, and to whom or what.

    Words are keys as of `scorers.statements.ties.keys_of`; ``shown`` are those who do it, as written.
    """

    kind: WordKey
    doer: frozenset[WordKey]
    other: frozenset[WordKey]
    shown: str
    referred: bool = False
    """Whether a pronoun stands for them, which is taken to be the subject of the clause before."""


class _Clause(NamedTuple):
    verb: str
    passive: bool
    subject: tuple[str, ...]
    behind: Mapping[str, Sequence[str]]
    relative: bool


@cached(maxsize=1)
def _frames() -> Mapping[str, tuple[str, bool]]:
    """Return the kind of transfer of a verb's root, and whether its subject is who gives."""
    return {
        root_of(verb): (line.split()[0], side == 0)
        for line in TRANSFERS
        for side, verbs in enumerate(line.split("|"))
        for verb in verbs.split()
    }


def is_transfer(word: str) -> bool:
    """Tell whether a word is a verb of which one gives to another.

    >>> is_transfer("lends"), is_transfer("increased")
    (True, False)
    """
    return root_of(word.lower()) in _frames()


@cached_by_text(cost=12)
def acts_in(text: str) -> tuple[RoleAct, ...]:
    """Return the acts that a sentence tells of.

    >>> [act.shown for act in acts_in("The report is signed by the chair, and the clerk files a copy.")]
    ['chair', 'clerk']
    """
    found: list[RoleAct] = []
    thing: Sequence[str] = ()
    text = text[:LONGEST]
    if not text.isascii() or not _LED_BY.isdisjoint(glance(text)):
        for phrase, verb in _PHRASES:
            text = phrase.sub(verb, text)
    before: tuple[str, ...] = ()
    for clause in _clauses(text):
        told = clause.behind.get("", ())
        referred = [word.lower() for word in clause.subject] in _IT and bool(before) and not clause.passive
        if referred:
            clause = clause._replace(subject=before)  # noqa: PLW2901 - the same clause with its subject
        before = clause.subject
        if any(word.lower() in _REFERRING for word in told) or (clause.relative and not told):
            told = (*told, *thing)
        elif told:
            thing = told
        found += [act._replace(referred=referred) for act in _acts(clause, told)]
    return tuple(found)


_IT = (["it"], ["they"])


def may_tell(kinds: frozenset[WordKey], text: str) -> bool:
    """Tell whether a text may tell of an act of some kinds, from its words alone: it has a verb for one.

    >>> [may_tell(frozenset({"sign"}), text) for text in ("The chair signed it.", "The clerk files a copy.")]
    [True, False]
    """
    roots = rooted(text)
    if not kinds.isdisjoint(roots) or not all(isinstance(kind, str) and kind.isalnum() for kind in kinds):
        return True
    return not kinds.isdisjoint(_transfers()) and not roots.isdisjoint(_transferring())


@cached(maxsize=1)
def _transfers() -> frozenset[str]:
    return frozenset({"buy", "sue", *(kind for kind, _ in _frames().values())})


@cached(maxsize=1)
def _transferring() -> frozenset[str]:
    """Return the roots of the verbs for a transfer, and of those that are one with other words."""
    return frozenset(_frames()) | {root_of(word) for word in _IN_PHRASES}


def _clauses(text: str) -> Iterator[_Clause]:
    waiting: list[str] = []
    subject: tuple[str, ...] = ()
    token, piece_edge = (_TOKEN_ASCII, _PIECE_ASCII) if text.isascii() else (_TOKEN, _PIECE)
    pieces = piece_edge.split(text)
    for edge, piece in zip(("", *pieces[1::2]), pieces[::2], strict=True):
        tokens = [each for each in token.findall(piece) if each.lower() not in _SKIPPED]
        lower = [each.lower().replace("\u2019", "'") for each in tokens]
        if lower[:1] in (["it"], ["it's"]) and all(word in _BE for word in lower[1:2]):
            waiting = tokens[2 if lower[0] == "it" else 1 :]  # "It is the chair who signs them."
            continue
        at = _verb_at(lower, known=bool(waiting))
        if at is None:
            waiting += tokens
            continue
        own = (*waiting, *tokens[:at])
        waiting = []
        second = _second(lower, at) if edge in _WHO and own and not tokens[:at] else None
        subject = own or subject
        if (clause := _clause(subject, tokens[at:second], lower[at:second])) is not None:
            yield clause._replace(relative=edge in _RELATIVE)
        if second is not None and (clause := _clause(subject, tokens[second:], lower[second:])) is not None:
            yield clause


_PAST = word_set(
    "drew wrote built led won lost sold bought gave took made kept held found chose began sang spoke taught brought"
    " sent met paid ran saw beat grew knew threw flew drove stole broke caught fought felt fed shot struck wove sank"
)


def _second(lower: Sequence[str], at: int) -> int | None:
    """Return where the verb behind a relative clause stands: "a reader who loses a book pays the library"."""
    for place in range(at + 2, len(lower)):
        if lower[place - 1] in AUXILIARY or lower[place - 1] in _FOLLOWING or lower[place - 1] in DETERMINERS:
            continue
        if lower[place] in AUXILIARY or is_finite(lower, place):
            return place
    return None


_WHO = word_set("who that which")


_NAMING = DETERMINERS - PERSONAL


def _verb_at(lower: Sequence[str], *, known: bool) -> int | None:
    """Return where the verb of a piece stands; its first word may be it where the subject is ``known``."""
    frames = _frames()
    for at in range(0 if known else 1, len(lower)):
        word, before = lower[at], lower[at - 1] if at else ""
        if before in _NAMING or before in _FOLLOWING or before == "of":
            continue
        if (
            word in AUXILIARY
            or word in _TAKES
            or root_of(word) in frames
            or is_verb(word)
            or (at and (is_finite(lower, at) or word in _PAST))
        ):
            return at
    return None


def _clause(subject: tuple[str, ...], tokens: Sequence[str], lower: Sequence[str]) -> _Clause | None:
    at, passive = 0, False
    while at < len(lower) and _helps(lower, at):
        passive = lower[at] in _BE
        at += 1
    if at == len(lower) or (passive and not _participle(lower[at])):
        return None
    behind: dict[str, list[str]] = {}
    place = ""
    for token, low in zip(tokens[at + 1 :], lower[at + 1 :], strict=True):
        if low in _FOLLOWING:
            place = low
        else:
            behind.setdefault(place, []).append(token)
    return _Clause(lower[at], passive, subject, behind, relative=False)


def _helps(lower: Sequence[str], at: int) -> bool:
    """Tell whether a word only helps the verb behind it: "has to pay", "is entitled to choose"."""
    before = lower[at - 1] if at else ""
    if lower[at] == "to":
        return before in _TO or (at > 1 and before in _BOUND_TO)
    if at and before in _BE:
        return lower[at] in _BOUND_TO and lower[at + 1 : at + 2] == ["to"]
    return lower[at] in _HELPING


_TO = word_set("has have had need needs ought")
_BOUND_TO = word_set("required obliged allowed permitted entitled supposed expected able free")


def _participle(word: str) -> bool:
    return (
        word.endswith(("ed", "en"))
        or root_of(word) in _frames()
        or word in ("told", "taught", "kept", "made", "brought")
    )


def _acts(clause: _Clause, told: Sequence[str]) -> Iterator[RoleAct]:
    """Yield the acts of a clause: that of its verb, and what it comes to where a verb tells of a transfer."""
    root = root_of(clause.verb)
    behind, subject = clause.behind, clause.subject
    frame, giving = _frames().get(root, ("", True))
    to, source = behind.get("to", ()), behind.get("from", ())
    if clause.passive:
        yield from _act(root, behind.get("by", ()), subject)
        if frame:
            yield from _act(frame, behind.get("by", ()) or source, to or subject)
            if frame == "sell" and giving:
                yield from _act("buy", to, subject)
        if _sues(clause.verb, to):
            yield from _act("sue", behind.get("by", ()), subject)
        return
    yield from _act(root, subject, told or to)
    if _sues(clause.verb, to):
        yield from _act("sue", subject, told)
    if not frame:
        return
    yield from _act(frame, subject, (*told, *to)) if giving else _act(frame, source or to, subject)
    if frame == "sell":
        yield from _act("buy", to if giving else subject, told)


def _sues(verb: str, to: Sequence[str]) -> bool:
    return verb in _TAKES and "court" in [word.lower() for word in to]


def _act(kind: str, doer: Sequence[str], other: Sequence[str]) -> Iterator[RoleAct]:
    lower = {word.lower() for word in doer}
    if not lower.isdisjoint(_PRONOUNS):
        return
    who, whom = ([each for each in map(part_word, words) if each is not None] for words in (doer, other))
    if any(word.lower() in _GENERIC for word in other):
        whom = []
    elif not whom:
        return
    if 0 < len(who) <= MOST_WORDS:
        yield RoleAct(
            kind,
            frozenset([key for word in who for key in word.keys]),
            frozenset([key for word in whom for key in word.keys]),
            " ".join(word.shown for word in who),
        )


_PRONOUNS = word_set("it they he she we this these those i which what whoever anyone everyone")
_GENERIC = word_set("anything everything something those rest others any")
MOST_WORDS = 8
EXCHANGED, ANOTHER = 0.85, 0.7
"""How sure it is that a claim is wrong that has two change places, and one that has another do what a source tells."""
HALF = 0.5


def difference(claim: Sequence[RoleAct], source: Sequence[RoleAct], known: frozenset[WordKey]) -> Difference | None:
    """Return what a claim has wrong of who does what; ``known`` are the keys of the words of all sources.

    >>> told = acts_in("The museum lends paintings to the embassy.")
    >>> found = difference(acts_in("The museum borrows paintings from the embassy."), told, frozenset())
    >>> found and (found.claimed, found.told)
    ('embassy', 'museum')
    """
    for act in claim:
        alike = [told for told in source if told.kind == act.kind and act.kind not in _mutual()]
        if any(_same(act, told) for told in alike):
            continue
        for told in alike:
            rest = told.other - act.other  # when and where it is done is the same
            if _is_of(act.doer, rest, told.doer) and _is_of(act.other, told.doer, rest):
                return Difference("role", act.shown, told.shown, EXCHANGED)
        # Another who does it must do something else there: a thing can be called by two names.
        own = act.doer - {"you"}
        if not any(told.doer <= act.doer or (own and own <= told.other) for told in source):
            continue
        for told in alike:
            whole = len(act.other & told.other) >= HALF * len(told.other) > 0 and not told.referred
            # "The landlord's money" names whose it is.
            if whole and act.doer.isdisjoint(told.doer) and (act.other - told.other - told.doer).isdisjoint(known):
                return Difference("role", act.shown, told.shown, ANOTHER)
    return None


def confirmed(claim: Sequence[RoleAct], source: Sequence[RoleAct]) -> bool:
    """Tell whether a source tells of a transfer as a claim does, in whichever of two verbs for it.

    >>> confirmed(acts_in("Bell lost to Sol."), acts_in("Sol beat Bell."))
    True
    """
    kinds = {"buy", *(kind for kind, _ in _frames().values())}
    return any(
        act.kind == told.kind in kinds
        and _is_of(act.doer, told.doer, told.other)
        and _is_of(act.other, told.other, told.doer)
        for act in claim
        for told in source
    )


def _same(act: RoleAct, told: RoleAct) -> bool:
    """Tell whether one act may be the other: done by the same, and to the same as far as that is told."""
    return _is_of(act.doer, told.doer, told.other) and (not told.other or not act.other.isdisjoint(told.other))


def _is_of(words: frozenset[WordKey], one: frozenset[WordKey], other: frozenset[WordKey]) -> bool:
    """Tell whether words speak of one of two, and not of the other."""
    return not words.isdisjoint(one - other) and words.isdisjoint(other - one)


@cached(maxsize=1)
def _mutual() -> frozenset[str]:
    return frozenset(root_of(word) for word in MUTUAL)
