"""The page on reviews, followed to the letter: its commands do what it says, packet by packet."""

import json
import re
import shlex
from pathlib import Path

from tests.command import command

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reviews.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_command_of_the_page_does_what_it_says(tmp_path):
    for run, name in (("today", "a"), ("next", "b")):
        rows = [{"id": f"{name}{i}", "question": "How long?", "answer": "14 days."} for i in range(2)]
        (tmp_path / f"{run}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        to = ("--to", f"runs/{run}", "--metrics", "latency", "--workers", "1")
        assert command("evaluate", f"{run}.jsonl", *to, cwd=tmp_path).returncode == 0
    blocks = dict(BLOCK.findall(PAGE))
    prompt, printed = blocks["console"].splitlines()
    assert command(*shlex.split(prompt.removeprefix("$ groundwire ")), cwd=tmp_path).stdout == f"{printed}\n"
    shown, label, close, evaluate = blocks["sh"].replace("\\\n", " ").splitlines()
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
    assert (
        command(*shlex.split(evaluate)[1:], "--metrics", "latency", cwd=tmp_path).stdout
        == "runs/labelled: 2 answers scored\n"
    )
