"""The scores of a Langfuse project: by closed windows of their time, so that each is read once, the oldest first.

A score comes whenever its evaluator is done, hours after its trace: so it is read by its own time.

Source: models of the API in the SDK, langfuse.api.scores; ``v3/scores`` has the cursor, ``v2/scores`` older servers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import orjson
from pydantic import ConfigDict, NonNegativeInt, TypeAdapter, ValidationError

from adapters.base import MalformedRecord
from adapters.external.score import ExternalScore
from collector.outbound.errors import Unreachable
from collector.sources.asking import scores_of_rows
from collector.sources.base import FetchedPage
from collector.sources.langfuse.cursor import MS, floor, iso
from collector.sources.langfuse.requests import SCORES, Requests, ScoreApi

MAX_PAGES = 20
"""Pages of one window; one that has more is divided. So many scores are held in memory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTimes:
    """How long windows are, how old scores must be, and how far back the first look reads, in nanoseconds."""

    window: int
    lag: int
    since: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCursor:
    """Where reading stands: scores before ``since`` were read. ``width`` is how long the next window is tried."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    since: NonNegativeInt
    width: NonNegativeInt
    api: ScoreApi = "v3"

    def encode(self) -> bytes:
        """Return the cursor as JSON."""
        return orjson.dumps({name: getattr(self, name) for name in self.__slots__}, option=orjson.OPT_SORT_KEYS)


_CURSOR = TypeAdapter(ScoreCursor)


@dataclass(slots=True, kw_only=True)
class LangfuseScorePuller:
    """Reads scores of traces and observations; those of sessions and experiments are of no answer."""

    requests: Requests
    times: ScoreTimes
    max_pages: int = MAX_PAGES

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return the scores of the next window. Raises `Unreachable`."""
        at = _decoded(cursor) or ScoreCursor(since=floor(max(0, now - self.times.since)), width=self.times.window)
        if at.since > now:
            # The clock was ahead: what was scored meanwhile was passed over. What comes a second time is known.
            at = replace(at, since=floor(max(0, now - self.times.lag - self.times.window)))
        until = min(at.since + max(at.width, MS), floor(max(now - self.times.lag, 0)))
        if until <= at.since:
            return FetchedPage(at.encode())
        found = self._rows(at, until, now)
        if found is None:
            if at.api == "v2":
                where = self.requests.place(SCORES["v2"])
                raise Unreachable(
                    f"{where}: 404 Not Found, as for the current API; check the url, or set scores: false"
                )
            return FetchedPage(replace(at, api="v2").encode(), more=True)
        rows, whole = found
        if not whole and until - at.since > MS:
            return FetchedPage(replace(at, width=max(MS, floor((until - at.since) // 2))).encode(), more=True)
        scores, malformed = _read(rows)
        if not whole:
            malformed.append(MalformedRecord(f"more than {len(rows):,} scores of one millisecond", iso(at.since)))
        return FetchedPage(
            replace(at, since=until, width=min(self.times.window, 2 * max(at.width, MS))).encode(),
            scores=scores,
            malformed=malformed,
            more=until + self.times.lag < floor(now),
        )

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say for people where ``cursor`` stands."""
        at = _decoded(cursor)
        return {} if at is None else {"api": at.api, "read_until": iso(at.since)}

    def close(self) -> None:
        """Close the connection."""
        self.requests.client.close()

    def _rows(self, at: ScoreCursor, until: int, now: int) -> tuple[list[Any], bool] | None:
        """Return the rows of a window and whether those are all; ``None`` where the server has no such API."""
        rows: list[Any] = []
        after = ""
        for _ in range(self.max_pages):
            page = self.requests.scores(at.api, since=at.since, until=until, after=after, now=now)
            if page is None:
                return None
            rows += page.items
            if not page.after:
                return rows, True
            if page.after == after:
                raise Unreachable(f"{self.requests.place(SCORES[at.api])}: the cursor of a page leads to the same page")
            after = page.after
        return rows, False


def _decoded(raw: bytes | None) -> ScoreCursor | None:
    if raw is None:
        return None
    try:
        return _CURSOR.validate_json(raw)
    except ValidationError:
        return None


def _read(rows: list[Any]) -> tuple[list[ExternalScore], list[MalformedRecord]]:
    """Return rows as scores in the order of their times, and those that are none."""
    objects = [row for row in rows if isinstance(row, dict)]
    named = ((f"score {str(row.get('id'))[:64]}", row) for row in objects if _of_an_answer(row))
    scores, malformed = scores_of_rows(named)
    return scores, [*[MalformedRecord("not an object", "score")] * (len(rows) - len(objects)), *malformed]


def _of_an_answer(row: Mapping[str, Any]) -> bool:
    """Whether a row is of a trace or an observation, and no text that a person would rather have read."""
    subject = row.get("subject")
    kind = subject.get("kind") if isinstance(subject, dict) else ("trace" if row.get("traceId") else None)
    return kind in ("trace", "observation") and row.get("dataType") != "CORRECTION"
