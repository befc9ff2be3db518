"""How long to wait after a failure: longer with each, and never in step with anybody else."""

from __future__ import annotations

from collections.abc import Callable

FIRST_SECONDS = 1.0
CAP_SECONDS = 300.0
FLOOR_SECONDS = 0.5
"""Full jitter may draw nothing at all; whatever fails at once would then be tried at once."""
_MAX_DOUBLINGS = 16


class Backoff:
    """Exponential back-off with full jitter; ``random`` gives numbers in [0, 1).

    Source: Marc Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015.

    >>> backoff = Backoff(random=lambda: 0.5)
    >>> [backoff.failed() for _ in range(4)]
    [1.0, 1.5, 2.5, 4.5]
    >>> backoff.failed(retry_after=60)
    68.5
    >>> backoff.succeeded()
    >>> backoff.failed()
    1.0
    """

    def __init__(self, *, random: Callable[[], float]) -> None:
        self._random = random
        self._failures = 0

    def failed(self, retry_after: float | None = None) -> float:
        """Return the seconds to wait; never less than ``retry_after``."""
        ceiling = min(CAP_SECONDS, FIRST_SECONDS * 2.0**self._failures)
        self._failures = min(self._failures + 1, _MAX_DOUBLINGS)
        drawn = FLOOR_SECONDS + self._random() * ceiling
        return drawn if retry_after is None else retry_after + drawn

    def succeeded(self) -> None:
        """Begin anew."""
        self._failures = 0
