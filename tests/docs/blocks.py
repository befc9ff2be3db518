"""The command blocks of all pages, and a reader who runs those of a page beside an agent that runs already."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from tests import forking

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 240
_FENCE = re.compile(r"^([ >]*)(`{3,}|~{3,}) *([^\n`]*)\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
_SHELLS = {"sh", "bash", "console", "shell", "zsh", "shell-session"}
_FIGURE = re.compile(r"[-+<]*[\da-f]*\d[\w.,:%+-]*(?:\.\.\.)?|(?<!\S)-(?!\S)")
# An agent runs already: what would start one only checks its configuration. A verdict or a finding is no failure.
_GROUNDWIRE = f"""#!/bin/sh
groundwire() {{ COMMAND "$@"; }}
case "$1 $2" in
  "run "*) shift; [ $# = 0 ] || groundwire check "$@"; exit;;
  "tail "*) timeout -k 5 3 {sys.executable} -P -m collector.cli "$@" --every 0.1; [ $? = 124 ]; exit;;
esac
groundwire "$@"
code=$?
case "$1 $2 $code" in
  gate*[13]|doctor*[13]|retrieval*[13]|report*[13]) exit 0;;
  "canary list 1"|"canary run 1"|"catalog coverage 1"|"catalog lag 1"|"catalog diff 1") exit 0;;
esac
exit $code
"""
_MAKE = f'#!/bin/sh\nexec /usr/bin/make -n -C {ROOT} "$@" > /dev/null\n'


@dataclass(frozen=True)
class Block:
    """A block of a page that is for a shell."""

    page: str
    language: str
    code: str

    @property
    def start(self) -> str:
        """Its first line, by which lists name it."""
        return self.code.partition("\n")[0]

    def steps(self) -> Iterator[tuple[str, str | None]]:
        """Yield what is typed, and what is printed where the block shows it."""
        if self.language != "console":
            yield self.code, None
            return
        for step in re.split(r"^\$ ", self.code, flags=re.MULTILINE)[1:]:
            lines = step.splitlines(keepends=True)
            typed = lines.pop(0)
            while typed.endswith("\\\n") or not _closed(typed):
                typed += lines.pop(0)
            yield typed, "".join(lines)


@dataclass(frozen=True)
class World:
    """What a page presupposes: files by their names, and what happened before a block that starts so."""

    files: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    figures: bool = True
    """Whether figures have to be those of the page, and not only their places."""


def pages() -> dict[str, str]:
    """Return all pages of the repository by their paths."""
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*.md"))
    kept = (path for path in found if not any(part.startswith(".") or part == "dist" for part in path.parts))
    return {path.as_posix(): (ROOT / path).read_text(encoding="utf-8") for path in sorted(kept)}


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fenced blocks of a page: what stands behind the fence, and the code."""
    for _, _, told, code in _FENCE.findall(text):
        yield told.strip(), dedent(code)


def blocks() -> list[Block]:
    """Return every block of every page that is for a shell."""
    return [
        Block(page, told.split()[0], code)
        for page, text in pages().items()
        for told, code in parts(text)
        if told and told.split()[0] in _SHELLS
    ]


class Reader:
    """Runs blocks in ``folder``, which has what ``world`` says, beside the agent at ``http``."""

    def __init__(self, folder: Path, world: World, replaced: Mapping[str, str], http: str) -> None:
        self.folder, self.world, self.replaced = folder, world, {**replaced, **world.replaced}
        self.tools = folder / "bin"
        self.tools.mkdir()
        self.environment = os.environ | {
            "PATH": f"{self.tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "GROUNDWIRE_URL": f"http://{http}",
            "CI_PIPELINE_ID": "p-17",
            "RELEASE": "2.1",
            "RUN": "17",
        }
        python = f'#!/bin/sh\nexec {sys.executable} "$@"\n'
        self.stand_in(
            {"groundwire": _GROUNDWIRE.replace("COMMAND", forking.command()), "make": _MAKE, "python3": python}
        )
        for name, text in world.files.items():
            self.write(name, text)

    def stand_in(self, programs: Mapping[str, str]) -> None:
        """Put programs where the shell finds them first."""
        for name, script in programs.items():
            (self.tools / name).write_text(script)
            (self.tools / name).chmod(0o755)

    def write(self, name: str, text: str, *, more: bool = False) -> None:
        """Write a file, or add to it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a" if more else "w", encoding="utf-8") as file:
            file.write(self.here(text))

    def here(self, text: str) -> str:
        """Put what is here in place of what the page prints as an example."""
        for example, mine in self.replaced.items():
            text = text.replace(example, mine)
        return text

    def follow(self, block: Block) -> None:
        """Run a block; hold what its commands print against what it shows."""
        for start, script in self.world.before.items():
            if block.code.startswith(start):
                self.run(script)
        for typed, shown in block.steps():
            if (listed := re.fullmatch(r"cat (\S+)\n", typed)) and shown:
                self.write(listed[1], shown)
                continue
            printed = self.run(self.here(typed))
            if shown:
                self.hold(self.here(shown), printed, typed)

    def run(self, script: str) -> str:
        """Run a script, which has to succeed; return what it printed."""
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{script}\nexit {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout

    def hold(self, shown: str, printed: str, typed: str) -> None:
        """Require that a page shows what is printed: ``...`` alone stands for lines, elsewhere for a part of one."""
        if not self.world.figures:
            shown, printed = (
                "\n".join(" ".join(_FIGURE.sub("#", line).split()) for line in text.splitlines())
                for text in (shown, printed)
            )
        lines = (r"(?:.*\n)*" if line == "..." else _like(line) + "\n" for line in shown.strip().splitlines())
        assert re.fullmatch("".join(lines), f"{printed.strip()}\n"), f"{typed}shown:\n{shown}\nprinted:\n{printed}"


def _like(line: str) -> str:
    return ".*".join(re.escape(part.rstrip()) for part in line.split("..."))


def _closed(typed: str) -> bool:
    try:
        shlex.split(typed)
    except ValueError:
        return False
    return True
