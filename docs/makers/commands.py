"""The command reference: every command with its options, from the help of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from collector.cli import app

_INTRODUCTION = """# Commands

Exit codes of verdicts: 0 pass, 1 fail, 2 usage or configuration, 3 inconclusive.
`groundwire --version` prints the version, `-h` or `--help` after any command what it takes.

If standard output cannot be written, as on a full disk, standard error says so and the exit code is 2. A reader that
stops early, like `head`, does not change the exit code, with one exception: a verdict, an announced change or an audit
that nobody reads exits with 2. A failing standard error never changes the exit code.

Commands that ask a running agent take its address and token from `--url` and `--token-file`, or from the environment:
`GROUNDWIRE_URL` and `GROUNDWIRE_TOKEN_FILE`. Tables fit the width of the terminal and are not cut in a pipe. States
have colours on a terminal, unless `NO_COLOR` is set.

For programs, `--json` prints the same facts as one JSON object on one line, in ASCII, with `null` for what is not
there; `gate plan`, `replay`, `score` and `tail` print one object per line. Problems go to standard error, and exit
codes are the same. Commands without it print JSON lines as they are, write a file for another program, or serve until
they are told to stop.

`groundwire --install-completion` makes bash, zsh or fish complete commands and options with the tab key; open a new
shell after it. `groundwire --show-completion` prints the script instead.

This page is generated from the command line by `make docs`.
"""


def command_reference() -> str:
    """Return the command reference as Markdown."""
    lines = [_INTRODUCTION]
    for name, entry in sorted(commands().items()):
        lines += [f"## `groundwire {name}`", "", entry.help or "", "", "| option | meaning |", "| --- | --- |"]
        lines += [f"| {_shown(parameter)} | {getattr(parameter, 'help', None) or ''} |" for parameter in entry.params]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def commands() -> dict[str, Any]:
    """Return every command of the command line by its name, which may be several words."""
    return dict(_below(typer.main.get_command(app), ""))


def _below(group: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, entry in getattr(group, "commands", {}).items():
        if getattr(entry, "commands", None):
            yield from _below(entry, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", entry


def _shown(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    options = ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
    return f"{options} `{parameter.metavar}`" if parameter.metavar else options
