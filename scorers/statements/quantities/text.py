"""All tables of one language, and a text tokenized with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adapters.caching import cached
from scorers.statements.quantities.amounts import FRACTIONS, NumberReading, amount_at
from scorers.statements.quantities.bounds import BoundWords, bounds
from scorers.statements.quantities.dates import NOONS, months
from scorers.statements.quantities.numerals import HALVES, Numerals, numerals
from scorers.statements.quantities.rates import frequency_words
from scorers.statements.quantities.scanning import QuantityToken
from scorers.statements.quantities.units import MeasureUnit, units

SPACED = frozenset(("bg", "cs", "da", "de", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "ru", "sv", "uk"))
"""Languages in which a blank groups digits."""


class LanguageTables(NamedTuple):
    """The tables of one language.

    ``begins`` are the words with which a quantity can begin; a text without digits has none without one of ``tells``,
    or without an article and one of ``measured``, the words of units: an article begins one only before a unit.
    ``leading`` are the first words of units that have several.
    """

    name: str
    units: Mapping[str, MeasureUnit]
    numerals: Numerals
    bounds: BoundWords
    begins: frozenset[str]
    tells: frozenset[str]
    measured: frozenset[str]
    leading: frozenset[str]
    spaced: bool

    def tell(self, words: Sequence[str]) -> bool:
        """Tell whether a text of these words can have a quantity, though it has no digit."""
        if not self.tells.isdisjoint(words):
            return True
        return not self.measured.isdisjoint(words) and not self.numerals.articles.isdisjoint(words)


@cached(maxsize=32)
def language_tables(language: str) -> LanguageTables:
    """Return the tables of a language."""
    words = numerals(language)
    begins = words.begins.union(months(language), frequency_words(language), NOONS, HALVES, FRACTIONS)
    measures = units(language)
    tells, measured = begins - words.articles, frozenset(word for form in measures for word in form.split())
    leading = frozenset(form.split()[0] for form in measures if " " in form)
    spaced = language in SPACED
    return LanguageTables(language, measures, words, bounds(language), begins, tells, measured, leading, spaced)


class TokenizedText(NamedTuple):
    """A text, its tokens, their words, and the tables of its language."""

    text: str
    tokens: list[QuantityToken]
    words: list[str]
    table: LanguageTables

    def amount(self, at: int) -> NumberReading | None:
        """Return the number that begins at a token."""
        return amount_at(self.tokens, at, self.table.name, self.table.numerals) if at < len(self.tokens) else None

    def touching(self, at: int) -> bool:
        """Tell whether a token follows the one before without a blank."""
        return 0 < at < len(self.tokens) and self.tokens[at].start == self.tokens[at - 1].end
