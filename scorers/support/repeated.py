"""A claim that repeats a sentence of its context word for word: nothing else has to be compared with it."""

from __future__ import annotations

from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.base import StatementComparison
from scorers.statements.comparison import Examination, examine
from scorers.statements.features import features_of
from scorers.statements.ties import LONGEST
from scorers.statements.words import word_of
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.support.tying import SHORTEST
from scorers.text.language import LanguageCode
from scorers.text.normalize import behind_particle, terms
from scorers.text.sentences import Sentence, is_title


class RepeatedSentence(NamedTuple):
    """A sentence that a claim repeats: its source, its words, that it agrees, and what the comparison saw."""

    source: int
    words: str
    comparison: StatementComparison
    seen: tuple[float, ...]


def repeated(a: Alignment, question: str | None, language: LanguageCode) -> RepeatedSentence | None:
    """Return the sentence of prose that a claim repeats and that agrees with it; ``None`` where there is none."""
    place = _place(a)
    if place is None:
        return None
    # Hardly a sentence needs what was asked to agree with itself, and without that it is compared once for all answers.
    for asked in (None, question) if question else (None,):
        comparison, seen = _compared(a.claim.sentence.words, place[1], asked, language)
        if comparison.outcome == "agrees":
            return RepeatedSentence(*place, comparison._replace(source=place[0]), seen)
        if asked is None and comparison.outcome == "contradicts":
            # Clauses that were put side by side wrongly: nothing contradicts itself.
            return RepeatedSentence(*place, StatementComparison("agrees", source=place[0]), _UNREAD)
    return None


_UNREAD = features_of(Examination(StatementComparison("agrees"), {}))
"""What the comparison of a sentence saw that it could not read."""


def is_repeated(a: Alignment) -> bool:
    """Tell whether a claim is a sentence of prose of its context, but for case and its last stop."""
    return _place(a) is not None


def _place(a: Alignment) -> tuple[int, str] | None:
    """Return the source and the words of the sentence that a claim is.

    Too short a claim says nothing without its question, and a "Yes" answers one.
    """
    words = a.claim.sentence.words
    if len(a.unique) <= SHORTEST or len(words) > LONGEST or behind_particle(words):
        return None
    key = _key(words)
    return next(
        (
            (index, each.words)
            for index, each in a.context.once(_sentences).get(key, ())
            if _states(a.context, index, each)
        ),
        None,
    )


def _sentences(context: Context) -> dict[str, list[tuple[int, Sentence]]]:
    """Return the sentences of prose with their source, by what they are found by."""
    found: dict[str, list[tuple[int, Sentence]]] = {}
    for index, source in enumerate(context.sources):
        for each in source.sentences if source.record is None else ():
            if each.kind != "question" and len(each.words) <= LONGEST:
                found.setdefault(_key(each.words), []).append((index, each))
    return found


def _states(context: Context, index: int, sentence: Sentence) -> bool:
    """Tell whether a sentence states something by itself: no title, and no item of a list does."""
    told = context.told(index).at.get(sentence.start, ())
    return sentence.words in told and not is_title(context.sources[index].text, sentence)


def _key(words: str) -> str:
    return words.casefold().rstrip(" .!")


@cached_by_text(cost=6)
def _compared(
    claim: str, told: str, question: str | None, language: LanguageCode
) -> tuple[StatementComparison, tuple[float, ...]]:
    held = frozenset([word_of(word, language).root for word in terms(claim).words])
    examined = examine(claim, [told], question, held=held, language=language)
    return examined.comparison, features_of(examined)
