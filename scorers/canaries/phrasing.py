"""A question out of a statement: the figure or the rule that matters is left out, the rest of the words stay.

No model of language is asked. The question may read a little stiffly; what counts is that it does not give away what
the version in force says, so that an outdated copy is found as readily as the right one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from scorers.text.normalize import STOP_WORDS

_TOKEN = re.compile(r"\w+(?:[.,:/'\u2019-]\w+)*|[%\u20ac$\u00a3\u00a5]|[^\w\s]")
_MONEY = frozenset(
    {"%", "\u20ac", "$", "\u00a3", "\u00a5", "eur", "usd", "gbp", "chf", "jpy", "euro", "euros", "dollars", "pounds"}
)
_PERCENT = frozenset({"%", "percent"})
_SYMBOLS = frozenset({"\u20ac", "$", "\u00a3", "\u00a5"})
_CLOSED_UP = frozenset(".,;:!?)]%")
_LEAST_CONTENT = 3
"""Words of content that must be left for a question to find anything."""
_LONGEST_GAP = 6
"""Words that may be left out together: where more changed, the sentence is a new one."""


def tokens_of(text: str) -> list[str]:
    """Return the words, figures and signs of a text in order.

    >>> tokens_of("Up to EUR 1,200.50 (30 %).")
    ['Up', 'to', 'EUR', '1,200.50', '(', '30', '%', ')', '.']
    """
    return _TOKEN.findall(text)


def differing(new: Sequence[str], old: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of ``new`` that ``old`` does not have, whatever the case of their letters.

    >>> differing("Hotels up to 200 EUR".split(), "Hotels up to 180 EUR".split())
    [(3, 4)]
    """
    matcher = SequenceMatcher(None, [one.casefold() for one in old], [one.casefold() for one in new], autojunk=False)
    return [(start, end) for tag, _, _, start, end in matcher.get_opcodes() if tag != "equal" and end > start]


def has_figure(token: str) -> bool:
    """Return whether a digit stands in a token."""
    return any(letter.isdigit() for letter in token)


def question_of(title: str | None, statement: str, former: str | None) -> str | None:
    """Return a question about what ``statement`` says, without what distinguishes it from ``former``.

    Without ``former`` its figures are left out; where there are none, the question is whether it is so. ``None`` where
    too few words are left.

    >>> question_of("Travel", "Hotels are paid up to 200 EUR per night.", "Hotels are paid up to 180 EUR per night.")
    'Travel: hotels are paid up to how much EUR per night?'
    >>> question_of("Leave", "Contractors must book through the portal.", "Contractors may book through the portal.")
    'Leave: what is the rule where contractors book through the portal?'
    >>> question_of(None, "Badges are returned to the front desk.", None)
    'Is it right that badges are returned to the front desk?'
    """
    words = tokens_of(statement)
    if words and words[-1] in {".", "!", "?", ";"}:
        words = words[:-1]
    gaps = _gaps(words, former)
    if gaps is None:
        return None
    asked: list[str] = []
    asks = False
    at = 0
    for start, end in gaps:
        asked += words[at:start]
        at = end
        if any(map(has_figure, words[start:end])):
            asks = True
            asked += _asking(words, start, end)
    asked += words[at:]
    if sum(one.isalpha() and one.casefold() not in STOP_WORDS for one in asked) < _LEAST_CONTENT:
        return None
    rest = _joined(_opened(asked))
    lead = "" if asks else "what is the rule where " if gaps else "is it right that "
    said = f"{lead}{rest}?"
    return f"{title}: {said}" if title else said[0].upper() + said[1:]


def _gaps(words: Sequence[str], former: str | None) -> list[tuple[int, int]] | None:
    if former is None:
        return [(at, at + 1) for at, word in enumerate(words) if has_figure(word)]
    found = [
        span for span in differing(words, tokens_of(former)) if any(one[0].isalnum() for one in words[slice(*span)])
    ]
    return None if any(end - start > _LONGEST_GAP for start, end in found) else found


def _asking(words: Sequence[str], start: int, end: int) -> list[str]:
    """Return what is asked in place of a figure, with what else of the gap is no part of it left out."""
    around = {word.casefold() for word in words[max(0, start - 1) : end + 1]}
    if around & _PERCENT:
        return ["what", "percentage"] if end < len(words) and words[end] not in _PERCENT else ["how", "many"]
    if around & _MONEY or _SYMBOLS & set(words[max(0, start - 1) : end + 1]):
        return ["how", "much"]
    behind = words[end] if end < len(words) else ""
    return ["how", "many"] if behind.isalpha() and behind.casefold() not in STOP_WORDS else ["what"]


def _opened(words: Sequence[str]) -> list[str]:
    """Return the words with the first one in small letters, unless it is a name or an abbreviation."""
    if not words or not (words[0][1:].islower() or len(words[0]) == 1):
        return list(words)
    return [words[0].lower(), *words[1:]]


def _joined(words: Sequence[str]) -> str:
    text = ""
    for word in words:
        text += word if not text or word in _CLOSED_UP or text[-1] in _SYMBOLS | {"(", "["} else f" {word}"
    return text
