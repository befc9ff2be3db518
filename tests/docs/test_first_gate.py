"""The section "Your first gate" of CONTRIBUTING.md, step by step in a copy of the repository."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    "adapters",
    "scorers",
    "gates",
    "evaluation",
    "telemetry",
    "dashboards",
    "collector",
    "docs",
    "helm",
    "tests/gates",
    "tests/golden/traces",
)
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SECTION = re.search(r"^## Your first gate\n(.*?)^## ", CONTRIBUTING, re.MULTILINE | re.DOTALL)[1]
STEP = re.compile(r"`([\w/]+\.py)`:\n\n```(python|diff)\n(.*?)```", re.DOTALL)


@pytest.fixture
def copy(tmp_path):
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name)  # with its bytecode
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def changed(text, diff):
    """Return a text with its lines changed: lines that go are followed by those that come."""
    for gone, come in re.findall(r"^-(.*\n)((?:^\+.*\n)*)", diff, re.MULTILINE):
        assert text.count(gone) == 1, gone
        text = text.replace(gone, re.sub(r"^\+", "", come, flags=re.MULTILINE))
    return text


@pytest.mark.slow
def test_a_first_gate_has_its_laws_and_its_page_by_being_registered(copy):
    steps = STEP.findall(SECTION)
    assert [kind for _, kind, _ in steps] == ["python", "diff", "python"]
    for name, kind, text in steps:
        path = copy / name
        path.write_text(text if kind == "python" else changed(path.read_text("utf-8"), text), "utf-8")
    commands = re.findall(r"^\$ python (.*)$", SECTION, re.MULTILINE)
    for command in commands:
        run = subprocess.run(
            [sys.executable, *shlex.split(command)], cwd=copy, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr
    assert "### `type: tally`" in (copy / "docs/reference/configuration.md").read_text("utf-8")
    # Its own test, seven laws and four of the registry.
    assert "13 passed" in run.stdout
