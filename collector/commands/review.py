"""`groundwire review`: answers of a run as de-identified packets for reviewers, and their labels back as gold labels.

A review is a folder: a file of packets for each reviewer, which holds nothing of systems and scores; ``key.jsonl``,
which says what each packet is and is for the lead alone; labels; and ``access.jsonl``, a log of who saw what, chained
by hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import orjson

from adapters.schema import Answer
from collector.commands.columns import aligned
from collector.errors import ConfigError
from collector.runs.folder import finished
from collector.runs.tables import ANSWERS, read_table
from collector.security.text import one_line
from evaluation.reviewing.adjudication import SettledLabels, agreements, settled
from evaluation.reviewing.labels import AXES, CATEGORIES, ReviewLabel
from evaluation.suites.incidents import Redaction
from gates.verdicts.summary import counted

FINE, OPEN = 0, 1
REVIEW, KEY, ACCESS, PACKETS, LABELS = "review.json", "key.jsonl", "access.jsonl", "packets", "labels"
ADJUDICATOR = "adjudicator"
PRIVATE = 0o600
FIRST = "0" * 64
WIDTH = 100

ReviewRow = Mapping[str, Any]


def make_review(
    runs: Sequence[Path],
    to: Path,
    reviewers: Sequence[str],
    *,
    labels: int,
    seed: int,
    snippets: Sequence[str],
    out: TextIO,
) -> int:
    """Write the packets of finished runs for reviewers; return 0. Raises `ConfigError` for what cannot be reviewed.

    Each answer goes to ``labels`` reviewers, the same number of answers to each within one; each reviewer has an order
    of their own. Only those of ``snippets`` see the texts of passages.
    """
    _checked(to, reviewers, labels, snippets)
    rng = np.random.default_rng(seed)
    rows = [row for run in runs for row in _answers(run)]
    if not rows:
        raise ConfigError(f"{runs[0]}: has no answers")
    redaction = Redaction()
    (to / PACKETS).mkdir(parents=True)
    (to / LABELS).mkdir()
    names = [hashlib.sha256(f"{seed}:{rng.integers(2**62)}".encode()).hexdigest()[:16] for _ in rows]
    queues: dict[str, list[ReviewRow]] = {reviewer: [] for reviewer in reviewers}
    for number, place in enumerate(rng.permutation(len(rows))):
        _, answer = rows[place]
        redacted = redaction.answer(answer)
        for nth in range(labels):
            reviewer = reviewers[(number * labels + nth) % len(reviewers)]
            queues[reviewer].append(packet_of(names[place], redacted, snippets=reviewer in snippets))
    for reviewer, queue in queues.items():
        order = rng.permutation(len(queue))
        _put(to / PACKETS / f"{reviewer}.jsonl", [queue[place] for place in order])
    key = [
        {"packet": name, "run": str(run), "answer_id": answer.id}
        for name, (run, answer) in zip(names, rows, strict=True)
    ]
    _put(to / KEY, key)
    told = {
        "reviewers": list(reviewers),
        "labels": labels,
        "seed": seed,
        "snippets": list(snippets),
        "answers": len(rows),
    }
    _put(to / REVIEW, [told])
    (to / ACCESS).touch(PRIVATE)
    out.write(
        f"{to}: {counted(len(rows), 'answer')}, {labels} labels each, for {counted(len(reviewers), 'reviewer')}\n"
    )
    return FINE


def packet_of(name: str, answer: Answer, *, snippets: bool) -> dict[str, Any]:
    """Return what a reviewer sees of an answer: nothing that tells which system gave it, or how it was scored."""
    cited = {citation.passage_id for citation in answer.citations or ()}
    gold = {each.id: each for each in answer.gold.passages} if answer.gold is not None else {}
    passages = []
    for number, passage in enumerate(answer.context_passages() or (), 1):
        text = passage.text or ""
        label = gold.get(passage.id)
        passages.append(
            {
                "passage": number,
                "cited": passage.id in cited,
                "role": passage.role,
                "effective_from": None if passage.effective_from is None else f"{passage.effective_from:%Y-%m-%d}",
                "effective_to": None if passage.effective_to is None else f"{passage.effective_to:%Y-%m-%d}",
                "gold_label": None if label is None else label.label,
                "snippet": text if snippets else f"[{len(text):,} characters withheld]",
            }
        )
    return {
        "packet": name,
        "question": answer.question,
        "answer": answer.answer,
        "passages": passages,
        "conflict": _conflict(answer),
    }


def next_packet(folder: Path, reviewer: str, *, now: datetime, as_json: bool, out: TextIO) -> int:
    """Print the first packet of a reviewer that has no label, and log that it was shown; return 0."""
    review = _review(folder)
    packets, labelled = _queue(folder, review, reviewer), _labels_of(folder, reviewer)
    packet = next((each for each in packets if each["packet"] not in labelled), None)
    if packet is None:
        out.write(f"all {counted(len(packets), 'packet')} labelled\n")
        return FINE
    _log(folder, {"at": now.isoformat(), "reviewer": reviewer, "packet": packet["packet"], "action": "shown"})
    if as_json:
        out.write(orjson.dumps(packet, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode())
        return FINE
    out.write(f"packet {packet['packet']} ({len(labelled) + 1:,} of {len(packets):,})\n")
    if packet["conflict"]:
        out.write("conflict: sources are known to disagree; an acceptable answer needs a rationale\n")
    out.writelines(f"{name}: {one_line(packet[name] or '', 20_000)}\n" for name in ("question", "answer"))
    for each in packet["passages"]:
        since = " ".join(filter(None, (each["effective_from"] and f"from {each['effective_from']}",
                                       each["effective_to"] and f"to {each['effective_to']}")))  # fmt: skip
        facts = ", ".join(filter(None, (each["cited"] and "cited", each["role"], since, each["gold_label"])))
        out.write(
            f"passage {each['passage']}{f' ({one_line(facts)})' if facts else ''}: {one_line(each['snippet'], 4_000)}\n"
        )
    out.write("\n")
    out.writelines(f"{axis}: {' | '.join(levels)}\n" for axis, levels in AXES.items())
    out.write(f"primary, secondary: {' | '.join(CATEGORIES)}\n")
    return FINE


def label_packet(
    folder: Path, reviewer: str, packet: str, given: Mapping[str, Any], *, now: datetime, out: TextIO
) -> int:
    """Take a reviewer's label of a packet; return 0. Raises `ConfigError` naming the field that is wrong."""
    review = _review(folder)
    queue = {each["packet"]: each for each in _queue(folder, review, reviewer)}
    if packet not in queue:
        raise ConfigError(f"packet {one_line(packet, 40)}: is none of {one_line(reviewer, 40)}'s")
    if packet in _labels_of(folder, reviewer):
        raise ConfigError(f"packet {one_line(packet, 40)}: has a label of {one_line(reviewer, 40)} already")
    try:
        label = ReviewLabel.of(given, conflict=bool(queue[packet]["conflict"]))
    except ValueError as error:
        raise ConfigError(f"packet {one_line(packet, 40)}: {one_line(str(error))}") from error
    row = {"packet": packet, "reviewer": reviewer, "at": now.isoformat(), "label": label.model_dump(mode="json")}
    with (folder / LABELS / f"{reviewer}.jsonl").open("ab") as file:
        file.write(orjson.dumps(row) + b"\n")
    _log(folder, {"at": now.isoformat(), "reviewer": reviewer, "packet": packet, "action": "labelled"})
    out.write(f"packet {packet}: labelled {label.acceptability}, {label.grounding}\n")
    return FINE


def close_review(folder: Path, to: Path, *, partial: bool, now: datetime, out: TextIO, run: Path | None = None) -> int:
    """Settle the labels, print how far reviewers agree, and write gold labels as rows of a suite, of one run if named.

    Return 0; 1 where labels are missing and ``partial`` does not allow that. Raises `ConfigError` for a log of accesses
    that was changed.
    """
    review = _review(folder)
    _check_log(folder)
    if to.exists():
        raise ConfigError(f"{to}: exists; name a new file")
    given: dict[str, dict[str, ReviewLabel]] = {}
    for reviewer in review["reviewers"]:
        for packet, label in _labels_of(folder, reviewer).items():
            given.setdefault(packet, {})[reviewer] = label
    senior = _labels_of(folder, ADJUDICATOR)
    key = {row["packet"]: row for row in _rows(folder / KEY)}
    missing = sum(review["labels"] - len(given.get(packet, {})) for packet in key)
    if missing and not partial:
        out.write(f"{counted(missing, 'label')} missing; give --partial to close with those there are\n")
        return OPEN
    results = {
        packet: settled(list(labels.values()), senior.get(packet)) for packet, labels in given.items() if packet in key
    }
    out.writelines(_agreement_lines(list(given.values())))
    look = [packet for packet, each in results.items() if each.senior]
    out.write(f"{counted(len(results), 'answer')} settled, {len(look):,} by severity: for a senior adjudicator\n")
    for packet in sorted(look):
        out.write(f"  packet {packet}\n")
    _put(to, _gold_rows(key, results, run))
    _log(folder, {"at": now.isoformat(), "reviewer": ADJUDICATOR, "packet": "", "action": "closed"})
    return FINE


def _gold_rows(key: Mapping[str, ReviewRow], results: Mapping[str, SettledLabels], run: Path | None) -> list[ReviewRow]:
    wanted = {packet: row for packet, row in key.items() if run is None or row["run"] == str(run)}
    if run is not None and not wanted:
        raise ConfigError(f"--run {run}: is none of {', '.join(sorted({row['run'] for row in key.values()}))}")
    ids = [row["answer_id"] for row in wanted.values()]
    if len(set(ids)) < len(ids):
        raise ConfigError("several runs answered the same questions; name one of them with --run")
    return [gold_row(wanted[packet]["answer_id"], result) for packet, result in results.items() if packet in wanted]


def gold_row(answer_id: str, result: SettledLabels) -> dict[str, Any]:
    """Return settled labels as a row of a suite, which is joined with the answer by its id."""
    axes = {f"review.{axis}": level for axis, (level, _) in result.axes.items()}
    categories = {"review.primary": result.primary, "review.secondary": ", ".join(result.secondary)}
    return {
        "id": answer_id,
        "gold": {"acceptable": result.axes["acceptability"].level == "acceptable"},
        "attributes": axes | {name: value for name, value in categories.items() if value},
    }


def _agreement_lines(labels: list[dict[str, ReviewLabel]]) -> Iterator[str]:
    head = ["axis", "answers", "Cohen's kappa", "Fleiss' kappa"]
    found = [[each.axis, f"{each.answers:,}", _figure(each.cohen), _figure(each.fleiss)] for each in agreements(labels)]
    rows = [head, *found]
    yield from aligned(rows, right={1, 2, 3})


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _checked(to: Path, reviewers: Sequence[str], labels: int, snippets: Sequence[str]) -> None:
    if to.exists() and any(to.iterdir()):
        raise ConfigError(f"{to}: holds other files; name a new folder")
    for name in reviewers:
        if not (name.isascii() and name.replace("-", "").replace("_", "").isalnum()) or name == ADJUDICATOR:
            raise ConfigError(
                f"--reviewers {one_line(name, 40)}: a name has letters, digits, - and _, and is not {ADJUDICATOR}"
            )
    if len(set(reviewers)) < len(reviewers):
        raise ConfigError("--reviewers: duplicate name")
    if not 1 <= labels <= len(reviewers):
        raise ConfigError(f"--labels {labels}: must be from 1 to the number of reviewers, {len(reviewers)}")
    for name in snippets:
        if name not in reviewers:
            raise ConfigError(f"--snippets {one_line(name, 40)}: is no reviewer")


def _answers(run: Path) -> Iterator[tuple[Path, Answer]]:
    finished(run, ANSWERS)
    for row in read_table(run / ANSWERS, ("record",)):
        yield run, Answer.model_validate_json(row["record"])


def _conflict(answer: Answer) -> bool:
    if answer.gold is None:
        return False
    labelled = any(each.label == "conflicting" for each in answer.gold.passages)
    return labelled or any("conflict" in flag for flag in answer.gold.safety_flags)


def _review(folder: Path) -> dict[str, Any]:
    found = _rows(folder / REVIEW)
    if not found or "reviewers" not in found[0]:
        raise ConfigError(f"{folder}: is no review; make one with: groundwire review make")
    return found[0]


def _queue(folder: Path, review: ReviewRow, reviewer: str) -> list[dict[str, Any]]:
    """Return the packets of a reviewer; an adjudicator has all, with the texts that somebody may see."""
    if reviewer == ADJUDICATOR:
        found: dict[str, dict[str, Any]] = {}
        for name in review["reviewers"]:
            for each in _rows(folder / PACKETS / f"{name}.jsonl"):
                if each["packet"] not in found or name in review["snippets"]:
                    found[each["packet"]] = each
        return list(found.values())
    if reviewer not in review["reviewers"]:
        raise ConfigError(f"--reviewer {one_line(reviewer, 40)}: is no reviewer of {folder}")
    return _rows(folder / PACKETS / f"{reviewer}.jsonl")


def _labels_of(folder: Path, reviewer: str) -> dict[str, ReviewLabel]:
    path = folder / LABELS / f"{reviewer}.jsonl"
    rows = _rows(path) if path.exists() else []
    return {row["packet"]: ReviewLabel.model_validate(row["label"]) for row in rows}


def _log(folder: Path, row: dict[str, Any]) -> None:
    """Append to the log of accesses; each row has the hash of the one before."""
    rows = _rows(folder / ACCESS)
    before = rows[-1]["hash"] if rows else FIRST
    with (folder / ACCESS).open("ab") as file:
        file.write(orjson.dumps({**row, "before": before, "hash": _hash(row, before)}) + b"\n")


def _check_log(folder: Path) -> None:
    before = FIRST
    for number, row in enumerate(_rows(folder / ACCESS), 1):
        told = {name: value for name, value in row.items() if name not in ("before", "hash")}
        if row.get("before") != before or row.get("hash") != _hash(told, before):
            raise ConfigError(f"{folder / ACCESS}: line {number}: was changed after it was written")
        before = row["hash"]


def _hash(row: ReviewRow, before: str) -> str:
    return hashlib.sha256(before.encode() + orjson.dumps(row, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _rows(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_bytes().splitlines()
        return [orjson.loads(line) for line in lines if line.strip()]
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise ConfigError(f"{path}: not JSON: {error}") from error


def _put(path: Path, rows: Sequence[ReviewRow]) -> None:
    try:
        path.touch(PRIVATE)
        path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error
