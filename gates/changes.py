"""Changes of what serves answers or judges them: the moments at which evidence starts anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from adapters.schema import Instant

ChangeKind = Literal["deploy", "documents", "model", "prompt", "index", "retriever", "scorer"]
"""What changed. ``scorer`` is of the measure, not of what is measured: values before and after do not compare."""


class Change(BaseModel):
    """One change as a gate sees it: ``at`` is when it took effect, ``scope`` the dimensions and values it touches.

    An empty ``scope`` touches all traffic.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: Instant
    kind: ChangeKind
    scope: Mapping[str, str] = Field(default_factory=dict)
    version: str | None = None
