"""Whether the agent may be sent traffic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from collector.store.health import Health


@dataclass
class Readiness:
    """Whether traffic may be sent here, and if not, why."""

    waiting: list[str] = field(default_factory=lambda: ["starting"])
    health: Health = field(default_factory=Health)

    def reasons(self) -> Sequence[str]:
        """Return why not; empty when ready."""
        return (*self.waiting, *self.health.problems())

    def warnings(self) -> Sequence[str]:
        """Return what a person should know, whether ready or not."""
        return self.health.warnings()
