"""Files for other tools, made from the configuration."""

from __future__ import annotations

from typing import Annotated

import typer

from collector.cli import completion
from collector.cli.shared import ConfigOption, OutOption, SetOption, emit, load, problems

ON_CALL, ALL = "on-call", "all"


def boards(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="The board: on-call, metrics or agent; or all, which needs --out.",
            autocompletion=completion.board_names,
        ),
    ] = ON_CALL,
    config: ConfigOption = None,
    overrides: SetOption = None,
    out: OutOption = None,
) -> None:
    """Print a Grafana board for the configured metrics, gates and slices; or all boards into a directory.

    Exit code 0, or 2 if there is no such board, or the configuration or the directory cannot be used.
    """
    with problems():
        from collector.errors import ConfigError

        chosen = load(config, None, overrides)
        from dashboards.boards import all_boards, drawn

        found = all_boards(chosen.dimensions, chosen.metrics, chosen.gates, chosen.exposure, chosen.parts)
        if name == ALL and out is None:
            raise ConfigError("all: several boards need a directory; give --out")
        wanted = [board for board in found if name in {ALL, board.name}]
        if not wanted:
            known = ", ".join([*(board.name for board in found), ALL])
            raise ConfigError(f"{name}: no such board; known: {known}")
        for board in wanted:
            emit(drawn(board, public_url=chosen.http.public_url), out, f"groundwire-{board.name}.json")


def rules(
    config: ConfigOption = None,
    overrides: SetOption = None,
    out: OutOption = None,
) -> None:
    """Print the Prometheus recording and alerting rules for the configured metrics, gates and slices.

    Exit code 0, or 2 if the configuration or the directory cannot be used.
    """
    with problems():
        chosen = load(config, None, overrides)
        from dashboards.rules import rules as render

        text = render(
            chosen.dimensions, chosen.metrics, chosen.gates, parts=chosen.parts, public_url=chosen.http.public_url
        )
        emit(text, out, "groundwire-rules.yaml")
