"""What is wrong with the arguments of a tool, in words for whoever calls it: the argument, and what to send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from collector.api.exchange import JSON_TYPES, SHOWN

_BOUNDS = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}
_NUMBERS = {"int_type", "int_parsing", "int_from_float", "float_type", "float_parsing"}


def said_of(tool: str, error: ValidationError, parameters: Mapping[str, Any]) -> str:
    """Return what is wrong with the arguments of ``tool``, and what its ``parameters`` (a JSON schema) say to send.

    >>> from pydantic import BaseModel
    >>> class Given(BaseModel):
    ...     limit: int
    >>> schema = {"properties": {"limit": {"description": "At most this many."}}}
    >>> try:
    ...     Given.model_validate({"limit": "many"})
    ... except ValidationError as error:
    ...     said_of("worst_answers", error, schema)
    'worst_answers: limit must be a whole number. limit: At most this many.'
    """
    wanted: dict[str, dict[str, None]] = {}
    for problem in error.errors(include_url=False, include_input=False):
        wanted.setdefault(_argument(problem), {})[_wanted(problem)] = None
    lines = [
        f"{name} {' or '.join(words).replace(' or must be', ' or')}" for name, words in list(wanted.items())[:SHOWN]
    ]
    more = f"; and {len(wanted) - SHOWN} more" if len(wanted) > SHOWN else ""
    properties = parameters.get("properties", {})
    names = dict.fromkeys(name.partition("[")[0] for name in list(wanted)[:SHOWN])
    hints = [f" {name}: {text.rstrip('.')}." for name in names if (text := properties.get(name, {}).get("description"))]
    return f"{tool}: {'; '.join(lines)}{more}.{''.join(hints)}"


def _argument(problem: ErrorDetails) -> str:
    """Return the argument, and where in a list it is wrong; of a choice of types the names are no place."""
    name, *below = problem["loc"] or ("arguments",)
    where = next((f"[{part}]" for part in below if isinstance(part, int)), "")
    return f"{str(name)[:40]}{where}"


def _wanted(problem: ErrorDetails) -> str:
    kind, more = problem["type"], problem.get("ctx", {})
    if kind == "missing":
        return "is missing"
    if kind in JSON_TYPES:
        return f"must be {JSON_TYPES[kind]}"
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return f"must be {words} {more[bound]}"
    if kind in _NUMBERS:
        return "must be a whole number" if kind.startswith("int") else "must be a number"
    return f"cannot be read ({str(problem['msg']).removeprefix('Input ').removeprefix('Value error, ')})"
