"""How an answer names a conflict between its sources."""

from __future__ import annotations

from scorers.text.phrases import Phrases, words
from scorers.text.sentences import split_sentences

MAX_READ = 20_000
"""Characters of an answer that are read."""

_SOURCE = (
    "source|sources|document|documents|passage|passages|policy|policies|text|texts|page|pages|article|articles|record"
    "|records|version|versions|memo|memos|guide|guides|report|reports|guideline|guidelines|manual|manuals|snippet"
    "|snippets"
)
_NAMES = Phrases(
    {
        "names": (
            "conflict*|contradict*|inconsisten*|discrepan*|disagree*|incompatible|irreconcilable",
            f"{_SOURCE} ~6 differ|differs|differing|vary|varies|diverge|diverges",
            f"different|differing|various ~2 {_SOURCE} ~6 different|differing",
            f"not ~3 agree|consistent|aligned ~6 {_SOURCE}",
            f"{_SOURCE} ~4 not ~2 agree|consistent|aligned",
            f"one|some|first ~3 {_SOURCE} ~10 another|other|others|second",
            f"one|some|first ~10 another|other|others|second ~2 {_SOURCE}",
            "supersed*|overrid*|overruled|outdated|replaced ~3 by",
            f"older|earlier|previous|former|newer|later ~1 {_SOURCE} ~6 state*|said|says|gave|gives|list*|set",
            "takes|take|has|have|taking precedence",
        )
    }
)


def names_conflict(answer: str) -> bool:
    """Tell whether any sentence of ``answer`` says that its sources do not agree, or which of them prevails.

    >>> names_conflict("The sources disagree: one memo says 60 %."), names_conflict("The limit is 60 %.")
    (True, False)
    """
    return any(_NAMES.find(words(sentence.words)) for sentence in split_sentences(answer[:MAX_READ]))
