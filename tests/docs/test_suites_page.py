"""The page on suites, followed to the letter: its files are written, and its commands print what it says."""

import re
from pathlib import Path

import pytest

from tests.collector.test_applications import served
from tests.command import command

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "suites.md").read_text(encoding="utf-8")
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_every_file_and_command_of_the_page_does_what_it_says(tmp_path):
    ran = 0
    with served() as (desk, _):
        for language, title, text in BLOCK.findall(PAGE):
            if title:
                (tmp_path / title).write_text(text)
                continue
            if language == "sh":  # tests/docs/test_blocks.py
                continue
            assert language == "console"
            prompt, *printed = text.splitlines()
            line = prompt.removeprefix("$ groundwire ").replace("127.0.0.1:9000", f"127.0.0.1:{desk.server_port}")
            ended = command(*line.split(), cwd=tmp_path)
            assert (ended.returncode in {0, 1}, ended.stderr) == (True, ""), line
            told = ended.stdout.splitlines()
            for each in printed:
                assert each == "..." or each in told, each
            ran += 1
    assert ran == 4
    assert command("check", "--config", "groundwire.yaml", cwd=tmp_path).returncode == 0
    assert command("compare", "runs/both/today", "runs/both/next", cwd=tmp_path).returncode == 0
