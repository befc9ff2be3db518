"""What the demo reads from the agent, over its HTTP API alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

from pydantic import AliasPath, BaseModel, ConfigDict, Field, ValidationError

_TIMEOUT_SECONDS = 5.0


class AgentError(Exception):
    """The agent could not be started, did not answer, or answered something that is not its API."""


class ApiView(BaseModel):
    """What the screen shows of a body of the API; the rest is left out."""

    model_config = ConfigDict(frozen=True, validate_by_name=True)


class SliceView(ApiView):
    """The verdict on one slice, named by its domain."""

    name: str = Field(default="", validation_alias=AliasPath("slice", "domain"))
    state: str
    n: int
    estimate: float | None = None
    lower: float | None = None
    upper: float | None = None


class GateView(ApiView):
    """The verdict of the gate with its slices."""

    state: str
    reason: str
    slices: tuple[SliceView, ...]

    @property
    def answers(self) -> int:
        """How many answers the verdict stands on."""
        return sum(each.n for each in self.slices)

    def states(self) -> dict[str, str]:
        """Return the verdict of each slice."""
        return {each.name: each.state for each in self.slices}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offender:
    """An answer that rests on a superseded passage, what it should have rested on, and why, in the agent's words."""

    trace_id: str
    question: str
    answer: str
    used: str
    should_have_used: str
    because: str


class Client:
    """Reads the agent at ``base_url``."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        # A proxy of the environment must not come between two processes of one machine.
        self._opener = build_opener(ProxyHandler({}))

    def ready(self) -> bool:
        """Whether the agent says that it is ready."""
        try:
            with self._opener.open(f"{self.base_url}/readyz", timeout=_TIMEOUT_SECONDS) as response:
                return bool(response.status == 200)  # noqa: PLR2004
        except (OSError, HTTPException):
            return False

    def gate(self, name: str) -> GateView:
        """Return the verdict of gate ``name``, its slices sorted by name."""
        try:
            view = GateView.model_validate(self._get(f"/v1/gates/{name}"))
        except ValidationError as error:
            raise AgentError(f"/v1/gates/{name} is not a verdict: {error!r}") from error
        return view.model_copy(update={"slices": tuple(sorted(view.slices, key=lambda each: each.name))})

    def offenders(self, metric: str, *, domain: str, limit: int) -> tuple[Offender, ...]:
        """Return the newest answers of ``domain`` on which ``metric`` is 1."""
        page = self._get("/v1/answers", limit=limit, metric=metric, min_value=1, domain=domain)
        try:
            return tuple(_offender(row, metric) for row in page["answers"])
        except (KeyError, TypeError, ValueError) as error:
            raise AgentError(f"/v1/answers is not a list of scored answers: {error!r}") from error

    def _get(self, path: str, **query: object) -> Any:
        url = f"{self.base_url}{path}" + (f"?{urlencode(query)}" if query else "")
        try:
            with self._opener.open(url, timeout=_TIMEOUT_SECONDS) as response:
                return json.load(response)
        except HTTPError as error:
            raise AgentError(f"GET {path}: {error.code} {error.read(500).decode(errors='replace')}") from error
        except (OSError, HTTPException, ValueError) as error:
            raise AgentError(f"GET {path}: {error}") from error


def _offender(row: Any, metric: str) -> Offender:
    scores = {score["metric"]: score for score in row["evaluation"]["scores"]}
    # Evidence comes in pairs: the stale passage with its place in the answer, then what governed instead.
    used, governing = scores[metric]["evidence"][:2]
    return Offender(
        trace_id=row["answer"]["trace_id"],
        question=row["answer"]["question"],
        answer=row["answer"]["answer"],
        used=_named(used),
        should_have_used=_named(governing),
        because=governing["detail"],
    )


def _named(evidence: Any) -> str:
    return f"{evidence['doc_id']} version {evidence['version']}"
