"""The instrumentation scope of a span that has lost it, where the span itself shows what wrote it.

Phoenix keeps no scope, and what some attributes mean depends on it. Only what one instrumentation alone writes counts:
metadata of langchain-core's tracer, variables of LlamaIndex's prompts, keys of a crew, the ``traceloop.*`` attributes
of OpenLLMetry and the names that it gives to calls of a vector store, Logfire's schema of a span's attributes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from adapters.dialects.logfire import SCHEMA
from adapters.dialects.logfire import SCOPE as LOGFIRE
from adapters.dialects.openinference.keys import SCOPE
from adapters.dialects.openllmetry.keys import ENTITY

_OPENINFERENCE = (
    ("langchain", "metadata", re.compile(r'"(?:ls_(?:provider|model_type|retriever_name|integration)|lc_versions)":')),
    ("llama_index", "llm.prompt_template.variables", re.compile(r'"(?:context_str|query_str|context_msg)":')),
    ("crewai", "crew_key", re.compile(r".")),
    ("instructor", "instructor.response_model", re.compile(r".")),
    # LlamaIndex has a class of this name, whose roles stand before other fields.
    (
        "smolagents",
        "input.value",
        re.compile(r"ChatMessage\(role=<MessageRole\.[A-Z_]{1,30}: '[a-z-]{1,30}'>, content="),
    ),
)
_TRACELOOP = "traceloop."
_SDK = "traceloop.tracer"
_INSTRUMENTATION = "opentelemetry.instrumentation."
_STORE = "db.system"
_PROVIDER, _SYSTEM = "gen_ai.provider.name", "gen_ai.system"
_FRAMEWORKS = ("langchain", "langgraph")
"""What OpenLLMetry alone calls a provider; LangSmith calls one of them a system, and OpenLLMetry's past "Langchain"."""
_LANGCHAINS = re.compile(
    r"traceloop\.association\.properties\.(?:ls_(?:provider|model_type|retriever_name)|lc_versions)"
)
_STORES = {"chroma": "chromadb", "milvus": "milvus", "qdrant": "qdrant"}
"""The instrumentation of OpenLLMetry for each vector store, by what its spans begin with and call their system."""
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
    >>> of_openllmetry("chroma.query", {"db.system": "chroma"})
    'opentelemetry.instrumentation.chromadb'
    >>> of_openllmetry("GET /", {"http.route": "/"})
    ''
    """
    if attributes.get(_PROVIDER) in _FRAMEWORKS:
        return f"{_INSTRUMENTATION}langchain"
    store = name.partition(".")[0]
    if store in _STORES and str(attributes.get(_STORE)).lower() == store:
        return f"{_INSTRUMENTATION}{_STORES[store]}"
    if not any(key.startswith(_TRACELOOP) for key in attributes):
        return ""
    if attributes.get(_SYSTEM) == "Langchain" or any(_LANGCHAINS.match(key) for key in attributes):
        return f"{_INSTRUMENTATION}langchain"
    if attributes.get(ENTITY) == name and name.endswith(_NODE):
        return f"{_INSTRUMENTATION}llamaindex"
    return _SDK


def of_logfire(attributes: Mapping[str, Any]) -> str:
    """Return the scope of a span that Logfire writes of a function or by hand; empty where it is not one.

    >>> of_logfire({"logfire.json_schema": "{}", "query": "How long?"})
    'logfire'
    >>> of_logfire({"logfire.json_schema": "{}", "gen_ai.operation.name": "chat"})
    ''
    """
    told = SCHEMA in attributes and not any(key.startswith("gen_ai.") for key in attributes)
    return LOGFIRE if told else ""
