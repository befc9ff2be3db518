"""How a page is asked for: read within the bounds of every query, made in a thread, and shown at the agent's time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.pages.site import page
from collector.api.prefix import prefix_of
from collector.api.queries import Patience
from collector.api.serving import Serving
from collector.clock import instant
from collector.store.store import Store
from gates.base.gate import Gate
from scorers.base import Metric

PageContent = Mapping[str, Any]
"""What a template is given."""


@dataclass(frozen=True)
class PageFrame:
    """What handlers of pages have in common."""

    serving: Serving

    @property
    def now(self) -> datetime:
        """The time of the page."""
        return instant(self.serving.clock())

    async def shown(self, request: Request, template: str, read: Callable[[Store, Patience], PageContent]) -> Response:
        """Answer with the page that ``template`` makes of what ``read`` gives; both run in a thread."""
        store = self.serving.parts.store

        def made(patience: Patience) -> Response:
            content = read(store.asked(patience.over), patience)
            return page(template, now=self.now, prefix=prefix_of(request), path=request.url.path, **content)

        return await self.serving.lists.run(request, made)

    async def table(self, request: Request, read: Callable[[Store, Patience], Response]) -> Response:
        """Answer with what ``read`` makes of the store, in a thread."""
        store = self.serving.parts.store
        return await self.serving.lists.run(request, lambda patience: read(store.asked(patience.over), patience))

    def gate(self, name: str) -> Gate:
        """Return a gate as it is configured. Raises `HTTPException` 404 for one that is not."""
        for gate in self.serving.described.gates:
            if gate.name == name:
                return gate
        known = ", ".join(self.serving.gates) or "none is configured"
        raise HTTPException(404, f"unknown gate {name[:80]!r}; known: {known}")

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """The configured metrics by name."""
        return {metric.name: metric for metric in self.serving.described.metrics}
