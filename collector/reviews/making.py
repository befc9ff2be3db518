"""A review as it is made: answers of runs, mixed and without what gave them, a queue for each reviewer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from adapters.schema import Answer
from collector.errors import ConfigError
from collector.reviews.folder import ACCESS, ADJUDICATOR, KEY, LABELS, PACKETS, REVIEW
from collector.reviews.lines import ReviewRow, put
from collector.runs.folder import finished
from collector.runs.tables import ANSWERS, read_table
from collector.security.text import one_line
from evaluation.reviewing.criteria import ReviewPhase
from evaluation.reviewing.labels import CASE_AXES
from evaluation.suites.incidents import Redaction
from gates.inputs.slices import attributes_of
from gates.verdicts.summary import counted


class ReviewPlan(NamedTuple):
    """Who labels what: each answer goes to so many ``labels`` of the ``reviewers``, drawn with ``seed``.

    Only those of ``snippets`` see the texts of passages. All answers are labelled, or a random ``sample``, of which
    each value of the attribute ``strata`` has the same number, as far as it has them. ``phase`` is what labels are for,
    ``axes`` what is asked beside what every review asks.
    """

    reviewers: Sequence[str]
    labels: int = 3
    seed: int = 0
    snippets: Sequence[str] = ()
    sample: int | None = None
    strata: str | None = None
    phase: ReviewPhase | None = None
    axes: Sequence[str] = ()


def write_review(runs: Sequence[Path], to: Path, plan: ReviewPlan) -> int:
    """Write the packets of finished runs for reviewers; return of how many answers.

    Each reviewer has the same number of answers within one, in an order of their own. Raises `ConfigError` for what
    cannot be reviewed.
    """
    reviewers, labels, seed, snippets, *_ = plan
    _checked(to, reviewers, labels, snippets)
    _check_axes(plan)
    rng = np.random.default_rng(seed)
    rows = [row for run in runs for row in _answers(run)]
    if not rows:
        raise ConfigError(f"{runs[0]}: has no answers")
    if plan.sample is not None:
        rows = _sampled(rows, plan.sample, plan.strata, rng)
    redaction = Redaction()
    try:
        (to / PACKETS).mkdir(parents=True)
        (to / LABELS).mkdir()
    except OSError as error:
        raise ConfigError(f"{to}: cannot be written: {error.strerror}") from error
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
        put(to / PACKETS / f"{reviewer}.jsonl", [queue[place] for place in order])
    key = [
        {"packet": name, "run": str(run), "answer_id": answer.id}
        for name, (run, answer) in zip(names, rows, strict=True)
    ]
    put(to / KEY, key)
    told = {
        "reviewers": list(reviewers),
        "labels": labels,
        "seed": seed,
        "snippets": list(snippets),
        "answers": len(rows),
        **({} if plan.phase is None else {"phase": plan.phase}),
        **({"axes": list(plan.axes)} if plan.axes else {}),
    }
    put(to / ACCESS, [])
    # Last: a folder without it is no review.
    put(to / REVIEW, [told])
    return len(rows)


def _sampled(
    rows: Sequence[tuple[Path, Answer]], sample: int, strata: str | None, rng: np.random.Generator
) -> list[tuple[Path, Answer]]:
    """Return a random sample, in the order of ``rows``; what one stratum lacks, the others give."""
    members: dict[str, list[int]] = {}
    for place in rng.permutation(len(rows)):
        answer = rows[place][1]
        value = None if strata is None else attributes_of(answer).get(strata)
        if strata is not None and value is None:
            raise ConfigError(
                f"--strata {one_line(strata, 40)}: answer {one_line(answer.id, 60)} has no such attribute"
            )
        members.setdefault(value or "", []).append(int(place))
    chosen: list[int] = []
    queues = [members[name] for name in sorted(members)]
    while len(chosen) < sample and any(queues):
        for queue in queues:
            if queue and len(chosen) < sample:
                chosen.append(queue.pop())
    return [rows[place] for place in sorted(chosen)]


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
    turns = [{"role": turn.role, "content": turn.content} for turn in answer.history or ()]
    return {
        "packet": name,
        **({"case": answer.case.model_dump(mode="json", exclude_defaults=True)} if answer.case else {}),
        **({"history": turns} if turns else {}),
        "question": answer.question,
        "answer": answer.answer,
        "passages": passages,
        "conflict": _conflict(answer),
    }


def _checked(to: Path, reviewers: Sequence[str], labels: int, snippets: Sequence[str]) -> None:
    try:
        there = any(to.iterdir()) if to.exists() else False
    except OSError as error:
        raise ConfigError(f"{to}: cannot be written: {error.strerror}") from error
    if there:
        hint = "" if (to / REVIEW).exists() else ", or delete what an interrupted `make` left in it"
        raise ConfigError(f"{to}: holds other files; name a new folder{hint}")
    for name in reviewers:
        if not (name.isascii() and name.replace("-", "").replace("_", "").isalnum()) or name == ADJUDICATOR:
            raise ConfigError(
                f"--reviewers {one_line(name, 40)}: a name has letters, digits, - and _, and is not {ADJUDICATOR}"
            )
    if len(set(reviewers)) < len(reviewers):
        raise ConfigError("--reviewers: duplicate name")
    if not 1 <= labels <= len(reviewers):
        named = counted(len(reviewers), "reviewer")
        raise ConfigError(
            f"--labels {labels}: each answer goes to so many different reviewers, and --reviewers names {named};"
            f" name more, or give --labels {len(reviewers)}"
        )
    for name in snippets:
        if name not in reviewers:
            raise ConfigError(f"--snippets {one_line(name, 40)}: is no reviewer")


def _check_axes(plan: ReviewPlan) -> None:
    for axis in plan.axes:
        if axis not in CASE_AXES:
            known = ", ".join(CASE_AXES)
            raise ConfigError(f"--axes {one_line(axis, 40)}: must be one of {known}; all other axes are always asked")
    blind = [name for name in plan.reviewers if name not in plan.snippets]
    if "identifier_integrity" in plan.axes and blind:
        raise ConfigError(
            f"--axes identifier_integrity: {', '.join(blind)} would not see the texts of passages to compare with;"
            f" give --snippets {','.join(plan.reviewers)}"
        )


def _answers(run: Path) -> Iterator[tuple[Path, Answer]]:
    finished(run, ANSWERS)
    for row in read_table(run / ANSWERS, ("record",)):
        yield run, Answer.model_validate_json(row["record"])


def _conflict(answer: Answer) -> bool:
    if answer.gold is None:
        return False
    labelled = any(each.label == "conflicting" for each in answer.gold.passages)
    return labelled or any("conflict" in flag for flag in answer.gold.safety_flags)
