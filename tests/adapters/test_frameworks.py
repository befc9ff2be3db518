"""Applications of frameworks, recorded with the real libraries: what they knew against what is read of their traces.

Run with ``-s`` for the table, which is that of `docs/sources.md`.
"""

from __future__ import annotations

import json
import sys

import pytest

from docs.makers.recorded import RECORDINGS, TRACES, Recording, outcomes, table


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_what_an_application_knew_is_read_exactly_or_the_page_says_why_not(recording: Recording) -> None:
    inexact = {fact: outcome for fact, outcome in outcomes(recording).items() if outcome != "exact"}
    assert inexact.keys() == recording.untold.keys()


def test_every_application_whose_knowledge_was_recorded_is_in_the_table() -> None:
    recorded = {path.name.removesuffix(".known.json") for path in TRACES.glob("*.known.json")}
    assert recorded == {recording.name for recording in RECORDINGS}


def test_the_table_says_what_is_exact_of_each() -> None:
    lines = table()
    sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert len(lines) == len(RECORDINGS) + 2
    assert not any("no reason given" in line for line in lines)


def test_recordings_name_no_machine() -> None:
    for recording in RECORDINGS:
        data = (TRACES / f"{recording.name}.otlp.pb").read_bytes()
        assert not any(place in data for place in (b"host.id", b"process.command", b"/root", b"/home/"))
        assert json.loads((TRACES / f"{recording.name}.known.json").read_text())["answer"]
