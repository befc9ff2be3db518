"""The context within a prompt, where nothing else in the trace tells what the answer rests on.

An application that searches without a span of its own still puts what it found before the model, and says so: under a
label ("Context:"), after a sentence that announces it ("Answer from the following passages:"), or in tags. What stands
there is read as passages, word for word. A prompt that announces nothing has no passages, whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from adapters.assembly.calls import Call
from adapters.assembly.messages import Message
from adapters.assembly.prompt_question import LABEL
from adapters.assembly.view import View
from adapters.documents.passages import Documents, RetrievedDocument, numbered
from adapters.documents.results import documents_found
from adapters.documents.shapes import document_of
from adapters.quirks import anthropic

STAGE = "prompt"
"""What the stage of passages is called that only a prompt tells of."""
MAX_CHARS = 400_000
"""Longest message that is looked into."""
_LONGEST_HEAD = 200
"""Characters of a line within which a context is announced."""
_NOUNS = frozenset({
    "context", "contexts", "document", "documents", "docs", "passage", "passages", "source", "sources", "excerpt",
    "excerpts", "snippet", "snippets", "results", "knowledge", "articles", "evidence", "chunks", "materials",
    "kontext", "dokumente", "quellen", "contexto", "contexte", "contesto",
})  # fmt: skip
_FACTS = frozenset({"information", "facts", "data", "text", "texts", "notes", "policies", "rules", "pages", "faq"})
"""What a context is called too, where the sentence says what it is for."""
_ANSWERING = frozenset({"answer", "answering", "respond", "reply", "question", "questions", "query"})
_GIVEN = frozenset(
    {"from", "using", "use", "following", "below", "given", "provided", "retrieved", "relevant", "based"}
)
_FOUND = frozenset({"below", "given", "provided", "retrieved", "relevant"})
_ONWARDS = frozenset({"from", "using", "on"})
"""What such a sentence ends with where the colon stands for the noun: "Answer from:"."""
_WRITING = frozenset({
    "return", "extract", "output", "include", "write", "list", "generate", "produce", "format", "cite", "fields",
    "json",
})  # fmt: skip
"""What tells of a sentence that it announces what the model is to write."""
_WORD = re.compile(r"[^\W\d_]{1,40}")
_SENTENCE = re.compile(r"[.!?]\s")
_TAG = re.compile(
    r"<(?P<name>(?:retrieved[_-])?(?:contexts?|documents|docs|passages|sources|references|excerpts|search[_-]results|knowledge))>",
    re.IGNORECASE,
)
_FIELD = re.compile(r"^\[\[ ## (?P<name>[a-z_]{1,60}) ## \]\][ \t]{0,8}$", re.MULTILINE)
"""What begins a field in a prompt of DSPy's."""
_QUOTED = re.compile(
    r"^(?P<label>\[\d{1,4}\] )?\u00ab(?P<text>[^\u00ab\u00bb]{0,100000})\u00bb[ \t]{0,8}$", re.MULTILINE
)
"""How DSPy writes one text of a list."""
_PLACE = re.compile(r"\{[\w.]{1,60}\}\Z")
"""What a template that explains itself has in place of a context."""
_FENCE = re.compile(r"^[ \t]{0,8}(?:-{3,80}|={3,80}|\"\"\"|```[a-z]{0,10})[ \t]{0,8}\n", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]{0,80}\n")
_INSTRUCTS = re.compile(
    r"(?:please |now |always )?"
    r"(?:answer|respond|reply|cite|use|if|do not|don't|never|only|be|keep|you|give|provide|say)\b",
    re.IGNORECASE,
)
_TO_THE_MODEL = re.compile(
    r"\b(?:answers?|question|context|passages?|documents?|sources?|citations?|reply|respond|concise|don't know"
    r"|the user)\b",
    re.IGNORECASE,
)
_LONGEST_INSTRUCTION = 600
_BULLET = re.compile(r"(?:[-*\u2022]|\(?\d{1,3}[.)])[ \t]{1,8}")
_FINISHED = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)\]]{0,3}\Z")
_CLOSING = 8
"""Characters at the end of a line that tell whether a sentence ends there."""


def context_in(call: Call, question: str | None, *, most: int) -> tuple[Documents | None, bool]:
    r"""Return the documents that the prompt of ``call`` announces, or has as parts, and whether some cannot be read.

    The documents are ``None`` where nothing is announced, ``()`` where it is announced and empty. ``question`` ends a
    context in one message with it; a message of the user that does not hold it beside a context is left alone.

    >>> from adapters.assembly.view import Reading, View
    >>> from adapters.trace import Span
    >>> def asked(*messages):
    ...     view = View(Span("t", "s", None, "chat", 1, 2), Reading(None, 1))
    ...     view.inputs = messages
    ...     return Call(view)
    >>> prompt = Message("user", "Context:\nHotels cost 180 EUR.\nMeals cost 60 EUR.\n\nWhat do hotels cost?")
    >>> documents, _ = context_in(asked(prompt), "What do hotels cost?", most=9)
    >>> [document.text for document in documents]
    ['Hotels cost 180 EUR.', 'Meals cost 60 EUR.']
    >>> context_in(asked(Message("system", "You are a desk. Be brief.")), "How much?", most=9)
    (None, False)
    """
    found: list[RetrievedDocument] | None = None
    unread = False
    for role, text in _told(call):
        for block, closed in _blocks(text, question if role == "user" else None):
            if role == "user" and not closed:
                unread = True
                continue
            documents = _documents(block, most)
            if documents is None:
                unread = True
            else:
                found = [*(found or ()), *documents]
    for part in (part for message in call.inputs for part in message.documents):
        row = anthropic.row_of(part)
        if row is None or (document := document_of(0, row)) is None:
            unread = True
        else:
            found = [*(found or ()), document]
    if found is None:
        return None, unread or (call.prompt_is_cut and _announces(call))
    if call.prompt_is_cut:
        return None, True
    return numbered(found[:most]), False


def filled_in(tops: Sequence[View], basis: Sequence[Call], *, most: int) -> list[Documents]:
    """Return the documents that a template was filled in with, under a name of a context, and the prompt then held."""
    found: dict[str, Documents] = {}
    for view in (view for top in tops for view in top.subtree()):
        for name, value in ((view.variables if view.kind in ("PROMPT", "LLM") else None) or {}).items():
            if not isinstance(value, str) or not value.strip() or _NOUNS.isdisjoint(name.lower().split("_")):
                continue
            if any(value in call.prompt and not call.prompt_is_cut for call in basis):
                found[value] = _documents(value, most) or ()
    return list(found.values())


def _told(call: Call) -> Iterator[tuple[str, str]]:
    """Yield what instructs the model, and what the user asked last; a completion has one text for both.

    A message of the user right before the last one is the application's, which puts a context there.
    """
    messages: Sequence[Message] = call.inputs
    last = max((number for number, message in enumerate(messages) if message.role == "user"), default=-1)
    for number, message in enumerate(messages):
        text = message.content
        if text is None or len(text) > MAX_CHARS:
            continue
        before = number == last - 1 and message.role == "user"
        if message.role in ("system", "developer") or before:
            yield "system", text
        elif number == last:
            yield "user", text
    if not messages and 0 < len(call.prompt) <= MAX_CHARS:
        yield "user", call.prompt


def _announces(call: Call) -> bool:
    return any(True for _, text in _told(call) for _ in _heads(text))


def _blocks(text: str, question: str | None) -> Iterator[tuple[str, bool]]:
    """Yield the announced parts of a text, and whether the question stands outside of each."""
    asked = -1 if not question or question == text.strip() else text.rfind(question)
    tags = [*_tagged(text), *_fields(text)]
    for start, end in tags:
        yield text[start:end], True
    if tags:
        return
    begun = [(start, end) for start, end in _heads(text)]
    for number, (_, start) in enumerate(begun):
        end = begun[number + 1][0] if number + 1 < len(begun) else len(text)
        label = next((mark for mark in LABEL.finditer(text, start, end) if mark["context"] is None), None)
        ends = [label.start()] if label is not None else []
        if start <= asked < end:
            ends.append(asked)
        cut = min(ends, default=end)
        yield text[start:cut], bool(ends) or 0 <= asked < start or label is not None


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    lowered, at = text.lower(), 0
    for opening in _TAG.finditer(text):
        if opening.start() < at:
            continue
        at = lowered.find(f"</{opening['name'].lower()}>", opening.end())
        if at < 0:
            return
        yield opening.end(), at


def _fields(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the fields of a context are in a prompt of DSPy's, filled in."""
    marks = list(_FIELD.finditer(text))
    for number, mark in enumerate(marks):
        words = mark["name"].split("_")
        end = marks[number + 1].start() if number + 1 < len(marks) else len(text)
        if (set(words) & _NOUNS) and _PLACE.match(text[mark.end() : end].strip()) is None:
            yield mark.end(), end


def _heads(text: str) -> Iterator[tuple[int, int]]:
    """Yield where an announcement begins, and where what it announces does."""
    at = 0
    for line in text.splitlines(keepends=True):
        colon = line.find(":", 0, _LONGEST_HEAD)
        if colon >= 0 and _is_announcement(line[:colon], alone=not line[colon + 1 :].strip(" \t\r\n*")):
            yield at, at + colon + 1
        elif line.startswith("#") and len(line) <= _LONGEST_HEAD and _is_title(line):
            yield at, at + len(line)
        at += len(line)


def _is_announcement(head: str, *, alone: bool) -> bool:
    """Tell whether a clause before a colon announces a context; ``alone`` is one with nothing else in its line."""
    sentence = _SENTENCE.split(head)[-1]
    words = [word.lower() for word in _WORD.findall(sentence)]
    if not words:
        return False
    told = set(words)
    if told & _WRITING:
        return False
    if words[-1] in _NOUNS and (told & _GIVEN or len(words) <= 3):  # noqa: PLR2004 - "Relevant search results"
        return True
    asks = bool(told & _ANSWERING)
    if alone and asks and (words[-1] in _ONWARDS or "use" in told):
        return True
    return alone and bool((told & _GIVEN and told & _NOUNS) or (told & _FACTS and (asks or told & _FOUND)))


def _is_title(line: str) -> bool:
    words = [word.lower() for word in _WORD.findall(line)]
    return 0 < len(words) <= 3 and words[-1] in _NOUNS  # noqa: PLR2004 - "## Retrieved context"


def _documents(block: str, most: int) -> Documents | None:
    """Read what was announced: rows, passages in one text, or a passage a line."""
    text = _without_instructions(_within_fences(block.strip("\n*"))).strip()
    if text.startswith(("[1] \u00ab", "\u00ab")):
        text = _QUOTED.sub(lambda quoted: (quoted["label"] or "") + quoted["text"], text)
    documents = documents_found(text, most=most)
    if documents is not None and len(documents) == 1 and documents[0].text == text:
        lines = [_BULLET.sub("", line.strip(), count=1) for line in text.splitlines()]
        if len(lines) > 1 and all(_FINISHED.search(line, max(0, len(line) - _CLOSING)) for line in lines):
            return tuple(RetrievedDocument(index, text=line) for index, line in enumerate(lines[:most]))
    return documents


def _within_fences(block: str) -> str:
    """Return what stands between the first two rules of a kind, where the block begins with one."""
    opening = _FENCE.match(block)
    if opening is None:
        return block
    mark = opening[0].strip()[:3]
    end = block.find(f"\n{mark}", opening.end())
    return block[opening.end() : end if end >= 0 else len(block)]


def _without_instructions(block: str) -> str:
    """Leave out last paragraphs that tell the model how to answer."""
    parts = _BLANK.split(block)
    while len(parts) > 1 and (not parts[-1].strip() or _instructs(parts[-1].strip())):
        parts.pop()
    return "\n\n".join(parts)


def _instructs(paragraph: str) -> bool:
    return (
        len(paragraph) <= _LONGEST_INSTRUCTION
        and _INSTRUCTS.match(paragraph) is not None
        and _TO_THE_MODEL.search(paragraph) is not None
    )
