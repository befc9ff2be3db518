"""Answers as JSON lines: `adapters.schema.Answer`, one object a line, only ``question`` and ``answer`` required."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import orjson
from pydantic import ValidationError

from adapters.base import MalformedRecord
from adapters.schema import Answer

MAX_LINE_BYTES = 16 * 2**20
"""Longest line that is parsed; a thousand passages of two pages each fit four times."""

_REQUIRED = ("question", "answer")


def read_answers(data: bytes) -> Iterator[Answer | MalformedRecord]:
    """Yield each line's answer, or why there is none; blank lines are skipped.

    A line without ``id`` gets one derived from its content, so the same line has the same id in any file.

    >>> list(read_answers(b'{"question": "Limit?", "answer": "180 EUR"}'))[0].answer
    '180 EUR'
    >>> str(list(read_answers(b'{"question": "Limit?", "answr": "180 EUR"}'))[0])
    'line 1: answer: missing'
    """
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            yield _answer(line, f"line {number}")


def line_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of one line.

    >>> line_schema()["required"]
    ['question', 'answer']
    """
    schema = Answer.model_json_schema(mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema | {"required": list(_REQUIRED)}


def _answer(line: bytes, where: str) -> Answer | MalformedRecord:
    if len(line) > MAX_LINE_BYTES:
        return MalformedRecord(f"longer than {MAX_LINE_BYTES} bytes", where)
    try:
        raw: Any = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return MalformedRecord(f"not JSON: {error}", where)
    if not isinstance(raw, dict):
        return MalformedRecord("not an object", where)
    for field in _REQUIRED:
        if field not in raw:
            return MalformedRecord("missing", f"{where}: {field}")
    if raw.get("id") is None:
        raw.pop("id", None)
        raw["id"] = "sha256-" + hashlib.sha256(orjson.dumps(raw, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]
    try:
        return Answer.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return MalformedRecord(first["msg"], f"{where}: {_path(first['loc'])}")


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path
