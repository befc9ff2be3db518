"""Schemas of what Slack, PagerDuty, Opsgenie and Teams take, and a server that takes mail, for tests of templates.

The schemas are our own transcriptions of the fields and limits that the services publish, not files of theirs:
Slack, incoming webhooks and attachments (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks);
PagerDuty, Events API v2 (https://developer.pagerduty.com/docs/events-api-v2/trigger-events/); Opsgenie, Alert API
(https://docs.opsgenie.com/docs/alert-api); Teams, a message with an Adaptive Card (https://adaptivecards.io/explorer/).
Where a maintained package has a schema or models of a service, tests hold messages to these too.
"""

from __future__ import annotations

import socketserver
import threading
from contextlib import contextmanager
from typing import Any, ClassVar

TEXT = {"type": "string", "minLength": 1}
URL = {"type": "string", "pattern": "^https?://[^ ]+$"}


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


SLACK_FIELD = _object(["title", "value"], title=TEXT, value=TEXT, short={"type": "boolean"})
SLACK = _object(
    ["attachments"],
    channel=TEXT,
    username=TEXT,
    attachments={
        "type": "array",
        "minItems": 1,
        "maxItems": 100,
        "items": _object(
            ["fallback", "text"],
            title=TEXT,
            title_link=URL,
            text={**TEXT, "maxLength": 40_000},
            fallback=TEXT,
            callback_id={"type": "string"},
            footer={"type": "string"},
            color={"type": "string", "pattern": "^(good|warning|danger|#[0-9a-fA-F]{6})$"},
            mrkdwn_in={"type": "array", "items": {"enum": ["pretext", "text", "fields"]}},
            fields={"type": "array", "items": SLACK_FIELD},
        ),
    },
)
PAGERDUTY = {
    **_object(
        ["routing_key", "event_action"],
        routing_key=TEXT,
        event_action={"enum": ["trigger", "acknowledge", "resolve"]},
        dedup_key={**TEXT, "maxLength": 255},
        client={"type": "string"},
        client_url=URL,
        links={"type": "array", "items": _object(["href"], href=URL, text=TEXT)},
        images={"type": "array"},
        payload=_object(
            ["summary", "source", "severity"],
            summary={**TEXT, "maxLength": 1024},
            source=TEXT,
            severity={"enum": ["critical", "error", "warning", "info"]},
            timestamp={"type": "string"},
            component={"type": "string"},
            group={"type": "string"},
            custom_details={"type": "object"},
            **{"class": {"type": "string"}},
        ),
    ),
    "if": {"properties": {"event_action": {"const": "trigger"}}},
    "then": {"required": ["payload"]},
    "else": {"required": ["dedup_key"]},
}
OPSGENIE = _object(
    ["message"],
    message={**TEXT, "maxLength": 130},
    alias={**TEXT, "maxLength": 512},
    description={"type": "string", "maxLength": 15_000},
    details={"type": "object", "additionalProperties": {"type": "string"}},
    source={"type": "string", "maxLength": 100},
    entity={"type": "string", "maxLength": 512},
    priority={"enum": ["P1", "P2", "P3", "P4", "P5"]},
    tags={"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 50}},
    note={"type": "string", "maxLength": 25_000},
    responders={"type": "array"},
    actions={"type": "array"},
)
OPSGENIE_CLOSED = _object([], source={"type": "string", "maxLength": 100}, note={"type": "string"}, user=TEXT)
BLOCK = _object(
    ["type", "text"],
    type={"const": "TextBlock"},
    text=TEXT,
    weight={"enum": ["Lighter", "Default", "Bolder"]},
    size={"enum": ["Small", "Default", "Medium", "Large", "ExtraLarge"]},
    wrap={"type": "boolean"},
    style={"enum": ["default", "heading"]},
    color={"enum": ["Default", "Dark", "Light", "Accent", "Good", "Warning", "Attention"]},
)
CARD = _object(
    ["type", "version", "body"],
    **{"$schema": URL},
    type={"const": "AdaptiveCard"},
    version={"enum": ["1.2", "1.4", "1.5"]},
    body={"type": "array", "minItems": 1, "items": BLOCK},
)
TEAMS = _object(
    ["type", "attachments"],
    type={"const": "message"},
    attachments={
        "type": "array",
        "items": _object(
            ["contentType", "content"],
            contentType={"const": "application/vnd.microsoft.card.adaptive"},
            contentUrl={"type": "null"},
            content=CARD,
        ),
    },
)
MAX_TEAMS_BYTES = 28_000
"""What a message to a channel may take."""


class _Mail(socketserver.StreamRequestHandler):
    """Takes one message by SMTP (RFC 5321), without encryption."""

    taken: ClassVar[list[bytes]]

    def handle(self) -> None:
        self.wfile.write(b"220 test\r\n")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                parts = []
                while (part := self.rfile.readline()).rstrip(b"\r\n") != b".":
                    parts.append(part)
                self.taken.append(b"".join(parts))
            self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 OK\r\n")
            if verb == b"QUIT":
                return


@contextmanager
def mailbox():
    """Yield the address of a mail server on loopback, and the messages that it has taken."""
    taken: list[bytes] = []
    handler = type("Taking", (_Mail,), {"taken": taken})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}", taken
        finally:
            server.shutdown()
            thread.join()
