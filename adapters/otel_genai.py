"""The dialect of the OpenTelemetry GenAI semantic conventions, of official instrumentations and of frameworks.

Content stands in attributes of the span, as JSON text or structured, or in events: of the span, or log records that
became such (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/). Where content is switched off, which is
the default, a model call shows its model and usage only.

Source: github.com/open-telemetry/semantic-conventions-genai, model/gen-ai; for the generation before 1.37
github.com/open-telemetry/semantic-conventions v1.36.0, docs/gen-ai.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from adapters.assembly.messages import Message
from adapters.assembly.view import Kind, Reading, View
from adapters.gen_ai import DOCUMENTS, INPUT, OPERATION, OUTPUT, GenAIView, prompt_variables
from adapters.gen_ai_messages import messages_of
from adapters.lazy import lazy
from adapters.trace import Event, Span
from adapters.values import plain

_DETAILS = "gen_ai.client.inference.operation.details"
_CHOICE = "gen_ai.choice"
_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_PROMPT, _COMPLETION = "gen_ai.prompt", "gen_ai.completion"
_PROMPT_EVENT, _COMPLETION_EVENT = "gen_ai.content.prompt", "gen_ai.content.completion"

CONTENT_EVENTS = frozenset({_DETAILS, _CHOICE, *_ROLES, _PROMPT_EVENT, _COMPLETION_EVENT})
"""The events that hold what a model was given and what it answered; results of evaluations are not among them."""

_BODY = "body"
"""The attribute of an event that holds the body of the log record it was."""
_EVENT_CONTENT = "gen_ai.event.content"
"""Where Semantic Kernel and Azure put a message of an event, as JSON text."""

_OTHER_NAMES = {
    INPUT: "pydantic_ai.all_messages",
    OUTPUT: "final_result",
    "gen_ai.tool.call.arguments": "tool_arguments",
    "gen_ai.tool.call.result": "tool_response",
}
"""What Pydantic AI calls the content of its agents, and once called that of its tools."""

_SCOPES = (
    "opentelemetry.instrumentation.genai",
    "opentelemetry.util.genai",
    "opentelemetry.instrumentation.openai_v2",
    "opentelemetry.instrumentation.google_genai",
)
_KINDS: Mapping[str, Kind] = {
    "chat": "LLM",
    "text_completion": "LLM",
    "generate_content": "LLM",
    "chat.completions": "LLM",  # Semantic Kernel until 1.27
    "text.completions": "LLM",
    "embeddings": "EMBEDDING",
    "retrieval": "RETRIEVER",
    "execute_tool": "TOOL",
    "invoke_agent": "AGENT",
    "invoke_workflow": "CHAIN",
    "framework": "CHAIN",  # Spring AI's chat client
    "create_agent": "OTHER",
}
# For an operation that the conventions do not name, and for a span that lost it to the SDK's attribute limit.
_KIND_BY_KEY: tuple[tuple[str, Kind], ...] = (
    (DOCUMENTS, "RETRIEVER"),
    ("gen_ai.tool.name", "TOOL"),
    (OUTPUT, "LLM"),
    ("gen_ai.usage.output_tokens", "LLM"),
    ("gen_ai.response.finish_reasons", "LLM"),
)
_FRAMEWORKS = ("langchain", "llamaindex", "haystack", "crewai", "semantickernel", "springai", "pydanticai", "strands")
_SPEAKING = ("CHAIN", "AGENT")


class OtelGenAI(BaseModel):
    """Reads the spans that follow the GenAI conventions, whoever writes them.

    >>> OtelGenAI().claims(Span("t", "s", None, "chat", 1, 2, {"gen_ai.operation.name": "chat"}))
    True
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["otel_genai"] = "otel_genai"

    @property
    def dialect(self) -> str:
        """The dialect's name."""
        return self.type

    @property
    def lost(self) -> Mapping[str, str]:
        """What the conventions have no key for."""
        unknown = "the conventions know no reranking"
        return {"stages.rerank": unknown, "versions.reranker": unknown}

    def claims(self, span: Span) -> bool:
        """Whether the span names its operation as the conventions do, or an official instrumentation wrote it."""
        return OPERATION in span.attributes or span.scope_name.startswith(_SCOPES)

    def view(self, span: Span, reading: Reading) -> View:
        """Return the span as the conventions describe it."""
        return OtelGenAIView(span, reading)


class OtelGenAIView(GenAIView):
    """A span as the GenAI conventions describe it, of any of their generations."""

    dialect: ClassVar[str] = "otel_genai"

    @lazy
    def kind(self) -> Kind:
        """The kind of ``gen_ai.operation.name``, else as the span's keys tell."""
        attributes = self.span.attributes
        told = attributes.get(OPERATION)
        if isinstance(told, str) and (kind := _KINDS.get(told.lower())) is not None:
            return kind
        return next((kind for key, kind in _KIND_BY_KEY if key in attributes), "OTHER")

    @lazy
    def framework(self) -> str | None:
        """The framework that the instrumentation's scope is named after."""
        return _framework(self.span.scope_name)

    @lazy
    def redacted(self) -> bool:
        """Whether a model call shows no word of what was said: capturing content is off unless it is asked for."""
        if self.kind != "LLM":
            return False
        return not any(message.content for message in (*self.inputs, *self.outputs))

    def content(self, key: str) -> Any:
        """Return the attribute, else what the event with the call's details has under its name."""
        attributes = self.span.attributes
        found = attributes.get(key)
        if found is None:
            found = self._details.get(key)
        if found is None and (other := _OTHER_NAMES.get(key)) is not None:
            return attributes.get(other)
        return found

    @lazy
    def _details(self) -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        for event in self.span.events:
            if event.name == _DETAILS:
                body = event.attributes.get(_BODY)
                found |= {**event.attributes, **(body if isinstance(body, dict) else {})}
        return found

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages of the attributes, else of an event each, else the prompt of older generations."""
        found = super().inputs
        if found or not (self.span.events or _PROMPT in self.span.attributes):
            return found
        return tuple(self._said(asked=True)) or self._older(_PROMPT_EVENT, _PROMPT, "user")

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The messages of the attributes, else the choices of an event each, else the completion of older ones."""
        found = super().outputs
        if found or not (self.span.events or _COMPLETION in self.span.attributes):
            return found
        return tuple(self._said(asked=False)) or self._older(_COMPLETION_EVENT, _COMPLETION, "assistant")

    def _said(self, *, asked: bool) -> Iterator[Message]:
        """Yield the messages that were given an event each, in order of time."""
        wanted = [event for event in self.span.events if (event.name in _ROLES if asked else event.name == _CHOICE)]
        for event in sorted(wanted, key=lambda event: event.time_ns):
            payload = self._payload(event)
            message = payload if asked else payload.get("message", payload)
            yield from messages_of(self._whole(message), _ROLES.get(event.name, "assistant"))

    def _payload(self, event: Event) -> Mapping[str, Any]:
        """Return what an event holds: its body, its one attribute of JSON, or else its attributes."""
        for key in (_BODY, _EVENT_CONTENT):
            found = event.attributes.get(key)
            found = self.text_or_json(found) if isinstance(found, str) else found
            if isinstance(found, dict):
                return found
            if isinstance(found, str):
                return {"content": found}
        return event.attributes

    def _whole(self, message: Any) -> Any:
        """Parse the parts of a message that are JSON text themselves, as Strands Agents writes them."""
        if isinstance(message, str):
            parts = self.text_or_json(message)
            return {"content": parts if isinstance(parts, list) else message}
        if isinstance(message, Mapping) and isinstance(content := message.get("content"), str):
            parts = self.text_or_json(content)
            return {**message, "content": parts} if _are_parts(parts) else message
        return message

    def _older(self, event: str, key: str, role: str) -> tuple[Message, ...]:
        """Read a prompt or completion that is one value: a conversation as JSON, or plain text."""
        values = [each.attributes.get(key) for each in self.span.events if each.name == event]
        for value in (*values, self.span.attributes.get(key)):
            found = messages_of(self.text_or_json(value) if isinstance(value, str) else value, role)
            if any(message.content for message in found):
                return found
        return ()

    @lazy
    def raw_input(self) -> str | None:
        """The text that holds what an agent, a workflow or a tool was given."""
        return self._raw("gen_ai.tool.call.arguments" if self.kind == "TOOL" else INPUT)

    @lazy
    def raw_output(self) -> str | None:
        """The text that holds what an agent, a workflow or a tool gave back."""
        return self._raw("gen_ai.tool.call.result" if self.kind == "TOOL" else OUTPUT)

    def _raw(self, key: str) -> str | None:
        value = self.content(key)
        return value if isinstance(value, str) else None

    @lazy
    def input(self) -> Any:
        """The conversation or the state that an agent or a workflow was given; a tool's arguments."""
        if self.kind == "TOOL":
            return plain(self.structured("gen_ai.tool.call.arguments"))
        turns = _turns(self.inputs) if self.kind in _SPEAKING else []
        if len(turns) == 1:
            # What a LangChain workflow is given besides messages is written as one, of JSON.
            state = self.text_or_json(turns[0]["content"])
            return state if isinstance(state, dict) else {"messages": turns}
        return {"messages": turns} if turns else None

    @lazy
    def output(self) -> Any:
        """The messages an agent or a workflow answered with; a tool's result."""
        if self.kind == "TOOL":
            return plain(self.structured("gen_ai.tool.call.result"))
        return _turns(self.outputs) or None if self.kind in _SPEAKING else None

    @lazy
    def variables(self) -> Mapping[str, Any] | None:
        """The variables of the attributes, else those among the details."""
        return super().variables or prompt_variables(self._details)

    @property
    def embedder(self) -> str | None:
        """The model of an embedding."""
        return self.model if self.kind == "EMBEDDING" else None


def _turns(messages: tuple[Message, ...]) -> list[dict[str, str]]:
    return [
        {"role": message.role, "content": message.content}
        for message in messages
        if message.role is not None and message.content is not None
    ]


def _are_parts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, dict) for part in value)


@lru_cache(maxsize=256)
def _framework(scope: str) -> str | None:
    plain = scope.lower().replace("_", "").replace("-", "").replace(".", "")
    return next((name for name in _FRAMEWORKS if name in plain), None)
