"""The command line. The only module that reads the environment or ends the process.

Imports stay inside the commands, so that each starts with what it needs and no more.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TextIO

import typer

if TYPE_CHECKING:
    from collector.config import Config

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="groundwire",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Watches production RAG answers: ingests traces, scores them, and turns drifting slices into verdicts.",
)

ConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", metavar="FILE", help="Configuration file; defaults hold without one.")
]
# Not a Path: that would make the directory at hand of an empty name.
DataOption = Annotated[str | None, typer.Option("--data", metavar="DIR", help="Directory of the store.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Override one key; may be given again.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def main() -> NoReturn:
    """Run the command line."""
    try:
        app(prog_name="groundwire")
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(0)


@app.command()
def run(config: ConfigOption = None, data: DataOption = None, overrides: SetOption = None) -> None:
    """Run the agent: receive traces, score answers, judge gates, expose metrics."""
    with _problems():
        chosen = _load(config, data, overrides)
        from collector import app as agent

        sys.exit(agent.run(chosen, version=_version()))


@app.command()
def demo(
    exit_: Annotated[bool, typer.Option("--exit", help="End after the story instead of serving until Ctrl-C.")] = False,
) -> None:
    """Show the agent at work: a LangChain assistant whose index goes stale, and a gate that notices."""
    with _problems():
        from collector.demo import run_demo

        sys.exit(run_demo(exit_when_done=exit_))


@app.command()
def check(
    config: ConfigOption = None,
    data: DataOption = None,
    overrides: SetOption = None,
    print_: Annotated[bool, typer.Option("--print", help="Print the configuration in force.")] = False,
) -> None:
    """Check the configuration and the catalog it names, without starting anything."""
    with _problems():
        chosen = _load(config, data, overrides)
        from collector import app as agent
        from collector.configfile import dump

        findings = agent.check(chosen)
        if print_:
            typer.echo(dump(chosen), nl=False)
        for line in findings:
            typer.echo(line, err=print_)


@app.command()
def adapt(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="OTLP in protobuf or JSON (traces, and logs that hold content), answers as JSONL, exports of Phoenix "
            "and Langfuse (JSON, JSONL, CSV), run trees of LangChain and LangSmith; any of them packed with gzip. "
            "- reads standard input.",
        ),
    ],
    attributes: Annotated[
        list[str] | None,
        typer.Option(
            "--attribute", metavar="NAME=KEY", help="Take a slice attribute from this key; may be given again."
        ),
    ] = None,
) -> None:
    """Print the answers found in files as JSONL; a trace may be spread over several of them.

    What cannot be read is named on standard error, with exit code 1.
    """
    with _problems():
        from collector.commands.adapt import adapt_files

        sys.exit(adapt_files(files, attributes or [], out=_standard_output(), err=sys.stderr))


@app.command()
def score(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Answers as JSONL, labelled rows, and everything that `groundwire adapt` reads; any of it packed with "
            "gzip. - reads standard input.",
        ),
    ],
    config: ConfigOption = None,
    catalog: Annotated[
        Path | None,
        typer.Option(metavar="CATALOG", help="Catalog of governing documents: a file, a directory, or .packed."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Only these metrics, between commas; may be given again."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one evaluation a line: every metric of every answer.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each answer, its claims against the passages, before the table.")
    ] = False,
    at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="What is now for answers that tell no time, as ISO 8601; the present."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Processes that share the work; one for each core if left out.")
    ] = None,
) -> None:
    """Score answers in files and print a table: for each metric how many have it, mean, quantiles, labels, absences.

    Nothing leaves the machine. What cannot be read is named on standard error and left out. Exit code 0, or 2 if a
    file, the configuration or the catalog cannot be used, or nothing in the files could be read.
    """
    with _problems(crashes=True):
        from collector.commands.score import score_files
        from collector.errors import ConfigError

        if as_json and explain:
            raise ConfigError("--json and --explain exclude each other")
        named = None if catalog is None else [f"catalog.path={json.dumps(str(catalog))}"]
        code = score_files(
            files,
            _load(config, None, named),
            metrics=metrics or [],
            form="json" if as_json else "explain" if explain else "table",
            now=_moment(at),
            workers=workers,
            out=sys.stdout,
            err=sys.stderr,
        )
        sys.exit(code)


@app.command()
def gate(
    name: Annotated[str, typer.Argument(help="Name of the gate.")],
    url: Annotated[str, typer.Option(help="Where the agent's API is.")] = "http://127.0.0.1:8080",
    token_file: Annotated[Path | None, typer.Option(help="File that holds the bearer token.")] = None,
    wait: Annotated[
        str | None, typer.Option(help="Wait this long, like 10m, while the verdict is inconclusive.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a running agent for a verdict. Exit code 0 pass, 1 fail, 3 inconclusive, 2 if it could not be asked."""
    # The exit code is the verdict: no failure may look like the 1 of `fail`.
    with _problems(crashes=True):
        from collector.commands.gate import ask

        sys.exit(ask(name, url=url, token_file=token_file, wait=wait, as_json=as_json, out=sys.stdout))


@app.command()
def change(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="deploy, documents, model, prompt, index, retriever or scorer.")
    ],
    version: Annotated[str | None, typer.Option(metavar="VERSION", help="The version that took effect.")] = None,
    previous: Annotated[str | None, typer.Option(metavar="VERSION", help="The version before.")] = None,
    component: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What changed, where the kind does not say it; a scorer's metric."),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(metavar="DIMENSION=VALUE", help="Only these slices; may be given again. All traffic if left out."),
    ] = None,
    documents: Annotated[
        list[str] | None, typer.Option("--document", metavar="ID", help="A document that changed; may be given again.")
    ] = None,
    at: Annotated[str | None, typer.Option(metavar="TIME", help="When it took effect, as ISO 8601; now.")] = None,
    id_: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Makes it safe to announce again: one id, one change.")
    ] = None,
    note: Annotated[str | None, typer.Option(metavar="TEXT", help="A word for people.")] = None,
    url: Annotated[str, typer.Option(help="Where the agent's API is.")] = "http://127.0.0.1:8080",
    token_file: Annotated[Path | None, typer.Option(help="File that holds the bearer token.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell a running agent of a change: evidence of gates starts anew there. Exit code 0, 2 if it was not taken."""
    with _problems(crashes=True):
        from collector.commands.change import announce

        fields = {
            "kind": kind,
            "version": version,
            "previous": previous,
            "component": component,
            "documents": documents or None,
            "at": None if at is None else _moment(at).isoformat(),
            "id": id_,
            "note": note,
        }
        sys.exit(announce(fields, scope or [], url=url, token_file=token_file, as_json=as_json, out=sys.stdout))


audit_app = typer.Typer(no_args_is_help=True, help="Prove and export the decision log, while an agent runs or not.")
app.add_typer(audit_app, name="audit")


@audit_app.command("verify")
def audit_verify(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="What `groundwire audit export` printed, instead of a store.")
    ] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    head: Annotated[
        str | None, typer.Option(metavar="HASH", help="The head of an earlier audit, which the log must still hold.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Prove that no row of the decision log was changed, removed or put in. Exit code 0 whole, 1 broken, 2 no log."""
    with _problems(crashes=True):
        from collector.commands.audit import audit

        where = _load(config, data, None).data
        sys.exit(audit(data=where, file=file, head=head, as_json=as_json, out=sys.stdout))


@audit_app.command("export")
def audit_export(config: ConfigOption = None, data: DataOption = None) -> None:
    """Print the decision log as JSONL, for `groundwire audit verify FILE`. Exit code 0, 2 if there is no log."""
    with _problems(crashes=True):
        from collector.commands.audit import export

        sys.exit(export(data=_load(config, data, None).data, out=sys.stdout))


@app.command()
def boards(
    config: ConfigOption = None,
    overrides: SetOption = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write files here instead of printing.")] = None,
) -> None:
    """Print the Grafana board for the configured metrics, gates and slices."""
    with _problems():
        chosen = _load(config, None, overrides)
        from dashboards.boards import overview_board

        text = overview_board(_dimensions(chosen), chosen.metrics, chosen.gates)
        _emit(text, out, "groundwire-overview.json")


@app.command()
def rules(
    config: ConfigOption = None,
    overrides: SetOption = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write files here instead of printing.")] = None,
) -> None:
    """Print the Prometheus recording and alert rules for the configured metrics, gates and slices."""
    with _problems():
        chosen = _load(config, None, overrides)
        from dashboards.rules import rules as render

        text = render(_dimensions(chosen), chosen.metrics, chosen.gates)
        _emit(text, out, "groundwire-rules.yaml")


CatalogArgument = Annotated[
    Path,
    typer.Argument(
        metavar="CATALOG",
        help="File (.yaml, .yml, .csv, .jsonl) or directory of files, or what an agent made of them (.packed).",
    ),
]
AtOption = Annotated[str | None, typer.Option(metavar="TIME", help="The day or instant to judge at, as ISO 8601.")]
catalog_app = typer.Typer(no_args_is_help=True, help="Check, show, compare and search catalogs, without an agent.")
app.add_typer(catalog_app, name="catalog")


@catalog_app.command("check")
def catalog_check(
    catalog: CatalogArgument,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as problems.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell everything that is wrong with a catalog. Exit code 0 fine, 1 problems, 2 if there is no such catalog."""
    with _problems(crashes=True):
        from collector.commands import catalog as commands

        sys.exit(commands.check(catalog, strict=strict, as_json=as_json, out=sys.stdout))


@catalog_app.command("show")
def catalog_show(
    catalog: CatalogArgument,
    doc_id: Annotated[str | None, typer.Argument(metavar="ID", help="Only this document.")] = None,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show versions and where each stands. Exit code 0, 1 if the document is not listed, 2 if unusable."""
    with _problems(crashes=True):
        from collector.commands import catalog as commands

        sys.exit(commands.show(catalog, doc_id=doc_id, at=at, as_json=as_json, out=sys.stdout))


@catalog_app.command("diff")
def catalog_diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The catalog before.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The catalog after.")],
    as_json: JsonOption = False,
) -> None:
    """Tell what was added, removed, changed and superseded. Exit code 0 no difference, 1 some, 2 if one is unusable."""
    with _problems(crashes=True):
        from collector.commands import catalog as commands

        sys.exit(commands.diff(old, new, as_json=as_json, out=sys.stdout))


@catalog_app.command("search")
def catalog_search(
    catalog: CatalogArgument,
    query: Annotated[str, typer.Argument(metavar="QUESTION", help="What to search for.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="At most this many entries.")] = 10,
    at: AtOption = None,
    groups: Annotated[
        list[str] | None, typer.Option("--group", help="Only what this group may see; may be given again.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of an embedding model, to search by meaning as well.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the entries that bear on a question, with --at only those that govern then. Exit code 0, 1 nothing found."""
    with _problems(crashes=True):
        from collector.commands import catalog as commands

        code = commands.find(
            catalog, query, k=limit, at=at, groups=groups, model=model, as_json=as_json, out=sys.stdout
        )
        sys.exit(code)


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(_version())


def _standard_output() -> TextIO:
    from collector.errors import ConfigError

    # None where it was closed before the start.
    if sys.stdout is None:
        raise ConfigError("standard output: is closed")
    return sys.stdout


def _version() -> str:
    return installed_version("groundwire")


def _moment(at: str | None) -> datetime:
    from collector.errors import ConfigError
    from scorers.catalog.document import parse_instant

    try:
        return (parse_instant(at, end=False) if at is not None else None) or datetime.now(UTC)
    except ValueError as error:
        raise ConfigError(f"--at: {error}") from error


def _dimensions(config: Config) -> tuple[str, ...]:
    return tuple(dimension.name for dimension in config.slices)


def _emit(text: str, out: Path | None, name: str) -> None:
    if out is None:
        typer.echo(text, nl=False)
        return
    from collector.errors import ConfigError

    target = out / name
    try:
        out.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"--out {out}: cannot be written: {error.strerror}") from error
    typer.echo(str(target))


def _load(path: Path | None, data: str | None, overrides: list[str] | None) -> Config:
    from collector.configfile import load
    from collector.errors import ConfigError

    if data == "":
        raise ConfigError("--data: expected a directory, got an empty name")
    text, where = "", "defaults"
    if path is not None:
        where = str(path)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: cannot be read: {error}") from error
    chosen = load(text, where=where, overrides=overrides or ())
    return chosen if data is None else chosen.model_copy(update={"data": Path(data)})


@contextmanager
def _problems(*, crashes: bool = False) -> Iterator[None]:
    """Turn a `ConfigError`, and with ``crashes`` any other exception, into lines on standard error and exit code 2."""
    from collector.errors import ConfigError

    try:
        yield
    except ConfigError as error:
        problems = error.problems
    except Exception as error:
        if not crashes:
            raise
        problems = (f"{type(error).__name__}: {error}",)
    else:
        return
    # Where nobody reads standard error, the exit code has to say it alone.
    with suppress(OSError):
        for problem in problems:
            typer.echo(f"groundwire: {problem}", err=True)
    sys.exit(EXIT_USAGE)


if __name__ == "__main__":
    main()
