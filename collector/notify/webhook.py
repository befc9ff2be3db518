"""A signed webhook: every decision as it is, and on request the order to roll back.

Headers and signature are those of Standard Webhooks, so that any of its libraries verifies them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import orjson
from pydantic import Field

from collector.notify.actuator import Rollback, Ruling, rule
from collector.notify.base import Memory, Message, NotifierOptions, Plan, Quiet
from collector.notify.notice import Names, Notice, stamp
from collector.notify.posting import Post
from collector.notify.signing import read_keys, signature
from collector.security.address import is_loopback

DECISION, ROLLBACK = "decision", "rollback.requested"


class WebhookNotifier(NotifierOptions):
    """Sends each decision as a signed JSON message, and on request asks the receiver to roll back."""

    type: Literal["webhook"] = "webhook"
    secret_file: Path = Field(
        description="File with the signing key, `whsec_` and base64 of 24 to 64 bytes. Further lines are keys that are "
        "being replaced."
    )
    every: bool = Field(
        default=False,
        description="Whether changes between pass and inconclusive are told, beside those from and to fail.",
    )
    rollback: Rollback | None = Field(
        default=None, description="Whether the receiver is asked to roll back; without it decisions are told, no more."
    )

    @property
    def acts(self) -> bool:
        """Whether a roll-back may be requested, or would be."""
        return self.rollback is not None

    def wants(self, notice: Notice) -> bool:
        """Return whether a decision is to be told."""
        turned = notice.failing or notice.recovered
        return super().wants(notice) and (self.every or turned or notice.verifies)

    def warnings(self, where: str) -> Iterator[str]:
        """Yield what is allowed and unwise."""
        yield from super().warnings(where)
        parts = urlsplit(self.url)
        if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            yield f"{where}.url: {self.url}: signed, but anybody on the way can read it; use https"
        if self.rollback is not None and not self.rollback.dry_run and not self.slices:
            yield f"{where}.slices: false: a slice that fails after others do is not told, so nothing is rolled back"

    def mismatches(self, where: str, gates: Sequence[str], names: Names) -> Iterator[str]:
        """Yield what does not fit the gates and the slice dimensions there are: a roll-back is one of a service."""
        yield from super().mismatches(where, gates, names)
        if self.rollback is not None and names.service is None:
            yield f"{where}.rollback: a roll-back is one of a service; cut a slice dimension from `service`"

    def open(self, where: str) -> Webhook:
        """Return the notifier. Raises `ConfigError` for a key, a token or a certificate that cannot be read."""
        keys = read_keys(self.secret_file, f"{where}.secret_file")
        return Webhook(self, Post(self, where), keys)


class Webhook(Quiet):
    """Sends to one receiver."""

    def __init__(self, options: WebhookNotifier, post: Post, keys: tuple[bytes, ...]) -> None:
        self._options = options
        self._post = post
        self._keys = keys

    def decided(self, notice: Notice, memory: Memory, *, now: int) -> Plan:
        """Tell the decision, with what came of its recommendation; then ask for the roll-back, if it is to be."""
        options = self._options.rollback
        ruling = None if options is None else rule(options, notice, memory, now=now)
        told = decision(notice, ruling)
        if ruling is None:
            return Plan((told,), memory)
        messages = [told]
        if ruling.action == "requested":
            messages.append(rollback(notice, ruling))
        return Plan(messages, ruling.memory, ruling.action, ruling.detail)

    def send(self, message: Message, *, now: int) -> None:
        """Sign as of ``now`` and send."""
        seconds = now // 10**9
        headers = {
            "content-type": "application/json",
            "webhook-id": message.id,
            "webhook-timestamp": str(seconds),
            "webhook-signature": signature(self._keys, id_=message.id, seconds=seconds, body=message.body),
        }
        self._post(message, headers)

    def close(self) -> None:
        """Close the connection."""
        self._post.close()


def decision(notice: Notice, ruling: Ruling | None) -> Message:
    """Return the message about a decision; its id is that of the row of the log."""
    row = notice.row
    data: dict[str, Any] = {
        "kind": "verification" if notice.verifies else "verdict",
        "seq": row.seq,
        "hash": row.hash,
        "gate": row.gate,
        "slice": dict(row.slice),
        "state": row.state,
        "previous_state": row.previous_state,
        "expires_at": stamp(notice.expires_at),
        "record": notice.record,
    }
    if ruling is not None:
        data["rollback"] = {"action": ruling.action, "detail": ruling.detail}
        if ruling.request is not None:
            data["rollback"] |= asdict(ruling.request)
    return _message(f"decision_{row.hash[:32]}", DECISION, row.at, data)


def rollback(notice: Notice, ruling: Ruling) -> Message:
    """Return the request to roll back; its id is that of what is rolled back, whichever decision asks for it."""
    assert ruling.request is not None
    assert notice.recommended is not None
    target = asdict(ruling.request)
    digest = sha256(orjson.dumps(target, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]
    data = {
        **target,
        "scope": dict(notice.recommended.scope),
        "reason": notice.recommended.reason,
        "gate": notice.gate,
        "slice": dict(notice.slice),
        "decision": {"seq": notice.row.seq, "hash": notice.row.hash},
        "expires_at": stamp(notice.expires_at),
    }
    return _message(f"rollback_{digest}", ROLLBACK, notice.row.at, data)


def _message(id_: str, kind: str, at: int, data: dict[str, Any]) -> Message:
    return Message(id=id_, kind=kind, body=orjson.dumps({"type": kind, "timestamp": stamp(at), "data": data}))
