"""`groundwire incident`: a decision of a running agent as signed rows of a suite, and whether rows are what they were.

The rows stand in a file of JSON lines, the signature in a file beside it: HMAC-SHA256 over decision, time and the bytes
of the rows, by the keys of webhooks.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO
from urllib.parse import quote

import orjson
from pydantic import AwareDatetime, ValidationError

from adapters.schema import Answer
from collector.applications.callers import World
from collector.commands.asking import AskedAgent
from collector.commands.configurations import chosen
from collector.commands.evaluate import evaluate_suite
from collector.commands.objects import object_line
from collector.commands.planned_runs import RunChoices
from collector.errors import ConfigError
from collector.notify.signing import read_keys, signature
from collector.runs.manifest import Digest
from collector.runs.tables import CHECKS, needs_pyarrow, read_table
from collector.security.text import one_line
from collector.writing import write_whole
from evaluation.suites.incidents import WORST, Redaction, case_of, expected_after, row_of_incident
from gates.verdicts.summary import counted
from scorers.base import Value

FINE, STALE_ROWS = 0, 1
SEAL = ".signature.json"
MAX_SEAL_BYTES = 100_000


class IncidentSeal(Value):
    """What is signed of an incident's rows, and the signature."""

    version: int = 1
    decision: str
    gate: str
    exported_at: AwareDatetime
    rows: int
    sha256: Digest
    signature: str


def export_incident(
    agent: AskedAgent, decision: str, to: Path, keys: Path, *, now: datetime, as_json: bool, out: TextIO, err: TextIO
) -> int:
    """Write the worst answers of a decision as rows that fail on the release that gave them; return 0.

    Raises `ConfigError` for a decision without answers, for a key that cannot be read, and for a file that is there.
    """
    secret = read_keys(keys, "--key-file")
    if to.exists():
        raise ConfigError(f"{to}: exists; name a new file")
    body = agent.get(f"/v1/decisions/{quote(decision, safe='')}")
    record = body.get("record")
    evidence = record.get("answers") if isinstance(record, dict) else None
    if not evidence or not isinstance(record, dict):
        raise ConfigError(f"decision {one_line(decision, 40)}: names no answers; export one that failed")
    redaction = Redaction()
    origin = {"incident": decision, "gate": str(record.get("gate"))}
    rows, left_out, repeated = _rows(agent, evidence, redaction, origin)
    if not rows:
        raise ConfigError(
            f"decision {one_line(decision, 40)}: none of its answers has a question and a metric known here"
        )
    data = b"".join(orjson.dumps(row, option=orjson.OPT_SORT_KEYS) + b"\n" for row in rows)
    seal = sealed(data, len(rows), decision, origin["gate"], now, secret)
    # The signature first: rows are never there without it, and one without rows is replaced by the next export.
    write_whole(_seal_of(to), seal.model_dump_json(indent=2).encode() + b"\n")
    write_whole(to, data)
    if as_json:
        told = {"rows_file": str(to), "signature_file": str(_seal_of(to)), "decision": decision, "gate": seal.gate}
        counts = {"rows": len(rows), "left_out": left_out, "repeated": repeated, "replaced": redaction.replaced}
        out.write(object_line({**told, **counts, "sha256": seal.sha256}))
        return FINE
    if left_out:
        err.write(f"groundwire: {counted(left_out, 'answer')} without a question or a known metric left out\n")
    if repeated:
        err.write(f"groundwire: {counted(repeated, 'answer')} left out: the same words to the same question as a row\n")
    out.write(f"{to}: {counted(len(rows), 'row')}, {counted(redaction.replaced, 'piece')} of protected data replaced\n")
    return FINE


def verify_incident(
    path: Path,
    keys: Path,
    config: Path | None,
    world: World,
    *,
    release: str,
    as_json: bool,
    out: TextIO,
    err: TextIO,
) -> int:
    """Check the signature of an incident's rows, and that each still fails on the answers of the bad release.

    Return 0, or 1 for rows that no longer fail. Raises `ConfigError` for rows that are not those that were signed.
    """
    needs_pyarrow()
    secret = read_keys(keys, "--key-file")
    data, seal = _read(path), _seal(_seal_of(path))
    if hashlib.sha256(data).hexdigest() != seal.sha256:
        raise ConfigError(f"{path}: was changed after it was exported: its checksum is not that of {_seal_of(path)}")
    expected = _signature(seal.decision, seal.exported_at, data, secret)
    if not any(hmac.compare_digest(mine, theirs) for mine in expected.split() for theirs in seal.signature.split()):
        raise ConfigError(f"{_seal_of(path)}: signature: is by none of the keys in {keys}")
    with TemporaryDirectory(prefix="groundwire-") as directory:
        run = Path(directory) / "run"
        choices = RunChoices(None, seal.exported_at, release, None)  # what the rows expect, and nothing beside
        evaluate_suite(
            [path],
            chosen([] if config is None else [config], None, None),
            run,
            choices,
            world,
            as_json=False,
            out=StringIO(),
            err=err,
        )
        missed = {row["answer_id"] for row in read_table(run / CHECKS) if not row["kept"]}
        every = {row["answer_id"] for row in read_table(run / CHECKS)}
    stale = sorted(every - missed)
    code = STALE_ROWS if stale else FINE
    if as_json:
        told = {"rows_file": str(path), "decision": seal.decision, "gate": seal.gate, "signature": "good"}
        out.write(object_line({**told, "rows": len(every), "failing": len(missed), "no_longer_failing": stale}))
        return code
    out.write(f"{path}: decision {one_line(seal.decision, 40)} of gate {one_line(seal.gate, 60)}, signature good\n")
    out.write(f"{len(missed):,} of {counted(len(every), 'row')} fail on the answers that were exported\n")
    for answer_id in stale:
        shown = one_line(answer_id, 60)
        out.write(f"{shown}: no longer fails: score it with the configuration and catalog of the agent\n")
    return code


def _rows(
    agent: AskedAgent, evidence: Sequence[Mapping[str, Any]], redaction: Redaction, origin: Mapping[str, str]
) -> tuple[list[dict[str, Any]], int, int]:
    """Return the rows of the worst answers, how many of no use were left out, and how many were there already."""
    rows: list[dict[str, Any]] = []
    cases: set[tuple[str, str]] = set()
    left_out = repeated = 0
    for each in evidence:
        if len(rows) == WORST:
            break
        answer, scores = _answer(agent, str(each.get("answer_id")))
        expect = expected_after(str(each.get("metric")), float(str(each.get("value"))), scores)
        if expect is None or answer.question is None:
            left_out += 1
        elif case_of(answer) in cases:  # a question that was asked ten times would be all of the suite
            repeated += 1
        else:
            cases.add(case_of(answer))
            rows.append(row_of_incident(answer, expect, redaction, {**origin, "metric": str(each.get("metric"))}))
    return rows, left_out, repeated


def sealed(data: bytes, rows: int, decision: str, gate: str, now: datetime, keys: Sequence[bytes]) -> IncidentSeal:
    """Return the seal of an incident's rows."""
    at = now.astimezone(UTC).replace(microsecond=0)
    digest = hashlib.sha256(data).hexdigest()
    signed = _signature(decision, at, data, keys)
    return IncidentSeal(decision=decision, gate=gate, exported_at=at, rows=rows, sha256=digest, signature=signed)


def _signature(decision: str, at: datetime, data: bytes, keys: Sequence[bytes]) -> str:
    return signature(keys, id_=decision, seconds=int(at.timestamp()), body=data)


def _answer(agent: AskedAgent, answer_id: str) -> tuple[Answer, Mapping[str, Mapping[str, Any]]]:
    body = agent.get(f"/v1/answers/{quote(answer_id, safe='/')}")
    try:
        answer = Answer.model_validate(body.get("answer"))
    except ValidationError as error:
        raise agent.unlike() from error
    evaluation = body.get("evaluation")
    scores = evaluation.get("scores", ()) if isinstance(evaluation, dict) else ()
    return answer, {score["metric"]: score for score in scores}


def _seal_of(path: Path) -> Path:
    return path.with_name(path.name + SEAL)


def _seal(path: Path) -> IncidentSeal:
    try:
        return IncidentSeal.model_validate_json(_read(path)[:MAX_SEAL_BYTES])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ConfigError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
