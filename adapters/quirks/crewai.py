"""What is special about CrewAI: a crew tells what all its model calls took; they have no spans of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from adapters.values import count_of, parse_literal

FRAMEWORK = "crewai"
TOKENS = {"prompt": "prompt_tokens", "completion": "completion_tokens", "total": "total_tokens"}


_MESSAGES = ", messages=["
_PART = re.compile(r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|[\[\]]")
_MAX_PRINTED = 1_000_000


def usage_of(output: Any) -> Mapping[str, Any]:
    """Return the usage that a crew's output tells; nothing where it tells none.

    >>> usage_of({"raw": "Four weeks.", "token_usage": {"prompt_tokens": 8, "successful_requests": 2}})
    {'prompt_tokens': 8, 'successful_requests': 2}
    """
    told = output.get("token_usage") if isinstance(output, dict) else None
    return told if isinstance(told, dict) else {}


def requests_of(output: Any) -> int | None:
    """Return how many calls a crew made, where it tells of one at least.

    >>> requests_of({"token_usage": {"successful_requests": 2}}), requests_of({"token_usage": {}})
    (2, None)
    """
    return count_of(usage_of(output).get("successful_requests")) or None


def printed_messages(text: str) -> list[Any]:
    """Return the messages of the last task in a printed output of tasks; none where there are none to be read.

    >>> printed_messages("[TaskOutput(raw='4', messages=[{'role': 'tool', 'content': 'a ] b'}], agent='Desk')]")
    [{'role': 'tool', 'content': 'a ] b'}]
    """
    begin = text.rfind(_MESSAGES)
    if begin < 0 or len(text) > _MAX_PRINTED:
        return []
    begin += len(_MESSAGES) - 1
    depth = 0
    for part in _PART.finditer(text, begin):
        depth += {"[": 1, "]": -1}.get(part[0], 0)
        if depth == 0:
            found = parse_literal(text[begin : part.end()], limit=_MAX_PRINTED)
            return found if isinstance(found, list) else []
    return []
