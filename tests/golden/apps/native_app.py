"""Example agents of frameworks that write spans of the GenAI conventions themselves."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from typing import Any

from apps.corpus import reply, search

QUESTION = "For how long are books lent?"
QUERY = {"query": "books lent weeks"}


def handbook(query: str) -> str:
    """Search the handbook."""
    return "\n".join(f"[{i}] {rule.text}" for i, (rule, _) in enumerate(search(query, 2), start=1))


def pydantic_ai() -> None:
    from pydantic_ai import Agent
    from pydantic_ai.capabilities.instrumentation import Instrumentation
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    def librarian(messages: list[Any], _: Any) -> ModelResponse:
        part = TextPart(reply(QUESTION)) if len(messages) > 1 else ToolCallPart("handbook", QUERY, "call_1")
        return ModelResponse(parts=[part])

    clerk = Agent(FunctionModel(librarian), capabilities=[Instrumentation()], system_prompt="Help the reader.")
    clerk.tool_plain(handbook)
    clerk.run_sync(QUESTION)


def strands() -> None:
    from strands import Agent, tool
    from strands.models.model import Model

    class Librarian(Model):
        """A model that asks for a tool first, and then answers."""

        def update_config(self, **_: Any) -> None: ...

        def get_config(self) -> dict[str, str]:
            return {"model_id": "librarian-1"}

        def structured_output(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

        async def stream(self, messages: list[Any], *_: Any, **__: Any) -> AsyncIterator[dict[str, Any]]:
            yield {"messageStart": {"role": "assistant"}}
            if len(messages) > 1:
                yield {"contentBlockStart": {"start": {}}}
                yield {"contentBlockDelta": {"delta": {"text": reply(QUESTION)}}}
            else:
                yield {"contentBlockStart": {"start": {"toolUse": {"name": "handbook", "toolUseId": "call_1"}}}}
                yield {"contentBlockDelta": {"delta": {"toolUse": {"input": '{"query": "books lent weeks"}'}}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn" if len(messages) > 1 else "tool_use"}}
            usage = {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}
            yield {"metadata": {"usage": usage, "metrics": {"latencyMs": 1}}}

    clerk = Agent(model=Librarian(), tools=[tool(handbook)], system_prompt="Help the reader.", callback_handler=None)
    clerk(QUESTION)


def strands_now() -> None:
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    strands()


def strands_redacted() -> None:
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_unredacted_attributes="
    strands()


SCENARIOS: dict[str, Callable[[], None]] = {
    "pydantic-ai": pydantic_ai,
    "strands": strands,
    "strands-now": strands_now,
    "strands-redacted": strands_redacted,
}
