"""`groundwire explain`: one answer of a running agent with the reasons for its scores, or one decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from pydantic import ValidationError

from adapters.schema import Answer
from collector.clock import ago, asked_before, parsed_time
from collector.commands.asking import AgentRefused, AskedAgent, part_of, rows_of
from collector.commands.decisions import slice_of
from collector.commands.objects import object_line
from collector.commands.reasons import Paragraph, block, explain, write
from collector.commands.screen import Terminal
from collector.security.text import one_line
from scorers.base import Evaluation

PASSAGE = 240
"""Characters of a passage that are shown."""
PASSAGES = 20
SHOWN = 10
"""Rows of one kind that a decision stands on."""


def explained(agent: AskedAgent, name: str, *, now: datetime, as_json: bool, screen: Terminal) -> int:
    """Print an answer by its id, or a decision by its number; return 0.

    Raises `ConfigError` where there is neither.
    """
    decision = name.isascii() and name.isdigit()
    try:
        body = agent.get(f"/v1/answers/{quote(name, safe='/')}")
    except AgentRefused as error:
        if not decision or error.status != 404:  # noqa: PLR2004 - not found
            raise
        body = agent.get(f"/v1/decisions/{name}")
    else:
        decision = False
    if as_json:
        screen.out.write(object_line(body))
    elif decision:
        _decision(body, now, screen)
    else:
        _answer(agent, body, now, screen)
    return 0


def _answer(agent: AskedAgent, body: Mapping[str, Any], now: datetime, screen: Terminal) -> None:
    try:
        answer = Answer.model_validate(body.get("answer"))
        scored = body.get("evaluation")
        evaluation = None if scored is None else Evaluation.model_validate(scored)
    except ValidationError as error:
        raise agent.unlike() from error
    facts = f"{slice_of(body)}, {answer.status}, {ago(parsed_time(body.get('arrived_at')), now)}"
    versions = ", ".join(f"{name} {version}" for name, version in answer.versions.items())
    asked = asked_before(answer.started_at, parsed_time(body.get("arrived_at")))
    lines = [
        block("slice", facts),
        *([block("asked", asked)] if asked else ()),
        *([block("versions", versions)] if versions else ()),
    ]
    lines += [block("flags", ", ".join(answer.flags))] if answer.flags else []
    lines += [block("answer", answer.answer)] if answer.answer else []
    passages = answer.passages or ()
    for passage in passages[:PASSAGES]:
        known = " ".join(filter(None, (passage.doc_id, passage.version and f"version {passage.version}")))
        text = f"{passage.id}{f' ({known})' if known else ''}: {one_line(passage.text or '', PASSAGE)}"
        lines.append(block("passage", text))
    if len(passages) > PASSAGES:
        lines.append(block("passage", f"and {len(passages) - PASSAGES} more"))
    if evaluation is None:
        waiting = "waits to be scored" if body.get("sampled") else "not scored: it is not in the sample"
        write([("", one_line(answer.id)), *lines, block("scores", waiting)], screen.out, screen.prose)
        return
    shown = evaluation.model_dump(mode="json")
    explain(answer, shown, None, screen.out, width=screen.prose, facts=lines)
    others = (
        f"{score.get('metric')} {score.get('value')} {score.get('label') or ''}" for score in rows_of(body, "external")
    )
    write((block("external", each) for each in others), screen.out, screen.prose)


def _decision(body: Mapping[str, Any], now: datetime, screen: Terminal) -> None:
    record, verdict = part_of(body, "record"), part_of(body, "verdict")
    state = str(body.get("state"))
    before = body.get("previous_state")
    turned = f", before {before}" if before else ""
    what = f"decision {body.get('seq')} of {one_line(str(body.get('gate')))} over {slice_of(body)}"
    screen.sentence(f"{state}  {what}, {ago(parsed_time(body.get('at')), now)}{turned}", state=(0, state))
    why = block("why", str(record.get("reason") or verdict.get("reason") or ""))
    write([why, *_record(record)], screen.out, screen.prose)


def _record(record: Mapping[str, Any]) -> Iterator[Paragraph]:
    recommended = part_of(record, "recommended")
    if recommended:
        yield block("to do", f"{str(recommended.get('action')).replace('_', ' ')}: {recommended.get('reason')}")
    for name, key in (("cause", "causes_carrying"), ("open", "causes_open"), ("excluded", "causes_excluded")):
        for each in rows_of(record, key)[:SHOWN]:
            yield block(name, f"{each.get('cause')}: {each.get('detail')}")
    for each in rows_of(record, "changes")[-SHOWN:]:
        version = f" {each['version']}" if each.get("version") else ""
        yield block("change", f"{each.get('kind')} {each.get('component')}{version} at {each.get('at')}")
    for each in rows_of(record, "answers")[:SHOWN]:
        yield block("answer", f"{each.get('answer_id')}: {each.get('metric')} {each.get('value')}")
    if record.get("expires_at"):
        yield block("until", f"{record['expires_at']}: after this the record says nothing of now")
