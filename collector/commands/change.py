"""`groundwire change`: announces a change to a running agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, get_args

from collector.commands.asking import NOT_GROUNDWIRE, ask_agent, printed, scope_of
from collector.commands.objects import object_line
from collector.errors import ConfigError
from collector.security.text import one_line
from gates.inputs.changes import ChangeKind, bounded
from gates.units.names import suggestion

KINDS = tuple(kind for kind in get_args(ChangeKind) if kind != "reference")
"""Kinds of changes of an application; a reference begins anew with `rebaseline`."""


def announce(
    fields: Mapping[str, Any],
    scope: Sequence[str],
    *,
    url: str,
    token_file: Path | None,
    as_json: bool,
    out: TextIO,
) -> int:
    """Announce a change with these ``fields``, those that are not ``None``, and print how it was recorded; return 0.

    Raises `ConfigError` when the change does not say what it is about, and when the agent cannot be reached or refuses
    it.
    """
    body = {name: value for name, value in fields.items() if value is not None} | {"scope": scope_of(scope)}
    kind = str(body["kind"])
    if kind not in KINDS:
        raise ConfigError(f"change {one_line(kind)}: unknown kind{suggestion(kind, KINDS)}; known: {', '.join(KINDS)}")
    if not (body.get("everywhere") or bounded(body.get("version"), body["scope"], body.get("documents", ()))):
        also = ", or --document ID" if body["kind"] == "documents" else ""
        raise ConfigError(
            f"change {one_line(str(body['kind']))}: neither version nor scope is given: give --version VERSION, or"
            f" --scope DIMENSION=VALUE{also}. If it has no version and affects all traffic, say --everywhere; then"
            " every gate begins its evidence anew"
        )
    _recorded(body, url=url, token_file=token_file, as_json=as_json, out=out)
    return 0


def rebaseline(
    gate: str,
    scope: Sequence[str],
    *,
    because: str,
    at: str | None,
    url: str,
    token_file: Path | None,
    as_json: bool,
    out: TextIO,
) -> int:
    """Let a gate begin its reference anew, in the slices of ``scope``, and print how that was recorded; return 0.

    Raises `ConfigError` when no reason is given, and when the agent cannot be reached or refuses it.
    """
    if not because.strip():
        raise ConfigError(f"rebaseline {one_line(gate)}: --because is empty; say why, for the ledger")
    body = {"kind": "reference", "component": gate, "note": because, "scope": scope_of(scope)}
    body |= {} if at is None else {"at": at}
    _recorded(body, url=url, token_file=token_file, as_json=as_json, out=out)
    return 0


def _recorded(body: Mapping[str, Any], *, url: str, token_file: Path | None, as_json: bool, out: TextIO) -> None:
    """Send a change to the agent and print its row of the ledger."""
    row = ask_agent(url, "/v1/changes", token_file=token_file, body=body).body
    try:
        version = "" if row["version"] is None else f" to {row['version']}"
        text = (
            f"change {row['seq']} recorded: {row['component']}{version} ({row['kind']}) at {row['at']}, id {row['id']}"
        )
    except (KeyError, TypeError) as error:
        raise ConfigError(f"--url {url}: {NOT_GROUNDWIRE}") from error
    printed(object_line(row) if as_json else f"{one_line(text)}\n", out, what="the change")
