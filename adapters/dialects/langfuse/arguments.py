"""The arguments of functions that Langfuse's decorator observes: ``{"args": [..], "kwargs": {..}}``."""

from __future__ import annotations

from typing import Any


def called_with(value: Any) -> Any:
    """Return the arguments of a decorated function: the only one as it is, several as an object of them.

    The first positional one that is a text of several words is called ``input``; an id may stand before a question.

    >>> called_with({"args": ["How much?"], "kwargs": {}}), called_with({"args": [], "kwargs": {"q": "How much?"}})
    ('How much?', {'q': 'How much?'})
    >>> called_with({"args": ["u-1", "How much?"], "kwargs": {"k": 2}})
    {'input': 'How much?', 'k': 2}
    """
    if not is_call(value):
        return value
    args, kwargs = value.get("args") or [], value.get("kwargs") or {}
    texts = [item for item in args if isinstance(item, str)]
    first = next((text for text in texts if len(text.split()) > 1), texts[0] if texts else args[0] if args else None)
    if not kwargs:
        return first if args else {}
    return kwargs if not args else {"input": first} | kwargs | {"input": kwargs.get("input", first)}


def is_call(value: Any) -> bool:
    """Tell whether ``value`` is what the decorator writes of a function's arguments."""
    return (
        isinstance(value, dict)
        and value.keys() == {"args", "kwargs"}
        and isinstance(value["args"], list | None)
        and isinstance(value["kwargs"], dict | None)
    )
