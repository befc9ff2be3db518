"""The names that documents, messages, questions and answers go by in traces: one table for every dialect.

They are those of LangChain, LlamaIndex, Haystack, the common vector stores and the APIs of model providers, and what
applications call the same things in code of their own. A name is added here, and every dialect reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeVar

T = TypeVar("T")

StepKind = Literal[
    "CHAIN", "AGENT", "RETRIEVER", "RERANKER", "LLM", "EMBEDDING", "TOOL", "PROMPT", "GUARDRAIL", "EVALUATOR", "OTHER"
]
"""What a step was. CHAIN and AGENT speak for the application; OTHER takes part in the tree only."""

DocumentList = Literal["retrieved", "reranked", "rerank_input"]
"""The lists of documents a step may report."""

TokenCount = Literal["prompt", "completion", "total"]


class Aliases:
    """What one thing is called, the most telling name first."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self._distinct = frozenset(names)

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._names)

    def within(self, holder: Mapping[str, Any]) -> list[Any]:
        """Return the values that ``holder`` has under these names.

        >>> Aliases("page_content", "text").within({"id": 1, "text": "Up to 180 EUR."})
        ['Up to 180 EUR.']
        """
        if self._distinct.isdisjoint(holder):
            return []
        return [holder[name] for name in self._names if name in holder]

    def first(self, holder: Mapping[str, Any], read: Callable[[Any], T | None]) -> T | None:
        """Return what ``read`` makes of the first value under these names that it can read.

        >>> Aliases("score", "similarity").first({"score": None, "similarity": "0.5"}, float)
        0.5
        """
        if self._distinct.isdisjoint(holder):
            return None
        for name in self._names:
            if (value := holder.get(name)) is not None and (found := read(value)) is not None:
                return found
        return None


# --- documents -------------------------------------------------------------------------------------------------------

TEXT = Aliases(
    "page_content", "pageContent", "content", "text", "document", "chunk", "passage", "body", "chunk_text", "snippet",
    "excerpt", "passage_text", "doc_text", "text_resource",
)  # fmt: skip
ID = Aliases("id", "chunk_id", "passage_id", "node_id", "id_", "_id", "uuid", "point_id", "chunkId", "key")
DOC_ID = Aliases("doc_id", "document_id", "docId", "documentId", "file_id")
VERSION = Aliases("version", "doc_version", "document_version")
SECTION = Aliases("section", "section_id", "heading")
URI = Aliases("uri", "url", "source", "source_url", "file_path")
EFFECTIVE_FROM = Aliases("effective_from", "effective_date", "valid_from")
EFFECTIVE_TO = Aliases("effective_to", "valid_to", "valid_until", "expires_at")
PUBLISHED_AT = Aliases("published_at", "publication_date", "published")
AUTHORITY = Aliases("authority")
ROLE = Aliases("role")
SUPERSEDES = Aliases("supersedes")
PERMITTED = Aliases("permitted", "permitted_for", "allowed_groups")
CHECKSUM = Aliases("checksum", "content_hash", "sha256")
SCORE = Aliases(
    "relevance_score", "relevanceScore", "rerank_score", "@search.rerankerScore", "score", "_score", "@search.score",
    "similarity", "similarity_score", "relevance", "certainty",
)  # fmt: skip
"""A reranker adds its score beside the retriever's, so it is the newer."""
METADATA = Aliases(
    "metadata", "meta", "payload", "entity", "_source", "properties", "attributes", "extra_info", "fields",
)  # fmt: skip
FACTS = Aliases(
    *DOC_ID, *VERSION, *SECTION, *URI, *EFFECTIVE_FROM, *EFFECTIVE_TO, *PUBLISHED_AT, *AUTHORITY, *ROLE, *SUPERSEDES,
    *PERMITTED, *CHECKSUM, "title", "distance",
)  # fmt: skip
"""What is metadata of a document wherever it stands: within the object of its metadata, or beside it."""
DOCUMENT = Aliases("node", "document", "doc", "kwargs", "item", "object", "chunk")
"""What holds a document of its own, beside a score."""
DOCUMENTS = Aliases(
    "documents", "docs", "passages", "chunks", "results", "matches", "hits", "nodes", "source_nodes", "sources",
    "points", "items", "records", "context", "contexts", "source_documents", "retrieved", "retrieved_documents",
    "retrievalResults", "data", "objects", "value", "rows", "articles", "snippets",
)  # fmt: skip
"""What a list of documents is called."""

# --- what was asked and answered -------------------------------------------------------------------------------------

QUESTION = Aliases(
    "question", "input", "query", "user_msg", "user_message", "user_input", "user_query", "message", "query_str",
    "query_bundle", "str_or_query_bundle", "kwargs",
)  # fmt: skip
QUERY = Aliases(
    "query", "query_str", "query_bundle", "str_or_query_bundle", "search_query", "question", "q", "input", "text",
    "kwargs",
)  # fmt: skip
"""What was searched for: perhaps a rewrite of the user's question."""
ANSWER = Aliases(
    "answer", "output", "response", "result", "output_text", "generation", "completion", "generated_text", "text",
    "content",
)  # fmt: skip
HISTORY = Aliases("chat_history", "history")
MESSAGES = Aliases("messages", "input", "prompt", "chat", "conversation", "history")
"""What a request to a model calls its conversation."""
SYSTEM = Aliases("system", "instructions")
SESSION = Aliases("session_id", "conversation_id", "thread_id")
USER = Aliases("user_id")

ROLES: Mapping[str, str] = {
    "human": "user",
    "humanmessagechunk": "user",
    "ai": "assistant",
    "aimessagechunk": "assistant",
    "model": "assistant",
}
"""Roles in other words than OpenAI's."""
