"""Which fields of an `Answer` each source carries, which it loses and why, and which of them one answer has."""

from __future__ import annotations

from adapters import ADAPTERS
from adapters.dialects.base import Carrier
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
    "response_ids",
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


CARRIERS: tuple[Carrier, ...] = tuple(carrier for adapter in ADAPTERS for carrier in adapter.carriers)
"""Every instrumentation whose spans are read, in the order of the registry."""
