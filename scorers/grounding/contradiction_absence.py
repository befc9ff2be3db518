"""Contradiction absence: whether a passage of the context says otherwise than the answer."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Score, Scorer
from scorers.grounding.ledger import uncontradicted
from scorers.support.entailed import judge_with
from scorers.support.evidence import WEAKEST, context_ids, counted, partly, shown
from scorers.support.model import EVEN
from scorers.support.spoken import MEASURED


class ContradictionAbsence(Scorer):
    """Probability that no claim is contradicted: 0 the context surely says otherwise, 1 it contradicts nothing.

    What the context does not tell is no contradiction: another number, date, name, unit, negation, duty or opposite is.
    ``label`` is ``contradicted`` where a claim is, as for ``faithfulness``, else ``not_contradicted``: it is decided at
    even odds, while the value counts on few answers being contradicted, and may stay high beside that label. With
    nothing in the context nothing is contradicted, and an answer that claims nothing is ``not_applicable``. Where an
    entailment model is configured that knows contradiction, the value is that of the claim most contradicted by a
    passage, and ``explanation`` says so.

    In German, French, Portuguese, Spanish and Italian the value is one minus the strength of what a statement says
    otherwise of the claim most contradicted, and a claim is contradicted from .65 on; the forests, trained on English,
    have no say.

    An answer that takes one side of a conflict silently (``conflict_handling`` is 0) is contradicted by the other side:
    there the value is at most 1 - ``source_conflict``, and the label ``one_sided`` where that is at least even and no
    claim is contradicted. One that names or resolves the conflict is not.

    Where a passage supports every claim of a labelled row's ledger, nothing is contradicted (``basis: gold``).

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="Employees receive 20 weeks of paid parental leave.")
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> right, wrong = (
    ...     ContradictionAbsence().score(Answer(id="a", answer=text, passages=(passage,)), env).value
    ...     for text in ("You receive 20 weeks of paid parental leave.", "You receive 16 weeks of paid parental leave.")
    ... )
    >>> right > wrong
    True
    """

    metric: ClassVar[Metric] = Metric(
        name="contradiction_absence",
        family="grounding",
        languages=MEASURED,
        words=("answer", "passages"),
        unit="ratio",
        better="higher",
        help="Probability that the context contradicts no claim: 0 it contradicts one, 1 it contradicts none.",
        formula="1 - sigmoid(a s + b), s the log-odds that the claim most contradicted is; a, b by kind of context "
        "(docs/models/support.md); beyond English 1 - the strongest difference of statements; at most 1 - "
        "source_conflict where conflict_handling is 0",
        source="Spans marked as conflict: Niu et al. 2024 (RAGTruth). PROBE 3.3, Table 3 (contradiction), Table A.9,"
        " row 5 (falls when a conflict is ignored).",
        bases=("gold", "passages"),
        labels=("not_contradicted", "one_sided", "contradicted"),
        cost="judgement",
        limits="Misses a contradiction in words far from those of the passage, of another entity, or of exchanged "
        "roles. In free prose it calls only near copies with one thing changed, so it finds few of the "
        "conflicts that people mark there, against five in six over data (docs/models/support.md). Policy answers "
        "kept aside in German, French, Portuguese, Spanish and Italian: 50 of 60 wrong ones flagged that change one "
        "thing of a sentence and 23 of 50 in words of their own, 0 of 60 and 2 of 50 right ones; of another author's "
        "4 of 15 wrong ones (docs/models/statements.md). No value in Dutch, where 1 of 16 right ones was flagged.",
        version="9",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    by_entailment: ClassVar[bool] = True
    reads: ClassVar[frozenset[str]] = frozenset({"source_conflict", "conflict_handling"})
    type: Literal["contradiction_absence"] = "contradiction_absence"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the probability that nothing is contradicted, or why there is none."""
        if _ignored(env) is None and (exact := uncontradicted(answer, env)) is not None:
            return exact
        found = judge_with(answer, env)
        if isinstance(found, Absent):
            return found
        values = found.contradicted
        order = sorted(found.claims, key=lambda index: (-values[index], index))
        worst = [index for index in order[:WEAKEST] if values[index] > _DOUBTFUL] or order[:1]
        ignored = _ignored(env)
        other = "" if ignored is None else f"; one side taken silently of a conflict of probability {ignored.value:.2f}"
        most = f"highest probability of contradiction {values[order[0]]:.2f}"
        if abs(found.verdict.conflict - values[order[0]]) > _TOLD_APART:
            most += f" at even odds, which decides the label; {1 - found.verdict.conflict:.2f} is the probability that"
            most += " nothing is contradicted, as few answers are"
        label = "contradicted" if found.label == "contradicted" else "not_contradicted"
        if label == "not_contradicted" and ignored is not None and ignored.value >= EVEN:
            label = "one_sided"
        return Measured(
            value=1 - max(found.verdict.conflict, 0.0 if ignored is None else ignored.value),
            basis="passages",
            label=label,
            explanation=f"{counted(found)}; {most}{partly(found)}{found.conflict_by}{other}",
            evidence=(
                *shown(found, worst, context_ids(answer), [f"contradicted {value:.2f}" for value in values]),
                *(() if ignored is None else ignored.evidence),
            ),
        )


def _ignored(env: Env) -> Score | None:
    """Return how surely the sources conflict, where the answer takes a side without a word of the other."""
    handling = env.scored.get("conflict_handling")
    silent = handling is not None and handling.label == "silent"
    return env.scored.get("source_conflict") if silent else None


_TOLD_APART = 0.005
"""A value and a probability that are as near as this are shown as one figure."""
_DOUBTFUL = 0.1
"""Claims contradicted less likely than this are no evidence of a low score."""
