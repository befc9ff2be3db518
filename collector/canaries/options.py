"""The section of the configuration about canaries: whom they are asked of, as whom, how often, and how many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from collector.outbound.client import HttpClient
from collector.outbound.credentials import TokenOptions
from collector.outbound.headers import Headers, header_problems, header_values, is_secret
from collector.outbound.options import Credentials, StrictOptions
from collector.outbound.template import MAX_DEPTH, JsonPath, is_too_deep, placeholders
from collector.security.secrets import read_secret
from gates.units.duration import Duration

MAX_REPLY = 4 * 1024 * 1024
"""Bytes of a reply: a hundred long passages."""


class Principal(StrictOptions):
    """Somebody as whom canaries are asked: what is sent to be taken for them, and which groups they are in."""

    name: str = Field(
        pattern=r"^[a-zA-Z0-9][a-zA-Z0-9_.@-]{0,62}$", description="Name, which `{principal}` stands for in a request."
    )
    groups: tuple[str, ...] = Field(
        default=(),
        max_length=100,
        description="Groups of the catalog's `permitted` that they are in; none: they may see what everyone may.",
    )
    headers: Headers = Field(
        default_factory=dict,
        description="Headers of their requests: a value, or `env` with the environment variable that has it.",
    )
    token_file: Path | None = Field(
        default=None, description="File that holds their token, sent as `Authorization: Bearer TOKEN`."
    )


class CanaryReplyFields(StrictOptions):
    """Where in a reply what is read of it stands, as JMESPath."""

    passages: JsonPath | None = Field(
        default=None,
        description="The passages, best first, such as `hits.hits`. Left out: a list of documents is looked for.",
    )
    answer: JsonPath | None = Field(
        default=None, description="The text of the answer, where the whole application is asked."
    )


class CanaryOptions(TokenOptions):
    """Canaries: questions that catalog entries write about themselves, asked over HTTP."""

    type: ClassVar[str] = "http"
    name: ClassVar[str] = "canaries"
    poll: ClassVar[timedelta] = timedelta(seconds=1)

    path: str = Field(
        default="/", max_length=500, pattern=r"^/", description="Path below the URL that takes a question."
    )
    params: Mapping[str, str] = Field(
        default_factory=dict,
        max_length=50,
        description="Parameters of the query; `{question}`, `{k}`, `{canary}` and `{principal}` are filled in.",
    )
    body: Mapping[str, Any] | None = Field(
        default=None,
        description="JSON that is sent with POST, with the same names filled in; without it the request is a GET.",
    )
    headers: Headers = Field(
        default_factory=dict,
        description="Headers of every request: a value, or `env` with the name of an environment variable that has it.",
    )
    reply: CanaryReplyFields = Field(default=CanaryReplyFields(), description="Where in a reply its parts stand.")
    principals: tuple[Principal, ...] = Field(
        default=(),
        max_length=20,
        description="As whom canaries are asked. With one who is in no group, entries that not everyone may see are "
        "also asked for as somebody who must not see them.",
    )
    k: int = Field(default=5, ge=1, le=100, description="The right passage must be among the first so many.")
    every: Duration = Field(
        default=timedelta(hours=1), ge=timedelta(seconds=1), description="How often each canary is asked."
    )
    settle: Duration = Field(
        default=timedelta(minutes=5),
        description="How long after a change of the catalog its canaries wait: the time the index has to follow.",
    )
    retry: Duration = Field(
        default=timedelta(minutes=5),
        ge=timedelta(seconds=1),
        description="How soon a canary that failed is asked again, where that is sooner than `every`.",
    )
    per_hour: int = Field(default=240, ge=1, le=100_000, description="Most questions in any hour; the others wait.")
    per_sync: int = Field(
        default=100,
        ge=1,
        le=10_000,
        description="Most questions that follow at once on a change of the catalog; the others wait for their turn.",
    )
    entries: int = Field(
        default=500, ge=1, le=10_000, description="Most canaries kept; of those that pass the oldest go first."
    )
    per_entry: int = Field(default=3, ge=1, le=10, description="Most canaries that one entry writes.")
    keep: Duration = Field(default=timedelta(days=30), description="How long results are kept.")

    @property
    def address(self) -> str:
        """The URL with the path."""
        return self.url.rstrip("/") + self.path

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret."""
        return (
            super().secret
            or is_secret(self.headers)
            or any(one.token_file or is_secret(one.headers) for one in self.principals)
        )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section."""
        yield from super().problems(where)
        if is_too_deep(self.body):
            yield f"{where}.body: nested deeper than {MAX_DEPTH} levels"
        elif "question" not in placeholders([self.params, self.body, self.path]):
            yield f"{where}.body: {{question}} stands nowhere in body, params or path, so no question would be sent"
        names = [one.name for one in self.principals]
        for place, principal in enumerate(self.principals):
            at = f"{where}.principals[{place}]"
            if principal.name in names[:place]:
                yield f"{at}: duplicate name {principal.name!r}"
            yield from header_problems(principal.headers, f"{at}.headers")
        yield from header_problems(self.headers, f"{where}.headers")

    @cached_property
    def askers(self) -> tuple[Principal | None, ...]:
        """As whom canaries may be asked; ``None`` is whoever the endpoint takes them for."""
        return self.principals or (None,)

    def client_of(self, principal: Principal | None, where: str) -> HttpClient:
        """Return the client that asks as ``principal``. Raises `ConfigError` for a secret that cannot be read."""
        values = {"principal": "" if principal is None else principal.name}
        headers = {
            **self.credentials(where).headers,
            **header_values(self.headers, f"{where}.headers", os.environ, values),
        }
        if principal is not None:
            at = f"{where}.principals.{principal.name}"
            token = read_secret(None, principal.token_file, f"{at}.token_file")
            headers |= {
                **Credentials.bearer(token).headers,
                **header_values(principal.headers, f"{at}.headers", os.environ, values),
            }
        return HttpClient(
            self.url,
            headers=headers,
            timeout=self.timeout.total_seconds(),
            max_bytes=MAX_REPLY,
            ca_file=self.ca_file,
        )
