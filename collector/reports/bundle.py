"""A bundle: a report with everything that it was made from, in one archive that another machine can verify."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import platform
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from collector.errors import ConfigError
from collector.writing import whole_file
from gates.verdicts.summary import counted

LIST = "bundle.json"
PACKAGES = ("numpy", "scipy", "statsmodels", "matplotlib", "pyarrow", "pydantic", "msgspec")
MAX_FILES, MAX_BYTES = 10_000, 16 * 1024**3
_BLOCK = 1024 * 1024


def write_bundle(
    path: Path, folders: Sequence[tuple[str, Path]], reports: Mapping[str, bytes], facts: Mapping[str, Any]
) -> str:
    """Write an archive of run folders and reports, with the checksum of each file; return the checksum of its list.

    The same files give the same bytes. Raises `ConfigError` where it cannot be written.
    """
    files = [(f"runs/{name}/{one.relative_to(folder)}", one) for name, folder in folders for one in _files(folder)]
    listed = {name: _checksum(one) for name, one in files}
    listed |= {f"report/{name}": hashlib.sha256(data).hexdigest() for name, data in reports.items()}
    listing = json.dumps(
        {"bundle_version": 1, **facts, "environment": _environment(), "files": dict(sorted(listed.items()))},
        indent=2,
        sort_keys=True,
    ).encode()
    # No name and no time of the archive itself: gzip would write both.
    with (
        whole_file(path) as raw,
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        _add(archive, LIST, listing)
        for name, data in sorted(reports.items()):
            _add(archive, f"report/{name}", data)
        for name, one in sorted(files):
            with one.open("rb") as file:
                archive.addfile(_entry(name, one.stat().st_size), file)
    return hashlib.sha256(listing).hexdigest()


def verify_bundle(path: Path) -> tuple[str, int]:
    """Return the checksum of a bundle's list and how many files it holds, each of which is what the list says.

    Raises `ConfigError` that names the first file that was changed, is missing, or is in no list.
    """
    try:
        with tarfile.open(path, mode="r:gz") as archive:
            first = archive.next()
            if first is None or first.name != LIST:
                raise ConfigError(f"{path}: is no bundle: it does not begin with {LIST}")
            listing = _content(archive, first).read(64 * 1024 * 1024)
            wanted = _listed(path, listing)
            seen: set[str] = set()
            for number, entry in enumerate(iter(archive.next, None)):
                if number >= MAX_FILES or not entry.isfile() or entry.size > MAX_BYTES:
                    raise ConfigError(f"{path}: {entry.name[:200]}: is no file of a bundle")
                if entry.name not in wanted or entry.name in seen:
                    raise ConfigError(f"{path}: {entry.name[:200]}: is not in the list of the bundle")
                seen.add(entry.name)
                digest = hashlib.sha256()
                content = _content(archive, entry)
                while block := content.read(_BLOCK):
                    digest.update(block)
                if digest.hexdigest() != wanted[entry.name]:
                    raise ConfigError(f"{path}: {entry.name[:200]}: was changed: its checksum is not the one listed")
    except (tarfile.TarError, OSError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ConfigError(f"{path}: cannot be read: {reason}") from error
    missing = sorted(wanted.keys() - seen)
    if missing:
        more = f", and {counted(len(missing) - 1, 'more file')}" if len(missing) > 1 else ""
        raise ConfigError(f"{path}: {missing[0][:200]}: is missing{more}")
    return hashlib.sha256(listing).hexdigest(), len(seen)


def _listed(path: Path, listing: bytes) -> Mapping[str, str]:
    try:
        files = json.loads(listing)["files"]
        return {str(name): str(digest) for name, digest in files.items()}
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise ConfigError(f"{path}: {LIST}: is no list of files") from error


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Any:
    content = archive.extractfile(entry)
    if content is None:
        raise ConfigError(f"{entry.name[:200]}: is no file of a bundle")
    return content


def _files(folder: Path) -> Iterator[Path]:
    return iter(sorted(one for one in folder.rglob("*") if one.is_file()))


def _checksum(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error


def _environment() -> Mapping[str, Any]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "platform": sys.platform,
        "machine": platform.machine(),
        "packages": found,
    }


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    archive.addfile(_entry(name, len(data)), io.BytesIO(data))


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = size, 0, 0o444
    return entry
