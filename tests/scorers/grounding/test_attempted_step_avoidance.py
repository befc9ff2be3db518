"""Attempted step avoidance: what was tried is not asked for again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Case
from scorers.base import Env, Score, Unscored
from scorers.grounding.attempted_step_avoidance import AttemptedStepAvoidance

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
TRIED = ("restarted the VPN client", "cleared the browser cache")


def judged(text: str, steps: tuple[str, ...] = TRIED) -> Score | Unscored:
    return AttemptedStepAvoidance().score(Answer(id="a", answer=text, case=Case(attempted_steps=steps)), ENV)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Restart the VPN client and sign in.", 0.5),
        ("1. Restart the VPN client.\n2. Clear the browser cache.", 0.0),
        ("Since restarting the VPN client did not help, renew the certificate.", 1.0),
        ("You already restarted the VPN client, so renew the certificate.", 1.0),
        ("There is no need to clear the browser cache. Renew the certificate.", 1.0),
        ("Reinstall the VPN client.", 1.0),
        ("The browser shows the date of the certificate.", 1.0),
    ],
)
def test_a_step_counts_as_repeated_where_it_is_asked_for(text: str, value: float) -> None:
    found = judged(text)
    assert isinstance(found, Score)
    assert found.value == value


def test_the_sentence_that_repeats_is_shown() -> None:
    found = judged("Sign in to the portal. Please restart the VPN client.")
    assert isinstance(found, Score)
    assert found.label == "repeated"
    assert [(each.start, each.end) for each in found.evidence] == [(23, 53)]


def test_a_case_without_attempts_has_none_to_repeat() -> None:
    assert judged("Restart it.", ()).metric == "attempted_step_avoidance"
    assert isinstance(judged("Restart it.", ()), Unscored)
