from __future__ import annotations

import io

import pytest
from rich.console import Console

from collector.demo.client import GateView, Offender, SliceView
from collector.demo.screen import Paper, Screen, measured

FAILING = SliceView(name="travel", state="fail", n=20, estimate=0.65, lower=0.41, upper=0.83)
UNKNOWN = SliceView(name="leave", state="inconclusive", n=0, estimate=None, lower=None, upper=None)
VIEW = GateView(state="fail", reason="1 of 2 slices fail", slices=(UNKNOWN, FAILING))


def shown(*, terminal: bool) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=120, color_system=None)
    with Screen(console, gate="policy-freshness", at_most=0.25) as screen:
        screen.show(VIEW, asked=44, doing="answering")
        screen.say("the gate FAILS [travel]")
        screen.offender(
            Offender(
                trace_id="ab12",
                question="q?",
                answer="150 EUR [1].",
                used="TRV-001 2",
                should_have_used="TRV-001 3",
                because="180 EUR " * 40,
            )
        )
    return out.getvalue()


def test_a_terminal_shows_every_slice_live_with_its_interval() -> None:
    text = shown(terminal=True)
    assert "gate policy-freshness  FAIL" in text
    assert "65 % of 20 answers (41 to 83 %)" in text
    assert "44 questions asked" in text


def test_a_pipe_gets_the_story_and_no_live_table() -> None:
    text = shown(terminal=False)
    assert "the gate FAILS [travel]" in text
    assert "questions asked" not in text
    assert "\x1b" not in text


def test_a_pipe_gets_each_fact_on_one_line() -> None:
    assert sum("180 EUR" in line for line in shown(terminal=False).splitlines()) == 1


def test_a_slice_without_data_says_so() -> None:
    assert measured(UNKNOWN) == "no data"


def test_a_reader_that_left_is_told_to_whoever_shows_the_story_and_ends_nothing_by_itself() -> None:
    class Left(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Screen(Paper(file=Left()), gate="policy-freshness", at_most=0.25).say("once upon a time")
