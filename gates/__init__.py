"""Gates: statistics and decisions over scores. One gate, one file, and one line in `GATES`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from gates.acceptance import AcceptanceGate
from gates.base.gate import Gate
from gates.drift import DriftGate
from gates.objective import ObjectiveGate
from gates.regression import RegressionGate
from gates.release import ReleaseGate
from gates.threshold import ThresholdGate

GATES: tuple[type[Gate], ...] = (
    ThresholdGate,
    DriftGate,
    ReleaseGate,
    ObjectiveGate,
    RegressionGate,
    AcceptanceGate,
)
"""Every gate there is."""

if TYPE_CHECKING:
    AnyGate = Gate
else:
    AnyGate = Annotated[Union[GATES], Field(discriminator="type")]  # noqa: UP007  # a tuple of types
"""What a gate in a configuration file may be: told apart by ``type``."""
