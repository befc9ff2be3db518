"""Verdicts, changes and the decision log."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.shared import (
    LOCAL,
    ConfigOption,
    DataOption,
    JsonOption,
    TokenOption,
    UrlOption,
    load,
    moment,
    problems,
    standard_output,
)


def gate(
    name: Annotated[str, typer.Argument(help="Name of the gate.")],
    release: Annotated[
        str | None,
        typer.Option(metavar="VERSION", help="The release to be judged; a verdict over another one is inconclusive."),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="VERSION", help="What the release has to be compared with.")
    ] = None,
    scope: Annotated[
        list[str] | None, typer.Option(metavar="DIMENSION=VALUE", help="Only these slices; may be given again.")
    ] = None,
    wait: Annotated[
        str | None, typer.Option(help="Wait this long, like 30m, while the verdict is inconclusive.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the verdict there as JUnit XML.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="Append the verdict there as Markdown.")] = None,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a running agent for a verdict. Exit code 0 pass, 1 fail, 3 inconclusive, 2 no verdict.

    There is no verdict where the agent cannot be reached, and for a wrong option, token or gate.
    """
    # The exit code is the verdict: no failure may look like the 1 of `fail`.
    with problems(crashes=True):
        from collector.commands.gate import Options, ask

        options = Options(
            url=url,
            token_file=token_file,
            release=release,
            baseline=baseline,
            scope=scope or (),
            wait=wait,
            junit=junit,
            markdown=markdown,
            as_json=as_json,
        )
        sys.exit(ask(name, options, out=standard_output(), err=sys.stderr))


def change(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="deploy, documents, model, prompt, index, retriever or scorer.")
    ],
    version: Annotated[
        str | None, typer.Option(metavar="VERSION", help="The version that took effect; give this, or a scope.")
    ] = None,
    previous: Annotated[str | None, typer.Option(metavar="VERSION", help="The version before.")] = None,
    component: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What changed, where the kind does not say it; a scorer's metric."),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(metavar="DIMENSION=VALUE", help="Only this traffic; may be given again. All if left out."),
    ] = None,
    documents: Annotated[
        list[str] | None, typer.Option("--document", metavar="ID", help="A document that changed; may be given again.")
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it took effect, as ISO 8601; now, if left out.")
    ] = None,
    id_: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Makes it safe to announce again: one id, one change.")
    ] = None,
    note: Annotated[str | None, typer.Option(metavar="TEXT", help="Free-text note.")] = None,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> None:
    """Announce a change to a running agent: gates begin their evidence anew for the traffic that it touched.

    Name its version, its scope, or the documents that changed. Exit code 0 recorded, 2 refused or agent not reachable.
    """
    with problems(crashes=True):
        from collector.commands.change import announce

        fields = {
            "kind": kind,
            "version": version,
            "previous": previous,
            "component": component,
            "documents": documents or None,
            "at": None if at is None else moment(at).isoformat(),
            "id": id_,
            "note": note,
        }
        sys.exit(announce(fields, scope or [], url=url, token_file=token_file, as_json=as_json, out=standard_output()))


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
    """Prove that no row of the decision log was changed, removed or put in, and that the store has lost none.

    Exit code 0 whole, 1 broken or rows lost, 2 no log.
    """
    with problems(crashes=True):
        from collector.commands.audit import audit

        where = load(config, data, None).data
        sys.exit(audit(data=where, file=file, head=head, as_json=as_json, out=standard_output()))


def audit_acknowledge(config: ConfigOption = None, data: DataOption = None) -> None:
    """Acknowledge rows that the store has lost: the warnings about them end. Exit code 0, 2 if there is no store."""
    with problems(crashes=True):
        from collector.commands.audit import acknowledge

        sys.exit(acknowledge(data=load(config, data, None).data, out=standard_output()))


def audit_export(config: ConfigOption = None, data: DataOption = None) -> None:
    """Print the decision log as JSONL, for `groundwire audit verify FILE`. Exit code 0, 2 if there is no log."""
    with problems(crashes=True):
        from collector.commands.audit import export

        sys.exit(export(data=load(config, data, None).data, out=standard_output()))
