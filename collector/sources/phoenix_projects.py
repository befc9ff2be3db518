"""The projects of a Phoenix server, and what all lists of its API have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from collector.outbound.client import HttpClient
from collector.outbound.errors import Unreachable
from collector.outbound.reply import Reply

MAX_PROJECTS = 10_000
MAX_ID = 1_000
"""Characters of an id, and of a project's name that is kept: both stand in the cursor."""
_PROJECTS_A_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class PhoenixProject:
    """A project as Phoenix lists it."""

    id: str
    name: str


class PhoenixProjects:
    """The projects of the server at ``url``, of which ``wanted`` names some, by name or id; ``None``: all."""

    def __init__(self, client: HttpClient, url: str, wanted: Sequence[str] | None) -> None:
        self._client = client
        self._url = url
        self._wanted = wanted

    def wanted(self) -> tuple[list[PhoenixProject], tuple[str, ...]]:
        """Return the projects to read, and the configured ones that are not there. Raises `Unreachable` if none is."""
        found = list(self._listed())
        if self._wanted is None:
            return found, ()
        names = set(self._wanted)
        missing = tuple(sorted(names - {project.name for project in found} - {project.id for project in found}))
        if len(missing) == len(names):
            there = ", ".join(sorted(project.name for project in found)[:10]) or "none"
            raise Unreachable(f"{self._url}: no project {', '.join(map(repr, missing))}; known: {there}")
        return [project for project in found if project.name in names or project.id in names], missing

    def _listed(self) -> Iterator[PhoenixProject]:
        cursor: str | None = None
        for _ in range(MAX_PROJECTS // _PROJECTS_A_PAGE):
            reply = self._client.get("/v1/projects", {"limit": _PROJECTS_A_PAGE, "cursor": cursor})
            if not reply.ok:
                raise reply.failure()
            data, cursor = listed(reply)
            for row in data:
                if not (isinstance(row, dict) and is_id(row.get("id")) and isinstance(row.get("name"), str)):
                    raise Unreachable(f"{reply.url}: {reply.status} with a body that is not a list of Phoenix projects")
                yield PhoenixProject(row["id"], row["name"][:MAX_ID])
            if cursor is None:
                return


def listed(reply: Reply) -> tuple[list[Any], str | None]:
    """Return the rows of a list, and where its next page starts. Raises `Unreachable` for what is no list."""
    body = reply.json()
    if not isinstance(body, dict) or not isinstance(body.get("data"), list):
        raise Unreachable(f"{reply.url}: {reply.status} with a body that is not a Phoenix list")
    cursor = body.get("next_cursor")
    return body["data"], cursor if isinstance(cursor, str) and cursor else None


def is_id(value: Any) -> TypeGuard[str]:
    """Whether a value may be an id."""
    return isinstance(value, str) and len(value) <= MAX_ID
