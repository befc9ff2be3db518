from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from collector.demo import corpus
from tests.peers import require_module

require_module("openinference.instrumentation.langchain", "pip install 'groundwire[langchain]'")

COMMAND = (sys.executable, "-P", "-m", "collector.cli", "demo")
IN_ORDER = (
    "agent ready",
    "answers judged: the gate passes in every domain (leave, retention, security, travel)",
    "TRV-001 version 3 is published",
    "the gate FAILS",
    "should rest on  TRV-001 version 3",
    "the assistant's index is rebuilt",
    "the gate recovers",
)


@pytest.mark.slow
def test_the_story_happens_as_told_and_a_pipe_gets_nothing_but_the_story() -> None:
    demo = subprocess.run([*COMMAND, "--exit"], capture_output=True, text=True, timeout=200, check=False)
    told = demo.stdout
    assert demo.returncode == 0, told + demo.stderr
    assert demo.stderr == ""
    assert "\x1b" not in told
    places = [told.index(words) for words in IN_ORDER]
    assert places == sorted(places)

    fails = next(line for line in told.splitlines() if "the gate FAILS" in line)
    assert dict(re.findall(r"(\w+) (pass|fail|inconclusive) ", fails)) == {
        domain: "fail" if domain == corpus.STALE_DOMAIN else "pass" for domain in corpus.DOMAINS
    }
    assert "rests on  TRV-001 version 2" in told
    assert re.search(r"answered  .*(150 EUR|40 EUR|60 days|0\.30 EUR).* \[1\]\.", told)
    assert re.search(r"because  .*(180 EUR|55 EUR|30 days|0\.38 EUR)", told)


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
