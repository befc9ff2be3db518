"""Which operators an English sentence may have, from its words alone: what is asked before its clauses are read."""

from __future__ import annotations

from adapters.caching import cached
from scorers.statements.lexicon.compounds import COMPOUNDS
from scorers.statements.lexicon.phrases import PHRASES
from scorers.statements.tokens import spelled
from scorers.text.glance import glance
from scorers.text.plain import plain

_WRITTEN = {"not": ("not", "t", "cannot")}
"""How a word stands in a text that is read as two: "isn't" and "cannot" have a "not"."""


def may_deny(text: str) -> bool:
    """Tell whether a sentence may deny or forbid something; where it has no word for that, it does not.

    >>> [may_deny(text) for text in ("Pets aren't admitted.", "Smoking is prohibited.", "Pets are admitted.")]
    [True, True, False]
    """
    return not _words_for("NEG", "FORBID").isdisjoint(glance(plain(text)))


def may_keep(text: str) -> bool:
    """Tell whether a sentence may keep something for some alone; where it has no word for that, it does not.

    >>> [may_keep(text) for text in ("Only staff may enter.", "It is reserved for staff.", "Staff may enter.")]
    [True, True, False]
    """
    return not _words_for("ONLY", "ONLYIF").isdisjoint(glance(plain(text)))


@cached(maxsize=8)
def _words_for(*operators: str) -> frozenset[str]:
    """Return words one of which stands in each phrase that is one of these operators: of several, the longest."""
    lines = (line for name in operators for line in PHRASES[name].strip().splitlines())
    found: set[str] = set()
    for words in sorted({words for line in lines for words in spelled(line)}, key=_size):
        if found.isdisjoint(words):
            found.add(max(words, key=_letters))
    for line in COMPOUNDS.strip().splitlines():
        pattern, _, target = line.rpartition(":")
        if not found.isdisjoint(target.split()):
            found.update(max(words, key=_letters) for words in spelled(pattern) if found.isdisjoint(words))
    return frozenset([run for word in found for run in _WRITTEN.get(word, (word.partition("'")[0],))])


def _size(words: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    return len(words), words


def _letters(word: str) -> tuple[int, str]:
    return len(word), word
