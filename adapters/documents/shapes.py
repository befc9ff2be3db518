"""The documents in what a step returned, in whatever shape its framework, store or author wrote them.

Frameworks dump theirs to JSON or print them; hand-written code returns what its index gives: rows of its own, or the
answer of a vector store. Every dialect reads documents here, by the names of `adapters.vocabulary`: the same row is the
same passage whoever carries it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from adapters.documents.columns import rows_of
from adapters.documents.facts import is_fact, named_fact
from adapters.documents.passages import Documents, RetrievedDocument
from adapters.quirks import haystack, llamaindex
from adapters.values import dig, is_repr, number_of, parse_json, parse_literal, text_of
from adapters.vocabulary import DOCUMENT, DOCUMENTS, EXTRACTS, ID, METADATA, SCORE, TEXT, folded

RERANKS = re.compile(r"re[-_ ]?rank", re.IGNORECASE)
RETRIEVES = re.compile(r"retriev|search|look[-_ ]?up|fetch[-_ ]?(?:doc|passage|chunk|context)|similar", re.IGNORECASE)
"""What functions that rerank or retrieve are called, where nothing but their name and result tells what they are."""

_UNTOLD = frozenset({
    "type", "embedding", "sparse_embedding", "vector", "values", "lc", "rank", "index", "blob", "dataframe", "mimetype",
    "score_set",
})  # fmt: skip
"""What stands beside a document's text and tells nothing of it."""
_OWN = frozenset({*ID, *SCORE, *METADATA, *_UNTOLD})
_SOURCE_OF_NODE = "1"
"""LlamaIndex's number of the relationship between a node and the document that it was cut from."""
_HOLDING = frozenset(METADATA)
_OF_STORES = frozenset({"payload", "_source", "fields", "entity", "properties"})
"""What the stores Qdrant, Elasticsearch, Milvus and Weaviate call the fields of a record."""
_MAX_DEPTH = 4
_MOST_PARTS = 5
_MAX_NAME = 20
"""Longest name that a text goes by."""
_TEXTS = frozenset(map(folded, TEXT))
_SPACE = re.compile(r"\s")
_MAX_LITERAL_CHARS = 200_000
"""Longest object printed by Python that is read: reading it takes far longer than reading JSON."""


def documents_in(value: Any, *, most: int) -> Documents | None:
    """Return the first ``most`` documents of what a step returned; ``None`` where it holds no list of them.

    >>> documents_in([{"chunk": "Up to 180 EUR.", "chunk_id": "T-1", "similarity": 0.8}], most=10)
    (RetrievedDocument(index=0, id='T-1', text='Up to 180 EUR.', score=0.8, metadata=None, known=None),)
    >>> documents_in({"results": []}, most=10), documents_in({"count": 3}, most=10)
    ((), None)
    """
    items = _items(value, 0)
    return None if items is None else documents_among(items, most=most)


def documents_or_text(value: Any, *, most: int) -> Documents | None:
    """Return the documents of what a function returned; a context it joined into one text is one passage."""
    if isinstance(value, str):
        document = document_of(0, value)
        return None if document is None else (document,)
    return documents_in(value, most=most)


def documents_among(items: Sequence[Any], *, most: int) -> Documents | None:
    """Return the documents among the first ``most`` of ``items``; ``None`` where there are items, and none is one.

    A mere text is a document where all are; beside rows it may be anything.
    """
    rows = any(isinstance(item, dict) for item in items)
    documents: list[RetrievedDocument] = []
    for index, item in enumerate(items[:most]):
        if not (rows and isinstance(item, str)) and (document := document_of(index, item)) is not None:
            documents.append(document)
    if items and not documents:
        return None
    return _with_similarities(_without_distances(tuple(documents), items), items)


def lists_documents(value: Any) -> bool:
    """Tell whether ``value`` holds a list of documents; a mere text is none here.

    >>> lists_documents([{"text": "Up to 180 EUR."}]), lists_documents("Up to 180 EUR."), lists_documents([])
    (True, False, False)
    """
    return bool(documents_in(value, most=1))


def is_named_search(name: str, output: Any) -> bool:
    """Tell whether a mere function retrieved: it is called so, and gave back documents, or none of a list.

    >>> is_named_search("retrieve", [{"text": "Up to 180 EUR."}]), is_named_search("ask", [{"text": "180 EUR."}])
    (True, False)
    """
    return RETRIEVES.search(name) is not None and (output == [] or lists_documents(output))


def reranked_in(value: Any, inputs: Documents, *, most: int) -> Documents | None:
    """Return what a reranker returned; places in its input, as reranking services give them, stand for what is there.

    >>> a, b = RetrievedDocument(0, "a"), RetrievedDocument(1, "b")
    >>> reranked_in({"results": [{"index": 1, "relevance_score": 0.9}]}, (a, b), most=5)
    (RetrievedDocument(index=0, id='b', text=None, score=0.9, metadata=None, known=None),)
    """
    items = _items(value, 0)
    if not items or not inputs or not all(_is_place(item, len(inputs)) for item in items):
        return documents_or_text(value, most=most)
    return tuple(
        replace(inputs[item["index"]], index=index, score=SCORE.first(item, number_of))
        for index, item in enumerate(items[:most])
    )


def lists_in(value: Any, depth: int = 0) -> Iterator[list[Any]]:
    """Yield the lists in ``value`` that may be of documents: root > component > socket > list."""
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict) and depth < _MAX_DEPTH:
        for item in value.values():
            yield from lists_in(item, depth + 1)


def document_of(index: int, item: Any, depth: int = 0) -> RetrievedDocument | None:
    """Read one document: a row, one wrapped with its score, a text, or what Python prints of a framework's object.

    >>> document_of(0, {"node": {"id_": "T-1", "text": "Up to 180 EUR.", "metadata": {}}, "score": "0.5"})
    RetrievedDocument(index=0, id='T-1', text='Up to 180 EUR.', score=0.5, metadata={}, known=None)
    >>> document_of(1, "<NodeWithScore(node=TextNode(id_=a#1), score=0.5)>").id
    'a#1'
    """
    if isinstance(item, dict):
        for inner in DOCUMENT.within(item) if depth < _MAX_DEPTH else ():
            if isinstance(inner, dict) and (document := document_of(index, inner, depth + 1)) is not None:
                if document.text is None and _text_among(item)[1] is not None:
                    continue  # what the text beside it is of
                return _within(item, inner, document)
        return _row(index, item)
    if isinstance(item, str):
        return _written(index, item, depth)
    if isinstance(item, list) and depth < _MAX_DEPTH:
        if (pair := _pair(item)) is None:
            return _tuple(index, item)
        document = document_of(index, pair[0], depth + 1)
        return document if document is None or document.score is not None else replace(document, score=pair[1])
    return None


def _within(item: Mapping[str, Any], inner: Mapping[str, Any], document: RetrievedDocument) -> RetrievedDocument:
    """Return a document with what stands beside it: its score, its id, and facts that it does not tell itself."""
    score = SCORE.first(item, number_of)
    facts = document.metadata or {}
    beside = {
        key: value
        for key, value in item.items()
        if value is not None and value is not inner and _stands_beside(key, facts)
    }
    return replace(
        document,
        score=document.score if score is None else score,
        id=document.id or ID.first(item, _name),
        metadata={**facts, **beside} if beside else document.metadata,
    )


def _row(index: int, item: Mapping[str, Any]) -> RetrievedDocument | None:
    text_key, text = _text_among(item)
    given, of_store = _metadata(item, texts=text is None)
    facts: dict[str, Any]
    if given is None:
        facts = {key: value for key, value in item.items() if key not in _OWN and key != text_key}
    else:
        facts = dict(given)
        if text is None:
            # Stores without a column for the text keep it among the metadata.
            text_key, text = _text_among(given)
            facts.pop(text_key, None)
        facts |= {
            key: value
            for key, value in item.items()
            if value is not None and _stands_beside(key, facts) and not (of_store and folded(key) == "version")
        }
    identity = ID.first(item, _name)
    if text is None and identity is None and named_fact(facts, "doc_id") is None:
        return None
    if identity is None and named_fact(facts, "version") is None:
        identity = named_fact(item, "doc_id")
    metadata = facts if facts or given is not None else None
    part_of = _name(dig(item, "relationships", _SOURCE_OF_NODE, "node_id")) if "relationships" in item else None
    return RetrievedDocument(index, identity, text, SCORE.first(item, number_of), metadata, part_of=part_of)


def _metadata(item: Mapping[str, Any], *, texts: bool) -> tuple[Mapping[str, Any] | None, bool]:
    """Return a row's metadata, and whether a store keeps them: a version beside is then that of its record.

    Where a row has no text, its metadata are what holds one: beside Weaviate's properties stand data of the search.
    """
    if _HOLDING.isdisjoint(item):
        return None, False
    held = [(name, found) for name in METADATA if name in item and (found := _object(item[name])) is not None]
    if not held:
        return None, False
    if len(held) == 1:
        name, chosen = held[0]
        return chosen, name in _OF_STORES
    name, chosen = next((each for each in held if texts and _text_among(each[1])[1] is not None), held[0])
    record = dict(held).get("_source", chosen)
    return chosen if record is chosen else {**record, **chosen}, name in _OF_STORES


def _stands_beside(key: str, facts: Mapping[str, Any]) -> bool:
    """Tell whether a key is that of a fact that stands beside the metadata, and not within them."""
    return key not in _HOLDING and key not in facts and is_fact(key)


def _written(index: int, text: str, depth: int) -> RetrievedDocument | None:
    """Read a document that is a text: as it is, as JSON that LlamaIndex dumps its nodes to, or as Python prints one.

    Python cuts the text where it prints a document: id and score are all that is taken from there.
    """
    if is_repr(text):
        printed = haystack.printed_document(text) or llamaindex.printed_node(text)
        return None if printed is None else RetrievedDocument(index, id=printed[0], score=printed[1])
    if text.startswith("{") and depth < _MAX_DEPTH and isinstance(row := parse_json(text, limit=len(text)), dict):
        return document_of(index, row, depth + 1)
    return None if text_of(text) is None else RetrievedDocument(index, text=text)


def _items(value: Any, depth: int) -> list[Any] | None:
    """Find the list of documents: ``value`` itself, or under one of the names such lists bear."""
    if isinstance(value, list):
        # One list in another: the answers to one query of a batch.
        inner = len(value) == 1 and isinstance(value[0], list) and all(isinstance(item, dict) for item in value[0])
        return value[0] if inner and value[0] else value
    if not isinstance(value, dict) or depth >= _MAX_DEPTH:
        return None
    if (rows := rows_of(value)) is not None:
        return rows
    return DOCUMENTS.first(value, lambda held: _items(held, depth + 1))


def _is_place(item: Any, size: int) -> bool:
    """Tell whether ``item`` is a place in a list of ``size`` instead of a document."""
    if not isinstance(item, dict) or type(place := item.get("index")) is not int or not 0 <= place < size:
        return False
    return not any(text_of(value) for names in (TEXT, ID) for value in names.within(item))


def _text_among(row: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the name and the text of a row: plain, as an object or a list that holds it, or what was found within."""
    for name in TEXT:
        if (value := row.get(name)) is not None and (text := _text(value)) is not None:
            return name, text
    for name, value in row.items():
        spelled = len(name) <= _MAX_NAME and name not in _TEXTS and folded(name) in _TEXTS
        if spelled and (text := _text(value)) is not None:
            return name, text
    for name in EXTRACTS:
        if (text := _extracts(row.get(name))) is not None:
            return name, text
    return "", None


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, dict):
        return text_of(value.get("text", value.get("value")))
    if isinstance(value, list):
        parts = [part["text"] if isinstance(part, dict) else part for part in value if _is_part(part)]
        return text_of("\n".join(parts))
    return None


def _is_part(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and isinstance(value.get("text"), str))


def _extracts(value: Any) -> str | None:
    """Return the texts of a list of what was found within a document."""
    if not isinstance(value, list):
        return None
    texts = (_text_among(part)[1] if isinstance(part, dict) else _text(part) for part in value)
    return text_of("\n".join(text for text in texts if text is not None))


def _object(value: Any) -> Mapping[str, Any] | None:
    """Return an object, given as one, as JSON, or as Python prints it."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, str) or not value.startswith("{"):
        return None
    parsed = parse_json(value, limit=len(value))
    if parsed is None and value.startswith("{'"):
        parsed = parse_literal(value, limit=_MAX_LITERAL_CHARS)
    return parsed if isinstance(parsed, dict) else None


def _name(value: Any) -> str | None:
    """Return a name: a text, or a whole number."""
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _pair(item: list[Any]) -> tuple[Any, float] | None:
    """Read (document, number), or (number, document)."""
    if len(item) != 2:  # noqa: PLR2004 - a pair
        return None
    for document, number in (item, item[::-1]):
        if isinstance(number, int | float) and not isinstance(number, bool) and isinstance(document, dict | str):
            read = number_of(number)
            return None if read is None else (document, read)
    return None


def _tuple(index: int, item: list[Any]) -> RetrievedDocument | None:
    """Read a document's parts in a row: one text of several words, perhaps an id, metadata and a number.

    >>> _tuple(0, ["T-1", "Up to 180 EUR.", {"section": "4"}, 0.8])
    RetrievedDocument(index=0, id='T-1', text='Up to 180 EUR.', score=0.8, metadata={'section': '4'}, known=None)
    """
    if len(item) > _MOST_PARTS:
        return None
    texts = [part for part in item if isinstance(part, str) and _SPACE.search(part.strip())]
    names = [part for part in item if isinstance(part, str) and part and not _SPACE.search(part.strip())]
    facts = [part for part in item if isinstance(part, dict)]
    numbers = [part for part in item if isinstance(part, int | float) and not isinstance(part, bool)]
    known = len(texts) + len(names) + len(facts) + len(numbers)
    if len(texts) != 1 or max(len(names), len(facts), len(numbers)) > 1 or known != len(item) or not facts + numbers:
        return None
    return RetrievedDocument(
        index,
        names[0] if names else None,
        text_of(texts[0]),
        number_of(numbers[0]) if numbers else None,
        metadata=facts[0] if facts else None,
    )


def _with_similarities(documents: Documents, items: Sequence[Any]) -> Documents:
    """Take what stores call a distance for a score where it falls from the best to the worst: Milvus's by cosine.

    >>> rows = [{"id": "a", "text": "A.", "distance": 0.9}, {"id": "b", "text": "B.", "distance": 0.7}]
    >>> [d.score for d in documents_among(rows, most=5)], [d.score for d in documents_among(rows[::-1], most=5)]
    ([0.9, 0.7], [None, None])
    """
    if len(documents) < 2 or len(documents) != len(items) or dig(items[0], "distance") is None:  # noqa: PLR2004
        return documents
    if any(each.score is not None for each in documents):
        return documents
    found = [number_of(item.get("distance")) if isinstance(item, dict) else None for item in items]
    falling = all(a is not None and b is not None and a >= b for a, b in pairwise(found))
    if not falling or found[0] == found[-1]:
        return documents
    return tuple(replace(document, score=number) for document, number in zip(documents, found, strict=True))


def _without_distances(documents: Documents, items: Sequence[Any]) -> Documents:
    """Take the numbers off documents paired with them that rise from the best to the worst: they are distances."""
    if not items or not isinstance(items[0], list) or not all(isinstance(item, list) for item in items):
        return documents
    scores = [document.score for document in documents]
    rising = all(a is not None and b is not None and a <= b for a, b in pairwise(scores))
    if len(scores) > 1 and rising and scores[0] != scores[-1]:
        return tuple(replace(document, score=None) for document in documents)
    return documents
