"""Whether an answer declines or abstains, in its language: trained models for English, tables for ten more."""

from __future__ import annotations

from typing import NamedTuple

from adapters.caching import cached
from scorers.text.language import LanguageCode
from scorers.text.replies.clauses import goes_on, language_of_reply
from scorers.text.replies.reading import TABLES, Act, acts_of
from scorers.text.sentences import split_sentences
from scorers.wording.abstaining import abstention_probability
from scorers.wording.declining import MAX_READ, refusal_probability
from scorers.wording.opening import HEAD

FIRST, SECOND, NONE = 0.95, 0.8, 0.03
"""How sure it is that an answer declines or abstains where its first sentence that is no courtesy does so by a table,
where its second does, and where neither does."""


class ReplyLikelihoods(NamedTuple):
    """How likely an answer declines for policy, and how likely it says that it does not know."""

    refuses: float
    abstains: float


def reply_of(question: str, answer: str) -> ReplyLikelihoods:
    """Return whether ``answer`` declines or abstains.

    >>> reply_of("Was verdient Jo?", "Dazu darf ich leider keine Auskunft geben.")
    ReplyLikelihoods(refuses=0.95, abstains=0.03)
    >>> reply_of("Wie lange?", "In den Unterlagen wird das nicht erwähnt.")
    ReplyLikelihoods(refuses=0.03, abstains=0.95)
    """
    return _reply_of(question[:MAX_READ], answer[:MAX_READ])


# The scorers of policy ask the same of the same answer.
@cached(maxsize=8)
def _reply_of(question: str, answer: str) -> ReplyLikelihoods:
    language = language_of_reply(question, answer)
    if language not in TABLES:
        return ReplyLikelihoods(refusal_probability(question, answer), abstention_probability(answer[:HEAD]))
    found = _acts(answer, language)
    return ReplyLikelihoods(found.get("declines", NONE), found.get("abstains", NONE))


def _acts(answer: str, language: LanguageCode) -> dict[Act, float]:
    """Return which of declining and abstaining an answer does, and how sure that is.

    An opening that is a courtesy does not count, nor what stands behind an opening with a figure: that is an answer.
    """
    found: dict[Act, float] = {}
    at = 0
    for sentence in split_sentences(answer[:HEAD]):
        acts = acts_of(sentence.words, language)
        silent = acts & {"declines", "abstains"}
        if silent and goes_on(sentence.words, language):
            silent = frozenset()
        for act in silent:
            found.setdefault(act, FIRST if at == 0 else SECOND)
        if silent or ("courtesy" in acts and at == 0) or sentence.kind == "heading":
            continue
        at += 1
        if at > 1 or any(map(str.isdigit, sentence.words)):
            break
    return found
