"""The part of the API that takes scores by other evaluators, and says what came of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from adapters.external.case_record import CaseRecordError
from adapters.external.rows import scores_of
from adapters.external.score import ExternalScore
from collector.api.bodies import encoded
from collector.api.exchange import SHOWN, check_media, problems_of, read_body
from collector.api.operations import Operation
from collector.api.queries import Patience
from collector.api.serving import Serving
from collector.clock import instant
from collector.security.jsonbounds import has_more_objects
from collector.store.rows import ExternalReceipt, ExternalRow
from collector.store.store import Store

MAX_SCORES = 5_000
"""Scores of one request."""
MAX_BYTES = 2 * 1024 * 1024
"""Bytes of one request: that many with short explanations fit."""
MAX_OBJECTS = 20 * MAX_SCORES
"""Objects and arrays of one request: tools wrap a score in a handful."""
MAX_NAMED = 100
"""Scores of one request that are named because they were not taken, and scores given up; all are counted."""
LINES = ("application/x-ndjson", "application/jsonl")
"""Content types of a score a line."""


class EvaluationBatch(BaseModel):
    """Many scores; those of Langfuse, LangSmith, MLflow and Phoenix are taken as these tools export them.

    A record of a case-aware judge is taken for its eight scores.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    evaluations: Annotated[tuple[ExternalScore, ...], Field(min_length=1, max_length=MAX_SCORES)]

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, given: Any) -> Any:
        """Take one score for a batch of one."""
        return {"evaluations": [given]} if isinstance(given, dict) and "evaluations" not in given else given


class UntakenScore(BaseModel):
    """A score that was not stored: its number in the request, from 1, and why."""

    number: int
    name: str
    outcome: Literal["conflicting", "waiting", "unmatched", "undeclared", "refused", "own"]
    reason: str


class EvaluationsBody(BaseModel):
    """What became of the scores of a request; the counts below ``received`` add up to it."""

    received: int = Field(description="Scores that came, and sums that were worked out of them.")
    stored: int = Field(description="New, and now evidence.")
    repeated: int = Field(description="Stored before, and the same.")
    conflicting: int = Field(description="Stored before, and another: the first score of an answer stands.")
    waiting: int = Field(description="Of an answer that has not come yet; kept for a day.")
    unmatched: int = Field(
        description="Of a trace with several answers, none of which is of the span; or too many scores wait."
    )
    undeclared: int = Field(description="Of a name that no metric under `external` takes.")
    refused: int = Field(description="No value of their metric: outside its bounds, or a label without a value.")
    own: int = Field(description="Written by this agent.")
    untaken: Sequence[UntakenScore] = Field(description=f"The first {MAX_NAMED} that were not stored.")


class DeclaredMetric(BaseModel):
    """A metric of another evaluator, as the configuration declares it."""

    metric: str
    scores: Sequence[str] = Field(description="Names under which its scores come.")
    evaluators: Sequence[str] = Field(description="Whose scores it takes; empty: anybody's.")
    bounds: tuple[float, float | None]
    better: Literal["higher", "lower"]
    measured_by: Sequence[str] = Field(description="Evaluators and versions that sent scores, the newest first.")


class UnmatchedScore(BaseModel):
    """A score that was given up, because no answer is known to be the one it is of."""

    metric: str
    value: float
    evaluator: str = Field(description="Name and version; empty where neither is known.")
    source: str = Field(description="By which way it came.")
    received_at: datetime
    answer_id: str
    trace_id: str
    span_id: str
    response_id: str
    reason: str


class ExternalBody(BaseModel):
    """The metrics of other evaluators, and what came that none of them takes."""

    metrics: Sequence[DeclaredMetric]
    waiting: int = Field(description="Scores whose answers have not come yet.")
    unmatched: Sequence[UnmatchedScore] = Field(
        description=f"The newest {MAX_NAMED} scores that were given up: their answers did not come."
    )
    undeclared: Mapping[str, int] = Field(description="Names that no metric takes, and how often since the start.")


class BadScoresError(ValueError):
    """A request with scores that cannot be read."""


def read_scores(body: bytes, *, lines: bool) -> list[ExternalScore]:
    """Read scores of JSON, or with ``lines`` of a JSON object a line. Raises `BadScoresError`.

    >>> read_scores(b'{"name": "tone", "value": 4, "answer_id": "a-17"}', lines=False)[0].value
    4.0
    """
    if has_more_objects(body, MAX_OBJECTS):
        raise BadScoresError(f"more than {MAX_OBJECTS:,} JSON objects and arrays; send the scores in parts")
    rows = _lines(body) if lines else _whole(body)
    if not rows:
        raise BadScoresError("there is no score")
    if len(rows) > MAX_SCORES:
        raise BadScoresError(
            f"{len(rows):,} scores are more than the {MAX_SCORES:,} of one request; send them in parts"
        )
    found: list[ExternalScore] = []
    problems: list[str] = []
    for where, row in rows:
        if not isinstance(row, dict):
            problems.append(f"{where}: must be an object")
            continue
        try:
            found += scores_of(row)
        except CaseRecordError as error:
            problems.append(f"{where}: {error}")
        except ValidationError as error:
            problems.append(f"{where}: {problems_of(error)}")
    if problems:
        more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise BadScoresError("; ".join(problems[:SHOWN]) + more)
    if len(found) > MAX_SCORES:
        raise BadScoresError(
            f"{len(found):,} scores are more than the {MAX_SCORES:,} of one request; send them in parts"
        )
    return found


def _whole(body: bytes) -> list[tuple[str, Any]]:
    try:
        given = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadScoresError(f"the body is not JSON: {error}") from error
    if isinstance(given, dict) and "evaluations" in given:
        if set(given) != {"evaluations"} or not isinstance(given["evaluations"], list):
            raise BadScoresError("evaluations: must be a list, and all there is")
        given = given["evaluations"]
    rows = given if isinstance(given, list) else [given]
    return [(f"evaluation {number}", row) for number, row in enumerate(rows, 1)]


def _lines(body: bytes) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for number, line in enumerate(body.split(b"\n"), 1):
        if line.strip():
            try:
                rows.append((f"line {number}", orjson.loads(line)))
            except orjson.JSONDecodeError as error:
                raise BadScoresError(f"line {number}: not JSON: {error}") from error
    return rows


@dataclass(frozen=True)
class EvaluationApi:
    """Handlers for scores by other evaluators."""

    serving: Serving

    @Operation(
        "/v1/evaluations",
        {200: ("The declared metrics, who measures them, and names that none of them takes.", ExternalBody)},
    )
    async def evaluations(self, request: Request) -> Response:
        """Say what is taken of other evaluators' scores, and what is not."""
        reception, store = self.serving.reception, self.serving.parts.store

        def body(patience: Patience) -> bytes:
            asked = store.asked(patience.over)
            measured = asked.evaluators()
            metrics = [
                DeclaredMetric(**each, measured_by=[name for name in measured.get(each["metric"], ()) if name])
                for each in reception.described()
            ]
            said = ExternalBody(
                metrics=metrics,
                waiting=asked.external_waiting(),
                unmatched=[_unmatched(row, reason) for row, reason in asked.external_unmatched(limit=MAX_NAMED)],
                undeclared=reception.undeclared(),
            )
            return said.model_dump_json().encode()

        return await self.serving.lookups.respond(request, body)

    @Operation(
        "/v1/evaluations",
        {
            200: ("What became of the scores; of one answer and metric the first score stands.", EvaluationsBody),
            400: "What is wrong with the scores; none of them was stored.",
            413: f"The body is larger than {MAX_BYTES >> 20} MiB.",
            415: f"The body is neither application/json nor a score a line as {' or '.join(LINES)}.",
        },
        body=EvaluationBatch | ExternalScore,
        lines=LINES,
    )
    async def evaluate(self, request: Request) -> Response:
        """Take scores of answers by other evaluators."""
        store = self.serving.parts.store
        media = check_media(request, "application/json", *LINES)
        body = await read_body(request, MAX_BYTES)
        try:
            said = await run_in_threadpool(self._taken, store, body, lines=media != "application/json")
        except BadScoresError as error:
            raise HTTPException(400, str(error)) from error
        return Response(encoded(said.model_dump()), media_type="application/json")

    def _taken(self, store: Store, body: bytes, *, lines: bool) -> EvaluationsBody:
        reception = self.serving.reception
        scores = read_scores(body, lines=lines)
        rows, untaken = reception.rows(scores, source="api")
        receipts = reception.store(store, [row for _, row in rows])
        sums = {each.metric.name for each in reception.declared if each.profile is not None}
        named = [
            UntakenScore(number=each.number, name=each.name, outcome=each.outcome, reason=each.reason)
            for each in untaken
        ]
        named += [
            _untaken(number, receipt.row.metric if receipt.row.metric in sums else scores[number - 1].name, receipt)
            for (number, _), receipt in zip(rows, receipts, strict=True)
            if receipt.outcome not in ("stored", "repeated")
        ]
        counts = Counter[str]([*(each.outcome for each in receipts), *(each.outcome for each in untaken)])
        outcomes = [name for name in EvaluationsBody.model_fields if name not in ("received", "untaken")]
        return EvaluationsBody(
            received=len(rows) + len(untaken),
            untaken=sorted(named, key=lambda each: each.number)[:MAX_NAMED],
            **{name: counts[name] for name in outcomes},
        )


def _unmatched(row: ExternalRow, reason: str) -> UnmatchedScore:
    told = asdict(row)
    names = [name for name in UnmatchedScore.model_fields if name in told]
    return UnmatchedScore(**{name: told[name] for name in names}, received_at=instant(row.recorded_at), reason=reason)


def _untaken(number: int, name: str, receipt: ExternalReceipt) -> UntakenScore:
    row = receipt.row
    by = f" by {row.evaluator}" if row.evaluator else ""
    reason = receipt.reason or f"stored before as {row.value:g}{by}; that score stands"
    return UntakenScore(number=number, name=name, outcome=receipt.outcome, reason=reason)
