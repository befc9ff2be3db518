"""What an alert is, as data: what it measures, when that is wrong, and what the person on call reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from telemetry.exposure import OptionalPart

AlertSeverity = Literal["page", "ticket", "info"]
"""Whether somebody is needed now, today, or at the next change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One alert: ``signal`` always returns data; with ``condition`` it returns only what is wrong.

    It fires after ``wait`` and keeps firing for ``hold`` after recovery. An alert about a ``part`` of the agent
    is written only if that is configured. ``annotations`` are what is said beside summary and description, by name.
    """

    name: str
    signal: str
    condition: str
    summary: str
    description: str
    severity: AlertSeverity = "ticket"
    wait: str = "0s"
    hold: str | None = None
    part: OptionalPart | None = None
    annotations: Mapping[str, str] = field(default_factory=dict)

    @property
    def expr(self) -> str:
        """The expression that returns something while the alert is due."""
        return f"{self.signal} {self.condition}"
