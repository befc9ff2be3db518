"""What is said of one answer: an item for each metric that has a value, and one for each gate's verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from adapters.schema import Answer
from collector.clock import nanoseconds
from collector.store.rows import StoredEvaluation
from collector.writeback.base import WriteBackItem
from gates.base.verdict import Verdict
from scorers.base import Metric, Score

TRACE_ID, SPAN_ID = re.compile(r"(?!0{32})[0-9a-f]{32}"), re.compile(r"(?!0{16})[0-9a-f]{16}")
"""All zeros stands for none."""
EXPLANATION_CHARACTERS = 500
EVIDENCE_SHOWN = 3
MAX_ID_CHARACTERS = 200
VERDICT_PREFIX = "gate:"


class VerdictReader(Protocol):
    """Where the newest verdicts are read."""

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Return the newest verdict by gate; empty before the first."""
        ...

    @property
    def fresh(self) -> bool:
        """Whether the verdicts are of now."""
        ...


@dataclass(frozen=True, kw_only=True)
class ItemBuilder:
    """What of an evaluation is said: ``metrics`` by name, and the verdicts of ``gates``.

    The verdict is the gate's present one. What was written of an answer before is not taken back when it changes.
    """

    metrics: Mapping[str, Metric]
    gates: Sequence[str]
    judge: VerdictReader

    def items(self, row: StoredEvaluation, answer: Answer) -> list[WriteBackItem]:
        """Return the items of an evaluation of ``answer``, which has a `place`."""
        # Freshness first: read the other way round, an old verdict could pass as fresh when a new one just came.
        fresh, verdicts = self.judge.fresh, self.judge.verdicts
        scores = [
            _score_item(row, answer, score, self.metrics[score.metric])
            for score in row.evaluation.scores
            if score.metric in self.metrics
        ]
        return scores + [_verdict_item(row, answer, name, verdicts.get(name) if fresh else None) for name in self.gates]

    def count(self, row: StoredEvaluation) -> int:
        """Return how many items an evaluation has, written or not."""
        return sum(score.metric in self.metrics for score in row.evaluation.scores) + len(self.gates)


def place(answer: Answer) -> bool:
    """Whether an answer can be found again where its trace is: it names its trace and root span by OpenTelemetry ids.

    >>> place(Answer(id="a", trace_id="0af7651916cd43dd8448eb211c80319c", span_id="00f067aa0ba902b7"))
    True
    >>> place(Answer(id="a", question="from a file"))
    False
    """
    return bool(TRACE_ID.fullmatch(answer.trace_id or "") and SPAN_ID.fullmatch(answer.span_id or ""))


def _score_item(row: StoredEvaluation, answer: Answer, score: Score, metric: Metric) -> WriteBackItem:
    metadata: dict[str, str | int | float] = {"metric_version": metric.version, "better": metric.better}
    if score.basis is not None:
        metadata["basis"] = score.basis
    return _item(row, answer, score.metric, score.value, score.label, _explained(score), metadata)


def _verdict_item(row: StoredEvaluation, answer: Answer, gate: str, verdict: Verdict | None) -> WriteBackItem:
    name = VERDICT_PREFIX + gate
    if verdict is None:
        return _item(row, answer, name, None, "inconclusive", "the gate has no current verdict", {})
    metadata: dict[str, str | int | float] = {"policy_version": verdict.policy_version}
    # The narrowest part that the answer is in: a gate that does not split traffic has one part, all of it.
    parts = [part for part in verdict.slices if part.slice.items() <= row.slice.items()]
    if not parts:
        return _item(row, answer, name, None, "inconclusive", "the gate has no verdict on this slice", metadata)
    part = max(parts, key=lambda part: len(part.slice))
    metadata["answers"] = part.n
    if part.slice:
        metadata["slice"] = ", ".join(f"{dimension}={value}" for dimension, value in part.slice.items())
    return _item(row, answer, name, None, part.state, part.reason, metadata)


def _item(
    row: StoredEvaluation,
    answer: Answer,
    name: str,
    value: float | None,
    label: str | None,
    explanation: str | None,
    metadata: Mapping[str, str | int | float],
) -> WriteBackItem:
    return WriteBackItem(
        answer_id=_short(answer.id),
        revision=answer.revision,
        trace_id=answer.trace_id or "",
        span_id=answer.span_id or "",
        environment=answer.environment,
        name=name,
        # A client's clock may run ahead of everybody's.
        started_at=row.at if answer.started_at is None else min(nanoseconds(answer.started_at), row.scored_at),
        scored_at=row.scored_at,
        value=value,
        label=_shown(label) if label is not None else None,
        explanation=_shown(explanation) if explanation else None,
        metadata={key: _shown(value) if isinstance(value, str) else value for key, value in metadata.items()},
    )


def _explained(score: Score) -> str:
    """Return the explanation of a score, and the first pieces of what it rests on."""
    details = [evidence.detail for evidence in score.evidence[:EVIDENCE_SHOWN]]
    more = len(score.evidence) - len(details)
    parts = [score.explanation or "", *details, f"and {more} more" if more else ""]
    return "; ".join(part for part in parts if part)


def _short(answer_id: str) -> str:
    """Return an id that is not too long to be sent with every item, and still nobody else's."""
    if len(answer_id) <= MAX_ID_CHARACTERS:
        return _shown(answer_id)
    return _shown(answer_id, MAX_ID_CHARACTERS // 2) + "~" + blake2b(answer_id.encode(), digest_size=16).hexdigest()


def _shown(text: str, characters: int = EXPLANATION_CHARACTERS) -> str:
    """Return text that every encoding can carry, cut to a length."""
    return text[:characters].encode("utf-8", "replace").decode()
