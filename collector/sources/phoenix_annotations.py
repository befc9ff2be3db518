"""Annotations of answers on a Phoenix server: by judges, by code and by people.

Its API gives annotations of spans and traces that are named, and none by time: so it is asked about each answer.

Source: phoenix/server/api/routers/v1/annotations.py of arize-phoenix 20.26.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from adapters.base import MalformedRecord
from adapters.external.score import ExternalScore
from collector.outbound.client import HttpClient
from collector.outbound.reply import NOT_FOUND
from collector.sources.asking import AskingPuller, scores_of_rows
from collector.sources.base import AnswerPlace
from collector.sources.phoenix_projects import PhoenixProject, PhoenixProjects, listed

PAGE = 1_000
MAX_PAGES = 10
"""Annotations of one request, and requests for one group: ten annotations an answer, a hundred at most."""


class PhoenixAnnotationPuller(AskingPuller):
    """Asks one Phoenix server for the annotations of answers."""

    def __init__(self, client: HttpClient, projects: PhoenixProjects, *, since: int) -> None:
        super().__init__(client, since=since)
        self._projects = projects

    def ask(self, due: Sequence[AnswerPlace]) -> tuple[list[ExternalScore], list[MalformedRecord]]:
        """Return the annotations of the outermost spans of some answers, and of their traces."""
        of_span = {each.span_id: each.trace_id for each in due if each.trace_id and each.span_id}
        traces = sorted({each.trace_id for each in due if each.trace_id})
        rows: list[tuple[str, Mapping[str, Any]]] = []
        for project in self._projects.wanted()[0] if traces else ():
            found = [
                *(
                    {**row, "trace_id": of_span.get(str(row.get("span_id")))}
                    for row in self._rows(project, "span_annotations", {"span_ids": sorted(of_span)})
                ),
                *self._rows(project, "trace_annotations", {"trace_ids": traces}),
            ]
            rows += [
                (f"annotation {str(row.get('id'))[:64]} of project {project.name[:80]}", row)
                for row in found
                if _says_something(row)
            ]
        return scores_of_rows(rows)

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
