"""`groundwire init`: a commented configuration for the traffic that there is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from adapters.base import AdaptOptions, MalformedRecord
from adapters.keys import KeyCount, KeysFound
from adapters.schema import Answer
from collector.api.running import AgentBody
from collector.commands import reading
from collector.commands.asking import AskedAgent, part_of
from collector.commands.objects import object_line
from collector.commands.problems import placed
from collector.commands.progress import Progress
from collector.commands.proposal import Proposal, proposed
from collector.commands.scoring import ScoringPlan, catalog_at, require_catalog, set_up
from collector.commands.worst import listed
from collector.configuration.file import load
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.writing import write_whole
from gates.verdicts.summary import counted
from scorers.base import Evaluation

ENOUGH = 300
"""Answers after which nothing more is waited for."""
SCORED = 200
"""Answers that are scored here, of files and with a catalog that is given: enough to see which metrics have values."""
LOOK_SECONDS = 1.0
PRINTED = "-"
"""Name of the target that stands for standard output."""


@dataclass
class Traffic:
    """What was seen: answers, their scores, and the keys of their spans or lines."""

    answers: list[Answer] = field(default_factory=list)
    evaluations: list[Evaluation] = field(default_factory=list)
    keys: KeysFound = field(default_factory=lambda: KeysFound(traces=0))
    catalog: str | None = None
    configured: Mapping[str, Any] = field(default_factory=dict)
    """Where the agent that was watched listens, what it reads and where its data is, as it was told."""

    @property
    def per_hour(self) -> float | None:
        """Answers an hour, by their own times; ``None`` where these tell none."""
        times = sorted(answer.started_at for answer in self.answers if answer.started_at is not None)
        if len(times) < 2:  # noqa: PLR2004 - a length needs two ends
            return None
        length = max(times[-1] - times[0], timedelta(seconds=1))
        return (len(times) - 1) / (length / timedelta(hours=1))


def watched_traffic(
    agent: AskedAgent,
    *,
    seconds: float,
    catalog: Path | None,
    now: datetime,
    progress: Progress,
    err: TextIO,
    monotonic: Callable[[], float],
    sleep: Callable[[float], None],
) -> Traffic:
    """Return the newest traffic of a running agent, after so many seconds or once there is enough of it.

    With a ``catalog`` its answers are scored anew, as the agent scored them without it. Raises `ConfigError` where the
    agent cannot be asked, or had no answer in that time, and for a catalog with problems.
    """
    config = _with_catalog(catalog)
    end = monotonic() + seconds
    while True:
        found = list(listed(agent, {}, ENOUGH))
        left = end - monotonic()
        if len(found) >= ENOUGH or left <= 0:
            break
        progress.tell(f"watching traffic: {len(found):,} of {ENOUGH:,} answers, at most {left:.0f} s left")
        sleep(min(LOOK_SECONDS, left))
    if not found:
        raise ConfigError(
            f"no answer came to {agent.url} within {seconds:g} s; ask your application something meanwhile, or find "
            "out why with `groundwire doctor`"
        )
    try:
        about = AgentBody.model_validate(agent.get("/v1/agent"))
        keys = KeysFound.model_validate(agent.get("/v1/span-keys"))
        answers = [Answer.model_validate(row.get("answer")) for row in found]
        stored = [Evaluation.model_validate(row["evaluation"]) for row in found if part_of(row, "evaluation")]
    except ValidationError as error:
        raise agent.unlike() from error
    lines = KeyCount()
    for answer in answers:
        if answer.trace_id is None:
            lines.add_answer(answer)
    evaluations = stored if catalog is None else _scored(answers[:SCORED], config, now, progress, err)
    return Traffic(answers, evaluations, keys.beside(lines.result()), about.catalog, about.configured)


def traffic_in(
    files: Sequence[Path], *, catalog: Path | None, now: datetime, progress: Progress, err: TextIO
) -> Traffic:
    """Return the traffic in files of traces or answers. Raises `ConfigError` where they hold no answer."""
    keys = KeyCount()
    config = _with_catalog(catalog)
    options: AdaptOptions = config.traces.options()
    answers: list[Answer] = []
    unreadable: list[tuple[str, str]] = []
    for path, record in reading.answers(files, options, progress, keys=keys):
        if isinstance(record, MalformedRecord):
            unreadable.append(placed(path, "", record))
        else:
            answers.append(record)
    if not answers:
        raise ConfigError(*_without_answers(files, unreadable, keys.result().traces))
    if unreadable:
        err.write(f"groundwire: {_first_of(unreadable)}; the configuration is written without it\n")
    return Traffic(answers, _scored(answers[-SCORED:], config, now, progress, err), keys.result())


def _with_catalog(path: Path | None) -> Config:
    if path is None:
        return Config()
    require_catalog(path)
    return load(f"catalog: {{path: {_quoted(str(path))}}}", where="--catalog")


def _scored(
    answers: Sequence[Answer], config: Config, now: datetime, progress: Progress, err: TextIO
) -> list[Evaluation]:
    """Return the scores of these few answers with the catalog that is configured."""
    with catalog_at(config.catalog, err) as known:
        plan = ScoringPlan(
            panel=config.scorers,
            catalog=known,
            now=now,
            timeout=config.scoring.timeout.total_seconds(),
            max_text_chars=config.traces.options().max_text_chars,
            compares=False,
        )
        # In this process: they are few, and workers take longer to start than to score them.
        score = set_up(plan)
        return [
            Evaluation.model_validate_json(scores.evaluation)
            for answer in progress.over(answers, "scoring", "answers", every=8)
            for scores in score([answer.model_dump_json()])
        ]


def _without_answers(files: Sequence[Path], unreadable: Sequence[tuple[str, str]], traces: int) -> Iterator[str]:
    """Yield why nothing can be proposed: what could not be read, else what there is instead of answers."""
    named = ", ".join(map(str, files))
    if unreadable:
        yield _first_of(unreadable)
    if traces:
        yield f"{named}: no answer in {counted(traces, 'trace')}; `groundwire adapt` names spans that it does not read"
    elif not unreadable:
        yield f"{named}: no answer in it; give traces or answers"


def _first_of(unreadable: Sequence[tuple[str, str]]) -> str:
    place, reason = unreadable[0]
    more = len(unreadable) - 1
    return f"{place}: {reason}" + (f" ({counted(more, 'more record')} cannot be read either)" if more else "")


def init(traffic: Traffic, *, catalog: Path | None, target: Path, at: datetime, as_json: bool, out: TextIO) -> int:
    """Write a configuration for this traffic to ``target``, which must not be there yet, or print it; return 0.

    Raises `ConfigError` where it cannot be written.
    """
    proposal = proposed(
        answers=traffic.answers,
        evaluations=traffic.evaluations,
        keys=traffic.keys,
        catalog=str(catalog.absolute()) if catalog is not None else _known_catalog(traffic),
        per_hour=traffic.per_hour,
        configured=traffic.configured,
        at=at,
    )
    load(proposal.text, where=str(target))  # what is written is valid
    if str(target) == PRINTED:
        out.write(proposal.text)
        return 0
    if target.exists():
        raise ConfigError(f"--out {target}: is there already, and is left as it is; give another name")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--out {target}: cannot be written: {error.strerror}") from error
    # Whole or not at all: an agent takes an empty file for one that leaves all as it is by default.
    write_whole(target, proposal.text.encode(), option="--out")
    if as_json:
        out.write(object_line(_object(proposal, traffic, target)))
    else:
        out.writelines(f"{line}\n" for line in _summary(proposal, traffic, target))
    return 0


def _summary(proposal: Proposal, traffic: Traffic, target: Path) -> Iterator[str]:
    yield f"{target}: written from {len(traffic.answers):,} answers"
    yield from (f"  {line}" for line in proposal.summary)
    if proposal.sliced:
        yield (
            f"  answers that the agent has already stay without {' and '.join(proposal.sliced)}: gates judge them as "
            "__none__ until they leave the window"
        )
    if traffic.configured:
        yield "  it listens where the agent that was watched does, and keeps that agent's data: stop that one first"
    yield f"next: read it, then `groundwire check --config {target}` and `groundwire run --config {target}`"


def _object(proposal: Proposal, traffic: Traffic, target: Path) -> dict[str, Any]:
    return {
        "configuration": str(target),
        "answers": len(traffic.answers),
        "slices": [{"name": each.name, "seen": len(each.values), "cap": each.cap} for each in proposal.dimensions],
        "catalog": proposal.catalog,
        "gates": list(proposal.gates),
        "new_slices": list(proposal.sliced),
    }


def _known_catalog(traffic: Traffic) -> str | None:
    """Return the catalog file of the agent that was watched, if it can be read from here as well."""
    return traffic.catalog if traffic.catalog is not None and Path(traffic.catalog).exists() else None


def _quoted(text: str) -> str:
    return json.dumps(text)
