"""The words of every language other than English that statements are read in."""

from __future__ import annotations

from collections.abc import Mapping

from scorers.statements.lexicon.languages import (
    bulgarian,
    dutch,
    french,
    german,
    italian,
    polish,
    portuguese,
    spanish,
)
from scorers.statements.lexicon.languages.base import LanguageWords

LANGUAGE_WORDS: Mapping[str, LanguageWords] = {
    "bg": bulgarian.WORDS,
    "de": german.WORDS,
    "es": spanish.WORDS,
    "fr": french.WORDS,
    "it": italian.WORDS,
    "nl": dutch.WORDS,
    "pl": polish.WORDS,
    "pt": portuguese.WORDS,
}
"""By ISO 639-1 code."""
