"""What came of a trace. Apart from the rows, so that a worker that adapts traces loads nothing of gates."""

from __future__ import annotations

from typing import Literal

TraceOutcome = Literal["answer", "not_an_answer", "malformed"]
"""Its answers were read, it holds none, or what may hold one could not be read."""
