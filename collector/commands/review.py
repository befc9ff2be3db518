"""`groundwire review`: answers as packets for reviewers, and their labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from collector.commands.objects import object_line
from collector.commands.review_closing import when
from collector.reviews.folder import ADJUDICATOR, ReviewFolder
from collector.reviews.making import ReviewPlan, write_review
from collector.security.text import one_line
from evaluation.reviewing.labels import CASE_AXES, CATEGORIES, RUBRICS
from gates.verdicts.summary import counted

FINE = 0


def make_review(runs: Sequence[Path], to: Path, plan: ReviewPlan, *, as_json: bool, out: TextIO) -> int:
    """Write the packets of finished runs for reviewers; return 0. Raises `ConfigError` for what cannot be reviewed."""
    answers = write_review(runs, to, plan)
    if as_json:
        told = {"review": str(to), "answers": answers, "labels_each": plan.labels, "reviewers": list(plan.reviewers)}
        out.write(object_line(told))
        return FINE
    named = counted(len(plan.reviewers), "reviewer")
    out.write(f"{to}: {counted(answers, 'answer')}, {counted(plan.labels, 'label')} each, for {named}\n")
    return FINE


def next_packet(folder: Path, reviewer: str, *, now: datetime, as_json: bool, out: TextIO) -> int:
    """Print the first packet of a reviewer that has no label, and log that it was shown; return 0."""
    review = ReviewFolder.opened(folder)
    waiting = review.waiting(reviewer)
    labelled = review.progress(reviewer).labelled
    packet = waiting[0] if waiting else None
    if packet is not None:
        review.note(reviewer, packet["packet"], "shown", now=now)
    if as_json:
        told = {"labelled": labelled, "waiting": len(waiting)}
        out.write(object_line({**({"packet": None} if packet is None else packet), **told, "axes": review.axes}))
    elif packet is None:
        every = f"all {counted(len(review.queue(reviewer)), 'packet')} labelled"
        out.write("nothing to adjudicate\n" if reviewer == ADJUDICATOR else f"{every}\n")
    else:
        out.writelines(_closed_lines(review, packet["packet"]))
        out.write(f"packet {packet['packet']} ({labelled + 1:,} of {labelled + len(waiting):,})\n")
        out.writelines(_packet_lines(packet, review.axes))
    return FINE


def label_packet(
    folder: Path,
    reviewer: str,
    packet: str,
    given: Mapping[str, Any],
    *,
    now: datetime,
    as_json: bool,
    out: TextIO,
) -> int:
    """Take a reviewer's label of a packet; return 0. Raises `ConfigError` naming the field that is wrong."""
    review = ReviewFolder.opened(folder)
    label = review.label(reviewer, packet, given, now=now)
    if as_json:
        closing = review.closing(review.key()[packet]["run"])
        told = label.model_dump(mode="json", exclude=CASE_AXES.keys() - review.axes.keys())
        closed = None if closing is None else closing.at.isoformat()
        out.write(object_line({"packet": packet, "reviewer": reviewer, "label": told, "closed_at": closed}))
        return FINE
    out.write(f"packet {packet}: labelled {label.acceptability}, {label.grounding}\n")
    out.writelines(_closed_lines(review, packet))
    return FINE


def _closed_lines(review: ReviewFolder, packet: str) -> Iterator[str]:
    """Yield what becomes of a label that is given after a review was closed."""
    closing = review.closing(review.key()[packet]["run"])
    if closing is not None:
        yield f"this review was closed on {when(closing.at)}: labels given since count once it is closed again\n"


def _packet_lines(packet: Mapping[str, Any], axes: Mapping[str, Sequence[str]]) -> Iterator[str]:
    if packet["conflict"]:
        yield "conflict: sources are known to disagree; an acceptable answer needs a rationale\n"
    for name, told in packet.get("case", {}).items():
        said = told if isinstance(told, str) else "; ".join(told)
        yield f"case, {name.replace('_', ' ')}: {one_line(said, 4_000)}\n"
    for turn in packet.get("history", ()):
        yield f"earlier, {one_line(turn['role'], 40)}: {one_line(turn['content'], 4_000)}\n"
    yield from (f"{name}: {one_line(packet[name] or '', 20_000)}\n" for name in ("question", "answer"))
    for each in packet["passages"]:
        since = " ".join(filter(None, (each["effective_from"] and f"from {each['effective_from']}",
                                       each["effective_to"] and f"to {each['effective_to']}")))  # fmt: skip
        facts = ", ".join(filter(None, (each["cited"] and "cited", each["role"], since, each["gold_label"])))
        snippet = one_line(each["snippet"], 4_000)
        yield f"passage {each['passage']}{f' ({one_line(facts)})' if facts else ''}: {snippet}\n"
    for number, label in enumerate(packet.get("labels", ()), 1):
        said = ", ".join(str(label[name]) for name in (*axes, "primary") if label[name])
        yield f"label {number}: {said}; {one_line(label['rationale'], 4_000) or 'no rationale'}\n"
    yield "\n"
    for axis, levels in axes.items():
        yield f"{axis}: {' | '.join(levels)}\n"
        yield from (f"  {level}: {means}\n" for level, means in RUBRICS.get(axis, {}).items())
    yield f"primary, secondary: {' | '.join(CATEGORIES)}\n"
