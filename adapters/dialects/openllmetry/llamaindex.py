"""What steps of LlamaIndex are: OpenLLMetry calls all of them tasks, and names them after whatever class ran.

What they are shows in the JSON of their arguments and results, whose order is that of LlamaIndex's own signatures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from adapters.assembly.view import Kind
from adapters.dialects.openllmetry.keys import ENTITY
from adapters.dialects.otel_genai.attributes import INPUT, OUTPUT

_GIVEN, _RETURNED = "traceloop.entity.input", "traceloop.entity.output"
_QUERY = ('{"str_or_query_bundle": ', '{"query_bundle": ')
_NODES_GIVEN = '{"nodes": '
_NODES = ('["{\\"node\\": ', '[{"node": ')
_NOTHING = "[]"
_COMPLETED = ('{"args": [', '{"prompt": "')
_COMPLETION = '{"text": '
_COMPLETION_KEYS = '"additional_kwargs": '


def searches(attributes: Mapping[str, Any]) -> bool:
    """Tell whether the step was given a query and gave back nodes: a retriever, whatever it is called."""
    given, returned = _text(attributes, _GIVEN), _text(attributes, _RETURNED)
    if not given.startswith(_QUERY):
        return False
    if returned.startswith(_NODES):
        return True
    # One that found nothing, or failed, looks like any step that has no result; it goes by its name.
    return returned in (_NOTHING, "") and _text(attributes, ENTITY).partition(".")[0].endswith("Retriever")


def kind_of_node(attributes: Mapping[str, Any], repeats: Callable[[], bool]) -> Kind | None:
    """Return what the step was; ``None`` where nothing tells. ``repeats`` tells of a search the span above reports."""
    if INPUT in attributes or OUTPUT in attributes:
        return "LLM"
    if "tool.name" in attributes:
        return "TOOL"
    given, returned = _text(attributes, _GIVEN), _text(attributes, _RETURNED)
    if given.startswith(_COMPLETED) and returned.startswith(_COMPLETION) and _COMPLETION_KEYS in returned:
        return "LLM"
    if given.startswith(_NODES_GIVEN) and returned.startswith(_NODES):
        return "RERANKER"
    if searches(attributes):
        return "OTHER" if repeats() else "RETRIEVER"
    return None


def prompt_of(given: Any) -> str | None:
    """Return the prompt of a completion, as it was passed."""
    if not isinstance(given, dict):
        return None
    listed = given.get("args")
    prompt = listed[0] if isinstance(listed, list) and listed else given.get("prompt")
    return prompt if isinstance(prompt, str) else None


def _text(attributes: Mapping[str, Any], key: str) -> str:
    value = attributes.get(key)
    return value if isinstance(value, str) else ""
