"""The claims of an answer judged by an entailment model, where there is one, in place of the trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.schema import Answer
from scorers.base import Absent, Env
from scorers.memory import Memory
from scorers.ports.entailment import Entailment, Probabilities, Temperatures
from scorers.support.claims import statements_of
from scorers.support.judgement import Judgement, judge
from scorers.support.model import EVEN, WORST_FIRST, AnswerVerdict, ClaimVerdict, logit_of, sigmoid
from scorers.support.second import doubted_of, seconded
from scorers.text.source import MAX_CONTEXT, within

JUST = 1e-9
"""How far from even odds the support of a claim is kept that is called otherwise."""


@dataclass(frozen=True, slots=True)
class EntailmentQuery:
    """What a model is asked about an answer: ``claims`` against ``passages``; ``at`` are their places in a judgement.

    ``truncated``: the passages are longer than what is read.
    """

    passages: tuple[str, ...]
    claims: tuple[str, ...]
    at: tuple[int, ...]
    truncated: bool


def asked_of(answer: Answer, memory: Memory) -> EntailmentQuery | None:
    """Return what a model is asked about ``answer``; ``None`` where there is nothing to compare.

    What asks, leads to a claim, declines or abstains is left out: nothing entails it.

    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="Leave is 20 weeks.")
    >>> answer = Answer(id="a", answer="It is so: Leave is 16 weeks. Is that all?", passages=(passage,))
    >>> asked_of(answer, Memory()).claims
    ('It is so: Leave is 16 weeks.',)
    """
    passages = answer.context_passages()
    if answer.answer is None or passages is None or any(passage.text is None for passage in passages):
        return None
    statements = statements_of(answer, memory)
    at = tuple(index for index, each in enumerate(statements) if each.asserts)
    if not at:
        return None
    texts = [passage.text or "" for passage in passages]
    kept = tuple(text for text in within(texts) if text.strip())
    truncated = sum(map(len, texts)) > MAX_CONTEXT
    return EntailmentQuery(kept, tuple(statements[index].words for index in at), at, truncated) if kept else None


def judge_with(answer: Answer, env: Env) -> Judgement | Absent:
    """Judge the sentences of ``answer`` by the model of ``env``, else by the trees, or say why that cannot be done.

    A claim is supported as the passage says that entails it most, and contradicted as the one that contradicts it
    most. An answer is supported as its least supported claim is. A model that knows support alone leaves contradiction
    to the trees. A model that is a second opinion is asked of the claims alone that the trees doubt.

    Source: the best passage of each claim, Managwu et al. 2025 (eq. 3-6); every claim must hold, Tang et al. 2024
    (MiniCheck).
    """
    found = judge(answer, env.memory)
    if isinstance(found, Absent):
        return found
    if env.second is not None:
        return seconded(found, doubted_of(answer, env.memory, env.second.joining), env.second)
    if env.entailment is None:
        return found
    asked = asked_of(answer, env.memory)
    return found if asked is None else _entailed(found, asked, env.entailment)


def support_by(model: Entailment, texts: Sequence[str], claim: str) -> float:
    """Return how surely ``texts`` entail a claim: as the one that does most, or all as one where none alone does."""
    read = [text[:MAX_CONTEXT] for text in texts if text.strip()]
    if not read:
        return 0.0
    best = float(model.compare(read, [claim]).supported.max())
    if best < EVEN and len(read) > 1:
        best = max(best, float(model.compare(["\n".join(read)[:MAX_CONTEXT]], [claim]).supported.max()))
    return _scaled(best, (model.temperatures or Temperatures()).claim)


def told_by(model: Entailment) -> str:
    """Say which model judged, as it follows an explanation."""
    return f"; judged by {model.name}{'' if model.temperatures else ' (uncalibrated)'}"


def _entailed(found: Judgement, asked: EntailmentQuery, model: Entailment) -> Judgement:
    compared = model.compare(asked.passages, asked.claims)
    scale = model.temperatures or Temperatures()
    by = told_by(model)
    against = None if compared.contradicted is None else _most(compared.contradicted)
    verdicts = list(found.verdicts)
    doubts: list[float] = []
    for place, (index, best) in enumerate(zip(asked.at, _most(compared.supported), strict=True)):
        doubt = _scaled(1 - best, scale.answer)
        if against is None:  # what the trees call contradicted is at most as doubtful as the model says
            opposed = min(found.verdicts[index].contradicted, doubt)
        else:
            opposed = _scaled(against[place], scale.contradiction)
        strength = found.stated[index].strength
        verdicts[index] = verdict = _verdict(
            _scaled(best, scale.claim), max(opposed, strength if strength >= EVEN else 0.0), doubt >= scale.threshold
        )
        doubts.append(max(doubt, scale.threshold, verdict.contradicted) if verdict.label == "contradicted" else doubt)
    conflict = max(verdicts[index].contradicted for index in asked.at)
    labels = {verdicts[index].label for index in asked.at}
    return replace(
        found,
        verdicts=tuple(verdicts),
        verdict=AnswerVerdict(max(doubts), conflict, next(each for each in WORST_FIRST if each in labels)),
        truncated=asked.truncated or compared.truncated,
        support_by=by,
        conflict_by=found.conflict_by if against is None else by,
    )


def _verdict(supported: float, contradicted: float, doubted: bool) -> ClaimVerdict:  # noqa: FBT001 - one of three parts
    """Return the verdict of a claim whose label and numbers agree."""
    if contradicted >= EVEN:
        return ClaimVerdict(min(supported, 1 - contradicted), contradicted, "contradicted")
    if doubted:
        supported = min(supported, EVEN - JUST)
        return ClaimVerdict(supported, min(contradicted, 1 - supported), "unsupported")
    supported = max(supported, EVEN + JUST)
    return ClaimVerdict(supported, min(contradicted, 1 - supported), "supported")


def _most(table: Probabilities) -> list[float]:
    most: list[float] = table.max(axis=1).tolist()
    return most


def _scaled(probability: float, temperature: float) -> float:
    return probability if temperature == 1 else sigmoid(logit_of(probability) / temperature)
