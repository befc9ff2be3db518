"""`groundwire adapt`: files of traces in, answers as JSONL out."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from adapters.base import MalformedRecord
from adapters.detect import AdaptOptions
from adapters.files import read
from collector.errors import ConfigError

MAX_BYTES = 1024 * 1024 * 1024
GZIP_MAGIC = b"\x1f\x8b"


def adapt_files(files: Sequence[Path], attributes: Sequence[str], *, out: TextIO, err: TextIO) -> int:
    """Print every answer of ``files``; return 0, or 1 if something in them could not be read."""
    options = AdaptOptions(attributes=_mapping(attributes))
    clean = True
    for path in files:
        for item in read(_contents(path), options):
            if isinstance(item, MalformedRecord):
                clean = False
                err.write(f"groundwire: {path}: {item}\n")
            else:
                out.write(item.model_dump_json(exclude_defaults=True) + "\n")
    out.flush()
    return 0 if clean else 1


def _mapping(attributes: Sequence[str]) -> dict[str, str]:
    pairs = [attribute.partition("=") for attribute in attributes]
    for text, (name, separator, key) in zip(attributes, pairs, strict=True):
        if not (name and separator and key):
            raise ConfigError(f"--attribute {text}: expected NAME=KEY")
    return {name: key for name, _, key in pairs}


def _contents(path: Path) -> bytes:
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    if data.startswith(GZIP_MAGIC):
        data = _unpacked(path, data)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes")
    return data


def _unpacked(path: Path, data: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise ConfigError(f"{path}: broken gzip: {error}") from error
    if not unpacker.eof and len(unpacked) <= MAX_BYTES:
        raise ConfigError(f"{path}: gzip data ends early")
    return unpacked
