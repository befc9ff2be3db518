"""Claim support: how well the context supports what the answer states."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Env, Evidence, Metric, Score, Scorer, Unscored
from scorers.text.grounding import Grounding, difference, excerpt, ground

WEAKEST = 5
"""Claims that the evidence lists, the least supported first."""


class ClaimSupport(Scorer):
    """Mean support of the answer's claims by the context: 0 no claim has support, 1 every claim is fully supported.

    A claim is a sentence that asserts something: questions, headings, lead-ins and statements that the evidence holds
    no answer are left out. Its support is that of the single passage that supports it best. With nothing in the context
    every claim is unsupported, and the value is 0. An answer without a claim is ``not_applicable``.

    Version 1 estimates the probability from the share of the claim's words, weighted by rarity, that stand close
    together in the passage, lowered for numbers, dates and negation that differ. The constants are set by hand: **the
    value orders answers, it is not a calibrated probability.** It does not see relations between words: a claim with
    all the words of a passage in other roles is taken for supported.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="Employees receive 20 weeks of paid parental leave.")
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> right = Answer(id="a", answer="You receive 20 weeks of paid parental leave.", passages=(passage,))
    >>> wrong = Answer(id="b", answer="You receive 16 weeks of paid parental leave.", passages=(passage,))
    >>> [round(ClaimSupport().score(answer, env).value, 2) for answer in (right, wrong)]
    [0.99, 0.08]
    """

    metric: ClassVar[Metric] = Metric(
        name="claim_support",
        family="grounding",
        unit="ratio",
        better="higher",
        help="Mean support of an answer's claims by its context: 0 no claim is supported, 1 every claim is.",
        formula="mean over claims c of max over context passages j of p(c, C_j); p: logistic of the rarity-weighted "
        "share of c's words in the best two adjacent sentences, lowered for numbers and negation that differ; "
        "constants set by hand, not calibrated",
        source="Managwu et al. 2025, IJARCS 16(5), eq. 3-6 (G_claim, G_doc); PROBE 3.3, Table 3 (claim support).",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["claim_support"] = "claim_support"

    def score(self, answer: Answer, env: Env) -> Score | Unscored:  # noqa: ARG002 - the contract's signature
        """Return the mean over claims of the best passage's support, or why there is none."""
        absent = self.missing(answer)
        if absent is not None:
            return absent
        passages = answer.context_passages() or ()
        if any(passage.text is None for passage in passages):
            return Unscored(metric=self.metric.name, reason="missing_input", detail="text of a context passage")
        grounding = ground(answer, passages)
        if not grounding.claims:
            return Unscored(metric=self.metric.name, reason="not_applicable", detail="the answer makes no claim")
        best = [grounding.best(index) for index in range(len(grounding.claims))]
        values = [found[1].probability if found is not None else 0.0 for found in best]
        order = sorted(range(len(values)), key=lambda index: (values[index], index))[:WEAKEST]
        note = "; the context is longer than what is read, so support may be understated" if grounding.truncated else ""
        return Score(
            metric=self.metric.name,
            value=min(1.0, sum(values) / len(values)),
            basis="passages",
            explanation=f"{len(values)} claims against {len(passages)} passages{note}",
            evidence=tuple(_evidence(grounding, index, [p.id for p in passages]) for index in order),
        )


def _evidence(grounding: Grounding, index: int, ids: list[str]) -> Evidence:
    """Show one claim beside the passage sentence nearest to it, and what differs."""
    claim = grounding.claims[index]
    shown = f"claim {excerpt(claim.words)!r}"
    found = grounding.best(index)
    if found is None:
        return Evidence(kind="claim", detail=f"{shown}: nothing in the context", start=claim.start, end=claim.end)
    at, support = found
    if support.sentence is None:
        nearest = "no sentence of the context shares a word with it"
    else:
        sentence = grounding.sources[at].sentences[support.sentence]
        nearest = f"nearest {excerpt(sentence.words)!r}; {difference(support)}"
    return Evidence(
        kind="claim",
        detail=f"{shown} support {support.probability:.2f}; {nearest}",
        passage_id=ids[at],
        start=claim.start,
        end=claim.end,
    )
