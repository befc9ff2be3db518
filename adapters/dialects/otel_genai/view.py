"""The dialect of the OpenTelemetry GenAI semantic conventions, of official instrumentations and of frameworks.

Content stands in attributes of the span, as JSON text or structured, or in events: of the span, or log records that
became such (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/). Where content is switched off, which is
the default, a model call shows its model and usage only.

Source: github.com/open-telemetry/semantic-conventions-genai, model/gen-ai; for the generation before 1.37
github.com/open-telemetry/semantic-conventions v1.36.0, docs/gen-ai.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from adapters.assembly.messages import Message
from adapters.caching import cached
from adapters.dialects.otel_genai.attributes import DOCUMENTS, INPUT, OPERATION, OUTPUT, GenAIView, prompt_variables
from adapters.dialects.otel_genai.events import call_details, completion_messages, prompt_messages
from adapters.dialects.otel_genai.listed import AGENT_EVENTS, exchanged, is_opened_stream, usage_in
from adapters.documents.passages import Documents
from adapters.documents.shapes import documents_in
from adapters.lazy import lazy
from adapters.quirks import anthropic, litellm, openai_agents, springai
from adapters.values import plain
from adapters.vocabulary import DocumentList, StepKind, TokenCount

_OTHER_NAMES = {
    INPUT: ("pydantic_ai.all_messages", AGENT_EVENTS, springai.USER_TEXT),
    OUTPUT: ("final_result",),
    "gen_ai.tool.call.arguments": ("tool_arguments", springai.ARGUMENTS),
    "gen_ai.tool.call.result": ("tool_response", springai.RESULT),
    "gen_ai.retrieval.query.text": (springai.QUERY,),
}
"""What Pydantic AI calls the content of its agents, and once called that of its tools; what Spring AI calls its own."""

_KINDS: Mapping[str, StepKind] = {
    "chat": "LLM",
    "text_completion": "LLM",
    "generate_content": "LLM",
    "chat.completions": "LLM",  # as Semantic Kernel once named it
    "text.completions": "LLM",
    "embeddings": "EMBEDDING",
    "retrieval": "RETRIEVER",
    "execute_tool": "TOOL",
    "invoke_agent": "AGENT",
    "invoke_workflow": "CHAIN",
    "create_agent": "OTHER",
}
# For an operation that the conventions do not name, and for a span that lost it to the SDK's attribute limit.
_KIND_BY_KEY: tuple[tuple[str, StepKind], ...] = (
    ("pydantic_ai.all_messages", "AGENT"),
    (AGENT_EVENTS, "AGENT"),
    (DOCUMENTS, "RETRIEVER"),
    ("gen_ai.tool.name", "TOOL"),
    (OUTPUT, "LLM"),
    ("gen_ai.usage.output_tokens", "LLM"),
    ("gen_ai.response.finish_reasons", "LLM"),
)
_FRAMEWORKS = ("langchain", "llamaindex", "haystack", "crewai", "semantickernel", "springai", "pydanticai", "strands")
_SPEAKING = ("CHAIN", "AGENT")


class OtelGenAIView(GenAIView):
    """A span as the GenAI conventions describe it, of any of their generations."""

    dialect: ClassVar[str] = "otel_genai"
    session_keys = (*GenAIView.session_keys, springai.CONVERSATION, openai_agents.GROUP)

    @lazy
    def kind(self) -> StepKind:
        """The kind of ``gen_ai.operation.name``, else as the span's keys tell."""
        attributes = self.span.attributes
        told = attributes.get(OPERATION)
        if isinstance(told, str) and (kind := _KINDS.get(told.lower())) is not None:
            return kind
        if (kind := springai.kind_of(attributes)) is not None:
            return kind
        if self.span.scope_name == openai_agents.SCOPE:
            return openai_agents.kind_of(self.span.name)
        return next((kind for key, kind in _KIND_BY_KEY if key in attributes), "OTHER")

    @lazy
    def framework(self) -> str | None:
        """The framework that the instrumentation's scope is named after, or that a step names by its kind."""
        named = _framework(self.span.scope_name)
        return springai.FRAMEWORK if named is None and springai.KIND in self.span.attributes else named

    @lazy
    def redacted(self) -> bool:
        """Whether a model call shows no word of what was said: capturing content is off unless it is asked for."""
        remote = self.kind == "AGENT" and not self.children and self.tokens("completion") is not None
        if self.kind != "LLM" and not remote:
            return False
        return not any(message.content for message in (*self.inputs, *self.outputs))

    def content(self, key: str) -> Any:
        """Return the attribute, else what the event with the call's details has under its name."""
        attributes = self.span.attributes
        found = attributes.get(key)
        if found is None:
            found = self._details.get(key)
        if found is None and (others := _OTHER_NAMES.get(key)) is not None:
            for other in others:
                if (found := attributes.get(other)) is not None:
                    return found
            if key in openai_agents.NAMES and self.span.scope_name == openai_agents.SCOPE:
                return attributes.get(openai_agents.NAMES[key])
        return found

    @lazy
    def _details(self) -> Mapping[str, Any]:
        return call_details(self.span.events)

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages of the attributes, else of an event each, else the prompt of older generations."""
        return super().inputs or prompt_messages(self.span, self.text_or_json) or self._exchanged[0]

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The messages of the attributes, else the choices of an event each, else the completion of older ones."""
        found = super().outputs
        if found and not any(message.content or message.tool_calls for message in found):
            asked = litellm.tools_asked_for(self.span.attributes)
            return (Message("assistant", tool_calls=asked),) if asked else found
        return found or completion_messages(self.span, self.text_or_json) or self._exchanged[1]

    @lazy
    def _exchanged(self) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
        return exchanged(self.span.attributes, self.text_or_json)

    @lazy
    def asks_a_model(self) -> bool:
        """Whether the span is of a call, and not of the request for a stream whose answer another one tells of."""
        return self.failed or not is_opened_stream(self.span.attributes, self.text_or_json)

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
        """The messages an agent or a workflow answered with, or its output of a type; a tool's result."""
        if self.kind == "TOOL":
            return plain(self.structured("gen_ai.tool.call.result"))
        if self.kind not in _SPEAKING:
            return None
        typed = None if (turns := _turns(self.outputs)) else self.structured(OUTPUT)
        return turns or (plain(typed) if isinstance(typed, dict) else None)

    @lazy
    def variables(self) -> Mapping[str, Any] | None:
        """The variables of the attributes, else those among the details."""
        return super().variables or prompt_variables(self._details)

    @property
    def session(self) -> str | None:
        """The conversation of the conventions, or what Spring AI and OpenAI's agents call theirs."""
        own = self.span.scope_name == openai_agents.SCOPE
        return self.first_text(self.session_keys if own else self.session_keys[:-1])  # the last is theirs alone

    @property
    def is_bare_request(self) -> bool:
        """Whether Anthropic's client wrote it, which other instrumentations watch in traces of their own."""
        return self.redacted and anthropic.is_of_client(self.span.scope_name, self.attributes)

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """The documents of the conventions, else the texts that a store of Spring AI's gave back."""
        found = super().documents(listing, most=most)
        if found is None and listing == "retrieved" and springai.DOCUMENTS in self.span.attributes:
            return documents_in(springai.listed(self.text(springai.DOCUMENTS)), most=most)
        return found

    @property
    def tool(self) -> str | None:
        """``gen_ai.tool.name``, or what frameworks call the name of their tool."""
        own = self.text(openai_agents.TOOL) if self.span.scope_name == openai_agents.SCOPE else None
        return super().tool or self.text(springai.TOOL) or own

    @property
    def tool_description(self) -> str | None:
        """``gen_ai.tool.description``, or Spring AI's."""
        return super().tool_description or self.text(springai.TOOL_DESCRIPTION)

    def tokens(self, which: TokenCount) -> int | None:
        """``gen_ai.usage.*``, else the usage in the response of a client."""
        found = super().tokens(which)
        return usage_in(self.span.attributes, self.text_or_json, which) if found is None else found

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


@cached(maxsize=256)
def _framework(scope: str) -> str | None:
    plain = scope.lower().replace("_", "").replace("-", "").replace(".", "")
    return next((name for name in _FRAMEWORKS if name in plain), None)
