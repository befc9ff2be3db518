"""A file of a source as an entry of the catalog: its text, and what its front matter says of it."""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from adapters.base import PassageKeys
from adapters.documents.facts import facts_told
from collector.catalog.listings.notes import Notes
from scorers.catalog import Document
from scorers.catalog.html import seen_text
from scorers.text.yamltext import YamlError, YamlMapping, read_yaml

MAX_TEXT = 2 * 1024 * 1024
"""Bytes of a file whose text is listed; of a larger one only checksum and date are."""
MAX_FRONT = 64 * 1024
VERSION = 12
"""Digits of a checksum that are the version of a file that names none."""
_TAKEN = ("version", "effective_from", "effective_to", "role", "supersedes", "permitted")
_LAST_MOMENT = 999_999
_SET_ASIDE = frozenset({
    "draft", "archived", "deprecated", "obsolete", "retired", "withdrawn", "superseded",
    "entwurf", "archiviert", "veraltet", "brouillon", "archivé", "obsolète",
})  # fmt: skip
"""What documents are called, or marked as, that do not govern yet or any more."""
_NO_KEYS = PassageKeys()
_FRONT = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n")
_HTML = frozenset({".html", ".htm", ".xhtml"})
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def uri_of(name: str, base: str) -> str:
    """Return where a file lies: its name below ``base``, escaped where that is an address.

    >>> uri_of("a b.md", "https://docs.test/"), uri_of("a b.md", "/srv/docs")
    ('https://docs.test/a%20b.md', '/srv/docs/a b.md')
    """
    return f"{base.rstrip('/')}/{quote(name) if '://' in base else name}"


def entry_of(data: bytes, *, name: str, base: str, modified_at: datetime | None, notes: Notes) -> Document:
    r"""Return the entry of a file: its name is the id and its checksum the version, unless front matter says others.

    >>> data = b"---\nid: HR-1\nversion: 4.10\neffective_from: 2026-01-01\n---\nLeave is 20 days."
    >>> entry = entry_of(data, name="hr/leave.md", base="/srv", modified_at=None, notes=Notes())
    >>> entry.reference, entry.uri, str(entry.effective_from.date())
    ('HR-1@4.10', '/srv/hr/leave.md', '2026-01-01')
    """
    checksum = sha256(data).hexdigest()
    text = _text(data, name, notes)
    front = {} if text is None else front_matter(text, name, notes)
    facts = facts_told(front, _NO_KEYS, own_id=None, part_of=None) if front else {}
    told: dict[str, Any] = {key: facts[key] for key in _TAKEN if key in facts}
    start, end = told.get("effective_from"), told.get("effective_to")
    if end is not None and end.microsecond == _LAST_MOMENT:  # of a day; an entry governs up to its end, and not at it
        end = told["effective_to"] = end + timedelta(microseconds=1)
    if start is not None and end is not None and start >= end:
        notes.add("effective_to is not after effective_from; both ignored", name)
        del told["effective_from"], told["effective_to"]
    if start is None and end is None and _is_set_aside(front):
        notes.add("marked as draft, archived or obsolete without effective dates, listed as in force", name)
    title = front.get("title")
    if text is not None and PurePosixPath(name).suffix.lower() in _HTML:
        text = seen_text(text)
    named = facts["doc_id"] if "doc_id" in facts and facts.get("doc_id") != facts.get("uri") else name
    return Document(
        **{"version": checksum[:VERSION], **told},
        id=str(named),
        title=title if isinstance(title, str) else None,
        authority=_authority(front.get("authority"), name, notes),
        checksum=checksum,
        text=text or None,
        uri=uri_of(name, base),
        modified_at=modified_at,
    )


def _is_set_aside(front: Mapping[str, Any]) -> bool:
    """Tell whether front matter says that a document does not govern, and not until or from when.

    >>> _is_set_aside({"status": "Archived"}), _is_set_aside({"draft": True}), _is_set_aside({"draft": "false"})
    (True, True, False)
    """
    return any(
        value is True or str(value).casefold() in ("true", "yes", *_SET_ASIDE)
        if key.casefold() in _SET_ASIDE
        else str(value).casefold() in _SET_ASIDE
        for key, value in front.items()
        if key.casefold() in (*_SET_ASIDE, "status", "state")
    )


def front_matter(text: str, name: str, notes: Notes) -> dict[str, Any]:
    """Return what stands between two lines ``---`` (YAML) or ``+++`` (TOML) at the head of a text, untyped."""
    head = _FRONT.match(text)
    if head is None:
        return {}
    mark = head.group(1)
    lines = text[head.end() : head.end() + MAX_FRONT].splitlines()
    end = next((at for at, line in enumerate(lines) if line.rstrip() == mark), None)
    if end is None:
        return {}
    block = "\n".join(lines[:end])
    try:
        found = read_yaml(block) if mark == "---" else tomllib.loads(block)
    except (YamlError, tomllib.TOMLDecodeError, RecursionError):
        notes.add("front matter that cannot be read, ignored", name)
        return {}
    pairs = found.pairs if isinstance(found, YamlMapping) else found.items() if isinstance(found, dict) else ()
    return {key: _plain(value) for key, value in pairs}


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return None if isinstance(value, YamlMapping | dict) else value


def _authority(value: Any, name: str, notes: Notes) -> float | None:
    if value is None:
        return None
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = -1.0
    if 0 <= found <= 1:
        return found
    notes.add("authority is not from 0 to 1, ignored", name)
    return None


def _text(data: bytes, name: str, notes: Notes) -> str | None:
    if len(data) > MAX_TEXT:
        notes.add(f"larger than {MAX_TEXT} bytes, listed without text", name)
        return None
    encoding = "utf-16" if data.startswith(_UTF16) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        notes.add("not UTF-8, listed without text", name)
        return None
    if "\0" in text:
        notes.add("binary, listed without text", name)
        return None
    return text
