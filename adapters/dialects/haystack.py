"""The dialect of Haystack's own tracing: a span for each run of a pipeline, a component and an agent.

Haystack 2 writes it by itself wherever OpenTelemetry's SDK is installed, Haystack 3 through its connector. What went in
and came out stands on the spans only with ``HAYSTACK_CONTENT_TRACING_ENABLED=true``.

Source: github.com/deepset-ai/haystack, haystack/core/pipeline/base.py, haystack/components/agents/ (2.31 and 3.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from adapters.assembly.messages import Message, messages_of
from adapters.assembly.view import View
from adapters.dialects.base import EMBEDDED, Carrier
from adapters.dialects.keyed import Keyed, KeyedView
from adapters.documents.passages import Documents
from adapters.documents.shapes import documents_in
from adapters.lazy import lazy
from adapters.mapping import DialectKeys
from adapters.quirks import haystack
from adapters.values import count_of, dig, text_of
from adapters.vocabulary import DocumentList, StepKind, TokenCount

KEYS = DialectKeys(
    name="haystack",
    framework=haystack.FRAMEWORK,
    marks=(
        "haystack.component.type",
        "haystack.pipeline.metadata",
        "haystack.pipeline.max_runs_per_component",
        "haystack.agent.max_steps",
        "haystack.agent.step",
        "haystack.agent.step.llm.output",
        "haystack.tool.name",
    ),
    kind="haystack.component.type",
    otherwise="CHAIN",
    input=(
        "haystack.component.input",
        "haystack.agent.step.llm.input",
        "haystack.agent.step.tool.input",
        "haystack.agent.input",
        "haystack.pipeline.input_data",
    ),
    output=(
        "haystack.component.output",
        "haystack.agent.step.llm.output",
        "haystack.agent.step.tool.output",
        "haystack.agent.output",
        "haystack.pipeline.output_data",
    ),
    tool="haystack.tool.name",
    tool_description="haystack.tool.description",
)
_KINDS: tuple[tuple[str, StepKind], ...] = (
    ("Retriever", "RETRIEVER"),
    ("Ranker", "RERANKER"),
    ("Embedder", "EMBEDDING"),
    ("Generator", "LLM"),
    ("Agent", "AGENT"),
)
"""How the types of components end that do one thing."""
_BY_NAME: Mapping[str, StepKind] = {
    "haystack.agent.run": "AGENT",
    "haystack.agent.step.llm": "LLM",
    "haystack.agent.step.tool": "TOOL",
}
_TOKENS: Mapping[TokenCount, tuple[str, ...]] = {
    "prompt": ("prompt_tokens", "input_tokens"),
    "completion": ("completion_tokens", "output_tokens"),
    "total": ("total_tokens",),
}


class HaystackView(KeyedView):
    """A span of Haystack's own tracing."""

    @lazy
    def kind(self) -> StepKind:
        """The kind by the type of a component, else by what it gave back: replies of a model, found documents."""
        if (named := _BY_NAME.get(self.span.name)) is not None:
            return named
        told = self.told(self.keys.kind)
        if told is None or self._called is not None:
            return "CHAIN" if told is None else "TOOL"
        by_type = next((kind for end, kind in _KINDS if told.endswith(end)), None)
        if by_type is not None:
            return by_type
        given, back = self._given, self._returned
        if "replies" in back and "documents" not in given and "replies" not in given:
            return "LLM"
        return "RETRIEVER" if "documents" in back and "documents" not in given else "CHAIN"

    @lazy
    def redacted(self) -> bool:
        """Whether the contents of components are not traced."""
        return self.keys.kind[0] in self.span.attributes and self.raw_input is None and self.raw_output is None

    @property
    def _given(self) -> Mapping[str, Any]:
        found = self._parsed_input
        return found if isinstance(found, dict) else {}

    @property
    def _returned(self) -> Mapping[str, Any]:
        found = self._parsed_output
        return found if isinstance(found, dict) else {}

    @lazy
    def _parsed_input(self) -> Any:
        return self.text_or_json(self.raw_input)

    @lazy
    def _parsed_output(self) -> Any:
        return self.text_or_json(self.raw_output)

    @lazy
    def input(self) -> Any:
        """What went in; of a pipeline, the sockets of its components."""
        if self._called is not None:
            return dig(self._called, "origin", "arguments")
        found = self._parsed_input
        return {"data": found} if "haystack.pipeline.input_data" in self.span.attributes else found

    @lazy
    def output(self) -> Any:
        """What came out; of the call of a tool, what the tool gave back."""
        return self._parsed_output if self._called is None else dig(self._called, "result")

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages that a chat model was given; with tools beside them they are printed, but the agent has them."""
        if self.kind != "LLM":
            return ()
        return messages_of(self._given.get("messages")) or self._heard()

    def _heard(self) -> tuple[Message, ...]:
        """Return the messages of the agent up to this reply."""
        agent = self._agent
        if agent is None or not self.outputs:
            return ()
        before, messages = (messages_of(dig(each, "messages")) for each in (agent.input, agent.output))
        at = next((at for at in range(len(before), len(messages)) if messages[at] == self.outputs[-1]), 0)
        return messages[:at]

    @property
    def _agent(self) -> View | None:
        """The agent that this is a step of; were it kept, two views would hold each other."""
        found = self.parent
        while found is not None and "haystack.agent.max_steps" not in found.span.attributes:
            found = found.parent
        return found

    @lazy
    def _called(self) -> Any:
        """What the one call of a tool gave back that a step of an agent in Haystack 2 ran."""
        messages = self._returned.get("tool_messages") if self.told(self.keys.kind) == "ToolInvoker" else None
        parts = dig(messages[0], "content") if isinstance(messages, list) and len(messages) == 1 else None
        return dig(parts[0], "tool_call_result") if isinstance(parts, list) and len(parts) == 1 else None

    @property
    def tool(self) -> str | None:
        """The tool that was called."""
        return text_of(dig(self._called, "origin", "tool_name")) or super().tool

    @property
    def tool_description(self) -> str | None:
        """What it is for: told by the tool's own span, else by the agent, as Python prints its tools."""
        told, agent, tool = super().tool_description, self._agent, self.tool
        if told is not None or agent is None or tool is None:
            return told
        return haystack.printed_tools(str(agent.span.attributes.get("haystack.agent.tools", ""))).get(tool)

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The replies of a model: messages, or texts."""
        replies = self._returned.get("replies") if self.kind == "LLM" else None
        texts = [each for each in replies if isinstance(each, str)] if isinstance(replies, list) else []
        return tuple(Message("assistant", text, ()) for text in texts) if texts else messages_of(replies)

    @lazy
    def said(self) -> str | None:
        """The last reply."""
        return next((each.content for each in reversed(self.outputs) if each.content is not None), None)

    @lazy
    def prompts(self) -> tuple[str, ...]:
        """The prompt of a completion."""
        prompt = text_of(self._given.get("prompt")) if self.kind == "LLM" else None
        return () if prompt is None else (prompt,)

    @lazy
    def _meta(self) -> Mapping[str, Any]:
        """What a model's call tells of itself: beside the replies of a completion, within those of a chat."""
        meta = self._returned.get("meta")
        if not isinstance(meta, list):
            replies = self._returned.get("replies")
            meta = [dig(each, "meta") for each in replies] if isinstance(replies, list) else []
        return next((each for each in reversed(meta) if isinstance(each, dict)), {})

    @property
    def model(self) -> str | None:
        """The model that answered, as the reply tells."""
        return text_of(self._meta.get("model")) if self.kind == "LLM" else None

    def tokens(self, which: TokenCount) -> int | None:
        """What the call took, as the reply tells."""
        usage = self._meta.get("usage") if self.kind == "LLM" else None
        if not isinstance(usage, dict):
            return None
        return next((count for key in _TOKENS[which] if (count := count_of(usage.get(key))) is not None), None)

    @property
    def query(self) -> str | None:
        """What a retriever or a ranker was asked."""
        return text_of(self._given.get("query")) if self.kind in ("RETRIEVER", "RERANKER") else None

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """The documents that a retriever found or a joiner fused, and those that a ranker was given and gave back."""
        if listing == "rerank_input":
            return documents_in(self._given, most=most) if self.kind == "RERANKER" else None
        lists = self.kind in ("RETRIEVER", "RERANKER") or (self.kind == "CHAIN" and haystack.joins(self.name))
        return super().documents(listing, most=most) if lists else None

    @property
    def name(self) -> str:
        """The tool, the component's name in its pipeline, or its type where it joins: all spans are called the same."""
        told = self.told(self.keys.kind) or ""
        return (
            self.tool or (told if haystack.joins(told) else self.told(("haystack.component.name",))) or self.span.name
        )


class Haystack(Keyed):
    """Reads the spans that Haystack writes by itself.

    >>> from adapters.trace import Span
    >>> run = Span("t", "s", None, "haystack.component.run", 1, 2, {"haystack.component.type": "PromptBuilder"})
    >>> Haystack().claims(run)
    True
    """

    carriers: ClassVar[tuple[Carrier, ...]] = (
        Carrier(
            "ownhaystack",
            "Haystack's own tracing",
            lost={
                "session_id": "Haystack does not trace who asks",
                "user_id": "Haystack does not trace who asks",
                "provider": "only the type of a component is recorded",
                "response_ids": "the ids of completions are not recorded",
                "usage.cost_usd": "no cost is recorded",
                "usage.first_token_ms": "the time of the first token is not recorded",
                "versions.prompt": "templates are recorded as they were filled in",
                "versions.reranker": "the model of a ranker is not recorded",
            },
            seldom={
                "error": "only if a span failed",
                "history": "if the prompt contains earlier turns",
                "tool_calls": "if an agent calls tools",
                "versions.embedder": EMBEDDED,
            },
        ),
    )

    def __init__(self) -> None:
        super().__init__(KEYS, HaystackView)
