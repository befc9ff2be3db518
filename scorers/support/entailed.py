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
from scorers.support.model import logit_of, sigmoid
from scorers.text.source import MAX_CONTEXT, within

EVEN = 0.5


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

    What asks, leads to a claim or abstains is left out: nothing entails it. An answer of such sentences alone is asked
    about as it is, unless it only abstains.

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
    if all(statement.kind == "abstention" for statement in statements):
        return None
    at = tuple(index for index, each in enumerate(statements) if each.asserts) or tuple(range(len(statements)))
    texts = [passage.text or "" for passage in passages]
    kept = tuple(text for text in within(texts) if text.strip())
    truncated = sum(map(len, texts)) > MAX_CONTEXT
    return EntailmentQuery(kept, tuple(statements[index].words for index in at), at, truncated) if kept else None


def judge_with(answer: Answer, env: Env) -> Judgement | Absent:
    """Judge the sentences of ``answer`` by the model of ``env``, else by the trees, or say why that cannot be done.

    A claim is supported as the passage says that entails it most, and contradicted as the one that contradicts it
    most. An answer is supported as its least supported claim is. A model that knows support alone leaves contradiction
    to the trees.

    Source: the best passage of each claim, Managwu et al. 2025 (eq. 3-6); every claim must hold, Tang et al. 2024
    (MiniCheck).
    """
    found = judge(answer, env.memory)
    if env.entailment is None or isinstance(found, Absent):
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
    best = _most(compared.supported)
    supported = [1.0] * len(found.aligned)
    for index, p in zip(asked.at, best, strict=True):
        supported[index] = _scaled(p, scale.claim)
    unsupported = _scaled(1 - min(best), scale.answer)
    judged = replace(
        found,
        supported=tuple(supported),
        unsupported=unsupported,
        flagged=unsupported >= scale.threshold,
        truncated=asked.truncated or compared.truncated,
        support_by=by,
    )
    if compared.contradicted is None:
        return judged
    worst = _most(compared.contradicted)
    contradicted = [0.0] * len(found.aligned)
    for index, p in zip(asked.at, worst, strict=True):
        contradicted[index] = _scaled(p, scale.contradiction)
    return replace(judged, contradicted=tuple(contradicted), conflict=max(contradicted), conflict_by=by)


def _most(table: Probabilities) -> list[float]:
    most: list[float] = table.max(axis=1).tolist()
    return most


def _scaled(probability: float, temperature: float) -> float:
    return probability if temperature == 1 else sigmoid(logit_of(probability) / temperature)
