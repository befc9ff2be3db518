"""Sentences read for what rules out a claim: marks with what they are found by, clauses, and how much one holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from adapters.caching import cached, cached_by_text
from scorers.statements.base import Difference
from scorers.statements.parallels import part_word
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import is_verb, word_of
from scorers.support.alignment import Alignment
from scorers.text.normalize import word_set
from scorers.text.plain import for_ascii
from scorers.text.sentences import is_title

MAX_STATEMENTS = 4
"""Statements that one sentence makes which are looked at: with its stem, with what a pronoun stands for."""

_TOKEN = re.compile(
    r"(?<![^\W_])[ap]\.m\b\.?|(?<![^\W_])[eE]-[mM]ails?\b|[^\W_]{1,64}(?:['\u2019][^\W\d_]{1,8})?|[,;:.!?()\u2013\u2014]"
)
_TOKEN_ASCII = for_ascii(_TOKEN)
WORD = re.compile(r"[^\W_]{1,64}(?:['\u2019][^\W\d_]{1,8})?")
"""The words of a text, without its signs."""
WORD_ASCII = for_ascii(WORD)
_BREAKS = frozenset(";:.!?\u2014") | {"but", "while", "whereas", "whilst", "although", "though"}
_FORBIDDING = frozenset({"do", "don't", "never"})
"""Words with which "and" begins another order: "take one, and do not give it to children"."""
_SUBJECTS = word_set("it they you we he she there the a an your our this these all every each no")
NEGATING = word_set(
    "not no never cannot none nobody nothing neither nor without isn't aren't don't doesn't can't won't mustn't"
    " shouldn't wasn't weren't didn't needn't couldn't wouldn't hasn't haven't refuse refuses refused prohibited"
    " forbidden excluded ineligible banned"
)


_EMPTY = word_set(
    "you your yourself me my us we our up out fine please sure no all every any each only also still just even then"
    " yes so very really don't worry too enough sufficient suffice suffices p.m a.m p.m. a.m."
    " always simply completely totally entirely absolutely"
)
"""Words that say nothing of what a statement is about."""


class RuleWord(NamedTuple):
    """A word or a sign: in lower case, what it is found by if it has content, and where it stands."""

    text: str
    keys: tuple[WordKey, ...]
    start: int
    end: int


_word = partial(tuple.__new__, RuleWord)
"""A word out of its fields, in a third of the time: a text has many."""


class RuleClause(NamedTuple):
    """A clause: its words and signs, those with content, what these are found by, and how many words deny."""

    marks: tuple[RuleWord, ...]
    named: tuple[RuleWord, ...]
    keys: frozenset[WordKey]
    denials: int


class ToldRule(NamedTuple):
    """A statement of a context: its source, its words, and the share of a claim that its sentence holds.

    ``row`` tells that it is a row of a table, whose cells are values of several kinds of one thing.
    """

    source: int
    words: str
    share: float
    at: int
    row: bool = False


class Ruled(NamedTuple):
    """What a statement rules out of a claim, and the source and the words of the statement."""

    difference: Difference
    source: int
    words: str


@cached_by_text(cost=32)
def marks_of(text: str) -> tuple[RuleWord, ...]:
    """Return the words and signs of a text; numbers have no content.

    >>> [mark.text for mark in marks_of("Pets are free, for now.") if mark.keys]
    ['pets', 'free', 'now']
    """
    found = []
    for each in (_TOKEN_ASCII if text.isascii() else _TOKEN).finditer(text[:LONGEST]):
        start, end = each.span()
        low, keys = _read(each.group()) if start else _read_first(each.group())
        found.append(_word((low, keys, start, end)))
    return tuple(found)


def _read_first(written: str) -> tuple[str, tuple[WordKey, ...]]:
    """Return the same of the first word of a text, where "A" is no name."""
    return ("a", ()) if written == "A" else _read(written)


def words_read(text: str) -> list[tuple[str, tuple[WordKey, ...]]]:
    """Return each word and sign of a text in lower case, and what it is found by: `marks_of` without where they stand.

    >>> words_read("Pets are free.") == [(mark.text, mark.keys) for mark in marks_of("Pets are free.")]
    True
    """
    written = (_TOKEN_ASCII if text.isascii() else _TOKEN).findall(text[:LONGEST])
    first = written and text.startswith(written[0])
    return [_read_first(each) if first and not at else _read(each) for at, each in enumerate(written)]


def word_keys(text: str) -> list[tuple[WordKey, ...]]:
    """Return what each word with content of a text is found by: the keys of `marks_of`, where nothing else is asked.

    >>> word_keys("Pets are free.") == [mark.keys for mark in marks_of("Pets are free.") if mark.keys]
    True
    """
    written = (_TOKEN_ASCII if text.isascii() else _TOKEN).findall(text[:LONGEST])
    if written and text.startswith(written[0]) and not _read_first(written[0])[1]:
        del written[0]
    return [keys for each in written if (keys := _read(each)[1])]


@cached(maxsize=16_384)
def _read(written: str) -> tuple[str, tuple[WordKey, ...]]:
    """Return a word or a sign in lower case, and what it is found by if it has content."""
    low = written.lower().replace("\u2019", "'")
    word = None if written == "a" or not low[0].isalpha() or low in _EMPTY else part_word(written)
    if word is None:
        return low, ()
    bare = word_of(low).bare
    return low, (*word.keys, bare) if bare else word.keys


def clauses_of(marks: Sequence[RuleWord]) -> Iterator[tuple[RuleWord, ...]]:
    """Yield the clauses of a text: parted at signs, "but" and the like, and at "and" before a subject or an order."""
    clause: list[RuleWord] = []
    for at, mark in enumerate(marks):
        behind = marks[at + 1].text if at + 1 < len(marks) else ""
        if (mark.text in _BREAKS and not _in_figure(marks, at) and not _during(marks, at)) or (
            mark.text in ("and", "so", "because") and (behind in _SUBJECTS or behind in _FORBIDDING)
        ):
            if clause:
                yield tuple(clause)
            clause = []
        else:
            clause.append(mark)
    if clause:
        yield tuple(clause)


def _during(marks: Sequence[RuleWord], at: int) -> bool:
    """Tell whether "while" tells a time, as it does without a comma before somebody: "while you are on leave"."""
    return (
        marks[at].text == "while"
        and at > 0
        and marks[at - 1].text != ","
        and marks[at + 1 : at + 2] != ()
        and (marks[at + 1].text.partition("'")[0] in _SUBJECTS)
    )


def _in_figure(marks: Sequence[RuleWord], at: int) -> bool:
    """Tell whether a sign stands between digits: 7.50, 02:00."""
    if not 0 < at < len(marks) - 1:
        return False
    before, sign, behind = marks[at - 1 : at + 2]
    closed = before.end == sign.start and sign.end == behind.start
    return closed and before.text[-1].isdigit() and behind.text[0].isdigit()


@cached_by_text(cost=50)
def clauses_in(text: str) -> tuple[RuleClause, ...]:
    """Return the clauses of a text, each with what detectors ask of it."""
    found: list[RuleClause] = []
    before: frozenset[WordKey] = frozenset()
    for each in clauses_of(marks_of(text)):
        named = content(each)
        # "The course is free; it is valid for a year": what is valid for a year is the course.
        keys = keys_in(each) | before if each[0].text in _REFERRING else keys_in(each)
        found.append(RuleClause(each, named, keys, negations(each)))
        before = keys_in(nouns(named))
    return tuple(found)


_REFERRING = word_set("it they this these he she")


@cached_by_text(cost=20)
def keys_of_text(text: str) -> frozenset[WordKey]:
    """Return what the words of a text are found by."""
    return keys_in(marks_of(text))


def content(marks: Sequence[RuleWord]) -> tuple[RuleWord, ...]:
    """Return the marks with content."""
    return tuple([mark for mark in marks if mark.keys])


def keys_in(marks: Sequence[RuleWord]) -> frozenset[WordKey]:
    """Return what the marks are found by."""
    return frozenset([key for mark in marks for key in mark.keys])


def held(words: Sequence[RuleWord], told: frozenset[WordKey]) -> float:
    """Return the share of words that a statement has, or a word for each; 0 of none."""
    return hits(words, told) / len(words) if words else 0.0


def hits(words: Sequence[RuleWord], told: frozenset[WordKey]) -> int:
    """Return how many words a statement has, or a word for them."""
    found = 0
    for word in words:
        if not told.isdisjoint(word.keys):
            found += 1
    return found


def nouns(words: Sequence[RuleWord]) -> tuple[RuleWord, ...]:
    """Return the words that are surely no verb: what a statement speaks of."""
    return tuple([word for word in words if not is_verb(word.text)])


def negations(marks: Sequence[RuleWord]) -> int:
    """Return how many words deny."""
    return sum([mark.text in NEGATING for mark in marks], 0)


def excepted(words: str) -> tuple[RuleWord, ...]:
    """Return what a statement excepts: the words of the case behind its "unless" that do not stand before it.

    >>> [mark.text for mark in excepted("Guests pay the postage of items, unless the item was stolen.")]
    ['stolen']
    """
    marks = marks_of(words)
    at = next((place for place, mark in enumerate(marks) if mark.text in _EXCEPTING), len(marks))
    before = keys_in(marks[:at])
    return tuple([mark for mark in nouns(content(marks[at + 1 :])) if before.isdisjoint(mark.keys)])


_EXCEPTING = frozenset({"unless", "except"})


def near(a: Alignment) -> list[ToldRule]:
    """Return the statements of prose that hold most of a claim, each with what its own sentence spans."""
    context = a.context
    found = []
    for weight, index, local in a.nearest_sentences():
        sentence = context.sources[index].sentences[local]
        if sentence.kind == "question" or is_title(context.sources[index].text, sentence):
            continue
        statements = context.told(index).at.get(sentence.start, (sentence.words,))
        row = _is_row(context.sources[index].text, sentence.start)
        found += [ToldRule(index, words, -weight / a.total, local, row) for words in islice(statements, MAX_STATEMENTS)]
    return found


def _is_row(text: str, at: int) -> bool:
    """Tell whether a sentence stands in a row of a table."""
    return text[text.rfind("\n", 0, at) + 1 : at + 1].lstrip()[:1] == "|"
