"""What the table of a language holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class LanguageWords(NamedTuple):
    """The words of a language other than English, by what they say in a statement.

    ``phrases`` forbid, require, permit, deny or bind, in the notation of the English ones, by what they turn into; only
    what is regular: the force of a sentence, its denial, conditions, exceptions, order, and how many it speaks of.
    ``function`` have no content of their own. ``joins`` are the words for "and" and "or".
    """

    phrases: Mapping[str, str]
    function: frozenset[str]
    joins: tuple[str, str]
    stemmer: str = ""
    """Snowball's name of the language; without one, words are compared by what they begin with."""
    concepts: str = ""
    """Words that say the same, and behind the bar their opposites: a concept a line."""
    sets: str = ""
    """Sets of which a thing is one member, parted by commas: a set a line."""
    counted: frozenset[str] = frozenset()
    """Numerals, and what a figure counts in: compared as quantities."""
    breaks: frozenset[str] = frozenset()
    """Where another clause begins."""
    resuming: frozenset[str] = frozenset()
    """What a further clause begins with behind "and": a pronoun that takes up who was spoken of."""
    forms: str = ""
    """Irregular forms and, behind a colon, what they are forms of: a word a line."""
    participles: tuple[str, ...] = ()
    """Endings of what a "not" before it denies alone: "repas non annulés", "programas no autorizados"."""
    generic: frozenset[str] = frozenset()
    """Who a statement may leave unsaid, since it goes for whoever reads."""
