"""What other tools take from the configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from collector.cli.shared import ConfigOption, SetOption, emit, load, problems


def boards(
    config: ConfigOption = None,
    overrides: SetOption = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write files here instead of printing.")] = None,
) -> None:
    """Print the Grafana board for the configured metrics, gates and slices."""
    with problems():
        chosen = load(config, None, overrides)
        from dashboards.boards import overview_board

        text = overview_board(chosen.dimensions, chosen.metrics, chosen.gates, chosen.exposure)
        emit(text, out, "groundwire-overview.json")


def rules(
    config: ConfigOption = None,
    overrides: SetOption = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write files here instead of printing.")] = None,
) -> None:
    """Print the Prometheus recording and alert rules for the configured metrics, gates and slices."""
    with problems():
        chosen = load(config, None, overrides)
        from dashboards.rules import rules as render

        text = render(chosen.dimensions, chosen.metrics, chosen.gates)
        emit(text, out, "groundwire-rules.yaml")
