"""Langfuse: scores on the answer's root observation, with ids that make writing again an update.

``POST /api/public/scores`` takes an array of scores and answers 202, or 207 with counts and messages that do not say
which score they mean. Servers that only know a single score there refuse the array; they take the same scores as events
of ``POST /api/public/ingestion``, which answers 207 with a result for each. Langfuse updates a score that comes again
with the same id and time: both are the answer's own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Literal

import orjson

from adapters.trace import Nanoseconds
from collector.clock import instant
from collector.outbound.client import MAX_ANSWER_BYTES, HttpClient
from collector.outbound.credentials import KeyPairOptions
from collector.outbound.errors import Unreachable
from collector.outbound.reply import NOT_FOUND, Reply
from collector.writeback.base import REASONS, TargetOptions, WriteBackItem, WriteResult

SCORES = "/api/public/scores"
INGESTION = "/api/public/ingestion"
MULTI_STATUS = 207
NO_ARRAYS = frozenset({400, NOT_FOUND, 405, 422})
"""What a server answers to an array that it does not take."""
SERVER_ERROR = 500
PASSING = frozenset({408, 429})
"""Statuses of one event below 500 that say nothing about the event."""
ENVIRONMENT = re.compile(r"(?!langfuse)[a-z0-9_-]{1,40}")


class LangfuseWriteBack(KeyPairOptions, TargetOptions):
    """Writes scores and verdicts to Langfuse, as numeric and categorical scores of the answer's root observation."""

    type: Literal["langfuse"] = "langfuse"

    def open(self, where: str) -> LangfuseTarget:
        """Return the target. Raises `ConfigError` for a key or a certificate that cannot be read."""
        return LangfuseTarget(self.client(where, max_bytes=MAX_ANSWER_BYTES))


class LangfuseTarget:
    """Writes to one Langfuse project. Which of the two endpoints the server has is found out by its answers."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client
        self._takes_arrays: bool | None = None

    def write(self, items: Sequence[WriteBackItem]) -> WriteResult:
        """Write the items. What a 207 rejects is settled: the whole must not be sent again for it."""
        if self._takes_arrays is not False:
            reply = self._client.post(SCORES, [score(item) for item in items])
            if reply.ok:
                written = _array_written(reply, len(items))
                self._takes_arrays = True
                return written
            if self._takes_arrays or reply.status not in NO_ARRAYS:
                raise reply.refusal()
            older = self._client.post(INGESTION, {"batch": [event(item) for item in items]})
            if not older.ok:
                # It is no older server: what it said of the array stands.
                raise (reply if older.status in NO_ARRAYS else older).refusal()
            self._takes_arrays = False
        else:
            older = self._client.post(INGESTION, {"batch": [event(item) for item in items]})
            if not older.ok:
                # Perhaps the server was replaced by one that has the other endpoint: look again next time.
                self._takes_arrays = None
                raise older.refusal()
        return _events_written(older, len(items))

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def score(item: WriteBackItem) -> dict[str, Any]:
    """Return an item as Langfuse reads it."""
    at = instant(Nanoseconds(item.started_at)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    body: dict[str, Any] = {
        "id": score_id(item),
        "traceId": item.trace_id,
        "observationId": item.span_id,
        "name": item.name,
        "timestamp": at,
        "metadata": {**item.metadata, "answer_id": item.answer_id, "revision": item.revision},
    }
    if item.value is not None:
        body |= {"value": item.value, "dataType": "NUMERIC"}
        if item.label is not None:
            body["metadata"]["label"] = item.label
    else:
        body |= {"value": item.label or "", "dataType": "CATEGORICAL"}
    if item.explanation is not None:
        body["comment"] = item.explanation
    if item.environment is not None and ENVIRONMENT.fullmatch(item.environment):
        body["environment"] = item.environment
    return body


def event(item: WriteBackItem) -> dict[str, Any]:
    """Return an item as an event of the ingestion endpoint, which takes the score's time from the event.

    An event's id is that of its content: the same sent again is the same event, a later revision another.
    """
    body = score(item)
    at = body.pop("timestamp")
    content = orjson.dumps([body, at], option=orjson.OPT_SORT_KEYS)
    return {"id": _digest(content), "type": "score-create", "timestamp": at, "body": body}


def score_id(item: WriteBackItem) -> str:
    """Return the id of the score of this name of this answer, the same for every revision.

    Ids are unique within a project only if nobody else writes them: hence the prefix.
    """
    return f"groundwire-{_digest(orjson.dumps([item.answer_id, item.name]))}"


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _array_written(reply: Reply, count: int) -> WriteResult:
    answer = reply.json()
    if reply.status != MULTI_STATUS:
        return WriteResult(count)
    rejected = answer.get("rejected") if isinstance(answer, dict) else None
    if not isinstance(rejected, int) or not 0 <= rejected <= count:
        raise Unreachable(f"{reply.url}: 207 without a count of rejected scores")
    return WriteResult(count - rejected, (), rejected, _messages(answer.get("errors"), reply))


def _events_written(reply: Reply, count: int) -> WriteResult:
    answer = reply.json()
    errors = answer.get("errors") if isinstance(answer, dict) else None
    if not isinstance(errors, list):
        raise Unreachable(f"{reply.url}: {reply.status} without a list of errors")
    for error in errors:
        status = error.get("status") if isinstance(error, dict) else None
        if not isinstance(status, int) or status >= SERVER_ERROR or status in PASSING:
            raise Unreachable(f"{reply.url}: {reply.status} with errors: {'; '.join(_messages(errors, reply))}")
    failed = min(len(errors), count)
    return WriteResult(count - failed, (), failed, _messages(errors, reply))


def _messages(errors: Any, reply: Reply) -> tuple[str, ...]:
    """Return what errors say, once each, and no more of them than people are shown."""
    said = [error.get("message") for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
    return tuple(dict.fromkeys(reply.shown(str(message)) for message in said if message))[:REASONS]
