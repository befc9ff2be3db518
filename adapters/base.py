"""What adapters may be told, and the one error they raise."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, PositiveInt


class MalformedRecord(Exception):  # noqa: N818 - the name of the contract, not of a failure in our code
    """A record that cannot be read: counted with ``reason``, kept for inspection, and never stops the loop."""

    def __init__(self, reason: str, where: str | None = None) -> None:
        super().__init__(reason if where is None else f"{where}: {reason}")
        self.reason = reason
        self.where = where


ARM_KEY, SHARE_KEY = "groundwire.arm", "groundwire.share"
"""Where a trace says on which side of a split of traffic it was, and how the split was made."""


class AdaptOptions(BaseModel):
    """What to take from a trace beside its answer, and how much of it.

    ``attributes`` and ``versions`` map the name of a slice attribute, or of a component, to the key it is read from;
    ``arm`` and ``share`` are such keys as well. A key is looked up in metadata of the root, then of any span, in span
    attributes, and in resource attributes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    attributes: Mapping[str, str] = Field(default_factory=dict)
    versions: Mapping[str, str] = Field(default_factory=dict)
    arm: str = ARM_KEY
    share: str = SHARE_KEY
    max_text_chars: PositiveInt = 200_000
    """Longest question, answer or passage text; what is longer is cut and the answer flagged ``content_truncated``."""
    max_passages: PositiveInt = 1_000
    """Most passages of one retrieval; indexed attributes beyond it are ignored and flagged ``content_truncated``."""
    max_json_chars: PositiveInt = 4_000_000
    """Longest JSON text in an attribute that is parsed at all."""
