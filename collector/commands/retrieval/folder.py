"""What was retrieved so far, on disk: a run that was interrupted asks no question twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import orjson
from pydantic import TypeAdapter, ValidationError

from adapters.schema import Passage
from collector.commands.retrieval.options import RetrieverFile
from collector.commands.retrieval.retrievers import RetrievalQuery
from collector.errors import ConfigError
from collector.writing import write_whole

RETRIEVED, MANIFEST = "retrieved.jsonl", "retriever.json"
_PASSAGES = TypeAdapter(tuple[Passage, ...])
KnownPassages = dict[RetrievalQuery, tuple[Passage, ...]]
"""Passages by what was asked for them."""


class Keep(Protocol):
    """Keeps the passages of one question."""

    def __call__(self, asked: RetrievalQuery, found: tuple[Passage, ...]) -> None:
        """Write them, whole."""
        ...


@contextmanager
def kept_in(folder: Path | None, file: RetrieverFile) -> Iterator[tuple[KnownPassages, Keep]]:
    """Yield what was retrieved before, and what keeps more. Without a folder nothing is kept.

    Raises `ConfigError` for a folder of another retriever, or one that cannot be written.
    """
    if folder is None:
        yield {}, _nowhere
        return
    try:
        _begun(folder, file)
        known = _known(folder / RETRIEVED)
        with (folder / RETRIEVED).open("ab") as lines:

            def keep(asked: RetrievalQuery, found: tuple[Passage, ...]) -> None:
                row = {
                    "question": asked.question,
                    "query": asked.query,
                    "passages": [each.model_dump(mode="json", exclude_none=True) for each in found],
                }
                lines.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
                lines.flush()

            yield known, keep
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error


def _nowhere(asked: RetrievalQuery, found: tuple[Passage, ...]) -> None:
    del asked, found


def _begun(folder: Path, file: RetrieverFile) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / MANIFEST
    if manifest.exists():
        try:
            digest = orjson.loads(manifest.read_bytes()).get("retriever")
        except (orjson.JSONDecodeError, AttributeError) as error:
            raise ConfigError(f"{manifest}: not JSON of this command: {error}") from error
        if digest != file.digest:
            raise ConfigError(f"{folder}: was begun with another retriever; name a new folder")
    elif any(folder.iterdir()):
        raise ConfigError(f"{folder}: holds other files; name a new folder")
    else:
        write_whole(manifest, orjson.dumps({"retriever": file.digest}, option=orjson.OPT_APPEND_NEWLINE))


def _known(path: Path) -> KnownPassages:
    """Return what was retrieved, after cutting off a line that an interruption left half written."""
    found: KnownPassages = {}
    if not path.exists():
        return found
    end = 0
    with path.open("rb+") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                break
            try:
                row = orjson.loads(line)
                found[RetrievalQuery(row["question"], row["query"])] = _PASSAGES.validate_python(row["passages"])
            except (orjson.JSONDecodeError, KeyError, TypeError, ValidationError) as error:
                raise ConfigError(f"{path}: line {number}: not a row of this command; name a new folder") from error
            end += len(line)
        lines.truncate(end)
    return found
