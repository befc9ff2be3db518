"""What a clause of a claim permits, requires or states where one that says the rest forbids, frees or denies it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.ties import WordKey
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    clauses_of,
    content,
    held,
    keys_in,
    marks_of,
    nouns,
)
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set
from scorers.text.plain import for_ascii
from scorers.text.stemming import stem

SURE = 0.75
"""How sure it is that a claim with the other force is wrong."""
ALIKE = 0.7
"""Share of the words of the clause of a claim that a clause of a statement must have."""
USED = 0.5
"""The same of the words of the clause of the statement."""
NEARLY = 0.85
"""Both where a clause only states or denies."""
CONTAINED = 0.6
"""The first where the claim has nearly all of the statement."""
LEAST = 2
"""Words with content that both must have in common."""

RuleForce = Literal["may", "must", "free", "forbid", "no", "yes"]

_BE = r"(?:is|are|was|were|be|been|being)"
_FORCES: tuple[tuple[RuleForce, re.Pattern[str]], ...] = (
    ("free", re.compile(
        r"\b(?:no (?:[a-z]{2,15} ){1,3}?(?:(?:is|are|was|were) (?:required|needed|necessary|mandatory)"
        r"|needs? to|ha(?:s|ve) to)"
        r"|need not|needn't|(?:do not|don't|does not|doesn't|won't|will not|never) (?:have|need) to"
        r"|not (?:required|needed|necessary|obliged"
        r"|obligatory|compulsory|mandatory)|optional|voluntary|no (?:need|obligation|requirement|duty)"
        r"|without (?:having|needing) to"
        r"|(?:isn't|aren't) (?:required|needed|necessary|obliged|obligatory|compulsory|mandatory)|(?:do not|don't"
        r"|does not|doesn't) need"
        r"|(?:do not|don't|does not|doesn't) require|exempt)\b"
    )),
    ("forbid", re.compile(
        r"\b(?:may not|must not|mustn't|cannot|can't|can not|not (?:even |yet |currently )?(?:be )?(?:allowed"
        r"|permitted|possible|eligible|entitled|accepted|available|able)"
        r"|(?:isn't|aren't) (?:allowed|permitted|possible|eligible|entitled|accepted|available|able)|prohibited"
        r"|forbidden|banned|impossible|ineligible|unable"
        r"|no (?:one|person|\w{2,15}) (?:may|can|is allowed)|nobody (?:may|can)|never be|against the rules"
        r"|off-?limits|refused?)\b"
    )),
    ("must", re.compile(
        rf"\b(?:must|has to|have to|had to|needs? to|{_BE} (?:\w{{2,12}} )?(?:required|obliged|obligatory|compulsory"
        rf"|mandatory|necessary|needed)"
        r"|it's (?:obligatory|compulsory|mandatory|required|necessary)|requires?|compulsory|mandatory|obligatory)\b"
    )),
    ("may", re.compile(
        rf"\b(?:may|can|could|{_BE} (?:\w{{2,12}} )?(?:allowed|permitted|possible|eligible|entitled|free to|welcome"
        rf"|fine|ok|okay|able)"
        r"|you're allowed|allows?|permits?|permitted|allowed|possible)\b"
    )),
    ("no", re.compile(
        r"\b(?:not|never|no|none|nobody|(?<!cost )(?<!costs )nothing"
        r"|neither|nor|isn't|aren't|don't|doesn't|won't|wasn't|weren't|didn't"
        r"|hasn't|haven't|without|excluded"
        r"|excludes?|non-\w+)\b"
    )),
)  # fmt: skip
_FORCES_ASCII = tuple([(force, for_ascii(pattern)) for force, pattern in _FORCES])
_CLASHES: frozenset[tuple[RuleForce, RuleForce]] = frozenset({
    ("may", "forbid"), ("forbid", "may"), ("must", "free"), ("free", "must"), ("must", "forbid"), ("forbid", "must"),
    ("yes", "no"), ("no", "yes"), ("yes", "forbid"), ("forbid", "yes"), ("may", "no"), ("no", "may"),
})  # fmt: skip
_OF_FORCE = word_set(
    "part allowed permitted possible eligible entitled welcome able unable required obliged obligatory compulsory"
    " mandatory necessary needed requires require prohibited forbidden banned impossible ineligible optional voluntary"
    " need needs obligation requirement exempt allow allows permit permits have has excluded"
)
_LIMITING = re.compile(
    r"\b(?:only|if|unless|except|until|before|after|when|provided|more than|less than|over|under|above|below|up to"
    r"|at least|at most"
    r"|instead|rather|other|others|otherwise|longer|than|without|all|every|any|some|most|both|either|just|whether)\b"
)


class _Clause(NamedTuple):
    """A clause: its force and the words that say so, its other words, those that limit it, and the first denied."""

    force: RuleForce
    shown: str
    words: tuple[RuleWord, ...]
    limited: frozenset[str]
    denied: RuleWord | None
    stems: frozenset[str]
    keys: frozenset[WordKey]
    subject: tuple[RuleWord, ...]
    negated: frozenset[str]
    """``keys`` are what its words are found by, ``subject`` those that are no verb, ``negated`` the stems denied."""


MOST = 8
"""Clauses of a claim, and of a statement, that are read with a question: no sentence for a person has more."""
_AFFIRMING: frozenset[RuleForce] = frozenset({"yes", "may", "must"})
_UNTURNED: frozenset[RuleForce] = frozenset({"may", "must"})
_TURNING = word_set(
    "t not never no none nobody nothing neither nor without cannot prohibited forbidden banned impossible ineligible"
    " unable non against off offlimits refuse refused exclude excluded excludes optional voluntary exempt"
)
"""Words without one of which a text denies, forbids and frees of nothing; "t" is that of "isn't"."""


def forces(claim: str, question: str | None, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield clauses of a claim of which a statement says the rest with a force that rules it out.

    What a claim leaves to its question, and what it only repeats of it, is no word of the claim's own.

    >>> told = [ToldRule(0, "Employers need not pay the wages of staff.", 1.0, 0)]
    >>> [each.difference.kind for each in forces("Employers are required to pay the wages of staff.", None, told)]
    ['modality']
    """
    turning = [each for each in told if not _TURNING.isdisjoint(glance(each.words))]
    if not turning and _TURNING.isdisjoint(glance(claim)):
        return
    asked = content(marks_of(question)) if question else ()
    for place, mine in enumerate(_clauses(claim)):
        against = turning if mine.force in _AFFIRMING else told
        if not against:
            continue
        found = _ruled(mine, told, against)
        if found is None and asked and place < MOST:
            found = _ruled_as_asked(mine, asked, told, against)
        if found is not None:
            yield found


def _ruled_as_asked(
    mine: _Clause, asked: Sequence[RuleWord], told: Sequence[ToldRule], turning: Sequence[ToldRule]
) -> Ruled | None:
    """Return what rules out a clause of which the question says a part: "You can transfer it", "It may stay there"."""
    said = keys_in(asked)
    against: Ruled | None = None
    for each in turning:
        for its in _clauses(each.words)[:MOST]:
            both = mine.force, its.force
            if both not in _CLASHES or not {"yes", "no"}.isdisjoint(both) or len(its.words) < LEAST:
                continue
            if against is None and mine.limited == its.limited and _asked_of(mine, its, said):
                kind: DifferenceKind = "modality" if "free" in both else "polarity"
                against = Ruled(Difference(kind, mine.shown, its.shown, SURE), each.source, each.words)
    if against is None:
        return None
    for each in told:
        for its in _clauses(each.words)[:MOST]:
            if mine.force == its.force and _asked_of(mine, its, said):
                return None
    return against


def _asked_of(mine: _Clause, its: _Clause, said: frozenset[WordKey]) -> bool:
    """Tell whether a clause of a statement speaks of what a clause of a claim and its question do together."""
    own = tuple([word for word in mine.words if said.isdisjoint(word.keys) or not its.keys.isdisjoint(word.keys)])
    if not own or held(own, its.keys) < NEARLY:
        return False
    return held(its.subject, keys_in(own) | said) >= CONTAINED


def _ruled(mine: _Clause, told: Sequence[ToldRule], turning: Sequence[ToldRule]) -> Ruled | None:
    """Return what rules out a clause in ``turning``, statements of another force, unless one of all has its own."""
    if len(mine.words) < LEAST:
        return None
    against: Ruled | None = None
    for each in turning:
        for its in _clauses(each.words):
            if against is None and _clash(mine, its) and _spoken_of(mine, its) and not _stays(mine, each.words):
                kind: DifferenceKind = "modality" if "free" in (mine.force, its.force) else "polarity"
                against = Ruled(Difference(kind, mine.shown, its.shown, SURE), each.source, each.words)
    if against is None:
        return None
    for each in told:
        for its in _clauses(each.words):
            if mine.force == its.force and _spoken_of(mine, its):
                return None
    return against


def _stays(mine: _Clause, told: str) -> bool:
    """Tell whether a claim has something stay where a statement forbids to take it away: that is the same."""
    return any(word.text in _STAYING for word in mine.words) and _LEAVING.search(told.lower()) is not None


_STAYING = word_set("stay stays remain remains kept left")
_LEAVING = re.compile(r"\b(?:tak(?:e|en) (?:out|away|home|off)|remov(?:e|ed)|leave|moved?|carried (?:out|away))\b")


def _spoken_of(mine: _Clause, its: _Clause) -> bool:
    """Tell whether a clause of a statement speaks of what a clause of a claim does."""
    least = CONTAINED if _contained(mine, its) else ALIKE
    return held(mine.words, its.keys) >= least and (not mine.subject or held(mine.subject, its.keys) >= least)


def _contained(mine: _Clause, its: _Clause) -> bool:
    return len(its.words) > LEAST and held(its.words, mine.keys) >= NEARLY


def _clash(mine: _Clause, its: _Clause) -> bool:
    """Tell whether two clauses that speak of one thing cannot both hold."""
    if (mine.force, its.force) not in _CLASHES or mine.limited != its.limited:
        return False
    if not _answered(mine, its) or not _answered(its, mine):
        return False
    if mine.force in _AFFIRMING and its.denied is not None and stem(its.denied.text) in mine.negated:
        return False  # "you can do so, as it needs no approval" denies of it what the rule does
    plain = not {"yes", "no"}.isdisjoint((mine.force, its.force))
    if plain and not _contained(mine, its) and held(mine.words, its.keys) < NEARLY:
        return False
    return held(its.words, mine.keys) >= (NEARLY if plain else USED)


def _answered(clause: _Clause, other: _Clause) -> bool:
    """Tell whether what a clause denies stands in the other one too."""
    return (
        clause.denied is None or stem(clause.denied.text) in other.stems or bool(other.keys & set(clause.denied.keys))
    )


@cached_by_text(cost=57)
def _clauses(text: str) -> tuple[_Clause, ...]:
    return tuple(_read(text))


def _read(text: str) -> Iterator[_Clause]:
    text = text[behind_particle(text) :]
    lower = text.lower().replace("\u2019", "'")
    turned = not _TURNING.isdisjoint(glance(text))
    for clause in clauses_of(marks_of(text)):
        words = lower[clause[0].start : clause[-1].end]
        found = _force(words, turned=turned)
        if found is None:
            continue
        force, shown, end = found
        named = tuple(mark for mark in content(clause) if mark.text not in _OF_FORCE)
        denied, stems = None, frozenset(stem(mark.text) for mark in clause)
        if force in ("no", "forbid", "free"):
            denied = next((mark for mark in named if mark.start - clause[0].start >= end), None)
        limited = frozenset(_LIMITING.findall(words))
        shown = shown or words[:LONGEST_SHOWN]
        yield _Clause(force, shown, named, limited, denied, stems, keys_in(named), nouns(named), _negated(clause))


def _negated(clause: Sequence[RuleWord]) -> frozenset[str]:
    """Return the stems of the words right behind what denies: "for which you need no approval"."""
    denying = [at for at, mark in enumerate(clause) if mark.text in _NEGATING]
    return frozenset(stem(mark.text) for at in denying for mark in clause[at + 1 : at + 1 + _BEHIND])


_NEGATING, _BEHIND = word_set("no not without never t n't"), 2
"""What denies a word, and among how many words behind it that stands."""


LONGEST_SHOWN = 60


_PAPER = re.compile(r"\b(?:the|a|no|any|your|this) permit\b")
"""A permit that is a paper, and permits nothing."""


def force_of(words: str) -> int:
    """Return 1 where words in lower case state, require or permit, -1 where they deny, forbid or free, 0 for both.

    >>> [force_of(words) for words in ("tickets that can be exchanged", "tickets that cannot be exchanged")]
    [1, -1]
    """
    found = _force(_PAPER.sub("paper", words))
    return 0 if found is None else -1 if found[0] in ("free", "forbid", "no") else 1


def _force(words: str, *, turned: bool = True) -> tuple[RuleForce, str, int] | None:
    """Return the force of a clause, the words that say so and where they end; ``None`` where it has two.

    Where none of `_TURNING` is in it, it is not ``turned``, and only two forces are looked for.
    """
    told: tuple[RuleForce, str, int] = ("yes", "", 0)
    for force, pattern in _FORCES_ASCII if words.isascii() else _FORCES:
        found = pattern.search(words) if turned or force in _UNTURNED else None
        if found is None:
            continue
        if told[0] != "yes" and force != "no":
            return None
        if told[0] == "yes":
            told = force, found.group(), found.end()
            words = f"{words[: found.start()]}{' ' * len(found.group())}{words[found.end() :]}"
    return told
