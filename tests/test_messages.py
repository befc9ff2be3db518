"""What people read is reviewed in one place, and sounds like an engineer of the field."""

import re

import pytest

from tests.messages import ROOT, golden, messages

GOLDEN = ROOT / "tests" / "golden" / "messages.txt"

TRANSLATED = (
    r"stands twice",
    r"tried again",
    r"left to the next start",
    r"for people",
    r"is to be seen",
    r"for long\b",
    r"roll-back|time-out|time out\b|white space",
    r"\bare told apart",
    r"what is told",
)
"""Turns of phrase that no engineer of the field would use."""


def test_every_message_is_in_the_golden_file(regenerate):
    text = golden()
    if regenerate:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8"), "run pytest --regenerate and review the diff"


@pytest.mark.parametrize("phrase", TRANSLATED)
def test_no_message_sounds_translated(phrase):
    found = [f"{name}: {text}" for name, _, text in messages() if re.search(phrase, text, re.IGNORECASE)]
    assert not found, "\n".join(found)


def test_messages_of_each_kind_are_found():
    kinds = {kind for _, kind, _ in messages()}
    assert {"error", "log", "description", "help", "text"} <= kinds
