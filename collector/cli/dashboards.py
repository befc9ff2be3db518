"""Files for other tools, made from the configuration."""

from __future__ import annotations

from collector.cli.shared import ConfigOption, OutOption, SetOption, emit, load, problems


def boards(
    config: ConfigOption = None,
    overrides: SetOption = None,
    out: OutOption = None,
) -> None:
    """Print the Grafana dashboard for the configured metrics, gates and slices."""
    with problems():
        chosen = load(config, None, overrides)
        from dashboards.boards import overview_board

        text = overview_board(chosen.dimensions, chosen.metrics, chosen.gates, chosen.exposure)
        emit(text, out, "groundwire-overview.json")


def rules(
    config: ConfigOption = None,
    overrides: SetOption = None,
    out: OutOption = None,
) -> None:
    """Print the Prometheus recording and alerting rules for the configured metrics, gates and slices."""
    with problems():
        chosen = load(config, None, overrides)
        from dashboards.rules import rules as render

        text = render(chosen.dimensions, chosen.metrics, chosen.gates, public_url=chosen.http.public_url)
        emit(text, out, "groundwire-rules.yaml")
