"""The puller: one request a look, all pages of a window before anything of it is handed on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.base import MalformedRecord
from adapters.exports.langfuse import spans_of_observations
from collector.outbound.errors import ReplyTooLarge, Unreachable
from collector.sources.base import FetchedPage
from collector.sources.langfuse.cursor import MS, Cursor, decode, floor, position
from collector.sources.langfuse.legacy import Legacy
from collector.sources.langfuse.requests import OBSERVATIONS, BadCursor, Page, Requests
from collector.sources.langfuse.window import Window, divide

RECHECK_NS = 3600 * 1_000_000_000
"""How often a server that only has the older API is asked for the current one."""
MAX_OBSERVATIONS = 10_000
MAX_BYTES = 32 * 1024 * 1024
"""A window that brings more than either is divided: this much is held in memory at once."""
_SHORT_NS = 1_000_000_000
_FEW_PAGE = 10
"""A server that fails over larger pages is asked for so many; fewer only where the answer was too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The puller's options, in nanoseconds."""

    window: int
    lag: int
    legacy_lag: int
    hold: int
    since: int


@dataclass(slots=True, kw_only=True)
class LangfusePuller:
    """Reads observations by closed windows of their start, from the older API where a server has no other."""

    requests: Requests
    times: Times
    page: int
    max_observations: int = MAX_OBSERVATIONS
    max_bytes: int = MAX_BYTES
    _window: Window = field(default_factory=Window, init=False)
    _goes_on: Cursor | None = field(default=None, init=False)
    _limit: int = field(default=0, init=False)
    _legacy: Legacy = field(init=False)

    def __post_init__(self) -> None:
        """Begin with pages of the size asked for."""
        self._limit = self.page
        self._legacy = Legacy(self.requests)

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Ask for one page; the last of a window hands on the traces that are whole. Raises `Unreachable`."""
        at = decode(cursor) or self._first(now)
        if at.high > now:
            at = self._set_back(at, now)
        if at.mode == "legacy":
            return self._fetch_legacy(at, now)
        at = self._begun(at, now - self.times.lag)
        if at.until <= at.high and not at.streaming:
            return FetchedPage(at.encode())
        if at.pages and not at.streaming and at != self._goes_on:
            at = replace(at, pages=0, attempt=at.attempt + 1)  # its pages were in a process that is no more
        if not at.pages:
            self._window = Window()
        try:
            page = self._page(at, now)
        except BadCursor:
            self._goes_on = None  # so that the window is begun again
            if not at.streaming:
                raise
            return FetchedPage(replace(at, after="", pages=0).encode())
        if page is None:
            return self._fall_back(at, now)
        if at.streaming:
            return self._streamed(at, page)
        return self._collected(at, page, now)

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say for people where ``cursor`` stands."""
        at = decode(cursor)
        return {} if at is None else position(at)

    def close(self) -> None:
        """Close the connection."""
        self.requests.client.close()

    def _first(self, now: int) -> Cursor:
        since = floor(max(0, now - self.times.since))
        return Cursor(since=since, high=since, width=self.times.window)

    def _set_back(self, at: Cursor, now: int) -> Cursor:
        """Return where to read on when the clock was ahead: what began meanwhile was passed over.

        How long that was is not known. What comes a second time is copies.
        """
        since = floor(max(0, now - self.times.lag - self.times.window))
        recheck = min(at.recheck, now + RECHECK_NS)
        self._window, self._goes_on = Window(), None
        return replace(at.at(0), since=min(at.since, since), high=since, recheck=recheck, done={}, seen=())

    def _begun(self, at: Cursor, latest: int) -> Cursor:
        """Return the cursor of the window under way, else of the next: from what is held to what has surely come."""
        if at.until > at.high or at.streaming:
            return at
        return at.at(min(at.high + max(at.width, MS), floor(max(latest, 0))))

    def _page(self, at: Cursor, now: int, *, lean: bool = False) -> Page | None:
        after = at.after if at.streaming else self._window.after if at.pages else ""
        try:
            found = self.requests.observations(
                since=at.since, until=at.until, after=after, limit=self._limit, lean=lean, now=now
            )
        except ReplyTooLarge as error:
            if self._limit == 1:
                if lean:
                    raise
                self._window.malformed.append(MalformedRecord(error.reason, "observation, read without its content"))
                return self._page(at, now, lean=True)
            self._limit = max(1, self._limit // 2)
            raise
        except Unreachable as error:
            if error.retry_after is None:
                self._limit = max(min(_FEW_PAGE, self._limit), self._limit // 2)
            raise
        if found is not None and found.after and found.after == after:
            raise Unreachable(f"{self.requests.place(OBSERVATIONS)}: the cursor of a page leads to the same page")
        self._limit = min(self.page, self._limit * 2)
        return found

    def _collected(self, at: Cursor, page: Page, now: int) -> FetchedPage:
        window = self._window
        window.add(page.items, page.size)
        window.after = page.after if page.items else ""
        if len(window.observations) > self.max_observations or window.size > self.max_bytes:
            self._window = Window()
            return FetchedPage(self._narrowed(at).encode(), more=True)
        if window.after:
            self._goes_on = replace(at, pages=at.pages + 1)
            return FetchedPage(self._goes_on.encode(), more=True)
        self._window, self._goes_on = Window(), None
        divided = divide(window, begin=at.since, until=at.until, hold=self.times.hold, done=at.done)
        decoded = spans_of_observations(divided.observations)
        roomy = len(window.observations) * 4 < self.max_observations and window.size * 4 < self.max_bytes
        following = replace(
            at.at(0),
            since=divided.since,
            high=at.until,
            done=divided.done,
            width=min(self.times.window, at.width * 2) if roomy else at.width,
        )
        return FetchedPage(
            following.encode(),
            spans=decoded.spans,
            malformed=(*window.malformed, *decoded.malformed),
            more=at.until + self.times.lag < floor(now),
        )

    def _narrowed(self, at: Cursor) -> Cursor:
        """Return the cursor of a window half as long; of one that cannot be halved, page by page as they come.

        Where it is what was held back that is too much, no shorter window helps.
        """
        if at.until - at.high > (_SHORT_NS if at.since < at.high else MS):
            width = max(MS, floor((at.until - at.high) // 2))
            return replace(at.at(at.high + width), width=width)
        return replace(at.at(at.until), streaming=True)

    def _streamed(self, at: Cursor, page: Page) -> FetchedPage:
        window = self._window
        window.add(page.items, 0)
        self._window = Window()
        decoded = spans_of_observations(list(window.observations.values()))
        following = replace(at, after=page.after, pages=at.pages + 1)
        if not page.after or not page.items:
            following = replace(at.at(0), since=at.until, high=at.until, done={})
        return FetchedPage(
            following.encode(), spans=decoded.spans, malformed=(*window.malformed, *decoded.malformed), more=True
        )

    def _fall_back(self, at: Cursor, now: int) -> FetchedPage:
        """Change to the older API, if that is there: what answers 404 to both is no Langfuse."""
        older = replace(at.at(at.until), mode="legacy", recheck=now + RECHECK_NS, done={}, seen=())
        if self._legacy.listed(older, now=now) is None:
            raise Unreachable(
                f"{self.requests.place(OBSERVATIONS)}: 404 Not Found, for the older API too; check the url"
            )
        self._window, self._goes_on = Window(), None
        return FetchedPage(replace(older, high=older.since, until=0).encode(), more=True)

    def _has_current(self, at: Cursor, now: int) -> bool:
        try:
            return self._page(at, now) is not None
        except Unreachable as error:
            if error.retry_after is not None:
                raise
            return False  # the older API is asked on its own account

    def _fetch_legacy(self, at: Cursor, now: int) -> FetchedPage:
        if now >= at.recheck:
            current = replace(at.at(min(at.since + MS, now)), mode="v2", high=at.since, width=self.times.window)
            if self._has_current(current, now):
                return FetchedPage(replace(current.at(0), seen=()).encode(), more=True)
            at = replace(at, recheck=now + RECHECK_NS)
        if not at.until:
            at = replace(at, until=min(at.since + self.times.window, floor(max(now - self.times.legacy_lag, 0))))
        if at.until <= at.since:
            return FetchedPage(replace(at, until=0).encode())
        return self._legacy.fetch(at, now=now)
