"""First failed stage: where on its way an answer went wrong first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, Literal, get_args

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Score, Scorer, missing_input
from scorers.diagnosis.holding import surely_holds
from scorers.diagnosis.telling import CONTRADICTED, invented, withholds
from scorers.support.points import MET, coverage, points_of

StageName = Literal[
    "admissibility",
    "candidate retrieval",
    "context selection",
    "answer faithfulness",
    "citation support",
    "answer completeness",
    "pass",
    "unknown",
]
LISTED = 3
WHOLE = 1 - 1e-9
SURELY = 0.8
"""Without labels, the context holds what is asked if it has this share of its words..."""
SCARCELY = 0.25
"""... and the answer does not tell it if it has less than this."""
UNFOUNDED = 0.2
"""Citations whose passages support their claims less than this, in the mean, are wrong whatever else is cited."""
WORSE = 0.3
"""What is cited supports less than the context does, by this much: another passage should have been cited."""


class FirstFailedStage(Scorer):
    """Where an answer first went wrong: 1 nowhere (``pass``), else 0 and the stage as label.

    The stages, in this order: admissibility, candidate retrieval, context selection, answer faithfulness, citation
    support, answer completeness. What failed later is a consequence; the first one is to be repaired. An answer without
    words fails completeness before faithfulness is asked. A stage is blamed only on evidence, by the metrics named for
    it, as far as they run beside it:

    - admissibility: ``admissible`` below 1.
    - candidate retrieval: ``candidate_recall`` below 1. Without labels only where the answer is not supported, and
      nothing was retrieved or neither what is asked (``answerable_evidence_coverage``) nor what is claimed
      (``retrieval_silence``) is told by half of its words.
    - context selection: ``context_recall`` below 1. Without labels only where the answer is not supported or says that
      it has no answer, and what was retrieved has half of the words of what is asked and the context has not.
    - answer faithfulness: ``faithfulness`` labelled other than supported; where it has no value,
      ``contradiction_absence`` labelled contradicted or ``claim_support`` below .5.
    - citation support: of a claim ledger, ``citation_support`` below 1. Else ``citation_precision`` labelled
      wrong_chunk, or ``citation_support`` below .2, or below .5 and .3 below ``claim_support``.
    - answer completeness: ``answer_completeness`` below 1 for a claim ledger, below .5 for required points; else where
      the answer abstains and one sentence of the context has all words of what is asked, or .6 of them and a value of
      the kind that is asked for; or below .25 where the context has .8 of the words and the answer states nothing: a
      supported answer in other words than the question is no failure.

    An answer that a person calls unacceptable (``gold.acceptable``) while every stage passes is 0 and ``unknown``. A
    stage that no metric reported on is passed over; the explanation names it. Without any: ``missing_input``.

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
        languages="any",
        unit="ratio",
        better="higher",
        help="Whether an answer passes every stage: 1 yes, 0 no, and the label names the first stage that failed.",
        formula="1 if no stage fails, in the order admissibility, candidate retrieval, context selection, answer "
        "faithfulness, citation support, answer completeness; else 0",
        source="RAG evaluation lesson, 'Attribute the first failure' (first_failed_stage); the thresholds for answers "
        "without labels are ours.",
        labels=get_args(StageName),
        cost="scores",
        limits="Only as accurate as the metrics it reads; a stage that none of them covers is skipped. Without labels "
        "retrieval is blamed only beside an unsupported answer: a document that was missed while others answered well "
        "is not noticed.",
        buckets=(0.5, 1.0),
        version="5",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    reads: ClassVar[frozenset[str]] = frozenset(
        {
            "admissible",
            "candidate_recall",
            "answerable_evidence_coverage",
            "retrieval_silence",
            "context_recall",
            "faithfulness",
            "claim_support",
            "contradiction_absence",
            "citation_support",
            "citation_precision",
            "answer_completeness",
            "refusal",
            "abstention",
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
        if answer.gold is not None and answer.gold.acceptable is False:
            return self._result(0.0, "unknown", f"labelled unacceptable, and no stage shows why; {note}", ())
        return self._result(1.0, "pass", note, ())

    def _result(self, value: float, stage: StageName, why: str, evidence: tuple[Evidence, ...]) -> Measured:
        return Measured(value=value, label=stage, explanation=why, evidence=evidence[:LISTED])


_Judged = tuple[bool, str, tuple[Evidence, ...]]
"""Whether a stage failed, by what, and the evidence of that."""


def _stages(answer: Answer, scored: Mapping[str, Score]) -> Iterator[tuple[StageName, _Judged | None]]:
    yield "admissibility", _first(scored, {"admissible": _below(WHOLE)})
    labelled = "candidate_recall" in scored
    recalled = _first(scored, {"candidate_recall": _below(WHOLE)})
    yield "candidate retrieval", recalled if labelled else _retrieved(answer, scored)
    kept = _first(scored, {"context_recall": _below(WHOLE)})
    yield "context selection", kept if labelled else _selected(answer, scored)
    if not (answer.answer or "").strip():
        yield "answer completeness", (True, "the answer has no words", ())
    if answer.claims == () and answer.gold is not None and answer.gold.required_points:
        yield "answer completeness", (True, "the ledger has no claim, but points are required", ())
    yield "answer faithfulness", _faithful(scored)
    yield "citation support", _cited(answer, scored)
    yield "answer completeness", _complete(answer, scored)


def _first(scored: Mapping[str, Score], checks: Mapping[str, Callable[[Score], bool]]) -> _Judged | None:
    """Return the first check that fails, else that all pass; ``None`` where none of the metrics has a value."""
    known = [(scored[name], check) for name, check in checks.items() if name in scored]
    for score, check in known:
        if check(score):
            return True, f"{score.metric} {score.value:.2f}", score.evidence
    return (False, "", ()) if known else None


def _below(limit: float) -> Callable[[Score], bool]:
    return lambda score: score.value < limit


def _retrieved(answer: Answer, scored: Mapping[str, Score]) -> _Judged | None:
    """Judge without labels of passages whether retrieval found what was needed; ``None`` where nothing tells."""
    covered, silence = scored.get("answerable_evidence_coverage"), scored.get("retrieval_silence")
    if covered is not None and covered.basis == "gold":
        return _first(scored, {covered.metric: _below(MET)})
    unsupported = invented(scored)
    if unsupported is False:
        return False, "", ()
    if unsupported and not answer.passages:
        return True, "nothing was retrieved, and the answer is not supported", ()
    if unsupported and covered is not None and covered.value < MET and (silence is None or silence.value >= MET):
        return True, f"{covered.metric} {covered.value:.2f}, and the answer is not supported", covered.evidence
    return (False, "", ()) if covered is not None and covered.value >= MET else None


def _selected(answer: Answer, scored: Mapping[str, Score]) -> _Judged | None:
    """Judge without labels whether selection dropped what covers the question; ``None`` where nothing tells."""
    points, _ = points_of(answer)
    if answer.context is None or not points or any(passage.text is None for passage in answer.passages or ()):
        return None
    if {passage.id for passage in answer.passages or ()} <= set(answer.context):
        return False, "all candidates were selected", ()
    found, kept = (
        sum(coverage(points, passages or ())) / len(points) for passages in (answer.passages, answer.context_passages())
    )
    if not found >= MET > kept:
        return False, "", ()
    if not invented(scored) and withholds(scored) != "abstains":
        return None
    return True, f"candidates cover {found:.2f} of what the question needs, the context {kept:.2f}", ()


def _faithful(scored: Mapping[str, Score]) -> _Judged | None:
    """Judge by the first metric that tells; that nothing is contradicted does not, since inventions are not seen."""
    against = scored.get("contradiction_absence")
    contradicted = against is not None and against.label == CONTRADICTED
    names = ("faithfulness", "contradiction_absence" if contradicted else "claim_support")
    known = next((name for name in names if name in scored), names[-1])
    return _first(scored, {known: lambda _: bool(invented(scored))})


def _cited(answer: Answer, scored: Mapping[str, Score]) -> _Judged | None:
    precision, support = scored.get("citation_precision"), scored.get("citation_support")
    if answer.claims is not None:
        return _first(scored, {"citation_support": _below(WHOLE)})
    context = scored["claim_support"].value if "claim_support" in scored else 0.0
    return _first(
        scored,
        {
            "citation_precision": lambda _: precision is not None and precision.label == "wrong_chunk",
            "citation_support": lambda _: (
                support is not None
                and (support.value < UNFOUNDED or (support.value < MET and support.value <= context - WORSE))
            ),
        },
    )


def _complete(answer: Answer, scored: Mapping[str, Score]) -> _Judged | None:
    complete = scored.get("answer_completeness")
    if complete is None:
        return None
    if complete.basis == "gold":
        return _first(scored, {complete.metric: _below(MET if answer.claims is None else WHOLE)})
    if invented(scored) is False and withholds(scored) is None:
        return False, "", ()  # what it states is supported, in whatever words the question asked for it
    if withholds(scored) == "abstains" and surely_holds(answer):
        return True, "the context holds what is asked, and the answer says that it has none", complete.evidence
    points, _ = points_of(answer)
    held = sum(coverage(points, answer.context_passages() or ())) / len(points) if points else 0.0
    surely = held >= SURELY and withholds(scored) is None
    return _first(scored, {complete.metric: _below(SCARCELY if surely else 0.0)})
