"""What the value objects of gates have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

Slice = tuple[tuple[str, str], ...]
"""A slice as sorted (dimension, value) pairs; ``()`` is all traffic."""


class Value(BaseModel):
    """Base of the value objects here: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
