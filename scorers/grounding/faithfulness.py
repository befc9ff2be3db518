"""Faithfulness: whether the context supports every claim of the answer."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer
from scorers.grounding.ledger import faithful
from scorers.support.entailed import judge_with
from scorers.support.evidence import WEAKEST, context_ids, counted, partly, shown


class Faithfulness(Scorer):
    """Probability that every claim of the answer is supported: 0 some claim is surely invented, 1 every one is there.

    Calibrated by what can be seen of the context (structured data, several passages, one text), so that its mean over
    traffic is the expected share of faithful answers; it depends on how often a generator invents, so calibrate it on
    labels of your own where you have them. ``label`` is that of the worst claim: ``contradicted`` where the context
    says otherwise, ``unsupported`` where it does not say so, else ``supported``; value and label never disagree. An
    answer that claims nothing (it declines, abstains, refers elsewhere, asks or greets) is ``not_applicable``. Where an
    entailment model is configured, the value is that of the least supported claim by it, and ``explanation`` says so.

    The claim ledger of a labelled row is judged exactly (``basis: gold``): the share of its claims that a passage
    supports, and 0 where the answer owed claims and makes none.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="Employees receive 20 weeks of paid parental leave.")
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> wrong = Answer(id="b", answer="You receive 16 weeks of paid parental leave.", passages=(passage,))
    >>> Faithfulness().score(wrong, env).label
    'contradicted'
    """

    metric: ClassVar[Metric] = Metric(
        name="faithfulness",
        family="grounding",
        languages=("en",),
        words=("answer", "passages"),
        elsewhere="an invention is not seen here; what contradicts the passages shows in contradiction_absence, where "
        "that has a value",
        unit="ratio",
        better="higher",
        help="Calibrated probability that every claim is supported: 0 some claim is invented, 1 all are supported.",
        formula="1 - sigmoid(a s + b), s the log-odds that the worst claim is unsupported, over prose moved by those "
        "of the second worst and by the share of unseen terms, but never past 0; a, b by kind of context; a claim that "
        "a statement of the context contradicts is unsupported (docs/models/support.md)",
        source="Calibration: J. Platt 1999. Labels of answers: Niu et al. 2024 (RAGTruth). PROBE 3.3 (grounding).",
        bases=("gold", "passages"),
        labels=("supported", "unsupported", "contradicted"),
        cost="judgement",
        limits="Calibrated on the writers of RAGTruth: another rate of inventions shifts it. Weakest on summaries "
        "(balanced accuracy .66, against .79 on data and .83 on questions) and on single small changes in "
        "free prose, of which about half are found; most are found in policy text. Answers in free paraphrase: half "
        "to two thirds of the wrong ones found; one in seven right ones flagged. Answers of four claims over several "
        "passages: one in ten to five right ones flagged, one wrong claim in six found (docs/models/support.md, "
        "docs/models/statements.md).",
        version="7",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    by_entailment: ClassVar[bool] = True
    type: Literal["faithfulness"] = "faithfulness"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the probability that every claim is supported, or why there is none."""
        if (exact := faithful(answer, env)) is not None:
            return exact
        found = judge_with(answer, env)
        if isinstance(found, Absent):
            return found
        values = found.supported
        order = sorted(found.claims, key=lambda index: (values[index], index))
        worst = [index for index in order[:WEAKEST] if values[index] < _DOUBTFUL] or order[:1]
        least = f"lowest support {values[order[0]]:.2f}"
        return Measured(
            value=1 - found.verdict.unsupported,
            basis="passages",
            label=found.label,
            explanation=f"{counted(found)}; {least}{partly(found)}{found.support_by}",
            evidence=shown(found, worst, context_ids(answer), [f"support {value:.2f}" for value in values]),
        )


_DOUBTFUL = 0.9
"""Claims supported more surely than this are no evidence of a low score."""
