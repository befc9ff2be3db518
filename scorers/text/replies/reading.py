"""What the sentences of a reply do, by the tables of its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Literal

from adapters.caching import cached, cached_by_text
from scorers.text.language import LanguageCode
from scorers.text.phrases import Phrases, words
from scorers.text.plain import plain
from scorers.text.replies.base import Wording

Act = Literal["declines", "abstains", "refers", "courtesy", "about"]
"""What a sentence does that holds no answer; see `scorers.text.replies.base.Wording`."""

TABLES: Mapping[LanguageCode, str] = {
    "bg": "bulgarian",
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "ja": "japanese",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "zh": "chinese",
}
"""The languages of which there is a table, and the module that holds it."""

REPLY_LANGUAGES: tuple[LanguageCode, ...] = ("en", *sorted(TABLES))
"""Those, and English, which trained models read (`scorers.wording`)."""

LONGEST = 400
"""Characters of a sentence that are read: one that holds no answer says so early."""


@cached_by_text(cost=1)
def acts_of(sentence: str, language: LanguageCode) -> frozenset[Act]:
    """Return what a sentence of a reply in ``language`` does beside stating something; nothing without a table.

    One that says both that it will not and that it does not know abstains: the reason counts. Linear in its length.

    >>> sorted(acts_of("Dazu liegen mir leider keine Informationen vor.", "de"))
    ['abstains']
    >>> sorted(acts_of("Gutscheine können leider nicht zurückgegeben werden.", "de"))
    []
    """
    if language not in TABLES:
        return frozenset()
    found = _reader(language)(sentence[:LONGEST])
    return found - {"declines"} if "abstains" in found else found


def declines_or_abstains(sentence: str, language: LanguageCode) -> bool:
    """Return whether a sentence of a reply says that it gives no answer, as the tables of ``language`` tell.

    >>> declines_or_abstains("Je ne peux pas vous aider sur ce point.", "fr")
    True
    """
    return not acts_of(sentence, language).isdisjoint(("declines", "abstains"))


@cached(maxsize=16)
def _reader(language: LanguageCode) -> Callable[[str], frozenset[Act]]:
    wording: Wording = import_module(f"scorers.text.replies.{TABLES[language]}").WORDING
    if language in ("ja", "zh"):
        return _by_signs(wording)
    phrases = Phrases(wording._asdict())
    return lambda sentence: frozenset(phrases.find(words(sentence)))  # type: ignore[arg-type]


def _by_signs(wording: Wording) -> Callable[[str], frozenset[Act]]:
    every = {act: re.compile("|".join(patterns)) for act, patterns in wording._asdict().items()}

    def read(sentence: str) -> frozenset[Act]:
        spelled = plain(sentence).strip()
        return frozenset(act for act, pattern in every.items() if pattern.search(spelled))  # type: ignore[misc]

    return read
