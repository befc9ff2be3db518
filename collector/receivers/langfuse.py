"""What of Langfuse's API a Langfuse SDK needs in order to send its traces here.

Traces come by OTLP. Beside them the SDK asks for its project (``auth_check()``, links to traces) and posts scores,
media and much else that this agent does not take. Those are answered 404: the SDK says so in its log and goes on,
whereas it would try again on any code from 500 up. Source: langfuse 5.0 (``langfuse/_client``, ``_task_manager``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from collector.receivers.guard import Guard
from collector.security.text import one_line

PREFIX = "/api/public"
_NAME = "groundwire"
_PROJECTS = {
    "data": [{"id": _NAME, "name": _NAME, "organization": {"id": _NAME, "name": _NAME}, "metadata": {}}],
}
"""Whoever may send here has one project: https://api.reference.langfuse.com/#tag/projects."""


class LangfuseApi:
    """Answers every path below `PREFIX` that is not OTLP."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def __call__(self, request: Request) -> Response:
        """Answer one request; its body is not read."""
        path = request.url.path.removeprefix(PREFIX)
        if path == "/health":
            return _json(200, {"status": "OK", "version": _NAME})
        if not self._guard.admits(request.headers.get("authorization", "")):
            headers = {"www-authenticate": self._guard.challenge}
            return _json(401, {"error": "Unauthorized", "message": self._guard.message}, headers)
        if path != "/projects":
            asked = f"{request.method} {one_line(request.url.path, 200)}"
            message = f"{asked} is not supported; only Langfuse's traces are received"
            return _json(404, {"error": "NotFound", "message": message})
        if request.method not in {"GET", "HEAD"}:
            message = f"method {request.method} not allowed; use GET"
            return _json(405, {"error": "MethodNotAllowed", "message": message}, {"allow": "GET"})
        return _json(200, _PROJECTS)


def _json(code: int, content: Mapping[str, object], headers: dict[str, str] | None = None) -> Response:
    return Response(json.dumps(content), code, headers, media_type="application/json")
