"""How many wrong answers over policies are flagged, how many right ones, and how composite ranks them.

    python benchmarks/policies.py
    python benchmarks/policies.py --show right      also right answers that are flagged, of what may be read

Each line of ``policies/*.jsonl`` holds passages with answers to questions over them, and says of each answer whether it
is right. Authors wrote them who knew neither rules nor figures: pairs that differ in one thing, of fourteen or fifteen
kinds, and answers in the words of assistants. ``read.jsonl`` and ``read_again.jsonl`` may be read to extend rules.
``kept.jsonl`` and ``kept_again.jsonl`` are measured and read by nobody: what has been read no longer tells how texts of
others are judged. The second pair is by another author than the first. ``read_third.jsonl`` and
``kept_third.jsonl`` hold 153 policies as customers have them, with rewordings of many styles; who wrote them has
changed rules since. ``kept_long.jsonl`` holds answers of two to six sentences or lists over three to five passages, as
assistants write them; each wrong one has a single mistake, in the sentence ``mistake``, and nobody has read them.

``conflicts_read.jsonl`` and ``conflicts_kept.jsonl`` hold passages of which two contradict each other about a question,
and such as do not though they share words: other groups, products, places and times, exceptions, other words for one
thing. Two more authors wrote them, of whom none knew a rule.

An answer is flagged if the label of ``faithfulness`` is not "supported", or that of ``contradiction_absence`` is
"contradicted". Intervals are Wilson's at 95 %, answers to the same passages taken as independent.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measuring import Rows, auroc

from adapters.schema import Answer, Passage
from scorers import default_panel, run_panel
from scorers.base import Env
from scorers.composite.composite import Composite

HALVES = {
    "read": "half that may be read",
    "kept": "half kept aside",
    "read_again": "third author, half that may be read",
    "kept_again": "third author, half kept aside",
    "read_third": "everyday policies, half that may be read",
    "kept_third": "everyday policies, half kept aside",
    "kept_long": "long answers, kept aside",
}
CONFLICTS = {"conflicts_read": "conflicts, half that may be read", "conflicts_kept": "conflicts, kept aside"}
FOLDER = Path(__file__).with_name("policies")
NOW = datetime(2026, 11, 1, tzinfo=UTC)
CERTAIN = 1.96


class Judged(NamedTuple):
    """An answer with what was said of it."""

    kind: str
    right: bool
    flagged: bool
    composite: float | None
    text: str


def judged(half: str) -> Iterator[Judged]:
    """Yield the answers of a half, scored by the default panel."""
    panel, env = default_panel(), Env(now=NOW)
    for line in (FOLDER / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
        found: dict[str, Any] = json.loads(line)
        passages = tuple(Passage(id=f"p{at}", text=text) for at, text in enumerate(found["passages"]))
        for row in found["answers"]:
            answer = Answer(id=row["id"], question=row["question"], answer=row["answer"], passages=passages)
            scores = {score.metric: score for score in run_panel(panel, answer, env).scores}
            faithful, opposed = scores.get("faithfulness"), scores.get("contradiction_absence")
            flagged = faithful is not None and faithful.label != "supported"
            flagged = flagged or (opposed is not None and opposed.label == "contradicted")
            composite = scores.get(Composite.metric.name)
            why = next((each.detail for score in (faithful, opposed) if score for each in score.evidence), "")
            text = f"{row['id']}\n  {row['question']}\n  {row['answer']}\n  {why}"
            yield Judged(row["kind"], row["right"], flagged, None if composite is None else composite.value, text)


def conflicting(half: str) -> Iterator[Judged]:
    """Yield the passages of a half as `Judged`: ``right`` where none contradict, flagged where a conflict is called."""
    panel, env = default_panel(), Env(now=NOW)
    for line in (FOLDER / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        passages = tuple(Passage(id=f"p{at}", text=text) for at, text in enumerate(row["passages"]))
        answer = Answer(id=row["id"], question=row["question"], answer="See the policies.", passages=passages)
        scores = {score.metric: score for score in run_panel(panel, answer, env).scores}
        found = scores.get("source_conflict")
        text = "\n  ".join((row["id"], row["question"], *row["passages"]))
        value = None if found is None else 1 - found.value
        yield Judged(row["kind"], not row["conflict"], found is not None and found.label == "conflict", value, text)


def interval(found: int, of: int) -> tuple[float, float]:
    """Return Wilson's interval of a share (Wilson 1927)."""
    share, spread = found / of, CERTAIN**2 / of
    middle = (share + spread / 2) / (1 + spread)
    half = CERTAIN * (share * (1 - share) / of + spread / (4 * of)) ** 0.5 / (1 + spread)
    return middle - half, middle + half


def told(rows: list[Judged]) -> str:
    """Return the share of rows that are flagged, for a table."""
    if not rows:
        return f"{'':29}"
    found = sum(row.flagged for row in rows)
    low, high = interval(found, len(rows))
    return f"{found:4} of {len(rows):3}  {found / len(rows):.2f} [{low:.2f}, {high:.2f}]"


def ranked(rows: list[Judged]) -> Rows:
    """Return the answers that have a composite, the lowest as the most suspect."""
    given = [(row, row.composite) for row in rows if row.composite is not None]
    return Rows(
        score=np.array([-composite for _, composite in given]),
        flagged=np.array([row.flagged for row, _ in given]),
        positive=np.array([not row.right for row, _ in given]),
        group=tuple(range(len(given))),
        kind=tuple(row.kind for row, _ in given),
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--show", choices=("right", "wrong"), help="what is judged wrongly of these, of the halves to read"
    )
    given = parser.parse_args()
    for half, name in HALVES.items():
        rows = list(judged(half))
        print(f"{name}\n{'':16}{'wrong, flagged':33}right, flagged")
        show(rows, given.show if half.startswith("read") else None)
        print(f"composite, wrong against right: AUROC {auroc(ranked(rows)):.2f}\n")
    for half, name in CONFLICTS.items():
        rows = list(conflicting(half))
        print(f"{name}\n{'':26}{'in conflict, called':33}no conflict, called one")
        show(rows, given.show if half.endswith("read") else None)
        print(f"probability, in conflict against others: AUROC {auroc(ranked(rows)):.2f}\n")


def show(rows: list[Judged], side: str | None) -> None:
    """Print the shares by kind, and of one side what is judged wrongly."""
    by_kind: dict[str, list[Judged]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    width = max(map(len, by_kind)) + 1
    for kind, those in [*sorted(by_kind.items()), ("all", rows)]:
        print(f"{kind:{width}}{told([r for r in those if not r.right]):33}{told([r for r in those if r.right])}")
    for row in rows if side else ():
        if row.right == (side == "right") and row.flagged == row.right:
            print(row.text)


if __name__ == "__main__":
    main()
