"""Google's client, which runs the tools that are functions by itself, and tells of it with the answer."""

from __future__ import annotations

from typing import Any

HISTORY = "automatic_function_calling_history"
"""The key of its responses that holds the conversation before them; nobody else has it."""


def called_by_itself(output: Any) -> Any:
    """Return the conversation that came before a response: the question, the calls, and what they gave back."""
    return output.get(HISTORY) if isinstance(output, dict) else None
