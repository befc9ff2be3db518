"""First failed stage: where on its way an answer went wrong first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, Literal, get_args

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Score, Scorer, missing_input
from scorers.retrieval.points import MET, coverage, points_of

StageName = Literal[
    "admissibility",
    "candidate retrieval",
    "context selection",
    "answer faithfulness",
    "citation support",
    "answer completeness",
    "pass",
]
LISTED = 3
WHOLE = 1 - 1e-9


class FirstFailedStage(Scorer):
    """Where an answer first went wrong: 1 nowhere (``pass``), else 0 and the stage as label.

    The stages, in this order: admissibility, candidate retrieval, context selection, answer faithfulness, citation
    support, answer completeness. What failed later is a consequence; the first one is to be repaired. An answer without
    words fails completeness before faithfulness is asked. Each stage reads the metrics named for it, as far as they
    run beside it:

    - admissibility: ``admissible``.
    - candidate retrieval: ``candidate_recall`` below 1; without labels ``answerable_evidence_coverage`` below .5.
    - context selection: ``context_recall`` below 1; without labels the candidates cover half of what is asked, and the
      context does not.
    - answer faithfulness: ``faithfulness`` labelled unsupported; where that does not run, ``claim_support`` below .5.
    - citation support: ``citation_support`` below .5, or ``citation_precision`` below 1.
    - answer completeness: ``answer_completeness`` below .5.

    A stage that no metric reported on is passed over; the explanation names it. Without any: ``missing_input``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> found = {"faithfulness": Score(metric="faithfulness", value=0.1, label="unsupported")}
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC), scored=found)
    >>> answer = Answer(id="a", answer="It is 16 weeks.", passages=(Passage(id="p", text="Leave is 20 weeks."),))
    >>> FirstFailedStage().score(answer, env).label
    'answer faithfulness'
    """

    metric: ClassVar[Metric] = Metric(
        name="first_failed_stage",
        family="diagnosis",
        unit="ratio",
        better="higher",
        help="Whether an answer passes every stage: 1 yes, 0 no, and the label names the first stage that failed.",
        formula="1 if no stage fails, in the order admissibility, candidate retrieval, context selection, answer "
        "faithfulness, citation support, answer completeness; else 0",
        source="RAG evaluation lesson, 'Attribute the first failure' (first_failed_stage); the thresholds for answers "
        "without labels are ours.",
        labels=get_args(StageName),
        cost="scores",
        limits="Only as accurate as the metrics it reads; a stage that none of them covers is skipped, and thresholds "
        "without labels are rough.",
        buckets=(0.5, 1.0),
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    reads: ClassVar[frozenset[str]] = frozenset(
        {
            "admissible",
            "candidate_recall",
            "answerable_evidence_coverage",
            "context_recall",
            "faithfulness",
            "claim_support",
            "citation_support",
            "citation_precision",
            "answer_completeness",
        }
    )
    type: Literal["first_failed_stage"] = "first_failed_stage"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return 1, or 0 with the first stage that failed and what it rests on; or why nothing can be said."""
        untold: list[str] = []
        told = 0
        for stage, judged in _stages(answer, env.scored):
            if judged is None:
                untold.append(stage)
                continue
            told += 1
            failed, why, evidence = judged
            if failed:
                return self._result(0.0, stage, why, evidence)
        if not told:
            return missing_input("a metric of at least one stage")
        note = f"no metric reported on {', '.join(untold)}" if untold else "every stage passed"
        return self._result(1.0, "pass", note, ())

    def _result(self, value: float, stage: StageName, why: str, evidence: tuple[Evidence, ...]) -> Measured:
        return Measured(value=value, label=stage, explanation=why, evidence=evidence[:LISTED])


_Judged = tuple[bool, str, tuple[Evidence, ...]]
"""Whether a stage failed, by what, and the evidence of that."""


def _stages(answer: Answer, scored: Mapping[str, Score]) -> Iterator[tuple[StageName, _Judged | None]]:
    yield "admissibility", _first(scored, {"admissible": _below(WHOLE)})
    labelled = "candidate_recall" in scored
    coverage = _first(scored, {"answerable_evidence_coverage": _below(MET)})
    yield "candidate retrieval", _first(scored, {"candidate_recall": _below(WHOLE)}) if labelled else coverage
    yield "context selection", _first(scored, {"context_recall": _below(WHOLE)}) if labelled else _dropped(answer)
    if not (answer.answer or "").strip():
        yield "answer completeness", (True, "the answer has no words", ())
    faithful = {"faithfulness": _unsupported} if "faithfulness" in scored else {"claim_support": _below(MET)}
    yield "answer faithfulness", _first(scored, faithful)
    yield "citation support", _first(scored, {"citation_support": _below(MET), "citation_precision": _below(WHOLE)})
    yield "answer completeness", _first(scored, {"answer_completeness": _below(MET)})


def _first(scored: Mapping[str, Score], checks: Mapping[str, Callable[[Score], bool]]) -> _Judged | None:
    """Return the first check that fails, else that all pass; ``None`` where none of the metrics has a value."""
    known = [(scored[name], check) for name, check in checks.items() if name in scored]
    for score, check in known:
        if check(score):
            return True, f"{score.metric} {score.value:.2f}", score.evidence
    return (False, "", ()) if known else None


def _below(limit: float) -> Callable[[Score], bool]:
    return lambda score: score.value < limit


def _unsupported(score: Score) -> bool:
    return score.label == "unsupported"


def _dropped(answer: Answer) -> _Judged | None:
    """Judge whether selection dropped what covers the question; ``None`` where no selection is known."""
    points, _ = points_of(answer)
    if answer.context is None or not points or any(passage.text is None for passage in answer.passages or ()):
        return None
    if {passage.id for passage in answer.passages or ()} <= set(answer.context):
        return False, "all candidates were selected", ()
    found, kept = (
        sum(coverage(points, passages or ())) / len(points) for passages in (answer.passages, answer.context_passages())
    )
    return found >= MET > kept, f"candidates cover {found:.2f} of what the question needs, the context {kept:.2f}", ()
