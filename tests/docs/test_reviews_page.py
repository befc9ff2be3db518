"""The page on reviews, followed to the letter: its commands do what it says, packet by packet."""

import json
import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.command import command

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reviews.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def check_served(line, folder):
    """Start what the page says, at a free port, and open the link that it prints for a reviewer."""
    words = [sys.executable, "-P", "-m", "collector.cli", *shlex.split(line)[1:], "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        try:
            link = process.stdout.readline().strip().removeprefix("ana: ")
            reader = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with reader.open(link, timeout=30) as page:
                assert "Answer 1 of 4" in page.read().decode()
            process.terminate()
            assert process.wait(30) == 0
        finally:
            process.kill()


@pytest.mark.slow
def test_every_command_of_the_page_does_what_it_says(tmp_path):
    for run, name in (("today", "a"), ("next", "b"), ("judged", "c")):
        rows = [
            {"id": f"{name}{i}", "question": "How long?", "answer": "14 days.", "attributes": {"length": str(i)}}
            for i in range(2)
        ]
        (tmp_path / f"{run}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        to = ("--to", f"runs/{run}", "--metrics", "latency", "--workers", "1")
        assert command("evaluate", f"{run}.jsonl", *to, cwd=tmp_path).returncode == 0
    (_, console), (_, steps), (_, serve), (_, sample) = BLOCK.findall(PAGE)
    prompt, printed = console.splitlines()
    assert command(*shlex.split(prompt.removeprefix("$ groundwire ")), cwd=tmp_path).stdout == f"{printed}\n"
    shown, label, close, evaluate = steps.replace("\\\n", " ").splitlines()
    check_served(serve, tmp_path)
    assert command(*shlex.split(shown)[1:], cwd=tmp_path).stdout.startswith("packet ")
    key = [json.loads(line) for line in (tmp_path / "reviews" / "july" / "key.jsonl").read_text().splitlines()]
    packet = next(row["packet"] for row in key if row["run"] == "runs/today")
    label = label.replace("5f0c1a9be2d47c38", packet)
    assert (
        command(*shlex.split(label)[1:], cwd=tmp_path).stdout
        == f"packet {packet}: labelled unacceptable, partially_grounded\n"
    )
    closed = command(*shlex.split(close)[1:], "--partial", "--run", "runs/today", cwd=tmp_path)
    assert (closed.returncode, closed.stderr) == (0, "")
    told = command(*shlex.split(evaluate)[1:], "--metrics", "latency", cwd=tmp_path).stdout
    assert told.startswith("runs/labelled: 2 answers scored\n")
    made, trusted = sample.replace("\\\n", " ").splitlines()
    assert command(*shlex.split(made)[1:], cwd=tmp_path).stdout.startswith("reviews/trust: 2 answers, 2 labels each")
    closed = command(*shlex.split(trusted)[1:], "--partial", cwd=tmp_path)
    assert (closed.returncode, closed.stderr) == (0, "")
