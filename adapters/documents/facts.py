"""What metadata of a passage tells of its document, by the names of `adapters.vocabulary` and a user's own.

Keys are compared folded (`adapters.vocabulary.folded`). Loaders nest some of theirs (Docling its origin, Unstructured
its data source, Bedrock the location); of several keys for one fact the most telling name comes first, then the one
that is nested less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from adapters.base import PassageKeys
from adapters.caching import cached
from adapters.documents.identity import ToldValue, document_beside, named_document
from adapters.documents.moments import last_moment_of, moment_of
from adapters.documents.places import (
    address_decoded,
    file_named,
    in_directory,
    only_of,
    points_somewhere,
    scalar_of,
    uri_of,
)
from adapters.ids import document_of_uri
from adapters.mapping import MAX_KEY
from adapters.values import number_of, parse_json, text_of
from adapters.vocabulary import (
    AUTHORITY,
    CHECKSUM,
    DOC_ID,
    EFFECTIVE_FROM,
    EFFECTIVE_TO,
    MODIFIED_AT,
    OTHER_ID,
    PERMITTED,
    PUBLISHED_AT,
    ROLE,
    SECTION,
    SUPERSEDES,
    URI,
    VERSION,
    Aliases,
    folded,
)

Facts = Mapping[str, Any]

_MAX_DEPTH = 4
_MAX_NAME = 64
"""Longest key that may be a known one."""
_MAX_OBJECT_CHARS = 20_000
"""Longest object given as a text of JSON that is looked into: stores without nested values keep them so."""
_MOST_PAIRS = 200
_PAIR_NAME, _PAIR_VALUE = Aliases("Key", "key", "Name", "name"), Aliases("Value", "value")


def _section(value: Any) -> str | None:
    """Read a section; of the headings above a passage the last."""
    return scalar_of(value[-1] if isinstance(value, list) and value else value)


def _authority(value: Any) -> float | None:
    number = None if isinstance(value, str) else number_of(value)
    return number if number is not None and 0 <= number <= 1 else None


def _texts(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, list):
        return tuple(item for item in value if text_of(item))
    return None if (text := scalar_of(value)) is None else (text,)


def _checksum(value: Any) -> str | None:
    """Read a checksum; an entity tag of HTTP without its quotes."""
    text = scalar_of(value)
    return None if text is None else text.removeprefix("W/").strip('"') or None


Reader = Callable[[Any], Any]


def _of_one(read: Reader) -> Reader:
    """Return a reader of a value, or of a list of one: what some stores make of each field."""
    return lambda value: read(only_of(value))


_FIELDS: Mapping[str, tuple[Iterable[str], Reader]] = {
    "doc_id": ((*DOC_ID, *OTHER_ID), _of_one(scalar_of)),
    "version": (VERSION, _of_one(scalar_of)),
    "section": (SECTION, _section),
    "uri": (URI, _of_one(uri_of)),
    "effective_from": (EFFECTIVE_FROM, _of_one(moment_of)),
    "effective_to": (EFFECTIVE_TO, _of_one(last_moment_of)),
    "published_at": (PUBLISHED_AT, _of_one(moment_of)),
    "modified_at": (MODIFIED_AT, _of_one(moment_of)),
    "authority": (AUTHORITY, _authority),
    "role": (ROLE, _of_one(scalar_of)),
    "supersedes": (SUPERSEDES, _texts),
    "permitted": (PERMITTED, _texts),
    "checksum": (CHECKSUM, _of_one(_checksum)),
}
"""What metadata tells of a passage: the field, its names, and what reads its value."""

_EVERYTHING = frozenset(_FIELDS)
_DOCUMENTS = ("document", "doc", "parent_document", "parent_doc", "source_document", "source_doc", "article", "page")
"""Objects that are the document itself: an ``id`` within one is its own."""
_HOLDERS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        map(
            folded,
            (
                "data_source", "origin", "location", "s3_location", "web_location", "confluence_location",
                "share_point_location", "salesforce_location", "kendra_document_location", "custom_document_location",
                "source_metadata", "file_metadata", "document_metadata", "document_attributes", "metadata", "meta",
                "source", "file", "struct_data", "derived_struct_data", "extra_info", "document_info", "file_info",
                "source_info", "resource", "drive_item", *_DOCUMENTS,
            ),
        ),
        _EVERYTHING,
    ),
    # Of a reply over HTTP.
    **dict.fromkeys(
        map(folded, ("headers", "http_headers", "response_headers")), frozenset({"modified_at", "checksum"})
    ),
    # Its number says nothing without the rest; Confluence tells within when it was made.
    "version": frozenset({"modified_at"}),
    # Haystack's facts of a Word file, whose version and revision are no names of one; what `os.stat` tells.
    **dict.fromkeys(("docx", "stat"), frozenset({"modified_at"})),
    # Its version is that of Docling's schema.
    "dlmeta": frozenset({"section"}),
}  # fmt: skip
"""Objects within metadata that tell of the document themselves, and which facts they may tell."""
_BESIDE = frozenset(map(folded, ("data_source", "dl_meta", "location", "title", "distance")))


_FIELD_OF: dict[str, tuple[str, int]] = {
    folded(name): (field, rank) for field, (names, _) in _FIELDS.items() for rank, name in enumerate(names)
}
_OTHER_IDS = frozenset(map(folded, OTHER_ID))
_WHOLE = frozenset(map(folded, _DOCUMENTS))
_LEAST = 1_000
"""Rank of a name that is put together like those of a fact: each that is listed is more telling."""
_OF_SOURCE, _BEFORE_ALL = "datasource", 2 * _LEAST
"""What Unstructured tells of the source comes before what it tells of the file that it read."""
_OF_VERSION, _MADE = "version", "createdAt"
"""When a version was made, as the second API of Confluence tells it, its document was changed."""
_PUT_TOGETHER: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "modified_at",
        re.compile(
            r"(?:source|file|document|doc|page|article|content|object|blob|item|record|entry|post|server|sys|remote)?"
            r"(?:last)?(?:modified|modification|updated|update|edited|edit|changed|change|revised|mod|commit|committed)"
            r"(?:at|on|date|time|datetime|timestamp|ts|utc|ms)+"
            r"|(?:date|time|timestamp)(?:last)?(?:modified|updated|edited|changed|revised)"
        ),
    ),
    (
        "uri",
        re.compile(
            r"(?:origin|original|public|external|view|content|resource|object|article|issue|ticket|post|wiki|kb|item|record"
            r"|doc|document|file|page|reference|ref|download|display)"
            r"(?:url|uri|link|href)"
        ),
    ),
    (
        "doc_id",
        re.compile(
            r"(?:box|dropbox|google|gdrive|googledrive|drive|onedrive|sharepoint|confluence|notion|zendesk|servicenow"
            r"|salesforce|guru|slite|gitbook|wiki|kb|knowledge)"
            r"(?:file|doc|document|page|article|item|entry|node|record|object)(?:id|key|slug)"
            r"|(?:doc|document|page|article)(?:slug|key)"
        ),
    ),
)
"""How keys are put together that loaders and people write in ever other words: last changed, on, timestamp."""
_SOURCE, _FILE_NAME = "source", "filename"
_SCHEMA_NAME = "schema_name"
"""Beside it stands the version of the schema: Docling's chunks are dumped flat, too."""


_REMOTE = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]+://")
_LOCAL_DIRECTORY, _LOCAL_DATE = "file_directory", "lastmodified"
"""What Unstructured tells of the file that it read: of a remote one the copy it was fetched into, made just then."""


class _Named(NamedTuple):
    """What a key may tell: a fact, and how telling its name is for it; as a ``holder``, which facts are within."""

    field: str | None
    rank: int
    depth: int
    holder: frozenset[str] | None
    folded: str
    of_whole: bool
    """Whether it stood within an object that is the document itself, before a store flattened that."""


@cached(4096)
def _named(name: str) -> _Named | None:
    """Return what a key may tell. One such as ``data_source.url`` was nested before a store flattened it."""
    plain, allowed, depth, of_whole, above = folded(name), _EVERYTHING, 0, False, ""
    for mark in (".", "-", "__") if plain not in _FIELD_OF else ():
        *outer, last = name.split(mark)
        if outer and all(folded(each) in _HOLDERS for each in outer):
            above = folded(outer[-1])
            plain, allowed, depth, of_whole = folded(last), _HOLDERS[above], len(outer), above in _WHOLE
            break
    field, rank = _FIELD_OF.get(plain, (None, _LEAST))
    if depth and above == _OF_SOURCE:
        rank -= _BEFORE_ALL
    holder = _HOLDERS.get(plain)
    if field is None and holder is None:
        field = next((each for each, form in _PUT_TOGETHER if form.fullmatch(plain)), None)
    if field not in allowed:
        field = None
    return None if field is None and holder is None else _Named(field, rank, depth, holder, plain, of_whole)


def is_fact(name: str) -> bool:
    """Tell whether what stands under ``name`` beside the object of a document's metadata belongs to it."""
    return len(name) <= _MAX_NAME and _is_fact(name)


@cached(4096)
def _is_fact(name: str) -> bool:
    known = _named(name)
    return (known is not None and known.field is not None and known.folded not in _OTHER_IDS) or folded(name) in _BESIDE


def named_fact(facts: Facts, field: str) -> Any:
    """Return what the keys of ``facts`` say of one field by names that mean no other thing; ``None`` for nothing.

    >>> named_fact({"Document ID": "T-1", "id": "c-1"}, "doc_id"), named_fact({"id": "c-1"}, "doc_id")
    ('T-1', None)
    """
    best: tuple[int, Any] | None = None
    for name, value in facts.items():
        if len(name) > _MAX_NAME or (known := _named(name)) is None:
            continue
        if known.field != field or known.depth or known.folded in _OTHER_IDS:
            continue
        if (best is None or known.rank < best[0]) and (read := _FIELDS[field][1](value)) is not None:
            best = known.rank, read
    return None if best is None else best[1]


def facts_told(facts: Facts, keys: PassageKeys, *, own_id: str | None, part_of: str | None) -> dict[str, Any]:
    """Return the fields of a `Passage` that metadata tells.

    ``own_id`` is the id of the passage itself, ``part_of`` that of its document, where a framework tells it beside the
    metadata.

    >>> told = facts_told({"source": "/srv/a.pdf", "moddate": "2025-03-04"}, PassageKeys(), own_id=None, part_of=None)
    >>> told["doc_id"], str(told["modified_at"])
    ('/srv/a.pdf', '2025-03-04 00:00:00+00:00')
    """
    found: dict[str, list[ToldValue]] = {}
    _gather(facts, _EVERYTHING, 0, found, of_whole=False)
    if _LOCAL_DIRECTORY in facts and "modified_at" in found and _is_remote(found.get("uri", ())):
        found["modified_at"] = [each for each in found["modified_at"] if each.name != _LOCAL_DATE or each.depth]
    told = _fields_told(found, facts)
    if keys.model_fields_set:
        told |= _mapped(facts, keys)
    file = None if "uri" in told else file_named(facts)
    identity = told.get("doc_id") or named_document(
        found.get("doc_id", ()), facts, own_id=own_id, uri=told.get("uri", file)
    )
    if identity is not None and (address := address_decoded(identity)) is not None:
        told.setdefault("uri", address)
        identity = document_of_uri(address)
    if file is not None:
        told.setdefault("uri", file)
    identity = identity or document_beside(told.get("uri"), part_of)
    if identity is not None:
        told["doc_id"] = identity
    return told


def _fields_told(found: Mapping[str, list[ToldValue]], facts: Facts) -> dict[str, Any]:
    """Return each field but the document's id by the most telling value that can be read."""
    told: dict[str, Any] = {}
    for field, values in found.items():
        if len(values) > 1:
            values.sort()
        if field != "doc_id":
            for each in values:
                if (value := _read(field, each, facts)) is not None:
                    told[field] = value if field != "uri" else _whole_path(value, values)
                    break
    return told


def text_told(facts: Facts, keys: PassageKeys) -> str | None:
    """Return the text of a passage where ``keys`` say which key holds it."""
    return next((text for key in keys.text if (text := text_of(_at(facts, key))) is not None), None)


def _gather(
    facts: Facts,
    allowed: frozenset[str],
    depth: int,
    found: dict[str, list[ToldValue]],
    *,
    of_whole: bool,
    ahead: int = 0,
) -> None:
    for name, value in facts.items():
        if value is None or len(name) > _MAX_NAME or (known := _named(name)) is None:
            continue
        field, rank, nested, holder, plain, of_a_whole = known
        if holder is not None and depth < _MAX_DEPTH and (inner := _object(value)) is not None:
            if plain == _OF_VERSION and _MADE in inner:
                inner = {**inner, "when": inner[_MADE]}
            before = _BEFORE_ALL if plain == _OF_SOURCE else ahead
            _gather(inner, holder, depth + 1, found, of_whole=plain in _WHOLE, ahead=before)
        elif field is not None and field in allowed:
            values = found.setdefault(field, [])
            values.append(ToldValue(rank - ahead, depth + nested, len(values), plain, of_whole or of_a_whole, value))


def _object(value: Any) -> Facts | None:
    if isinstance(value, str) and value.startswith("{"):
        value = parse_json(value, limit=_MAX_OBJECT_CHARS)
    if isinstance(value, list):
        return _of_pairs(value)
    return value if isinstance(value, dict) else None


def _of_pairs(pairs: list[Any]) -> Facts | None:
    """Read attributes as a list of names and values, as Amazon's services write them.

    >>> _of_pairs([{"Key": "_last_updated_at", "Value": {"DateValue": "2025-03-04"}}])
    {'_last_updated_at': '2025-03-04'}
    """
    found: dict[str, Any] = {}
    for pair in pairs[:_MOST_PAIRS]:
        if not isinstance(pair, dict) or not isinstance(name := _PAIR_NAME.first(pair, text_of), str):
            return None
        value = _PAIR_VALUE.first(pair, lambda held: held)
        found[name] = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
    return found or None


def _is_remote(places: Iterable[ToldValue]) -> bool:
    """Tell whether one of the places told is an address on another machine."""
    return any(isinstance(each.value, str) and _REMOTE.match(each.value) is not None for each in places)


def _read(field: str, each: ToldValue, facts: Facts) -> Any:
    """Read a value; ``None`` too for what bears the name of a fact and is another thing."""
    value = _FIELDS[field][1](each.value)
    if value is None:
        return None
    if field == "uri" and each.name == _SOURCE and not points_somewhere(value):
        return None
    if field == "version" and _SCHEMA_NAME in facts:
        return None
    return in_directory(value, facts) if each.name == _FILE_NAME else value


def _whole_path(uri: str, told: Iterable[ToldValue]) -> str:
    """Return the path of a file that is told by its name first: Obsidian's ``source`` and ``path``."""
    if "/" in uri:
        return uri
    end = f"/{uri}"
    return next((each.value for each in told if isinstance(each.value, str) and each.value.endswith(end)), uri)


def _mapped(facts: Facts, keys: PassageKeys) -> dict[str, Any]:
    """Return what metadata says under a user's own keys."""
    told: dict[str, Any] = {}
    for field in keys.model_fields_set & _EVERYTHING:
        read = _FIELDS[field][1]
        for key in getattr(keys, field):
            if (value := read(_at(facts, key))) is not None:
                told[field] = value
                break
    return told


def _at(facts: Any, key: str) -> Any:
    """Return what stands under ``key``, however it is spelled; a dot leads into an object."""
    holder = _object(facts)
    if holder is None:
        return None
    if key in holder:
        return holder[key]
    wanted = folded(key)
    for name, value in holder.items():
        if len(name) <= MAX_KEY and folded(name) == wanted:
            return value
    outer, dot, inner = key.partition(".")
    return _at(_at(holder, outer), inner) if dot else None
