"""`groundwire label`: sends labels of scored answers to a running agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from collector.api.labels import LABEL_OUTCOMES, BadLabelsError, LabelsBody, SentLabel, read_lines
from collector.commands.asking import NOT_GROUNDWIRE, ask_agent, printed
from collector.commands.evaluations import MAX_LINE
from collector.commands.objects import object_line
from collector.commands.reading import opened
from collector.errors import ConfigError
from collector.security.text import one_line

AT_ONCE = 1_000
"""Labels of one request."""
MAX_FILE = 256 * 1024 * 1024
"""Bytes of a file: some two million labels."""
MAX_SHOWN = 20
"""Labels that are named on standard error because they were not taken."""
UNTAKEN = 1
"""The exit code where the agent took some labels not."""


def send(files: Sequence[Path], *, url: str, token_file: Path | None, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Send the labels of all files, and print what became of them; return 0, or 1 if some were not taken.

    Raises `ConfigError` for a file that cannot be read, before anything is sent, and when the agent cannot be reached
    or refuses a label; labels before that one are recorded then, and may be sent again.
    """
    read = [(path, _read(path)) for path in files]
    counts: Counter[str] = Counter()
    untaken: list[dict[str, Any]] = []
    notes: set[str] = set()
    for path, found in read:
        for start, part in _parts(found):
            said = _sent(path, start, part, url=url, token_file=token_file)
            counts.update({name: getattr(said, name) for name in ("received", *LABEL_OUTCOMES)})
            untaken += (
                {"file": str(path)} | each.model_dump() | {"number": start + each.number} for each in said.untaken
            )
            notes.update(said.notes)
    body = {name: counts[name] for name in ("received", *LABEL_OUTCOMES)}
    whole = {**body, "untaken": untaken, "notes": sorted(notes)}
    printed(object_line(whole) if as_json else f"{_text(body)}\n", out, what="what became of the labels")
    err.writelines(f"groundwire: {one_line(line)}\n" for line in _told(untaken, body, sorted(notes)))
    return UNTAKEN if counts["conflicting"] or counts["unmatched"] else 0


def _read(path: Path) -> Sequence[SentLabel]:
    with opened(path) as stream:
        data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise ConfigError(f"{path}: larger than {MAX_FILE} bytes; split it")
    if max(map(len, data.split(b"\n")), default=0) > MAX_LINE:
        raise ConfigError(f"{path}: a line is longer than {MAX_LINE} bytes: this is no file of labels")
    try:
        return read_lines(data, most=MAX_FILE)
    except BadLabelsError as error:
        raise ConfigError(f"{path}: {error}") from error


def _parts(found: Sequence[SentLabel]) -> Iterator[tuple[int, Sequence[SentLabel]]]:
    for start in range(0, len(found), AT_ONCE):
        yield start, found[start : start + AT_ONCE]


def _sent(path: Path, start: int, part: Sequence[SentLabel], *, url: str, token_file: Path | None) -> LabelsBody:
    body = {"labels": [each.model_dump(mode="json", exclude_none=True) for each in part]}
    try:
        return LabelsBody.model_validate(ask_agent(url, "/v1/labels", token_file=token_file, body=body).body)
    except ValidationError as error:
        raise ConfigError(f"--url {url}: {NOT_GROUNDWIRE}") from error
    except ConfigError as error:
        where = f"{path}, labels {start + 1:,} to {start + len(part):,}"
        raise type(error)(f"{where}: {error}") from error


def _text(body: dict[str, int]) -> str:
    return (
        f"{body['received']:,} labels: {body['stored']:,} recorded, {body['repeated']:,} known before,"
        f" {body['conflicting']:,} conflicting, {body['unmatched']:,} unmatched"
    )


def _told(untaken: Sequence[dict[str, Any]], body: dict[str, int], notes: Sequence[str]) -> Iterator[str]:
    for each in untaken[:MAX_SHOWN]:
        yield (
            f"{each['file']}: label {each['number']} of {each['answer_id']}, {each['metric']}: {each['outcome']}:"
            f" {each['reason']}"
        )
    more = body["conflicting"] + body["unmatched"] - min(len(untaken), MAX_SHOWN)
    if more:
        yield f"and {more:,} more labels that were not taken"
    yield from notes
