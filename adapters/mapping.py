"""Dialects and facts as data: under which keys a span, or the metadata of a passage, tells what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from adapters.vocabulary import StepKind

MAX_KEYS = 20
"""Keys that one fact may be looked up under; each is asked for of every passage, or every span."""
MAX_KEY = 200
"""Characters of such a key."""
MAX_KINDS = 200
INTO = " > "
"""What leads from the key of an attribute into the JSON object that it holds."""


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _paired(value: Any) -> Any:
    return tuple(sorted(value.items())) if isinstance(value, Mapping) else value


KeyName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_KEY)]
Keys = Annotated[tuple[KeyName, ...], Field(max_length=MAX_KEYS), BeforeValidator(_listed)]
"""One key, or several: the first that tells something is taken."""
Kinds = Annotated[tuple[tuple[KeyName, StepKind], ...], Field(max_length=MAX_KINDS), BeforeValidator(_paired)]


class DialectKeys(BaseModel):
    """Which spans a tracer wrote, and under which keys of theirs it tells what.

    Each field but the kinds takes one key or a list of them, the first that tells something is taken. ``a > b`` is
    member ``b`` of the JSON object under the key ``a``. JSON and text, and JSON texts of texts, are told apart.

    >>> acme = DialectKeys(name="acme", kind="acme.step", kinds={"search": "RETRIEVER"}, output="acme.out")
    >>> acme.kinds, acme.marks
    ((('search', 'RETRIEVER'),), ('acme.step',))
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")] = Field(
        description="What the dialect is called; it becomes the `source` of answers."
    )
    framework: str | None = Field(default=None, max_length=MAX_KEY, description="The framework that is traced.")
    scopes: Keys = Field(default=(), description="Instrumentation scopes, or their beginnings, whose spans are read.")
    marks: Keys = Field(default=(), description="Attributes of which each marks a span as one to read.")
    kind: Keys = Field(default=(), description="What kind of step it was.")
    kinds: Kinds = Field(
        default=(),
        description="Kind of step by the value under `kind`, whatever its case; a value may end with `*`. "
        "Kinds: CHAIN, AGENT, RETRIEVER, RERANKER, LLM, EMBEDDING, TOOL, PROMPT, GUARDRAIL, EVALUATOR, OTHER.",
    )
    otherwise: StepKind = Field(default="OTHER", description="Kind of a step whose value is none of `kinds`.")
    input: Keys = Field(default=(), description="What went into a step: text or JSON.")
    output: Keys = Field(default=(), description="What came out of a step: text, or JSON with documents or an answer.")
    asked: Keys = Field(default=(), description="Messages that a model was given, where not the input.")
    answered: Keys = Field(default=(), description="Messages or text that a model answered, where not the output.")
    tool_calls: Keys = Field(default=(), description="The tools that a model asked for, where not among the messages.")
    tool: Keys = Field(default=(), description="Name of the tool that a step ran.")
    tool_description: Keys = Field(default=(), description="What that tool is for.")
    query: Keys = Field(default=(), description="What was searched for, where not the input.")
    documents: Keys = Field(default=(), description="What a search found, where not the output.")
    model: Keys = Field(default=(), description="The model that answered.")
    provider: Keys = Field(default=(), description="Who served it.")
    embedder: Keys = Field(default=(), description="The model that embedded the query.")
    prompt_tokens: Keys = Field(default=(), description="Tokens that a model was given.")
    completion_tokens: Keys = Field(default=(), description="Tokens that it answered with.")
    total_tokens: Keys = Field(default=(), description="Their sum.")
    cost: Keys = Field(default=(), description="Price of a call in USD.")
    first_token_ms: Keys = Field(default=(), description="Milliseconds from a call's start to its first token.")
    session: Keys = Field(default=(), description="Conversation that the answer belongs to.")
    user: Keys = Field(default=(), description="Who asked.")
    metadata: KeyName | None = Field(default=None, description="What keys of metadata of the run begin with.")

    @model_validator(mode="before")
    @classmethod
    def _marked(cls, value: Any) -> Any:
        """Have the keys of the kind mark its spans where nothing else does."""
        if isinstance(value, Mapping) and not value.get("marks") and not value.get("scopes") and value.get("kind"):
            return {**value, "marks": value["kind"]}
        return value

    @model_validator(mode="after")
    def _claims_something(self) -> DialectKeys:
        if not self.marks and not self.scopes:
            raise ValueError("name the spans to read: marks, scopes or kind")
        return self
