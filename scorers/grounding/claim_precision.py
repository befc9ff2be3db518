"""Claim precision at k: how many of an answer's claims the first k passages of its context support by themselves.

They are no part of the panel that runs on traffic: each judges all claims once more. `groundwire evaluate --panel
claims` adds them.
"""

from __future__ import annotations

from typing import ClassVar

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer, not_applicable
from scorers.grounding.ledger import faithful
from scorers.retrieval.ranking import ranked
from scorers.support.entailed import judge_with
from scorers.support.evidence import WEAKEST, context_ids, shown


def _metric(k: int) -> Metric:
    passages = "passage" if k == 1 else f"{k} passages"
    return Metric(
        name=f"claim_precision_at_{k}",
        family="grounding",
        languages=("en",),
        words=("answer", "passages"),
        unit="ratio",
        better="higher",
        help=f"Share of an answer's claims that the first {passages} of its context support: 0 none, 1 all.",
        formula=f"claims c with p(c, first {passages}) >= .5 / claims",
        source="Managwu et al. 2025, IJARCS 16(5), section 4.1 and Table 1 (claim precision@1, @3).",
        bases=("gold", "passages"),
        cost="judgement",
        limits="An answer that draws on several passages has less at 1 than at 3, however good the ranking is. Misses "
        "what the support model misses (docs/models/support.md).",
    )


class _ClaimPrecision(Scorer):
    k: ClassVar[int]
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    by_entailment: ClassVar[bool] = True

    @property
    def _first(self) -> str:
        return "the first passage" if self.k == 1 else f"the first {self.k} passages"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of claims that the first passages support, or why there is none."""
        first = first_passages(answer, self.k)
        if (exact := faithful(first, env)) is not None:
            return exact
        found = judge_with(first, env)
        if isinstance(found, Absent):
            return found
        if not found.claims:
            return not_applicable("the answer makes no claim")
        values = found.supported
        held = found.labelled("supported")
        order = sorted(set(found.claims).difference(held), key=lambda index: (values[index], index))
        return Measured(
            value=len(held) / len(found.claims),
            basis="passages",
            explanation=f"{len(held)} of {len(found.claims)} claims are supported by {self._first}{found.support_by}",
            evidence=shown(found, order[:WEAKEST], context_ids(first), [f"support {value:.2f}" for value in values]),
        )


class ClaimPrecisionAt1(_ClaimPrecision):
    """Share of claims that the first passage supports by itself: 0 none, 1 all.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> texts = ("Parental leave is 20 weeks.", "Hotels cost up to 180 EUR a night.")
    >>> passages = tuple(Passage(id=text[:6], text=text) for text in texts)
    >>> answer = Answer(id="a", answer=" ".join(texts), passages=passages)
    >>> ClaimPrecisionAt1().score(answer, env).value, ClaimPrecisionAt3().score(answer, env).value
    (0.5, 1.0)
    """

    k: ClassVar[int] = 1
    metric: ClassVar[Metric] = _metric(1)


class ClaimPrecisionAt3(_ClaimPrecision):
    """Share of claims that the first three passages support: 0 none, 1 all."""

    k: ClassVar[int] = 3
    metric: ClassVar[Metric] = _metric(3)


def first_passages(answer: Answer, k: int) -> Answer:
    """Return an answer as if its context were its first ``k`` passages, in the order in which they were ranked.

    >>> from adapters.schema import Passage
    >>> passages = tuple(Passage(id=name, text=name) for name in "abc")
    >>> first_passages(Answer(id="x", passages=passages, context=("c", "b")), 1).context
    ('b',)
    """
    context = answer.context_passages()
    if context is None:
        return answer
    there = {passage.id for passage in context}
    order = [name for name in ranked(answer) if name in there]
    # What no step ranked comes last, as it stands.
    names = list(dict.fromkeys([*order, *(passage.id for passage in context)]))[:k]
    by_id = {passage.id: passage for passage in reversed(answer.passages or ())}
    return answer.model_copy(update={"passages": tuple(by_id[name] for name in names), "context": tuple(names)})


CLAIM_PANEL: tuple[type[Scorer], ...] = (ClaimPrecisionAt1, ClaimPrecisionAt3)
"""What `groundwire evaluate --panel claims` adds."""
