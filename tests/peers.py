"""Programs of other projects that tests run: where one is missing, a developer skips and CI fails."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from tests import debian


def require(program: str) -> str:
    """Return the path of ``program`` of `debian.PACKAGES`; without it skip the test, or fail it in CI."""
    found = shutil.which(program)
    if found is None:
        _without(debian.without(program))
    return found


def require_directory(what: str, path: Path) -> None:
    """Go on only where the library ``what`` of `debian.PACKAGES` is in ``path``; else skip the test, or fail in CI."""
    if not path.is_dir():
        _without(debian.without(what))


def missing(what: str, install: str) -> NoReturn:
    """Skip the test for want of ``what``, or fail it where the variable CI is ``true``."""
    _without(f"{what} is missing; install it with: {install}")


def require_module(name: str, install: str) -> None:
    """Go on only where the module ``name`` is installed; else skip the whole file, or fail in CI."""
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        _without(f"{name} is missing; install it with: {install}", whole_file=True)


def _without(message: str, *, whole_file: bool = False) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message, allow_module_level=whole_file)
