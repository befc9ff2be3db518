"""Programs of other projects that tests run: where one is missing, a developer skips and CI fails."""

from __future__ import annotations

import importlib.util
import os
import shutil

import pytest


def require(program: str, install: str) -> str:
    """Return the path of ``program``; without it skip the test and say what to ``install``, or fail it in CI."""
    found = shutil.which(program)
    if found is None:
        missing(program, install)
    return str(found)


def missing(what: str, install: str) -> None:
    """Skip the test for want of ``what``, or fail it where the variable CI is ``true``."""
    message = f"{what} is missing; install it with: {install}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def require_module(name: str, install: str) -> None:
    """Go on only where the module ``name`` is installed; else skip the whole file, or fail in CI."""
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        message = f"{name} is missing; install it with: {install}"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message, allow_module_level=True)
