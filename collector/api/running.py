"""What the agent says of itself: where it listens, what it judges, and by which clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from collector.api.bodies import Time


class ListenerBody(BaseModel):
    """An address that is listened on."""

    model_config = ConfigDict(frozen=True)

    host: str
    port: int
    token: bool = Field(description="Whether clients must send a token.")
    tls: bool


class RunningGate(BaseModel):
    """A gate, and what it needs."""

    model_config = ConfigDict(frozen=True)

    name: str
    type: str
    metrics: Sequence[str] = Field(description="Metrics that it judges.")
    learns_reference: bool = Field(description="Whether it judges by a reference that it learns from traffic.")


class RunningAgent(BaseModel):
    """The configuration in force, as far as it says why nothing arrives, is scored or is judged; it holds no secret."""

    model_config = ConfigDict(frozen=True)

    started_at: Time
    listeners: Mapping[str, ListenerBody] = Field(description="By their path in the configuration.")
    metrics: Sequence[str]
    gates: Sequence[RunningGate]
    dimensions: Mapping[str, int] = Field(description="Slice dimensions, and how many values each may have.")
    attributes: Mapping[str, str] = Field(description="Slice attributes, and the key of spans that holds each.")
    probability: float = Field(description="Probability with which an answer is scored, unless a rule says another.")
    catalog: str | None = Field(description="Where the catalog comes from; null without one.")
    sources: int = Field(description="Sources that are read.")
    canaries: str | None = Field(default=None, description="Where canaries are asked; null without any.")
    configured: Mapping[str, Any] = Field(
        default_factory=dict,
        description="The keys `data`, `http`, `receive` and `sources` of its configuration, as they were given; for a "
        "secret `true` in its place.",
    )


class AgentBody(RunningAgent):
    """The agent that answers."""

    version: str
    at: Time = Field(description="The time by the agent's clock.")
