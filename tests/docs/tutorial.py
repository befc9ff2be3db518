"""A tutorial followed to the letter, in an empty folder: its files are written, its commands are run, in order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from textwrap import dedent
from typing import Self

from tests import forking
from tests.agent import Agent

ROOT = Path(__file__).resolve().parents[2]
ALONE = re.compile(r"# in a \w+ terminal\n")
SECONDS = 240
_BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_FREE = [word for key in ("http", "receive.otlp_http", "receive.otlp_grpc") for word in ("--set", f"{key}.port=0")]
# Commands of the reader: those that ask an agent are told where it listens, and installing is left out.
_GROUNDWIRE = f"""#!/bin/sh
case "$1 $2" in
  "gate plan") exec COMMAND "$@";;
  "run "*|"demo "*|"mcp "*|"review serve") exec {sys.executable} -P -m collector.cli "$@";;
  "tail "*) shift; exec {sys.executable} -P -m collector.cli tail --url "http://$AGENT" "$@";;
esac
case "$1" in gate|change|rebaseline|label|status|decisions|answers|explain|doctor)
  command="$1"; shift; exec COMMAND "$command" --url "http://$AGENT" "$@";; esac
exec COMMAND "$@"
"""


class Reader:
    """Does what a page says, in ``folder``; on ports that are free, wherever the page names the usual ones."""

    def __init__(self, page: str, folder: Path) -> None:
        self.text = (ROOT / page).read_text(encoding="utf-8")
        self.folder = folder / "work"
        self.folder.mkdir()
        self._tools = folder / "bin"
        self._tools.mkdir()
        for name, text in {
            "groundwire": _GROUNDWIRE.replace("COMMAND", forking.command()),
            "pipx": "#!/bin/sh\n",
            "python3": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
        }.items():
            (self._tools / name).write_text(text)
            (self._tools / name).chmod(0o755)
        self.agent = Agent(folder)
        self.agent.directory = self.folder
        self._running = ExitStack()
        self._files: dict[str, str] = {}
        self.printed: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def follow(self, *, until: str | None = None) -> None:
        """Follow the page, or what is left of it, up to the heading ``until``."""
        text, _, self.text = self.text.partition(f"\n## {until}") if until else (self.text, "", "")
        for language, code in ((language, dedent(code)) for language, code in _BLOCK.findall(text)):
            if language == "sh":
                self._run(code)
            elif named := re.match(r"# (\S+\.\w+)\n", code):
                self._files[named[1]] = code
                self._write()

    def _run(self, code: str) -> None:
        if ALONE.match(code):
            words = code.splitlines()[-1].split()
            if words[:2] == ["groundwire", "run"]:
                self.agent.arguments = [*words[1:], *_FREE]
                self._running.enter_context(self.agent)
                self._write()
            else:
                self._running.callback(_stop, subprocess.Popen(words, cwd=self.folder, env=self._environment()))
            return
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", self._here(code)],
            cwd=self.folder,
            env=self._environment(),
            timeout=SECONDS,
            capture_output=True,
            text=True,
            check=False,
        )
        self.printed.append(done.stdout)
        assert done.returncode == 0, f"{code}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"

    def _write(self) -> None:
        """Write the files of the page so far; again when the agent is there, since only then its ports are known."""
        for name, code in self._files.items():
            (self.folder / name).write_text(self._here(code), encoding="utf-8")

    def _here(self, text: str) -> str:
        if not hasattr(self.agent, "http"):
            return text
        return text.replace("127.0.0.1:8080", self.agent.http).replace("127.0.0.1:4318", self.agent.otlp_http)

    def _environment(self) -> dict[str, str]:
        path = f"{self._tools}:{os.environ['PATH']}"
        return os.environ | {"PATH": path, "AGENT": getattr(self.agent, "http", ""), "PYTHONPATH": str(ROOT)}


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(30)
