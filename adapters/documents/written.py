"""Several passages in one text: how tools write down what they found, for a model to read.

A text is told apart only where its form says where passages begin: a label, a heading or a tag before each, a rule or
a blank line between finished sentences. In any other form it is one passage, whatever stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from adapters.documents.provenance import headings, is_place, told_of, told_of_whole
from adapters.values import parse_literal

MAX_CHARS = 400_000
"""Longest text that is told apart."""
MOST = 1_000
_LONGEST_LEAD = 120
"""Longest line before the first passage that only says what follows: ``Found 2 documents:``."""
_LONGEST_NOTE = 200
_MAX_LITERAL = 4_000

_NAMES = (
    r"(?:retrieved |search )?"
    r"(?:document|doc|result|passage|source|chunk|snippet|hit|excerpt|context|article|match)"
)
_LABEL = re.compile(r"^(?:[-*•][ \t]+)?\[(?P<label>[^\]\[\n]{1,256})\][ \t]*+:?[ \t]*+(?=\S|\n)", re.MULTILINE)
_NAMED = re.compile(
    r"^(?:[-*•][ \t]+)?(?P<label>[A-Za-z][\w./@#-]{0,80}[@#/_-][\w./@#-]{0,80})[ \t]?:[ \t]+(?=\S)", re.MULTILINE
)
_HEADING = re.compile(
    rf"^(?:[=\-#*]{{1,10}}[ \t]*)?(?:\*\*)?{_NAMES}[ \t]*(?:#|no\.?[ \t]*)?(?P<number>\d{{1,4}})\b"
    r"(?P<rest>[^\n]{0,200})$",
    re.MULTILINE | re.IGNORECASE,
)
_OPENING = re.compile(rf"<(?P<tag>{_NAMES}|item|file)(?P<attributes>(?:\s[^<>]{{0,500}})?)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w-]{0,40})\s?=\s?[\"']([^\"']{0,400})[\"']")
_INNER = re.compile(r"<(?P<name>[A-Za-z_]{1,40})>(?P<value>[^<]{0,100000})</(?P=name)>")
_FIELD = re.compile(r"^(?P<key>[A-Za-z][A-Za-z _]{0,30}):[ \t]*(?P<value>[^\n]*)$", re.MULTILINE)
_TEXT_FIELDS = frozenset({"content", "text", "page content", "page_content", "passage", "snippet", "body", "excerpt"})
_CONTENTS = ("document_content", "content", "text", "page_content", "body")
_FIRST_FIELDS = frozenset({
    "source", "title", "url", "uri", "id", "document", "doc", "doc id", "doc_id", "document id", "name", "score",
    "file",
})  # fmt: skip
_RULE = re.compile(r"^[ \t]*(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*$", re.MULTILINE)
_SIGNED = re.compile(r"(?:\n[ \t]*|[ \t]\()(?:source|url|link|file)[ \t]?:[ \t]?[^\n]{1,200}\Z", re.IGNORECASE)
"""How a passage ends that says last where it comes from."""
_BLANK = re.compile(r"\n[ \t]*\n\s*")
_FINISHED = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)\]]{0,3}\Z")
_TELLING = re.compile(r"[^\W\d_]|\d{4}")
_NOTHING = re.compile(
    r"(?:sorry, )?(?:there (?:are|were) )?no(?:thing| (?:good |relevant |matching |more )?(?:\w+ )?"
    r"(?:results?|documents?|docs|matches|passages?|entries|articles|records|information|answers?))"
    r"(?: (?:was|were|is|are))?(?: (?:found|available|matched))?[^.!?\n]{0,60}[.!]?\Z",
    re.IGNORECASE,
)
_LONGEST_FAILURE = 1_000
_FAILURE = re.compile(
    # The OpenAI Agents SDK, then LangGraph, which says what to do at the end, then servers of MCP.
    r"\A(?:an error occurred while (?:running the tool|parsing tool arguments)\. please try again"
    r"(?: with valid json)?\.(?: error: (?:(?!\n[ \t]*\n).)*)?"
    r"|error: (?:(?!\n[ \t]*\n).)*\n[ \t]*please fix your mistakes\."
    r"|error (?:invoking|executing) tool '[^'\n]{1,100}' with kwargs .*\n[ \t]*please fix the error and try again\."
    r"|error executing tool [\w.-]{1,100}: [^\n]*)\Z",
    re.IGNORECASE | re.DOTALL,
)
"""What frameworks give back in place of a result where a tool failed, as the whole text."""


class TextPassage(NamedTuple):
    """One passage of a text, with the id and the facts that its form tells."""

    text: str
    id: str | None = None
    facts: Mapping[str, str] | None = None


def says_nothing_was_found(text: str) -> bool:
    """Tell whether a text only says that a search found nothing.

    >>> says_nothing_was_found("No relevant documents found."), says_nothing_was_found("No pets are allowed inside.")
    (True, False)
    """
    return len(text) <= _LONGEST_LEAD and _NOTHING.match(text.strip()) is not None


def says_that_it_failed(text: str) -> bool:
    """Tell whether a text is only what a framework tells a model where a tool failed.

    >>> says_that_it_failed("An error occurred while running the tool. Please try again. Error: Connection timed out")
    True
    >>> says_that_it_failed("Error 504 means that the connection timed out. Please try again.")
    False
    """
    return len(text) <= _LONGEST_FAILURE and _FAILURE.match(text.strip()) is not None


def told_apart(text: str) -> list[TextPassage]:
    r"""Return the passages of a text, in order; the text as one passage where its form does not tell them apart.

    >>> told_apart("[T-1@2] Up to 180 EUR.\n\n[T-2@1] By train.")
    [TextPassage(text='Up to 180 EUR.', id='T-1@2', facts=None), TextPassage(text='By train.', id='T-2@1', facts=None)]
    >>> [each.text for each in told_apart("Travel policy\n\nUp to 180 EUR.")]
    ['Travel policy\n\nUp to 180 EUR.']
    """
    whole = text.strip()
    if len(whole) > MAX_CHARS:
        return [TextPassage(whole)]
    for read in (_tagged, _headed, _labelled, _fielded, _sourced, _filed, _ruled, _paragraphs):
        found = read(whole)
        if found and all(each.text for each in found):
            return [each if each.facts else each._replace(facts=told_of(each.text)) for each in found[:MOST]]
    return [TextPassage(whole, facts=told_of_whole(whole))]


def _lead(text: str) -> bool:
    """Tell whether what stands before the first passage only introduces it."""
    lead = text.strip()
    return not lead or (len(lead) <= _LONGEST_LEAD and "\n\n" not in lead and lead.endswith((":", ".")))


def _between(text: str, marks: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], str]]:
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        yield mark, text[mark.end() : end].strip()


def _labelled(text: str) -> list[TextPassage]:
    """Read ``[id] text`` and ``id: text``, one label before each; a number by itself is a place and no id."""
    for pattern in (_LABEL, _NAMED):
        marks = list(pattern.finditer(text))
        if not marks or not _lead(text[: marks[0].start()]):
            continue
        labels = [mark["label"].strip() for mark in marks]
        places = all(map(is_place, labels))
        if (len(set(labels)) != len(labels) and not places) or (len(marks) == 1 and _TELLING.search(labels[0]) is None):
            continue
        return [_noted(block, label) for label, (_, block) in zip(labels, _between(text, marks), strict=True)]
    return []


def _noted(block: str, label: str) -> TextPassage:
    if is_place(label):
        return TextPassage(block, facts={"source": label})
    return TextPassage(block, label if _TELLING.search(label) else None)


def _headed(text: str) -> list[TextPassage]:
    """Read ``Document 1: ..`` and ``===== Document 1 =====``, numbered in order from 0 or 1."""
    marks = list(_HEADING.finditer(text))
    if not marks or not _lead(text[: marks[0].start()]):
        return []
    numbers = [int(mark["number"]) for mark in marks]
    if numbers[0] > 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return []
    found = []
    for mark, block in _between(text, marks):
        beside = mark["rest"].lstrip(" \t:=-#*.").rstrip(" \t:=-#*")
        if not block:
            found.append(TextPassage(beside))
        elif (fields := _fielded(block)) and len(fields) == 1:
            found.append(fields[0])
        else:
            found.append(TextPassage(block, facts=_beside(beside)))
    return found


def _beside(note: str) -> Mapping[str, str] | None:
    """Return what the heading of a passage tells: where it comes from, else its title."""
    return (told_of(note) or told_of(f"({note.strip('() :')})") or {"title": note}) if note else None


def _tagged(text: str) -> list[TextPassage]:
    """Read ``<document id="..">..</document>``, with nothing between them."""
    found: list[TextPassage] = []
    at = 0
    lowered = text.lower()
    for opening in _OPENING.finditer(text):
        if opening.start() < at:
            continue
        between = text[at : opening.start()].strip()
        if between and (found or not _lead(re.sub(r"<[^<>]{1,40}>\s*\Z", "", between))):
            return []
        closing = f"</{opening['tag'].lower()}>"
        end = lowered.find(closing, opening.end())
        if end < 0:
            return []
        found.append(_element(opening["attributes"] or "", text[opening.end() : end].strip()))
        at = end + len(closing)
        if len(found) >= MOST:
            break
    after = text[at:].strip()
    return found if found and (not after or re.fullmatch(r"</[^<>]{1,40}>", after)) else []


def _element(attributes: str, block: str) -> TextPassage:
    facts = {name.lower(): value for name, value in _ATTRIBUTE.findall(attributes)}
    inner = {each["name"].lower(): each["value"].strip() for each in _INNER.finditer(block)}
    content = next((inner.pop(name) for name in _CONTENTS if name in inner), None)
    identity = facts.pop("id", None) or (inner.pop("id", None) if content is not None else None)
    for place in ("index", "rank", "number"):
        facts.pop(place, None)
    told = facts | (inner if content is not None else {})
    if (named := told.get("name") or told.get("title")) and is_place(named):
        told.setdefault("source", named)
    return TextPassage(block if content is None else content, identity, told or None)


def _fielded(text: str) -> list[TextPassage]:
    """Read blocks of ``Source: ..`` (and other facts) before ``Content: ..``."""
    fields = list(_FIELD.finditer(text))
    if not any(field["key"].lower() in _TEXT_FIELDS for field in fields):
        return []
    first = fields[0]["key"].lower()
    if first not in _FIRST_FIELDS | _TEXT_FIELDS or not _lead(text[: fields[0].start()]):
        return []
    starts = [place for place, field in enumerate(fields) if field["key"].lower() == first]
    found = []
    for start, behind in pairwise((*starts[:MOST], starts[MOST] if len(starts) > MOST else len(fields))):
        end = fields[behind].start() if behind < len(fields) else len(text)
        mine = fields[start:behind]
        body = next((field for field in mine if field["key"].lower() in _TEXT_FIELDS), None)
        if body is None:
            return []
        facts: dict[str, str] = {}
        for field in mine:
            if field.start() < body.start():
                facts |= _facts(field["key"].strip().lower().replace(" ", "_"), field["value"].strip())
        identity = facts.pop("id", None)
        found.append(TextPassage(_RULE.sub("", text[body.start("value") : end]).strip(), identity, facts or None))
    return found


def _sourced(text: str) -> list[TextPassage]:
    """Read blocks that each begin with lines that say where they come from."""
    fields = list(_FIELD.finditer(text))
    first = fields[0]["key"].lower() if fields else ""
    if first not in _FIRST_FIELDS or not _lead(text[: fields[0].start()]):
        return []
    starts = [field.start() for field in fields if field["key"].lower() == first]
    blocks = [_RULE.sub("", text[start:end]).strip() for start, end in pairwise((*starts, len(text)))]
    found = [TextPassage(block, facts=told_of(block)) for block in blocks[:MOST]]
    return found if len(found) > 1 and all(each.facts and "\n" in each.text for each in found) else []


def _filed(text: str) -> list[TextPassage]:
    """Read what stands below headings that are the names of files."""
    marks = headings(text)
    if not marks or not _lead(text[: marks[0].start()]):
        return []
    return [TextPassage(block, facts={"source": mark["place"]}) for mark, block in _between(text, marks)]


def _facts(key: str, value: str) -> dict[str, str]:
    """Return one fact, or those of a whole object that LangChain's examples print as the source."""
    if value.startswith("{"):
        read = parse_literal(value, limit=_MAX_LITERAL)
        if isinstance(read, dict):
            return {str(name): held for name, held in read.items() if isinstance(held, str)}
    return {key: value} if value and len(value) <= _LONGEST_NOTE else {}


def _ruled(text: str) -> list[TextPassage]:
    """Read passages with a line of dashes, or the like, between them."""
    parts = [part.strip() for part in _RULE.split(text)]
    return [TextPassage(part) for part in parts if part] if len(parts) > 1 else []


def _paragraphs(text: str) -> list[TextPassage]:
    """Read passages with a blank line between them, where each ends as a sentence does: headings have no such end."""
    parts = _BLANK.split(text)
    if len(parts) > 1 and len(parts[0]) <= _LONGEST_LEAD and parts[0].endswith(":"):
        parts = parts[1:]
    finished = all(
        _FINISHED.search(part, max(0, len(part) - 8)) or _SIGNED.search(part[-_LONGEST_NOTE:]) for part in parts
    )
    return [TextPassage(part) for part in parts] if len(parts) > 1 and finished else []
