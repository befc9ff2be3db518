"""All links of one section of the configuration: checked, opened together, made into steps, and closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import timedelta
from typing import Any, Generic, TypeVar

from collector.outbound.link import Link
from collector.outbound.options import Closable, LinkOptions
from collector.outbound.status import Reporting
from collector.scheduling.loop import Planned

PUMP = timedelta(milliseconds=250)
"""How often a link is asked whether it is due."""

Configured = TypeVar("Configured", bound=LinkOptions)


def check(section: str, configured: Sequence[LinkOptions]) -> Iterator[str]:
    """Yield a line for each link, and what is unwise; no network. Raises `ConfigError` if one cannot be opened."""
    for index, options in enumerate(configured):
        where = f"{section}[{index}]"
        options.open(where).close()
        yield f"{where}: ok, {options.name} at {options.address}"
        yield from (f"warning: {warning}" for warning in options.warnings(where))


class Links(Generic[Configured]):
    """The links of a section, open. Raises `ConfigError` if one cannot be opened, and leaves none open then."""

    def __init__(self, section: str, configured: Sequence[Configured]) -> None:
        self._links: list[Link[Any]] = []
        self._open: list[tuple[Configured, Closable]] = []
        with ExitStack() as opened:
            opened.callback(self.close)
            for index, options in enumerate(configured):
                self._open.append((options, options.open(f"{section}[{index}]")))
            opened.pop_all()

    def steps(self, make: Callable[[Configured, Any], Link[Any]]) -> Sequence[Planned]:
        """Return the step of each link, made from its options and what they opened."""
        self._links = [make(options, opened) for options, opened in self._open]
        return [Planned(link.stage, link, PUMP) for link in self._links]

    @property
    def reports(self) -> Sequence[Reporting]:
        """How each link is doing, in the order of the configuration."""
        return tuple(link.status for link in self._links)

    def close(self) -> None:
        """Close every link; an exchange under way fails. Closing again does nothing."""
        for _, opened in self._open:
            # Whatever a library makes of being closed in the middle of a request, the others are closed as well.
            with suppress(Exception):
                opened.close()
