"""Which file is which: where each was left, told by device, inode and what was read of it, whatever it is called now.

Logs are rotated in two ways. Renamed, the file lives on under another name and a new one takes its place. Copied and
truncated, the copy is a new file with what was read already, and the old one begins anew. Practice: Fluent Bit's tail
input and Filebeat's fingerprint file identity.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec.structs import replace

from collector.sources.directories import Identity, ListedFile, Siblings, matching

MARK_BYTES = 512
"""What is compared of the head of a file, and of its last bytes that were read: log lines differ by then."""
FORGET_NS = 24 * 60 * 60 * 10**9
"""How long a file that is gone is remembered: a directory that was not mounted for a while is not read again."""
MAX_GONE = 2000
"""Files that are gone and remembered: where every trace has a file of its own, a day has too many."""


class FileState(msgspec.Struct, frozen=True, kw_only=True):
    """Where one file was left. ``mark`` is a digest of what was read at its head and just before ``offset``.

    ``skipping`` says that ``offset`` is within a line that is too long, ``ignored`` that nothing here can be read,
    ``rotated`` that the file is not written to any more but for what its writer had begun, ``torn`` that behind
    ``offset`` there is part of a line that waits for its rest, and that this was told. ``gone`` is since when it is
    nowhere to be found, 0 if it is there.
    """

    path: str
    device: int
    inode: int
    offset: int = 0
    line: int = 0
    mark: str = ""
    skipping: bool = False
    ignored: bool = False
    rotated: bool = False
    torn: bool = False
    gone: int = 0

    @property
    def identity(self) -> Identity:
        """The file, as long as it exists."""
        return (self.device, self.inode)


def listed(patterns: Sequence[str], exclude: Sequence[str]) -> dict[Identity, ListedFile]:
    """Return the files that match, each once whatever it is called, in order of name."""
    found: dict[Identity, ListedFile] = {}
    paths = sorted({path for pattern in patterns for path in matching(pattern)})
    for path in paths:
        if any(fnmatchcase(Path(path).name, pattern) for pattern in exclude):
            continue
        seen = ListedFile.at(path)
        if seen is not None:
            found.setdefault(seen.identity, seen)
    return found


def is_text(path: str) -> bool:
    r"""Whether a path is text: the cursor is JSON, which has no place for other bytes.

    >>> is_text("/var/log/äpp.log"), is_text("/var/log/\udcff.log")
    (True, False)
    """
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def opened(path: str, identity: Identity) -> int | None:
    """Open the file for reading; ``None`` where another has its name by now. Raises `OSError` where nobody may."""
    try:
        # Without O_NONBLOCK the open alone would wait for a writer where the path has become a FIFO.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    found = os.fstat(descriptor)
    if (found.st_dev, found.st_ino) != identity:
        os.close(descriptor)
        return None
    return descriptor


def mark_of(descriptor: int, offset: int) -> str:
    """Return the digest of a file that was read up to ``offset``; another where less is there."""
    length = min(MARK_BYTES, offset)
    parts = os.pread(descriptor, length, 0) + os.pread(descriptor, length, offset - length)
    return blake2b(parts, digest_size=16).hexdigest() if offset else ""


def may_be_copy(path: str, of: str) -> bool:
    """Whether rotation may have named a copy of ``of`` like this.

    >>> may_be_copy("/var/app.log.1", "/var/app.log"), may_be_copy("/var/web.log", "/var/app.log")
    (True, False)
    """
    directory, name = os.path.split(of)
    return os.path.dirname(path) == directory and os.path.basename(path).startswith(name.partition(".")[0])  # noqa: PTH119, PTH120


def head_of(descriptor: int) -> bytes:
    """Return what a file begins with."""
    return os.pread(descriptor, MARK_BYTES, 0)


class Heads:
    """Files by what they begin with: of thousands, the few that another may be a copy of."""

    def __init__(self) -> None:
        self._files: list[tuple[FileState, bytes]] = []
        self._found: dict[int, dict[bytes, list[FileState]]] = {}

    def add(self, state: FileState, head: bytes) -> None:
        """Add a file."""
        self._files.append((state, head))
        for length, table in self._found.items():
            table.setdefault(head[:length], []).append(state)

    def beginning(self, head: bytes) -> Sequence[FileState]:
        """Return the files that begin with ``head``.

        >>> heads, state = Heads(), FileState(path="a", device=1, inode=2)
        >>> heads.add(state, b"abc")
        >>> heads.beginning(b"ab") == [state], heads.beginning(b"b")
        (True, ())
        """
        table = self._found.get(len(head))
        if table is None:
            table = self._found[len(head)] = {}
            for state, known in self._files:
                table.setdefault(known[: len(head)], []).append(state)
        return table.get(head, ())


def is_copy(descriptor: int, size: int, of: int) -> bool:
    """Whether a file of ``size`` bytes is, as far as it goes, what another holds: a copy, perhaps still being made."""
    length = min(MARK_BYTES, size)
    return all(os.pread(descriptor, length, at) == os.pread(of, length, at) != b"" for at in (0, max(0, size - length)))


def follow(
    states: Iterable[FileState], there: dict[Identity, ListedFile], beside: Siblings, *, now: int
) -> Iterator[FileState]:
    """Yield each state with the name its file has now; files that are long gone, or gone before many, are forgotten.

    ``there`` are the files that match; those a file was renamed to without matching any more are added.
    """
    gone: list[FileState] = []
    for state in states:
        seen = there.get(state.identity)
        if seen is None:
            seen = next((other for other in beside.of(state.path) if other.identity == state.identity), None)
            if seen is not None:
                there[state.identity] = seen
        if seen is not None and is_text(seen.path):
            yield replace(state, path=seen.path, rotated=state.rotated or seen.path != state.path, gone=0)
        elif not state.gone:
            gone.append(replace(state, rotated=True, gone=now))
        elif now - state.gone < FORGET_NS:
            gone.append(state)
    gone.sort(key=lambda state: state.gone)
    yield from gone[-MAX_GONE:]


def dump(states: Iterable[FileState]) -> bytes:
    """Return the cursor that holds ``states``."""
    return msgspec.json.encode(sorted(states, key=lambda state: (state.path, state.identity)))


def load(cursor: bytes | None) -> list[FileState]:
    """Return what `dump` wrote; nothing of anything else."""
    try:
        return msgspec.json.decode(cursor or b"[]", type=list[FileState])
    except msgspec.DecodeError:
        return []
