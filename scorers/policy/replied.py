"""Whether an answer declines or abstains: by how it is worded as a whole, and by what each of its sentences does.

Trained models and tables read the opening of an answer for how sure it is. Where no sentence of it claims anything and
one of them declines or abstains, that is what the answer does, however it opens.
"""

from __future__ import annotations

from adapters.schema import Answer
from scorers.memory import Memory, once
from scorers.models.linear import linear_model
from scorers.support.claims import statements_of
from scorers.support.dialogue import act_of
from scorers.text.sentences import Sentence
from scorers.wording.replying import FIRST, ReplyLikelihoods, reply_of


@once
def replied(answer: Answer, memory: Memory) -> ReplyLikelihoods:
    """Return how likely ``answer`` declines, and how likely it abstains.

    Of sentences that do either, the first one counts.

    >>> replied(Answer(id="a", question="Any parking?", answer="Parking? Not in here, sorry."), Memory())[1]
    0.95
    """
    worded = reply_of(answer.question or "", answer.answer or "")
    if worded.refuses >= linear_model("refusal").threshold or worded.abstains >= linear_model("abstention").threshold:
        return worded
    said = statements_of(answer, memory)
    if any(each.asserts for each in said):
        return worded
    act = next((act for each in said if (act := _act(each)) in ("refusal", "abstention")), None)
    if act is None:
        return worded
    if act == "refusal":
        return ReplyLikelihoods(max(worded.refuses, FIRST), worded.abstains)
    return ReplyLikelihoods(worded.refuses, max(worded.abstains, FIRST))


def _act(sentence: Sentence) -> str:
    """Return what a sentence does by itself: what only justifies a refusal does not decline."""
    if sentence.kind == "refusal" and (act := act_of(sentence.words)) == "claim" and sentence.words.isascii():
        return act
    return sentence.kind
