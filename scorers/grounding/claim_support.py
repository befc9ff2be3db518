"""Claim support: how well the context supports what the answer states."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer, not_applicable
from scorers.grounding.ledger import faithful
from scorers.support.entailed import judge_with
from scorers.support.evidence import WEAKEST, context_ids, counted, partly, shown
from scorers.text.counts import several


class ClaimSupport(Scorer):
    """Mean support of the answer's claims by the context: 0 no claim has support, 1 every claim is fully supported.

    A claim is a sentence that asserts something: questions, headings, lead-ins, refusals, referrals, courtesies and
    statements that the evidence holds no answer are left out. Its support is the probability at even odds that the
    context supports it: below one half it is called unsupported, or contradicted where the context says otherwise; see
    docs/models/support.md for what the model sees, and what it cannot. With nothing in the context every claim is
    unsupported, and the value is 0. An answer without a claim is ``not_applicable``. Where an entailment model is
    configured, support is the probability that the passage entails the claim that does so most, and ``explanation``
    says so.

    The claim ledger of a labelled row is judged exactly (``basis: gold``): the share of its claims that a passage
    supports.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="Employees receive 20 weeks of paid parental leave.")
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> right = Answer(id="a", answer="You receive 20 weeks of paid parental leave.", passages=(passage,))
    >>> wrong = Answer(id="b", answer="You receive 16 weeks of paid parental leave.", passages=(passage,))
    >>> ClaimSupport().score(right, env).value > 0.7 > 0.3 > ClaimSupport().score(wrong, env).value
    True
    """

    metric: ClassVar[Metric] = Metric(
        name="claim_support",
        family="grounding",
        languages=("en",),
        words=("answer", "passages"),
        elsewhere="an invention is not seen here; what contradicts the passages shows in contradiction_absence, where "
        "that has a value",
        unit="ratio",
        better="higher",
        help="Mean support of an answer's claims by its context: 0 no claim is supported, 1 all are.",
        formula="mean over claims c of p(c, C), the probability that the context C supports c: boosted trees over what "
        "c and C share, at most 1 - the strength of what C states otherwise (docs/models/support.md)",
        source="Managwu et al. 2025, IJARCS 16(5), eq. 3-6 (G_claim, G_doc), over the context as a whole instead of "
        "the best passage, so that a claim may draw on two; PROBE 3.3, Table 3 (claim support).",
        bases=("gold", "passages"),
        cost="judgement",
        limits="Trained on English answers. Weak where a claim names another entity of the context, exchanges who "
        "does what to whom, adds a restriction, or sums up in words of its own; no rate, but a ranking, for "
        "a single claim (shares found by kind: docs/models/support.md, docs/models/statements.md).",
        version="8",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    by_entailment: ClassVar[bool] = True
    type: Literal["claim_support"] = "claim_support"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the mean over claims of their support, or why there is none."""
        if (exact := faithful(answer, env)) is not None:
            return exact
        found = judge_with(answer, env)
        if isinstance(found, Absent):
            return found
        claims = found.claims
        if not claims:
            return not_applicable("the answer makes no claim")
        values = found.supported
        ids = context_ids(answer)
        order = sorted(claims, key=lambda index: (values[index], index))[:WEAKEST]
        return Measured(
            value=min(1.0, sum(values[index] for index in claims) / len(claims)),
            basis="passages",
            explanation=f"{counted(found)}; against {several(len(ids), 'passage')}{partly(found)}{found.support_by}",
            evidence=shown(found, order, ids, [f"support {value:.2f}" for value in values]),
        )
