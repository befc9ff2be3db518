"""A yes or no said with the words of the question left out: "No, they are not", "Unfortunately not", "Yes, you can"."""

from __future__ import annotations

import re

_ADVERB = (
    r"(?:unfortunately|sadly|regrettably|sorry|i'?m (?:sorry|afraid)|of course|indeed|certainly|absolutely|definitely"
    r"|currently|correct|that'?s (?:right|correct)|this is correct)"
)
_SURELY = r"(?:sure|surely|certainly|definitely|absolutely|indeed|really)"
_YES_NO = r"(?P<particle>yes|yeah|yep|no|nope)"
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|need|am|ca(?=n't)"
    r"|wo(?=n't)|can(?=not))"
)
_SHORT = re.compile(
    rf"\W{{0,4}}{_YES_NO}?\W{{0,4}}(?:{_ADVERB}\b\W{{0,3}}){{0,2}}"
    rf"(?:(?:you|they|it|he|she|we|i|that|this|there)(?:(?:\s+{_SURELY})?\s+{_AUXILIARY}|'s|'re)\s?(?P<denied>n't|not)?"
    r"(?:\s(?:possible|allowed|permitted|the case|true|necessary|required))?|(?P<bare>not|never))?"
    rf"\W{{0,3}}(?:{_ADVERB})?\W{{0,4}}",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"\W{0,4}(?:sure|of course|certainly|absolutely|definitely|yep|yeah)\b[,:!]?\s{1,3}", re.IGNORECASE
)
_DENIES = re.compile(
    r"\W{0,4}(?:(?:nope|certainly not|of course not|absolutely not|not yet|not really|sadly not|i'm afraid not)\b"
    r"[,:;!]?"
    r"|(?:unfortunately|regrettably|sorry,?) not\b[,:;!])\s{1,3}(?:(?:as|since|because)\s{1,3})?",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\W{0,4}nothing(?:\W{0,4}|,\s+(?P<rest>.+))", re.IGNORECASE | re.DOTALL)
_PRICE = re.compile(
    r"how much|what (?:do|does|is|are|will)\b.{0,200}\b(?:cost|price|fee|charge|pay)", re.IGNORECASE | re.DOTALL
)

LONGEST = 80
"""Characters of such a reply; one with more says something."""


def as_particle(words: str) -> str | None:
    """Return the yes or no that a short reply comes to; ``None`` where it says more, or says both.

    >>> [as_particle(words) for words in ("No, they aren't.", "Unfortunately not.", "Yes, you can.", "It does.")]
    ['No', 'No', 'Yes', 'Yes']
    >>> [as_particle(words) for words in ("Yes, you can pay later.", "No, you can.", "Sorry.", "Of course.")]
    [None, None, None, None]
    """
    found = _SHORT.fullmatch(words.replace("\u2019", "'")) if len(words) <= LONGEST else None
    if found is None:
        return None
    particle = (found["particle"] or "").lower()
    denied = found["denied"] is not None or found["bare"] is not None
    said = (
        re.search(r"\b(?:you|they|it|he|she|we|i|that|this|there)(?:\s+\w|'(?:s|re)\b)", found.group(), re.IGNORECASE)
        is not None
    )
    if not particle:
        return None if not said and not denied else "No" if denied else "Yes"
    if particle.startswith("n"):
        return None if said and not denied else "No"
    return None if denied else "Yes"


def with_particle(words: str) -> str:
    """Return a reply with the yes or no that opens it said as such.

    >>> with_particle("Sure, you can return it."), with_particle("Nope, it is closed."), with_particle("Surely.")
    ('Yes, you can return it.', 'No, it is closed.', 'Surely.')
    """
    for opens, particle in ((_DENIES, "No"), (_AGREES, "Yes")):
        found = opens.match(words)
        if found is not None and found.end() < len(words):
            return f"{particle}, {words[found.end() :]}"
    return words


def of_price(words: str, question: str) -> str:
    """Return what an answer of "nothing" says to a question of the price.

    >>> of_price("Nothing.", "How much does a stroller cost?"), of_price("Nothing, it is free.", "What does it cost?")
    ('It is free of charge.', 'it is free.')
    """
    found = _NOTHING.fullmatch(words[:_LONG])
    if found is None or _PRICE.search(question[:_LONG]) is None:
        return words
    return found["rest"] or "It is free of charge."


_LONG = 400
