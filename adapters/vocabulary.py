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


_SIGNS = str.maketrans("", "", "_- @")


def folded(name: str) -> str:
    """Return what a name is compared by where loaders, stores and people spell it in ways of their own.

    >>> {folded(name) for name in ("last edited time", "lastEditedTime", "Last-Edited-Time", "@last_edited_time")}
    {'lasteditedtime'}
    """
    return name.translate(_SIGNS).lower()


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
    "excerpt", "passage_text", "doc_text", "text_resource", "body_content",
)  # fmt: skip
EXTRACTS = Aliases("extracts", "snippets", "extractive_segments", "extractive_answers", "partitions", "highlights")
"""Lists of what was found within one document, where a row holds no text of its own."""
ID = Aliases("id", "chunk_id", "passage_id", "node_id", "id_", "_id", "uuid", "point_id", "chunkId", "key")
DOC_ID = Aliases(
    "doc_id", "document_id", "ref_doc_id", "source_document_id", "parent_document_id", "parent_doc_id",
    "source_doc_id", "file_id", "page_id", "article_id", "knowledge_article_id", "issue_key", "ticket_id",
    "kb_number", "post_id", "sys_id", "document_number", "document_no", "doc_no", "metadata_spo_item_id",
)  # fmt: skip
"""A ``kb_id`` is left out: it is as often that of a whole knowledge base."""
OTHER_ID = Aliases("source_id", "parent_id", "id")
"""Within metadata these may name the document, or something else: `adapters.documents.facts` tells which."""
VERSION = Aliases(
    "version", "doc_version", "document_version", "file_version", "page_version", "source_version", "version_id",
    "version_number", "revision", "revision_id", "rev",
)  # fmt: skip
SECTION = Aliases("section", "section_id", "heading", "headings")
URI = Aliases(
    "uri", "url", "source", "source_url", "source_uri", "document_url", "document_uri", "doc_url", "file_url",
    "page_url", "web_url", "html_url", "canonical_url", "permalink", "web_view_link", "web_link", "source_link",
    "drive_link", "link", "href", "loc", "metadata_storage_path", "x_amz_bedrock_kb_source_uri", "s3_uri", "gcs_uri",
    "blob_url", "source_path", "source_file", "file_path", "full_path", "relative_path", "absolute_path", "path",
    "path_display", "metadata_spo_item_weburi", "metadata_spo_item_path", "file_name", "file", "object_key",
)  # fmt: skip
"""What points to the document itself before what is only the name of a file."""
EFFECTIVE_FROM = Aliases(
    "effective_from", "effective_date", "effective_start", "effective_start_date", "effective_since", "effective_on",
    "effective_at", "valid_from", "valid_since", "validity_start", "in_force_from", "in_force_since",
    "gültig_ab", "gueltig_ab", "gültig_von", "gueltig_von", "gültig_seit", "gueltig_seit", "in_kraft_ab",
    "in_kraft_seit", "en_vigueur_depuis", "date_d'effet", "date_d_effet", "valable_du", "valable_à_partir_du",
    "valable_a_partir_du",
)  # fmt: skip
EFFECTIVE_TO = Aliases(
    "effective_to", "effective_until", "effective_end", "effective_end_date", "valid_to", "valid_until", "valid_till",
    "valid_through", "validity_end", "in_force_until", "expires_at", "expires_on", "expiry_date", "expiration_date",
    "gültig_bis", "gueltig_bis", "in_kraft_bis", "valable_jusqu'au", "valable_jusqu_au", "valide_jusqu'au",
    "en_vigueur_jusqu'au", "date_d'expiration", "date_d_expiration",
)  # fmt: skip
"""A bare ``expires`` is left out: of an object in a store it says how long a copy may be cached."""
PUBLISHED_AT = Aliases(
    "published_at", "publication_date", "published", "published_on", "published_date", "publish_date",
    "date_published", "article:published_time", "pub_date",
)  # fmt: skip
MODIFIED_AT = Aliases(
    "modified_at", "last_modified_at", "last_modified", "last_modified_date", "last_modified_time",
    "last_modified_date_time", "modified", "date_modified", "modified_date", "modified_time", "modified_on",
    "modification_date", "modification_time", "source_modified_at", "file_modified_at", "updated_at",
    "last_updated_at", "last_updated", "last_updated_date", "last_updated_time", "last_update", "updated",
    "updated_on", "updated_date", "updated_time", "date_updated", "update_time", "update_date", "last_edited_time",
    "last_edited_at", "last_edited", "edited_at", "last_changed", "changed_at", "metadata_storage_last_modified",
    "article:modified_time", "dcterms:modified", "server_modified", "mtime", "file_mtime", "st_mtime", "last_mod",
    "moddate", "/moddate", "xmp:modify_date", "pdf:docinfo:modified", "last_save_date",
    "metadata_spo_item_last_modified", "mtime_ns", "st_mtime_ns", "when",
    "geändert_am", "geaendert_am", "zuletzt_geändert", "zuletzt_geaendert", "zuletzt_geändert_am", "letzte_änderung",
    "letzte_aenderung", "änderungsdatum", "aenderungsdatum", "aktualisiert_am", "modifié_le", "modifie_le",
    "date_de_modification", "dernière_modification", "derniere_modification", "mis_à_jour_le", "mis_a_jour_le",
)  # fmt: skip
"""When the source was last changed. When it was made, read, crawled or indexed is none of it, nor is a bare
``timestamp`` or ``date``."""
AUTHORITY = Aliases("authority")
ROLE = Aliases("role")
SUPERSEDES = Aliases("supersedes")
PERMITTED = Aliases("permitted", "permitted_for", "allowed_groups")
CHECKSUM = Aliases(
    "checksum", "content_hash", "sha256", "content_sha256", "file_sha256", "sha256_hash", "content_md5", "file_md5",
    "md5_checksum", "md5_hash", "md5", "metadata_storage_content_md5", "file_hash", "document_hash", "source_hash",
    "binary_hash", "sha1", "sha1_hash", "sha512", "sha", "blob_sha", "etag",
)  # fmt: skip
"""Of the source. A bare ``hash`` is left out: LangChain and LlamaIndex call the hash of a chunk so."""
SCORE = Aliases(
    "relevance_score", "relevanceScore", "rerank_score", "@search.rerankerScore", "score", "_score", "@search.score",
    "similarity", "similarity_score", "relevance", "certainty",
)  # fmt: skip
"""A reranker adds its score beside the retriever's, so it is the newer."""
METADATA = Aliases(
    "metadata", "meta", "payload", "entity", "_source", "properties", "attributes", "extra_info", "fields",
    "cmetadata", "langchain_metadata", "derivedStructData", "derived_struct_data",
)  # fmt: skip
DOCUMENT = Aliases(
    "node", "document", "doc", "kwargs", "item", "object", "chunk", "segment", "embedded", "record", "resource"
)
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
    "query_bundle", "str_or_query_bundle", "task", "user_task", "user_prompt", "prompt", "new_message", "kwargs",
)  # fmt: skip
QUERY = Aliases(
    "query", "query_str", "query_bundle", "str_or_query_bundle", "search_query", "question", "q", "input", "text",
    "kwargs",
)  # fmt: skip
"""What was searched for: perhaps a rewrite of the user's question."""
ANSWER = Aliases(
    "answer", "final_answer", "output", "response", "result", "raw", "final_output", "output_text", "generation",
    "completion", "generated_text", "reply", "text", "content",
)  # fmt: skip
HISTORY = Aliases("chat_history", "history")
MESSAGES = Aliases("messages", "input", "prompt", "chat", "conversation", "history")
"""What a request to a model calls its conversation."""
SYSTEM = Aliases("system", "instructions", "system_instruction", "systemInstruction")
SESSION = Aliases(
    "session_id", "conversation_id", "thread_id", "sessionId", "conversationId", "threadId", "chat_id", "chatId"
)
USER = Aliases("user_id", "userId")

ROLES: Mapping[str, str] = {
    "human": "user",
    "humanmessagechunk": "user",
    "ai": "assistant",
    "aimessagechunk": "assistant",
    "model": "assistant",
    "tool-call": "assistant",
    "tool-response": "tool",
    "tool_execution_result": "tool",
    "chatbot": "assistant",
}
"""Roles in other words than OpenAI's."""
