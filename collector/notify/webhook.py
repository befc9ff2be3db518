"""A signed webhook: every decision as it is, and on request the order to roll back.

Headers and signature are those of Standard Webhooks, so that any of its libraries verifies them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import Field

from collector.notify.actuator import RollbackDecision, RollbackOptions, rule
from collector.notify.base import TRIAL, Notification, NotificationPlan, NotifierMemory, NotifierOptions
from collector.notify.notice import Names, Notice, stamp
from collector.notify.posting import PostingNotifier
from collector.notify.signing import read_keys, signature
from telemetry.pages import OVERVIEW, address

DECISION, ROLLBACK, TEST = "decision", "rollback.requested", "test"


class WebhookNotifier(NotifierOptions):
    """Sends each decision as a signed JSON message, and on request asks the receiver to roll back."""

    type: Literal["webhook"] = "webhook"
    secret_file: Path = Field(
        description="File with the signing key, `whsec_` and base64 of 24 to 64 bytes. More lines are keys being "
        "rotated out."
    )
    every: bool = Field(
        default=False,
        description="Whether changes between pass and inconclusive are sent, too, not only those from and to fail.",
    )
    rollback: RollbackOptions | None = Field(
        default=None, description="Whether the receiver is asked to roll back; without it, only decisions are sent."
    )

    @property
    def acts(self) -> bool:
        """Whether a rollback may be requested, or would be."""
        return self.rollback is not None

    def wants(self, notice: Notice) -> bool:
        """Return whether a decision is to be sent."""
        turned = notice.failing or notice.recovered or notice.renewed
        return super().wants(notice) and (self.every or turned or notice.verifies)

    def warnings(self, where: str) -> Iterator[str]:
        """Yield what is allowed and unwise."""
        yield from super().warnings(where)
        if self.in_clear:
            yield f"{where}.url: {self.url}: signed, but sent in clear text; use https"
        if self.rollback is not None and not self.rollback.dry_run and not self.slices:
            yield f"{where}.slices: false: a slice that fails after others is not sent, so it triggers no rollback"

    def mismatches(self, where: str, gates: Sequence[str], names: Names) -> Iterator[str]:
        """Yield what does not fit the gates and the slice dimensions there are: a rollback is one of a service."""
        yield from super().mismatches(where, gates, names)
        if self.rollback is not None and names.service is None:
            yield f"{where}.rollback: a rollback needs a service; add a slice dimension with attribute `service`"

    def open(self, where: str) -> Webhook:
        """Return the notifier. Raises `ConfigError` for a key, a token or a certificate that cannot be read."""
        keys = read_keys(self.secret_file, f"{where}.secret_file")
        return Webhook(self, where, keys)


class Webhook(PostingNotifier):
    """Sends to one receiver."""

    def __init__(self, options: WebhookNotifier, where: str, keys: tuple[bytes, ...]) -> None:
        super().__init__(options, where)
        self._options = options
        self._keys = keys

    def decided(self, notice: Notice, memory: NotifierMemory, *, now: int) -> NotificationPlan:
        """Tell the decision, with what came of its recommendation; then ask for the rollback, if it is to be."""
        options = self._options.rollback
        ruling = None if options is None else rule(options, notice, memory, now=now)
        notifications = [decision(notice, ruling)]
        if ruling is None:
            return NotificationPlan(notifications, memory)
        if ruling.outcome == "requested":
            notifications.append(rollback(notice, ruling))
        return NotificationPlan(notifications, ruling.memory, ruling.outcome, ruling.detail)

    def trial(self, names: Names, *, now: int) -> Notification:
        """Return a message of its own type, which is no decision."""
        link = {} if names.public_url is None else {"link": address(names.public_url, OVERVIEW)}
        return _notification(f"test_{now}", TEST, now, {"words": {"summary": TRIAL, **link}})

    def headers(self, notification: Notification, *, now: int) -> Mapping[str, str]:
        """Return the headers, signed as of ``now``."""
        seconds = now // 10**9
        return {
            "content-type": "application/json",
            "webhook-id": notification.id,
            "webhook-timestamp": str(seconds),
            "webhook-signature": signature(self._keys, id_=notification.id, seconds=seconds, body=notification.body),
        }


def decision(notice: Notice, ruling: RollbackDecision | None) -> Notification:
    """Return the notification of a decision; its id is that of the row of the log."""
    row = notice.row
    data: dict[str, Any] = {
        "kind": "verdict" if notice.explained is None else notice.explained.kind,
        "seq": row.seq,
        "hash": row.hash,
        "gate": row.gate,
        "slice": dict(row.slice),
        "state": row.state,
        "previous_state": row.previous_state,
        "severity": notice.severity,
        "expires_at": stamp(notice.expires_at),
        "record": notice.record,
    }
    if words := notice.annotations:
        data["words"] = words
    if ruling is not None:
        data["rollback"] = {"action": ruling.outcome, "detail": ruling.detail}
        if ruling.request is not None:
            data["rollback"] |= asdict(ruling.request)
    return _notification(f"decision_{row.hash[:32]}", DECISION, row.at, data)


def rollback(notice: Notice, ruling: RollbackDecision) -> Notification:
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
    if words := notice.annotations:
        data["words"] = words
    return _notification(f"rollback_{digest}", ROLLBACK, notice.row.at, data)


def _notification(id_: str, kind: str, at: int, data: dict[str, Any]) -> Notification:
    return Notification(id=id_, kind=kind, body=orjson.dumps({"type": kind, "timestamp": stamp(at), "data": data}))
