"""Incidents of production as rows of a suite."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.evaluation import world
from collector.cli.shared import (
    LOCAL,
    ConfigOption,
    TokenOption,
    UrlOption,
    asked_agent,
    command,
    installed,
    json_of,
    moment,
    printed_whole,
)

KeyOption = Annotated[
    Path,
    typer.Option(
        "--key-file", metavar="FILE", help='Keys to sign with, as for webhooks: "whsec_" and base64 of 24 to 64 bytes.'
    ),
]


@command
def incident_export(
    decision: Annotated[str, typer.Argument(metavar="DECISION", help="Number of a decision that failed.")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="File of the rows; the signature stands beside it.")],
    key_file: KeyOption,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: Annotated[
        bool,
        json_of(
            "rows_file", "signature_file", "decision", "gate", "rows", "left_out", "repeated", "replaced", "sha256"
        ),
    ] = False,
) -> int:
    """Write the worst answers of a decision as redacted, signed rows of a suite that a mended release keeps.

    Each row has its question, the bad answer with its passages, and what a good one keeps. Protected data is replaced
    by invented data. `groundwire evaluate` exits with 1 over these rows as they are, and with 0 over a mended release:
    give it --application or --answers. Exit code 0, or 2.
    """
    from collector.commands.incident import export_incident

    agent = asked_agent(url, token_file)
    now = moment(None)
    return printed_whole(
        lambda out: export_incident(agent, decision, to, key_file, now=now, as_json=as_json, out=out, err=sys.stderr)
    )


@command
def incident_verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Rows that `groundwire incident export` wrote.")],
    key_file: KeyOption,
    config: ConfigOption = None,
    as_json: Annotated[
        bool, json_of("rows_file", "decision", "gate", "signature", "rows", "failing", "no_longer_failing")
    ] = False,
) -> int:
    """Check that rows of an incident are those that were signed, and that each fails on the answers of the bad release.

    Exit code 0; 1 if a row no longer fails; 2 if the rows or the signature are not what was exported.
    """
    from collector.commands.incident import verify_incident

    return printed_whole(
        lambda out: verify_incident(
            file, key_file, config, world(), release=installed(), as_json=as_json, out=out, err=sys.stderr
        )
    )
