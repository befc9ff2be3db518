"""What commands share: options, the configuration, and how problems are reported.

Imports stay inside the functions, so that each command starts with what it needs and no more.
"""

from __future__ import annotations

import functools
import io
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version as installed_version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec, TextIO

import typer
from typer.models import OptionInfo

from collector.cli import completion
from collector.cli.streams import ReaderLeftError, UnwritableError
from collector.security.text import one_line

if TYPE_CHECKING:
    from collector.commands.asking import AskedAgent
    from collector.commands.kept import KeptAnswers
    from collector.commands.screen import Terminal
    from collector.configuration.schema import Config

P = ParamSpec("P")
USUAL = "groundwire.yaml"
"""How most call the file of the configuration, which is read only where it is named."""
EXIT_USAGE = 2

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", metavar="FILE", help="Configuration file; without one the defaults apply."),
]
# Not a Path: that would make the directory at hand of an empty name.
DataOption = Annotated[str | None, typer.Option("--data", metavar="DIR", help="Directory of the store.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PATH=VALUE", help="Override one key; repeatable.", autocompletion=completion.setting_keys
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on one line, for programs.")]


def json_of(*fields: str) -> OptionInfo:
    """Return the option ``--json`` of a command whose object has these fields, in this order; its help names them.

    >>> json_of("version", "compiled").help
    'Print one JSON object on one line: version, compiled.'
    """
    option: OptionInfo = typer.Option("--json", help=f"Print one JSON object on one line: {', '.join(fields)}.")
    return option


UrlOption = Annotated[
    str, typer.Option("--url", envvar="GROUNDWIRE_URL", help="Base URL of the agent's API.", show_envvar=False)
]
TokenOption = Annotated[
    Path | None,
    typer.Option(
        "--token-file", envvar="GROUNDWIRE_TOKEN_FILE", help="File that holds the bearer token.", show_envvar=False
    ),
]
GateOption = Annotated[
    list[str] | None,
    typer.Option("--gate", metavar="NAME", help="Only this gate; repeatable.", autocompletion=completion.gate_names),
]
ScopeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        metavar="DIMENSION=VALUE",
        help="Only this slice of traffic, by default all; repeatable.",
        autocompletion=completion.slice_values,
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Write to a file in this directory instead of printing.")
]
MetricsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metrics",
        metavar="NAME,...",
        help="Only these metrics, separated by commas; repeatable.",
        autocompletion=completion.metric_names,
    ),
]
AnswersAtOption = Annotated[
    str | None,
    typer.Option("--at", metavar="TIME", help="Time of answers that carry none, as ISO 8601; by default now."),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", min=1, max=256, help="Processes that share the work; by default one per core."),
]
AgentOption = Annotated[
    str | None,
    typer.Option("--agent", metavar="URL", help="Take the answers that the agent at this address keeps, not files."),
]
NewestOption = Annotated[
    int, typer.Option("--newest", min=1, max=1_000_000, help="With --agent: look at so many of the newest answers.")
]
SampleOption = Annotated[
    int | None,
    typer.Option("--sample", min=1, max=1_000_000, help="Use so many of them, drawn by --seed; by default all."),
]
PLAN = "gate plan"
LOCAL = "http://127.0.0.1:8080"


def standard_output() -> TextIO:
    """Return standard output. Raises `ConfigError` where it was closed."""
    from collector.errors import ConfigError

    # None where it was closed before the start.
    if sys.stdout is None:
        raise ConfigError("standard output: closed")
    return sys.stdout


def screen() -> Terminal:
    """Return standard output as a screen: as wide as the terminal, in colours unless ``NO_COLOR`` is set."""
    from collector.commands.screen import Terminal

    out = standard_output()
    if not out.isatty():
        return Terminal(out)
    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Terminal(out, width=shutil.get_terminal_size().columns, colour=colour)


def shown(command: Callable[[Terminal], int]) -> int:
    """Run a command that prints on a screen, whole, and return its exit code. Raises as `printed_whole` does."""
    from dataclasses import replace

    return printed_whole(lambda out: command(replace(screen(), out=out)))


def asked_agent(url: str, token_file: Path | None) -> AskedAgent:
    """Return the agent that a command asks."""
    from collector.commands.asking import AskedAgent

    return AskedAgent(url=url, token_file=token_file)


def kept_answers(
    files: list[Path] | None,
    agent: str | None,
    token_file: Path | None,
    scope: list[str] | None,
    newest: int,
    sample: int | None,
    seed: int,
) -> KeptAnswers:
    """Return where recorded answers are taken from, as options name it. Raises `ConfigError` for a scope of no use."""
    from collector.commands.asking import scope_of
    from collector.commands.kept import KeptAnswers

    asked = None if agent is None else asked_agent(agent, token_file)
    return KeptAnswers(files or [], asked, scope_of(scope or []), newest, sample, seed)


def every(seconds: float) -> Iterator[None]:
    """Yield without end, with a pause before each time."""
    while True:
        time.sleep(seconds)
        yield


def printed_whole(command: Callable[[TextIO], int]) -> int:
    """Run a command that prints what it found, and return its exit code, which a reader that leaves does not change.

    Raises `ConfigError` where standard output was closed.
    """
    out, text = standard_output(), io.StringIO()
    code = command(text)
    with suppress(ReaderLeftError):
        out.write(text.getvalue())
        out.flush()
    return code


def installed() -> str:
    """Return the version that is installed."""
    return installed_version("groundwire")


def compiled() -> bool:
    """Return whether the build that runs has its hot modules compiled: they share one library, for one interpreter."""
    return find_spec("groundwire__mypyc") is not None


def moment(at: str | None) -> datetime:
    """Return the instant that ``at`` names, the present for none. Raises `ConfigError` for what is no time."""
    from collector.errors import ConfigError
    from scorers.catalog.document import parse_instant

    try:
        return (parse_instant(at, end=False) if at is not None else None) or datetime.now(UTC)
    except ValueError as error:
        raise ConfigError(f"--at: {error}") from error


def emit(text: str, out: Path | None, name: str) -> None:
    """Print ``text``, or write it to ``name`` in ``out`` and print where."""
    if out is None:
        standard_output().write(text)
        return
    from collector.errors import ConfigError
    from collector.writing import write_whole

    target = out / name
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--out {out}: cannot be written: {error.strerror}") from error
    write_whole(target, text.encode(), option="--out")
    typer.echo(str(target))


def load(path: Path | None, data: str | None, overrides: list[str] | None, *, gates_alone: bool = False) -> Config:
    """Return the configuration of ``path``, or the defaults, with what the command line overrides.

    ``gates_alone``: gates may use metrics that no configured scorer computes, and any slice dimensions.
    """
    from collector.configuration.file import load as read
    from collector.configuration.schema import Config
    from collector.errors import ConfigError

    if data == "":
        raise ConfigError("--data: expected a directory, got an empty name")
    text, where = "", "defaults"
    if path is not None:
        where = str(path)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            raise ConfigError(f"{path}: cannot be read: {reason}") from error
    rules = Config.of_gates_alone if gates_alone else Config.inconsistencies
    chosen = read(text, where=where, overrides=overrides or (), inconsistencies=rules)
    return chosen if data is None else chosen.model_copy(update={"data": Path(data)})


def source_of(path: Path | None) -> str:
    """Return where a configuration is from; of defaults also that a file which is there is not read.

    >>> source_of(Path("conf/groundwire.yaml"))
    'conf/groundwire.yaml'
    """
    if path is not None:
        return str(path)
    if Path(USUAL).is_file():
        return f"the defaults (./{USUAL} is not read; give --config {USUAL})"
    return "the defaults (no --config is given)"


def command(run: Callable[P, int]) -> Callable[P, None]:
    """Return a command that exits with the code that ``run`` returns, and with 2 for whatever it raises.

    Some exit codes are verdicts: no failure may look like the 1 of `fail`.
    """

    @functools.wraps(run)
    def exits(*args: P.args, **kwargs: P.kwargs) -> None:
        with problems(crashes=True):
            sys.exit(run(*args, **kwargs))

    return exits


@contextmanager
def problems(*, crashes: bool = False) -> Iterator[None]:
    """Turn a `ConfigError`, and with ``crashes`` any other exception, into lines on standard error and exit code 2."""
    from collector.errors import ConfigError

    try:
        yield
    except (ReaderLeftError, UnwritableError):
        raise  # `main` reports it, alike for all commands
    except ConfigError as error:
        lines: tuple[str, ...] = error.problems
    except Exception as error:
        if not crashes:
            raise
        lines = (f"{type(error).__name__}: {error}",)
    else:
        return
    for problem in lines:
        tell(problem)
    sys.exit(EXIT_USAGE)


def tell(problem: str) -> None:
    """Print a problem on standard error: whole, as one line, and without control characters."""
    typer.echo(f"groundwire: {one_line(problem, sys.maxsize)}", err=True)
