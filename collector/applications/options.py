"""How an application is asked, as a configuration says it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from collector.outbound.headers import Headers, header_problems, header_values
from collector.outbound.options import StrictOptions
from collector.outbound.template import MAX_DEPTH, JsonPath, is_too_deep, placeholders
from collector.security.address import BaseUrl
from gates.units.duration import Duration

_ENTRY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
MOST = 64
ASKED = frozenset({"question", "query"})


class ReplyFields(StrictOptions):
    """Where in a reply what is read of it stands, as JMESPath.

    What is left out is looked for under the usual names (``answer``, ``response``, ``documents``, ``contexts``, ...).
    A path may rename fields too: ``hits[].{text: doc.body, doc_id: doc.name}``.
    """

    answer: JsonPath | None = Field(default=None, description="The text of the answer.")
    passages: JsonPath | None = Field(default=None, description="What was retrieved: documents, rows or texts.")
    ids: JsonPath | None = Field(
        default=None, description="Ids of the passages, where they stand apart from their texts."
    )
    citations: JsonPath | None = Field(default=None, description="Ids of the passages that the answer cites.")
    model: JsonPath | None = Field(default=None, description="The model that answered.")
    prompt_tokens: JsonPath | None = Field(default=None, description="Tokens of the prompt.")
    completion_tokens: JsonPath | None = Field(default=None, description="Tokens of the completion.")
    cost_usd: JsonPath | None = Field(default=None, description="What the answer cost, in dollars.")


class ApplicationOptions(StrictOptions):
    """What all applications have."""

    reply: ReplyFields = Field(default=ReplyFields(), description="Where in a reply its parts stand.")
    concurrency: int = Field(default=4, ge=1, le=MOST, description="Questions that are asked at the same time.")
    timeout: Duration = Field(
        default=timedelta(seconds=60), le=timedelta(minutes=30), description="Time limit of one attempt."
    )
    retries: int = Field(default=2, ge=0, le=20, description="Attempts after the first one that failed.")
    give_up: int = Field(
        default=20,
        ge=1,
        le=10_000,
        description="Questions in a row that may fail before the run stops, to go on later.",
    )
    versions: Mapping[str, str] = Field(
        default={}, description="Versions of components, such as prompt and index, that answers are stamped with."
    )


class HttpApplication(ApplicationOptions):
    """An application or a retriever behind HTTP. Strings of ``body`` and ``params`` may hold names in braces.

    These are ``{question}``, ``{query}``, which is what the application made of it where that is known, ``{id}``, and
    ``{repeat}``, which time the question is asked.
    """

    type: Literal["http"] = "http"
    url: BaseUrl = Field(description="Address of the endpoint, such as http://127.0.0.1:9000/ask.")
    method: Literal["POST", "GET"] = Field(default="POST", description="Method of the request.")
    body: Any = Field(default={"question": "{question}"}, description="Body of a POST, sent as JSON.")
    params: Mapping[str, str] = Field(default={}, description="Query parameters.")
    headers: Headers = Field(
        default={}, description="Headers: a value, or `env` with the name of an environment variable that has it."
    )
    ca_file: Path | None = Field(
        default=None, description="PEM file of the authorities to trust instead of the public ones."
    )

    @model_validator(mode="after")
    def _asks(self) -> HttpApplication:
        given = self.params if self.method == "GET" else (self.body, self.params)
        if is_too_deep(self.body):
            raise ValueError(f"body: nested deeper than {MAX_DEPTH} levels")
        problem = next(header_problems(self.headers, "headers"), None)
        if problem is not None:
            raise ValueError(problem)
        if not placeholders(given) & ASKED:
            raise ValueError("body or params must hold {question} or {query}, or each request would be the same")
        return self

    @property
    def told(self) -> dict[str, str]:
        """What a manifest says of the application."""
        return {"type": self.type, "at": self.url}

    @property
    def base(self) -> str:
        """The server's address alone."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def path(self) -> str:
        """The path of the endpoint."""
        return urlsplit(self.url).path or "/"

    def secrets(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return the headers. Raises `ConfigError` for a variable that is not set."""
        return header_values(self.headers, "headers", environment)


class PythonApplication(ApplicationOptions):
    """A function of Python, sync or async, that takes a question and returns an answer, or an object with its parts."""

    type: Literal["python"] = "python"
    entry: str = Field(description="`module:function`; modules are looked for in the working directory too.")
    arguments: Mapping[str, Any] = Field(default={}, description="Further keyword arguments of each call.")

    @field_validator("entry")
    @classmethod
    def _named(cls, entry: str) -> str:
        if not _ENTRY.fullmatch(entry):
            raise ValueError("expected module:function, such as assistant.app:answer")
        return entry

    @property
    def told(self) -> dict[str, str]:
        """What a manifest says of the application."""
        return {"type": self.type, "at": self.entry}


Application = Annotated[HttpApplication | PythonApplication, Field(discriminator="type")]
