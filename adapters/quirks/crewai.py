"""What is special about CrewAI: a crew tells what all its model calls took; they have no spans of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.values import count_of

FRAMEWORK = "crewai"
TOKENS = {"prompt": "prompt_tokens", "completion": "completion_tokens", "total": "total_tokens"}


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
