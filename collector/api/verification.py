"""The part of the API that judges an answer before anybody reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from adapters.assembly.citations import find_citations
from adapters.base import PassageKeys
from adapters.documents.given import described, documented
from adapters.documents.passages import Identities
from adapters.schema import Answer, Instant, Passage
from collector.api.changes import text_only
from collector.api.exchange import check_media, parsed, read_body
from collector.api.operations import Operation
from collector.api.queries import Patience
from collector.api.serving import Serving
from collector.clock import instant
from collector.pipeline.verify_task import VerifyRequest
from collector.security.jsonbounds import has_more_objects
from scorers.verification import ASKER_GROUPS, VerifiedAnswer

MAX_BYTES = 512 * 1024
"""Bytes of one request: fifty passages of two pages fit."""
MAX_PASSAGES = 50
MAX_OBJECTS = 5_000
"""Objects and arrays of one request: a passage with its metadata is a handful."""
MAX_GROUPS = 100
SECONDS = 2.0
"""Of the processor's time for one verification; beyond it the request is given up, because somebody waits."""


def _documents(given: Any) -> Any:
    """Return what a framework calls a document as an object of JSON; a mere text is one."""
    if not isinstance(given, str | Mapping):
        raise ValueError("must be a text, or an object with a text and metadata")  # noqa: TRY004 - as pydantic has it
    return given


def _named(group: str) -> str:
    if not group.strip() or any(each.isspace() or each == "," for each in group):
        raise ValueError("a group has no blank and no comma")
    return group


SentPassage = Annotated[JsonValue, BeforeValidator(_documents)]
AskerGroup = Annotated[str, Field(max_length=200), AfterValidator(_named)]


class ToVerify(BaseModel):
    """What to verify: an answer with the passages it was made from, or the passages alone.

    A passage is a text, or an object with a text and what is known of its document, under the names that frameworks
    give these: ``{"page_content": ..., "metadata": {...}}`` as well as ``{"id": ..., "text": ..., "doc_id": ...}``.
    ``asker_groups`` are the groups of who asks; passages that none of these may see are told. ``asked_at`` is when;
    now, if left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Annotated[str, Field(max_length=8_000)] | None = None
    answer: Annotated[str, Field(max_length=32_000)] | None = None
    passages: Annotated[tuple[SentPassage, ...], Field(max_length=MAX_PASSAGES)] = ()
    asker_groups: Annotated[tuple[AskerGroup, ...], Field(max_length=MAX_GROUPS)] | None = None
    asked_at: Annotated[Instant, BeforeValidator(text_only)] | None = None

    @model_validator(mode="after")
    def _of_something(self) -> ToVerify:
        if self.answer is None and not self.passages:
            raise ValueError("give an answer, passages, or both")
        return self

    def as_answer(self, keys: PassageKeys) -> Answer:
        """Return it as scorers read answers. Raises `ValueError` for a passage that has no text."""
        passages = _passages(self.passages, keys)
        ids = [each.id for each in passages]
        answer = Answer(
            id="verify",
            question=self.question,
            answer=self.answer,
            passages=passages,
            citations=find_citations(self.answer or "", ids, passages),
            started_at=self.asked_at,
            attributes={} if self.asker_groups is None else {ASKER_GROUPS: " ".join(self.asker_groups)},
        )
        return described(answer, keys)


def _passages(given: Sequence[Any], keys: PassageKeys) -> tuple[Passage, ...]:
    identities = Identities("verify", keys)
    found: list[Passage] = []
    for place, one in enumerate(given):
        try:
            found.append(documented(one, place, identities))
        except ValueError as error:
            raise ValueError(f"passages.{place}: {error}") from error
    return tuple(found)


@dataclass(frozen=True)
class VerificationApi:
    """The handler that verifies."""

    serving: Serving

    @Operation(
        "/v1/verify",
        {
            200: ("The verdict, with its reasons; the worst that was found.", VerifiedAnswer),
            400: "What is wrong with the body.",
            413: f"The body is larger than {MAX_BYTES >> 10} KiB.",
            415: "The body is not application/json.",
        },
        body=ToVerify,
    )
    async def verify(self, request: Request) -> Response:
        """Verify an answer, or passages, before anybody reads it; nothing is stored."""
        parts = self.serving.parts
        check_media(request, "application/json")
        body = await read_body(request, MAX_BYTES)

        def judged(_: Patience) -> bytes:
            if has_more_objects(body, MAX_OBJECTS):
                raise ValueError(f"more than {MAX_OBJECTS:,} JSON objects and arrays")
            answer = parsed(body, ToVerify).as_answer(parts.passages)
            asked = VerifyRequest(answer.model_dump_json(exclude_defaults=True), instant(self.serving.clock()))
            found: str = parts.ask(asked, timeout=SECONDS)
            return found.encode()

        try:
            # One at a time, as there is one worker for them; whoever has waited a second is told to come again.
            return await self.serving.verifications.respond(request, judged)
        except ValueError as error:
            raise HTTPException(400, str(error)) from error
