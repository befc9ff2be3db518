"""Why a run failed, in one line: ``Type: message``."""

from __future__ import annotations

import re

from adapters.assembly.view import View

MAX_ERROR_CHARS = 1_000
"""Longest error kept: a provider's message, not its traceback."""

_TRACEBACK = "Traceback (most recent call last)"
_REPR = re.compile(r"([A-Za-z_][\w.]{0,200})\((.*)\)", re.DOTALL)


def error_of(root: View) -> str | None:
    """Return the error of a failed ``root``: its innermost cause, with the root's own type where that differs.

    A framework wraps what went wrong (Haystack's PipelineRuntimeError); the span that failed first says it plainly.
    """
    if not root.failed:
        return None
    cause = root
    while failed := [child for child in cause.children if child.failed]:
        cause = max(failed, key=lambda view: (view.span.end_ns, view.span.span_id))
    outer, _ = _reported(root)
    kind, message = _reported(cause)
    text = ": ".join(part for part in (kind, message) if part) or "failed without a message"
    if outer and outer != kind:
        text = f"{text[:MAX_ERROR_CHARS]} (raised as {outer})"
    return text[: MAX_ERROR_CHARS + 200]


def is_error_of(root: View, text: str | None) -> bool:
    """Tell whether ``text`` is the message of what failed at or below ``root``: Agno gives it back as an answer."""
    return text is not None and any(_reported(view)[1] == _line(text) for view in root.subtree() if view.failed)


def _reported(view: View) -> tuple[str | None, str | None]:
    """Return the type and message: what the dialect says, else the last exception event, else the status message."""
    if (told := view.error) is not None:
        return _short(told[0]), _line(told[1])
    for event in reversed(view.span.events):
        if event.name == "exception":
            kind, message = event.attributes.get("exception.type"), event.attributes.get("exception.message")
            return _short(kind), _line(message)
    status = view.span.status_message.partition(_TRACEBACK)[0].strip()
    if (match := _REPR.fullmatch(status[: 2 * MAX_ERROR_CHARS])) is not None:
        return _short(match[1]), _line(match[2].strip("'\""))
    kind, colon, message = status.partition(": ")
    if colon and kind.replace("_", "").replace(".", "").isalnum():
        return _short(kind), _line(message)
    return None, _line(status)


def _short(kind: object) -> str | None:
    """Drop the module of an exception's type."""
    return kind.rsplit(".", 1)[-1][:200] if isinstance(kind, str) and kind else None


def _line(message: object) -> str | None:
    if not isinstance(message, str):
        return None
    return " ".join(message[: 2 * MAX_ERROR_CHARS].split())[:MAX_ERROR_CHARS] or None
