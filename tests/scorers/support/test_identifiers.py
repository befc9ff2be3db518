"""Answers that say of one option, line, room, address or menu what their source says of another."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

FLAGS = "`--dry-run` prints what would be deleted without deleting anything. `--force` skips the confirmation."
SETTINGS = "`maxRetries` limits how often a request is repeated. `retryDelay` sets the pause between two attempts."
PARAMETERS = "The parameter `timeout` is optional and defaults to 30 seconds. `retries` is required."
LINES = "Line 4 runs from Central Station to the airport in 28 minutes. Line 7 ends at the university."
HR = "You can reach the HR service centre at hr-service@acme.example. The office is in building B, room 2.104."
MENUS = "To reset your password open Settings > Security and choose Reset password."
PRINTING = "`--verbose` prints each step, `--quiet` prints errors only."

RIGHT = [
    (FLAGS, "`--force` skips the confirmation prompt."),
    (SETTINGS, "`retryDelay` sets the pause between attempts."),
    (PARAMETERS, "You have to set `retries`."),
    (PARAMETERS, "`timeout` is not required."),
    (LINES, "Line 4 goes to the airport."),
    (HR, "Write to hr-service@acme.example."),
    (HR, "The HR office is in building B."),
    (MENUS, "Go to Settings > Security and choose Reset password."),
    (PRINTING, "`--quiet` prints errors only."),
    ("`name`, `email` and `role` are required.", "`name` is required."),
]

WRONG = [
    (FLAGS, "`--dry-run` skips the confirmation.", "--force"),
    (FLAGS, "`--force` prints what would be deleted.", "--dry-run"),
    (SETTINGS, "`maxRetries` sets the pause between attempts.", "retryDelay"),
    (PARAMETERS, "`timeout` is required.", "retries"),
    (PRINTING, "`--quiet` prints each step.", "--verbose"),
    (LINES, "Line 7 goes to the airport.", "Line 4"),
    (HR, "Write to hr-support@acme.example.", "hr-service@acme.example"),
    (HR, "The HR office is in building C, room 2.104.", "building B"),
    (MENUS, "Go to Settings > Privacy and choose Reset password.", "Settings > Security"),
]


@pytest.mark.parametrize(("source", "claim"), RIGHT)
def test_what_is_said_of_the_same_identifier_is_no_contradiction(source: str, claim: str) -> None:
    assert label_of(source, None, claim) != "contradicted"


@pytest.mark.parametrize(("source", "claim", "told"), WRONG)
def test_what_the_source_says_of_another_identifier_is_contradicted(source: str, claim: str, told: str) -> None:
    assert told.strip("`") in source
    assert label_of(source, None, claim) == "contradicted"
