"""One row is one passage in every registered dialect, carried as its own recordings carry documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from adapters import ADAPTERS
from adapters.assembly.messages import Message
from adapters.assembly.view import Reading
from adapters.dialects.base import Adapter
from adapters.documents.passages import Documents, Identities, passage_of
from adapters.documents.shapes import documents_in
from adapters.files.read import records
from adapters.schema import Passage
from adapters.trace import Span
from adapters.values import parse_json

TRACES = Path(__file__).parents[1] / "golden" / "traces"
READING = Reading(cap=None, json_limit=1_000_000)
ONLY = "the only one"
TEXT = "Up to 180 EUR a night."
FACTS = {"doc_id": "TRV-1", "version": "2", "effective_from": "2025-01-01", "url": "https://x.example/trv-1"}

SHAPES: dict[str, Any] = {
    "LangChain's document": {"id": "T-1", "page_content": TEXT, "metadata": FACTS, "type": "Document"},
    "LangChain's document as a constructor": {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "document", "Document"],
        "kwargs": {"id": "T-1", "page_content": TEXT, "metadata": FACTS, "type": "Document"},
    },
    "LlamaIndex's node": {
        "node": {"id_": "T-1", "embedding": None, "metadata": FACTS, "text": TEXT, "class_name": "TextNode"},
        "score": 0.5,
        "class_name": "NodeWithScore",
    },
    "LlamaIndex's node as a text of JSON": json.dumps(
        {"node": {"id_": "T-1", "metadata": FACTS, "text": TEXT}, "score": 0.5}
    ),
    "Haystack's document": {"id": "T-1", "content": TEXT, "meta": FACTS, "score": 0.5, "embedding": None},
    "Haystack's document, flat": {"id": "T-1", "content": TEXT, "blob": None, "score": 0.5, **FACTS},
    "an id and a text": {"id": "T-1", "text": TEXT, **FACTS},
    "an id that is a number, a score that is a text": {"id": 7, "text": TEXT, "score": "0.5", "metadata": FACTS},
    "metadata as a text of JSON": {"id": "T-1", "text": TEXT, "metadata": json.dumps(FACTS)},
    "metadata as Python prints it": {"id": "T-1", "text": TEXT, "metadata": str(FACTS)},
    "facts beside the metadata": {"id": "T-1", "text": TEXT, "metadata": {"version": "2"}, **FACTS},
    "names of the author's own": {"chunk_id": "T-1", "chunk": TEXT, "similarity": 0.5, **FACTS},
    "a document and its score": [{"id": "T-1", "text": TEXT, "metadata": FACTS}, 0.5],
    "a document under its score": {"document": {"id": "T-1", "text": TEXT, "metadata": FACTS}, "relevance_score": 0.5},
    "Pinecone's match": {"id": "T-1", "score": 0.5, "values": [], "metadata": {**FACTS, "text": TEXT}},
    "Qdrant's point": {"id": 7, "score": 0.5, "payload": {**FACTS, "page_content": TEXT}, "vector": None},
    "Elasticsearch's hit": {"_id": "T-1", "_score": 0.5, "_index": "x", "_source": {**FACTS, "content": TEXT}},
    "Milvus's hit": {"id": 7, "distance": 0.2, "entity": {**FACTS, "text": TEXT}},
    "OpenAI's result": {"id": "T-1", "score": 0.5, "attributes": FACTS, "content": [{"type": "text", "text": TEXT}]},
    "Chroma's columns": {
        "ids": [["T-1"]],
        "documents": [[TEXT]],
        "metadatas": [[FACTS]],
        "distances": [[0.2]],
        "embeddings": None,
    },
}


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of the lists of documents in a parsed attribute, outermost first."""
    if isinstance(value, list) and value and isinstance(value[0], dict | str) and documents_in(value, most=1):
        yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*path, key))


def _put(value: Any, path: tuple[Any, ...], what: Any) -> Any:
    if not path:
        return what
    return {**value, path[0]: _put(value[path[0]], path[1:], what)}


def _documents(adapter: Adapter, span: Span) -> Documents | None:
    view = adapter.view(span, READING)
    return view.documents("retrieved", most=10) if view.kind == "RETRIEVER" else None


def _ids(adapter: Adapter, span: Span) -> list[str | None]:
    return [document.id for document in _documents(adapter, span) or ()]


@cache
def recorded() -> list[Span]:
    paths = sorted(path for path in TRACES.glob("*.otlp.pb") if ".logs." not in path.name)
    return [span for path in paths for span in records(path.read_bytes()) if isinstance(span, Span)]


HOLDING = tuple(
    adapter for adapter in ADAPTERS if adapter.dialect not in ("vercel_ai", "google_adk", "openllmetry_crewai")
)
"""The dialects whose spans hold documents: agents of the others have tools, whose results are read elsewhere."""


@cache
def carrier(adapter: Adapter) -> tuple[Span, str, tuple[Any, ...]]:
    """A recorded span, stripped to the one attribute that holds documents, and the place of their list in it."""
    for span in recorded():
        if next((each for each in ADAPTERS if each.claims(span)), None) is not adapter:
            continue
        for key, raw in span.attributes.items() if _documents(adapter, span) else ():
            structured = raw if isinstance(raw, list) and raw and isinstance(raw[0], dict) else None
            value = parse_json(raw, limit=len(raw)) if isinstance(raw, str) else structured
            for path in _places(value):
                marked = {**span.attributes, key: json.dumps(_put(value, path, [{"id": ONLY}]))}
                # What tells the kind of step may be more than one attribute: those of the documents go first.
                for name in sorted([*span.attributes] * 2, key=lambda name: "kind" in name):
                    less = {other: value for other, value in marked.items() if other != name}
                    if name != key and ONLY in _ids(adapter, replace(span, attributes=less)):
                        marked = less
                if _ids(adapter, replace(span, attributes=marked)) == [ONLY]:
                    return replace(span, attributes={**marked, key: value}), key, path
    pytest.fail(f"no recorded trace of {adapter.dialect} has documents in an attribute")


def passages(adapter: Adapter, rows: Any) -> list[Passage]:
    span, key, path = carrier(adapter)
    text = json.dumps(_put(span.attributes[key], path, rows))
    documents = _documents(adapter, replace(span, attributes={**span.attributes, key: text}))
    assert documents is not None
    identities = Identities(scope="t")
    return [passage_of(each, id=identities.of(each), stage=None, rank=each.index) for each in documents]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("adapter", HOLDING, ids=lambda adapter: adapter.dialect)
def test_a_row_is_the_same_passage_in_every_dialect(adapter: Adapter, shape: str) -> None:
    row = SHAPES[shape]
    rows = row if shape == "Chroma's columns" else [row]
    (passage,) = passages(adapter, rows)
    assert passage.text == TEXT
    assert passage.id == ("7" if isinstance(row, dict) and row.get("id") == 7 else "T-1")
    assert passage.score == (0.5 if "0.5" in json.dumps(row) else None)
    assert (passage.doc_id, passage.version, passage.uri) == ("TRV-1", "2", FACTS["url"])
    assert passage.effective_from is not None
    metadata = dict(passage.metadata or {})
    assert metadata.pop("distance", 0.2) == 0.2
    assert metadata == FACTS
    assert passages(adapter, rows) == passages(ADAPTERS[0], rows)


@pytest.mark.parametrize("adapter", HOLDING, ids=lambda adapter: adapter.dialect)
def test_an_id_and_a_text_are_a_passage(adapter: Adapter) -> None:
    (passage,) = passages(adapter, [{"id": "T-1", "text": TEXT}])
    assert (passage.id, passage.text, passage.metadata) == ("T-1", TEXT, None)


@pytest.mark.parametrize("adapter", HOLDING, ids=lambda adapter: adapter.dialect)
def test_texts_alone_are_passages_and_what_stands_beside_rows_is_none(adapter: Adapter) -> None:
    assert [passage.text for passage in passages(adapter, [TEXT, "By train."])] == [TEXT, "By train."]
    assert [passage.text for passage in passages(adapter, [{"text": TEXT}, "T-1", None, 3])] == [TEXT]


CONVERSATIONS: dict[str, list[Any]] = {
    "OpenAI's messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How much?"}],
    "OpenAI's parts": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "input_text", "text": "How much?"}]},
    ],
    "the parts of the conventions": [
        {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
        {"role": "user", "parts": [{"type": "text", "content": "How much?"}]},
    ],
    "LangChain's dump": [
        {"type": "system", "content": "Be brief."},
        {"type": "human", "data": {"content": "How much?"}},
    ],
    "LangChain's constructors": [
        {"lc": 1, "type": "constructor", "id": ["langchain", f"{name}Message"], "kwargs": {"content": text}}
        for name, text in (("System", "Be brief."), ("Human", "How much?"))
    ],
    "LlamaIndex's blocks": [
        {"role": "system", "blocks": [{"block_type": "text", "text": "Be brief."}]},
        {"role": "user", "blocks": [{"block_type": "text", "text": "How much?"}]},
    ],
    "pairs": [["system", "Be brief."], ["human", "How much?"]],
}
REQUESTS: dict[str, tuple[dict[str, Any], str, bool]] = {
    "langfuse": ({"langfuse.observation.type": "generation"}, "langfuse.observation.input", True),
    "langsmith": ({"langsmith.span.kind": "llm"}, "gen_ai.prompt", True),
    "openllmetry": ({"llm.request.type": "chat"}, "gen_ai.input.messages", False),
    "otel_genai": ({"gen_ai.operation.name": "chat"}, "gen_ai.input.messages", False),
}
"""Attributes of a model call, the one that holds what the model was given, and whether that is a whole request.

OpenInference flattens messages into attributes of its own.
"""


@pytest.mark.parametrize("shape", CONVERSATIONS)
@pytest.mark.parametrize("dialect", REQUESTS)
def test_a_conversation_is_the_same_messages_in_every_dialect(dialect: str, shape: str) -> None:
    attributes, key, whole = REQUESTS[dialect]
    given = {"messages": CONVERSATIONS[shape]} if whole else CONVERSATIONS[shape]
    span = Span("t", "s", None, "chat", 1, 2, {**attributes, key: json.dumps(given)})
    (adapter,) = (each for each in ADAPTERS if each.dialect == dialect)
    assert adapter.claims(span)
    assert adapter.view(span, READING).inputs == (Message("system", "Be brief."), Message("user", "How much?"))
