"""The OpenAPI document of the agent's HTTP API, from the declarations of its operations."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import TypeAdapter

from collector.api.bodies import ErrorBody
from collector.api.operations import BUSY, HTML, Endpoint, Operation, declared, parameters_of
from collector.api.queries import QUERY_SECONDS
from collector.receivers.guard import GROUNDWIRE_USER

DESCRIPTION = (
    "Errors are JSON objects whose `error` says what is wrong. Another path is answered with 404, another method with "
    f"405 and `Allow`. A query that takes longer than {QUERY_SECONDS:g} s is cut off with 503. Beyond 1,024 "
    "connections at once the answer is 503 in plain text, and for what is not HTTP 400. On loopback without a token, "
    "a request for another host than this machine or one of `http.allowed_hosts` is answered with 421. A page leads "
    "to its address without the parameters that are empty with 307."
)
BAD_REQUEST = 400
RETRY_AFTER = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds until another try may work."}}


def document(version: str, dimensions: Sequence[str], apis: Iterable[type]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of ``apis``; ``dimensions`` are those of slices, which are parameters."""
    operations = [each for api in apis for each in declared(api)]
    bodies = [model for operation, _ in operations for _, model in _responses(operation)]
    bodies += [operation.body for operation, _ in operations if operation.body is not None]
    schemas, definitions = TypeAdapter.json_schemas(
        [(str(body), "validation", TypeAdapter(body)) for body in dict.fromkeys(bodies)],
        ref_template="#/components/schemas/{model}",
    )

    def content(body: Any) -> dict[str, Any]:
        media = "text/plain" if body is str else "text/html" if body is HTML else "application/json"
        return {media: {"schema": schemas[str(body), "validation"]}}

    paths: dict[str, dict[str, Any]] = {}
    for operation, handler in operations:
        described: dict[str, Any] = {"summary": (inspect.getdoc(handler) or "").partition("\n")[0].rstrip(".")}
        if parameters := list(_parameters(operation, handler, dimensions)):
            described["parameters"] = parameters
        if operation.body is not None:
            text: dict[str, Any] = {"schema": {"type": "string", "description": "A JSON object a line."}}
            also = dict.fromkeys(operation.lines, text)
            described["requestBody"] = {"required": True, "content": content(operation.body) | also}
        described["responses"] = {
            str(status): {"description": description, "content": content(model)}
            | ({"headers": RETRY_AFTER} if description == BUSY else {})
            for status, (description, model) in zip(operation.statuses, _responses(operation), strict=True)
        }
        if operation.access != "open":
            named = ("bearer",) if operation.access == "token" else ("bearer", "basic")
            described["security"] = [*({name: []} for name in named), {}]
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {"title": "Groundwire", "version": version, "description": DESCRIPTION},
        "paths": paths,
        "components": {
            "schemas": definitions["$defs"],
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "basic": {"type": "http", "scheme": "basic", "description": f"{GROUNDWIRE_USER}, and the token."},
            },
        },
    }


def _responses(operation: Operation) -> Iterator[tuple[str, Any]]:
    for status, response in operation.statuses.items():
        if isinstance(response, tuple):
            yield response
        else:
            yield response, dict[str, Any] if status < BAD_REQUEST else ErrorBody


def _parameters(operation: Operation, handler: Endpoint, dimensions: Sequence[str]) -> Iterator[dict[str, Any]]:
    parameters = parameters_of(handler)
    for name, schema in (parameters.schemas(dimensions) if parameters is not None else {}).items():
        place = {"in": "path", "required": True} if f"{{{name}}}" in operation.path else {"in": "query"}
        yield {"name": name, **place, "description": schema.pop("description"), "schema": schema}
