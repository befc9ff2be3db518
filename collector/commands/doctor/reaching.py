"""Faults that keep the agent itself from being asked."""

from __future__ import annotations

from collections.abc import Iterator

from collector.commands.doctor.base import DoctorRule, Sign
from collector.commands.doctor.facts import AgentFacts, Reach


def _reach(kind: Reach, facts: AgentFacts) -> Iterator[Sign]:
    if facts.reach == kind:
        yield Sign(facts.url, facts.trouble)


def _not_ready(facts: AgentFacts) -> Iterator[Sign]:
    for reason in facts.ready.get("reasons") or ():
        yield Sign(facts.url, str(reason))


RULES = (
    DoctorRule(
        name="no-agent",
        stage="reach",
        severity="error",
        title="No agent answers at this address",
        about="The process is not running, listens on another port, or a firewall is between.",
        step="Start it with `groundwire run --config FILE`, or give its address: `--url http://HOST:PORT`, which is "
        "`http.host` and `http.port` of its configuration.",
        look=lambda facts: _reach("unreachable", facts),
    ),
    DoctorRule(
        name="agent-tls",
        stage="reach",
        severity="error",
        title="An agent answers at this address, and TLS keeps it from being asked",
        about="With `http.tls_cert` the API speaks TLS only, and without it none; a certificate of an authority of "
        "your own is not trusted by itself.",
        step="Give the address with the other scheme, `https://` or `http://`, or set `SSL_CERT_FILE=FILE` to the "
        "certificate of the authority, whichever is said here.",
        look=lambda facts: _reach("tls", facts),
    ),
    DoctorRule(
        name="another-server",
        stage="reach",
        severity="error",
        title="Something else answers at the address of the agent",
        about="Another program has the port, a proxy stands before the agent, or the agent is of another version.",
        step="Find who listens with `ss -ltnp`. Give the agent a port of its own with `http.port`, or ask the right "
        "address with `--url`.",
        look=lambda facts: _reach("foreign", facts),
    ),
    DoctorRule(
        name="wrong-token",
        stage="reach",
        severity="error",
        title="The agent asks for a token",
        about="`http.token` or `http.token_file` is set. The second token, `http.verdict_token_file`, opens verdicts "
        "only.",
        step="Give the file that `http.token_file` names: `--token-file FILE`.",
        look=lambda facts: _reach("refused", facts),
    ),
    DoctorRule(
        name="not-ready",
        stage="reach",
        severity="error",
        title="The agent is not ready for traffic",
        about="It is starting or draining, or its store cannot be written to: while a disk is full, senders are told "
        "to retry, and nothing that was acknowledged is lost.",
        step="Wait while it starts. On a full disk make room, or move `data` to a larger one: it goes on by itself. If "
        "the store is corrupt, follow the runbook (GroundwireStoreCorrupt).",
        look=_not_ready,
    ),
)
