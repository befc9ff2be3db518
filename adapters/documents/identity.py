"""Which document metadata names: an id of its own, and not that of a chunk, a row, another page or a single ingest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from adapters.documents.places import only_of, scalar_of
from adapters.ids import document_of_uri
from adapters.vocabulary import OTHER_ID, folded

_RANDOM_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX_DIGEST = re.compile(r"[0-9a-fA-F]{40,128}")
_PART_OF_FILE = re.compile(r"(.+)_part_\d+", re.DOTALL)
"""What LlamaIndex makes of the path of a file that it read in parts, such as pages (``filename_as_id``)."""
_OTHER_IDS = frozenset(map(folded, OTHER_ID))
_OF_ELEMENTS = frozenset({"element_id", "category", "filetype", "languages"})
"""What stands beside Unstructured's ``parent_id``, which is another element of the document."""
_OF_PAGES = frozenset(map(folded, ("parent_type", "space_id", "space_key", "space", "child_pages", "ancestors")))
"""What stands beside the id of a page above another, as wikis and content systems keep them."""
_OF_LLAMAINDEX = ("_node_content", "_node_type")
"""What LlamaIndex writes to a store beside the id of the document that a node was cut from."""
_OF_ROW = "_id"
"""What MongoDB, Elasticsearch and LangChain for Qdrant call a record of a store: of a chunk, not of its document."""
_PARTS = ("chunk", "nodeid", "splitid", "elementid")
"""How keys begin that are of a chunk alone."""


class ToldValue(NamedTuple):
    """A value that may tell a fact, in the order in which those of one fact are asked."""

    rank: int
    depth: int
    order: int
    name: str
    of_whole: bool
    value: Any


def is_random(identity: str) -> bool:
    """Tell whether an id was drawn, as frameworks draw one anew with each ingest.

    >>> is_random("0b6c2b8e-6d1c-4c1e-9a55-3f0f5f1f7a10"), is_random("travel-policy")
    (True, False)
    """
    return _RANDOM_UUID.fullmatch(identity) is not None


def named_document(
    told: Iterable[ToldValue], facts: Mapping[str, Any], *, own_id: str | None, uri: str | None
) -> str | None:
    """Return the id that metadata gives the document; ``None`` where it gives none, or its ``uri`` says it better.

    >>> qdrant = {"_id": "c-7", "source": "/srv/a.md"}
    >>> named_document([ToldValue(9, 0, 0, "id", False, "c-7")], qdrant, own_id=None, uri="/srv/a.md") is None
    True
    """
    for each in told:
        value = scalar_of(only_of(each.value))
        if value is None:
            continue
        if each.name not in _OTHER_IDS:
            return _outlasting(value, facts, uri)
        if _is_of_a_document(each, value, facts, own_id, uri):
            return value
    return None


def document_beside(uri: str | None, part_of: str | None) -> str | None:
    """Return the document by what a framework tells beside metadata, else by its URI, which outlives a random id."""
    named = scalar_of(part_of)
    if named is not None and (uri is None or not _is_of_ingest(named, uri)):
        return named
    return None if uri is None else document_of_uri(uri)


def _outlasting(named: str, facts: Mapping[str, Any], uri: str | None) -> str | None:
    """Return an id that is not of a single ingest; LlamaIndex keeps those under the same names in every store."""
    if uri is None or not _is_of_ingest(named, uri):
        return named
    return None if not is_random(named) or any(name in facts for name in _OF_LLAMAINDEX) else named


def _is_of_ingest(named: str, uri: str) -> bool:
    """Tell whether an id was drawn for one ingest, or is that of a part of the file at ``uri``."""
    if is_random(named):
        return True
    part = _PART_OF_FILE.fullmatch(named)
    return part is not None and part[1] == uri


def _is_drawn(identity: str, uri: str) -> bool:
    """Tell whether an id is random and not that of the page itself, as Notion puts it into the address."""
    return is_random(identity) and identity.replace("-", "").lower() not in uri.replace("-", "").lower()


def _is_of_a_document(
    each: ToldValue, value: str, facts: Mapping[str, Any], own_id: str | None, uri: str | None
) -> bool:
    """Tell whether an id that may be of a document or of a part of it is that of a document.

    An ``id`` is not where it is the passage's own, that of a row or drawn, where it leads through the URI to one of
    its states (Google's generations), or where it stands beside facts of a chunk. A ``parent_id`` is not where it is
    that of another element or page, or of a larger chunk, by its hash; where an ``id`` stands beside it and nothing
    says which of them is the document's, neither is taken. A ``source_id`` is not where it is Haystack's hash, which
    changes with the text; nor where a URI tells, as it may name a connector with all its documents.
    """
    if each.depth:
        return each.of_whole and each.name == "id"
    names = set(map(folded, facts))
    of_chunk = any(name.startswith(_PARTS) for name in names)
    if each.name == "id":
        if value in (own_id, scalar_of(facts.get(_OF_ROW))) or of_chunk or _is_of_either(names):
            return False
        return uri is None or not (_is_drawn(value, uri) or value.startswith(f"{uri}/"))
    if _HEX_DIGEST.fullmatch(value) is not None:
        return False
    if each.name == "parentid":
        return _OF_ELEMENTS.isdisjoint(facts) and (
            of_chunk or (_OF_PAGES.isdisjoint(names) and scalar_of(facts.get("id")) in (None, own_id))
        )
    return "split_id" not in facts and uri is None


def _is_of_either(names: set[str]) -> bool:
    """Tell whether an ``id`` beside a ``parent_id`` may be of a chunk or of a page, and nothing says which."""
    return "parentid" in names and _OF_PAGES.isdisjoint(names)
