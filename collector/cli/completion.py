"""What the shell offers after Tab, beside commands and options: the names that an agent or a configuration knows.

A command that asks a running agent offers what that agent knows, every other one what its ``--config`` says. Where
neither can be read nothing is offered: a message would stand in the middle of the line that is being typed.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collector.commands.asking import AskedAgent
    from collector.configuration.schema import Config

SECONDS = 2.0
"""How long an agent may take for an answer."""
MAX_GATES = 8
"""Gates that are asked for their slices."""
KINDS = ("deploy", "documents", "model", "prompt", "index", "retriever", "scorer")
BOARDS = ("on-call", "metrics", "agent", "all")
WORDS, PLACE = "COMP_WORDS", "COMP_CWORD"
# Values come from traffic, and a shell writes into the line what it is offered.
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/@+-]*", re.ASCII)


def gate_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the names of gates."""
    agent = _agent(ctx)
    if agent is None:
        config = _config(ctx)
        names = [] if config is None else [gate.name for gate in config.gates]
    else:
        names = [str(gate.get("name")) for gate in _told(agent).get("gates", ())]
    return _offered(names, incomplete)


def metric_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the names of metrics; of several with commas the last one is completed."""
    agent = _agent(ctx)
    if agent is not None:
        names: Iterable[str] = _told(agent).get("metrics", ())
    elif (config := _config(ctx)) is not None:
        names = [metric.name for metric in config.metrics]
    else:
        from scorers import SCORERS

        names = [each.metric.name for each in SCORERS]
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in _plain(sorted(names)) if name.startswith(last)]


def slice_values(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer slice dimensions, with the values that the agent's gates have judged."""
    agent = _agent(ctx)
    if agent is None:
        return []
    body = _told(agent)
    found = {name: set[str]() for name in body.get("dimensions", ())}
    for gate in [*body.get("gates", ())][:MAX_GATES]:
        for part in _asked(agent, f"/v1/gates/{gate.get('name')}").get("slices", ()):
            for name, value in part.get("slice", {}).items():
                found.setdefault(name, set()).update(_plain([value]))
    pairs = [f"{name}={value}" for name, values in found.items() for value in sorted(values) or [""]]
    return _offered(pairs, incomplete)


def setting_keys(incomplete: str) -> list[str]:
    """Offer the keys of the configuration with their defaults."""
    from collector.configuration.schema import Config

    return _offered(_keys(Config()), incomplete)


def notifier_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the names of notifiers."""
    config = _config(ctx)
    return _offered([] if config is None else [each.name for each in config.notify], incomplete)


def change_kinds(incomplete: str) -> list[str]:
    """Offer kinds of changes."""
    return _offered(KINDS, incomplete)


def board_names(incomplete: str) -> list[str]:
    """Offer the names of boards."""
    return _offered(BOARDS, incomplete)


@contextmanager
def whole_words() -> Iterator[None]:
    """Undo that bash takes ``=`` for the end of a word: ``domain=tr`` comes as three, and only the last is replaced."""
    taken = _rejoined()
    if not taken:
        yield
        return
    out = io.StringIO()
    try:
        with redirect_stdout(out):
            yield
    finally:
        for line in out.getvalue().splitlines():
            typer.echo(line.removeprefix(taken))


def _rejoined() -> str:
    """Make one word of what bash took apart; return the part of it that stays on the line."""
    if os.environ.get("_GROUNDWIRE_COMPLETE") != "complete_bash" or not os.environ.get(PLACE, "").isdecimal():
        return ""
    words, place = os.environ.get(WORDS, "").split(), int(os.environ[PLACE])
    equals = next((at for at in (place - 1, place) if at > 1 and words[at : at + 1] == ["="]), 0)
    if not equals:
        return ""
    whole = "".join(words[equals - 1 : place + 1])
    os.environ |= {WORDS: "\n".join([*words[: equals - 1], whole]), PLACE: str(equals - 1)}
    return f"{words[equals - 1]}="


def _offered(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _plain(names: Iterable[Any]) -> list[str]:
    return [name for name in names if isinstance(name, str) and _PLAIN.fullmatch(name)]


def _agent(ctx: typer.Context) -> AskedAgent | None:
    """Return the agent that the command at hand asks; ``None`` for one that asks none."""
    if not any(parameter.name == "url" for parameter in ctx.command.params):
        return None
    from collector.cli.shared import LOCAL
    from collector.commands.asking import AskedAgent

    token = ctx.params.get("token_file") or os.environ.get("GROUNDWIRE_TOKEN_FILE")
    return AskedAgent(
        url=ctx.params.get("url") or os.environ.get("GROUNDWIRE_URL") or LOCAL,
        token_file=None if token is None else Path(token),
        seconds=SECONDS,
    )


def _told(agent: AskedAgent) -> Mapping[str, Any]:
    return _asked(agent, "/v1/agent")


def _asked(agent: AskedAgent, path: str) -> Mapping[str, Any]:
    from collector.errors import ConfigError

    try:
        return agent.get(path)
    except ConfigError:
        return {}


def _config(ctx: typer.Context) -> Config | None:
    """Return the configuration that the command at hand names, if it can be read."""
    from collector.cli.shared import load
    from collector.errors import ConfigError

    path = ctx.params.get("config")
    try:
        return None if path is None else load(Path(path), None, None, gates_alone=True)
    except ConfigError:
        return None


def _keys(section: Any, path: Sequence[str] = ()) -> Iterator[str]:
    """Yield ``path.to.key=default`` of everything below a section that a line can set."""
    from pydantic import BaseModel

    for name in type(section).model_fields:
        value, here = getattr(section, name), (*path, name)
        if isinstance(value, BaseModel):
            yield from _keys(value, here)
        elif isinstance(value, bool):
            yield from (f"{'.'.join(here)}={choice}" for choice in ("true", "false"))
        else:
            dumped = section.model_dump(mode="json")[name]
            shown = dumped if isinstance(dumped, (int, float)) or _plain([dumped]) else ""
            yield f"{'.'.join(here)}={shown}"
