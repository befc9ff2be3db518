"""What is wrong with a field of a row, and what to write there."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from adapters.schema import Answer
from adapters.vocabulary import DOCUMENTS

_KINDS = {
    "string_type": "must be text",
    "tuple_type": "must be a list",
    "model_type": "must be an object with fields",
    "mapping_type": "must be an object with fields",
    "dict_type": "must be an object with fields",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
}
_TIME = "must be a time such as 2026-03-04T12:00:00Z"
_PLAIN = {
    "missing": "required",
    "timezone_aware": "has no time zone: end it with Z, or with an offset such as +01:00",
    "datetime_type": _TIME,
    "datetime_parsing": _TIME,
    "datetime_from_date_parsing": _TIME,
    "datetime_object_invalid": _TIME,
}
_SHOWN = 40
_CLOSE = 0.65
"""How close a name is to a field to be taken for it: `frage` is as close to `usage` as .6."""
_LISTS = frozenset((*DOCUMENTS, "retrieved_contexts"))
OF_SUITES = frozenset({"expect", "configuration"})
"""Keys of rows of suites that are nothing of an answer: whatever scores answers passes them over."""


def told(problem: ErrorDetails) -> str:
    """Say what is wrong with a field of an answer, and what it takes.

    >>> from pydantic import ValidationError
    >>> try:
    ...     Answer(id="a", claims=[{"text": "Leave is paid.", "suport": "paid"}])
    ... except ValidationError as error:
    ...     [told(each) for each in error.errors()]
    ['required', 'unknown field; did you mean support?']
    """
    context = problem.get("ctx", {})
    match problem["type"]:
        case kind if kind in _PLAIN:
            said = _PLAIN[kind]
        case "extra_forbidden":
            said = f"unknown field{_instead(str(problem['loc'][-1]), _fields(problem['loc'][:-1]))}"
        case "literal_error":
            said = f"must be {context['expected']}"
        case "too_short":
            said = "must not be empty" if context["min_length"] == 1 else f"needs {context['min_length']} items"
        case "too_long":
            said = f"has more than {context['max_length']} items; leave some out"
        case "string_too_long":
            said = f"longer than {context['max_length']:,} characters; shorten it"
        case "value_error":
            said = str(context["error"])
        case kind if kind in _KINDS:
            said = f"{_KINDS[kind]}, not {kind_of_value(problem['input'])}"
        case _:
            said = problem["msg"]
    return said


def kind_of_value(value: Any) -> str:
    """Return what kind of value stands there; the value itself may be personal."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "text"
        case int() | float():
            return "a number"
        case list() | tuple():
            return "a list"
        case _:
            return "an object"


def _instead(name: str, known: list[str]) -> str:
    if name in _LISTS and "passages" in known:
        return "; did you mean passages?"
    near = get_close_matches(name[:_SHOWN], known, n=1, cutoff=_CLOSE)
    return f"; did you mean {near[0]}?" if near else f"; known: {', '.join(known)}"


def _fields(location: tuple[int | str, ...]) -> list[str]:
    """Return the fields of the record at a place in an answer."""
    model: type[BaseModel] = Answer
    for part in location:
        if isinstance(part, str) and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation) or model
    return list(model.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for each in get_args(annotation) if (found := _model_in(each)) is not None), None)
