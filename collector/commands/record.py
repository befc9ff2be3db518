"""`groundwire record`: captured OTLP and a file of what is true of it in, a golden case of the adapter tests out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.files.read import adapted, records
from adapters.schema import Answer
from adapters.trace import Span
from adapters.wire.otlp_encode import encode_traces
from collector.commands.adapt import mapping
from collector.commands.objects import object_line
from collector.commands.reading import opened
from collector.errors import ConfigError
from collector.security.text import one_line
from collector.writing import write_whole
from scorers.text.yamltext import load_yaml

MAX_BYTES = 64 * 1024 * 1024
"""Of all files of a case together: a recording is read by people."""
MAX_TRUTH_BYTES = 4 * 1024 * 1024
_ABSENT = object()
_PASSAGE = "text"


def record_case(  # noqa: PLR0913 - the options of the command
    files: Sequence[Path],
    truth: Path,
    *,
    name: str,
    folder: Path,
    attributes: Sequence[str],
    force: bool,
    as_json: bool,
    out: TextIO,
    err: TextIO,
) -> int:
    """Write ``NAME.otlp.pb`` and ``NAME.answers.jsonl`` and say so; return 0, or 1 where answers are not the true ones.

    Raises `ConfigError` for files that cannot be used, and for a case that is there already, unless ``force``.
    """
    expected = _truth(truth)
    targets = (folder / f"{name}.otlp.pb", folder / f"{name}.answers.jsonl")
    if not name or name != Path(name).name or name.startswith("."):
        raise ConfigError(f"--name {one_line(name)}: expected the name of a case, such as langchain-basic")
    if taken := [str(path) for path in targets if path.exists() and not force]:
        raise ConfigError(f"{taken[0]}: exists; give --force to replace it")
    data = encode_traces(_spans(files))
    found = list(adapted([*_of_case(data)], AdaptOptions(attributes=mapping(attributes))))
    answers = [answer for answer in found if isinstance(answer, Answer)]
    problems = [str(problem) for problem in found if isinstance(problem, MalformedRecord)]
    problems += _differences(answers, expected)
    if problems:
        err.writelines(f"groundwire: {one_line(problem)}\n" for problem in problems)
        return 1
    lines = "".join(answer.model_dump_json(exclude_defaults=True) + "\n" for answer in answers)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, content in zip(targets, (data, lines.encode()), strict=True):
            write_whole(path, content)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error
    if as_json:
        out.write(object_line({"case": name, "answers": len(answers), "files": list(map(str, targets))}))
        return 0
    out.write(f"recorded {name} with {len(answers)} answer{'s' * (len(answers) != 1)}: {targets[0]}, {targets[1]}\n")
    return 0


def _spans(files: Sequence[Path]) -> list[Span]:
    """Return the spans of all files, log records that hold content among them."""
    spans: list[Span] = []
    left = MAX_BYTES
    for path in files:
        with opened(path) as stream:
            data = stream.read(left + 1)
        left -= len(data)
        if left < 0:
            raise ConfigError(f"{path}: the files of a case are larger than {MAX_BYTES} bytes together")
        for record in records(data):
            if isinstance(record, MalformedRecord):
                raise ConfigError(f"{path}: {one_line(str(record))}")
            if not isinstance(record, Span):
                raise ConfigError(f"{path}: holds answers; a case is recorded from traces")
            spans.append(record)
    if not spans:
        raise ConfigError(f"{', '.join(map(str, files))}: no spans, and no log records that hold content")
    return spans


def _of_case(data: bytes) -> Iterator[Span]:
    """Yield the spans as the tests will read them from the case."""
    for record in records(data):
        if isinstance(record, Span):
            yield record


def _truth(path: Path) -> list[Mapping[str, Any]]:
    """Return what must be true of each answer, in order. Raises `ConfigError`."""
    with opened(path) as stream:
        text = stream.read(MAX_TRUTH_BYTES + 1)
    if len(text) > MAX_TRUTH_BYTES:
        raise ConfigError(f"{path}: larger than {MAX_TRUTH_BYTES} bytes")
    try:
        # JSON is YAML too; times are compared as the text that answers have for them.
        found = orjson.loads(orjson.dumps(load_yaml(text.decode()), option=orjson.OPT_UTC_Z))
    except (ValueError, TypeError) as error:
        raise ConfigError(f"{path}: {one_line(str(error))}") from error
    answers = found if isinstance(found, list) else [found]
    for number, fields in enumerate(answers):
        if not isinstance(fields, dict) or not fields:
            raise ConfigError(f"{path}: answer {number}: expected fields of an answer, such as question and answer")
        if unknown := [name for name in fields if name not in Answer.model_fields]:
            raise ConfigError(f"{path}: answer {number}: no such field {one_line(str(unknown[0]))!r}")
    return answers


def _differences(answers: Sequence[Answer], expected: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(answers) != len(expected):
        yield f"expected {len(expected)} answers, got {len(answers)}"
    for number, (answer, fields) in enumerate(zip(answers, expected, strict=False)):
        got = answer.model_dump(mode="json")
        for name, value in fields.items():
            yield from _difference(f"answers[{number}].{name}", value, got[name])


def _difference(where: str, expected: Any, got: Any) -> Iterator[str]:
    """Yield where ``got`` is not what is expected; of an object only the fields that are named are compared.

    A passage may be given by its text alone.
    """
    if isinstance(expected, dict) and isinstance(got, dict):
        for key, value in expected.items():
            yield from _difference(f"{where}.{key}", value, got.get(key, _ABSENT))
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for number, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from _difference(f"{where}[{number}]", one, other)
    elif isinstance(expected, str) and isinstance(got, dict) and _PASSAGE in got:
        yield from _difference(f"{where}.{_PASSAGE}", expected, got[_PASSAGE])
    elif expected != got:
        yield f"{where}: expected {_shown(expected)}, got {_shown(got)}"


def _shown(value: Any) -> str:
    return "nothing" if value is _ABSENT else one_line(orjson.dumps(value, default=str).decode(), 120)
