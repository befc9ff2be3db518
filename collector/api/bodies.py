"""Bodies of responses: what the API says of answers, decisions, changes and verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetJsonSchemaHandler, TypeAdapter, create_model

from adapters.schema import Answer
from collector.clock import instant
from collector.judging.verdicts import rfc3339
from collector.store.rows import AnswerRow
from gates.base.verdict import Outcome, SliceVerdict
from gates.decisions.record import DecisionRecord
from gates.inputs.changes import ChangeKind, ChangeSource
from scorers.base import Evaluation


@dataclass(frozen=True)
class ShownAs:
    """Documents a field that holds JSON as the ``model`` that was dumped to it."""

    model: Any

    def __get_pydantic_json_schema__(self, _: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the schema of the model."""
        return handler(TypeAdapter(self.model).core_schema)


JsonBody = Mapping[str, Any]
SliceBody = Mapping[str, str]
Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Recorded = Annotated[Time, BeforeValidator(lambda nanoseconds: rfc3339(instant(nanoseconds)))]
Parsed = BeforeValidator(lambda text: None if text is None else orjson.loads(text))


class RowBody(BaseModel):
    """A body whose fields are those of a row of the store."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


class ErrorBody(BaseModel):
    """Why there is no other body."""

    error: str = Field(description="What is wrong.")


class DecisionBody(RowBody):
    """A row of the hash-chained decision log: the change of a verdict."""

    seq: int
    at: Recorded
    gate: str
    slice: SliceBody = Field(description="Empty for the gate as a whole.")
    state: Outcome
    previous_state: Outcome | None
    verdict: Annotated[JsonBody, Parsed, Field(description="Of the gate, or a SliceVerdict.")]
    record: Annotated[JsonBody | None, Parsed, ShownAs(DecisionRecord | None)]
    previous_hash: str
    hash: str


class ChangeBody(RowBody):
    """A row of the change ledger."""

    seq: int
    id: str
    at: Annotated[Recorded, Field(description="When it took effect.")]
    recorded_at: Annotated[Recorded, Field(description="When the agent learned of it.")]
    kind: ChangeKind
    source: ChangeSource
    component: str = Field(description="What changed: release, index, a metric, ...")
    scope: SliceBody = Field(description="Dimensions and values it affects; empty: all traffic.")
    version: str | None
    previous: str | None
    documents: Sequence[str]
    note: str | None


class ExternalScoreBody(RowBody):
    """A score by another evaluator."""

    metric: str
    value: float
    label: str | None
    explanation: str | None
    evaluator: str = Field(description="Name and version; empty where neither is known.")
    source: str = Field(description="By which way it came: otlp, api, or a source of the configuration.")
    at: Annotated[Recorded, Field(description="When it was given.")]
    recorded_at: Annotated[Recorded, Field(description="When the agent learned of it.")]


class AnswerBody(BaseModel):
    """An answer with its newest evaluation."""

    answer: Annotated[JsonBody, ShownAs(Answer)]
    slice: SliceBody
    probability: float = Field(description="Probability of being drawn into the sample.")
    sampled: bool
    late: bool = Field(
        description="Drawn into the sample after it was stored. How late the answer came is told by `arrived_at` and"
        " the `started_at` of the answer."
    )
    seq: int = Field(description="Rises in the order in which answers were first stored.")
    arrived_at: Time
    evaluation: Annotated[JsonBody | None, ShownAs(Evaluation | None)]
    external: Sequence[ExternalScoreBody] = Field(description="Scores by other evaluators.")


def answer_body(row: AnswerRow) -> JsonBody:
    """Return an `AnswerBody`, not validated: the answer was when it was stored, and a page holds many."""
    stored, evaluation = row.stored, row.evaluation
    return {
        "answer": stored.answer.told(),
        "slice": dict(stored.slice),
        "probability": stored.probability,
        "sampled": stored.sampled,
        "late": stored.late,
        "seq": row.seq,
        "arrived_at": rfc3339(instant(row.arrived)),
        "evaluation": evaluation.model_dump(mode="json", exclude_none=True) if evaluation is not None else None,
        "external": [ExternalScoreBody.model_validate(each).model_dump() for each in row.external],
    }


class VerdictBody(BaseModel):
    """The verdict of a gate, as `collector.judging.verdicts` makes it."""

    gate: str
    state: Outcome
    code: Literal[1, -1, 0] = Field(description="1 pass, -1 fail, 0 inconclusive")
    no_data: bool
    reason: str
    candidate: str | None = Field(default=None, description="The release it is over, where it is over one.")
    baseline: str | None = Field(default=None, description="What the candidate is compared with.")
    log_e_rollback: float | None = Field(default=None, description="Log e-value: some slice is worse, over all slices.")
    log_e_promote: float | None = Field(
        default=None, description="Log e-value: no slice is worse by the margin, of the slice with the least evidence."
    )
    n_candidate: int | None = Field(default=None, description="Scored answers of the candidate.")
    n_baseline: int | None = Field(default=None, description="Scored answers it is compared with.")
    evaluated_at: Time | None
    evidence_until: Annotated[
        Time | None, Field(description="All that arrived before is scored and counted, except for open traces.")
    ] = None
    pending: int | None = Field(default=None, description="Answers and closed traces waiting at that time.")
    policy_version: str | None
    slices: Sequence[SliceVerdict] = ()


def page_of(name: str, row: type[BaseModel], cursor: str) -> type[BaseModel]:
    """Return the model of a page: rows under ``name``, and under ``next`` the value for the parameter ``cursor``."""
    following = Field(description=f"Where the next page starts: the value for {cursor}; null at the end.")
    fields: Any = {name: (Sequence[row], ...), "next": (int | None, following)}  # type: ignore[valid-type]
    return create_model(f"{row.__name__.removesuffix('Body')}Page", **fields)


ENCODER = json.JSONEncoder(allow_nan=False, ensure_ascii=False, default=vars)
"""NaN is not JSON, and deployment tools take a body with it for plain text."""


def encoded(body: Any) -> bytes:
    """Return a body as JSON in UTF-8."""
    return ENCODER.encode(body).encode()
