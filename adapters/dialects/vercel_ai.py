"""The dialect of the Vercel AI SDK: ``ai.*`` attributes, of versions 3 to 6.

``ai.generateText`` (``streamText``, ``generateObject``) is the application's step, ``.doGenerate`` and ``.doStream``
below it are the calls of a model, ``ai.toolCall`` runs a tool. Where the SDK is told to follow the GenAI conventions,
its spans are read as any others of those.

Source: github.com/vercel/ai, packages/ai/src (telemetry), and content/docs/03-ai-sdk-core/60-telemetry.mdx.
"""

from __future__ import annotations

from typing import Any, ClassVar

from adapters.assembly.messages import Message, messages_of
from adapters.dialects.base import EMBEDDED, Carrier
from adapters.dialects.keyed import Keyed, KeyedView
from adapters.documents.passages import Documents
from adapters.lazy import lazy
from adapters.mapping import DialectKeys
from adapters.values import parse_json
from adapters.vocabulary import DocumentList, StepKind

KEYS = DialectKeys(
    name="vercel_ai",
    framework="vercelai",
    marks="ai.operationId",
    kind="ai.operationId",
    kinds={
        "ai.generateText": "CHAIN",
        "ai.streamText": "CHAIN",
        "ai.generateObject": "CHAIN",
        "ai.streamObject": "CHAIN",
        "ai.generateText.doGenerate": "LLM",
        "ai.streamText.doStream": "LLM",
        "ai.generateObject.doGenerate": "LLM",
        "ai.streamObject.doStream": "LLM",
        "ai.embed.doEmbed": "EMBEDDING",
        "ai.embedMany.doEmbed": "EMBEDDING",
        "ai.rerank": "RERANKER",
        "ai.toolCall": "TOOL",
    },
    input=("ai.toolCall.args", "ai.toolCall.input", "ai.prompt", "ai.value"),
    output=("ai.toolCall.result", "ai.toolCall.output", "ai.response.text", "ai.response.object", "ai.result.text",
            "ai.result.object", "ai.ranking"),
    asked="ai.prompt.messages",
    tool_calls=("ai.response.toolCalls", "ai.result.toolCalls"),
    tool="ai.toolCall.name",
    model=("ai.response.model", "gen_ai.response.model", "ai.model.id", "gen_ai.request.model"),
    provider=("ai.model.provider", "gen_ai.system"),
    prompt_tokens=("ai.usage.inputTokens", "ai.usage.promptTokens", "gen_ai.usage.input_tokens", "ai.usage.tokens"),
    completion_tokens=("ai.usage.outputTokens", "ai.usage.completionTokens", "gen_ai.usage.output_tokens"),
    total_tokens="ai.usage.totalTokens",
    first_token_ms="ai.response.msToFirstChunk",  # noqa: S106 - a key
    metadata="ai.telemetry.metadata.",
)  # fmt: skip
_NESTED: frozenset[StepKind] = frozenset({"CHAIN", "LLM"})


class VercelView(KeyedView):
    """A span of the AI SDK."""

    @lazy
    def redacted(self) -> bool:
        """Whether a model's call shows no word: ``recordInputs`` and ``recordOutputs`` are off."""
        return self.kind == "LLM" and not any(message.content for message in self.inputs) and self.raw_output is None

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """``ai.prompt.messages``."""
        held = self.span.attributes.get("ai.prompt.messages")
        return messages_of(self.text_or_json(held)) if isinstance(held, str) else super().inputs

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """What a call said, and the tools it asked for."""
        if self.kind not in _NESTED:
            return ()
        text = self.raw_output
        calls = messages_of([{"role": "assistant", "tool_calls": self._calls}]) if self._calls else ()
        asked = calls[0].tool_calls if calls else ()
        return (Message("assistant", text, asked),) if text is not None or asked else ()

    @lazy
    def _calls(self) -> Any:
        held = self.value(self.keys.tool_calls)
        return self.text_or_json(held) if isinstance(held, str) else held

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """The passages that were reranked; what a tool found is read where all tools' results are."""
        return super().documents(listing, most=most) if self.kind == "RERANKER" else None

    @property
    def tool_description(self) -> str | None:
        """What the calls beside the tool's were told that it is for."""
        name, parent = self.tool, self.parent
        for sibling in parent.children if parent is not None and name is not None else ():
            listed = sibling.span.attributes.get("ai.prompt.tools")
            for each in listed if isinstance(listed, list) else ():
                tool = parse_json(each, limit=self.reading.json_limit) if isinstance(each, str) else each
                if isinstance(tool, dict) and tool.get("name") == name:
                    told = tool.get("description")
                    return told if isinstance(told, str) else None
        return None


class VercelAI(Keyed):
    """Reads the spans that the Vercel AI SDK writes under its own names.

    >>> from adapters.trace import Span
    >>> VercelAI().claims(Span("t", "s", None, "ai.toolCall", 1, 2, {"ai.operationId": "ai.toolCall"}))
    True
    """

    carriers: ClassVar[tuple[Carrier, ...]] = (
        Carrier(
            "vercel",
            "Vercel AI SDK",
            lost={
                "usage.cost_usd": "the SDK reports tokens but no cost",
                "versions.prompt": "the SDK does not record templates",
                "stages.rerank": "`ai.rerank` records no documents",
                "versions.reranker": "`ai.rerank` records no documents",
            },
            seldom={
                "error": "only if a span failed",
                "passages": "if a tool searches: other retrievers are code of the application",
                "passages.score": "if the tool returns it",
                "passages.metadata": "if the tool returns it",
                "usage.first_token_ms": "of streamed answers",
                "versions.embedder": EMBEDDED,
            },
        ),
    )

    def __init__(self) -> None:
        super().__init__(KEYS, VercelView)
