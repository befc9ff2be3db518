"""What the API tells of decisions, changes and answers, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from collector.clock import instant
from collector.judging.verdicts import rfc3339
from collector.store.entries import Entry
from collector.store.rows import AnswerRow, Decision
from collector.store.store import Store

MALFORMED_SHOWN = 5
"""Records that could not be read, of each source: enough to see what is wrong with it."""


def decision_body(row: Decision) -> dict[str, Any]:
    """Return a row of the decision log as the API tells it."""
    return {
        "seq": row.seq,
        "at": rfc3339(instant(row.at)),
        "gate": row.gate,
        "slice": dict(row.slice),
        "state": row.state,
        "previous_state": row.previous_state,
        "verdict": json.loads(row.verdict),
        "record": None if row.record is None else json.loads(row.record),
        "previous_hash": row.previous_hash,
        "hash": row.hash,
    }


def change_body(row: Entry) -> dict[str, Any]:
    """Return a row of the change ledger as the API tells it."""
    return {
        "seq": row.seq,
        "id": row.id,
        "at": rfc3339(instant(row.at)),
        "recorded_at": rfc3339(instant(row.recorded_at)),
        "kind": row.kind,
        "source": row.source,
        "component": row.component,
        "scope": dict(row.scope),
        "version": row.version,
        "previous": row.previous,
        "documents": list(row.documents),
        "note": row.note,
    }


def answer_body(row: AnswerRow) -> dict[str, Any]:
    """Return an answer as the API tells it."""
    evaluation = row.evaluation
    return {
        "answer": row.stored.answer.model_dump(mode="json", exclude_defaults=True),
        "slice": dict(row.stored.slice),
        "probability": row.stored.probability,
        "sampled": row.stored.sampled,
        "late": row.stored.late,
        "seq": row.seq,
        "arrived_at": rfc3339(instant(row.arrived)),
        "evaluation": evaluation.model_dump(mode="json", exclude_none=True) if evaluation is not None else None,
    }


def encoded(body: Any) -> bytes:
    """Return a body as JSON in UTF-8."""
    # allow_nan=False: NaN is not JSON, and deployment tools take a body with it for plain text.
    return json.dumps(body, allow_nan=False, ensure_ascii=False).encode()


def source_body(report: Mapping[str, Any], store: Store) -> dict[str, Any]:
    """Return how a source is doing, with the newest records of it that could not be read."""
    unread = store.malformed_records(report["name"], limit=MALFORMED_SHOWN)
    shown = [{"at": rfc3339(instant(at)), "place": record.place, "reason": record.reason} for at, record in unread]
    return {**report, "last_malformed": shown}
