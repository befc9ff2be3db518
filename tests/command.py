"""The command line run in this process: one of its own takes a second of a core to begin, and tests ask it much."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest

from collector import cli


class Ended(NamedTuple):
    """The exit code of a command, and what it wrote where, as of a process."""

    returncode: int
    stdout: str
    stderr: str


def command(*arguments: str, cwd: Path = Path()) -> Ended:
    """Run ``groundwire`` with ``arguments`` in a directory; return how it ended."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with (
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "argv", ["groundwire", *arguments]),
        pytest.raises(SystemExit) as ended,
    ):
        cli.main()
    return Ended(ended.value.code, _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()
