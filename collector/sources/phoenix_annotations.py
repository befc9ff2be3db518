"""Annotations of answers on a Phoenix server: by judges, by code and by people.

Its API gives annotations of spans and traces that are named, and none by time. So the server is asked about each answer
a few times, at growing ages: most judges are done within minutes, people within a day. What was read before is known.

Source: phoenix/server/api/routers/v1/annotations.py of arize-phoenix 20.26.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal
from urllib.parse import quote

import orjson
from pydantic import ConfigDict, Field, NonNegativeInt, TypeAdapter, ValidationError

from adapters.base import MalformedRecord
from adapters.external.rows import score_of
from adapters.external.score import ExternalScore
from collector.outbound.client import HttpClient
from collector.outbound.reply import NOT_FOUND
from collector.sources.base import AnswerPlace, FetchedPage, FindAnswers
from collector.sources.phoenix_projects import PhoenixProject, PhoenixProjects, listed

MINUTE = 60 * 10**9
AGES = (2 * MINUTE, 20 * MINUTE, 180 * MINUTE, 17 * 60 * MINUTE)
"""Ages (ns) at which the server is asked about an answer; the last is within the time that drift gates wait."""
GROUP = 100
"""Answers of one request: their ids stand in its URL, and proxies take 8 KiB."""
PAGE = 1_000
MAX_PAGES = 10
"""Annotations of one request, and requests for one group: ten annotations an answer, a hundred at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationCursor:
    """Up to which answer, by its number in the store, the server was asked at each of the `AGES`."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    asked: Annotated[tuple[NonNegativeInt, ...], Field(min_length=len(AGES), max_length=len(AGES))] = (0,) * len(AGES)

    def encode(self) -> bytes:
        """Return the cursor as JSON."""
        return orjson.dumps({"version": self.version, "asked": self.asked})


_CURSOR = TypeAdapter(AnnotationCursor)


class PhoenixAnnotationPuller:
    """Asks one Phoenix server about the answers that are stored here, whatever way their spans came."""

    def __init__(self, client: HttpClient, projects: PhoenixProjects, *, since: int) -> None:
        self.answers: FindAnswers | None = None
        self._client = client
        self._projects = projects
        self._since = since

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return the annotations of the answers that are due, the youngest first. Raises `Unreachable`."""
        at = _decoded(cursor) or AnnotationCursor()
        assert self.answers is not None
        for place, age in enumerate(AGES):
            due = self.answers(
                after=at.asked[place],
                arrived_from=max(0, now - age - self._since),
                arrived_before=max(0, now - age),
                limit=GROUP,
            )
            if due:
                asked = (*at.asked[:place], due[-1].seq, *at.asked[place + 1 :])
                scores, malformed = self._asked(due)
                return FetchedPage(replace(at, asked=asked).encode(), scores=scores, malformed=malformed, more=True)
        return FetchedPage(at.encode())

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say for people where ``cursor`` stands: up to which answer the server was asked, by the age of answers."""
        at = _decoded(cursor)
        if at is None:
            return {}
        return {"answers_asked_by_minutes": {str(age // MINUTE): n for age, n in zip(AGES, at.asked, strict=True)}}

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _asked(self, due: Sequence[AnswerPlace]) -> tuple[list[ExternalScore], list[MalformedRecord]]:
        of_span = {each.span_id: each.trace_id for each in due if each.trace_id and each.span_id}
        traces = sorted({each.trace_id for each in due if each.trace_id})
        scores: list[ExternalScore] = []
        malformed: list[MalformedRecord] = []
        for project in self._projects.wanted()[0] if traces else ():
            rows = [
                *(
                    {**row, "trace_id": of_span.get(str(row.get("span_id")))}
                    for row in self._rows(project, "span_annotations", {"span_ids": sorted(of_span)})
                ),
                *self._rows(project, "trace_annotations", {"trace_ids": traces}),
            ]
            for row in filter(_says_something, rows):
                try:
                    scores.append(score_of(row))
                except ValidationError as error:
                    problem = error.errors(include_url=False, include_input=False)[0]
                    where = f"annotation {str(row.get('id'))[:64]} of project {project.name[:80]}"
                    malformed.append(MalformedRecord(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}", where))
        return sorted(scores, key=lambda score: (str(score.at), score.model_dump_json())), malformed

    def _rows(self, project: PhoenixProject, kind: str, named: Mapping[str, list[str]]) -> Iterator[dict[str, Any]]:
        """Yield annotations; none where the project has none of these spans, or the server no such list."""
        if not all(named.values()):
            return
        path, cursor = f"/v1/projects/{quote(project.id, safe='')}/{kind}", None
        for _ in range(MAX_PAGES):
            reply = self._client.get(path, {**named, "limit": PAGE, "cursor": cursor})
            if reply.status == NOT_FOUND:
                return
            if not reply.ok:
                raise reply.failure()
            rows, cursor = listed(reply)
            yield from (row for row in rows if isinstance(row, dict))
            if cursor is None:
                return


def _says_something(row: Mapping[str, Any]) -> bool:
    """Whether an annotation has a score or a label: a mere note is neither."""
    result = row.get("result")
    return isinstance(result, dict) and (result.get("score") is not None or bool(result.get("label")))


def _decoded(raw: bytes | None) -> AnnotationCursor | None:
    if raw is None:
        return None
    try:
        return _CURSOR.validate_json(raw)
    except ValidationError:
        return None
