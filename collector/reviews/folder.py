"""The folder of a review: what each reviewer is to label, what they have said, and who was shown what.

``packets/`` has a file for each reviewer, which holds nothing of systems and scores. ``key.jsonl`` says what each
packet is, for the lead alone. ``labels/`` and ``drafts/`` have what reviewers said; ``access.jsonl`` is a log of who
saw and labelled what, chained by hashes. Commands and the workbench read and write it through this module.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any, Literal, NamedTuple, Self

import orjson

from collector.errors import ConfigError
from collector.reviews.lines import ReviewRow, alone, append, last, put, rows
from collector.security.text import one_line
from evaluation.reviewing.adjudication import settled
from evaluation.reviewing.labels import AXES, CASE_AXES, ReviewLabel
from gates.verdicts.summary import counted

REVIEW, KEY, ACCESS, LINKS = "review.json", "key.jsonl", "access.jsonl", "links.json"
PACKETS, LABELS, DRAFTS = "packets", "labels", "drafts"
ADJUDICATOR = "adjudicator"
FIRST = "0" * 64
"""What stands for the hash before the first row."""

AccessAction = Literal["opened", "shown", "labelled", "closed"]


class PacketError(ConfigError):
    """A packet that a reviewer has none of, or has labelled; the message names it."""


class GivenLabel(NamedTuple):
    """A label of a packet, when it was given, and in how many seconds; ``None`` where nobody measured that."""

    label: ReviewLabel
    at: str
    seconds: float | None


class ReviewProgress(NamedTuple):
    """How far a reviewer is. ``pace`` is the median of their seconds for a label, if enough were measured."""

    labelled: int
    left: int
    pace: float | None


class ReviewClosing(NamedTuple):
    """When a review was last closed, and how many labels came after that: gold labels lack these."""

    at: datetime
    since: int


@dataclass
class ReviewFolder:
    """A review that was made; ``told`` is what it was made with."""

    path: Path
    told: Mapping[str, Any]
    _queues: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def opened(cls, path: Path) -> Self:
        """Return the review in a folder. Raises `ConfigError` where there is none."""
        found = rows(path / REVIEW) if (path / REVIEW).is_file() else []
        if not found or "reviewers" not in found[0]:
            raise ConfigError(f"{path}: is no review; make one with: groundwire review make")
        return cls(path, found[0])

    @property
    def reviewers(self) -> Sequence[str]:
        """The names of its reviewers."""
        return [str(name) for name in self.told["reviewers"]]

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """What it asks about, with the levels of each axis, the best first."""
        return {**AXES, **{axis: levels for axis, levels in CASE_AXES.items() if axis in self.told.get("axes", ())}}

    def key(self) -> dict[str, dict[str, Any]]:
        """Return what each packet is: run and answer."""
        return {row["packet"]: row for row in rows(self.path / KEY)}

    def queue(self, reviewer: str) -> Sequence[Mapping[str, Any]]:
        """Return the packets of a reviewer in their order; an adjudicator has all, with texts that somebody may see.

        Raises `ConfigError` for a name that is none of a reviewer.
        """
        if reviewer != ADJUDICATOR and reviewer not in self.reviewers:
            raise ConfigError(f"--reviewer {one_line(reviewer, 40)}: is no reviewer of {self.path}")
        if reviewer not in self._queues:
            self._queues[reviewer] = self._all() if reviewer == ADJUDICATOR else self._packets(reviewer)
        return self._queues[reviewer]

    def labels(self, reviewer: str) -> dict[str, GivenLabel]:
        """Return the labels of a reviewer by packet."""
        path = self.path / LABELS / f"{reviewer}.jsonl"
        return {
            row["packet"]: GivenLabel(ReviewLabel.model_validate(row["label"]), row["at"], row.get("seconds"))
            for row in (rows(path) if path.exists() else ())
        }

    def all_labels(self) -> dict[str, dict[str, ReviewLabel]]:
        """Return the labels of all reviewers by packet and name, without those of the adjudicator."""
        given: dict[str, dict[str, ReviewLabel]] = {}
        for reviewer in self.reviewers:
            for packet, one in self.labels(reviewer).items():
                given.setdefault(packet, {})[reviewer] = one.label
        return given

    def waiting(self, reviewer: str) -> list[Mapping[str, Any]]:
        """Return the packets that a reviewer has yet to label, in their order.

        An adjudicator has those that all their reviewers labelled and no majority settles, each with these labels and
        without names.
        """
        labelled = self.labels(reviewer)
        left = [packet for packet in self.queue(reviewer) if packet["packet"] not in labelled]
        if reviewer != ADJUDICATOR:
            return left
        given = {name: list(labels.values()) for name, labels in self.all_labels().items()}
        return [
            {**packet, "labels": [label.model_dump(mode="json") for label in labels]}
            for packet in left
            if len(labels := given.get(packet["packet"], [])) >= self.told["labels"] and settled(labels).senior
        ]

    def progress(self, reviewer: str) -> ReviewProgress:
        """Return how far a reviewer is."""
        labels = self.labels(reviewer).values()
        measured = [one.seconds for one in labels if one.seconds is not None]
        left = len(self.waiting(reviewer))
        return ReviewProgress(len(labels), left, median(measured) if len(measured) >= 3 else None)  # noqa: PLR2004

    def label(
        self, reviewer: str, packet: str, given: Mapping[str, Any], *, now: datetime, seconds: float | None = None
    ) -> ReviewLabel:
        """Take a reviewer's label of a packet; when this returns, it is on the disk.

        Raises `PacketError` for a packet that is not to be labelled, and `ConfigError` that names the wrong field.
        """
        found = next((each for each in self.queue(reviewer) if each["packet"] == packet), None)
        if found is None:
            raise PacketError(f"packet {one_line(packet, 40)}: is none of {one_line(reviewer, 40)}'s")
        with alone(self.path / ACCESS):
            if packet in self.labels(reviewer):
                raise PacketError(f"packet {one_line(packet, 40)}: has a label of {one_line(reviewer, 40)} already")
            missing = self.told["labels"] - len(self.all_labels().get(packet, {})) if reviewer == ADJUDICATOR else 0
            if missing > 0:
                raise PacketError(
                    f"packet {one_line(packet, 40)}: waits for {counted(missing, 'label')} of its reviewers"
                )
            try:
                label = ReviewLabel.of(given, conflict=bool(found["conflict"]), asked=self.axes)
            except ValueError as error:
                raise ConfigError(f"packet {one_line(packet, 40)}: {one_line(str(error))}") from error
            # First the log: it may tell of a label that was not kept, and never misses one that was.
            self._note(reviewer, packet, "labelled", now)
            row = {
                "packet": packet,
                "reviewer": reviewer,
                "at": now.isoformat(),
                "label": label.model_dump(mode="json", exclude=CASE_AXES.keys() - self.axes.keys()),
            }
            append(self.path / LABELS / f"{reviewer}.jsonl", row if seconds is None else {**row, "seconds": seconds})
            (self.path / DRAFTS / f"{reviewer}.json").unlink(missing_ok=True)
        return label

    def draft(self, reviewer: str, packet: str) -> Mapping[str, Any]:
        """Return what a reviewer had chosen for a packet before it was labelled, and the seconds; else nothing."""
        path = self.path / DRAFTS / f"{reviewer}.json"
        found = rows(path) if path.exists() else []
        return found[0] if found and found[0]["packet"] == packet else {}

    def keep_draft(self, reviewer: str, draft: Mapping[str, Any]) -> None:
        """Keep what a reviewer has chosen so far for a packet. Raises `PacketError` for one that is not theirs now."""
        with alone(self.path / ACCESS):
            if draft["packet"] not in (each["packet"] for each in self.waiting(reviewer)):
                raise PacketError(f"packet {one_line(draft['packet'], 40)}: is not to be labelled now")
            (self.path / DRAFTS).mkdir(exist_ok=True)
            put(self.path / DRAFTS / f"{reviewer}.json", [draft])

    def note(self, reviewer: str, packet: str, action: AccessAction, *, now: datetime) -> None:
        """Write into the log of accesses that somebody did something."""
        with alone(self.path / ACCESS):
            self._note(reviewer, packet, action, now)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep labels waiting while something is done with all there are; `note` waits too, so call `note_closed`."""
        with alone(self.path / ACCESS):
            yield

    def note_closed(self, run: str | None, *, now: datetime) -> None:
        """Write into the log, while it is `held`, that gold labels were made, of one run or of all."""
        self._note(ADJUDICATOR, "", "closed", now, {} if run is None else {"run": run})

    def closing(self, run: str | None = None) -> ReviewClosing | None:
        """Return when it was last closed, for one run or as a whole, and what came since; ``None`` if it never was."""
        key = {} if run is None else self.key()
        at, since = None, set[tuple[str, str]]()
        for row in rows(self.path / ACCESS):
            if row["action"] == "closed" and row.get("run") in (None, run):
                at, since = row["at"], set()
            elif row["action"] == "labelled" and (run is None or key.get(row["packet"], {}).get("run") == run):
                since.add((row["reviewer"], row["packet"]))
        return None if at is None else ReviewClosing(datetime.fromisoformat(at), len(since))

    def check_log(self) -> None:
        """Check the log of accesses. Raises `ConfigError` with the line that was changed after it was written."""
        before = FIRST
        for number, row in enumerate(rows(self.path / ACCESS), 1):
            told = {name: value for name, value in row.items() if name not in ("before", "hash")}
            if row.get("before") != before or row.get("hash") != _hash(told, before):
                raise ConfigError(f"{self.path / ACCESS}: line {number}: was changed after it was written")
            before = row["hash"]

    def keys(self) -> Mapping[str, str]:
        """Return the secret of each reviewer's link, the same at each call; they are made at the first one."""
        path = self.path / LINKS
        with alone(self.path / ACCESS):
            found = dict(rows(path)[0]) if path.exists() else {}
            missing = [name for name in (*self.reviewers, ADJUDICATOR) if name not in found]
            if missing:
                found |= {name: secrets.token_urlsafe(24) for name in missing}
                put(path, [found])
        return found

    def _note(
        self, reviewer: str, packet: str, action: AccessAction, now: datetime, more: Mapping[str, str] | None = None
    ) -> None:
        told = {"at": now.isoformat(), "reviewer": reviewer, "packet": packet, "action": action, **(more or {})}
        newest = last(self.path / ACCESS)
        before = FIRST if newest is None else newest["hash"]
        append(self.path / ACCESS, {**told, "before": before, "hash": _hash(told, before)})

    def _packets(self, reviewer: str) -> list[dict[str, Any]]:
        return rows(self.path / PACKETS / f"{reviewer}.jsonl")

    def _all(self) -> list[dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for name in self.reviewers:
            for each in self._packets(name):
                if each["packet"] not in found or name in self.told["snippets"]:
                    found[each["packet"]] = each
        return list(found.values())


def _hash(row: ReviewRow, before: str) -> str:
    return hashlib.sha256(before.encode() + orjson.dumps(row, option=orjson.OPT_SORT_KEYS)).hexdigest()
