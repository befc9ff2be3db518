"""Where a document lies, by what its metadata say: an address, a path, the name of a file, an object in a store."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from binascii import Error
from collections.abc import Mapping
from typing import Any

from adapters.values import parse_json, text_of
from adapters.vocabulary import Aliases, folded

_MAX_NAME = 64
"""Longest key that may be a known one."""
_MAX_URI = 2_048
_NOTHING = frozenset({"", "none", "null", "nan", "nat", "undefined", "n/a"})
"""What loaders and stores write where there is nothing: LlamaIndex ``"None"``, pandas ``nan``."""
_SHORT = 12
"""Characters within which such a word stands, with blanks around it."""
_OPENING = ('["', "['", "[ ")
_MAX_LIST_CHARS = 20_000
_ENDING = re.compile(r"[^\s.]\.[A-Za-z][A-Za-z0-9]{0,4}\Z")
_PAGED = (".pdf", ".docx", ".pptx", ".txt")
"""Files to whose name Vertex AI Search glues the number of a page."""
_ENCODED = "aHR0c"
"""How ``http`` begins in base64."""
_FILED = tuple(map(folded, ("document_name", "document", "doc_name", "doc", "source_document", "source_doc")))
"""Keys under which plain loaders put the name of the file, where no key tells it by itself."""
_PROSE = re.compile(r"[.!?:;,]\s")
"""What a sentence has, and the name of a file hardly."""
_DIRECTORY = Aliases("file_directory", "absolute_directory_path", "directory_path", "directory", "folder_path")
_BUCKET = Aliases("bucket", "bucket_name", "Bucket", "s3_bucket", "gcs_bucket", "container", "container_name")
_OBJECT = Aliases("key", "Key", "object_name", "blob_name", "object", "blob", "name")


def only_of(value: Any) -> Any:
    """Return the one thing in a list of one, also in one that a store without lists keeps as a text; else ``value``.

    >>> only_of(["/srv/a.md"]), only_of('["/srv/a.md"]'), only_of(["a", "b"]), only_of("[draft] plan.md")
    ('/srv/a.md', '/srv/a.md', ['a', 'b'], '[draft] plan.md')
    """
    if isinstance(value, str):
        if not value.startswith(_OPENING) or not isinstance(listed := parse_json(value, limit=_MAX_LIST_CHARS), list):
            return value
        value = listed
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def scalar_of(value: Any) -> str | None:
    """Return a text or a number as text; ``None`` for what says that there is nothing.

    >>> scalar_of(7), scalar_of("None")
    ('7', None)
    """
    if not isinstance(value, str):
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    text = text_of(value)
    return None if text is None or (len(text) <= _SHORT and text.strip().lower() in _NOTHING) else text


def uri_of(value: Any) -> str | None:
    """Read where a document lies: decoded where Azure AI Search made a key of it, and without a glued page.

    >>> uri_of("gs://b/travel.pdf:3"), uri_of("nan")
    ('gs://b/travel.pdf', None)
    """
    text = scalar_of(value)
    if text is None:
        return None
    if (address := address_decoded(text)) is not None:
        return address
    bare = text.rstrip("0123456789")
    if bare != text and (name := bare.removesuffix(":")).lower().endswith(_PAGED):
        return name
    return text


def address_decoded(text: str) -> str | None:
    """Return the address that Azure AI Search made a key of: base64 for URLs, perhaps with the count of its padding.

    >>> address_decoded("aHR0cHM6Ly9oLzE1"), address_decoded("travel.md")
    ('https://h/15', None)
    """
    if not text.startswith(_ENCODED):
        return None
    for digits in (text.rstrip("="), text[:-1]):
        try:
            found = urlsafe_b64decode(digits + "=" * (-len(digits) % 4)).decode()
        except (Error, ValueError):
            continue
        if found.isprintable():
            return found
    return None


def points_somewhere(text: str) -> bool:
    """Tell whether ``text`` is an address, a path or the name of a file, not what a source is called.

    >>> [points_somewhere(text) for text in ("s3://b/a", "a.md", "handbook.pdf", "langchain", "Travel policy")]
    [True, True, True, False, False]
    """
    if len(text) > _MAX_URI or "\n" in text:
        return False
    return "/" in text or "\\" in text or text.startswith("urn:") or _ENDING.search(text, len(text) - 7) is not None


def file_named(facts: Mapping[str, Any]) -> str | None:
    """Return the file or address that plain loaders put under a key that names the whole document.

    A text there that points nowhere is the document's own: Chroma and others have it under ``document``.

    >>> file_named({"document": "leave.md", "page": 2}), file_named({"document": "Parental leave is 16 weeks."})
    ('leave.md', None)
    """
    named = [
        (_FILED.index(plain), name, told)
        for name, value in facts.items()
        if isinstance(value, str)
        and len(name) <= _MAX_NAME
        and (plain := folded(name)) in _FILED
        and (told := uri_of(value)) is not None
        and points_somewhere(told)
        and not _PROSE.search(told)
    ]
    return min(named)[2] if named else _stored_at(facts)


def _stored_at(facts: Mapping[str, Any]) -> str | None:
    """Return where an object lies in a store, told by its bucket and its name: as S3, Google and Azure list them.

    >>> _stored_at({"Bucket": "policies", "Key": "travel.md"}), _stored_at({"name": "Ada", "id": 7})
    ('policies/travel.md', None)
    """
    bucket, name = _BUCKET.first(facts, text_of), _OBJECT.first(facts, text_of)
    return f"{bucket}/{name}" if bucket and name and points_somewhere(name) else None


def in_directory(name: str, facts: Mapping[str, Any]) -> str:
    """Return the path of a file whose name and directory are told apart, as Unstructured and LangChain4j do.

    >>> in_directory("a.md", {"file_directory": "/srv"}), in_directory("a.md", {})
    ('/srv/a.md', 'a.md')
    """
    directory = _DIRECTORY.first(facts, text_of)
    return name if directory is None or "/" in name else f"{directory.rstrip('/')}/{name}"
