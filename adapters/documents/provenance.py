"""Where a passage of plain text says that it comes from: in the lines before it, in the last one, or in its heading.

What stands there is a fact of the document and stays in the text, which is what the model was shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_LINES = 6
"""How many lines may tell of a document before its text."""
_MAX_LINE, _MAX_NAME = 300, 40
_FIELD = re.compile(
    r"[-*•>#\s]{0,4}\*{0,2}(?P<key>[A-Za-z][A-Za-z _-]{1,24}?)\*{0,2}[ \t]?:\*{0,2}[ \t]+(?P<value>\S.*)"
)
_FIELD_LINE = re.compile(r"^[ \t#*-]{0,8}(?P<key>[A-Za-z][A-Za-z ]{1,24}?)[ \t]?:", re.MULTILINE)
_NOTE = re.compile(r"\((?P<key>[A-Za-z][A-Za-z _-]{1,24}):[ \t]?(?P<value>[^()]{1,200})\)")
_ADDRESS = re.compile(r"(?:https?|s3|gs|file|abfss?|sharepoint)://[^\s<>()\[\]\"']{3,250}")
_PATH = re.compile(r"[\w/@+-][\w.@+/ -]{0,120}")
_ENDINGS = frozenset({
    "md", "mdx", "rst", "txt", "pdf", "doc", "docx", "ppt", "pptx", "xls", "xlsx", "csv", "htm", "html", "adoc", "org",
    "json", "yml", "yaml", "xml",
})  # fmt: skip
_HEADED = re.compile(
    r"^[ \t]{0,8}[#=*-]{1,10}[ \t]{1,4}(?P<place>[^\s#=*][^\n#=*]{2,200}?)[ \t]{0,4}[#=*-]{0,10}[ \t]{0,4}$",
    re.MULTILINE,
)
_BEFORE = re.compile(r"\((?P<place>[^()\n]{3,200})\)[ \t:]")
_TITLED = re.compile(r"[\u2013\u2014|:(<-]\s{0,3}\Z")
"""What stands between a title and an address."""
_DECORATED = " \t#*_-=`:()[]<>\u2013\u2014|"
_WHERE = frozenset({
    "source", "url", "uri", "link", "file", "filename", "file name", "path", "file path", "document url", "source url",
    "source file", "location", "doc id", "document id", "permalink",
})  # fmt: skip
"""Names of lines that tell where a text comes from: without one of them the lines are of the text."""
_ELSE = frozenset({
    "title", "document", "section", "page", "version", "revision", "last modified", "modified", "last updated",
    "updated", "date modified", "last edited", "score", "description", "author", "type", "id", "published", "name",
    "heading",
})  # fmt: skip


def is_place(text: str) -> bool:
    """Tell whether a text is the name of a file, or an address.

    >>> is_place("travel.md"), is_place("https://docs.test/1"), is_place("TRV-1@2.0")
    (True, True, False)
    """
    if _ADDRESS.fullmatch(text) is not None:
        return True
    return text.rpartition(".")[2].lower() in _ENDINGS and _PATH.fullmatch(text) is not None


def headings(text: str) -> list[re.Match[str]]:
    """Return the headings that are the name of a file, or an address: each begins what is of another document."""
    return [heading for heading in _HEADED.finditer(text) if is_place(heading["place"])]


def told_of_whole(text: str) -> Mapping[str, str] | None:
    r"""Return what a text that is not told apart says of its document, where it does so once.

    >>> told_of_whole("Source: a.md\n180 EUR\nSource: b.md\n60 EUR") is None
    True
    """
    places = [found for found in _FIELD_LINE.finditer(text) if found["key"].lower() in _WHERE]
    return told_of(text) if len(places) <= 1 else None


def told_of(text: str) -> Mapping[str, str] | None:
    r"""Return what a passage tells of its document; ``None`` where it does not say where it comes from.

    >>> told_of("Source: travel.md\nLast modified: 2025-03-04\nUp to 180 EUR.")
    {'source': 'travel.md', 'last_modified': '2025-03-04'}
    >>> told_of("## travel.md\nUp to 180 EUR."), told_of("Up to 180 EUR. (source: a.md)"), told_of("Note: 180 EUR.")
    ({'source': 'travel.md'}, {'source': 'a.md'}, None)
    """
    lines = [line for line in text[: _LINES * _MAX_LINE * 2].split("\n", _LINES * 2) if line.strip()]
    if not lines:
        return None
    last = text[-_MAX_LINE:].rpartition("\n")[2].strip()
    return _of_lines(lines[:_LINES]) or _of_heading(lines[0]) or _of_lines([last]) or _of_notes(last)


def _of_lines(lines: Iterable[str]) -> dict[str, str] | None:
    """Read lines of names and values, as far as they follow each other."""
    found: dict[str, str] = {}
    for line in lines:
        field = _FIELD.fullmatch(line.rstrip()) if ":" in line[:_MAX_NAME] and len(line) <= _MAX_LINE else None
        key = "" if field is None else field["key"].lower().strip()
        if field is None or key not in _WHERE | _ELSE:
            break
        value = field["value"]
        found |= {key.replace(" ", "_"): value.partition(" (")[0].strip(_DECORATED)}
        found |= {each["key"].lower().replace(" ", "_"): each["value"].strip() for each in _NOTE.finditer(value)}
    return found if any(key.replace("_", " ") in _WHERE for key in found) else None


def _of_heading(line: str) -> dict[str, str] | None:
    """Read a first line that is the name of a file, or holds the only address beside a title."""
    if len(line) > _MAX_LINE:
        return None
    bare = line.strip(_DECORATED)
    if is_place(bare):
        return {"source": bare}
    if (before := _BEFORE.match(line)) is not None and is_place(before["place"]):
        return {"source": before["place"]}
    addresses = _ADDRESS.findall(line) if "://" in line else []
    titled = len(addresses) == 1 and bare.endswith(addresses[0]) and _TITLED.search(bare[: -len(addresses[0])])
    return {"source": addresses[0]} if titled else _of_notes(line)


def _of_notes(line: str) -> dict[str, str] | None:
    """Read a note in brackets that says where a text comes from."""
    if "(" not in line:
        return None
    found = {each["key"].lower().replace(" ", "_"): each["value"].strip() for each in _NOTE.finditer(line[-_MAX_LINE:])}
    return found if any(key.replace("_", " ") in _WHERE for key in found) else None
