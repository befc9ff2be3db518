"""What may go wrong when another system is asked."""

from __future__ import annotations

from collector.errors import Transient


class Unreachable(Transient):
    """The other side gave nothing usable: down, slow, wrong credentials, wrong answers.

    ``reason`` is one readable line with URL and status; ``retry_after`` the seconds it asked to be left alone.
    """

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after


class ReplyTooLarge(Unreachable):
    """The answer is larger than what is taken in; asking for less may help, asking again does not."""


class Refused(Exception):  # noqa: N818 - it is an answer, not a fault
    """A server refuses a request as it is, today and tomorrow: something in it is wrong, or it is too large."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
