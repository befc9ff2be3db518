"""`groundwire notify test`: sends a test message to those who are notified of decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, TextIO

from collector.commands.objects import object_line
from collector.errors import ConfigError
from collector.outbound.errors import Refused, Unreachable
from collector.security.text import one_line

if TYPE_CHECKING:
    from collector.configuration.schema import Config
    from collector.notify.base import NotifierOptions


def send_test(config: Config, chosen: Sequence[str], *, now: int, as_json: bool, out: TextIO) -> int:
    """Send a test message to the ``chosen`` notifiers, by default to all; return 1 if it did not reach one, else 0.

    It is sent as of ``now`` (Unix nanoseconds). No agent has to run. Raises `ConfigError` where there is no such
    notifier, or a secret cannot be read.
    """
    sent = list(_sent(config, _targets(config, chosen), now=now))
    if as_json:
        rows = [{"notifier": name, "address": where, "sent": not why, "problem": why} for name, where, why in sent]
        out.write(object_line({"notifiers": rows}))
    else:
        lines = (f"{name}: not sent: {why}" if why else f"{name}: sent to {where}" for name, where, why in sent)
        out.writelines(f"{one_line(line)}\n" for line in lines)
    return int(any(why for *_, why in sent))


def _targets(config: Config, chosen: Sequence[str]) -> dict[int, NotifierOptions]:
    known = {options.name: index for index, options in enumerate(config.notify)}
    if not known:
        raise ConfigError("notify: nobody is notified; name a receiver in the section `notify` of the configuration")
    for name in chosen:
        if name not in known:
            raise ConfigError(f"{one_line(name)}: no such notifier; known: {', '.join(known)}")
    return {index: config.notify[index] for name, index in known.items() if not chosen or name in chosen}


def _sent(config: Config, targets: dict[int, NotifierOptions], *, now: int) -> Iterator[tuple[str, str, str]]:
    """Yield name and address of each, and why it was not reached, if it was not."""
    for index, options in targets.items():
        with closing(options.open(f"notify[{index}]")) as notifier:
            try:
                notifier.send(notifier.trial(config.names, now=now), now=now)
            except (Refused, Unreachable) as error:
                yield options.name, options.address, error.reason
            else:
                yield options.name, options.address, ""
