"""The guards of the examples, each run as its framework runs it, against the API on a real port."""

import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import pytest

from adapters.base import AdaptOptions
from collector.pipeline.tasks import set_up
from tests.collector.served import Served
from tests.examples.readme import EXAMPLES
from tests.peers import missing

GUARDS = EXAMPLES / "guard"


@pytest.fixture(scope="module")
def url():
    handler = set_up(AdaptOptions(), (), None, 5.0)
    with Served() as served:
        served.api.opened = replace(served.api.parts, ask=lambda asked, timeout: handler(asked) if timeout else "")
        yield served.url


def run(name, url, *, needs=None):
    if needs is not None and find_spec(needs) is None:
        missing(needs, "pip install -e '.[dev]'")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": os.environ.get("HOME", "/"),
        "GROUNDWIRE_URL": url,
        "GROUNDWIRE_SECONDS": "60",
    }
    environment |= {"PYTHONPATH": str(GUARDS), "HAYSTACK_TELEMETRY_ENABLED": "False"}
    command = [sys.executable, str(GUARDS / name)] if name.endswith(".py") else [sys.executable, "-c", name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


CLIENT = """
from groundwire_verify import verify
said = verify("What may a hotel cost?", {answer!r}, ["Hotels cost up to 180 EUR a night."])
print(said.verdict, said.safe, len(said.reasons) > 0)
"""


@pytest.mark.parametrize(
    ("answer", "line"),
    [("Up to 180 EUR a night.", "supported True True"), ("Up to 250 EUR a night.", "contradicted False True")],
)
def test_the_client_says_what_the_agent_says(url, answer, line):
    assert run(CLIENT.format(answer=answer), url) == [line]


def test_without_an_agent_the_client_says_that_nothing_is_known():
    (line,) = run(CLIENT.format(answer="x"), "http://127.0.0.1:9")
    assert line == "undetermined False True"


def test_the_langchain_guard_withholds_what_the_passages_deny(url):
    assert run("langchain_guard.py", url, needs="langchain_core") == [
        "Up to 180 EUR a night.",
        "I cannot confirm that (contradicted).",
    ]


def test_the_llama_index_guard_drops_what_no_longer_governs(url):
    assert run("llama_index_guard.py", url, needs="llama_index.core") == ["Hotels cost up to 180 EUR a night."]


def test_the_haystack_guard_splits_replies(url):
    (line,) = run("haystack_guard.py", url, needs="haystack")
    assert line == "{'shown': ['Up to 180 EUR a night.'], 'withheld': ['Up to 250 EUR a night.']}"
