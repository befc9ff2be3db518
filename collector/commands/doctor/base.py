"""What a rule of the doctor is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from collector.commands.doctor.facts import AgentFacts

Gravity = Literal["error", "warning", "note"]
"""``error``: something does not arrive or is not judged. ``warning``: part of it, or soon. ``note``: no fault."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One occurrence of a fault: where it is, and what was seen there, with figures."""

    where: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorRule:
    """Finds one fault. ``title`` says what is wrong, ``step`` what mends it, ``about`` how it comes to be.

    ``stage`` is what fails: ``reach`` (the agent cannot be asked; rules of other stages do not run then), ``arrive``,
    ``score``, ``judge`` or ``board``.
    """

    name: str
    stage: Literal["reach", "arrive", "score", "judge", "board"]
    severity: Gravity
    title: str
    about: str
    step: str
    look: Callable[[AgentFacts], Iterator[Sign]]


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """A fault that was found."""

    rule: DoctorRule
    seen: Sign
