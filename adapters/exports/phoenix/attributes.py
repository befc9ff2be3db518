"""Attributes as the instrumentation wrote them, from how Phoenix stores and lists them.

Phoenix parses the attributes that the OpenInference conventions define as JSON text, unfolds them into one attribute
for each leaf, and drops nulls, empty objects and what stands beside objects in an array. Keys with dots in such JSON
cannot be told from nesting any more. A retriever's output still holds the documents as they were, so where it agrees
with what is left of a document's metadata, the metadata is taken from there.

Source: phoenix/trace/attributes.py and phoenix/trace/otel.py of arize-phoenix 20.26.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from adapters.dialects.openinference.keys import DOCUMENTS
from adapters.dialects.otel_genai.attributes import DOCUMENTS as GEN_AI_DOCUMENTS
from adapters.dialects.otel_genai.attributes import INPUT, OUTPUT, SYSTEM

MAX_OUTPUT_CHARS = 4_000_000
"""Longest output of a retriever that is parsed to find what its documents lost."""
MAX_DEPTH = 32
"""Deepest nesting that is unfolded or folded back; Phoenix itself stops at what its JSON library takes."""

_JSON_TEXT = ("document.metadata", "llm.prompt_template.variables", "metadata", "tool.parameters")
"""Endings of the keys whose JSON text Phoenix parses (JSON_STRING_ATTRIBUTES)."""
_STRUCTURED = (INPUT, OUTPUT, SYSTEM, GEN_AI_DOCUMENTS)
"""Keys whose value may be structured by itself; Phoenix unfolds that as well."""
_RETRIEVED = DOCUMENTS["retrieved"]
_IN_OUTPUT = (_RETRIEVED, DOCUMENTS["reranked"])
_METADATA = ".document.metadata"
_FOLDED = re.compile(
    rf"((?:{'|'.join(re.escape(prefix) for prefix in DOCUMENTS.values())})\d{{1,6}}{re.escape(_METADATA)}"
    rf"|llm\.prompt_template\.variables|metadata|tool\.parameters"
    rf"|{'|'.join(re.escape(key) for key in _STRUCTURED)})\.(.+)",
    re.DOTALL,
)
_OTHER = "_metadata."
"""Phoenix goes by the end of a key, so it parses and unfolds attributes such as ``usage_metadata`` as well."""
_INDEX = re.compile(r"0|[1-9]\d{0,6}")

Leaves = list[tuple[str, Any]]


def restored(listed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a span as the instrumentation wrote them; ``listed`` are Phoenix's, flat or nested.

    >>> restored({"metadata.tenant": "acme", "metadata.lc_versions.core": "1.7", "session.id": "s-1"})
    {'session.id': 's-1', 'metadata': '{"tenant":"acme","lc_versions":{"core":"1.7"}}'}
    """
    found: dict[str, Any] = {}
    folded: dict[str, Leaves] = {}
    for key, value in listed.items():
        # A string is what nearly all are.
        for name, leaf in ((key, value),) if type(value) is str else _unfolded(key, value, MAX_DEPTH):
            if (match := _FOLDED.fullmatch(name)) is not None:
                folded.setdefault(match[1], []).append((match[2], leaf))
            elif _OTHER in name:
                prefix, _, rest = name.partition(_OTHER)
                folded.setdefault(prefix + _OTHER[:-1], []).append((rest, leaf))
            else:
                found[name] = leaf if type(leaf) is str or not name.endswith(_JSON_TEXT) else _text(leaf)
    _recover(found, folded)
    for prefix, leaves in folded.items():
        if prefix in found:
            found |= {f"{prefix}.{name}": leaf for name, leaf in leaves}
        else:
            value = nested(leaves)
            found[prefix] = value if prefix in _STRUCTURED else _text(value)
    return found


def renumbered(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Give the documents of a span that lost its oldest attributes their own numbers, where the output tells how many.

    The first documents go first, and Phoenix closes the gap: without this, one would be taken for another.

    >>> renumbered({"retrieval.documents.0.document.id": "c", "output.value": '["a", "b", "c"]'})
    {'retrieval.documents.2.document.id': 'c', 'output.value': '["a", "b", "c"]'}
    """
    total = len(_listed(attributes.get("output.value")))
    found = dict(attributes)
    for prefix in _IN_OUTPUT:
        numbers = {int(number) for key in attributes if key.startswith(prefix) and (number := _number(key, prefix))}
        gone = total - len(numbers)
        if numbers and gone > 0:
            found = {_shifted(key, prefix, gone): value for key, value in found.items()}
    return found


def _number(key: str, prefix: str) -> str:
    number = key[len(prefix) :].partition(".")[0]
    return number if _INDEX.fullmatch(number) else ""


def _shifted(key: str, prefix: str, by: int) -> str:
    number = _number(key, prefix) if key.startswith(prefix) else ""
    return f"{prefix}{int(number) + by}{key[len(prefix) + len(number) :]}" if number else key


def nested(leaves: Leaves) -> Any:
    """Fold leaves with dotted names into objects, and arrays where the names are indexes of objects.

    >>> nested([("a.b", 1), ("docs.0.id", "x"), ("docs.1.id", "y"), ("a", 2)])
    {'a': {'b': 1}, 'docs': [{'id': 'x'}, {'id': 'y'}]}
    """
    top: dict[str, Any] = {}
    for name, leaf in leaves:
        *way, last = name.split(".", MAX_DEPTH)
        holder = top
        for step in way:
            below = holder.setdefault(step, _Branch())
            if not isinstance(below, _Branch):
                break
            holder = below
        else:
            holder.setdefault(last, leaf)
    return _arrays(top)


class _Branch(dict[str, Any]):
    """An object that folding made, as opposed to one that is a leaf."""


def _arrays(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {key: _arrays(item) if isinstance(item, _Branch) else item for key, item in value.items()}
    items = list(inner.values())
    if items and all(type(item) is dict for item in items) and all(_INDEX.fullmatch(key) for key in inner):
        numbered = sorted(inner, key=int)
        if int(numbered[-1]) == len(numbered) - 1:
            return [inner[key] for key in numbered]
    return inner


def _unfolded(key: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """Yield the leaves of a nested value as Phoenix's API lists them, but leave whole what was JSON text."""
    if value is None or value != value:  # noqa: PLR0124 - NaN is how a data frame says that there is nothing
        return
    if key.endswith(_JSON_TEXT) or key in _STRUCTURED or depth == 0:
        yield key, value
    elif type(value) is dict:
        for name, item in value.items():
            yield from _unfolded(f"{key}.{name}", item, depth - 1)
    elif type(value) is list and any(type(item) is dict for item in value):
        for index, item in enumerate(value):
            if type(item) is dict:
                yield from _unfolded(f"{key}.{index}", item, depth - 1)
    else:
        yield key, value


def _recover(found: dict[str, Any], folded: dict[str, Leaves]) -> None:
    """Take the metadata of retrieved documents from the retriever's output, where it agrees with what is left of it."""
    if f"{_RETRIEVED}0.document.content" not in found and f"{_RETRIEVED}0{_METADATA}" not in folded:
        return
    for index, document in enumerate(_listed(found.get("output.value"))):
        metadata = document.get("metadata") if isinstance(document, dict) else None
        prefix = f"{_RETRIEVED}{index}{_METADATA}"
        if not isinstance(metadata, dict) or not metadata or prefix in found:
            continue
        left = folded.get(prefix, [])
        if (left or f"{_RETRIEVED}{index}.document.content" in found) and dict(_leaves("", metadata)) == dict(left):
            found[prefix] = _text(metadata)
            folded.pop(prefix, None)


def _listed(output: Any) -> list[Any]:
    """Return the documents that a step's output lists; none where it is no JSON list of any."""
    if not isinstance(output, str) or not output.startswith(("{", "[")) or len(output) > MAX_OUTPUT_CHARS:
        return []
    try:
        dumped = orjson.loads(output)
    except orjson.JSONDecodeError:
        return []
    listed = dumped.get("documents") if isinstance(dumped, dict) else dumped
    return listed if isinstance(listed, list) else []


def _leaves(prefix: str, value: Mapping[str, Any], depth: int = MAX_DEPTH) -> Iterator[tuple[str, Any]]:
    """Yield what Phoenix's API would list of ``value``."""
    for key, item in value.items():
        name = f"{prefix}{key}"
        if type(item) is dict and depth:
            yield from _leaves(f"{name}.", item, depth - 1)
        elif type(item) is list and any(type(one) is dict for one in item) and depth:
            for index, one in enumerate(item):
                if type(one) is dict:
                    yield from _leaves(f"{name}.{index}.", one, depth - 1)
        elif item is not None:
            yield name, item


def _text(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return str(value)
