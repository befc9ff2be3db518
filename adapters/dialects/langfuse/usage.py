"""Tokens and cost of a call: Langfuse's own buckets, or a provider's figures that it passes through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.values import count_of, number_of
from adapters.vocabulary import TokenCount

# Each side is one bucket and those that were taken out of it (cached, audio, reasoning); a provider's figure is whole.
_BUCKET: Mapping[str, str] = {"prompt": "input", "completion": "output"}
_WHOLE: Mapping[str, tuple[str, ...]] = {
    "prompt": ("prompt_tokens", "input_tokens", "promptTokens", "inputTokens"),
    "completion": ("completion_tokens", "output_tokens", "completionTokens", "outputTokens"),
    "total": ("total", "total_tokens", "totalTokens"),
}
_CACHED = ("cache_read_input_tokens", "cache_creation_input_tokens")
"""Anthropic counts these beside its input."""


def tokens_of(usage: Mapping[str, Any], which: TokenCount) -> int | None:
    """Return a token count; ``None`` where it was not reported.

    >>> tokens_of({"input": 20, "input_cache_read": 80, "output": 5, "total": 105}, "prompt")
    100
    >>> tokens_of({"prompt_tokens": 9, "completion_tokens": 1}, "completion"), tokens_of({}, "total")
    (1, None)
    """
    for key in _WHOLE[which]:
        if key in usage and (whole := count_of(usage[key])) is not None:
            return whole
    if which == "total":
        return None
    name = _BUCKET[which]
    bucket = count_of(usage.get(name))
    if bucket is None:
        return None
    return bucket if _parts_are_inside(usage) else bucket + _parts(usage, name)


def cost_of(details: Any) -> float | None:
    """Return the total of a call's cost in USD, else the sum of its parts.

    >>> cost_of({"total": 0.5, "input": 0.4}), cost_of({"input": 0.25, "output": 0.5}), cost_of({})
    (0.5, 0.75, None)
    """
    if not isinstance(details, dict):
        return None
    total = number_of(details.get("total"))
    if total is not None:
        return total
    parts = [number for value in details.values() if (number := number_of(value)) is not None]
    return sum(parts) if parts else None


def _parts(usage: Mapping[str, Any], name: str) -> int:
    # Tokens of a priority tier are told beside the bucket that holds them too, and so are modalities of cached ones.
    keys = [key for key in usage if key.startswith(f"{name}_") and not key.startswith(f"{name}_priority")]
    if name == "input":
        keys += [key for key in usage if key in _CACHED]
    return sum(count_of(usage[key]) or 0 for key in keys)


def _parts_are_inside(usage: Mapping[str, Any]) -> bool:
    """Tell whether the two buckets add up to the total by themselves: then the parts were not taken out of them."""
    total, sides = count_of(usage.get("total")), [count_of(usage.get(name)) for name in _BUCKET.values()]
    return total is not None and total == sum(side or 0 for side in sides)
