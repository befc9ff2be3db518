"""Dated passages that state the same thing of different times: which of them a later one replaced.

Two passages that no catalog and no link connects, and that answer the question in the same words with different
values, are a timeline where both have dates: the later one holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from adapters.schema import Answer
from scorers.disagreement.asking import AskedQuestion, asked
from scorers.disagreement.disagreement import conflicting, disagreements
from scorers.disagreement.tokens import tokens
from scorers.disagreement.values import reading_of
from scorers.freshness.dating import dated
from scorers.memory import Memory, once

MAX_PASSAGES = 12
"""Dated passages of one answer that are laid on a timeline."""

MAX_ANSWER = 4_000
"""Characters of an answer that are held against the statements."""

_SENTENCES = 3

WHOLE = 0.9
"""Share of the question that two short statements both repeat, so that what is left of each is its answer."""

ALIKE = 0.5
"""Share of their words in common from which two short statements are one in other words."""

SAME_SENTENCE = 0.6
"""Share of their words in common from which two sentences are one with another value in it."""

MAX_WORDS = 10
"""Words that a short statement leaves beside the question."""

_Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Passages by their place among an answer's: each that was replaced with the newest that replaced it.

    ``compared`` are all that state the same thing as another; ``exact`` those that state what the answer states, no
    word more and no word less.
    """

    replaced: Mapping[int, int]
    compared: frozenset[int]
    exact: tuple[int, ...]

    def narrowed(self, resting: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
        """Return the places that each claim rests on: of all, only those that state what the answer states, if any."""
        return tuple(self.exact for _ in resting) if self.exact else resting


NO_TIMELINE = Timeline({}, frozenset(), ())


@once
def timeline(answer: Answer, _memory: Memory, at: datetime, settled: frozenset[int]) -> Timeline:
    """Lay the dated passages of ``answer`` in order, up to ``at``.

    ``settled`` are the places of passages of which the catalog says whether they hold; where those are all, dates have
    nothing to tell.

    >>> from datetime import UTC
    >>> from adapters.schema import Passage
    >>> texts = {2010: "Who holds the cup? Ann Roe.", 2019: "Who holds the cup? Carl Doe."}
    >>> passages = tuple(
    ...     Passage(id=text, text=text, published_at=datetime(year, 1, 1, tzinfo=UTC)) for year, text in texts.items()
    ... )
    >>> answer = Answer(id="a", question="Who holds the cup?", answer="Ann Roe", passages=passages)
    >>> found = timeline(answer, Memory(), datetime(2026, 1, 1, tzinfo=UTC), frozenset())
    >>> dict(found.replaced), found.exact
    ({0: 1}, (0,))
    """
    if not (answer.question or "").strip():
        return NO_TIMELINE
    told = [
        (dated(passage), place, passage.text) for place, passage in enumerate(answer.passages or ()) if passage.text
    ]
    known = [_Dated(date, place, text) for date, place, text in told if date is not None and date <= at]
    if len({one.date for one in known}) < 2 or settled >= {one.place for one in known}:  # noqa: PLR2004 - two times
        return NO_TIMELINE
    known = sorted(known)[-MAX_PASSAGES:]
    texts = tuple(dict.fromkeys(text for _, _, text in told if text.strip()))
    return _laid(answer.question or "", (answer.answer or "")[:MAX_ANSWER], tuple(known), texts)


class _Dated(NamedTuple):
    """A passage with its date and its place among the answer's."""

    date: datetime
    place: int
    text: str


def _laid(asked_for: str, answer: str, known: tuple[_Dated, ...], texts: tuple[str, ...]) -> Timeline:
    """Lay passages in order; ``texts`` are those of all passages, which are compared about the question together."""
    question = asked(asked_for)
    told = [_statement(question, one.text) for one in known]
    alike = {(a, b) for a, b in combinations(range(len(told)), 2) if _one_sentence(told[a], told[b])}
    clash = alike & _conflicts(asked_for, known, texts) if alike else set()
    short = [at for at, one in enumerate(told) if one.whole and one.words]
    clash |= {(a, b) for a in short for b in short if a < b and _differ(told[a], told[b])}
    if not clash:
        return NO_TIMELINE
    answered = frozenset(token.stem for token in tokens(answer) if token.stem)
    said = [answered if one.entry else answered - question.weights.keys() for one in told]
    places = [one.place for one in known]
    replaced: dict[int, int] = {}
    compared: set[int] = set()
    for older, newer in sorted(clash):
        compared |= {places[older], places[newer]}
        # An answer that has what only the newer one says rests on that one, whatever it shares with the older.
        own = told[newer].words - told[older].words
        rests_on_newer = bool(own) and own <= said[newer] and told[older].words != said[older]
        if known[older].date < known[newer].date and not rests_on_newer:
            replaced[places[older]] = places[newer]
    exact = tuple(place for place, one, words in zip(places, told, said, strict=True) if words and one.words == words)
    return Timeline(replaced, frozenset(compared), exact)


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a passage says in answer to the question: the words beside it.

    ``whole`` says that it is little more than question and answer; an ``entry`` repeats a question and then answers
    it, and ``entry`` holds the words of that question. ``sentence`` is the one nearest to the question.
    """

    words: _Stems
    whole: bool
    entry: _Stems = frozenset()
    sentence: _Stems = frozenset()


def _statement(question: AskedQuestion, text: str) -> _Statement:
    """Return what the best sentence of a passage and the next one say."""
    reading = reading_of(text)
    asked_for = question.weights.keys()
    if not reading.sentences or not asked_for:
        return _Statement(frozenset(), whole=False)
    stems = [reading.stems(at) for at in range(len(reading.sentences))]
    best = max(range(len(stems)), key=lambda at: (len(stems[at] & asked_for), -at))
    whole = len(stems[best] & asked_for) >= WHOLE * len(asked_for)
    if reading.sentences[best].endswith("?") and best + 1 < len(stems):
        near = stems[best]
        return _Statement(stems[best + 1], whole=whole and len(stems) <= best + _SENTENCES, entry=near, sentence=near)
    words = frozenset[str]().union(*stems) - asked_for
    whole = whole and len(words) <= MAX_WORDS
    said = words if whole else frozenset[str]().union(*stems[best : best + 2]) - asked_for
    return _Statement(said, whole=whole, sentence=stems[best])


def _conflicts(question: str, known: Sequence[_Dated], texts: Sequence[str]) -> set[tuple[int, int]]:
    """Return pairs of places in ``known``, the first before the second, of passages in conflict about the question."""
    at = {one.text: place for place, one in reversed(list(enumerate(known)))}
    found: set[tuple[int, int]] = set()
    for pair in filter(conflicting, disagreements(question, texts)):
        sides = [at.get(texts[side.passage]) for side in (pair.first, pair.second)]
        if sides[0] is not None and sides[1] is not None:
            found.add((min(sides[0], sides[1]), max(sides[0], sides[1])))
    return found


def _one_sentence(one: _Statement, other: _Statement) -> bool:
    """Tell whether two statements are one sentence with another value.

    That passages disagree is not enough for one to have replaced the other: they may be of different things.
    """
    if _of_others(one.sentence - other.sentence, other.sentence - one.sentence):
        return False
    return len(one.sentence & other.sentence) >= SAME_SENTENCE * len(one.sentence | other.sentence)


def _of_others(mine: _Stems, theirs: _Stems) -> bool:
    """Tell whether what two sentences do not share is more than a figure: "5 days in Munich" and "8 days in Berlin".

    Where the value is no figure, its words are what differs.
    """
    figures = [{word for word in words if word.startswith("#")} for words in (mine, theirs)]
    return all(figures) and mine != figures[0] and theirs != figures[1]


def _differ(one: _Statement, other: _Statement) -> bool:
    """Tell whether two short statements say different things.

    Two entries of one question do if they are not the same; else each must have words of its own, other figures if any,
    and little in common.
    """
    if one.entry and one.entry == other.entry:
        return one.words != other.words
    figures = [{word for word in statement.words if word.startswith("#")} for statement in (one, other)]
    if figures[0] and figures[0] == figures[1]:
        return False
    mine, theirs = one.words - other.words, other.words - one.words
    if _of_others(mine, theirs):
        return False
    return bool(mine and theirs) and len(one.words & other.words) < ALIKE * len(one.words | other.words)
