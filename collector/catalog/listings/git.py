"""A git repository as a source: what a branch has, what it had before, and what was renamed, by the git program."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from shutil import which
from typing import IO, Literal, NamedTuple, Self

from pydantic import Field

from collector.catalog.listings.base import ListedFilesOptions, ListingRun
from collector.catalog.listings.editions import Editions, with_earlier
from collector.catalog.listings.entry import MAX_TEXT, entry_of
from collector.catalog.listings.notes import Notes
from collector.errors import ConfigError
from scorers.catalog import Document
from scorers.catalog.history import KEEP, SourceHistory
from scorers.catalog.learned import consistent

COMMITS = 2_000
"""Commits that are looked back through, the newest first."""
SECONDS = 300.0
MAX_BYTES = 256 * 1024 * 1024
"""Of what the log of a repository may be."""
_REGULAR = frozenset({"100644", "100755"})
_PASSED_OVER = {"160000": "submodules, passed over", "120000": "links, not followed"}
_ALONE = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


class GitSource(ListedFilesOptions):
    """A git repository on this machine, as it is: nothing is fetched."""

    type: Literal["git"] = "git"
    path: Path = Field(description="Working tree, or bare repository.")
    revision: str = Field(default="HEAD", min_length=1, description="Branch, tag or commit.")
    commits: int = Field(default=COMMITS, ge=1, le=100_000, description="Commits to look back through.")
    base: str | None = Field(
        default=None, description="Address or path that the files are known by; by default where they are."
    )

    @property
    def address(self) -> str:
        """The path and the revision."""
        return f"{self.path}, {self.revision}"

    def fingerprint(self, at: datetime) -> str:
        """Return the commit."""
        del at
        return _commit(_git(self.path), self.revision, self.path)

    def entries(self, run: ListingRun) -> tuple[Document, ...]:
        """Return the entries of the files of the revision, and of the versions before."""
        return git_listing(
            self.path,
            notes=run.notes,
            revision=self.revision,
            base=self.base,
            include=self.include,
            keep=self.keep,
            commits=self.commits,
        )


class _Change(NamedTuple):
    """A file that a commit changed: its blob, ``None`` where it was removed; ``old`` is what it was called before."""

    at: datetime
    name: str
    blob: str | None
    old: str | None


def git_listing(
    repository: Path,
    *,
    notes: Notes,
    revision: str = "HEAD",
    base: str | None = None,
    include: Sequence[str] = (),
    keep: int = KEEP,
    commits: int = COMMITS,
) -> tuple[Document, ...]:
    """Return the entries of the files of a revision, and of the versions that they replaced or that were removed.

    A version governs from the commit that brought it until the one that replaced it, unless its front matter says from
    when; of files that were there before the oldest commit that is looked at, nobody knows since when. Links and
    submodules are passed over. Raises `ConfigError` where git cannot be run or refuses.
    """
    git = _git(repository)
    top = _run([*git, "rev-parse", "--show-toplevel"], repository, default=str(repository)).strip()
    base = Path(top).as_posix() if base is None else base
    commit = _commit(git, revision, repository)
    chosen = _Chosen(tuple(include))
    now = _present(git, commit, repository, chosen, notes)
    cut = _cut(git, commit, repository)
    if cut is not None:
        notes.add("history that is cut off; fetch all of it to date what changed before", f"{cut:%Y-%m-%d}")
    changes = list(_changes(_log(git, commit, commits, repository)))
    changes.reverse()
    history = SourceHistory(keep=keep)
    with _Blobs(git) as blobs:

        def entry(name: str, blob: str, at: datetime | None) -> Document:
            return entry_of(blobs.read(blob), name=name, base=base or "", modified_at=at, notes=notes)

        ids: dict[str, str] = {}
        last: dict[str, datetime | None] = {}
        for change in changes:
            modified = None if change.at == cut else change.at
            last[change.name] = modified
            if change.blob is None or not chosen.holds(change.name):
                if (held := ids.pop(change.name, None)) is not None:
                    history.gone(held, change.at)
                continue
            document = entry(change.name, change.blob, modified)
            before = ids.pop(change.old, None) if change.old is not None else ids.get(change.name)
            ids[change.name] = document.id
            moved = before if before is not None and before != document.id else None
            history.listed(document, change.at, moved_from=moved)
        for name, blob in now.items():
            if chosen.holds(name) and name not in ids:
                document = entry(name, blob, last.get(name))
                ids[name] = document.id
                history.listed(document, None)
        beside = Editions()
        shared = {each for each, count in Counter(ids.values()).items() if count > 1}
        for name in sorted(name for name, each in ids.items() if each in shared and name in now):
            beside.add(entry(name, now[name], last.get(name)), name, notes, "file")
    return tuple(consistent(with_earlier(history.documents(), (*beside.earlier, *beside.last.values()))))


def _git(repository: Path) -> list[str]:
    program = which("git")
    if program is None:
        raise ConfigError("git: not installed")
    return [program, "-C", str(repository), "-c", "core.quotePath=false", "-c", "core.fsmonitor=false"]


def _commit(git: Sequence[str], revision: str, repository: Path) -> str:
    return _run([*git, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}"], repository).strip()


class _Chosen(NamedTuple):
    include: tuple[str, ...]

    def holds(self, name: str) -> bool:
        hidden = any(part.startswith(".") for part in name.split("/"))
        return not hidden and (not self.include or any(fnmatch(name, glob) for glob in self.include))


def _run(command: Sequence[str], repository: Path, *, default: str | None = None) -> str:
    """Return what git prints. Raises `ConfigError` with what it says is wrong, unless there is a ``default``."""
    try:
        done = subprocess.run(  # noqa: S603 - git itself, no shell, and no option comes from a name
            command, capture_output=True, check=False, timeout=SECONDS, env={**os.environ, **_ALONE}
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(f"{repository}: git: not done within {SECONDS:g} s") from None
    if done.returncode:
        if default is not None:
            return default
        said = " ".join(done.stderr.decode(errors="replace").split())[:200]
        raise ConfigError(f"{repository}: git: {said}")
    if len(done.stdout) > MAX_BYTES:
        raise ConfigError(f"{repository}: git: more than {MAX_BYTES} bytes; use --include or fewer --commits")
    return done.stdout.decode(errors="surrogateescape")


def _log(git: Sequence[str], commit: str, commits: int, repository: Path) -> str:
    shown = [
        "--first-parent",
        "-m",
        "--root",
        "--raw",
        "-z",
        "-M",
        "--no-abbrev",
        "--no-show-signature",
        "--format=%x00%ct",
    ]
    return _run([*git, "log", f"--max-count={commits}", *shown, "--format=%x00%ct", commit], repository)


def _cut(git: Sequence[str], commit: str, repository: Path) -> datetime | None:
    """Return when the commit was made at which a shallow clone is cut off: it seems to bring all that was there."""
    if _run([*git, "rev-parse", "--is-shallow-repository"], repository).strip() != "true":
        return None
    first = _run([*git, "log", "--first-parent", "--max-parents=0", "--format=%ct", commit], repository).split()
    return datetime.fromtimestamp(int(first[0]), UTC) if first else None


def _present(git: Sequence[str], commit: str, repository: Path, chosen: _Chosen, notes: Notes) -> Mapping[str, str]:
    """Return the blobs of a commit's files, by name; note what is none."""
    now: dict[str, str] = {}
    for mode, name, blob in _tree(_run([*git, "ls-tree", "-r", "-z", "--full-tree", commit], repository)):
        if mode in _REGULAR:
            now[name] = blob
        elif mode in _PASSED_OVER and chosen.holds(name):
            notes.add(_PASSED_OVER[mode], name)
    return now


def _tree(listed: str) -> Iterator[tuple[str, str, str]]:
    for row in listed.split("\0"):
        about, _, name = row.partition("\t")
        mode, *rest = about.split(" ")
        if rest and _encodable(name):
            yield mode, name, rest[1]


def _changes(log: str) -> Iterator[_Change]:
    """Yield the changes of a log, the newest first: ``NUL NUL seconds NUL`` and then rows with their names."""
    at: datetime | None = None
    parts = iter(log.split("\0"))
    for part in parts:
        row = part.strip("\n")
        if row.isdigit():
            at = datetime.fromtimestamp(int(row), UTC)
        elif row.startswith(":") and at is not None:
            _, mode, _, blob, status = row.split(" ")
            old = next(parts) if status[0] in "RC" else None
            name = old if old is None else next(parts)
            name = next(parts) if name is None else name
            if _encodable(name):
                if status[0] == "R" and old is not None and mode not in _REGULAR:
                    yield _Change(at, old, None, None)
                gone = status == "D" or mode not in _REGULAR
                yield _Change(at, name, None if gone else blob, old if status[0] == "R" else None)


def _encodable(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return bool(name)


class _Blobs:
    """Reads the contents of files, one process for all."""

    def __init__(self, git: Sequence[str]) -> None:
        self._command = [*git, "cat-file", "--batch"]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(  # noqa: S603 - git itself
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **_ALONE}
        )
        return self

    def __exit__(self, *_: object) -> None:
        # Closing its input ends it.
        self._process.communicate(timeout=SECONDS)

    def read(self, blob: str) -> bytes:
        """Return a content, up to a byte more than is listed as text."""
        out, into = self._process.stdout, self._process.stdin
        assert out is not None
        assert into is not None
        into.write(f"{blob}\n".encode())
        into.flush()
        about = out.readline().split()
        if len(about) != 3:  # noqa: PLR2004 - id, kind and size; else it is missing
            raise ConfigError(f"git: {blob} cannot be read")
        return _bounded(out, int(about[2]))


def _bounded(out: IO[bytes], size: int) -> bytes:
    data = out.read(min(size, MAX_TEXT + 1))
    left = size + 1 - len(data)
    while left > 0:
        left -= len(out.read(min(left, MAX_TEXT)))
    return data
