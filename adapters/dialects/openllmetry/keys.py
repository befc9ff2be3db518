"""The names OpenLLMetry writes.

Source: traceloop/openllmetry, opentelemetry-semantic-conventions-ai 0.4 and 0.5, and the instrumentations that use it.
"""

from __future__ import annotations

from collections.abc import Mapping

from adapters.caching import cached
from adapters.vocabulary import StepKind, TokenCount

KIND = "traceloop.span.kind"
ENTITY = "traceloop.entity.name"
ENTITY_INPUT, ENTITY_OUTPUT = "traceloop.entity.input", "traceloop.entity.output"
GIVEN = ("tool.arguments", ENTITY_INPUT, "gen_ai.task.input", "gen_ai.tool.call.arguments")
RETURNED = (ENTITY_OUTPUT, "gen_ai.task.output", "gen_ai.tool.call.result")
"""What went in and out of a step, under its own name and since 0.53 under one or the other of the GenAI ones too; what
LlamaIndex calls a tool with has a name of its own."""
TOOLS = ("gen_ai.tool.name", "tool.name", ENTITY)
PROPERTIES = "traceloop.association.properties."
"""Run metadata, and what the application sets with ``set_association_properties``."""

REQUEST_TYPE = "llm.request.type"
PROMPT, COMPLETION = "gen_ai.prompt.", "gen_ai.completion."
"""Messages before 0.55, flattened."""

TEMPLATE = "traceloop.prompt.template"
TEMPLATE_VARIABLES = "traceloop.prompt.template_variables"
TEMPLATE_VERSIONS = ("traceloop.prompt.version", "traceloop.prompt.version_hash")

DATABASE = "db.system"
RESULT_EVENTS = ("db.query.result", "db.search.result")
CHUNK_EVENTS = ("llm.content.completion.chunk", "gen_ai.content.completion.chunk")

OLDER_TOKENS: Mapping[TokenCount, str] = {
    "prompt": "gen_ai.usage.prompt_tokens",
    "completion": "gen_ai.usage.completion_tokens",
    "total": "llm.usage.total_tokens",
}

KINDS: Mapping[str, StepKind] = {"workflow": "CHAIN", "task": "CHAIN", "agent": "AGENT", "tool": "TOOL"}
OPERATIONS: Mapping[str, StepKind] = {
    "chat": "LLM",
    "text_completion": "LLM",
    "completion": "LLM",
    "generate_content": "LLM",
    "embeddings": "EMBEDDING",
    "embedding": "EMBEDDING",
    "vector_db_retrieve": "RETRIEVER",
    "rerank": "RERANKER",
}
"""The operations, and the request types before there were any, that tell more than the span's kind."""
OTHER_OPERATIONS: Mapping[str, StepKind] = {"invoke_agent": "AGENT", "execute_tool": "TOOL"}
"""Those of spans without a kind: LangGraph's. Creating an agent, a hook and a hop between nodes are no steps."""

_PREFIX = "opentelemetry.instrumentation."
_SCOPES = frozenset(
    [
        "agno",
        "alephalpha",
        "anthropic",
        "bedrock",
        "chromadb",
        "cohere",
        "crewai",
        "groq",
        "haystack",
        "lancedb",
        "langchain",
        "llamaindex",
        "marqo",
        "milvus",
        "mistralai",
        "ollama",
        "openai",
        "pinecone",
        "qdrant",
        "replicate",
        "sagemaker",
        "together",
        "transformers",
        "voyageai",
        "watsonx",
        "weaviate",
        "writer",
    ]
)
"""The instrumentations of OpenLLMetry, without those that share their name with one of OpenTelemetry's own (Vertex AI,
OpenAI's agents): both kinds follow the conventions."""
SDK = "traceloop.tracer"
"""The scope of decorated functions."""
_JAVASCRIPT = "@traceloop/"
"""What begins the scopes of the packages for JavaScript: of the SDK, and of clients of models and stores."""

_UNKNOWN = frozenset({"", "unknown"})
_NO_PROVIDERS = frozenset({"langchain", "langgraph", "base_component", "", "unknown"})
"""Frameworks, and the class that LlamaIndex's models have in common."""


@cached(maxsize=256)
def instrumented(scope: str) -> str | None:
    """Return what the instrumentation of ``scope`` watches: ``langchain``, ``openai``, ``chromadb``.

    >>> instrumented("opentelemetry.instrumentation.openai.v1"), instrumented("opentelemetry.instrumentation.openai_v2")
    ('openai', None)
    """
    if not scope.startswith(_PREFIX):
        return None
    name = scope[len(_PREFIX) :].partition(".")[0]
    return name if name in _SCOPES else None


def is_traceloops(scope: str) -> bool:
    """Tell whether OpenLLMetry or the Traceloop SDK wrote the spans of ``scope``."""
    return scope == SDK or scope.startswith(_JAVASCRIPT) or instrumented(scope) is not None


def known(name: str | None) -> str | None:
    """Return a model's name, unless it is the word for having none."""
    return None if name is None or name.lower() in _UNKNOWN else name


def served(name: str | None) -> str | None:
    """Return a provider's name, unless it is only the framework's."""
    return None if name is None or name.lower() in _NO_PROVIDERS else name
