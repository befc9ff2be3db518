"""The part of the API that deployment tools ask: verdicts, as JSON and as answers to Flagger's webhooks."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from collector.api.bodies import VerdictBody
from collector.api.exchange import made, read_body
from collector.api.flagger import HOOKS, NO, YES, FlaggerCall, VerdictParameters, agreed, read_call
from collector.api.operations import Operation
from collector.api.parameters import Parameters
from collector.api.serving import Serving
from collector.judging.verdicts import verdict_body
from gates.units.names import suggestion


class GateParameters(VerdictParameters):
    """Which gate is asked, and for which verdict."""

    gate: str = Field(description="Name of the gate.")


class HookParameters(Parameters):
    """Which gate a webhook asks, and what for."""

    gate: str = Field(description="Name of the gate.")
    hook: str = Field(description=f"{', '.join(HOOKS[:-1])} or {HOOKS[-1]}.")


@dataclass(frozen=True)
class VerdictApi:
    """Handlers over the newest verdicts."""

    serving: Serving

    @Operation("/v1/gates", {200: "The gates."}, access="verdicts")
    async def gates(self, _request: Request) -> Response:
        """List all gates with their verdicts, without slices."""
        judge = self.serving.parts.judge
        # Freshness first: read the other way round, an old verdict could pass as fresh when a new one just came.
        fresh, verdicts = judge.fresh, judge.verdicts
        return await made(
            lambda: {
                "gates": [
                    verdict_body(name, verdicts.get(name), fresh=fresh, trouble=judge.trouble, slices=False)
                    for name in self.serving.gates
                ]
            }
        )

    @Operation(
        "/v1/gates/{gate}",
        {
            200: ("Verdict, whatever its state. Retry-After says when to expect a new one.", VerdictBody),
            400: "What is wrong with a parameter; an unknown one is refused.",
            404: "No such gate.",
        },
        access="verdicts",
    )
    async def gate(self, _request: Request, parameters: GateParameters) -> Response:
        """Show the verdict of one gate over what is asked for: 200 for any gate that exists, whatever its state."""
        judge, name = self.serving.parts.judge, self._known(parameters.gate)
        fresh, verdict = judge.fresh, judge.verdicts.get(name)
        response = await made(
            lambda: verdict_body(name, verdict, fresh=fresh, trouble=judge.trouble, question=parameters.question)
        )
        # The pace for who waits: before that there is nothing new. And nobody on the way keeps an old verdict.
        response.headers["Retry-After"] = str(math.ceil(judge.tick))
        response.headers["Cache-Control"] = "no-store"
        return response

    @Operation(
        "/v1/flagger/{gate}/{hook}",
        {
            YES: ("Yes: go on; for rollback: ROLL BACK.", str),
            NO: ("No, and why; also if anything prevents an answer.", str),
        },
        body=FlaggerCall,
        access="verdicts",
        stored=False,
    )
    async def flagger(self, request: Request, parameters: HookParameters) -> Response:
        """Answer a webhook of Flagger, by status and a line of text."""
        judge, name = self.serving.parts.judge, self._known(parameters.gate)
        hook = next((each for each in HOOKS if each == parameters.hook), None)
        if hook is None:
            raise HTTPException(404, f"unknown hook {parameters.hook[:40]!r}; known: {', '.join(HOOKS)}")
        call = await read_body(request)
        try:
            question = read_call(call, self.serving.dimensions)
        except ValueError as error:
            raise HTTPException(400, f"{name}: {error}") from error
        fresh, verdict = judge.fresh, judge.verdicts.get(name)
        body = verdict_body(name, verdict, fresh=fresh, trouble=judge.trouble, question=question, slices=False)
        yes = agreed(hook, body["state"], judged=fresh and not judge.trouble and verdict is not None)
        return PlainTextResponse(f"{name}: {body['state']} ({body['reason']})\n", YES if yes else NO)

    def _known(self, name: str) -> str:
        if name not in self.serving.gates:
            known = ", ".join(self.serving.gates) or "none is configured"
            near = suggestion(name[:80], self.serving.gates)
            raise HTTPException(404, f"unknown gate {name[:80]!r}{near}; known: {known}")
        return name
