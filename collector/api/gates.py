"""The part of the API that deployment tools ask: verdicts, as JSON and as answers to Flagger's webhooks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from collector.api.exchange import made, read_body
from collector.api.flagger import HOOKS, MAX_BODY, read_call, reply
from collector.judging.verdicts import read_question, verdict_body
from gates.base import Verdict


class Verdicts(Protocol):
    """Where the newest verdicts are read."""

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Return the newest verdict by gate."""
        ...

    @property
    def fresh(self) -> bool:
        """Whether the verdicts are of now; those of a judge that hangs or fails are not."""
        ...

    @property
    def tick(self) -> float:
        """How often there are new ones, in seconds."""
        ...


class VerdictApi:
    """Handlers over the newest verdicts of ``gates``; ``dimensions`` are the slice dimensions there are.

    ``judge`` gives where verdicts are read, and raises `HTTPException` 503 where that is not to be had.
    """

    def __init__(self, judge: Callable[[], Verdicts], *, gates: Sequence[str], dimensions: Sequence[str]) -> None:
        self._judge = judge
        self._gates = tuple(gates)
        self._dimensions = tuple(dimensions)

    async def gates(self, _request: Request) -> Response:
        """List all gates with their verdicts, without slices."""
        judge = self._judge()
        # Freshness first: read the other way round, an old verdict could pass as fresh when a new one just came.
        fresh, verdicts = judge.fresh, judge.verdicts
        return await made(
            lambda: {
                "gates": [verdict_body(name, verdicts.get(name), fresh=fresh, slices=False) for name in self._gates]
            }
        )

    async def gate(self, request: Request) -> Response:
        """Give the verdict of one gate over what is asked for: 200 for any gate that exists, whatever its state."""
        judge, name = self._judge(), self._named(request)
        try:
            question = read_question(request.query_params.multi_items(), self._dimensions)
        except ValueError as error:
            raise HTTPException(400, str(error)) from error
        fresh, verdict = judge.fresh, judge.verdicts.get(name)
        response = await made(lambda: verdict_body(name, verdict, fresh=fresh, question=question))
        # The pace for who waits: before that there is nothing new. And nobody on the way keeps an old verdict.
        response.headers["Retry-After"] = str(math.ceil(judge.tick))
        response.headers["Cache-Control"] = "no-store"
        return response

    async def flagger(self, request: Request) -> Response:
        """Answer a webhook of Flagger, by status and a line of text."""
        judge, name, hook = self._judge(), self._named(request), request.path_params["hook"]
        if hook not in HOOKS:
            raise HTTPException(404, f"no hook {hook[:40]!r}; there are: {', '.join(HOOKS)}")
        body = await read_body(request, MAX_BODY)
        try:
            question = read_call(body, self._dimensions)
        except ValueError as error:
            raise HTTPException(400, f"{name}: {error}") from error
        fresh, verdict = judge.fresh, judge.verdicts.get(name)
        told = verdict_body(name, verdict, fresh=fresh, question=question, slices=False)
        answer = reply(hook, told, judged=fresh and verdict is not None)
        return PlainTextResponse(answer.text, answer.status)

    def _named(self, request: Request) -> str:
        name: str = request.path_params["gate"]
        if name not in self._gates:
            known = ", ".join(self._gates) or "none is configured"
            raise HTTPException(404, f"no gate {name[:80]!r}; known gates: {known}")
        return name
