"""The manifest of a run folder: checksums of everything that a run was made from, and of what it holds."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import orjson
from pydantic import AwareDatetime, Field, ValidationError

from collector.errors import ConfigError
from scorers.base import Value

MANIFEST, PART = "manifest.json", "manifest.part"
BLOCK = 1024 * 1024
MAX_MANIFEST_BYTES = 10_000_000

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
FileKind = Literal["sources", "chunks", "models", "prompts", "code"]


class SuiteFile(Value):
    """A file that a run was made from: its name, SHA-256 checksum and size in bytes."""

    name: str
    sha256: Digest
    size: int


class ChunkCount(Value):
    """The distinct passages that answers were given: how many, and the checksum of the sorted checksums of each."""

    count: int
    sha256: Digest


class RunOrigins(Value):
    """What the answers themselves say they were made by: models, versions of components, documents and chunks."""

    models: Mapping[str, int] = {}
    versions: Mapping[str, Mapping[str, int]] = {}
    documents: Mapping[str, int] = {}
    chunks: ChunkCount | None = None


class RunManifest(Value):
    """What a run was made from, and, when it has ended, what it holds.

    ``seeds`` and ``files`` are what the configuration of the run names; ``packages`` are the versions of what computes
    scores. ``answers``, ``failed``, ``observed`` and ``tables`` are known at the end: a run without ``tables`` has not
    ended.
    """

    manifest_version: Literal[2] = 2
    groundwire: str
    name: str
    scored_as_of: AwareDatetime
    packages: Mapping[str, str] = {}
    configuration: Digest
    application: Mapping[str, str] | None = None
    suite: tuple[SuiteFile, ...]
    catalog: tuple[SuiteFile, ...] = ()
    files: Mapping[FileKind, tuple[SuiteFile, ...]] = {}
    seeds: Mapping[str, int] = {}
    metrics: Mapping[str, str]
    answers: int | None = None
    failed: int | None = None
    observed: RunOrigins | None = None
    tables: Mapping[str, Digest] | None = None

    @property
    def ended(self) -> bool:
        """Whether the run has ended, and is never changed again."""
        return self.tables is not None


FIXED = (
    "groundwire",
    "name",
    "packages",
    "configuration",
    "application",
    "suite",
    "catalog",
    "files",
    "seeds",
    "metrics",
)
"""Fields that must be the same for a run to be finished by another call."""


def checksum_of(path: Path) -> str:
    """Return the SHA-256 checksum of a file. Raises `ConfigError` for one that cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def digest_of(value: Any) -> str:
    """Return the SHA-256 checksum of plain data: the same for equal data, whatever the order of its keys.

    >>> digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def files_at(path: Path) -> tuple[SuiteFile, ...]:
    """Return a file, or all files below a folder in the order of their names. Raises `ConfigError` for neither."""
    if path.is_dir():
        parts = sorted(part for part in path.rglob("*") if part.is_file())
        return tuple(_file(part, str(part.relative_to(path))) for part in parts)
    if not path.is_file():
        raise ConfigError(f"{path}: {_no_file(path)}")
    return (_file(path, path.name),)


def _no_file(path: Path) -> str:
    if path.is_fifo() or path.is_char_device():
        return "is a pipe, and is read more than once; write it to a file"
    return "cannot be read: not a file" if path.exists() else "no such file"


def listed(paths: Iterable[Path]) -> tuple[SuiteFile, ...]:
    """Return the files at ``paths``, in their order."""
    return tuple(each for path in paths for each in files_at(path))


def read_manifest(folder: Path) -> RunManifest | None:
    """Return the manifest in a folder, ``None`` if there is none. Raises `ConfigError` for one that cannot be read."""
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            return RunManifest.model_validate_json(file.read(MAX_MANIFEST_BYTES))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def write_manifest(folder: Path, manifest: RunManifest) -> None:
    """Write a manifest whole or not at all."""
    part = folder / PART
    with part.open("wb") as file:
        file.write(manifest.model_dump_json(indent=2).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(folder / MANIFEST)


def _file(path: Path, name: str) -> SuiteFile:
    return SuiteFile(name=name, sha256=checksum_of(path), size=path.stat().st_size)
