"""Where a Phoenix source stands: per project the last span read, and some before it to fall back on.

Phoenix on SQLite gives the ids of deleted spans away again, and a server may come back with an empty database: then
spans behind the last one read get ids before it, and reading on from there would skip them. So a span is an anchor by
its id in the API and its span id together, and older anchors are kept at growing distances. What is read a second time
from an older anchor is the same spans again, which the store knows by their ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import orjson

VERSION = 1
FIRST_DISTANCE = 100
"""Spans between the last anchor and the one before it, at least; further ones are about twice as far away each."""
MAX_ANCHORS = 40
SHOWN_PROJECTS = 100


class Anchor(NamedTuple):
    """A span that was read: its id in the API, and its OpenTelemetry span id."""

    id: str
    span_id: str


class _Mark(NamedTuple):
    """An anchor, and how many spans had been read with it."""

    read: int
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    marks: tuple[_Mark, ...] = ()
    """Oldest first."""
    read: int = 0


@dataclass(frozen=True, slots=True)
class PhoenixCursor:
    """The state of a source. ``since`` (Unix nanoseconds) bounds the start of spans, and never changes."""

    since: int
    places: Mapping[str, _Place] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @classmethod
    def read(cls, cursor: bytes | None) -> PhoenixCursor | None:
        """Read a state back; ``None`` for none, and for what no version of this agent wrote.

        >>> PhoenixCursor.read(PhoenixCursor(since=5).encoded()).since, PhoenixCursor.read(b"?")
        (5, None)
        """
        if cursor is None:
            return None
        try:
            raw = orjson.loads(cursor)
            if raw["v"] != VERSION:
                return None
            places = {
                id_: _Place(
                    str(given["name"]),
                    tuple(_Mark(int(read), Anchor(str(at), str(span))) for read, at, span in given["anchors"]),
                    int(given["read"]),
                )
                for id_, given in raw["projects"].items()
            }
            return cls(int(raw["since"]), places, tuple(map(str, raw["missing"])))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
            return None

    def encoded(self) -> bytes:
        """Return the state as JSON."""
        projects = {
            id_: {
                "name": place.name,
                "read": place.read,
                "anchors": [[mark.read, mark.anchor.id, mark.anchor.span_id] for mark in place.marks],
            }
            for id_, place in self.places.items()
        }
        return orjson.dumps({"v": VERSION, "since": self.since, "projects": projects, "missing": list(self.missing)})

    def shown(self) -> Mapping[str, Any]:
        """Return what people want to know of it: spans read by project, and projects that are not there."""
        read = {place.name: place.read for place in list(self.places.values())[:SHOWN_PROJECTS]}
        return {"spans_read": read} | ({"missing_projects": list(self.missing)} if self.missing else {})

    def of(self, projects: Mapping[str, str], missing: tuple[str, ...]) -> PhoenixCursor:
        """Keep the places of these projects (name by id) only: one that is gone does not come back under its id."""
        places = {id_: replace(self.places.get(id_, _Place(name)), name=name) for id_, name in projects.items()}
        return replace(self, places=places, missing=missing)

    def last(self, project: str) -> Anchor | None:
        """Return the newest anchor."""
        place = self.places.get(project)
        return place.marks[-1].anchor if place is not None and place.marks else None

    def advanced(self, project: str, name: str, anchors: Sequence[Anchor]) -> PhoenixCursor:
        """Return the state after these spans were read, in order."""
        place = self.places.get(project, _Place(name))
        if not anchors:
            return self
        read = place.read + len(anchors)
        marks = _thinned((*place.marks, _Mark(read, anchors[-1])))
        return self._with(project, replace(place, marks=marks, read=read))

    def stepped_back(self, project: str) -> PhoenixCursor:
        """Return the state without its newest anchor, as of when the one before it was the newest."""
        place = self.places[project]
        marks = place.marks[:-1]
        return self._with(project, replace(place, marks=marks, read=marks[-1].read if marks else 0))

    def without(self, project: str) -> PhoenixCursor:
        """Return the state without anything of this project."""
        return replace(self, places={id_: place for id_, place in self.places.items() if id_ != project})

    def _with(self, project: str, place: _Place) -> PhoenixCursor:
        return replace(self, places={**self.places, project: place})


def _thinned(marks: Sequence[_Mark]) -> tuple[_Mark, ...]:
    """Keep the newest, and of the older ones the oldest in each range of distances, each twice as wide as the last."""
    newest = marks[-1]
    kept: dict[int, _Mark] = {}
    for mark in marks[:-1]:
        ranged = ((newest.read - mark.read) // FIRST_DISTANCE).bit_length()
        if ranged:
            kept.setdefault(ranged, mark)
    return (*list(kept.values())[-MAX_ANCHORS:], newest)
