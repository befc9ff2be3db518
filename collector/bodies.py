"""What the API tells of verdicts, decisions and answers, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from collector.clock import instant
from collector.store.base import AnswerRow, Decision, Store
from collector.store.entries import Entry
from gates.base import Verdict

MALFORMED_SHOWN = 5
"""Records that could not be read, of each source: enough to see what is wrong with it."""


def gate_body(name: str, verdict: Verdict | None, *, fresh: bool, slices: bool) -> dict[str, Any]:
    """Return a verdict as the API tells it.

    Before the first judgement it is inconclusive, and again when the judge has gone silent (not ``fresh``): an old
    verdict says nothing of now.
    """
    if verdict is None or not fresh:
        judged = _rfc3339(verdict.at) if verdict is not None else None
        return {
            "gate": name,
            "state": "inconclusive",
            "code": 0,
            "no_data": True,
            "reason": f"not judged since {judged}" if judged is not None else "not judged yet",
            "evaluated_at": judged,
            "policy_version": verdict.policy_version if verdict is not None else None,
            "slices": [],
        }
    body: dict[str, Any] = {
        "gate": name,
        "state": verdict.state,
        "code": verdict.code,
        "no_data": verdict.no_data,
        "reason": verdict.reason,
        "evaluated_at": _rfc3339(verdict.at),
        "policy_version": verdict.policy_version,
    }
    if slices:
        body["slices"] = [part.model_dump(mode="json") for part in verdict.slices]
    return body


def decision_body(row: Decision) -> dict[str, Any]:
    """Return a row of the decision log as the API tells it."""
    return {
        "seq": row.seq,
        "at": _rfc3339(instant(row.at)),
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
        "at": _rfc3339(instant(row.at)),
        "recorded_at": _rfc3339(instant(row.recorded_at)),
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
        "arrived_at": _rfc3339(instant(row.arrived)),
        "evaluation": evaluation.model_dump(mode="json", exclude_none=True) if evaluation is not None else None,
    }


def encoded(body: Any) -> bytes:
    """Return a body as JSON in UTF-8."""
    # allow_nan=False: NaN is not JSON, and deployment tools take a body with it for plain text.
    return json.dumps(body, allow_nan=False, ensure_ascii=False).encode()


def source_body(report: Mapping[str, Any], store: Store) -> dict[str, Any]:
    """Return how a source is doing, with the newest records of it that could not be read."""
    unread = store.malformed_records(report["name"], limit=MALFORMED_SHOWN)
    shown = [{"at": _rfc3339(instant(at)), "place": record.place, "reason": record.reason} for at, record in unread]
    return {**report, "last_malformed": shown}


def _rfc3339(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
