"""Whether an English clause only says what a text is about: "the terms I have only deal with drivers' ages"."""

from __future__ import annotations

from scorers.text.normalize import word_set

_DEALS = word_set(
    "deal deals cover covers describe describes discuss discusses concern concerns relate relates focus focuses touch"
    " touches talk talks speak speaks treat treats address addresses explain explains mention mentions list lists"
    " outline outlines go goes"
)
"""What a text does with what it is about."""
_WRITTEN = word_set(
    "text texts page pages section sections article articles document documents documentation docs passage passages"
    " excerpt excerpts extract extracts snippet snippets source sources material materials context handbook guide"
    " guidelines manual policy policies terms rules wording sheet leaflet brochure faq faqs entry entries chapter"
    " summary summaries information info content file files results result overview notes regulations conditions"
)
"""What is read."""
_BINDS = word_set(
    "must shall should may can cannot never required requires always unless except before after within not no"
)
_SUBJECT, _BEFORE = 9, 4
"""Words of a subject, and those of its end one of which is what is read."""


def topic_subject(tokens: list[str]) -> list[str]:
    """Return the subject of a clause that says what a text is about, nothing of another clause.

    >>> topic_subject("the terms i have only deal with the age of drivers".split())
    ['the', 'terms', 'i', 'have']
    >>> topic_subject("the policy covers 30 days".split()), topic_subject("the fee covers meals".split())
    ([], [])
    """
    at = next((at for at, word in enumerate(tokens[: _SUBJECT + 2]) if word in _DEALS), 0)
    subject = tokens[:at]
    while subject and subject[-1] in ("only", "just", "solely", "mainly", "mostly", "exclusively", "all", "does", "do"):
        subject = subject[:-1]
    if not subject or _WRITTEN.isdisjoint([*subject[:2], *subject[-_BEFORE:]]) or not _BINDS.isdisjoint(tokens):
        return []
    return [] if any(map(str.isdigit, tokens)) else subject
