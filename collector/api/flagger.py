"""Flagger's webhooks: what it asks while a canary runs, and the answer by status code.

Flagger posts ``{name, namespace, phase, checksum, metadata}`` and reads nothing but the status: up to 202 is yes, with
the body of anything else in its log. Two hooks hold the canary until yes; for ``rollback`` yes means ROLL BACK. A
refusal is 409 with the reason as text, never 204 (more than 202), and never 429 or 5xx, whose body is dropped.

Each call reads a verdict and changes nothing, so one that comes twice, or again later, is answered as things are then.

Source: fluxcd/flagger, pkg/controller/webhook.go, scheduler.go and scheduler_hooks.go.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from collector.judging.verdicts import Question, read_question

MAX_BODY = 64 * 1024
"""Bytes of a call: metadata is a handful of words."""
YES, NO = 200, 409
Hook = Literal["confirm-promotion", "confirm-traffic-increase", "rollback"]
HOOKS: tuple[Hook, ...] = get_args(Hook)
PHASES = ("Progressing", "Waiting", "WaitingPromotion")
"""In which a canary can still go on or back."""


class Payload(BaseModel):
    """What Flagger sends, as far as it is read; another version of it may send more."""

    model_config = ConfigDict(frozen=True, strict=True)

    name: str = Field(min_length=1)
    namespace: str = Field(min_length=1)
    phase: str
    metadata: Mapping[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """A status and the reason for it, for Flagger's log."""

    status: int
    text: str


def read_call(body: bytes, dimensions: Collection[str]) -> Question:
    """Return what a call asks for. Raises `ValueError`, on one line, for one that names no candidate to be judged.

    >>> call = b'{"name": "desk", "namespace": "prod", "phase": "Progressing", "metadata": {"candidate": "2.1"}}'
    >>> read_call(call, []).candidate
    '2.1'
    """
    try:
        payload = Payload.model_validate(orjson.loads(body))
    except orjson.JSONDecodeError as error:
        raise ValueError(f"the body is no JSON: {error}") from error
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part)[:40] for part in problem["loc"]) or "body"
        raise ValueError(f"{where}: {problem['msg']}") from error
    if payload.phase not in PHASES:
        raise ValueError(f"phase {payload.phase[:40]!r}: only in {', '.join(PHASES)} is there anything to decide")
    try:
        question = read_question(payload.metadata.items(), dimensions)
    except ValueError as error:
        raise ValueError(f"metadata: {error}") from error
    if question.candidate is None:
        raise ValueError("metadata: candidate is missing, the version that is to be judged")
    return question


def reply(hook: Hook, verdict: Mapping[str, Any], *, judged: bool) -> Reply:
    """Return the answer to ``hook``, given the verdict over what it asks for, and whether anybody judges at all.

    A promotion needs a pass, a roll-back a fail. Traffic goes up unless the candidate fails or nobody judges: Flagger
    asks before the first step too, when there can be no answers of the candidate yet.

    >>> bare = {"gate": "canary", "state": "inconclusive", "reason": "no answers of a candidate"}
    >>> [reply(hook, bare, judged=True).status for hook in HOOKS]
    [409, 200, 409]
    >>> [reply(hook, bare | {"state": "fail"}, judged=True).status for hook in HOOKS]
    [409, 409, 200]
    """
    state = verdict["state"]
    match hook:
        case "confirm-promotion":
            yes = state == "pass"
        case "confirm-traffic-increase":
            yes = judged and state != "fail"
        case "rollback":
            yes = state == "fail"
    return Reply(YES if yes else NO, f"{verdict['gate']}: {state} ({verdict['reason']})\n")
