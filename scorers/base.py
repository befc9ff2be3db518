"""What a scorer is: a metric described once, and a pure function from one answer to a score or a reason for none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from typing import ClassVar, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field, model_validator

from adapters.caching import cached
from adapters.schema import Answer, Passage
from scorers.catalog import Catalog, Document
from scorers.languages import AnswerPart, Languages, unmeasured
from scorers.memory import Memory
from scorers.ports.embedding import Embedder
from scorers.ports.entailment import Entailment, SecondOpinion

Family = Literal[
    "composite", "diagnosis", "retrieval", "grounding", "freshness", "conflict", "safety", "efficiency", "external"
]
Basis = Literal["gold", "catalog", "passages"]
Reason = Literal[
    "not_applicable",
    "missing_input",
    "sampled_out",
    "over_budget",
    "judge_unavailable",
    "judge_unparseable",
    "timeout",
    "error",
]
EvidenceKind = Literal["claim", "passage", "document", "span"]
Unit = Literal["ratio", "points", "seconds", "tokens", "days", "usd"]
Cost = Literal["fields", "wording", "passages", "judgement", "search", "scores", "elsewhere"]

COSTS: Mapping[Cost, str] = {
    "fields": "Reads labels, dates, ids, amounts and catalog entries, but no text. Microseconds; up to 0.2 ms where "
    "editions are compared.",
    "wording": "Reads the question or the answer, once for all metrics that use it, but no passage. Tenths of a "
    "millisecond.",
    "passages": "Compares the passages with the question or with each other: tenths of a millisecond where passages "
    "recur, 1 to 2 ms where each is new.",
    "judgement": "Uses the judgement of each claim against the context, which is made once per answer for all metrics "
    "that use it and takes 1 to 3 ms; adds little of its own.",
    "search": "Searches the catalog once per question for all metrics that use it: half a millisecond with hundreds "
    "of entries, growing with the number of entries that share words with the question.",
    "scores": "Combines the scores of other metrics; adds microseconds.",
    "elsewhere": "Another evaluator works it out; the agent takes its scores in.",
}
"""What a metric works out, and the order of what that takes a core where benchmarks/scoring.py measures it: answers of
five claims and five passages of 120 words."""


class Value(BaseModel):
    """Base of the value objects here: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Metric(Value):
    """A number described once; instruments, the catalogue page, boards and rules are generated from it.

    ``name`` is snake_case without unit. ``lower`` and ``upper`` bound every value (``upper`` ``None``: unbounded).
    ``better`` says which direction is good; of a ``circumstance``, which tells of the question or of what was found and
    not of how well it was used, that is no judgement of an answer or a release. ``source`` cites where the formula is
    from. ``bases`` are all that a value can be judged against, the best first; none where the answer alone is looked
    at. ``labels`` are all that a score can carry, the best first; none where it carries none. ``cost`` says what is
    worked out (`COSTS`), ``limits`` what the value does not see or depends on. ``languages`` are those that it is
    measured on; ``words`` are the parts of an answer whose words it reads, which must be in one of these, and all in
    the same, for there to be a value. Numbers, codes, dates, ids and labels are no words. ``elsewhere`` says, behind
    the reason for no value, what cannot be seen in another language, and what can.
    """

    name: str
    family: Family
    unit: Unit
    lower: float = 0.0
    upper: float | None = 1.0
    better: Literal["higher", "lower"]
    circumstance: bool = False
    help: str
    formula: str
    source: str
    bases: tuple[Basis, ...] = ()
    labels: tuple[str, ...] = ()
    languages: Languages = "any"
    words: tuple[AnswerPart, ...] = ()
    elsewhere: str = ""
    cost: Cost
    limits: str
    buckets: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    version: str = "1"


class Spanned(Protocol):
    """What has a place in the answer text: a sentence, an identifier, a finding."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...


class Evidence(Value):
    """What a score rests on: a claim of the answer, a passage, or a catalog document, and what is to be said of it.

    ``start`` and ``end`` are offsets into the answer text.
    """

    kind: EvidenceKind
    detail: str
    passage_id: str | None = None
    doc_id: str | None = None
    version: str | None = None
    start: int | None = None
    end: int | None = None

    @classmethod
    def of_claim(cls, claim: Spanned, detail: str, passage_id: str | None = None) -> Evidence:
        """Return a claim of the answer, with the passage it is held against."""
        return cls(kind="claim", detail=detail, passage_id=passage_id, start=claim.start, end=claim.end)

    @classmethod
    def of_passage(
        cls, passage: Passage, detail: str, *, kind: EvidenceKind = "passage", at: Spanned | None = None
    ) -> Evidence:
        """Return a passage, or what in the answer is from it, by what the passage says of itself."""
        start, end = (None, None) if at is None else (at.start, at.end)
        name, doc_id, version = passage.id, passage.doc_id, passage.version
        return cls(kind=kind, detail=detail, passage_id=name, doc_id=doc_id, version=version, start=start, end=end)

    @classmethod
    def of_document(
        cls, document: Document, detail: str, passage_id: str | None = None, *, at: Spanned | None = None
    ) -> Evidence:
        """Return a document of the catalog: as the passage that was retrieved of it, if there is one."""
        kind: EvidenceKind = "document" if passage_id is None else "passage"
        start, end = (None, None) if at is None else (at.start, at.end)
        name, version = document.id, document.version
        return cls(kind=kind, detail=detail, passage_id=passage_id, doc_id=name, version=version, start=start, end=end)


class Score(Value):
    """A finite value of one metric within its bounds, with what it rests on.

    ``basis`` says what the value was judged against (gold labels, the catalog, or the passages), ``None`` where nothing
    but the answer itself is needed.
    """

    metric: str
    value: float = Field(allow_inf_nan=False)
    basis: Basis | None = None
    label: str | None = None
    explanation: str | None = None
    evidence: tuple[Evidence, ...] = ()


class Unscored(Value):
    """The absence of a value, with its reason. Never NaN, 0 or False."""

    metric: str
    reason: Reason
    detail: str | None = None


class Measured(NamedTuple):
    """What a scorer found: a `Score` that does not say yet of which metric."""

    value: float
    basis: Basis | None = None
    label: str | None = None
    explanation: str | None = None
    evidence: tuple[Evidence, ...] = ()


class Absent(NamedTuple):
    """Why a scorer found no value: an `Unscored` that does not say yet of which metric."""

    reason: Reason
    detail: str


def missing_input(detail: str) -> Absent:
    """Say what the answer, or its environment, would have to hold for there to be a value."""
    return Absent("missing_input", detail)


def not_applicable(detail: str) -> Absent:
    """Say why the question the metric asks does not arise for the answer."""
    return Absent("not_applicable", detail)


@dataclass(frozen=True, kw_only=True)
class Env:
    """The capabilities handed to scorers. ``now`` is the only clock a scorer may consult.

    An ``entailment`` model takes the place of the trees, a ``second`` one is asked where they doubt; there is one of
    them at most. ``scored`` holds by metric what was scored before and the scorer `Scorer.reads`; nothing else is in
    it, so that the order of a panel changes no score. ``memory`` is what was worked out for the last answers; it saves
    time and changes no score.
    """

    now: datetime
    catalog: Catalog | None = None
    embedder: Embedder | None = None
    entailment: Entailment | None = None
    second: SecondOpinion | None = None
    scored: Mapping[str, Score] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)


class Scorer(Value):
    """One quality of one answer. The fields of a subclass are its YAML options, tagged by ``type``.

    ``needs`` names the `Answer` fields without which the result is ``Unscored("missing_input")``; ``uses`` names the
    `Env` capabilities it cannot work without (their absence is a configuration error at start). ``reads`` names the
    metrics whose scores it is given in `Env.scored`, as far as they run beside it and have a value. Where it is
    ``by_entailment``, an entailment model that is configured reads the words in its place, in whatever language.
    """

    metric: ClassVar[Metric]
    needs: ClassVar[frozenset[str]] = frozenset()
    uses: ClassVar[frozenset[str]] = frozenset()
    reads: ClassVar[frozenset[str]] = frozenset()
    by_entailment: ClassVar[bool] = False

    def score(self, answer: Answer, env: Env) -> Score | Unscored:
        """Return the score of one answer, or why there is none: `measure` behind what holds for every scorer.

        Raises ``ValueError`` for a value outside the metric's bounds, which is a bug of the scorer: gates rely on them.
        """
        metric = self.metric
        for name in self.needs:
            if getattr(answer, name) is None:
                first = min(each for each in self.needs if getattr(answer, each) is None)
                return _unscored(metric.name, "missing_input", first)
        if metric.family in RESTS_ON_EVIDENCE and "evidence_missing" in answer.flags and not answer.gold:
            return _unscored(metric.name, "missing_input", EVIDENCE_MISSING)
        found = self.measure(answer, env)
        if isinstance(found, Absent):
            return _unscored(metric.name, found.reason, found.detail)
        if not metric.lower <= found.value <= (inf if metric.upper is None else metric.upper):
            raise ValueError(f"value {found.value} is outside {metric.lower} to {metric.upper}")
        # Labels take the place of the words where a metric can do without labels.
        by_words = found.basis != "gold" or metric.bases == ("gold",)
        if metric.words and by_words and not (self.by_entailment and env.entailment):
            foreign = unmeasured(answer, env.memory, metric.words, metric.languages)
            if foreign is not None:
                told = f"{foreign}; {metric.elsewhere}" if metric.elsewhere else foreign
                return _unscored(metric.name, "not_applicable", told)
        value, basis, label, explanation, evidence = found
        return Score(
            metric=metric.name, value=value, basis=basis, label=label, explanation=explanation, evidence=evidence
        )

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Work out the value for an answer that has all that the scorer ``needs``; this is what a scorer implements.

        Pure, deterministic given ``env``, and never raises on an `Answer` that validates.
        """
        raise NotImplementedError


RESTS_ON_EVIDENCE = frozenset({"grounding", "composite"})
"""Families whose metrics would say of an answer with unread evidence that it has none."""
EVIDENCE_MISSING = "evidence: the application searched, and its trace does not say what was found"


# Most answers of an application lack the same things.
@cached(maxsize=512)
def _unscored(metric: str, reason: Reason, detail: str) -> Unscored:
    return Unscored(metric=metric, reason=reason, detail=detail)


class Evaluation(Value):
    """One row per answer and run of the panel: every metric's value, or the reason why there is none."""

    answer_id: str
    revision: int
    scores: tuple[Score, ...] = ()
    unscored: tuple[Unscored, ...] = ()

    @model_validator(mode="after")
    def _each_metric_once(self) -> Evaluation:
        names = [score.metric for score in self.scores] + [absent.metric for absent in self.unscored]
        if len(names) != len(set(names)):
            msg = f"duplicate metric in the evaluation of {self.answer_id}"
            raise ValueError(msg)
        return self
