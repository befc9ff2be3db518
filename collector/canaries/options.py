"""The section of the configuration about canaries: whom they are asked of, as whom, how often, and how many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar

import jmespath
from pydantic import AfterValidator, Field, StringConstraints

from collector.outbound.client import HttpClient
from collector.outbound.credentials import TokenOptions
from collector.outbound.options import Credentials, StrictOptions
from collector.security.secrets import environment_secret, read_secret
from gates.units.duration import Duration

MAX_REPLY = 4 * 1024 * 1024
"""Bytes of a reply: a hundred long passages."""
MAX_TEMPLATE_DEPTH = 16
PLACEHOLDERS = ("question", "k", "canary", "principal")
_PLACEHOLDER = re.compile(rf"\{{({'|'.join(PLACEHOLDERS)})\}}")
_RESERVED = frozenset({"traceparent", "baggage", "content-length", "host"})


def _path(text: str) -> str:
    try:
        jmespath.compile(text)
    except jmespath.exceptions.JMESPathError as error:
        raise ValueError(f"not a JMESPath: {' '.join(str(error).split())[:200]}") from None
    return text


JsonPath = Annotated[str, StringConstraints(min_length=1, max_length=500), AfterValidator(_path)]
"""Where something stands in a reply, as JMESPath has it: ``hits.hits[*]._source``."""
CanaryHeader = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,80}$")]
EnvironmentName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,100}$")]


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
    headers: Mapping[CanaryHeader, str] = Field(default_factory=dict, description="Headers of their requests.")
    headers_env: Mapping[CanaryHeader, EnvironmentName] = Field(
        default_factory=dict,
        description="Headers whose value is secret: the name of the variable of the environment that holds it.",
    )
    token_file: Path | None = Field(
        default=None, description="File that holds their token, sent as `Authorization: Bearer TOKEN`."
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
    headers: Mapping[CanaryHeader, str] = Field(default_factory=dict, description="Headers of every request.")
    headers_env: Mapping[CanaryHeader, EnvironmentName] = Field(
        default_factory=dict,
        description="Headers whose value is secret: the name of the variable of the environment that holds it.",
    )
    passages: JsonPath | None = Field(
        default=None,
        description="JMESPath of the list of passages in the reply, best first, such as `hits.hits`. Left out: the "
        "list of documents is looked for.",
    )
    answer: JsonPath | None = Field(
        default=None, description="JMESPath of the answer, where the whole application is asked."
    )
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
    per_entry: int = Field(default=2, ge=1, le=10, description="Most canaries that one entry writes.")
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
            or bool(self.headers_env)
            or any(one.headers_env or one.token_file for one in self.principals)
        )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section."""
        yield from super().problems(where)
        given = {"params": self.params, "body": self.body, "path": self.path}
        if not any("{question}" in text for part in given.values() for text in _texts(part, 0)):
            yield f"{where}.body: {{question}} stands nowhere in body, params or path, so no question would be sent"
        if self.body is not None and _too_deep(self.body, 0):
            yield f"{where}.body: nested deeper than {MAX_TEMPLATE_DEPTH} levels"
        names = [one.name for one in self.principals]
        for place, principal in enumerate(self.principals):
            at = f"{where}.principals[{place}]"
            if principal.name in names[:place]:
                yield f"{at}: duplicate name {principal.name!r}"
            yield from _header_problems(at, principal.headers, principal.headers_env)
        yield from _header_problems(where, self.headers, self.headers_env)

    @cached_property
    def askers(self) -> tuple[Principal | None, ...]:
        """As whom canaries may be asked; ``None`` is whoever the endpoint takes them for."""
        return self.principals or (None,)

    def client_of(self, principal: Principal | None, where: str) -> HttpClient:
        """Return the client that asks as ``principal``. Raises `ConfigError` for a secret that cannot be read."""
        headers = dict(self.credentials(where).headers) | _filled_headers(self.headers, principal)
        headers |= {
            name: environment_secret(one, f"{where}.headers_env.{name}") for name, one in self.headers_env.items()
        }
        if principal is not None:
            at = f"{where}.principals.{principal.name}"
            token = read_secret(None, principal.token_file, f"{at}.token_file")
            headers |= {**Credentials.bearer(token).headers, **_filled_headers(principal.headers, principal)}
            headers |= {
                name: environment_secret(one, f"{at}.headers_env.{name}") for name, one in principal.headers_env.items()
            }
        return HttpClient(
            self.url,
            headers=headers,
            timeout=self.timeout.total_seconds(),
            max_bytes=MAX_REPLY,
            ca_file=self.ca_file,
        )


def filled(template: Any, values: Mapping[str, str | int]) -> Any:
    """Return a template with its placeholders filled in; one that is a whole text keeps the type of its value.

    >>> filled({"query": "Q: {question}", "top_k": "{k}", "deep": [True]}, {"question": "Why?", "k": 5})
    {'query': 'Q: Why?', 'top_k': 5, 'deep': [True]}
    """
    if isinstance(template, str):
        whole = _PLACEHOLDER.fullmatch(template)
        if whole is not None:
            return values.get(whole[1], template)
        return _PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), template)
    if isinstance(template, Mapping):
        return {name: filled(part, values) for name, part in template.items()}
    if isinstance(template, list | tuple):
        return [filled(part, values) for part in template]
    return template


def _filled_headers(headers: Mapping[str, str], principal: Principal | None) -> dict[str, str]:
    name = "" if principal is None else principal.name
    return {key.lower(): value.replace("{principal}", name) for key, value in headers.items()}


def _texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < MAX_TEMPLATE_DEPTH and isinstance(value, Mapping | list | tuple):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(part, depth + 1)


def _too_deep(value: Any, depth: int) -> bool:
    if not isinstance(value, Mapping | list | tuple):
        return False
    parts = value.values() if isinstance(value, Mapping) else value
    return depth >= MAX_TEMPLATE_DEPTH or any(_too_deep(part, depth + 1) for part in parts)


def _header_problems(where: str, headers: Mapping[str, str], secret: Mapping[str, str]) -> Iterator[str]:
    for section, names in (("headers", headers), ("headers_env", secret)):
        for name in names:
            if name.lower() in _RESERVED:
                yield f"{where}.{section}.{name}: the agent sets this header itself"
    for name, value in headers.items():
        if not (value.isascii() and value.isprintable()):
            yield f"{where}.headers.{name}: must be one line of printable ASCII"
