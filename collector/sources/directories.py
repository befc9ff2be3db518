"""Which files there are: by patterns, and beside each other, with each directory read once."""

from __future__ import annotations

import glob
import os
import stat
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A regular file that is there."""

    path: str
    identity: Identity
    size: int

    @classmethod
    def at(cls, path: str) -> ListedFile | None:
        """Look at ``path``; ``None`` where there is no regular file."""
        try:
            found = os.stat(path)  # noqa: PTH116 - a million of these a day, without an object each
        except OSError:
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        return cls(path, (found.st_dev, found.st_ino), found.st_size)


def matching(pattern: str) -> Iterator[str]:
    """Yield the paths that match.

    ``**`` follows links to directories and enters none twice: two links that lead back up would never come to an end.
    """
    parts = pattern.split("/")
    if "**" not in parts:
        yield from glob.iglob(pattern)  # noqa: PTH207 - absolute
        return
    at = parts.index("**")
    above, below = "/".join(parts[:at]), "/".join(parts[at + 1 :]) or "*"
    # What stands before a leading slash is empty, and so is what stands before a relative pattern.
    tops = ["/"] if parts[:at] == [""] else [""] if at == 0 else glob.iglob(above)  # noqa: PTH207
    for top in tops:
        for directory in _entered(top):
            yield from matching(os.path.join(glob.escape(directory), below))  # noqa: PTH118 - as given


def _entered(top: str) -> Iterator[str]:
    """Yield a directory and those below it that are not hidden, each once; by a link where there is no other way."""
    found: set[Identity] = set()
    waiting, links = deque([top]), deque[str]()
    while waiting or links:
        directory = waiting.popleft() if waiting else links.popleft()
        with suppress(OSError):
            at = os.stat(directory or os.curdir)  # noqa: PTH116
            if not stat.S_ISDIR(at.st_mode) or (at.st_dev, at.st_ino) in found:
                continue
            found.add((at.st_dev, at.st_ino))
            yield directory
            with os.scandir(directory or os.curdir) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    if not entry.name.startswith("."):
                        path = os.path.join(directory, entry.name)  # noqa: PTH118 - as given
                        if entry.is_symlink():
                            links.append(path)
                        elif entry.is_dir():
                            waiting.append(path)


class Siblings:
    """The files in the directory of another that are named after it, as rotation leaves them: ``app.log.1``.

    Of one moment: each directory is listed once, and each file looked at once.
    """

    def __init__(self) -> None:
        self._names: dict[str, list[str]] = {}
        self._seen: dict[str, ListedFile | None] = {}

    def of(self, path: str) -> Iterator[ListedFile]:
        """Yield the files named after the one at ``path``, itself too, in order of name."""
        directory, name = os.path.split(path)
        stem = name.partition(".")[0]
        names = self._listed(directory)
        for index in range(bisect_left(names, stem), len(names)):
            if not names[index].startswith(stem):
                return
            other = os.path.join(directory, names[index])  # noqa: PTH118 - as given: no form is put upon it
            if other not in self._seen:
                self._seen[other] = ListedFile.at(other)
            seen = self._seen[other]
            if seen is not None:
                yield seen

    def _listed(self, directory: str) -> list[str]:
        if directory not in self._names:
            self._names[directory] = []
            with suppress(OSError):
                self._names[directory] = sorted(os.listdir(directory or os.curdir))  # noqa: PTH208
        return self._names[directory]
