"""Answers as JSON lines: `adapters.schema.Answer`, one object a line, only ``question`` and ``answer`` required.

Passages may stand there as the application has them, as texts or as documents of its framework, and citations as marks
in the answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import orjson
from pydantic import ValidationError

from adapters.assembly.citations import find_citations
from adapters.assembly.facts import scalar_text
from adapters.base import MalformedRecord
from adapters.documents.given import documented, is_document
from adapters.documents.passages import Identities
from adapters.files.cut import whole_records
from adapters.files.problems import told
from adapters.files.unreadable import not_json
from adapters.schema import Answer
from adapters.vocabulary import ANSWER, QUESTION

MAX_LINE_BYTES = 16 * 2**20
"""Longest line that is parsed; a thousand passages of two pages each fit four times."""

_REQUIRED = ("question", "answer")
_NAMES = ("id", "session_id", "release")
_VALUES = ("attributes",)
"""What holds the values of slices, which may be numbers."""


def parsed_line(line: bytes, where: str, *, limit: int = MAX_LINE_BYTES) -> Any:
    """Return the JSON value of one line. Raises `MalformedRecord` for one beyond ``limit`` bytes, or no JSON."""
    if len(line) > limit:
        raise MalformedRecord(f"longer than {limit} bytes", where)
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise MalformedRecord(not_json(line, error), where) from error


def line_parts(line: bytes, where: str, *, limit: int = MAX_LINE_BYTES) -> Iterator[Any]:
    """Yield the JSON value of one line; of an OTLP request that ends early, what is whole and a `MalformedRecord`.

    Raises `MalformedRecord` for a line beyond ``limit`` bytes, or no JSON.

    >>> [str(part) for part in line_parts(b'{"resourceSpans": [{}, {"sc', "line 3")]
    ["{'resourceSpans': [{}]}", 'line 3: ends early, at byte 27: resourceSpans[1] is lost']
    """
    try:
        yield parsed_line(line, where, limit=limit)
    except MalformedRecord:
        cut = whole_records(line) if len(line) <= limit and line[:1] == b"{" else None
        if cut is None or "data" in cut.value:
            raise
        yield cut.value
        yield MalformedRecord(cut.reason, where)


def answer_of(raw: Any, where: str) -> Answer:
    """Return the answer that one parsed line holds. Raises `MalformedRecord` naming the field that is wrong.

    >>> passages = ["Parcels: 14 days.", {"page_content": "Letters: 3 days.", "metadata": {"source": "a.pdf"}}]
    >>> answer = answer_of({"question": "How long?", "answer": "14 days [1].", "passages": passages}, "line 1")
    >>> [each.text for each in answer.passages], answer.citations[0].passage_id == answer.passages[0].id
    (['Parcels: 14 days.', 'Letters: 3 days.'], True)
    """
    if not isinstance(raw, dict):
        raise MalformedRecord("not an object", where)
    for field in _REQUIRED:
        if field not in raw and not _tells_what_it_lacks(raw):
            raise MalformedRecord(f"missing{_named_instead(field, raw)}", place(where, field))
    given = raw
    if raw.get("id") is None:
        given = {name: value for name, value in raw.items() if name != "id"}
        try:
            content = orjson.dumps(given, option=orjson.OPT_SORT_KEYS)
        except orjson.JSONEncodeError as error:  # nested deeper than what the parser takes
            raise MalformedRecord(f"cannot be serialized: {error}", where) from error
        given["id"] = f"sha256-{hashlib.sha256(content).hexdigest()[:32]}"
    if isinstance(passages := given.get("passages"), list) and any(map(is_document, passages)):
        given = {**given, "passages": _passages(passages, str(given["id"]), where)}
    given = _with_texts(_with_places(given))
    try:
        answer = Answer.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise MalformedRecord(told(first), place(where, _path(first["loc"]))) from error
    return answer if answer.answer is None or answer.citations is not None else _cited(answer, answer.answer)


def _tells_what_it_lacks(raw: Mapping[str, Any]) -> bool:
    """Return whether a line without a question or an answer says that there is none, rather than forgets it.

    Lines of `adapters.schema.Answer.told` leave out what is not known and always have flags; a row that ended in an
    error has no answer, whoever wrote it.

    >>> [_tells_what_it_lacks(raw) for raw in ({"flags": ["answer_missing"]}, {"status": "error"}, {"status": "ok"})]
    [True, True, False]
    """
    return isinstance(raw.get("flags"), list) or raw.get("status") == "error"


def _with_places(given: dict[str, Any]) -> dict[str, Any]:
    """Return the line with ids of passages under ``citations`` as citations of the whole answer, at its end."""
    cited, text = given.get("citations"), given.get("answer")
    if (
        not isinstance(text, str)
        or not isinstance(cited, list)
        or not cited
        or not all(type(each) in _IDS for each in cited)
    ):
        return given
    at = {"start": len(text), "end": len(text), "marker": ""}
    return {**given, "citations": [{**at, "passage_id": str(each)} for each in cited]}


_IDS = (str, int)


def _with_texts(given: dict[str, Any]) -> dict[str, Any]:
    """Return the line with numbers as text where they name something, as they are in traces.

    A name that is no whole number is left: 2.10 has become 2.1 before it is seen here.
    """
    named = {name: str(value) for name in _NAMES if type(value := given.get(name)) is int}
    kept = {name: value for name in _VALUES if isinstance(value := given.get(name), dict)}
    texts = {
        name: {key: scalar_text(one) if isinstance(one, bool | int | float) else one for key, one in value.items()}
        for name, value in kept.items()
    }
    return {**given, **named, **texts} if named or texts else given


def _named_instead(field: str, raw: Mapping[str, Any]) -> str:
    """Return what the line may call a field that it lacks."""
    names = QUESTION if field == "question" else ANSWER
    found = next((name for name in names if isinstance(raw.get(name), str)), None)
    return "" if found is None else f"; if that is `{found}`, rename it"


def _passages(given: list[Any], scope: str, where: str) -> list[Any]:
    identities, found = Identities(scope), []
    for index, each in enumerate(given):
        try:
            found.append(documented(each, index, identities) if is_document(each) else each)
        except ValueError as error:
            raise MalformedRecord(str(error), place(where, f"passages[{index}]")) from error
    return found


def _cited(answer: Answer, text: str) -> Answer:
    """Return ``answer`` with the citations that its text marks, as nothing else tells of them."""
    shown = answer.context if answer.context is not None else [each.id for each in answer.passages or ()]
    return answer.model_copy(update={"citations": find_citations(text, shown, answer.passages or ())})


def place(where: str, inner: str) -> str:
    """Return where ``inner`` is when it stands in ``where``; either may be empty.

    >>> place("line 3", "answer"), place("", "answer"), place("line 3", "")
    ('line 3: answer', 'answer', 'line 3')
    """
    return ": ".join(part for part in (where, inner) if part)


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path
