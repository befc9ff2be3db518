"""Phoenix: the spans of its projects, pulled over REST in the order they were stored.

A trace's root is stored last, and late spans appear at the end: reading by insertion order sees every span once. The
cursor of the API is inclusive and stands for one span, so each page begins with the last span read, which shows that
nothing moved. Where it is gone, the page is read again from an earlier span (`collector.sources.phoenix_cursor`).

Source: phoenix/server/api/routers/v1/spans.py and projects.py of arize-phoenix 20.26.1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal
from urllib.parse import quote

from pydantic import Field

from adapters.base import MalformedRecord
from adapters.exports.phoenix import spans_of_rows
from adapters.trace import Nanoseconds
from collector.clock import duration, instant
from collector.outbound.client import HttpClient
from collector.outbound.credentials import ApiKeyOptions
from collector.outbound.errors import ReplyTooLarge, Unreachable
from collector.outbound.reply import NOT_FOUND, Reply
from collector.security.address import BaseUrl
from collector.sources.base import FetchedPage, ScoredSourceOptions, Source, SourceOptions, scores_beside
from collector.sources.phoenix_annotations import PhoenixAnnotationPuller
from collector.sources.phoenix_cursor import Anchor, PhoenixCursor
from collector.sources.phoenix_projects import PhoenixProject, PhoenixProjects, is_id, listed
from gates.units.duration import Duration

MAX_PAGE = 999
"""The API gives at most 1,000 spans, one of which was read before."""
UNPROCESSABLE = 422


class PhoenixSource(ApiKeyOptions, ScoredSourceOptions):
    """Pulls spans from a Phoenix server."""

    type: Literal["phoenix"] = "phoenix"
    url: BaseUrl = Field(description="Base URL of the server, with its path prefix if it has one.")
    timeout: Duration = Field(
        default=timedelta(seconds=30), le=timedelta(minutes=5), description="Time limit of one request."
    )
    projects: tuple[str, ...] | None = Field(
        default=None,
        min_length=1,
        description="Names or ids of the projects to read; defaults to all, including new ones as they appear.",
    )
    since: Duration = Field(
        default=timedelta(days=1),
        description="How far back the very first look reads; spans that started earlier are never read.",
    )
    page: int = Field(default=250, ge=1, le=MAX_PAGE, description="Spans per request; fewer after a failure.")

    def open(self, where: str) -> Source:
        """Return the source. Raises `ConfigError` for a key or a certificate that cannot be read."""
        return PhoenixPuller(self.client(where), self)

    def of_scores(self) -> SourceOptions | None:
        """Return the source of the annotations that are kept there, where they are wanted."""
        return scores_beside(self, PhoenixAnnotations)


class PhoenixAnnotations(PhoenixSource):
    """The annotations of answers on a Phoenix server."""

    def open(self, where: str) -> Source:
        """Return the source. Raises `ConfigError` for a key or a certificate that cannot be read."""
        client = self.client(where)
        return PhoenixAnnotationPuller(
            client, PhoenixProjects(client, self.url, self.projects), since=duration(self.since)
        )


@dataclass(frozen=True, slots=True)
class _Page:
    """Spans not read before, and whether there may be more behind them."""

    rows: list[Any]
    full: bool


class PhoenixPuller:
    """Reads one Phoenix server, its projects in turn. What it keeps beside the cursor only says whose turn it is."""

    def __init__(self, client: HttpClient, options: PhoenixSource) -> None:
        self._client = client
        self._options = options
        self._projects = PhoenixProjects(client, options.url, options.projects)
        self._round: deque[PhoenixProject] = deque()
        self._sizes: dict[str, int] = {}

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return the next spans of the project whose turn it is; one that has none is passed over.

        A project that fails is left to the next round, so that it does not stop the others.
        """
        state = PhoenixCursor.read(cursor)
        if state is None:
            state = PhoenixCursor(since=max(0, now - duration(self._options.since)))
        if not self._round:
            projects, missing = self._projects.wanted()
            self._round.extend(projects)
            state = state.of({project.id: project.name for project in projects}, missing)
        while self._round:
            project = self._round.popleft()
            page, state = self._next(project, state)
            if page.full:
                self._round.append(project)
            else:
                self._sizes.pop(project.id, None)
            if page.rows:
                decoded = spans_of_rows(page.rows, project=project.name)
                malformed = [_placed(error, project) for error in decoded.malformed]
                return FetchedPage(state.encoded(), spans=decoded.spans, malformed=malformed, more=bool(self._round))
        return FetchedPage(state.encoded())

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say how many spans were read of each project, and which of the configured ones Phoenix does not have."""
        state = PhoenixCursor.read(cursor)
        return {} if state is None else state.shown()

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _next(self, project: PhoenixProject, state: PhoenixCursor) -> tuple[_Page, PhoenixCursor]:
        """Return what lies behind the newest anchor that still stands, and the state after it."""
        while True:
            last = state.last(project.id)
            reply, size = self._ask(project, last, state.since)
            if reply.status == NOT_FOUND:
                return _Page([], full=False), state.without(project.id)
            if reply.status == UNPROCESSABLE and last is not None:
                # A cursor that this server cannot read: of another server at this address, or of another version.
                state = state.stepped_back(project.id)
                continue
            if not reply.ok:
                raise reply.failure()
            rows, _ = listed(reply)
            read = [_anchor(row, reply) for row in rows]
            if last is None:
                return _Page(rows, full=len(rows) >= size), state.advanced(project.id, project.name, read)
            if read and read[0] == last:
                return _Page(rows[1:], full=len(rows) > size), state.advanced(project.id, project.name, read[1:])
            state = state.stepped_back(project.id)

    def _ask(self, project: PhoenixProject, last: Anchor | None, since: int) -> tuple[Reply, int]:
        """Return the server's answer, and how many spans that were not read before were asked for."""
        path = f"/v1/projects/{quote(project.id, safe='')}/spans"
        params: dict[str, str | int | None] = {
            "sort": "id",
            "order": "asc",
            "cursor": None if last is None else last.id,
            "start_time": instant(Nanoseconds(since)).isoformat(),
        }
        while True:
            size = self._sizes.get(project.id, self._options.page)
            try:
                return self._client.get(path, {**params, "limit": size + (last is not None)}), size
            except Unreachable as error:
                # Perhaps it took too long to be put together. Once all is read, pages are whole again.
                self._sizes[project.id] = max(1, size // 2)
                if size == 1 or not isinstance(error, ReplyTooLarge):
                    raise


def _anchor(row: Any, reply: Reply) -> Anchor:
    context = row.get("context") if isinstance(row, dict) else None
    if isinstance(context, dict):
        id_, span_id = row.get("id"), context.get("span_id")
        if id_ and is_id(id_) and is_id(span_id):
            return Anchor(id_, span_id)
    raise Unreachable(f"{reply.url}: {reply.status} with a body that is not a list of Phoenix spans")


def _placed(error: MalformedRecord, project: PhoenixProject) -> MalformedRecord:
    return MalformedRecord(error.reason, f"project {project.name[:80]}: {error.where}")
