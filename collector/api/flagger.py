"""Flagger's webhooks: what it asks while a canary runs, and the answer by status code.

Flagger posts ``{name, namespace, phase, checksum, metadata}`` and reads nothing but the status: up to 202 is yes, with
the body of anything else in its log. Two hooks hold the canary until yes; for ``rollback`` yes means ROLL BACK. A
refusal is 409 with the reason as text, never 204 (more than 202), and never 429 or 5xx, whose body is dropped.

Each call reads a verdict and changes nothing, so one that comes twice, or again later, is answered as things are then.

Source: fluxcd/flagger, pkg/controller/webhook.go, scheduler.go and scheduler_hooks.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from collector.api.exchange import parsed
from collector.api.parameters import SliceParameters, Text
from collector.judging.verdicts import Question
from gates.base.verdict import Outcome

YES, NO = 200, 409
Hook = Literal["confirm-promotion", "confirm-traffic-increase", "rollback"]
HOOKS: tuple[Hook, ...] = get_args(Hook)
PHASES = ("Progressing", "Waiting", "WaitingPromotion")
"""In which a canary can still go on or back."""


class VerdictParameters(SliceParameters):
    """What a deployment tool asks of a gate, in a query or in the metadata of a webhook.

    An unknown name is refused: a misspelt ``candidate`` would else ask for any.
    """

    exhaustive: ClassVar[bool] = True

    candidate: Text | None = Field(
        default=None, description="The release to be judged; a verdict over another one is inconclusive."
    )
    baseline: Text | None = Field(
        default=None, description="What the candidate is compared with; with another it is inconclusive."
    )
    slice: Mapping[str, Text] = Field(default_factory=dict, description="Only slices whose {name} is this.")

    @property
    def question(self) -> Question:
        """What is asked of the gate."""
        return Question(candidate=self.candidate, baseline=self.baseline, slice=self.slice)


class FlaggerCall(BaseModel):
    """What Flagger sends, as far as it is read; another version of it may send more."""

    model_config = ConfigDict(frozen=True, strict=True)

    name: str = Field(min_length=1)
    namespace: str = Field(min_length=1)
    phase: str
    metadata: Mapping[str, str] = Field(default_factory=dict)


def read_call(body: bytes, dimensions: Sequence[str]) -> Question:
    """Return what a call asks for. Raises `ValueError`, on one line, for one that names no candidate to be judged.

    >>> call = b'{"name": "desk", "namespace": "prod", "phase": "Progressing", "metadata": {"candidate": "2.1"}}'
    >>> read_call(call, []).candidate
    '2.1'
    """
    call = parsed(body, FlaggerCall)
    if call.phase not in PHASES:
        raise ValueError(f"phase {call.phase[:40]!r}: only in {', '.join(PHASES)} is there anything to decide")
    try:
        question = VerdictParameters.read(tuple(call.metadata.items()), dimensions).question
    except ValueError as error:
        raise ValueError(f"metadata: {error}") from error
    if question.candidate is None:
        raise ValueError("metadata: candidate is missing: name the version to be judged")
    return question


def agreed(hook: Hook, state: Outcome, *, judged: bool) -> bool:
    """Return the answer to ``hook``, given the verdict over what it asks for, and whether the gate is judged at all.

    A promotion needs a pass, a rollback a fail. Traffic goes up unless the candidate fails or nothing is judged:
    Flagger asks before the first step too, when there can be no answers of the candidate yet.

    >>> [agreed(hook, "inconclusive", judged=True) for hook in HOOKS]
    [False, True, False]
    >>> [agreed(hook, "fail", judged=True) for hook in HOOKS]
    [False, False, True]
    """
    match hook:
        case "confirm-promotion":
            return state == "pass"
        case "confirm-traffic-increase":
            return judged and state != "fail"
        case "rollback":
            return state == "fail"
