"""What an alert is, as data: what it measures, when that is wrong, and what the person on call reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AlertSeverity = Literal["critical", "warning", "info"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One alert: ``signal`` always returns data; with ``condition`` it returns only what is wrong.

    It fires after ``wait`` and keeps firing for ``hold`` after recovery. An ``optional`` alert is about a part of the
    agent that need not be configured.
    """

    name: str
    signal: str
    condition: str
    summary: str
    description: str
    severity: AlertSeverity = "warning"
    wait: str = "0s"
    hold: str | None = None
    optional: bool = False

    @property
    def expr(self) -> str:
        """The expression that returns something while the alert is due."""
        return f"{self.signal} {self.condition}"
