"""Those who are notified of decisions."""

from __future__ import annotations

from typing import Annotated

import typer

from collector.cli import completion
from collector.cli.shared import ConfigOption, SetOption, command, json_of, load, standard_output


@command
def notify_test(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Names of notifiers; by default all of them.",
            autocompletion=completion.notifier_names,
        ),
    ] = None,
    config: ConfigOption = None,
    overrides: SetOption = None,
    as_json: Annotated[bool, json_of("notifiers")] = False,
) -> int:
    """Send a test message to the notifiers of the configuration. Exit code 0 if all took it, 1 if one did not.

    No agent has to run. The message says that it is a test; at Alertmanager it is the alert GroundwireTest, which is
    over after five minutes.
    """
    from collector.clock import system_clock
    from collector.commands.notify import send_test

    chosen = load(config, None, overrides)
    return send_test(chosen, names or (), now=system_clock(), as_json=as_json, out=standard_output())
