"""A second opinion on single claims: a model of pairs, asked where trees doubt, and of what a rule contradicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.schema import Answer
from scorers.base import Absent
from scorers.languages import language_between
from scorers.memory import Memory, once
from scorers.ports.entailment import Joining, SecondOpinion
from scorers.statements.base import StatementComparison
from scorers.support.judgement import Judgement, judge, whole_verdict
from scorers.support.model import EVEN, ClaimVerdict, kind_of, logit_of, sigmoid
from scorers.support.premise import hypothesis_of, premise_of
from scorers.support.stated import Stated

OVERRULED = Stated(StatementComparison("undecided", undecided="a model of pairs takes it for another wording"))
"""What is stated of a claim that a rule contradicts and the second opinion does not."""

PROSE = ("passages", "text")
"""Kinds of context of which a model of pairs is asked: of records and tables it has seen too few."""


@dataclass(frozen=True, slots=True)
class Doubted:
    """What a model is asked of one claim: whether ``hypothesis`` follows from ``premise``; ``at`` is its place.

    ``ruled``: a rule contradicts it.
    """

    at: int
    premise: str
    hypothesis: str
    ruled: bool = False


@once
def doubted_of(answer: Answer, memory: Memory, joining: Joining) -> tuple[Doubted, ...]:
    """Return the claims of ``answer`` of which a second opinion is asked; none where there is nothing to doubt.

    Those over English prose that share a word with the context, and whose support lies within the bounds or that a rule
    contradicts, if it may be overruled.
    """
    found = judge(answer, memory)
    if isinstance(found, Absent) or language_between(answer, memory) != "en":
        return ()
    asked: list[Doubted] = []
    for place, index in enumerate(found.claims):
        aligned = found.aligned[index]
        ruled = found.stated[index].strength >= EVEN
        doubtful = joining.least <= found.verdicts[index].supported <= joining.most
        if kind_of(aligned.context) not in PROSE or not (joining.rules is not None if ruled else doubtful):
            continue
        if premise := premise_of(aligned):
            words = hypothesis_of(aligned.claim.sentence.words, answer.question, first=place == 0)
            asked.append(Doubted(index, premise, words, ruled))
    return tuple(asked)


def seconded(found: Judgement, asked: Sequence[Doubted], model: SecondOpinion) -> Judgement:
    """Return the judgement with what a model adds to it; its label stays as its worst claim is."""
    if not asked:
        return found
    verdicts, stated = list(found.verdicts), list(found.stated)
    for each in asked:
        compared = model.compare([each.premise], [each.hypothesis])
        supported = float(compared.supported[0, 0])
        doubt = _doubt(each, verdicts[each.at], supported, len(found.claims), model.joining)
        if each.ruled:
            verdicts[each.at] = _joined(doubt, doubt)
            if verdicts[each.at].label == "supported":
                stated[each.at] = OVERRULED
        else:
            against = 0.0 if compared.contradicted is None else float(compared.contradicted[0, 0])
            share = min(against / max(1 - supported, _SMALL), 1.0)
            verdicts[each.at] = _joined(doubt, max(verdicts[each.at].contradicted, doubt * share))
    whole = whole_verdict(found.aligned, verdicts, found.claims)
    told = f"; {len(asked)} of {len(found.claims)} claims with {model.name}"
    return replace(
        found, verdicts=tuple(verdicts), stated=tuple(stated), verdict=whole, support_by=told, conflict_by=told
    )


def _doubt(asked: Doubted, verdict: ClaimVerdict, supported: float, claims: int, joining: Joining) -> float:
    """Return how surely a claim is not supported, by trees, rules and model together."""
    logit = joining.intercept - joining.trees * logit_of(verdict.supported) - joining.model * logit_of(supported)
    if asked.ruled and joining.rules is not None:
        logit += joining.rules
    return sigmoid(logit - joining.crowd * math.log(max(1, claims)))


def _joined(doubt: float, against: float) -> ClaimVerdict:
    """Return the verdict of what is doubted so much, and contradicted so much of that."""
    least = round(1 - doubt, _DECIMALS)
    against = round(min(against, doubt), _DECIMALS)
    if least > EVEN:
        return ClaimVerdict(least, min(against, 1 - least), "supported")
    return ClaimVerdict(least, against, "contradicted" if against >= EVEN else "unsupported")


_DECIMALS = 9
_SMALL = 1e-9
