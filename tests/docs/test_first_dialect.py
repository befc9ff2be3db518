"""The dialect that CONTRIBUTING.md teaches is written, recorded and tested as it says, in a scratch copy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = ("adapters", "docs", "helm", "tests")
READ = ("collector", "dashboards", "evaluation", "gates", "scorers", "telemetry", "pyproject.toml")
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    # With the bytecode, which stays valid: without it every command compiles the repository first.
    forgotten = shutil.ignore_patterns(".*", "models", "collector")
    for name in WRITTEN:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=forgotten)
    for name in READ:
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def section() -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.split("## Your first dialect\n", 1)[1].split("\n## ", 1)[0]


def files_of(root: Path) -> dict[str, bytes]:
    found = (path for name in WRITTEN for path in (root / name).rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in found if "__pycache__" not in path.parts}


def edited(text: str, diff: str) -> str:
    for old, new in re.findall(r"^-(.*)\n((?:\+.*\n)+)", diff, re.MULTILINE):
        assert text.count(f"{old}\n") == 1, f"not in the registry: {old}"
        text = text.replace(f"{old}\n", re.sub(r"^\+", "", new, flags=re.MULTILINE))
    return text


def run(command: str, root: Path) -> str:
    python, *arguments = command.split()
    assert python == "python"
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.mark.slow
def test_a_dialect_is_a_file_a_line_and_a_recording(scratch: Path) -> None:
    before = files_of(scratch)
    printed = ""
    for language, block in BLOCK.findall(section()):
        if language == "sh":
            printed += "".join(run(line, scratch) for line in block.splitlines())
            continue
        name, _, body = block.removeprefix("# ").partition("\n")
        path = scratch / name
        path.write_text(edited(path.read_text(), body) if language == "diff" else body)
    after = files_of(scratch)
    assert {name for name in after if after[name] != before.get(name)} == {
        "adapters/dialects/acme.py",
        "adapters/__init__.py",
        "tests/golden/traces/acme-basic.otlp.pb",
        "tests/golden/traces/acme-basic.answers.jsonl",
        "docs/sources.md",
    }
    assert int(re.search(r"(\d+) passed", printed)[1]) > 25
    assert " | Acme |" in (scratch / "docs" / "sources.md").read_text()
    answer = (scratch / "tests" / "golden" / "traces" / "acme-basic.answers.jsonl").read_text()
    assert '"answer":"For four weeks [1]."' in answer
    assert '"text":"Books are lent for four weeks."' in answer
