"""What an index serves, chunk by chunk, as entries of a catalog: rows of any store, docstores, servers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from adapters.base import PassageKeys
from adapters.documents.passages import NO_KEYS, passage_of
from adapters.documents.shapes import documents_in
from adapters.schema import Passage
from collector.catalog.listings.notes import Notes
from collector.errors import ConfigError
from collector.outbound.errors import Unreachable
from collector.outbound.reply import Reply
from scorers.catalog import Document

MAX_ROWS = 1_000_000
MAX_FILE = 1024**3
PAGE = 500
MAX_REQUESTS = 10_000
"""Pages of answers that one listing asks a server for: one whose pages lead in a circle ends there."""


def entries_of(rows: Iterable[Mapping[str, Any]], notes: Notes, keys: PassageKeys = NO_KEYS) -> Iterator[Document]:
    """Yield an entry for each row, as stores return them, with what its metadata says of its document.

    ``keys`` are those of a user's own metadata.

    >>> facts = {"source": "/srv/a.md", "last_modified": "2026-01-01"}
    >>> [entry] = entries_of([{"id": "c1", "document": "Up to 180 EUR.", "metadata": facts}], Notes())
    >>> entry.id, entry.section, entry.text, str(entry.modified_at.date())
    ('/srv/a.md', '0', 'Up to 180 EUR.', '2026-01-01')
    """
    for number, row in enumerate(rows):
        if number >= MAX_ROWS:
            raise ConfigError(f"more than {MAX_ROWS} chunks")
        documents = documents_in([row], most=1)
        if not documents:
            notes.add("rows that are no documents, passed over", str(number))
            continue
        passage = passage_of(documents[0], id=documents[0].id or str(number), stage=None, rank=None, keys=keys)
        if passage.doc_id is None:
            notes.add("chunks that name no document, passed over", passage.id)
            continue
        yield Document(
            id=passage.doc_id,
            version=passage.version or _told_apart(passage),
            section=str(number),
            checksum=passage.checksum,
            text=passage.text or None,
            uri=passage.uri,
            modified_at=passage.modified_at,
        )


def _told_apart(passage: Passage) -> str | None:
    """Return what tells files of one name apart where their folders are not kept: Haystack's hash of a document."""
    if "/" in (passage.uri or "") or "\\" in (passage.uri or ""):
        return None
    found = (passage.metadata or {}).get("source_id")
    return found if isinstance(found, str) else None


def rows_in(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a file of JSON lines. Raises `ConfigError` for a line that is no JSON object."""
    _check(path)
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise ConfigError(f"{path}: line {number}: not JSON: {error}") from None
            if not isinstance(row, dict):
                raise ConfigError(f"{path}: line {number}: expected an object")
            yield row


def nodes_in(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the chunks of a docstore that LlamaIndex persisted (``docstore.json``). Raises `ConfigError` for others."""
    _check(path)
    try:
        nodes = orjson.loads(path.read_bytes())["docstore/data"].values()
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        raise ConfigError(f"{path}: expected the docstore.json of LlamaIndex") from None
    held = [one for node in nodes if (one := _node(node)) is not None]
    # Beside its chunks, an ingest with a docstore keeps whole documents, which nobody retrieves.
    chunks = [one for one in held if one.get("class_name") != "Document"]
    yield from chunks or held


def _node(node: Any) -> Mapping[str, Any] | None:
    held = node.get("__data__") if isinstance(node, dict) else None
    if isinstance(held, str):
        try:
            held = orjson.loads(held)
        except orjson.JSONDecodeError:
            return None
    return held if isinstance(held, dict) else None


def object_from(ask: Callable[[str, Any], Reply] | Callable[[str], Reply], path: str, *asked: Any) -> Mapping[str, Any]:
    """Return the object that a server answers with. Raises `ConfigError` for any other answer."""
    try:
        reply = ask(path, *asked)
        if not reply.ok:
            raise reply.failure()
        body = reply.json()
    except Unreachable as error:
        raise ConfigError(error.reason) from error
    if not isinstance(body, dict):
        raise ConfigError(f"{path}: expected an object")
    return body


def rows_of(page: Any, name: str) -> list[Mapping[str, Any]]:
    """Return the objects in a list of a page. Raises `ConfigError` for a page without: it is no page without rows."""
    rows = page.get(name, False) if isinstance(page, dict) else False
    if rows is None:
        return []
    if not isinstance(rows, list):
        raise ConfigError(f"an answer without a list of {name}")
    return [row for row in rows if isinstance(row, dict)]


def circular(address: str) -> ConfigError:
    """Return the error for a server whose pages have no end: what was read by then is not all there is."""
    return ConfigError(f"{address}: pages of answers lead in a circle, or are more than {MAX_REQUESTS:,}")


def _check(path: Path) -> None:
    try:
        if not path.is_file() or path.stat().st_size > MAX_FILE:
            raise ConfigError(f"{path}: expected a file of up to {MAX_FILE} bytes")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
