"""English words without their inflection, so that two texts that say the same in other forms have the same terms."""

from __future__ import annotations

from adapters.caching import cached

MAX_TERM = 64
"""A longer run of letters is no word of any language; what is past this is cut off."""

_IRREGULAR_STEMS = """bought:buy brought:bring built:build children:child chosen:choos dollar:usd dollars:usd euro:eur
    euros:eur given:give gave:give held:hold kept:keep los:el made:mak making:mak men:man mins:minut paid:pay
    percentage:percent said:say sent:send sold:sell taken:tak took:tak told:tell women:woman written:writ wrote:writ
    yrs:year"""
_VOWELS = frozenset("aeiouy")
_IRREGULAR = dict(pair.split(":") for pair in _IRREGULAR_STEMS.split())


# A few thousand words make up most of any text.
@cached(maxsize=16_384)
def stem(word: str) -> str:
    """Return a lower-case word without its English inflection; other scripts stay as they are.

    Lighter than Porter's algorithm on purpose: it removes plural, ``-ed``, ``-ing``, ``-ly`` and a final ``e``, and
    leaves derivation (``approval``) to the prefix match of the aligner.

    >>> [stem(w) for w in ("policies", "approved", "approving", "planned", "directly", "classes", "status")]
    ['policy', 'approv', 'approv', 'plan', 'direct', 'class', 'status']
    """
    if not word.isascii():
        return word[:MAX_TERM]
    known = _IRREGULAR.get(word)
    if known is not None:
        return known
    word = word.partition("'")[0]
    if len(word) <= 3:  # noqa: PLR2004 - too short to carry an ending
        return word
    word = _singular(word)
    if word.endswith("ly") and len(word) > 5:  # noqa: PLR2004 - "only", "early" keep theirs
        word = word[:-2]
    if word.endswith("ied"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and not _VOWELS.isdisjoint(base):  # noqa: PLR2004 - "bed", "king"
            doubled = base[-1] == base[-2] and base[-1] not in "flsz"
            word = base[:-1] if doubled else base
            break
    return word.removesuffix("e")


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
