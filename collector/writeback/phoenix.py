"""Phoenix: scores and verdicts as annotations of the answer's root span, replaced where they are written again.

Read in the server of arize-phoenix 20.26: ``POST /v1/span_annotations?sync=true`` inserts or replaces on (name, span,
identifier). One span it does not know refuses the whole request with 404 and a plain text that lists these spans.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from collector.outbound.client import MAX_ANSWER_BYTES, HttpClient
from collector.outbound.credentials import ApiKeyOptions
from collector.outbound.errors import Unreachable
from collector.outbound.reply import NOT_FOUND, Reply
from collector.writeback.base import TargetOptions, WriteBackItem, WriteResult

ANNOTATIONS = "/v1/span_annotations"
SPAN_ID = re.compile(r"\b[0-9a-f]{16}\b")
ROUNDS = 3
"""How often one batch is sent, each time without the spans that turned out to be unknown."""


class PhoenixWriteBack(ApiKeyOptions, TargetOptions):
    """Writes scores and verdicts to Phoenix, as annotations of the answer's root span."""

    type: Literal["phoenix"] = "phoenix"
    identifier: str = Field(
        default="groundwire",
        min_length=1,
        max_length=100,
        description="Marks the annotations as this agent's: writing again replaces those with the same identifier.",
    )

    def open(self, where: str) -> PhoenixTarget:
        """Return the target. Raises `ConfigError` for a key or a certificate that cannot be read."""
        return PhoenixTarget(self.client(where, max_bytes=MAX_ANSWER_BYTES), self.identifier)


class PhoenixTarget:
    """Writes to one Phoenix server."""

    def __init__(self, client: HttpClient, identifier: str) -> None:
        self._client = client
        self._identifier = identifier

    def write(self, items: Sequence[WriteBackItem]) -> WriteResult:
        """Write the items whose span Phoenix knows, all in one transaction of its own."""
        left = list(items)
        unknown: list[WriteBackItem] = []
        for _ in range(ROUNDS):
            if not left:
                return WriteResult(0, tuple(unknown))
            reply = self._send(left)
            if reply.ok:
                _check(reply, len(left))
                return WriteResult(len(left), tuple(unknown))
            missing = _missing(reply, left)
            unknown += [item for item in left if item.span_id in missing]
            left = [item for item in left if item.span_id not in missing]
        raise reply.failure()

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _send(self, items: Sequence[WriteBackItem]) -> Reply:
        body = {"data": [self._annotation(item) for item in items]}
        # Without sync Phoenix answers 200 whatever it gets, and drops annotations of spans that it does not hold soon.
        return self._client.post(ANNOTATIONS, body, params={"sync": "true"})

    def _annotation(self, item: WriteBackItem) -> dict[str, Any]:
        return {
            "span_id": item.span_id,
            "name": item.name,
            "annotator_kind": "CODE",
            "result": {"score": item.value, "label": item.label, "explanation": item.explanation},
            "metadata": {**item.metadata, "answer_id": item.answer_id, "revision": item.revision},
            "identifier": self._identifier,
        }


def _check(reply: Reply, count: int) -> None:
    """Raise `Unreachable` unless the answer names as many annotations as were sent."""
    answer = reply.json()
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or len(data) != count:
        raise Unreachable(f"{reply.url}: {reply.status} with a body that does not list {count} annotations")


def _missing(reply: Reply, items: Sequence[WriteBackItem]) -> frozenset[str]:
    """Return the spans of ``items`` that a refusal names as unknown. Raises for every other refusal."""
    if reply.status == NOT_FOUND:
        named = frozenset(SPAN_ID.findall(reply.body.decode("utf-8", "replace").lower()))
        missing = named & {item.span_id for item in items}
        if missing:
            return missing
    raise reply.refusal()
