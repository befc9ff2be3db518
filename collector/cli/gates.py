"""Verdicts, changes, labels and the decision log."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli import completion
from collector.cli.shared import (
    LOCAL,
    ConfigOption,
    DataOption,
    JsonOption,
    ScopeOption,
    TokenOption,
    UrlOption,
    command,
    json_of,
    load,
    moment,
    standard_output,
)


@command
def gate(
    name: Annotated[
        str, typer.Argument(metavar="GATE", help="Name of the gate.", autocompletion=completion.gate_names)
    ],
    release: Annotated[
        str | None,
        typer.Option(metavar="VERSION", help="The release to judge; a verdict over another one is inconclusive."),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="VERSION", help="The release it must be compared with.")
    ] = None,
    scope: ScopeOption = None,
    wait: Annotated[
        str | None, typer.Option(help="Wait up to this long, such as 30m, while the verdict is inconclusive.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the verdict to this file as JUnit XML.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append the verdict to this file as Markdown.")
    ] = None,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Ask a running agent for a verdict. Exit code 0 pass, 1 fail, 3 inconclusive, 2 no verdict.

    There is no verdict if the agent cannot be reached, or the gate, the token or an option is wrong.
    """
    from collector.commands.gate import GateQuestion, ask

    options = GateQuestion(
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
    return ask(name, options, out=standard_output(), err=sys.stderr)


@command
def change(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="deploy, documents, model, prompt, index, retriever or scorer.",
            autocompletion=completion.change_kinds,
        ),
    ],
    version: Annotated[str | None, typer.Option(metavar="VERSION", help="The version that took effect.")] = None,
    previous: Annotated[str | None, typer.Option(metavar="VERSION", help="The version it replaced.")] = None,
    component: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What changed, if the kind does not say it; for a scorer its metric."),
    ] = None,
    scope: ScopeOption = None,
    documents: Annotated[
        list[str] | None, typer.Option("--document", metavar="ID", help="A document that changed; repeatable.")
    ] = None,
    everywhere: Annotated[
        bool,
        typer.Option("--everywhere", help="It has no version and affects all traffic: every gate begins anew."),
    ] = False,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it took effect, as ISO 8601; by default now.")
    ] = None,
    id_: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="Identifies the change: announcing the same id again changes nothing."),
    ] = None,
    note: Annotated[str | None, typer.Option(metavar="TEXT", help="Free-text note.")] = None,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Announce a change to a running agent: gates start collecting evidence anew for the traffic it affects.

    Name its version, its scope, or the documents that changed; say --everywhere if it has none of these. Exit code 0
    recorded, 2 refused or agent unreachable.
    """
    from collector.commands.change import announce

    fields = {
        "kind": kind,
        "version": version,
        "previous": previous,
        "component": component,
        "documents": documents or None,
        "everywhere": everywhere or None,
        "at": None if at is None else moment(at).isoformat(),
        "id": id_,
        "note": note,
    }
    return announce(fields, scope or [], url=url, token_file=token_file, as_json=as_json, out=standard_output())


@command
def rebaseline(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GATE", help="Name of a gate that learns a reference.", autocompletion=completion.gate_names
        ),
    ],
    because: Annotated[
        str, typer.Option(metavar="TEXT", help="Why what is served now is the new normal; it is kept in the ledger.")
    ],
    scope: ScopeOption = None,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="From when on answers count, as ISO 8601; by default now.")
    ] = None,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Let a gate of a running agent begin its reference anew: what it has learned and its evidence count no more.

    Its slices warm up until a new reference is complete. Exit code 0 recorded, 2 refused or agent unreachable.
    """
    from collector.commands.change import rebaseline as begin_anew

    return begin_anew(
        name,
        scope or [],
        because=because,
        at=None if at is None else moment(at).isoformat(),
        url=url,
        token_file=token_file,
        as_json=as_json,
        out=standard_output(),
    )


@command
def label(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Labels as JSONL, gzipped or not. - reads standard input."),
    ],
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Send labels of scored answers to a running agent: gates with `labels` judge by them.

    Sending the same labels again changes nothing. Exit code 0 all recorded, 1 some conflict with earlier labels or
    match no score, 2 refused or agent unreachable: a file with a line that cannot be read is not sent.
    """
    from collector.commands.label import send

    out = standard_output()
    return send(files, url=url, token_file=token_file, as_json=as_json, out=out, err=sys.stderr)


@command
def audit_verify(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Output of `groundwire audit export`, instead of a store.")
    ] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    head: Annotated[
        str | None,
        typer.Option(metavar="HASH", help="Head hash of an earlier audit, which the log must still contain."),
    ] = None,
    as_json: Annotated[bool, json_of("log", "whole", "rows", "last", "head", "broken", "problem", "lost")] = False,
) -> int:
    """Verify that no row of the decision log was changed, removed or inserted, and that the store has lost none.

    Exit code 0 intact, 1 broken or rows lost, 2 no log.
    """
    from collector.commands.audit import audit

    where = load(config, data, None).data
    return audit(data=where, file=file, head=head, as_json=as_json, out=standard_output())


@command
def audit_acknowledge(
    config: ConfigOption = None,
    data: DataOption = None,
    as_json: Annotated[bool, json_of("store", "acknowledged")] = False,
) -> int:
    """Acknowledge rows that the store has lost, which ends the warnings. Exit code 0, or 2 if there is no store."""
    from collector.commands.audit import acknowledge

    return acknowledge(data=load(config, data, None).data, as_json=as_json, out=standard_output())


@command
def audit_export(config: ConfigOption = None, data: DataOption = None) -> int:
    """Print the decision log as JSONL, for `groundwire audit verify FILE`. Exit code 0, or 2 if there is no log."""
    from collector.commands.audit import export

    return export(data=load(config, data, None).data, out=standard_output())
