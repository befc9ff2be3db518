"""What can be known of a scheduled run before it is due: whether its folder can be written, and its files are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile

from collector.errors import ConfigError
from collector.evaluating.options import ScheduledEvaluation, ScheduledReport


def check(section: str, configured: Sequence[ScheduledEvaluation | ScheduledReport]) -> Iterator[str]:
    """Yield a line for each scheduled run, and a warning for each file that it will read and that is not there.

    Nothing is made, and nothing is left in a folder. Raises `ConfigError` that names each folder that cannot be
    written.
    """
    problems = [
        f"{section}[{index}].to: {problem}"
        for index, job in enumerate(configured)
        if (problem := unwritable(job.to)) is not None
    ]
    if problems:
        raise ConfigError(*problems)
    for index, job in enumerate(configured):
        where = f"{section}[{index}]"
        made = "" if job.to.is_dir() else ", which it makes"
        yield f"{where}: ok, {job.name} writes into {job.to}{made}"
        for key, path in job.files():
            if not path.exists():
                yield f"warning: {where}.{key}: {path} is not there; the run will fail without it"


def unwritable(folder: Path) -> str | None:
    """Return why files cannot be written into a folder, or why it cannot be made; ``None`` where they can.

    >>> unwritable(Path("/dev/null"))
    '/dev/null: cannot be written: a file is in its place'
    """
    there = folder
    try:
        while not there.exists():
            # A link that leads nowhere: no folder can be made there.
            if there.is_symlink() or there == there.parent:
                return f"{folder}: cannot be written: {there} leads nowhere"
            there = there.parent
        if not there.is_dir():
            what = "a file is in its place" if there == folder else f"{there} is a file"
            return f"{folder}: cannot be written: {what}"
        # Permissions do not tell of a file system that is read-only, and mean nothing to root: only a file tells.
        with TemporaryFile(dir=there):
            return None
    except OSError as error:
        of = "" if there == folder else f"{there}: "
        return f"{folder}: cannot be written: {of}{error.strerror}"
