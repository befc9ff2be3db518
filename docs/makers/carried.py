"""Which fields of an `Answer` each source carries, which it loses and why, and which of them one answer has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adapters.dialects.base import Adapter
from adapters.dialects.langfuse import Langfuse
from adapters.dialects.langsmith import LangSmith
from adapters.dialects.openinference import LOST_BY_FRAMEWORK, OpenInference
from adapters.dialects.openllmetry import OpenLLMetry
from adapters.dialects.otel_genai.view import OtelGenAI
from adapters.schema import Answer, Passage, Usage

FIELDS: tuple[str, ...] = (
    "question",
    "history",
    "queries",
    "answer",
    "status",
    "error",
    "passages",
    "passages.text",
    "passages.score",
    "passages.metadata",
    "stages",
    "stages.rerank",
    "context",
    "citations",
    "model",
    "provider",
    "usage.prompt_tokens",
    "usage.completion_tokens",
    "usage.total_tokens",
    "usage.cost_usd",
    "usage.first_token_ms",
    "usage.latency_ms",
    "llm_calls",
    "tool_calls",
    "trace_id",
    "span_id",
    "session_id",
    "user_id",
    "framework",
    "service",
    "release",
    "environment",
    "versions.prompt",
    "versions.embedder",
    "versions.reranker",
    "started_at",
    "ended_at",
)
"""What a trace may tell of an answer, as dotted names, in the order people ask for it."""


def arrived(answer: Answer) -> frozenset[str]:
    """Return the `FIELDS` that ``answer`` has: reported, and where it is a list or a text not empty.

    >>> sorted(arrived(Answer(id="a", question="Limit?", answer="180 EUR.")))
    ['answer', 'question', 'status']
    """
    found = {name for name in FIELDS if "." not in name and getattr(answer, name) not in (None, (), "")}
    found |= {f"usage.{name}" for name in Usage.model_fields if getattr(answer.usage, name) is not None}
    found |= {f"versions.{name}" for name in answer.versions}
    for passage in answer.passages or ():
        found |= {f"passages.{name}" for name in Passage.model_fields if getattr(passage, name) not in (None, "")}
    found |= {f"stages.{stage.kind}" for stage in answer.stages or ()}
    return frozenset(found & set(FIELDS))


@dataclass(frozen=True, slots=True)
class Carrier:
    """What writes spans: an instrumentation, of one framework where that matters.

    ``name`` begins the names of its recorded traces. ``lost`` never arrives, ``seldom`` only as the note says.
    """

    name: str
    title: str
    lost: Mapping[str, str]
    seldom: Mapping[str, str] = field(default_factory=dict)


def _openinference(framework: str, title: str, seldom: Mapping[str, str]) -> Carrier:
    lost = {**OpenInference().lost, **LOST_BY_FRAMEWORK[framework]}
    return Carrier(framework, f"OpenInference, {title}", lost, seldom)


def _dialect(name: str, title: str, adapter: Adapter, seldom: Mapping[str, str]) -> Carrier:
    return Carrier(name, title, adapter.lost, seldom)


_EMBEDDED = "where the embedding of the query has a span"
_IN_METADATA = "where the retriever puts it into the document's metadata"

CARRIERS: tuple[Carrier, ...] = (
    _openinference("langchain", "LangChain", {"passages.score": _IN_METADATA, "provider": "for providers it knows"}),
    _openinference(
        "llamaindex",
        "LlamaIndex",
        {"history": "where earlier turns stand in the prompt", "versions.embedder": _EMBEDDED},
    ),
    _openinference(
        "haystack",
        "Haystack",
        {"history": "where earlier turns stand in the prompt", "versions.embedder": _EMBEDDED},
    ),
    _dialect(
        "genai",
        "OTel GenAI",
        OtelGenAI(),
        {
            "passages.text": "where its documents hold it, the prompt labels it with their id, or the catalog has it",
            "passages.metadata": "where its documents say more than the conventions' id and score",
            "context": "where its documents hold their text, or the prompt labels them with their id",
            "usage.cost_usd": "where the application prices its calls itself",
            "user_id": "where the application sets `user.id` or `enduser.id` on a span",
            "versions.prompt": "where the application names its prompt's version",
        },
    ),
    _dialect(
        "openllmetry",
        "OpenLLMetry",
        OpenLLMetry(),
        {
            "passages": "since 0.53; before, no retriever had a span",
            "passages.score": "of LlamaIndex, and of stores that tell one; else " + _IN_METADATA,
            "stages.rerank": "with LlamaIndex only",
            "usage.first_token_ms": "for clients whose instrumentation records an event a chunk",
            "versions.embedder": _EMBEDDED,
            "versions.reranker": "with LlamaIndex only",
            "versions.prompt": "with prompts from its registry",
        },
    ),
    _dialect(
        "langsmith",
        "LangSmith OTel mode",
        LangSmith(),
        {
            "usage.cost_usd": "where the application prices its calls itself",
            "passages.score": _IN_METADATA,
            "usage.first_token_ms": "from run trees: the SDK's spans have no event of a token",
            "versions.prompt": "with prompts from its hub",
        },
    ),
    _dialect("langfuse", "Langfuse SDK", Langfuse(), {}),
)
"""Every instrumentation whose spans are read, in the order of the page about them."""
