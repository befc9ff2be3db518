"""The scores of a Langfuse project: by closed windows of their time, so that each is read once, the oldest first.

A score comes whenever its evaluator is done, hours after its trace: so it is read by its own time. That is what whoever
gave it says, and may lie before what was read: so each window is looked at again at growing ages, and what was read of
it is known by its id.

Source: models of the API in the SDK, langfuse.api.scores; ``v3/scores`` has the cursor, ``v2/scores`` older servers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Literal

import orjson
from pydantic import ConfigDict, NonNegativeInt, TypeAdapter

from adapters.base import MalformedRecord
from adapters.external.score import ExternalScore
from collector.outbound.errors import Unreachable
from collector.sources.asking import AGES, scores_of_rows
from collector.sources.base import FetchedPage, decoded
from collector.sources.langfuse.cursor import MS, floor, iso
from collector.sources.langfuse.requests import SCORES, Requests, ScoreApi

AGAIN = AGES[1:]
"""Ages (ns) at which windows that were read are looked at again."""
MAX_SEEN = 20_000
"""Scores that are known by id; of more in the last of `AGAIN` the oldest are read twice, and stored once."""
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
    """Where reading stands: scores before ``since`` were read. ``width`` is how long the next window is tried.

    ``again`` is up to where windows were looked at again, at each of `AGAIN`. ``seen`` are the scores that were read
    and will be met again: a hash of the id, and the end of their window in milliseconds.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    since: NonNegativeInt
    width: NonNegativeInt
    api: ScoreApi = "v3"
    again: tuple[NonNegativeInt, ...] = ()
    seen: Mapping[str, int] = field(default_factory=dict)

    def encode(self) -> bytes:
        """Return the cursor as JSON."""
        return orjson.dumps({name: getattr(self, name) for name in self.__slots__}, option=orjson.OPT_SORT_KEYS)

    def remembering(self, names: Iterable[str], at: int) -> ScoreCursor:
        """Return the cursor with scores that were read, of a window up to ``at`` (ms), and without what is past."""
        seen = {**self.seen, **dict.fromkeys(names, at)}
        due = sorted((item for item in seen.items() if item[1] * MS > min(self.again)), key=lambda item: item[::-1])
        return replace(self, seen=dict(due[-MAX_SEEN:]))


_CURSOR = TypeAdapter(ScoreCursor)


@dataclass(slots=True, kw_only=True)
class LangfuseScorePuller:
    """Reads scores of traces and observations; those of sessions and experiments are of no answer."""

    requests: Requests
    times: ScoreTimes
    max_pages: int = MAX_PAGES

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return the scores of the next window that were not read before. Raises `Unreachable`."""
        at = self._begun(decoded(_CURSOR, cursor), now)
        place, start, until = self._next(at, now)
        if until <= start:
            return FetchedPage(at.encode())
        found = self._rows(at.api, start, until, now)
        if found is None:
            if at.api == "v2":
                where = self.requests.place(SCORES["v2"])
                raise Unreachable(
                    f"{where}: 404 Not Found, as for the current API; check the url, or set scores: false"
                )
            return FetchedPage(replace(at, api="v2").encode(), more=True)
        rows, whole = found
        if not whole and until - start > MS:
            return FetchedPage(replace(at, width=max(MS, floor((until - start) // 2))).encode(), more=True)
        named = [(_name(row), row) for row in rows]
        scores, malformed = _read([row for name, row in named if name not in at.seen])
        if not whole:
            malformed.append(MalformedRecord(f"more than {len(rows):,} scores of one millisecond", iso(start)))
        width = min(self.times.window, 2 * max(at.width, MS))
        after = _moved(replace(at, width=width), place, until).remembering([name for name, _ in named], until // MS)
        _, start, until = self._next(after, now)
        more = until - start >= self.times.window or after.since + self.times.lag < floor(now)
        return FetchedPage(after.encode(), scores=scores, malformed=malformed, more=more)

    def _begun(self, at: ScoreCursor | None, now: int) -> ScoreCursor:
        """Return where to go on from; at first, and where an earlier version wrote the cursor, what is due again."""
        if at is None:
            at = ScoreCursor(since=floor(max(0, now - self.times.since)), width=self.times.window)
        if at.since > now:
            # The clock was ahead: what was scored meanwhile was passed over. What comes a second time is known.
            at = replace(at, since=floor(max(0, now - self.times.lag - self.times.window)))
        latest = [floor(max(0, now - age)) for age in AGAIN]
        if len(at.again) != len(AGAIN):
            begun = floor(max(0, now - self.times.since))
            return replace(at, again=tuple(max(begun, each) for each in latest))
        return replace(at, again=tuple(map(min, at.again, latest)))

    def _next(self, at: ScoreCursor, now: int) -> tuple[int, int, int]:
        """Return which window comes next: of which pass (0: what was not read), and from when to when.

        What was not read goes first while there is much of it; a window is looked at again once it is past its age as a
        whole.
        """
        end = floor(max(now - self.times.lag, 0))
        if end - at.since < self.times.window:
            for place, (start, age) in enumerate(zip(at.again, AGAIN, strict=True), 1):
                if now - age - start >= self.times.window:
                    return place, start, start + max(min(at.width, self.times.window), MS)
        return 0, at.since, min(at.since + max(at.width, MS), end)

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say for people where ``cursor`` stands."""
        at = decoded(_CURSOR, cursor)
        return {} if at is None else {"api": at.api, "read_until": iso(at.since)}

    def close(self) -> None:
        """Close the connection."""
        self.requests.client.close()

    def _rows(self, api: ScoreApi, since: int, until: int, now: int) -> tuple[list[Any], bool] | None:
        """Return the rows of a window and whether those are all; ``None`` where the server has no such API."""
        rows: list[Any] = []
        after = ""
        for _ in range(self.max_pages):
            page = self.requests.scores(api, since=since, until=until, after=after, now=now)
            if page is None:
                return None
            rows += page.items
            if not page.after:
                return rows, True
            if page.after == after:
                raise Unreachable(f"{self.requests.place(SCORES[api])}: the cursor of a page leads to the same page")
            after = page.after
        return rows, False


def _moved(at: ScoreCursor, place: int, until: int) -> ScoreCursor:
    """Return the cursor behind a window of a pass."""
    if place == 0:
        return replace(at, since=until)
    return replace(at, again=(*at.again[: place - 1], until, *at.again[place:]))


def _name(row: Any) -> str:
    """Return what a score is known by: a hash of its id, or of all that it says."""
    identity = row.get("id") if isinstance(row, dict) else None
    said = orjson.dumps(identity or row, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return blake2b(said, digest_size=8).hexdigest()


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
