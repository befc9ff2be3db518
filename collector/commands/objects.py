"""What commands print for programs with `--json`: one object on one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any


def object_line(body: Mapping[str, Any]) -> str:
    r"""Return an object as one line of JSON, with ``null`` for numbers that JSON has no word for.

    It is ASCII: text of answers, which may come from anywhere, cannot steer the terminal that it is read on.

    >>> object_line({"mean": float("nan"), "name": "größer"})
    '{"mean": null, "name": "gr\\u00f6\\u00dfer"}\n'
    """
    return json.dumps(_finite(body), allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, (list, tuple)) else value
