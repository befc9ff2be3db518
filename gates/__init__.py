"""Gates: statistics and decisions over scores. One gate, one file, and one line in `GATES` and in `AnyGate`."""

from __future__ import annotations

from gates.base import Gate
from gates.threshold import ThresholdGate

GATES: tuple[type[Gate], ...] = (ThresholdGate,)
"""Every gate there is."""

AnyGate = ThresholdGate
"""What a gate in a configuration file may be. From the second gate on: a union discriminated by ``type``."""
