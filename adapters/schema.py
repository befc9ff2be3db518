"""The normalized answer: what every adapter produces and every scorer reads.

``None`` means the source did not report a value; ``()`` means it reported that there was none. Nothing here is ever a
made-up default: an unknown token count is ``None``, not 0. All instants are timezone-aware and in UTC.

>>> answer = Answer(id="a-1", question="What is the limit?", answer="The limit is 180 EUR.")
>>> answer.passages is None, answer.status
(True, 'ok')
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    field_serializer,
    model_validator,
)

from adapters.values import shallow

SCHEMA_VERSION = 1
"""Version of the JSONL schema; raised when a field changes its meaning."""


MAX_COUNT = 2**53
"""Largest count: up to here every whole number is a float of its own, so sums and JSON readers keep it exact."""
MAX_AMOUNT = 1e15
"""Largest price or duration: far above any real one, far below where sums over a process's life leave the floats."""
MAX_RESPONSE_IDS = 100
"""Ids of model responses that are kept of one answer."""
MAX_RESPONSE_ID = 256
"""Characters of such an id; providers write some forty."""
MAX_CLAIMS = 200
"""Claims of one ledger: each is looked for in the whole context."""
MAX_JUDGEMENTS = 20
"""Evaluators that judged one answer."""
MAX_JUDGED = 100
"""Scores of one judgement."""


def _utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("time is outside the years 1 to 9999 in UTC") from error


def _bounded(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = shallow(metadata)
    return found


Instant = Annotated[AwareDatetime, AfterValidator(_utc)]
"""A timezone-aware instant, normalized to UTC."""

Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=MAX_COUNT)]
Amount = Annotated[float, Field(ge=0, le=MAX_AMOUNT, allow_inf_nan=False)]
Proportion = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]

ResponseId = Annotated[str, Field(min_length=1, max_length=MAX_RESPONSE_ID)]
"""The id that a model's provider gave to one completion."""

Status = Literal["ok", "error"]
Arm = Literal["candidate", "baseline"]
StageKind = Literal["retrieve", "rerank", "select"]
Flag = Literal[
    "answer_missing",
    "attributes_dropped",
    "content_redacted",
    "content_truncated",
    "evidence_missing",
    "incomplete_trace",
    "stitched",
    "tokens_partial",
]
GoldLabel = Literal["sufficient", "partial", "superseded", "conflicting", "prohibited"]


class Record(BaseModel):
    """Base of all value objects: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


class Passage(Record):
    """One retrieved piece of text, with what is known of the document it came from.

    ``id`` is the framework's id, else ``doc_id@version`` from metadata, else a hash of the text. ``score`` lives on the
    scale of its ``stage`` and may not be compared across stages. ``rank`` counts from 0. ``metadata`` is what came with
    the document, as JSON; what is nested deeper than 16 levels is kept as its text.

    ``doc_id`` is the id that metadata gives the document, else its ``uri`` without query and fragment. ``version`` and
    ``checksum`` are what metadata says and never made up: a checksum of this passage's text would make each passage of
    a document another version of it. ``modified_at`` is when the source was last changed, as the index has it; it says
    nothing of when the document governs (``effective_from``) or was published.
    """

    id: str
    text: str | None = None
    score: Finite | None = None
    rank: Count | None = None
    stage: str | None = None
    doc_id: str | None = None
    version: str | None = None
    section: str | None = None
    uri: str | None = None
    effective_from: Instant | None = None
    effective_to: Instant | None = None
    published_at: Instant | None = None
    modified_at: Instant | None = None
    authority: Proportion | None = None
    role: str | None = None
    supersedes: tuple[str, ...] | None = None
    permitted: tuple[str, ...] | None = None
    checksum: str | None = None
    metadata: Annotated[Mapping[str, Any], AfterValidator(_bounded)] | None = None


class Citation(Record):
    """A reference inside the answer: ``answer[start:end] == marker``, and the passage it points at if one was found."""

    start: Count
    end: Count
    marker: str
    passage_id: str | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Citation:
        if self.end < self.start:
            msg = f"citation ends at {self.end}, before its start {self.start}"
            raise ValueError(msg)
        return self


class Stage(Record):
    """One step of retrieval: which passages went in, which came out (ids, in order)."""

    kind: StageKind
    name: str | None = None
    query: str | None = None
    input_ids: tuple[str, ...] | None = None
    output_ids: tuple[str, ...] | None = None
    scores: tuple[Finite | None, ...] | None = None


class Usage(Record):
    """What the model calls of one answer cost; tokens are summed over all model calls of the trace."""

    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    total_tokens: Count | None = None
    cost_usd: Amount | None = None
    first_token_ms: Amount | None = None
    latency_ms: Amount | None = None


class ToolCall(Record):
    """A tool the model asked for. ``arguments`` is the JSON text as the model wrote it."""

    name: str
    arguments: str | None = None
    id: str | None = None


class Turn(Record):
    """An earlier message of the conversation."""

    role: str
    content: str


class GoldPassage(Record):
    """A passage of the evidence packet, labelled by a person."""

    id: str
    label: GoldLabel
    role: str | None = None
    authority: Proportion | None = None
    effective_from: Instant | None = None
    effective_to: Instant | None = None
    near_miss: bool = False


def _worded(text: str) -> str:
    if not text.strip():
        msg = "text has no words"
        raise ValueError(msg)
    return text


Phrase = Annotated[str, Field(max_length=2_000), AfterValidator(_worded)]


class GoldClaim(Record):
    """A claim of the answer as a person cut it out, to be judged exactly.

    ``citation`` is the id of the passage it cites, ``point`` the required point it tells. A passage supports it that
    has every phrase of ``support``; for a claim that nothing may support, give the words that a source would need.
    Where it has an ``id``, evidence names it by that, too.
    """

    id: Annotated[str, Field(max_length=200), AfterValidator(_worded)] | None = None
    text: Phrase
    citation: str | None = None
    support: Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=20)]
    point: Phrase | None = None


class RubricItem(Record):
    """A criterion of a rubric: the sentence that a right answer holds, and how much it weighs."""

    id: Annotated[str, Field(max_length=200), AfterValidator(_worded)] | None = None
    criterion: Phrase
    weight: Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)] = 1.0


class Gold(Record):
    """What a person says the right evidence and behaviour are; ``rubric`` is what a right answer is graded by."""

    passages: tuple[GoldPassage, ...] = ()
    required_behavior: str | None = None
    required_points: tuple[str, ...] = ()
    rubric: Annotated[tuple[RubricItem, ...], Field(max_length=50)] = ()
    prohibited_behaviors: tuple[str, ...] = ()
    safety_flags: tuple[str, ...] = ()
    acceptable: bool | None = None


class Case(Record):
    """The support case a multi-turn conversation belongs to."""

    subject: str | None = None
    description: str | None = None
    identifiers: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    attempted_steps: tuple[str, ...] = ()


JudgedName = Annotated[str, Field(min_length=1, max_length=200)]


class AnswerJudgement(Record):
    """What one evaluator said of an answer: a model that judges, another tool, or people.

    ``scores`` are values by name, ``labels`` what was said in a word, ``justifications`` why; one name may have all
    three. ``usage`` is what the judgement took, where that was recorded: it is no part of what the answer took.

    >>> AnswerJudgement(evaluator="judge", version="3", scores={"answer_helpfulness": 0.7}).measured_by
    'judge@3'
    """

    evaluator: JudgedName | None = None
    version: JudgedName | None = None
    scores: Mapping[JudgedName, Finite] = Field(default_factory=dict, max_length=MAX_JUDGED)
    labels: Mapping[JudgedName, JudgedName] = Field(default_factory=dict, max_length=MAX_JUDGED)
    justifications: Mapping[JudgedName, Annotated[str, Field(max_length=20_000)]] = Field(
        default_factory=dict, max_length=MAX_JUDGED
    )
    usage: Usage = Usage()

    @model_validator(mode="after")
    def _says_something(self) -> AnswerJudgement:
        if not self.names:
            msg = "has neither scores nor labels"
            raise ValueError(msg)
        return self

    @property
    def names(self) -> frozenset[str]:
        """What has a score or a label."""
        return frozenset((*self.scores, *self.labels))

    @property
    def measured_by(self) -> str:
        """Evaluator and version as one text; empty where neither is known."""
        return "@".join(part for part in (self.evaluator, self.version) if part)


class Answer(Record):
    """One answer of a RAG application, with the evidence it was given.

    ``id`` is stable: the same trace gives the same id. ``revision`` rises when late spans change the record; only the
    highest revision counts. ``context`` holds the ids of the passages that were put before the generator, a subset of
    ``passages``. ``span_id`` is the outermost span of the run that gave the answer. ``attributes`` are what slices are
    cut from; ``flags`` are facts about the record itself. Where traffic is split between two releases, ``arm`` says
    which of them gave the answer, and ``share`` with which probability a request went to the candidate when this
    one was routed. ``response_ids`` are the ids that providers gave to the completions of its model calls, in their
    order: by them a judge can name the answer. ``claims`` is the claim ledger of a labelled row: every claim the
    answer makes, none if it is empty. ``judgements`` are what other evaluators said of it, of a labelled row.
    """

    id: str
    revision: Count = 0
    source: str | None = None
    framework: str | None = None
    service: str | None = None
    release: str | None = None
    environment: str | None = None
    arm: Arm | None = None
    share: Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)] | None = None
    trace_id: str | None = None
    span_id: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    started_at: Instant | None = None
    ended_at: Instant | None = None
    question: str | None = None
    history: tuple[Turn, ...] | None = None
    queries: tuple[str, ...] | None = None
    answer: str | None = None
    status: Status = "ok"
    error: str | None = None
    stages: tuple[Stage, ...] | None = None
    passages: tuple[Passage, ...] | None = None
    context: tuple[str, ...] | None = None
    citations: tuple[Citation, ...] | None = None
    model: str | None = None
    provider: str | None = None
    response_ids: Annotated[tuple[ResponseId, ...], Field(max_length=MAX_RESPONSE_IDS)] | None = None
    usage: Usage = Usage()
    llm_calls: Count | None = None
    tool_calls: tuple[ToolCall, ...] | None = None
    versions: Mapping[str, str] = Field(default_factory=dict)
    attributes: Mapping[str, str] = Field(default_factory=dict)
    flags: frozenset[Flag] = frozenset()
    case: Case | None = None
    gold: Gold | None = None
    claims: Annotated[tuple[GoldClaim, ...], Field(max_length=MAX_CLAIMS)] | None = None
    reference: str | None = None
    judgements: Annotated[tuple[AnswerJudgement, ...], Field(min_length=1, max_length=MAX_JUDGEMENTS)] | None = None

    @field_serializer("flags", when_used="json")
    def _ordered_flags(self, flags: frozenset[Flag]) -> list[Flag]:
        """Write flags in one order, so that one answer is one text in every process."""
        return sorted(flags)

    def told(self) -> dict[str, Any]:
        """Return what is known of the answer as JSON, without what is not; its status in any case.

        >>> Answer(id="a-1").told()
        {'id': 'a-1', 'flags': [], 'status': 'ok'}
        """
        return {**self.model_dump(mode="json", exclude_defaults=True), "status": self.status}

    def context_passages(self) -> tuple[Passage, ...] | None:
        """Return the passages the generator saw, in the order of ``context``; all passages if no selection is known."""
        if self.passages is None or self.context is None:
            return self.passages
        by_id = {passage.id: passage for passage in reversed(self.passages)}
        return tuple(by_id[i] for i in self.context if i in by_id)
