"""LiteLLM's own spans: the tools that a model asked for stand beside its messages, which leave them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.schema import ToolCall
from adapters.values import text_of

MODELS = ("llm.response.model", "llm.model_name")
"""Where its spans for Phoenix and Langfuse name the model: the one that answered, and the one that was asked."""
TOKENS = "llm.token_count."
REPEATED = "raw_gen_ai_request"
"""The span below each of its calls that holds request and response once more, as the provider has them."""
_ASKED = "gen_ai.completion.{}.function_call."
_MOST = 50


def tools_asked_for(attributes: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """Return the tools that a call asked for.

    >>> tools_asked_for({"gen_ai.completion.0.function_call.name": "shelf"})
    (ToolCall(name='shelf', arguments=None, id=None),)
    """
    found: list[ToolCall] = []
    for number in range(_MOST):
        asked = _ASKED.format(number)
        if (name := text_of(attributes.get(f"{asked}name"))) is None:
            break
        found.append(ToolCall(name=name, arguments=text_of(attributes.get(f"{asked}arguments"))))
    return tuple(found)
