"""Scores as tools export them: one JSON object, told apart by its keys, as one of our own, or as several.

Langfuse: a score of ``GET /api/public/v3/scores`` with its subject, or of ``v2/scores``. LangSmith: feedback of
``list_feedback``. MLflow: an assessment of a trace. Phoenix: an annotation of a span or a trace. What none of them is,
is read as an `ExternalScore` itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.external.case_record import is_case_record, scores_of_record
from adapters.external.score import OURS, ExternalScore, number_or_text
from adapters.ids import span_id_of, trace_id_of


def scores_of(row: Mapping[str, Any]) -> tuple[ExternalScore, ...]:
    """Return what a row says as scores: eight of a case-aware judge's record, one of any other row.

    Raises `ValueError` for one that is none: a `CaseRecordError` begins with the field.
    """
    return scores_of_record(row) if is_case_record(row) else (score_of(row),)


def score_of(row: Mapping[str, Any]) -> ExternalScore:
    """Return a row of any of these tools as a score. Raises `ValueError` for one that is none.

    >>> langsmith = {"run_id": "9", "trace_id": "0af76519-16cd-43dd-8448-eb211c80319c", "key": "helpful", "score": 1}
    >>> score_of(langsmith).trace_id
    '0af7651916cd43dd8448eb211c80319c'
    >>> score_of({"name": "tone", "value": 4, "answer_id": "a-17"}).value
    4.0
    """
    for known, read in _SHAPES:
        if known <= row.keys():
            return ExternalScore(**{key: value for key, value in read(row).items() if value is not None})
    return ExternalScore.model_validate(row)


def _langfuse(row: Mapping[str, Any]) -> dict[str, Any]:
    metadata = _part(row, "metadata")
    categorical = row.get("dataType") in ("CATEGORICAL", "TEXT")
    value = row.get("stringValue") if categorical else row.get("value")
    return {
        "name": row["name"],
        **number_or_text(value if value is not None else row.get("value")),
        "explanation": _text(row.get("comment")),
        "trace_id": _trace(row["traceId"]),
        "span_id": _span(row.get("observationId")),
        "evaluator": _written(metadata, row.get("id")) or _text(metadata.get("evaluator")) or _text(row.get("source")),
        "version": _text(metadata.get("evaluator_version")) or _text(row.get("configId")),
        "at": row.get("timestamp"),
    }


def _langfuse_subject(row: Mapping[str, Any]) -> dict[str, Any]:
    """Read a score whose value has the type that ``dataType`` says, and whose subject stands beside it."""
    subject = _part(row, "subject")
    of_span = subject.get("kind") == "observation"
    of = {"observationId": subject.get("id") if of_span else None, "stringValue": row.get("value")}
    return _langfuse({**row, **of, "traceId": subject.get("traceId") if of_span else subject.get("id")})


def _langsmith(row: Mapping[str, Any]) -> dict[str, Any]:
    source = _part(row, "feedback_source")
    metadata = _part(source, "metadata")
    told = row.get("score") if row.get("score") is not None else row.get("value")
    return {
        "name": row["key"],
        **number_or_text(told),
        "explanation": _text(row.get("comment")),
        "trace_id": _trace(row.get("trace_id") or row["run_id"]),
        "span_id": _span(row["run_id"]),
        "evaluator": _text(metadata.get("evaluator")) or _text(source.get("type")),
        "version": _text(metadata.get("evaluator_version")),
        "at": _zoned(row.get("created_at")),
    }


def _mlflow(row: Mapping[str, Any]) -> dict[str, Any]:
    source, metadata = _part(row, "source"), _part(row, "metadata")
    said = _part(row, "feedback") or _part(row, "expectation")
    value = said.get("value") if said else row.get("value")
    trace = str(row["trace_id"])
    return {
        "name": row["assessment_name"],
        **number_or_text({"yes": True, "no": False}.get(value, value) if isinstance(value, str) else value),
        "explanation": _text(row.get("rationale")),
        "trace_id": _trace(trace.removeprefix("tr-")),
        "span_id": _span(row.get("span_id")),
        "evaluator": _text(source.get("source_id")) or _text(source.get("source_type")),
        "version": _text(metadata.get("evaluator_version")),
        "at": row.get("create_time"),
    }


def _phoenix(row: Mapping[str, Any]) -> dict[str, Any]:
    result, metadata = _part(row, "result"), _part(row, "metadata")
    return {
        "name": row["name"],
        "value": result.get("score"),
        "label": _text(result.get("label")),
        "explanation": _text(result.get("explanation")),
        "trace_id": _trace(row["trace_id"]),
        "span_id": _span(row.get("span_id")),
        "evaluator": _written(metadata, row.get("identifier"))
        or _text(metadata.get("evaluator"))
        or _text(row.get("identifier"))
        or row["annotator_kind"],
        "version": _text(metadata.get("evaluator_version")),
        "at": row.get("created_at"),
    }


_SHAPES = (
    (frozenset({"dataType", "name", "subject"}), _langfuse_subject),
    (frozenset({"traceId", "name"}), _langfuse),
    (frozenset({"run_id", "key"}), _langsmith),
    (frozenset({"assessment_name", "trace_id"}), _mlflow),
    (frozenset({"annotator_kind", "name", "trace_id"}), _phoenix),
)
"""The keys that tell a tool's row, and what reads it."""


def _written(metadata: Mapping[str, Any], identity: Any) -> str | None:
    """Return our name where write-back put the row there, by its id or by what it notes beside every score."""
    noted = {"answer_id", "revision"} <= metadata.keys()
    return OURS if noted or str(identity).startswith(OURS) else None


def _part(row: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part = row.get(key)
    return part if isinstance(part, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _trace(value: Any) -> str | None:
    return trace_id_of(value) if isinstance(value, str) and value else None


def _span(value: Any) -> str | None:
    return span_id_of(value) if isinstance(value, str) and value else None


def _zoned(value: Any) -> Any:
    """Take a time without a zone for one in UTC, which LangSmith writes."""
    bare = isinstance(value, str) and "T" in value and not value.endswith("Z") and "+" not in value
    return f"{value}Z" if bare else value
