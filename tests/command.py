"""The command line run in this process: one of its own takes a second of a core to begin, and tests ask it much."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

from collector import cli
from collector.cli.shared import json_of
from docs.makers.commands import commands


class Ended(NamedTuple):
    """The exit code of a command, and what it wrote where, as of a process."""

    returncode: int
    stdout: str
    stderr: str


def command(*arguments: str, cwd: Path = Path()) -> Ended:
    """Run ``groundwire`` with ``arguments`` in a directory; return how it ended."""
    known = set(sys.modules)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with (
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "argv", ["groundwire", *arguments]),
        pytest.raises(SystemExit) as ended,
    ):
        cli.main()
    # As the process would have ended: an application's module of one test is not that of the next.
    for name in set(sys.modules).difference(known):
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == cwd.resolve():
            del sys.modules[name]
    return Ended(ended.value.code, _written(out), _written(err))


def one_object(done: Any, name: str | None = None) -> dict[str, Any]:
    """Return what a command that ended printed with ``--json``: one object, on one line of ASCII.

    With the ``name`` of the command it has the fields that its help names, in their order.
    """
    assert done.stdout.endswith("\n"), done
    assert len(done.stdout.splitlines()) == 1, done.stdout
    assert done.stdout.isascii()
    told = json.loads(done.stdout, parse_constant=pytest.fail)
    assert isinstance(told, dict)
    if name is not None:
        [option] = [each for each in commands()[name].params if "--json" in each.opts]
        assert option.help == json_of(*told).help
    return told


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()
