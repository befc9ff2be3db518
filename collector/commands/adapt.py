"""`groundwire adapt`: files of traces in, answers as JSONL out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from adapters.base import AdaptOptions, MalformedRecord
from collector.commands.progress import watched
from collector.commands.reading import answers
from collector.errors import ConfigError
from collector.security.text import one_line


def adapt_files(files: Sequence[Path], attributes: Sequence[str], *, out: TextIO, err: TextIO) -> int:
    """Print every answer of ``files``; return 0, or 1 if something in them could not be read.

    A trace may be spread over several of them: it is adapted when the last part that has spans of it was read. What
    comes from a pipe is read first, and once.
    """
    options = AdaptOptions(attributes=mapping(attributes))
    clean = True
    with watched(out, err) as progress:
        for path, item in answers(files, options, progress):
            if isinstance(item, MalformedRecord):
                clean = False
                err.write(f"groundwire: {path}: {one_line(str(item))}\n")
            else:
                out.write(item.model_dump_json(exclude_defaults=True) + "\n")
    return 0 if clean else 1


def mapping(attributes: Sequence[str]) -> dict[str, str]:
    """Return what `--attribute NAME=KEY` says. Raises `ConfigError`."""
    pairs = [attribute.partition("=") for attribute in attributes]
    for text, (name, separator, key) in zip(attributes, pairs, strict=True):
        if not (name and separator and key):
            raise ConfigError(f"--attribute {text}: expected NAME=KEY")
    return {name: key for name, _, key in pairs}
