"""A section of CONTRIBUTING.md followed to the letter in a copy of the repository."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("adapters", "scorers", "gates", "evaluation", "telemetry", "dashboards", "collector", "docs", "helm", "tests")
MAKE_DOCS = (sys.executable, "-m", "docs.generate")
"""What `make docs` runs; make itself would see to the environment first."""

_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(heading: str) -> list[tuple[str, str]]:
    """Return the code blocks of a section, each with its language."""
    _, _, rest = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition(f"\n## {heading}\n")
    return [(language, dedent(code)) for _, language, code in _BLOCK.findall(rest.partition("\n## ")[0])]


def scratch(folder: Path) -> Path:
    """Copy the repository as far as the guides touch it, with its bytecode: to compile it takes half a minute."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name)
    for path in ROOT.glob("*.*"):
        if path.is_file():
            shutil.copy(path, folder)
    return folder


def follow(heading: str, folder: Path) -> tuple[list[str], list[str]]:
    """Write, change and run what a section says, in ``folder``; return the files it touches and what commands print."""
    files, printed = [], []
    for language, code in blocks(heading):
        if language == "sh":
            printed += [run(command, folder) for command in code.splitlines()]
            continue
        first, _, rest = code.partition("\n")
        name = first.removeprefix("# ")
        files.append(name)
        path = folder / name
        path.write_text(
            patched(path.read_text(encoding="utf-8"), rest) if language == "diff" else rest, encoding="utf-8"
        )
    return files, printed


def patched(text: str, diff: str) -> str:
    """Add each line that begins with a plus after the one that stands before it."""
    before = ""
    for line in diff.splitlines():
        if line.startswith("+"):
            assert text.count(f"{before}\n") == 1, f"{before!r} stands {text.count(before)} times"
            text = text.replace(f"{before}\n", f"{before}\n{line[1:]}\n")
        before = line[1:]
    return text


def run(command: str, folder: Path) -> str:
    """Run a command of the guide, which has to succeed, by the interpreter that runs the tests."""
    words = MAKE_DOCS if command == "make docs" else (sys.executable, *command.split()[1:])
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-4000:]}{done.stderr[-2000:]}"
    return done.stdout
