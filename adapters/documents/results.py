"""What a tool that searches gave back, as documents: rows, documents of a framework, MCP content, or text.

A result that is neither a list of documents nor text is one passage of its JSON: it is what the model was shown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from adapters.documents.below import listed_below
from adapters.documents.passages import Documents, RetrievedDocument, numbered
from adapters.documents.shapes import document_of, documents_among, documents_in
from adapters.documents.written import says_nothing_was_found, says_that_it_failed, told_apart
from adapters.values import json_text, parse_json, parse_literal, plain, text_of
from adapters.vocabulary import DOCUMENTS, Aliases

_MAX_DEPTH = 6
_MAX_LITERAL = 200_000
"""Longest printed objects that are read: reading them takes far longer than reading JSON."""
_STRUCTURED = Aliases("structuredContent", "structured_content")
_WRAPPED = Aliases("result", "results", "output", "response", "value", "data", "kwargs", "return_value", "tool_output")
_TEXT_PARTS = frozenset({"text", "output_text", "input_text"})
_PRINTED = re.compile(r"\[?\s*Document\(")
_BY_CHANCE = re.compile(r"lc_[0-9a-f-]{36}")
"""The ids that LangChain gives the parts of a message by chance: they are of no document."""
_FAILED = ("isError", "is_error")
_RESPONSE_KEYS = frozenset({"id", "name", "response", "will_continue", "scheduling", "parts"})
"""What Google's API puts around the response of a function."""


def documents_found(value: Any, *, most: int, depth: int = 0) -> Documents | None:
    """Return what a search gave back; ``()`` where it found nothing, ``None`` where nobody wrote its result down.

    >>> documents_found({"content": [{"type": "text", "text": "Up to 180 EUR."}]}, most=9)[0].text
    'Up to 180 EUR.'
    >>> documents_found('[{"id": "T-1", "content": "Up to 180 EUR."}]', most=9)[0].id, documents_found("[]", most=9)
    ('T-1', ())
    >>> documents_found({"rate": 0.19, "country": "DE"}, most=9)[0].text
    '{"rate":0.19,"country":"DE"}'
    """
    if value is None or depth >= _MAX_DEPTH:
        return None
    if isinstance(value, str):
        return _of_text(value, most, depth)
    if isinstance(value, dict):
        return _of_object(value, most, depth)
    if isinstance(value, list):
        return _of_list(value, most, depth)
    return _one(value)


def _of_text(text: str, most: int, depth: int) -> Documents | None:
    stripped = text.strip()
    if not stripped or says_nothing_was_found(stripped) or says_that_it_failed(stripped):
        return ()
    if stripped.startswith(("{", "[", '"')):
        parsed = parse_json(stripped, limit=len(stripped))
        if parsed is None:
            parsed = _of_json_lines(stripped) or parse_literal(stripped, limit=_MAX_LITERAL)
        if parsed is not None and not isinstance(parsed, int | float):
            return documents_found(parsed, most=most, depth=depth + 1)
    if _PRINTED.match(stripped) and (printed := _printed(stripped, most)):
        return printed
    return tuple(
        RetrievedDocument(index, each.id, each.text, metadata=each.facts)
        for index, each in enumerate(told_apart(stripped)[:most])
    )


def _of_json_lines(text: str) -> list[Any] | None:
    """Read an object to a line."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not all(line.lstrip().startswith("{") for line in lines):  # noqa: PLR2004 - lines
        return None
    rows = [parse_json(line, limit=len(line)) for line in lines]
    return rows if all(isinstance(row, dict) for row in rows) else None


def _of_object(value: Mapping[str, Any], most: int, depth: int) -> Documents | None:
    if any(value.get(key) is True for key in _FAILED) or ("error" in value and not DOCUMENTS.within(value)):
        return ()
    if isinstance(inner := value.get("data", value.get("kwargs")), dict) and "content" in inner:
        return _of_message(inner, most, depth)
    if value.get("type") == "tool" or "tool_call_id" in value:
        return _of_message(value, most, depth)
    if (told := _unwrapped(value)) is not None:
        return documents_found(told, most=most, depth=depth + 1)
    return _of_row(value, most, depth)


def _unwrapped(value: Mapping[str, Any]) -> Any:
    """Return what MCP, the AI SDK and LlamaIndex put around a result: its structured content first, then its parts."""
    if isinstance(returned := value.get("tool_output"), dict) and "tool_name" in value:
        return returned  # as LlamaIndex tells its agents of a call
    structured = _STRUCTURED.first(value, lambda held: held if isinstance(held, dict | list) else None)
    if structured is not None:
        return structured
    content = value.get("content", value.get("blocks"))
    if isinstance(content, list) and _are_parts(content):
        return content
    if "response" in value and value.keys() <= _RESPONSE_KEYS:
        return value["response"]
    if value.keys() == {"json"}:  # a part of Bedrock's
        return value["json"]
    return value.get("value") if value.get("type") in ("text", "json", "content") else None


def _of_row(value: Mapping[str, Any], most: int, depth: int) -> Documents | None:
    if (listed := documents_in(value, most=most)) is not None and (not listed or _have_texts(listed)):
        return listed
    if (single := document_of(0, value)) is not None and single.text is not None:
        return (single,)
    if (below := listed_below(value, most=most)) is not None:
        return below
    if len(value) == 1 or "result" in value:
        for held in _WRAPPED.within(value):
            if isinstance(held, dict | list | str) and (found := documents_found(held, most=most, depth=depth + 1)):
                return found
    return _one(value)


def _of_message(message: Mapping[str, Any], most: int, depth: int) -> Documents | None:
    """Read a dumped message of a tool: what it handed on beside its content tells more than the content."""
    artifact = message.get("artifact")
    if isinstance(artifact, list) and artifact:
        documents = documents_among([item for item in artifact if isinstance(item, dict)], most=most)
        if documents and len(documents) == min(len(artifact), most) and _have_texts(documents):
            return documents
    return documents_found(message.get("content"), most=most, depth=depth + 1)


def _of_list(value: list[Any], most: int, depth: int) -> Documents | None:
    if not value:
        return ()
    if _are_parts(value):
        texts = [text for part in value if (text := text_of(part.get("text", part.get("content")))) is not None]
        found: list[RetrievedDocument] = []
        for text in texts:
            found += documents_found(text, most=most, depth=depth + 1) or ()
        return numbered(found[:most])
    if all(isinstance(part, dict) and part.keys() in ({"json"}, {"text"}) for part in value):
        found = [each for part in value for each in documents_found(part, most=most, depth=depth + 1) or ()]
        return numbered(found[:most])
    documents = documents_among(value, most=most)
    if documents is not None and len(documents) == min(len(value), most) and _have_texts(documents):
        return documents
    if all(isinstance(item, str) for item in value):
        found = []
        for item in value[:most]:
            found += _of_text(item, most, depth + 1) or ()
        return numbered(found[:most])
    rows = [row for item in value[:most] if (row := _one(item)) is not None]
    return numbered([row[0] for row in rows]) if rows else None


def _are_parts(value: Sequence[Any]) -> bool:
    """Tell whether a list is of the parts of a message's content."""
    return bool(value) and all(
        isinstance(part, dict)
        and (part.get("type", part.get("block_type")) in _TEXT_PARTS or part.keys() == {"text"})
        and not part.keys() & {"score", "metadata"}
        and ("id" not in part or _BY_CHANCE.fullmatch(str(part["id"])) is not None)
        for part in value
    )


def _have_texts(documents: Documents) -> bool:
    return all(document.text is not None for document in documents)


def _one(value: Any) -> Documents | None:
    """Return a result of any other form as one passage."""
    known = document_of(0, value) if isinstance(value, dict | list) else None
    if known is not None and known.text is not None:
        return (known,)
    text = text_of(json_text(value))
    if text is None:
        return None
    return (RetrievedDocument(0, None if known is None else known.id, text),)


def _printed(text: str, most: int) -> Documents | None:
    """Read documents that Python printed whole: ``Document(metadata={..}, page_content='..')``, one or a list."""
    if len(text) > _MAX_LITERAL:
        return None
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    rows = []
    for call in (tree.elts if isinstance(tree, ast.List) else [tree])[:most]:
        if not isinstance(call, ast.Call):
            return None
        try:
            rows.append({word.arg: plain(ast.literal_eval(word.value)) for word in call.keywords if word.arg})
        except (ValueError, MemoryError, RecursionError):
            return None
    documents = documents_among(rows, most=most)
    return documents if documents and len(documents) == len(rows) and _have_texts(documents) else None
