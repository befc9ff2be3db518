"""What is special about LangChain and LangGraph: how they dump runs and messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.values import dig, text_of

FRAMEWORK = "langchain"
_COMPRESSOR = "the compressor runs inside its retriever and has no span of its own"
LOST_BY_OPENINFERENCE: Mapping[str, str] = {
    "stages.rerank": _COMPRESSOR,
    "versions.reranker": _COMPRESSOR,
    "versions.embedder": "the vector store embeds the query without a span",
    "usage.first_token_ms": "the time of the first token is not recorded",
}

_NESTED = ("data", "kwargs")
"""What dumps wrap a message in."""
_DEFERRED = {"input": ""}
"""What a streaming chain is given to begin with; the real input comes with the output."""


def is_prompt_template(name: Any) -> bool:
    """Tell whether a class fills in a prompt, which OpenLLMetry calls a task like any other."""
    return isinstance(name, str) and name.endswith("PromptTemplate")


def answering_model(output: Any) -> str | None:
    """Return the model that a stream's generation names; OpenInference's own attribute has the requested one."""
    if not isinstance(output, dict) or "generations" not in output:
        return None
    told = text_of(dig(output, "generations", 0, 0, "generation_info", "model_name"))
    return told or responding_model(output)


def responding_model(output: Any) -> str | None:
    """Return the model that the message of a dumped result names as the one that responded.

    >>> message = {"type": "ai", "content": "So.", "response_metadata": {"model_name": "m-1-2026"}}
    >>> responding_model({"generations": [[{"text": "So.", "message": message}]]})
    'm-1-2026'
    """
    message = dig(output, "generations", 0, 0, "message")
    return _model_in(message) or _model_in(dig(message, "kwargs"))


def _model_in(message: Any) -> str | None:
    told = dig(message, "response_metadata")
    return text_of(told.get("model_name") or told.get("model")) if isinstance(told, dict) else None


def model_of_answer(output: Any) -> str | None:
    """Return the model that the last message of an agent's state says it is of.

    >>> answer = {"type": "ai", "content": "So.", "response_metadata": {"model_name": "m-1-2026"}}
    >>> model_of_answer({"messages": [{"type": "human", "content": "How?"}, answer]})
    'm-1-2026'
    """
    listed = output.get("messages") if isinstance(output, dict) else None
    last = listed[-1] if isinstance(listed, list) and listed else None
    return _model_in(next((held for key in _NESTED if (held := dig(last, key)) is not None), last))


def structured_response(output: Any) -> Any:
    """Return the answer with a schema that an agent gives back beside its messages."""
    return output.get("structured_response") if isinstance(output, dict) else None


def unwrapped_input(given: Mapping[str, Any], returned: Any) -> Any:
    """Return what went into a run that OpenLLMetry dumps as ``{"inputs": ..}``, or a tool's ``{"input_str": ..}``."""
    inputs = given.get("inputs")
    if inputs == _DEFERRED and isinstance(returned, dict):
        return dig(returned, "kwargs", "inputs")
    return given.get("input_str") if inputs is None else inputs


def unwrapped_output(returned: Any) -> Any:
    """Return what came out of a run that OpenLLMetry dumps as ``{"outputs": ..}`` or ``{"output": ..}``."""
    held = [returned[key] for key in ("outputs", "output") if key in returned] if isinstance(returned, dict) else []
    return held[0] if held else returned


def dumped_role(message: Mapping[str, Any]) -> str | None:
    """Return the role that the class of a message dumped as a constructor is named after.

    >>> dumped_role({"type": "constructor", "id": ["langchain", "schema", "messages", "AIMessageChunk"]})
    'AI'
    """
    path = message.get("id")
    if message.get("type") != "constructor" or not isinstance(path, list) or not path:
        return None
    return str(path[-1]).removesuffix("Chunk").removesuffix("Message")
