"""Commands of an agent that was installed without extras: each says which one it needs."""

import json
import subprocess
import sys

import pytest

from collector.reports.bundle import write_bundle

HEAVY = ("scipy", "statsmodels", "sklearn", "pyarrow", "nltk", "matplotlib")
COMMANDS = (
    "report run --to report.html",
    "report --since 1h --to report.html",
    "evaluate answers.jsonl --to run",
    "compare before after",
    "fit answers.jsonl",
    "benchmark report folder --to report",
    "incident verify rows.jsonl --key-file keys",
    "threshold sweep run.csv",
    "threshold measure answers.jsonl --to run.csv",
    "threshold replay answers.jsonl",
    "retrieval compare next.yaml answers.jsonl",
)
PROGRAM = """
import importlib.machinery, json, sys

find = importlib.machinery.PathFinder.find_spec
heavy, commands = json.loads(sys.argv[1])
absent = lambda cls, name, *rest: None if name.partition(".")[0] in heavy else find(name, *rest)
importlib.machinery.PathFinder.find_spec = classmethod(absent)
from tests.command import command

print(json.dumps([command(*each.split()) for each in commands]))
"""


def test_a_bundle_is_verified_where_nothing_is_installed_to_write_one(tmp_path):
    bundle = tmp_path / "bundle.tar.gz"
    digest = write_bundle(bundle, [], {"page.json": b"{}"}, {"title": "Run"})
    commands = json.dumps([HEAVY, [f"report --verify {bundle}"]])
    run = subprocess.run([sys.executable, "-c", PROGRAM, commands], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == [[0, f"{bundle}: intact, 1 file, {digest}\n", ""]]


@pytest.mark.slow
def test_a_command_without_its_extra_says_what_to_install():
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([HEAVY, COMMANDS])], capture_output=True, text=True, check=True
    )
    for each, (code, out, err) in zip(COMMANDS, json.loads(run.stdout), strict=True):
        assert (code, out, "pip install 'groundwire[evaluate]'" in err) == (2, "", True), (each, err)
