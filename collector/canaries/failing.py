"""Canaries that fail, as decisions: one of each fault, when it begins and when it is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from adapters.trace import Nanoseconds
from collector.clock import instant
from collector.store.canaries import StandingCanary
from collector.store.rows import Decision
from gates.base.verdict import Outcome, SliceVerdict, Verdict
from gates.decisions.record import CANARIES, DecisionRecord, Recommendation
from scorers.canaries.canary import Canary
from scorers.canaries.checking import FAULTS, CanaryFault
from scorers.text.excerpt import excerpt

NAMED = 3
"""Documents that a decision names."""
POLICY = "1"
"""Version of what is decided by: any canary that fails is a failure."""
WORDS: Mapping[CanaryFault, tuple[str, str]] = {
    "stale": ("the index serves old text", "Index the named documents again, then run `groundwire canary run`."),
    "lost": (
        "the index does not find what is in force",
        "Index the named documents again, and look whether they were cut or dropped on the way.",
    ),
    "wrong_version": (
        "the index serves a version that is not in force",
        "Take the old version out of the index, and index the one in force.",
    ),
    "forbidden": (
        "passages come back for somebody who must not see them",
        "Close the index to the named documents now, then restore their permissions in it.",
    ),
    "answer": (
        "the application answers otherwise than the version in force",
        "The right passage came back: look at the prompt, the model and caches; `groundwire canary results` has more.",
    ),
}
"""What each fault means, and what to do about it."""


class FailingCanaries:
    """Which faults there are. ``decided`` is the state that the decision log has of each, by its name."""

    def __init__(self, decided: Iterable[Decision], *, expiry: int) -> None:
        self._state: dict[str, str] = {row.slice.get("fault", ""): row.state for row in decided if row.gate == CANARIES}
        self._expiry = expiry

    def decisions(self, standing: Sequence[StandingCanary], *, at: Nanoseconds) -> Iterator[Decision]:
        """Yield a decision for each fault that began or is over; call `settle` once they are stored."""
        for fault in FAULTS:
            failing = [one for one in standing if one.outcome == fault]
            state: Outcome = "fail" if failing else "pass"
            before = self._state.get(fault)
            if state != before and (failing or before is not None):
                asked = sum(one.outcome is not None for one in standing)
                yield _decision(fault, failing, asked, state, before, at=at, expiry=self._expiry)

    def settle(self, decisions: Iterable[Decision]) -> None:
        """Remember decisions that were stored."""
        for row in decisions:
            self._state[row.slice["fault"]] = row.state


def _decision(
    fault: CanaryFault,
    failing: Sequence[StandingCanary],
    asked: int,
    state: Outcome,
    before: str | None,
    *,
    at: Nanoseconds,
    expiry: int,
) -> Decision:
    what, step = WORDS[fault]
    documents = list(dict.fromkeys(Canary.model_validate_json(one.body).reference for one in failing))
    more = f" and {len(documents) - NAMED} more" if len(documents) > NAMED else ""
    named = ", ".join(map(excerpt, documents[:NAMED])) + more
    if failing:
        reason = (
            f"Canaries: {what}: {named}; {len(failing)} of {asked} canaries fail. {failing[0].detail or ''}".strip()
        )
    else:
        reason = f"Canaries: no canary finds any more that {what}"
    moment = instant(at)
    part = SliceVerdict(
        slice={"fault": fault},
        state=state,
        reason=reason,
        n=asked,
        effective_n=asked,
        estimate=len(failing) / max(1, asked),
    )
    verdict = Verdict(
        gate=CANARIES, state=state, at=moment, reason=reason, no_data=False, policy_version=POLICY, slices=(part,)
    )
    record = DecisionRecord(
        kind="canary",
        gate=CANARIES,
        policy_version=POLICY,
        slice={"fault": fault},
        state=state,
        previous_state=before,
        reason=reason,
        at=moment,
        since=None,
        expires_at=instant(Nanoseconds(at + expiry)),
        metrics=("canaries",),
        slices=(part,),
        causes_excluded=(),
        causes_open=(),
        recommended=Recommendation(action="hold" if failing else "none", reason=step if failing else "nothing fails"),
    )
    return Decision(
        at=at,
        gate=CANARIES,
        slice={"fault": fault},
        state=state,
        previous_state=before,
        verdict=verdict.model_dump_json(),
        record=record.model_dump_json(),
    )
