"""Gates: statistics and decisions over scores. One gate, one file, and one line in `GATES` and in `AnyGate`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from gates.base import Gate
from gates.drift import DriftGate
from gates.objective import ObjectiveGate
from gates.release import ReleaseGate
from gates.threshold import ThresholdGate

GATES: tuple[type[Gate], ...] = (ThresholdGate, DriftGate, ReleaseGate, ObjectiveGate)
"""Every gate there is."""

AnyGate = Annotated[ThresholdGate | DriftGate | ReleaseGate | ObjectiveGate, Field(discriminator="type")]
"""What a gate in a configuration file may be: told apart by ``type``."""
