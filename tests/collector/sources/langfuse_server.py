"""A Langfuse API in memory: what it is asked must be what the real client can ask, what it answers is of its models.

It keeps the server's ways: newest first, a cursor by key, metadata cut at 200 characters, fields by group, what is
ingested later appears later.
"""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from collector.outbound.client import Params
from collector.outbound.errors import Unreachable
from collector.outbound.reply import Reply, retry_after
from tests.collector.sources.server import Handler, serving

PUBLIC, SECRET = "pk-lf-test", "sk-lf-test"
AUTH = "Basic " + base64.b64encode(f"{PUBLIC}:{SECRET}".encode()).decode()
V2 = "/api/public/v2/observations"
LEGACY = "/api/public/traces"
SCORES = "/api/public/v3/scores"
OLDER_SCORES = "/api/public/v2/scores"
NO_V2 = {"message": "The observations v2 API is only available in a v4 write mode.", "error": "LangfuseNotFoundError"}
MS = 1_000_000

_BASIC = "name level statusMessage version environment bookmarked public userId sessionId isRootObservation"
_GROUPS = {
    "basic": _BASIC.split(" "),
    "time": ["completionStartTime", "createdAt", "updatedAt"],
    "io": ["input", "output"],
    "metadata": ["metadata"],
    "model": ["model", "internalModelId", "modelParameters"],
    "usage": ["usageDetails", "costDetails", "totalCost", "usagePricingTierName"],
    "prompt": ["promptId", "promptName", "promptVersion"],
    "metrics": ["latency", "timeToFirstToken"],
    "trace_context": ["tags", "release", "traceName"],
}
_CORE = ["id", "traceId", "startTime", "endTime", "projectId", "parentObservationId", "type"]
_ARGUMENTS = {
    "fields": "fields",
    "expandMetadata": "expand_metadata",
    "limit": "limit",
    "cursor": "cursor",
    "fromStartTime": "from_start_time",
    "toStartTime": "to_start_time",
    "environment": "environment",
    "traceId": "trace_id",
}

Answer = tuple[int, dict[str, str], bytes]


def iso(ns: int) -> str:
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ns // MS)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def nanoseconds(text: str) -> int:
    at = datetime.fromisoformat(text)
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1) * MS


def observation(
    trace: str, identity: str, start: int, end: int | None, parent: str | None = None, **given: Any
) -> dict[str, Any]:
    """An observation as the API gives it; times are Unix nanoseconds."""
    return {
        "id": identity,
        "traceId": trace,
        "startTime": iso(start),
        "endTime": None if end is None else iso(end),
        "projectId": "project",
        "parentObservationId": parent,
        "type": "SPAN",
        "name": "answer" if parent is None else "step",
        "level": "DEFAULT",
        "environment": "default",
        "isRootObservation": parent is None,
        "input": "How much is it?",
        "output": "It is 180 EUR.",
        "metadata": {"scope": {"name": "langfuse-sdk", "version": "5.0.4"}},
    } | given


@dataclass
class LangfuseServer:
    """Holds observations, each with the time from which it can be read; ``now`` is the server's time."""

    now: int = 0
    v2: bool = True
    legacy: bool = True
    scores_v3: bool = True
    cuts_metadata: bool = True
    before: Callable[[str, int], Answer | None] = lambda _path, _number: None
    """Asked first, with the path and the number of the request: an answer in place of the real one."""
    requests: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)
    served: Counter[str] = field(default_factory=Counter)
    scores: list[dict[str, Any]] = field(default_factory=list)
    """As ``v3/scores`` gives them."""
    _rows: list[tuple[int, dict[str, Any]]] = field(default_factory=list)

    def ingest(self, *rows: dict[str, Any], at: int = 0) -> None:
        self._rows += [(at, row) for row in rows]

    @property
    def observations(self) -> list[dict[str, Any]]:
        return [row for at, row in self._rows if at <= self.now]

    def answer(self, path: str, query: list[tuple[str, str]], authorization: str = AUTH) -> Answer:
        self.requests.append((path, query))
        replaced = self.before(path, len(self.requests))
        if replaced is not None:
            return replaced
        if authorization != AUTH:
            return told(401, {"message": "Invalid credentials. Confirm that you've configured the correct host."})
        if path == V2:
            return self._v2(query) if self.v2 else told(404, NO_V2)
        if path == SCORES and self.scores_v3:
            return self._scores(query)
        if path == OLDER_SCORES and self.legacy:
            return self._older_scores(dict(query))
        if path == LEGACY and self.legacy:
            return self._traces(dict(query))
        if path.startswith(f"{LEGACY}/") and self.legacy:
            return self._trace(path.removeprefix(f"{LEGACY}/"))
        return told(404, {"message": "Not Found"})

    def _v2(self, query: list[tuple[str, str]]) -> Answer:
        from langfuse.api import ObservationsV2Response
        from langfuse.api.core.pydantic_utilities import parse_obj_as

        check_request(query)
        given = dict(query)
        since, until = nanoseconds(given["fromStartTime"]), nanoseconds(given["toStartTime"])
        wanted = [value for name, value in query if name == "environment"]
        rows = sorted(
            (
                row
                for row in self.observations
                if since <= nanoseconds(row["startTime"]) < until and (not wanted or row["environment"] in wanted)
            ),
            key=key,
            reverse=True,
        )
        if (cursor := given.get("cursor")) is not None:
            try:
                last = tuple(json.loads(base64.b64decode(cursor)))
            except ValueError:
                return told(400, {"message": "Invalid cursor format", "error": "InvalidRequestError"})
            rows = [row for row in rows if key(row) < last]
        limit = int(given.get("limit", 50))
        assert 1 <= limit <= 1000
        page, meta = rows[:limit], {}
        if len(rows) > limit:
            meta["cursor"] = base64.b64encode(json.dumps(key(page[-1])).encode()).decode()
        data = [self._shown(row, given) for row in page]
        response = parse_obj_as(ObservationsV2Response, {"data": data, "meta": meta})
        self.served.update(row["id"] for row in page)
        assert {item.id for item in response.data} == {item["id"] for item in data}
        return told(200, {"data": data, "meta": meta})

    def _shown(self, row: dict[str, Any], given: dict[str, str]) -> dict[str, Any]:
        names = [
            *_CORE,
            *(name for group in given.get("fields", "core,basic").split(",") for name in _GROUPS.get(group, ())),
        ]
        shown = {name: row.get(name) for name in names}
        if self.cuts_metadata and isinstance(shown.get("metadata"), dict):
            whole = given.get("expandMetadata", "").split(",")
            shown["metadata"] = {
                name: value if name in whole else cut(value) for name, value in shown["metadata"].items()
            }
        return shown

    def _scores(self, query: list[tuple[str, str]]) -> Answer:
        from langfuse.api import GetScoresV3Response
        from langfuse.api.core.pydantic_utilities import parse_obj_as

        check_scores_request(query)
        given = dict(query)
        rows = self._given_within(given)
        first = int(base64.b64decode(given["cursor"])) if "cursor" in given else 0
        limit = int(given["limit"])
        data = rows[first : first + limit]
        meta: dict[str, Any] = {"limit": limit}
        if first + limit < len(rows):
            meta["cursor"] = base64.b64encode(str(first + limit).encode()).decode()
        parse_obj_as(GetScoresV3Response, {"data": data, "meta": meta})
        return told(200, {"data": data, "meta": meta})

    def _older_scores(self, given: dict[str, str]) -> Answer:
        rows = [older_score(row) for row in self._given_within(given)]
        page, limit = int(given["page"]), int(given["limit"])
        assert 1 <= limit <= 100
        meta = {"page": page, "limit": limit, "totalItems": len(rows), "totalPages": -(-len(rows) // limit)}
        return told(200, {"data": rows[(page - 1) * limit : page * limit], "meta": meta})

    def _given_within(self, given: dict[str, str]) -> list[dict[str, Any]]:
        since, until = nanoseconds(given["fromTimestamp"]), nanoseconds(given["toTimestamp"])
        rows = [row for row in self.scores if since <= nanoseconds(row["timestamp"]) < until]
        return sorted(rows, key=lambda row: str(row["timestamp"]), reverse=True)

    def _traces(self, given: dict[str, str]) -> Answer:
        since, until = nanoseconds(given["fromTimestamp"]), nanoseconds(given["toTimestamp"])
        assert given["orderBy"] == "timestamp.asc"
        found = sorted((begun, trace) for trace, begun in self._begun().items() if since <= begun < until)
        page, limit = int(given["page"]), int(given["limit"])
        assert limit <= 100
        data = [{"id": trace, "timestamp": iso(begun)} for begun, trace in found[(page - 1) * limit : page * limit]]
        return told(200, {"data": data, "meta": {"page": page, "limit": limit, "totalItems": len(found)}})

    def _trace(self, trace: str) -> Answer:
        rows = [row for row in self.observations if row["traceId"] == trace]
        if not rows:
            return told(404, {"message": "Trace not found within authorized project"})
        whole = [row | {"input": parsed(row.get("input")), "output": parsed(row.get("output"))} for row in rows]
        root = next((row for row in whole if row["parentObservationId"] is None), {})
        about = {"id": trace, "timestamp": iso(self._begun()[trace]), "environment": "default"}
        about |= {name: root.get(name) for name in ("name", "input", "output", "sessionId", "userId")}
        self.served.update(row["id"] for row in rows)
        return told(200, about | {"observations": whole, "scores": []})

    def _begun(self) -> dict[str, int]:
        begun: dict[str, int] = {}
        for row in self.observations:
            start = nanoseconds(row["startTime"])
            begun[row["traceId"]] = min(start, begun.get(row["traceId"], start))
        return begun

    @contextmanager
    def serving(self, prefix: str = "") -> Iterator[str]:
        """Serve over HTTP below ``prefix``; yield the base URL."""

        def answer(handler: Handler) -> None:
            parts = urlsplit(handler.path)
            if not parts.path.startswith(prefix + "/"):
                handler.give(404, b"<html>no such page</html>", Content_Type="text/html")
                return
            query = parse_qsl(parts.query, keep_blank_values=True)
            authorization = handler.headers.get("authorization", "")
            status, headers, body = self.answer(parts.path.removeprefix(prefix), query, authorization)
            handler.give(status, body, **headers)

        with serving(answer) as url:
            yield url + prefix

    def client(self) -> MemoryClient:
        """Return what stands for an `HttpClient`, without a socket."""
        return MemoryClient(self)


@dataclass
class MemoryClient:
    server: LangfuseServer

    def get(self, path: str, params: Params | None = None) -> Reply:
        given = {name: value for name, value in (params or {}).items() if value is not None}
        query = parse_qsl(str(httpx.QueryParams(given)), keep_blank_values=True)
        status, headers, body = self.server.answer(path, query)
        if status == 0:
            raise Unreachable("no answer")
        found = httpx.Headers(headers)
        wait = retry_after(found.get("retry-after", ""), now=self.server.now)
        return Reply(self.url(path), status, found, body, wait)

    def url(self, path: str) -> str:
        return f"http://langfuse{path}"

    def close(self) -> None:
        return


def score(trace: str, name: str, value: Any, at: int, span: str | None = None, **given: Any) -> dict[str, Any]:
    """A score as the current API gives it."""
    kind = "BOOLEAN" if isinstance(value, bool) else "CATEGORICAL" if isinstance(value, str) else "NUMERIC"
    subject = {"kind": "trace", "id": trace}
    if span is not None:
        subject = {"kind": "observation", "id": span, "traceId": trace}
    return {
        "id": f"{trace}-{name}-{at}",
        "projectId": "project",
        "name": name,
        "value": value,
        "dataType": kind,
        "source": "API",
        "timestamp": iso(at),
        "environment": "default",
        "createdAt": iso(at),
        "updatedAt": iso(at),
        "subject": subject,
    } | given


def older_score(row: dict[str, Any]) -> dict[str, Any]:
    """The same score as the older API gives it: categories and booleans have a number beside their text."""
    subject, value = row["subject"], row["value"]
    of_span = subject["kind"] == "observation"
    number = value if row["dataType"] == "NUMERIC" else int(value is True)
    older = {name: each for name, each in row.items() if name != "subject"} | {
        "value": number,
        "traceId": subject.get("traceId") if of_span else subject["id"] if subject["kind"] == "trace" else None,
        "observationId": subject["id"] if of_span else None,
    }
    return older if row["dataType"] == "NUMERIC" else older | {"stringValue": str(value)}


def key(row: dict[str, Any]) -> tuple[str, str, str]:
    return (row["startTime"], row["traceId"], row["id"])


def told(status: int, body: Any, **headers: str) -> Answer:
    return status, {"Content-Type": "application/json; charset=utf-8"} | headers, json.dumps(body).encode()


def cut(value: Any) -> Any:
    """What the server gives of metadata that was not asked for by name."""
    text = value if isinstance(value, str) else json.dumps(value)
    return value if len(text) <= 200 else text[:200]


def parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text


def check_request(query: list[tuple[str, str]]) -> None:
    """Assert that the real client, called with these arguments, sends this very query."""

    arguments: dict[str, Any] = {}
    for name, value in query:
        argument = _ARGUMENTS[name]
        if argument == "environment":
            arguments.setdefault(argument, []).append(value)
        elif argument.endswith("_time"):
            arguments[argument] = datetime.fromisoformat(value)
        else:
            arguments[argument] = int(value) if argument == "limit" else value
    path, sent = asked(lambda api: api.observations.get_many(**arguments))
    assert path == V2
    assert sorted(comparable(sent)) == sorted(comparable(query))


def comparable(query: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, str(nanoseconds(value)) if name.endswith(("Time", "Timestamp")) else value) for name, value in query]


def asked(call: Callable[[Any], Any]) -> tuple[str, list[tuple[str, str]]]:
    """Return the path and the query of the request that the real client sends."""
    from langfuse.api import LangfuseAPI

    sent: list[httpx.Request] = []

    def catch(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={"data": [], "meta": {"limit": 100}})

    with httpx.Client(transport=httpx.MockTransport(catch)) as client:
        call(LangfuseAPI(base_url="http://langfuse", username=PUBLIC, password=SECRET, httpx_client=client))
    (request,) = sent
    return request.url.path, list(request.url.params.multi_items())


def check_scores_request(query: list[tuple[str, str]]) -> None:
    """Assert that the real client, called with these arguments, sends this very query."""
    names = {"fromTimestamp": "from_timestamp", "toTimestamp": "to_timestamp"}
    arguments: dict[str, Any] = {names.get(name, name): value for name, value in query}
    arguments |= {name: datetime.fromisoformat(arguments[name]) for name in names.values()}
    path, sent = asked(lambda api: api.scores.get_many(**arguments | {"limit": int(arguments["limit"])}))
    assert path == SCORES
    assert sorted(comparable(sent)) == sorted(comparable(query))
