"""A second opinion on single claims: a model of pairs, asked where trees doubt and no rule decides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.schema import Answer
from scorers.base import Absent
from scorers.languages import language_between
from scorers.memory import Memory, once
from scorers.ports.entailment import Joining, SecondOpinion
from scorers.support.judgement import Judgement, judge
from scorers.support.model import EVEN, ClaimVerdict, answer_verdict, kind_of, logit_of, sigmoid
from scorers.support.premise import hypothesis_of, premise_of

PROSE = ("passages", "text")
"""Kinds of context of which a model of pairs is asked: of records and tables it has seen too few."""


@dataclass(frozen=True, slots=True)
class Doubted:
    """What a model is asked of one claim: whether ``hypothesis`` follows from ``premise``; ``at`` is its place."""

    at: int
    premise: str
    hypothesis: str


@once
def doubted_of(answer: Answer, memory: Memory, joining: Joining) -> tuple[Doubted, ...]:
    """Return the claims of ``answer`` of which a second opinion is asked; none where there is nothing to doubt.

    Those over English prose whose support lies within the bounds, that no rule contradicts, and that share a word with
    the context.
    """
    found = judge(answer, memory)
    if isinstance(found, Absent) or language_between(answer, memory) != "en":
        return ()
    asked: list[Doubted] = []
    for place, index in enumerate(found.claims):
        aligned = found.aligned[index]
        doubtful = joining.least <= found.verdicts[index].supported <= joining.most
        if not doubtful or found.stated[index].strength >= EVEN or kind_of(aligned.context) not in PROSE:
            continue
        if premise := premise_of(aligned):
            words = hypothesis_of(aligned.claim.sentence.words, answer.question, first=place == 0)
            asked.append(Doubted(index, premise, words))
    return tuple(asked)


def seconded(found: Judgement, asked: Sequence[Doubted], model: SecondOpinion) -> Judgement:
    """Return the judgement with what a model adds to it; its label stays as its worst claim is."""
    if not asked:
        return found
    verdicts = list(found.verdicts)
    for each in asked:
        compared = model.compare([each.premise], [each.hypothesis])
        against = 0.0 if compared.contradicted is None else float(compared.contradicted[0, 0])
        verdicts[each.at] = _joined(
            verdicts[each.at], float(compared.supported[0, 0]), against, len(found.claims), model.joining
        )
    kind = kind_of(found.aligned[asked[0].at].context)
    whole = answer_verdict([verdicts[index] for index in found.claims], kind)
    told = f"; {len(asked)} of {len(found.claims)} claims with {model.name}"
    return replace(found, verdicts=tuple(verdicts), verdict=whole, support_by=told, conflict_by=told)


def _joined(
    verdict: ClaimVerdict, supported: float, contradicted: float, claims: int, joining: Joining
) -> ClaimVerdict:
    """Return the verdict of trees and model together; what both doubt is contradicted as far as the model says so."""
    crowd = joining.crowd * math.log(max(1, claims))
    logit = (
        joining.intercept - joining.trees * logit_of(verdict.supported) - joining.model * logit_of(supported) - crowd
    )
    doubt = sigmoid(logit)
    least = round(1 - doubt, _DECIMALS)
    share = contradicted / max(contradicted + (1 - supported - contradicted), _SMALL)
    against = round(min(max(verdict.contradicted, doubt * share), doubt), _DECIMALS)
    if least > EVEN:
        return ClaimVerdict(least, min(against, 1 - least), "supported")
    return ClaimVerdict(least, against, "contradicted" if against >= EVEN else "unsupported")


_DECIMALS = 9
_SMALL = 1e-9
