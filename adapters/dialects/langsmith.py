"""The dialect of LangSmith: runs as spans, each with its whole inputs and outputs as JSON.

The SDK's OTel mode writes it, and run trees are turned into it (`adapters.exports.run_tree`). ``langsmith.span.kind``
is the run's type; ``gen_ai.operation.name`` says "embeddings" of a retriever and "chat" of a prompt template, and is
not read.
What the runs hold is up to who traced: LangChain's own dumps, requests and responses of a wrapped client, or arguments
and return values of a decorated function.

Source: langsmith-sdk, python/langsmith/_internal/otel/_otel_exporter.py (0.14).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from adapters.assembly.exchanges import messages_answered, messages_asked, text_answered
from adapters.assembly.messages import Message
from adapters.assembly.view import View
from adapters.dialects.base import IN_METADATA, Adapter, Carrier
from adapters.documents.passages import Documents
from adapters.documents.shapes import documents_or_text
from adapters.lazy import lazy
from adapters.values import count_of, number_of, text_of
from adapters.vocabulary import DocumentList, StepKind, TokenCount

SCOPE = "langsmith"
KIND = "langsmith.span.kind"
METADATA = "langsmith.metadata."
_HUB_COMMIT = f"{METADATA}lc_hub_commit_hash"
PROMPT, COMPLETION = "gen_ai.prompt", "gen_ai.completion"
TOKENS: Mapping[TokenCount, str] = {
    "prompt": "gen_ai.usage.input_tokens",
    "completion": "gen_ai.usage.output_tokens",
    "total": "gen_ai.usage.total_tokens",
}
USAGE = "usage_metadata"
NEW_TOKEN = "new_token"  # noqa: S105 - an event's name
"""The run event of a streamed token; the SDK keeps run events to itself, a run tree has them."""

_USAGE_KEYS: Mapping[TokenCount, str] = {
    "prompt": "input_tokens",
    "completion": "output_tokens",
    "total": "total_tokens",
}
_KINDS: Mapping[str, StepKind] = {
    "chain": "CHAIN",
    "llm": "LLM",
    "retriever": "RETRIEVER",
    "tool": "TOOL",
    "prompt": "PROMPT",
    "embedding": "EMBEDDING",
    "parser": "OTHER",
}
_LEAKED = ("LANGSMITH_", "LANGCHAIN_")
"""Environment variables of the process, which the SDK adds to every run's metadata."""
_HIDDEN = "{}"
"""What hide_inputs and hide_outputs leave of a run. No model and no retriever is asked nothing."""

_TRACEBACK = "Traceback (most recent call last)"
_REPR = re.compile(r"([A-Za-z_][\w.]{0,200})\((.*?),?\)", re.DOTALL)
_MOST_ERROR_CHARS = 4_000


class LangSmithView(View):
    """A run of LangSmith."""

    dialect: ClassVar[str] = "langsmith"
    template_keys = (_HUB_COMMIT,)

    @lazy
    def kind(self) -> StepKind:
        """The run's type."""
        told = self.span.attributes.get(KIND)
        return _KINDS.get(told.lower(), "OTHER") if isinstance(told, str) else "OTHER"

    @lazy
    def framework(self) -> str | None:
        """``langchain``, unless the run is of a decorated function or a wrapped client."""
        attributes = self.span.attributes
        if attributes.get(f"{METADATA}ls_method") == "traceable" and f"{METADATA}ls_integration" not in attributes:
            return None
        return "langchain"

    @lazy
    def redacted(self) -> bool:
        """Whether a model or a retriever was asked, or answered, what the SDK was told to hide."""
        if self.kind not in ("LLM", "RETRIEVER"):
            return False
        return self.raw_input == _HIDDEN or (self.raw_output == _HIDDEN and not self.failed)

    @lazy
    def raw_input(self) -> str | None:
        """``gen_ai.prompt``: the run's inputs."""
        return self.text(PROMPT)

    @lazy
    def raw_output(self) -> str | None:
        """``gen_ai.completion``: the run's outputs."""
        return self.text(COMPLETION)

    @lazy
    def _given(self) -> Any:
        return self.text_or_json(self.raw_input)

    @lazy
    def _returned(self) -> Any:
        return self.text_or_json(self.raw_output)

    @lazy
    def input(self) -> Any:
        """The run's inputs; the text itself where that is all there is, whatever its argument is called."""
        inputs = self._given
        if isinstance(inputs, dict) and len(inputs) == 1 and self.kind != "TOOL":
            only = next(iter(inputs.values()))
            return only if isinstance(only, str) else inputs
        return inputs

    @lazy
    def output(self) -> Any:
        """The run's outputs; what is no object itself is wrapped as ``output``."""
        outputs = self._returned
        return outputs["output"] if isinstance(outputs, dict) and outputs.keys() == {"output"} else outputs

    @lazy
    def metadata(self) -> Mapping[str, Any]:
        """``langsmith.metadata.*``, without the environment of the process."""
        start = len(METADATA)
        return {
            name: value
            for key, value in self.span.attributes.items()
            if key.startswith(METADATA) and not (name := key[start:]).startswith(_LEAKED)
        }

    @property
    def release(self) -> str | None:
        """The revision of the checkout the process runs in, where the resource names no version."""
        return None if "service.version" in self.span.resource else self.text(f"{METADATA}revision_id")

    @lazy
    def failed(self) -> bool:
        """Whether the run has an error: a span that was sent as it began says OK, which no later status replaces."""
        return self.span.failed or any(event.name == "exception" for event in self.span.events)

    @property
    def error(self) -> tuple[str | None, str | None] | None:
        """The exception as Python prints it, without the traceback that follows it in the run's error."""
        for event in reversed(self.span.events):
            if event.name == "exception" and isinstance(said := event.attributes.get("exception.message"), str):
                return _error(said)
        return None

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages in the run's inputs."""
        return messages_asked(self._given)

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The messages in the run's outputs: generations of LangChain, or the response of a wrapped client."""
        return messages_answered(self._returned)

    @lazy
    def said(self) -> str | None:
        """The text of outputs that are no message."""
        return text_answered(self.output)

    @lazy
    def prompts(self) -> Sequence[str]:
        """The prompts of a completion; the one text that a decorated function was given."""
        if self.inputs:
            return ()
        inputs = self.input
        if isinstance(inputs, str):
            return [inputs]
        prompts = inputs.get("prompts", inputs.get("prompt")) if isinstance(inputs, dict) else None
        return [text for text in (prompts if isinstance(prompts, list) else [prompts]) if isinstance(text, str)]

    @property
    def prompt_is_cut(self) -> bool:
        """Whether the exporter cut the run's inputs, or left an attribute out."""
        return bool(self.span.dropped_attributes) or self.input_is_cut

    @property
    def model(self) -> str | None:
        """The response's model where a wrapped client tells, else the requested one."""
        return self.first_text(_MODELS)

    @property
    def provider(self) -> str | None:
        """Who the run says serves the model; ``gen_ai.system`` is guessed from the model's name."""
        guessed = self.text("gen_ai.system")
        return self.text(f"{METADATA}ls_provider") or (guessed if guessed != "langchain" else None)

    def tokens(self, which: TokenCount) -> int | None:
        """``gen_ai.usage.*``, else the usage in metadata, which is there even where outputs are hidden."""
        found = count_of(self.span.attributes.get(TOKENS[which]))
        return count_of(self._usage.get(_USAGE_KEYS[which])) if found is None else found

    @property
    def cost(self) -> float | None:
        """What the usage in metadata says it cost."""
        return number_of(self._usage.get("total_cost"))

    @lazy
    def _usage(self) -> Mapping[str, Any]:
        found = self.json(METADATA + USAGE) if METADATA + USAGE in self.span.attributes else None
        return found if isinstance(found, dict) else {}

    @property
    def first_token_ns(self) -> int | None:
        """The first event of a streamed token."""
        return min((event.time_ns for event in self.span.events if event.name == NEW_TOKEN), default=None)

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """The documents in a retriever's outputs: LangChain's, or rows as a decorated function returned them."""
        return documents_or_text(self.output, most=most) if listing == "retrieved" else None

    @property
    def template_version(self) -> str | None:
        """The commit of a prompt pulled from the hub."""
        return self.text(_HUB_COMMIT) if self.kind == "PROMPT" else None

    @lazy
    def variables(self) -> Mapping[str, Any] | None:
        """What a prompt template was given."""
        if self.kind != "PROMPT":
            return None
        return self._given if isinstance(self._given, dict) else None

    @property
    def tool(self) -> str | None:
        """``gen_ai.tool.name``."""
        return self.text("gen_ai.tool.name")


class LangSmith(Adapter):
    """Reads the spans that the LangSmith SDK exports, and the runs of a run tree.

    >>> from adapters.trace import Span
    >>> LangSmith().claims(Span("t", "s", None, "chat", 1, 2, {"langsmith.span.kind": "llm"}))
    True
    """

    view = LangSmithView
    marks = (KIND,)
    carriers: ClassVar[tuple[Carrier, ...]] = (
        Carrier(
            "langsmith",
            "LangSmith OTel mode",
            lost={
                "stages.rerank": "LangSmith has no run type for rerankers; they appear as retrievers or chains",
                "versions.embedder": "retrievers report the class of their embeddings, not the model",
                "versions.reranker": "LangSmith has no run type for rerankers",
            },
            seldom={
                "usage.cost_usd": "if the application reports the cost of its calls",
                "response_ids": "only for clients that the SDK wraps",
                "passages.score": IN_METADATA,
                "usage.first_token_ms": "only from run trees; the SDK's spans do not record tokens as events",
                "versions.prompt": "only for prompts pulled from the LangSmith hub",
            },
        ),
    )

    def writes(self, scope: str) -> bool:
        """Whether it is the SDK's own."""
        return scope == SCOPE


_MODELS = (
    "gen_ai.response.model",
    "gen_ai.request.model",
    *(METADATA + name for name in ("ls_model_name", "model_name", "model")),
)


def _error(said: str) -> tuple[str | None, str | None]:
    """Divide ``ValueError('no')Traceback (most recent call last): ...`` into its type and message."""
    head = said[:_MOST_ERROR_CHARS].partition(_TRACEBACK)[0].strip()
    if (match := _REPR.fullmatch(head)) is None:
        return None, text_of(head)
    return match[1], text_of(match[2].strip("'\""))
