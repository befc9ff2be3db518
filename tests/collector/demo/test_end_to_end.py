from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from collector.demo import corpus

pytest.importorskip("openinference.instrumentation.langchain", reason="pip install 'groundwire[langchain]'")

COMMAND = (sys.executable, "-P", "-m", "collector.cli", "demo")


@pytest.fixture(scope="module")
def told() -> subprocess.CompletedProcess[str]:
    """Run the demo once, as a user would, into a pipe."""
    return subprocess.run([*COMMAND, "--exit"], capture_output=True, text=True, timeout=150, check=False)


def line(text: str, word: str) -> str:
    return next(line for line in text.splitlines() if word in line)


@pytest.mark.slow
def test_the_story_happens_as_told(told: subprocess.CompletedProcess[str]) -> None:
    assert told.returncode == 0, told.stdout + told.stderr
    order = ["agent ready", "answers judged: the gate passes", "version 3", "the gate FAILS", "rebuilt", "recovers"]
    assert [told.stdout.index(word) for word in order] == sorted(told.stdout.index(word) for word in order)


@pytest.mark.slow
def test_the_gate_fails_in_the_domain_that_changed_and_passes_in_the_others(
    told: subprocess.CompletedProcess[str],
) -> None:
    fails = line(told.stdout, "the gate FAILS")
    assert dict(re.findall(r"(\w+) (pass|fail|inconclusive) ", fails)) == {
        domain: "fail" if domain == corpus.STALE_DOMAIN else "pass" for domain in corpus.DOMAINS
    }


@pytest.mark.slow
def test_offending_answers_are_named_with_the_passage_that_should_have_been_used(
    told: subprocess.CompletedProcess[str],
) -> None:
    assert "rests on  TRV-001 version 2" in told.stdout
    assert "should rest on  TRV-001 version 3" in told.stdout
    assert re.search(r"answered  .*(150 EUR|40 EUR|60 days|0\.30 EUR).* \[1\]\.", told.stdout)
    assert re.search(r"because  .*(180 EUR|55 EUR|30 days|0\.38 EUR)", told.stdout)


@pytest.mark.slow
def test_nothing_but_the_story_is_printed(told: subprocess.CompletedProcess[str]) -> None:
    assert told.stderr == ""
    assert "\x1b" not in told.stdout


@pytest.mark.slow
def test_ctrl_c_ends_the_demo_and_the_agent_with_it() -> None:
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        assert any("exports its spans" in line for line in demo.stdout)
        children = Path(f"/proc/{demo.pid}/task/{demo.pid}/children").read_text().split()
        demo.send_signal(signal.SIGINT)
        assert demo.wait(timeout=60) == 128 + signal.SIGINT
    assert len(children) == 1
    assert not Path(f"/proc/{children[0]}").exists()
