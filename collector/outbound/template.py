"""Requests out of a template, and parts of a reply by their path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import AfterValidator, StringConstraints

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


MAX_DEPTH = 16
"""How deep a template may be nested."""


class PathError(ValueError):
    """A path of which a reply makes no sense."""


def _path(text: str) -> str:
    try:
        jmespath.compile(text)
    except JMESPathError as error:
        raise ValueError(f"not a JMESPath: {' '.join(str(error).split())[:200]}") from None
    return text


JsonPath = Annotated[str, StringConstraints(min_length=1, max_length=500), AfterValidator(_path)]
"""Where something stands in a reply, as JMESPath (https://jmespath.org) has it."""


def found_at(path: str, reply: Any) -> Any:
    """Return what stands at a path; ``None`` where nothing does. Raises `PathError` for a function of another type.

    >>> reply = {"hits": [{"doc": {"body": "14 days."}, "score": 0.9}]}
    >>> found_at("hits[0].doc.body", reply), found_at("hits[].{text: doc.body, score: score}", reply)
    ('14 days.', [{'text': '14 days.', 'score': 0.9}])
    """
    try:
        return jmespath.search(path, reply)
    except JMESPathError as error:
        raise PathError(" ".join(str(error).split())[:200]) from error


def filled(template: Any, values: Mapping[str, str | int]) -> Any:
    """Return a template with ``{name}`` replaced by its value, in one pass: a value may hold such a name too.

    What stands alone keeps the type of its value; names without a value stay as they are.

    >>> filled({"query": "Q: {question}", "top_k": "{k}", "deep": [True]}, {"question": "What is {k}?", "k": 5})
    {'query': 'Q: What is {k}?', 'top_k': 5, 'deep': [True]}
    """
    if isinstance(template, str):
        whole = _PLACEHOLDER.fullmatch(template)
        if whole is not None:
            return values.get(whole[1], template)
        return _PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), template)
    if isinstance(template, Mapping):
        return {name: filled(part, values) for name, part in template.items()}
    if isinstance(template, list | tuple):
        return [filled(part, values) for part in template]
    return template


def is_too_deep(template: Any, depth: int = 0) -> bool:
    """Tell whether a template is nested deeper than `MAX_DEPTH`."""
    if not isinstance(template, Mapping | list | tuple):
        return False
    parts = template.values() if isinstance(template, Mapping) else template
    return depth >= MAX_DEPTH or any(is_too_deep(part, depth + 1) for part in parts)


def placeholders(template: Any) -> frozenset[str]:
    """Return the names that stand in a template.

    >>> sorted(placeholders({"q": "{question}", "also": ["{id}: {question}", 5]}))
    ['id', 'question']
    """
    if isinstance(template, str):
        return frozenset(_PLACEHOLDER.findall(template))
    if isinstance(template, Mapping):
        return frozenset().union(*map(placeholders, template.values()))
    if isinstance(template, list | tuple):
        return frozenset().union(*map(placeholders, template))
    return frozenset()
