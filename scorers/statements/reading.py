"""A passage as comparable statements: what spans two sentences, or a list and its stem, is put together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.clauses import read_clauses
from scorers.statements.lexicon.languages.tables import LANGUAGE_WORDS
from scorers.statements.words import is_verb
from scorers.text.language import language_of
from scorers.text.sentences import Sentence, split_sentences

MAX_STATEMENTS = 2_000
"""Statements of one passage."""

LONGEST_STEM = 300
LONGEST_SUBJECT = 8
"""Words of a subject that a pronoun of the next sentence may stand for."""
LONGEST_NAME = 4
"""Words of an item of a list that is hardly a sentence."""

_ITEM = re.compile(r"[ \t>]{0,40}(?:[-*+\u2022\u2023\u25e6]|\d{1,3}[.)]|[a-z][.)])[ \t]+")
_PRONOUN = re.compile(
    r"(?:it|they|this|these|those|that|such items|such costs|such requests)\b\s*(?=\w)", re.IGNORECASE
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|must|may|can|cannot|could|should|shall|will|would|has|have|had|do|does|did|need|needs"
    r"|require"
    r"|requires|expire|expires|applies|apply|cost|costs|take|takes|include|includes|cover|covers|receive|receives|get"
    r"|gets)\b"
)
_NOT_FOR = re.compile(
    r"(?:this|that|it|the\ssame|this\srule|this\spolicy)\s(?:does\snot|doesn't)\s(?:apply|hold|extend)\s(?:to|for|in)"
    r"\s+(?=\w)",
    re.IGNORECASE,
)
_ONLY_FOR = re.compile(
    r"(?:this|that|it|this\srule|this\spolicy)\s(?:applies|holds|is\svalid)\sonly\s(?:to|for|in)\s+(?=\w)",
    re.IGNORECASE,
)
_STOPS = ".:;!? "


MAX_LINE = 2_000
"""Characters of a line that is read as a row of a table, and of what is looked at around a sentence."""


class SourceStatement(NamedTuple):
    """A statement that a passage makes: its words, put together where needed, and where its own sentence stands."""

    words: str
    start: int
    end: int


@cached_by_text(cost=3)
def read_statements(text: str) -> tuple[SourceStatement, ...]:
    r"""Return the statements of a passage, in order.

    List items are put under their stem, rows of a table under its header, and "this", "it" or "they" gives way to the
    subject of the sentence before.

    >>> found = read_statements("These cannot be returned:\n- gift cards\n- software\nBooks can. They must be new.")
    >>> [statement.words for statement in found]
    ['These cannot be returned: gift cards', 'These cannot be returned: software', 'Books can.', 'Books must be new.']
    """
    found: list[SourceStatement] = []
    stem, before = "", ""
    header: Sequence[str] = ()
    for sentence in split_sentences(text):
        begins = text.rfind("\n", max(0, sentence.start - MAX_LINE), sentence.start) + 1
        line = text[begins : _line_end(text, sentence.end)]
        if line.count("|") > 1 and len(line) <= MAX_LINE:
            cells = [cell.strip().strip("*_` ") for cell in line.strip().strip("|").split("|")]
            if not header:
                header = cells
            else:
                found.append(SourceStatement(_row(header, cells), sentence.start, sentence.end))
            continue
        header = ()
        is_item = _ITEM.fullmatch(text, begins, sentence.start) is not None
        if sentence.kind in ("heading", "lead_in"):
            stem = sentence.words.rstrip(_STOPS) if len(sentence.words) <= LONGEST_STEM else ""
            if sentence.kind == "lead_in" and is_item:
                found.append(SourceStatement(sentence.words, sentence.start, sentence.end))
            before = ""
            continue
        language = _language(text) if stem else "en"
        if not is_item and stem and not (language == "en" and _under_heading(stem, sentence)):
            stem = ""
        if sentence.kind == "question":
            before = ""  # "Can gift cards be returned?" says neither that they can nor that they cannot
            continue
        told = list(_told(sentence.words, stem, before) if language == "en" else _told_abroad(sentence.words, stem))
        found += [SourceStatement(words, sentence.start, sentence.end) for words in told]
        before = told[-1]
        if language == "en" and (second := _elliptic(sentence.words)):
            found.append(SourceStatement(second, sentence.start, sentence.end))
        if len(found) >= MAX_STATEMENTS:
            break
    return tuple(found)


def read_passages(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the statements of all passages as texts, for `compare`.

    >>> read_passages(["Leave is paid. It is granted on request.", "Overtime is not."])
    ('Leave is paid.', 'Leave is granted on request.', 'Overtime is not.')
    """
    return tuple(statement.words for text in texts for statement in read_statements(text))


def _line_end(text: str, at: int) -> int:
    last = at + MAX_LINE
    end = text.find("\n", at, last)
    return min(len(text), last) if end < 0 else end


def _row(header: Sequence[str], cells: Sequence[str]) -> str:
    return ", ".join(f"{name} {cell}".strip() for name, cell in zip(header, cells, strict=False) if cell)


def _forced(words: str) -> bool:
    """Tell whether words forbid, require, permit or deny."""
    return any(clause.state != "YES" for clause in read_clauses(words))


def _under_heading(stem: str, sentence: Sentence) -> bool:
    """Tell whether a sentence without a verb stands under a heading that forbids, requires or permits."""
    return _VERB.search(sentence.words) is None and _forced(stem)


def _language(text: str) -> str:
    """Return the language in which what stands under a stem is read."""
    language = language_of(text)
    return language if language is not None and language in LANGUAGE_WORDS else "en"


def _told_abroad(words: str, stem: str) -> Iterator[str]:
    """Yield an item under its stem, and alone where it is more than a name: its verb cannot be told there."""
    if stem:
        yield f"{stem}: {words}"
    if not stem or len(words.split()) > LONGEST_NAME:
        yield words


_ELLIPTIC = re.compile(
    r"(?P<verb>\b(?:is|are|was|were|can|may|must|does|do|will)\b)(?P<said>[^;:.]{1,160})(?:[;,]\s|,?\s(?=but\b"
    r"|though\b|while\b|whereas\b"
    r"|although\b))(?:(?:but|though|while|whereas|although|and)\s)?(?P<other>[^,;:.]{2,120}?)\s(?P<turned>is|are|was"
    r"|were|can|may|must|does"
    r"|do|will|cannot)(?P<not>\snot|n't)?\s?[.!]?$"
)
_TURNED_ENDS = ("is", "are", "was", "were", "can", "may", "must", "does", "do", "will", "cannot", "not", "n't")
"""With one of these ends what has such a part."""
_DENYING = re.compile(r"\b(?:not|never)\s")


def _elliptic(words: str) -> str:
    """Return the second part of "A is covered; B is not" as a statement of its own; empty where there is none.

    >>> _elliptic("Damage from pipes is covered; damage from windows left open is not.")
    'damage from windows left open is not covered.'
    >>> _elliptic("Conferences count towards the budget, exams do not.")
    'exams do not count towards the budget.'
    """
    words = words[:LONGEST_ELLIPTIC]
    if not words.rstrip().rstrip(".!").rstrip().endswith(_TURNED_ENDS):
        return ""
    found = _ELLIPTIC.search(words)
    if found is None:
        return _undone(words)
    said = _DENYING.sub("", found["said"].strip(" ,;"), count=1)
    turned = " not" if found["not"] or found["turned"] == "cannot" else ""
    verb = found["turned"] if found["turned"] != "cannot" else "can"
    return f"{found['other']} {verb}{turned} {said}."


def _undone(words: str) -> str:
    """Return the second part of "A counts, B does not" as a statement of its own; empty where there is none."""
    found = _UNDONE.match(words)
    if found is None:
        return ""
    verb = next((each for each in _NEXT_WORD.finditer(found["first"]) if is_verb(each.group().lower())), None)
    if verb is None:
        return ""
    return f"{found['other']} {found['turned']} not {found['first'][verb.start() :]}."


_UNDONE = re.compile(
    r"(?P<first>[^,;:.]{3,160})[;,]\s(?:(?:but|though|while|whereas|although|and)\s)?(?P<other>[^,;:.]{2,120}?)\s"
    r"(?P<turned>do|does|did)(?:\snot|n't)\s?[.!]?$"
)
_NEXT_WORD = re.compile(r"(?<=\s)[a-z]{2,20}\b")
LONGEST_ELLIPTIC = 400
"""Characters of a sentence whose last part may leave out what it says."""


def _told(words: str, stem: str, before: str) -> Iterator[str]:
    if stem:
        complete = _VERB.search(words) is not None or _forced(words)
        if not complete or _forced(stem):
            yield f"{stem}: {words}"
        if complete:
            yield words
        return
    except_for = _NOT_FOR.match(words)
    if except_for and before:
        yield f"{before.rstrip(_STOPS)} except for {words[except_for.end() :]}"
        return
    only_for = _ONLY_FOR.match(words)
    if only_for and before:
        yield f"{before.rstrip(_STOPS)} only for {words[only_for.end() :]}"
        return
    yield in_full(words, before)


def in_full(words: str, before: str) -> str:
    """Return a sentence with the subject of the one before in the place of the pronoun that it begins with.

    >>> in_full("it is free for under-18s.", "A library card costs 12 pounds")
    'A library card is free for under-18s.'
    """
    pronoun = _PRONOUN.match(words)
    subject = _subject(before) if pronoun else ""
    if pronoun and subject and _VERB.match(words, pronoun.end()):
        return f"{subject} {words[pronoun.end() :]}"
    return words


def _subject(words: str) -> str:
    """Return what stands before the first verb of a sentence, where that is short enough to be its subject."""
    verb = _VERB.search(words)
    if verb is None:
        return ""
    subject = words[: verb.start()].strip()
    opened = subject.split(",")[-1].strip() or subject
    return opened if 0 < len(opened.split()) <= LONGEST_SUBJECT else ""
