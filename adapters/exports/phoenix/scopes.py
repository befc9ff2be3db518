"""The instrumentation scope of a span that has lost it, where the span itself shows what wrote it.

Phoenix keeps no scope, and what some attributes mean depends on it. Only what one instrumentation alone writes counts:
metadata of langchain-core's tracer, variables of LlamaIndex's prompts, the ``traceloop.*`` attributes of OpenLLMetry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from adapters.dialects.openinference.keys import SCOPE
from adapters.dialects.openllmetry.keys import ENTITY

_OPENINFERENCE = (
    ("langchain", "metadata", re.compile(r'"(?:ls_(?:provider|model_type|retriever_name|integration)|lc_versions)":')),
    ("llama_index", "llm.prompt_template.variables", re.compile(r'"(?:context_str|query_str|context_msg)":')),
)
_TRACELOOP = "traceloop."
_SDK = "traceloop.tracer"
_INSTRUMENTATION = "opentelemetry.instrumentation."
_PROVIDER, _SYSTEM = "gen_ai.provider.name", "gen_ai.system"
_FRAMEWORKS = ("langchain", "langgraph")
"""What OpenLLMetry alone calls a provider; LangSmith calls one of them a system, and OpenLLMetry's past "Langchain"."""
_LANGCHAINS = re.compile(
    r"traceloop\.association\.properties\.(?:ls_(?:provider|model_type|retriever_name)|lc_versions)"
)
_NODE = (".task", ".workflow")
"""What OpenLLMetry appends to the entities of LlamaIndex, as nowhere else, and names its spans after."""


def of_openinference(attributes: Mapping[str, Any]) -> str:
    """Return the scope of an OpenInference span; empty where it does not show.

    >>> of_openinference({"metadata": '{"ls_provider":"openai"}'})
    'openinference.instrumentation.langchain'
    """
    for framework, key, mark in _OPENINFERENCE:
        if isinstance(text := attributes.get(key), str) and mark.search(text):
            return f"{SCOPE}.{framework}"
    return ""


def of_openllmetry(name: str, attributes: Mapping[str, Any]) -> str:
    """Return the scope of a span of OpenLLMetry called ``name``; empty where it is not one.

    >>> of_openllmetry("Shelf.task", {"traceloop.entity.name": "Shelf.task"})
    'opentelemetry.instrumentation.llamaindex'
    >>> of_openllmetry("GET /", {"http.route": "/"})
    ''
    """
    if attributes.get(_PROVIDER) in _FRAMEWORKS:
        return f"{_INSTRUMENTATION}langchain"
    if not any(key.startswith(_TRACELOOP) for key in attributes):
        return ""
    if attributes.get(_SYSTEM) == "Langchain" or any(_LANGCHAINS.match(key) for key in attributes):
        return f"{_INSTRUMENTATION}langchain"
    if attributes.get(ENTITY) == name and name.endswith(_NODE):
        return f"{_INSTRUMENTATION}llamaindex"
    return _SDK
