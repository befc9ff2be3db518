"""The claims of an answer judged against its context: computed once, read by every scorer that needs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adapters.schema import Answer
from scorers.base import Absent, missing_input, not_applicable
from scorers.memory import Memory, once
from scorers.models.terms import rarity
from scorers.support.alignment import Alignment, align
from scorers.support.claims import read_claims, statements_of
from scorers.support.context import Context
from scorers.support.differences import differences
from scorers.support.features import Named, rows
from scorers.support.model import (
    ContextKind,
    answer_logit,
    kind_of,
    logit_of,
    sigmoid,
    support_model,
    with_slip,
)
from scorers.text.excerpt import excerpt
from scorers.text.source import MAX_CONTEXT, source_of, within


class Quote(NamedTuple):
    """A claim, what separates it from its context, and the sentence nearest to it, of which source; as excerpts."""

    claim: str
    differs: str
    source: int | None = None
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model says of an answer's sentences: its claims, and what leads to them, asks or abstains.

    ``claims`` are the indices of the sentences that assert something. ``supported[i]`` is the calibrated probability
    that the context supports claim i, ``contradicted[i]`` that a passage says otherwise; ``unsupported`` that some
    claim is not supported, ``conflict`` that some claim is contradicted, ``flagged`` whether the first reaches the
    shipped threshold. ``truncated``: not all of the context was read. ``support_by`` and ``conflict_by`` tell which
    other model than the trees gave the figures, if one did.
    """

    aligned: tuple[Alignment, ...]
    claims: tuple[int, ...]
    supported: tuple[float, ...]
    contradicted: tuple[float, ...]
    unsupported: float
    conflict: float
    flagged: bool
    truncated: bool
    rows: tuple[Sequence[float], ...]
    support_by: str = ""
    conflict_by: str = ""
    _quotes: dict[int, Quote] = field(default_factory=dict, compare=False)

    def quote(self, index: int) -> Quote:
        """Return claim ``index`` beside what is nearest to it; put into words once for all scorers."""
        if (quote := self._quotes.get(index)) is not None:
            return quote
        aligned = self.aligned[index]
        claim = excerpt(aligned.claim.sentence.words)
        differs = differences(aligned, Named(self.rows[index]))
        quote = Quote(claim, differs)
        if (nearest := self.nearest(index)) is not None:
            source, at = nearest
            quote = Quote(claim, differs, source, excerpt(aligned.context.sources[source].sentences[at].words))
        self._quotes[index] = quote
        return quote

    def nearest(self, index: int) -> tuple[int, int] | None:
        """Return source and sentence nearest to claim ``index``."""
        return nearest_sentence(self.aligned[index])


def nearest_sentence(aligned: Alignment) -> tuple[int, int] | None:
    """Return source and sentence nearest to a claim; ``None`` where no sentence shares a word with it."""
    if not aligned.window_weight:
        return None
    at = aligned.window
    if aligned.covered[at + 1] > aligned.covered[at]:
        at += 1
    source = aligned.context.source_of(at)
    return source, at - aligned.context.sentence_base[source]


@once
def judge(answer: Answer, memory: Memory) -> Judgement | Absent:
    """Judge the sentences of ``answer`` against its context, or say why there is nothing to judge.

    With nothing in the context every claim is unsupported. A passage whose text was withheld makes it unknown.
    """
    passages = answer.context_passages()
    if answer.answer is None or passages is None:
        return missing_input("answer" if answer.answer is None else "passages")
    if any(passage.text is None for passage in passages):
        return missing_input("text of a context passage")
    if all(statement.kind == "abstention" for statement in statements_of(answer, memory)):
        return not_applicable("the answer makes no claim")
    return judgement(answer, memory)


@once
def judgement(answer: Answer, memory: Memory) -> Judgement:
    """Judge the sentences of ``answer``, one at least, against its context; a passage without text says nothing."""
    texts = [passage.text or "" for passage in answer.context_passages() or ()]
    sources = [source_of(passage) for passage in within(texts)]
    truncated = sum(map(len, texts)) > MAX_CONTEXT
    context = Context(sources)
    known = rarity()
    claims = read_claims(statements_of(answer, memory), answer.answer or "", answer.question)
    aligned = tuple(align(claim, context, known) for claim in claims)
    asserting = tuple(index for index, each in enumerate(aligned) if each.claim.sentence.asserts)
    table = rows(aligned)
    if not any(source.sentences for source in sources):
        none = (0.0,) * len(aligned)
        return Judgement(aligned, asserting, none, none, 1.0, 0.0, flagged=True, truncated=truncated, rows=tuple(table))
    kind = kind_of(context)
    model = support_model()
    doubted, against = _bad(table)
    whole = model.unsupported.answer[kind].probability(answer_logit(doubted))
    return Judgement(
        aligned,
        asserting,
        supported=tuple(_support(p, kind) for p in doubted),
        contradicted=tuple(model.contradicted.claim[kind].probability(logit_of(p)) for p in against),
        unsupported=whole,
        conflict=model.contradicted.answer[kind].probability(answer_logit(against)),
        flagged=whole >= model.unsupported.answer[kind].threshold,
        truncated=truncated,
        rows=tuple(table),
    )


def supports(table: Sequence[Sequence[float]], kind: ContextKind) -> list[float]:
    """Return for each row of features the calibrated probability of support, as in a context of this kind."""
    return [_support(p, kind) for p in _bad(table)[0]]


def _support(doubt: float, kind: ContextKind) -> float:
    return 1 - support_model().unsupported.claim[kind].probability(logit_of(doubt))


def _bad(table: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """Return for each row how likely the claim is unsupported, and contradicted, before calibration."""
    raw = support_model().trees.logits(table).tolist()
    unsupported, contradicted, slips = ([sigmoid(logit) for logit in group] for group in raw)
    return (
        [with_slip(p, slip) for p, slip in zip(unsupported, slips, strict=True)],
        [with_slip(p, slip) for p, slip in zip(contradicted, slips, strict=True)],
    )
