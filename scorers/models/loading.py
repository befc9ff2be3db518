"""Reading the files of trained models that ship with the package."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def read_model(name: str) -> dict[str, Any]:
    """Return the content of the model file ``name`` beside this module.

    Package data, not the outside world: the file is part of the code and is the same in every process. What reads it
    keeps what it makes of it (`adapters.caching.cached`), so that a file is read once.
    """
    content: dict[str, Any] = json.loads(files("scorers.models").joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return content
