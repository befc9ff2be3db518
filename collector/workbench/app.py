"""The pages of a review: a reviewer sees one packet of their own at a time, and nothing of systems or other reviewers.

A reviewer opens the link that the lead gave them; it leaves a cookie, which stands for its secret from then on. Labels
are taken by the same code as `groundwire review label`. What is chosen is kept at once, before a label is given.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from collector.api.exchange import check_media, parsed, read_body
from collector.api.pages.site import HEADERS, assets, page
from collector.api.prefix import Prefixed, prefix_of
from collector.clock import Clock, instant
from collector.errors import ConfigError
from collector.reviews.folder import ADJUDICATOR, PacketError, ReviewFolder
from evaluation.reviewing.labels import CATEGORIES, QUESTIONS, RUBRICS

MAX_SECONDS = 86_400
COOKIE_SECONDS = 90 * 86_400
MAX_TEXT = 10_000
TITLES = {401: "Open your own link", 404: "There is no such page"}
OPEN_LINK = "This page opens with the link that the lead of the review gave you: open that link again."

T = TypeVar("T")
Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS, allow_inf_nan=False)]
ChosenText = Annotated[str, Field(max_length=MAX_TEXT)]


class PacketChoices(BaseModel):
    """What a reviewer has chosen for a packet, in how many seconds of looking at it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    packet: Annotated[str, Field(max_length=80)]
    seconds: Seconds
    given: Annotated[Mapping[Annotated[str, Field(max_length=40)], ChosenText | list[ChosenText]], Field(max_length=20)]


@dataclass(frozen=True)
class Workbench:
    """The pages of one review. ``secure``: browsers reach it over TLS, and send its cookie over nothing else."""

    review: ReviewFolder
    keys: Mapping[str, str]
    clock: Clock
    public_url: str | None = None
    secure: bool = False

    def app(self) -> Starlette:
        """Return the ASGI application."""
        routes = [
            Route("/", self._answered(self._packet)),
            Route("/reviewers/{reviewer}", self._answered(self._open)),
            Route("/draft", self._answered(self._draft), methods=["POST"]),
            Route("/label", self._answered(self._label), methods=["POST"]),
            Route("/static/{digest}/{name}", self._answered(self._static)),
        ]
        below = Middleware(Prefixed, public_url=self.public_url)
        return Starlette(routes=routes, middleware=[below], exception_handlers={HTTPException: self._problem})

    @property
    def cookie(self) -> str:
        """The name of the cookie: each review has its own, as browsers tell no ports apart."""
        secret = "\n".join(f"{name} {key}" for name, key in sorted(self.keys.items()))
        return f"groundwire_review_{hashlib.sha256(secret.encode()).hexdigest()[:8]}"

    def _answered(self, handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except PacketError as error:
                return JSONResponse({"error": str(error)}, 409, headers=HEADERS)
            except ConfigError as error:
                if request.method != "POST":
                    return await self._problem(request, HTTPException(503, f"{error}. Tell the lead of the review."))
                return JSONResponse({"error": str(error)}, 400, headers=HEADERS)

        return answer

    async def _open(self, request: Request) -> Response:
        """Give whoever shows the secret of a link the cookie, and lead to the packet."""
        reviewer = request.path_params["reviewer"]
        shown = request.query_params.get("key", "")
        self._check(reviewer, shown)
        await run_in_threadpool(self.review.note, reviewer, "", "opened", now=self._now)
        headers = {**HEADERS, "Location": f"{prefix_of(request)}/"}
        response = RedirectResponse(headers["Location"], 303, headers=headers)
        response.set_cookie(
            self.cookie,
            f"{reviewer}:{shown}",
            max_age=COOKIE_SECONDS,
            path=f"{prefix_of(request)}/",
            httponly=True,
            samesite="lax",
            secure=self.secure,
        )
        return response

    async def _packet(self, request: Request) -> Response:
        """Show the next packet of a reviewer, with what they had chosen for it."""
        reviewer = self._reviewer(request)

        def read() -> Mapping[str, Any]:
            waiting = self.review.waiting(reviewer)
            progress = self.review.progress(reviewer)
            if not waiting:
                closing = self.review.closing()
                return {"packet": None, "draft": {}, "others": (), "progress": progress, "closing": closing}
            packet = waiting[0]
            self.review.note(reviewer, packet["packet"], "shown", now=self._now)
            draft, others = self.review.draft(reviewer, packet["packet"]), packet.get("labels", ())
            closing = self.review.closing(self.review.key()[packet["packet"]]["run"])
            return {"packet": packet, "draft": draft, "others": others, "progress": progress, "closing": closing}

        return page(
            "review.html",
            now=self._now,
            prefix=prefix_of(request),
            **await run_in_threadpool(read),
            reviewer=reviewer,
            senior=reviewer == ADJUDICATOR,
            axes=self.review.axes,
            questions=QUESTIONS,
            meanings=RUBRICS,
            categories=CATEGORIES,
        )

    async def _draft(self, request: Request) -> Response:
        """Keep what a reviewer has chosen so far. The answer is empty, so the page waits for nothing more of it."""
        reviewer, choices = await self._choices(request)
        await run_in_threadpool(self.review.keep_draft, reviewer, choices.model_dump(mode="json"))
        return Response(status_code=204, headers=HEADERS)

    async def _label(self, request: Request) -> Response:
        """Take a label; answer when it is on the disk."""
        reviewer, choices = await self._choices(request)
        given = {name: value for name, value in choices.given.items() if value not in ("", [])}
        seconds = round(choices.seconds, 1)

        def taken() -> int:
            self.review.label(reviewer, choices.packet, given, now=self._now, seconds=seconds)
            return self.review.progress(reviewer).left

        return JSONResponse({"left": await run_in_threadpool(taken)}, headers=HEADERS)

    async def _static(self, request: Request) -> Response:
        asset = assets().get(request.path_params["name"])
        if asset is None or asset.digest != request.path_params["digest"]:
            raise HTTPException(404, "there is no such file; load the page again")
        kept = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
        return Response(asset.content, media_type=asset.media_type, headers=kept)

    async def _choices(self, request: Request) -> tuple[str, PacketChoices]:
        """Return who sends which choices. Raises `HTTPException` for what another site had a browser send."""
        check_media(request, "application/json")
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin" or not self._own(request):
            raise HTTPException(403, "another site sent this; labels are taken from the page of the review alone")
        reviewer = self._reviewer(request)
        try:
            return reviewer, parsed(await read_body(request), PacketChoices)
        except ValueError as error:
            raise HTTPException(400, str(error)) from error

    def _own(self, request: Request) -> bool:
        """Whether a request comes from a page of this review, as far as its browser says."""
        origin = request.headers.get("origin")
        if origin is None:
            return True
        known = {request.headers.get("host", "").lower()}
        if self.public_url is not None:
            known.add(urlsplit(self.public_url).netloc.lower())
        return urlsplit(origin).netloc.lower() in known

    def _reviewer(self, request: Request) -> str:
        """Return who asks. Raises `HTTPException` 401 for somebody who did not open a link."""
        reviewer, _, key = request.cookies.get(self.cookie, "").partition(":")
        self._check(reviewer, key)
        return reviewer

    def _check(self, reviewer: str, key: str) -> None:
        expected = self.keys.get(reviewer)
        if expected is None or not hmac.compare_digest(expected.encode(), key.encode()):
            raise HTTPException(401, OPEN_LINK)

    @property
    def _now(self) -> datetime:
        return instant(self.clock())

    async def _problem(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if request.method == "POST":
            return JSONResponse({"error": error.detail}, error.status_code, headers=HEADERS)
        title = TITLES.get(error.status_code, "This page cannot be shown")
        return page(
            "review_message.html",
            now=self._now,
            prefix=prefix_of(request),
            status=error.status_code,
            title=title,
            text=error.detail,
        )
