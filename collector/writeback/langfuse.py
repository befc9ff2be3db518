"""Langfuse: scores on the answer's root observation, with ids that make writing again an update.

``POST /api/public/scores`` takes an array of scores and answers 202, or 207 with counts and messages that do not say
which score they mean. Servers that only know a single score there refuse the array; they take the same scores as events
of ``POST /api/public/ingestion``, which answers 207 with a result for each. Langfuse updates a score that comes again
with the same id and time: both are the answer's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import Field, SecretStr

from adapters.trace import Nanoseconds
from collector.clock import instant
from collector.outbound.client import HttpClient
from collector.outbound.errors import Unreachable
from collector.outbound.options import Refused
from collector.outbound.reply import NOT_FOUND, Reply
from collector.security.secrets import read_secret
from collector.writeback.base import REASONS, Item, TargetOptions, Written

SCORES = "/api/public/scores"
INGESTION = "/api/public/ingestion"
MULTI_STATUS = 207
REFUSALS = frozenset({400, 413, 422})
NO_ARRAYS = frozenset({400, NOT_FOUND, 405, 422})
"""What a server answers to an array that it does not take."""
SERVER_ERROR = 500
PASSING = frozenset({408, 429})
"""Statuses of one event below 500 that say nothing about the event."""
ENVIRONMENT = re.compile(r"(?!langfuse)[a-z0-9_-]{1,40}")
MAX_ANSWER_BYTES = 1024 * 1024


class LangfuseWriteBack(TargetOptions):
    """Writes scores and verdicts to Langfuse, as numeric and categorical scores of the answer's root observation."""

    type: Literal["langfuse"] = "langfuse"
    public_key: str = Field(min_length=1, description="Public key of the project.")
    secret_key: SecretStr | None = Field(default=None, min_length=1, description="Secret key of the project.")
    secret_key_file: Path | None = Field(
        default=None, description="File that holds the secret key, in place of `secret_key`."
    )

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret: always."""
        return True

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: no secret key, or two."""
        if self.secret_key is not None and self.secret_key_file is not None:
            yield f"{where}.secret_key_file: give the key or its file, not both"
        if self.secret_key is None and self.secret_key_file is None:
            yield f"{where}.secret_key: required, or {where}.secret_key_file"

    def open(self, where: str) -> LangfuseTarget:
        """Return the target. Raises `ConfigError` for a key or a certificate that cannot be read."""
        secret = read_secret(self.secret_key, self.secret_key_file, f"{where}.secret_key_file")
        client = HttpClient(
            self.url,
            auth=(self.public_key, secret or ""),
            timeout=self.timeout.total_seconds(),
            max_bytes=MAX_ANSWER_BYTES,
            ca_file=self.ca_file,
        )
        return LangfuseTarget(client)


class LangfuseTarget:
    """Writes to one Langfuse project. Which of the two endpoints the server has is found out by its answers."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client
        self._takes_arrays: bool | None = None

    def write(self, items: Sequence[Item]) -> Written:
        """Write the items. What a 207 rejects is settled: the whole must not be sent again for it."""
        if self._takes_arrays is not False:
            reply = self._client.post(SCORES, [score(item) for item in items])
            if reply.ok:
                written = _array_written(reply, len(items))
                self._takes_arrays = True
                return written
            if self._takes_arrays or reply.status not in NO_ARRAYS:
                raise _problem(reply)
            older = self._client.post(INGESTION, {"batch": [event(item) for item in items]})
            if not older.ok:
                # It is no older server: what it said of the array stands.
                raise _problem(reply if older.status in NO_ARRAYS else older)
            self._takes_arrays = False
        else:
            older = self._client.post(INGESTION, {"batch": [event(item) for item in items]})
            if not older.ok:
                # Perhaps the server was replaced by one that has the other endpoint: look again next time.
                self._takes_arrays = None
                raise _problem(older)
        return _events_written(older, len(items))

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def score(item: Item) -> dict[str, Any]:
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


def event(item: Item) -> dict[str, Any]:
    """Return an item as an event of the ingestion endpoint, which takes the score's time from the event.

    An event's id is that of its content: the same sent again is the same event, a later revision another.
    """
    body = score(item)
    at = body.pop("timestamp")
    content = orjson.dumps([body, at], option=orjson.OPT_SORT_KEYS)
    return {"id": _digest(content), "type": "score-create", "timestamp": at, "body": body}


def score_id(item: Item) -> str:
    """Return the id of the score of this name of this answer, the same for every revision.

    Ids are unique within a project only if nobody else writes them: hence the prefix.
    """
    return f"groundwire-{_digest(orjson.dumps([item.answer_id, item.name]))}"


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _array_written(reply: Reply, count: int) -> Written:
    answer = reply.json()
    if reply.status != MULTI_STATUS:
        return Written(count)
    rejected = answer.get("rejected") if isinstance(answer, dict) else None
    if not isinstance(rejected, int) or not 0 <= rejected <= count:
        raise Unreachable(f"{reply.url}: 207 without a count of rejected scores")
    return Written(count - rejected, (), rejected, _messages(answer.get("errors"), reply))


def _events_written(reply: Reply, count: int) -> Written:
    answer = reply.json()
    errors = answer.get("errors") if isinstance(answer, dict) else None
    if not isinstance(errors, list):
        raise Unreachable(f"{reply.url}: {reply.status} without a list of errors")
    for error in errors:
        status = error.get("status") if isinstance(error, dict) else None
        if not isinstance(status, int) or status >= SERVER_ERROR or status in PASSING:
            raise Unreachable(f"{reply.url}: {reply.status} with errors: {'; '.join(_messages(errors, reply))}")
    failed = min(len(errors), count)
    return Written(count - failed, (), failed, _messages(errors, reply))


def _messages(errors: Any, reply: Reply) -> tuple[str, ...]:
    """Return what errors say, once each, and no more of them than people are shown."""
    said = [error.get("message") for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
    return tuple(dict.fromkeys(reply.shown(str(message)) for message in said if message))[:REASONS]


def _problem(reply: Reply) -> Refused | Unreachable:
    problem = reply.refused()
    return Refused(str(problem)) if reply.status in REFUSALS else problem
