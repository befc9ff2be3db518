"""Canaries of a running agent."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from collector.cli.shared import LOCAL, JsonOption, TokenOption, UrlOption, asked_agent, command, shown

CanaryLimit = Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Most rows to show.")]
CanaryWait = Annotated[float, typer.Option("--wait", min=0, metavar="SECONDS", help="How long to wait for results.")]


@command
def canary_list(
    failing: Annotated[bool, typer.Option("--failing", help="Only those that fail.")] = False,
    limit: CanaryLimit = 100,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """List canaries, those that fail first. Exit code 0 none fails, 1 some fail, 2 no agent or none set up."""
    from collector.commands.canaries import listed

    agent = asked_agent(url, token_file)
    return shown(
        lambda screen: listed(
            agent, failing=failing, limit=limit, now=datetime.now(UTC), as_json=as_json, screen=screen
        )
    )


@command
def canary_run(
    wait: CanaryWait = 60.0,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Have an agent ask every canary now, within its budget, and show what came of it.

    Exit code 0 none fails, 1 some fail, 2 no agent or none set up, 3 not all were asked in time.
    """
    import time

    from collector.commands.canaries import run

    agent = asked_agent(url, token_file)
    return shown(
        lambda screen: run(
            agent,
            wait=wait,
            monotonic=time.monotonic,
            rest=time.sleep,
            now=lambda: datetime.now(UTC),
            as_json=as_json,
            screen=screen,
        )
    )


@command
def canary_results(
    canary: Annotated[str | None, typer.Argument(metavar="ID", help="Only results of this canary.")] = None,
    outcome: Annotated[str | None, typer.Option("--outcome", metavar="NAME", help="Only these results.")] = None,
    limit: CanaryLimit = 20,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show what came of canaries, the newest first. Exit code 0, 2 no agent or none set up."""
    from collector.commands.canaries import results

    agent = asked_agent(url, token_file)
    return shown(
        lambda screen: results(
            agent, canary=canary, outcome=outcome, limit=limit, now=datetime.now(UTC), as_json=as_json, screen=screen
        )
    )
