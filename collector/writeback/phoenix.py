"""Phoenix: scores and verdicts as annotations of the answer's root span, replaced where they are written again.

Read in the server of arize-phoenix 20.26: ``POST /v1/span_annotations?sync=true`` inserts or replaces on (name, span,
identifier). One span it does not know refuses the whole request with 404 and a plain text that lists these spans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr

from collector.outbound.client import HttpClient
from collector.outbound.errors import Unreachable
from collector.outbound.options import Refused
from collector.outbound.reply import NOT_FOUND, Reply
from collector.security.secrets import read_secret
from collector.writeback.base import Item, TargetOptions, Written

ANNOTATIONS = "/v1/span_annotations"
REFUSALS = frozenset({400, 413, 422})
SPAN_ID = re.compile(r"\b[0-9a-f]{16}\b")
MAX_ANSWER_BYTES = 1024 * 1024
ROUNDS = 3
"""How often one batch is sent, each time without the spans that turned out to be unknown."""


class PhoenixWriteBack(TargetOptions):
    """Writes scores and verdicts to Phoenix, as annotations of the answer's root span."""

    type: Literal["phoenix"] = "phoenix"
    api_key: SecretStr | None = Field(
        default=None, min_length=1, description="System API key, sent as bearer token, where Phoenix asks for one."
    )
    api_key_file: Path | None = Field(default=None, description="File that holds the key, in place of `api_key`.")
    identifier: str = Field(
        default="groundwire",
        min_length=1,
        max_length=100,
        description="Marks the annotations as this agent's: writing again replaces those with the same identifier.",
    )

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret."""
        return self.api_key is not None or self.api_key_file is not None

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: a key given twice."""
        if self.api_key is not None and self.api_key_file is not None:
            yield f"{where}.api_key_file: give the key or its file, not both"

    def open(self, where: str) -> PhoenixTarget:
        """Return the target. Raises `ConfigError` for a key or a certificate that cannot be read."""
        key = read_secret(self.api_key, self.api_key_file, f"{where}.api_key_file")
        client = HttpClient(
            self.url,
            headers={} if key is None else {"authorization": f"Bearer {key}"},
            timeout=self.timeout.total_seconds(),
            max_bytes=MAX_ANSWER_BYTES,
            ca_file=self.ca_file,
        )
        return PhoenixTarget(client, self.identifier)


class PhoenixTarget:
    """Writes to one Phoenix server."""

    def __init__(self, client: HttpClient, identifier: str) -> None:
        self._client = client
        self._identifier = identifier

    def write(self, items: Sequence[Item]) -> Written:
        """Write the items whose span Phoenix knows, all in one transaction of its own."""
        left = list(items)
        unknown: list[Item] = []
        for _ in range(ROUNDS):
            if not left:
                return Written(0, tuple(unknown))
            reply = self._send(left)
            if reply.ok:
                _check(reply, len(left))
                return Written(len(left), tuple(unknown))
            missing = _missing(reply, left)
            unknown += [item for item in left if item.span_id in missing]
            left = [item for item in left if item.span_id not in missing]
        raise reply.refused()

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _send(self, items: Sequence[Item]) -> Reply:
        body = {"data": [self._annotation(item) for item in items]}
        # Without sync Phoenix answers 200 whatever it gets, and drops annotations of spans that it does not hold soon.
        return self._client.post(ANNOTATIONS, body, params={"sync": "true"})

    def _annotation(self, item: Item) -> dict[str, Any]:
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
        raise Unreachable(f"{reply.url}: {reply.status} without {count} annotations")


def _missing(reply: Reply, items: Sequence[Item]) -> frozenset[str]:
    """Return the spans of ``items`` that a refusal names as unknown. Raises for every other refusal."""
    if reply.status == NOT_FOUND:
        named = frozenset(SPAN_ID.findall(reply.body.decode("utf-8", "replace").lower()))
        missing = named & {item.span_id for item in items}
        if missing:
            return missing
    if reply.status in REFUSALS:
        raise Refused(str(reply.refused()))
    raise reply.refused()
