"""The opening of an answer, in words by sentence: where an answer declines or abstains, it says so there."""

from __future__ import annotations

from adapters.caching import cached
from scorers.text.phrases import words
from scorers.text.sentences import Sentence, split_sentences

HEAD = 1_200
"""Characters of an answer that are its opening: the first two hundred words."""


# Several scorers of one panel read the same opening.
@cached(maxsize=8)
def worded(text: str) -> tuple[tuple[Sentence, tuple[str, ...]], ...]:
    """Return the sentences of ``text``, each with its words."""
    return tuple((sentence, tuple(words(sentence.words))) for sentence in split_sentences(text))


def sentence_words(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each sentence of ``text`` that has any.

    >>> sentence_words("Yes. I can't.")
    (('yes',), ('i', 'can', 'not'))
    """
    return tuple(found for _, found in worded(text) if found)
