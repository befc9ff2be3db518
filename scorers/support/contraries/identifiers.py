"""Another option, line, room or address than a source says it of: "`--force` prints it" where `--dry-run` does.

An identifier names one thing exactly: a code name that a source sets off or that looks like one, a label with a number
or a letter, an e-mail address, a path through menus. No word stands for it, and none is like it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.coordination import told_apart
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.support.contraries.reading import Ruled, RuleWord, content, held, keys_in, marks_of, negations
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

SURE = 0.85
"""How sure it is that a claim is wrong that says of one thing what its source says of another."""
SAID, LESS = 0.75, 0.34
"""Share of what a claim says of a thing that its source must say of another, and by how much less of its own."""
ALONE = 0.5
"""The share where the context has nowhere what a claim names: of a building that is not there it says little."""
MOST_SENTENCES = 400
"""Sentences of a context that are read for identifiers."""
MOST_STEPS = 6
"""Steps of a path that are read."""
MOST_NAMES = 200
"""Code names of a context."""

_SPAN = re.compile(r"`(?P<name>[A-Za-z_-][\w.-]{0,38}\w|\w)`")
_CODE = re.compile(
    r"(?<![\w-])--[a-z][\w-]{1,38}|(?<![\w.-])(?:[A-Za-z]{1,20}_\w{1,30}|[a-z]{1,20}[A-Z][a-zA-Z]{1,30})(?![\w-])"
)
_LABEL = (
    "line|bus|tram|route|track|platform|gate|terminal|building|block|hall|house|wing|ward|bay|bed|station|theatre|court|floor"
    "|level|room|office|door|exit|entrance|desk|shelf|rack|dock|site|clinic|branch|warehouse|car|coach"
    "|counter|locker|area|zone|lab|unit|form|section|article|chapter|annex|appendix|schedule|table|step|phase|stage"
    "|option|plan|model|type|class|group|category|tier|port"
)
_LABELS = frozenset(_LABEL.split("|"))
_LABELLED = re.compile(rf"\b(?i:{_LABEL})\s(?:[A-Z]|\d{{1,5}}[a-zA-Z]?)(?![\w-]|\.\d)")
_MAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_STEP = r"[A-Z][\w-]{1,24}(?:\s[A-Z][\w-]{1,24}){0,2}"
_PATH = re.compile(rf"\b{_STEP}(?:\s[>\u2192\u203a\u00bb]\s{_STEP}){{1,5}}")
_ARROW = re.compile(r"\s[>\u2192\u203a\u00bb]\s")
_CLAUSES = re.compile(r"[;:!?]\s{1,3}|\.\s{1,3}|,?\s(?:but|while|whereas)\s")
_REFERRING = re.compile(r"(?:it|they|this|these|those)\b", re.IGNORECASE)
_GENERAL = word_set("parameter option flag method function variable field setting command argument default value")
"""Words for what an identifier is, which say nothing of it."""


class _Clause(NamedTuple):
    """A clause: its identifiers as they are compared and as written, its other words with content, and its denials."""

    names: tuple[tuple[str, str], ...]
    said: tuple[RuleWord, ...]
    keys: frozenset[WordKey]
    denials: int
    source: int = 0
    words: str = ""


def identifiers(a: Alignment) -> Iterator[Ruled]:
    """Yield what a context says of another identifier than a claim does."""
    claim = a.claim.sentence.words[:LONGEST]
    claim = claim[behind_particle(claim) :]
    if not _may_name(claim, a.context):
        return
    names = a.context.once(_code_names)
    told = a.context.once(_told)
    yield from _elsewhere(claim, a.context)
    for clause in _clauses(claim, names):
        if len(clause.names) == 1 and clause.said:
            yield from _of_another(clause, told)


def _of_another(claimed: _Clause, told: Sequence[_Clause]) -> Iterator[Ruled]:
    """Yield the clause of another identifier that says what a clause of a claim does, which its own do not."""
    (name, shown), own, other = claimed.names[0], 0.0, (0.0, claimed)
    kind = name.partition(" ")[0]
    for each in told:
        share = held(claimed.said, each.keys)
        those = [key for key, _ in each.names]
        if name in those:
            own = max(own, share)
        elif len(those) == 1 and those[0].partition(" ")[0] == kind and share > other[0]:
            other = (share, each)
    share, found = other
    least = SAID if any(name in map(_key, each.names) for each in told) else ALONE
    if share >= least and own <= share - LESS and (found.denials - claimed.denials) % 2 == 0:
        yield Ruled(Difference("entity", shown, found.names[0][1], SURE), found.source, found.words)


def _key(named: tuple[str, str]) -> str:
    return named[0]


def _elsewhere(claim: str, context: Context) -> Iterator[Ruled]:
    """Yield the addresses and the paths of a context beside one of a claim that it does not have."""
    for pattern in (_MAIL, _PATH):
        for found in pattern.finditer(claim):
            shown = found.group().rstrip(".")
            there = [
                (index, each.words, its.group().rstrip("."))
                for index, source in enumerate(context.sources)
                for each in islice(source.sentences, MOST_SENTENCES)
                for its in pattern.finditer(each.words[:LONGEST])
            ]
            if there and not any(_is_part(shown, its) for _, _, its in there):
                index, words, its = next((each for each in there if _near(shown, each[2])), there[0])
                if _near(shown, its):
                    yield Ruled(Difference("entity", shown, its, SURE), index, words)


def _is_part(claimed: str, told: str) -> bool:
    """Tell whether one of two paths ends as the other goes, or two addresses are one."""
    mine, its = _steps(claimed), _steps(told)
    steps = min(len(mine), len(its))
    return any(mine[:steps] == its[at : at + steps] or its[:steps] == mine[at : at + steps] for at in range(MOST_STEPS))


def _near(claimed: str, told: str) -> bool:
    """Tell whether two addresses are of one domain, or two paths begin alike."""
    if "@" in claimed:
        return claimed.lower().partition("@")[2] == told.lower().partition("@")[2]
    return _steps(claimed)[0] == _steps(told)[0]


def _steps(path: str) -> list[str]:
    """Return the steps of a path; "Open" of "Open File > Print" is none."""
    first, *others = _ARROW.split(path.lower())
    return [first.split()[-1], *others]


def _may_name(claim: str, context: Context) -> bool:
    labelled = not _LABELS.isdisjoint(glance(claim)) and _LABELLED.search(claim) is not None
    return (
        labelled
        or _CODE.search(claim) is not None
        or ("@" in claim and _MAIL.search(claim) is not None)
        or (_ARROW.search(claim) is not None and _PATH.search(claim) is not None)
        or any(name in claim for name in context.once(_code_names))
    )


def _code_names(context: Context) -> frozenset[str]:
    """Return what the sources of a context set off as code in one word."""
    spans = (found["name"] for source in context.sources for found in _SPAN.finditer(source.text))
    return frozenset(islice(spans, MOST_NAMES))


def _told(context: Context) -> tuple[_Clause, ...]:
    """Return the clauses of a context that have an identifier; one about "it" goes on with the one before."""
    names = context.once(_code_names)
    found: list[_Clause] = []
    for index, source in enumerate(context.sources):
        if source.record is not None:
            continue
        before: tuple[tuple[str, str], ...] = ()
        said: frozenset[WordKey] = frozenset()
        for each in islice(source.sentences, MOST_SENTENCES):
            for clause in () if each.kind == "question" else _clauses(each.words[:LONGEST], names):
                refers = _REFERRING.match(clause.words) is not None
                own, keys = clause.names or (before if refers else ()), clause.keys | (said if refers else frozenset())
                if own:
                    found.append(clause._replace(names=own, keys=keys, source=index, words=each.words))
                before, said = own, clause.keys
    return tuple(found)


def _clauses(text: str, names: frozenset[str]) -> Iterator[_Clause]:
    for part in _CLAUSES.split(text):
        for words in told_apart(part) or _told_of_each(part, names):
            spans = [each for each in _named(words, names) if not _aside(words, each[0])]
            inside = {at for start, end, _ in spans for at in range(start, end)}
            marks = [mark for mark in marks_of(words) if mark.start not in inside]
            said = tuple(mark for mark in content(marks) if mark.text not in _GENERAL)
            found = dict.fromkeys((key, words[start:end]) for start, end, key in spans)
            denials = negations([mark for mark in marks if mark.text != "without"])
            yield _Clause(tuple(found), said, keys_in(said), denials, words=words)


def _aside(words: str, at: int) -> bool:
    """Tell whether a name stands in brackets, beside what is spoken of: "7 days (`retention.minutes` = 10080)"."""
    return words.rfind("(", 0, at) > words.rfind(")", 0, at)


def _told_of_each(words: str, names: frozenset[str]) -> Iterator[str]:
    """Yield what a clause says of each of its identifiers: "--verbose prints all, --quiet prints errors"."""
    begin = last = 0
    for start, end, _ in sorted(_named(words, names)):
        told = content(marks_of(words[last:start])) if last else ()
        if told and words[:start].endswith((", ", " and ")):
            yield words[begin:start].rstrip(", ").removesuffix(" and")
            begin = start
        last = end
    yield words[begin:]


def _named(words: str, names: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where the identifiers of a text stand, and each as it is compared: a label with its number, or the code."""
    for found in _LABELLED.finditer(words):
        label, _, value = found.group().partition(" ")
        yield found.start(), found.end(), f"{label.lower()} {value.lower()}"
    for found in _CODE.finditer(words):
        yield found.start(), found.end(), f"code {found.group().removesuffix('s')}"  # "vCPUs" are of one "vCPU"
    for found in _WORD.finditer(words):
        if found.group() in names:
            yield found.start(), found.end(), f"code {found.group().removesuffix('s')}"


_WORD = re.compile(r"(?<![\w-])[A-Za-z_-][\w.-]{0,38}\w(?![\w-])")
