"""The wording of an answer that says the evidence does not hold the answer."""

from __future__ import annotations

from adapters.caching import cached
from scorers.models.linear import linear_model
from scorers.text.phrases import Phrases
from scorers.text.plain import plain
from scorers.wording.opening import HEAD, sentence_words

OPENING = 3
"""Sentences that are read."""

_SOURCE = (
    "context|passage|passages|text|document|documents|information|excerpt|excerpts|source|sources|article|articles"
    "|material|materials|manual|data|content|snippet|snippets|section|page|evidence|guide|policy|handbook"
    "|record|records|pages|knowledge|documentation|contract|leaflet|brochure|report|reports|transcript"
    "|letter|file|files|website|faq|faqs|notes|paper|papers|resource|resources"
)
_TELLS = (
    "provid*|mention*|contain*|specif*|state|states|stated|say|says|indicat*|answer*|address*|discuss*|explain*|describ*"
    "|clarif*|refer|refers|reveal*|detail*|tell|tells|elaborat*|name|names|touch*"
)
_HOLDS = "include*|cover*|list*|show*|hold*|give*|have|has|relat*|pertain*|offer*"
_LEARNS = "find|locate|see|determine|tell|say|identify|confirm|verify|answer|know|establish|make"
_FACTS = "information|mention|details|detail|reference|indication|evidence|data|answer|answers|context|result*|section"
FAMILIES: dict[str, tuple[str, ...]] = {
    "source_silent": (
        f"{_SOURCE} ~6 not|never ~3 {_TELLS}",
        f"{_SOURCE} ~3 say|says|contain*|has|have|give*|show|shows no|nothing",
        f"{_SOURCE} ~3 lack|lacks|silent|insufficient",
        f"no ~2 {_SOURCE} ~3 {_TELLS}|{_HOLDS}|found|available",
        f"no ~5 {_FACTS} ~8 {_SOURCE}",
    ),
    "source_lacks": (f"{_SOURCE} ~6 not ~3 {_HOLDS}",),
    "none_of_them": (
        f"none|neither ~4 {_SOURCE} ~6 {_TELLS}|{_HOLDS}",
        f"nothing ~4 {_SOURCE} ~4 {_TELLS}|{_HOLDS}",
        f"nothing|none|anything ~5 in|from|within ~3 {_SOURCE}",
    ),
    "not_in_source": (
        f"not ~3 {_TELLS} ~8 in|by|from|within ~4 {_SOURCE}",
        f"not ~3 in|by|from|within|part ~3 {_SOURCE}",
        f"not ~3 {_TELLS}|covered|found|included|listed anywhere",
    ),
    "i_cannot_tell": (
        f"i|we ~2 can|could not ~3 {_LEARNS}",
        f"i|we ~2 unable to ~2 {_LEARNS}",
        f"i|we ~2 not able to ~2 {_LEARNS}",
        "i|we ~1 do|did not ~1 know|find",
        "i|we ~1 am|are not ~1 sure|certain",
        f"i|we ~1 have no|not ~5 {_FACTS}",
        f"i|we do|did not ~1 have ~4 {_FACTS}",
        "i|we ~2 do not ~1 have ~2 access",
    ),
    "cannot_be_told": (
        "can|could not|never be ~1 answered|determined|established|verified|found|confirmed|said|inferred",
        f"can|could not ~2 {_LEARNS}",
        f"unable to ~2 {_LEARNS}|provide|give",
        f"not able to ~2 {_LEARNS}|provide|give",
        f"not|impossible|difficult|hard ~1 to ~2 {_LEARNS}|provide|give",
    ),
    "it_is_not_given": (
        "^ it|this|that ~1 is not ~2 mentioned|specified|provided|stated|clear|known|available|given|covered|indicated",
        "^ it|this|that ~1 is unclear|unknown|uncertain",
        "^ this|that|such information ~3 not available",
        "^ unknown|unclear",
        "not ~2 mentioned|specified|provided|stated|indicated",
    ),
    "no_facts": (
        f"^ no ~2 {_FACTS}|sources|documents",
        f"there is|are|was|were no|not ~3 {_FACTS}",
        f"no ~2 {_FACTS} ~6 found|available|provided|given",
    ),
    "not_enough": (
        f"not enough|sufficient ~2 {_FACTS}",
        f"insufficient ~1 {_FACTS}",
        f"without ~2 more|further|additional|any ~2 {_FACTS}",
    ),
    "more_wanted": (
        f"i|we ~3 need|require more|additional|further ~2 {_FACTS}",
        f"provide|share|give ~3 more|additional|further ~2 {_FACTS}",
        "could|can you ~2 clarify|rephrase|specify|provide|tell",
        "please ~2 clarify|rephrase|specify",
    ),
    "elsewhere": ("please ~2 consult|refer|contact|check|see", "you may|can|should ~2 consult|refer|contact|check|ask"),
    "off_topic": (
        "not ~2 related|relevant ~2 to",
        "unrelated|irrelevant",
        f"{_SOURCE} ~8 is|are about|regarding",
        "does not ~3 appear|seem ~4 in|to",
    ),
    "sorry": ("^ i ?am ~1 sorry|afraid", "^ sorry|unfortunately|apolog*", "unfortunately"),
    "based_on": (f"based on ~4 {_SOURCE}", f"^ according to ~4 {_SOURCE}"),
    "begins_with_source": (f"^ the ~3 {_SOURCE}", f"^ in|from ~4 {_SOURCE}"),
    "but_still": ("however|but|although|though|nevertheless", "generally|typically|usually|in general"),
    "so_it_is": ("so|therefore|hence|thus",),
}
"""What is said, by what it does. Sources are what an answer may have been given: "the context", "the manual"."""

_PHRASES = Phrases(FAMILIES)
_DENYING = frozenset(
    {"not", "no", "nothing", "never", "without", "unclear", "unknown", "insufficient", "none", "neither", "unable"}
)


def features(answer: str) -> dict[str, float]:
    """Return the named features of an answer.

    >>> sorted(features("The manual does not mention it."))
    ['begins_with_source@1', 'brief', 'denies@1', 'source_silent@1']
    """
    named: dict[str, float] = {}
    head = plain(answer[:HEAD])
    for number, sentence in enumerate(sentence_words(head)[:OPENING], start=1):
        found = _PHRASES.find(sentence)
        where = "1" if number == 1 else "later"
        named.update({f"{family}@{where}": 1.0 for family in found})
        if number == 1 and not _DENYING.isdisjoint(sentence):
            named["denies@1"] = 1.0
    named["brief"] = 10 / (10 + head.count(" "))
    return named


# The scorers of policy ask the same of the same answer.
@cached(maxsize=8)
def abstention_probability(answer: str) -> float:
    """Return the calibrated probability that ``answer`` abstains.

    >>> round(abstention_probability("I don't know."), 1)
    0.9
    """
    return linear_model("abstention").probability(features(answer))
