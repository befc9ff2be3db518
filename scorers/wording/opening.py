"""The opening of an answer, in words by sentence: where an answer declines or abstains, it says so there."""

from __future__ import annotations

from functools import lru_cache

from scorers.text.phrases import words
from scorers.text.sentences import Sentence, split_sentences

HEAD = 1_200
"""Characters of an answer that are its opening: the first two hundred words."""


# A memo of a pure function, for speed alone: several scorers of one panel read the same opening.
@lru_cache(maxsize=8)
def worded(text: str) -> tuple[tuple[Sentence, tuple[str, ...]], ...]:
    """Return the sentences of ``text``, each with its words."""
    return tuple((sentence, tuple(words(sentence.words))) for sentence in split_sentences(text))


def sentence_words(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each sentence of ``text`` that has any.

    >>> sentence_words("Yes. I can't.")
    (('yes',), ('i', 'can', 'not'))
    """
    return tuple(found for _, found in worded(text) if found)
