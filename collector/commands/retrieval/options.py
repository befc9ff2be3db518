"""The file that says how a retriever is asked: over HTTP, or as a Python function."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field, ValidationError, model_validator

from collector.commands.reading import opened
from collector.errors import ConfigError
from collector.outbound.credentials import TokenOptions
from collector.outbound.options import StrictOptions
from gates.units.duration import Duration
from scorers.text.yamltext import YamlError, load_yaml

MAX_BYTES = 1_000_000
NAME = r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$"

FieldPath = Annotated[str, Field(max_length=500)]


class PassagePaths(StrictOptions):
    """Where a reply has its passages, and what each says: names of fields, joined by dots; a number is a place."""

    at: FieldPath = Field(default="", description="The list of passages; by default the reply itself is the list.")
    text: FieldPath = Field(default="text", description="Text of a passage; empty where each passage is a text.")
    id: FieldPath | None = Field(default=None, description="Id of a passage.")
    score: FieldPath | None = Field(default=None, description="Similarity: higher is closer.")
    doc_id: FieldPath | None = Field(default=None, description="Id of the document that it is of.")
    version: FieldPath | None = Field(default=None, description="Version of that document.")
    section: FieldPath | None = Field(default=None, description="Section of that document.")
    uri: FieldPath | None = Field(default=None, description="Address of that document.")
    effective_from: FieldPath | None = Field(default=None, description="Since when it governs.")
    effective_to: FieldPath | None = Field(default=None, description="Until when it governs.")


class HttpRetriever(TokenOptions):
    """A retriever behind HTTP. In ``body`` and ``params``, ``{question}`` and ``{query}`` stand for what is asked."""

    method: Literal["POST", "GET"] = Field(default="POST", description="Method of the request.")
    headers: Mapping[str, str] = Field(default_factory=dict, description="Headers of the request.")
    params: Mapping[str, str] = Field(default_factory=dict, description="Parameters behind the address.")
    body: Any = Field(default=None, description="Body of a POST, sent as JSON.")
    passages: PassagePaths = Field(default=PassagePaths(), description="Where the reply has its passages.")

    @model_validator(mode="after")
    def _asks(self) -> HttpRetriever:
        asked = orjson.dumps([self.body, dict(self.params)]).decode()
        if "{question}" not in asked and "{query}" not in asked:
            raise ValueError("neither body nor params has {question} or {query}: it would be asked the same each time")
        if self.method == "GET" and self.body is not None:
            raise ValueError("a GET has no body; give params, or method: POST")
        return self


class PythonRetriever(StrictOptions):
    """A function that takes a question and returns passages: texts, or objects with the fields of a passage."""

    function: str = Field(pattern=NAME, description="MODULE:FUNCTION, found from the directory at hand.")
    timeout: Duration = Field(
        default=timedelta(seconds=30), le=timedelta(minutes=5), description="Time limit of one call."
    )


class RetrieverFile(StrictOptions):
    """How a retriever is asked. Exactly one of ``http`` and ``python``."""

    http: HttpRetriever | None = None
    python: PythonRetriever | None = None
    concurrency: int = Field(default=4, ge=1, le=32, description="Questions that are asked at once.")
    attempts: int = Field(default=3, ge=1, le=10, description="How often a question is asked that fails.")
    at_least: float | None = Field(
        default=None, allow_inf_nan=False, description="Only passages with at least this score (score mode)."
    )
    max_k: int | None = Field(default=None, ge=1, le=1000, description="Only so many passages, the first ones.")

    @model_validator(mode="after")
    def _one_way(self) -> RetrieverFile:
        if (self.http is None) == (self.python is None):
            raise ValueError("give one of http and python")
        if self.at_least is not None and self.http is not None and self.http.passages.score is None:
            raise ValueError("at_least needs passages.score, the field of the reply that has the similarity")
        return self

    @property
    def digest(self) -> str:
        """What tells one retriever from another: all but the pace, the patience and the token."""
        http = None if self.http is None else self.http.model_dump(mode="json", exclude={"token_file", "timeout"})
        python = None if self.python is None else self.python.function
        told = [http, python, self.at_least, self.max_k]
        return sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()


def retriever_in(path: Path) -> RetrieverFile:
    """Return what a file says. Raises `ConfigError` naming file and key."""
    with opened(path) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes")
    try:
        return RetrieverFile.model_validate(load_yaml(data.decode()))
    except (YamlError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    except ValidationError as error:
        raise ConfigError(
            *(f"{path}: {'.'.join(map(str, each['loc'])) or 'retriever'}: {each['msg']}" for each in error.errors())
        ) from error
