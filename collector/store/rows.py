"""The rows of the store, as every step hands them over. All instants are Unix nanoseconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from adapters.schema import Answer, Arm
from adapters.trace import Nanoseconds
from collector.store.outcomes import TraceOutcome
from gates.inputs.observations import Labeller
from scorers.base import Evaluation

STAGES = ("close", "adapt", "score", "judge")


@dataclass(frozen=True, slots=True)
class Chunk:
    """The spans of one trace in one request, as they came: serialized ``TracesData``.

    ``has_root`` says whether a span without parent that has ended is among them.
    """

    trace_id: bytes
    arrived: Nanoseconds
    n_spans: int
    has_root: bool
    data: bytes


@dataclass(frozen=True, slots=True)
class DueTrace:
    """A trace that closed and holds chunks not adapted yet; ``chunks`` are all of its chunks, in order of arrival.

    ``upto_seq`` is the last chunk included. ``adapted_spans`` is how many distinct spans the last adaptation saw
    (0: never adapted) and ``revision`` the revision the next adaptation carries if it sees more than that. ``arrived``
    is when its newest chunk came; ``answered`` whether an earlier adaptation gave an answer.
    """

    trace_id: bytes
    complete: bool
    revision: int
    upto_seq: int
    adapted_spans: int
    arrived: Nanoseconds
    chunks: tuple[bytes, ...]
    answered: bool = False

    @property
    def n_bytes(self) -> int:
        """The size of its chunks."""
        return sum(map(len, self.chunks))


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer with what sampling and slicing made of it. ``probability`` is the recorded inclusion probability.

    ``late``: it was outside the sample first, and drawn into it afterwards with that probability.
    """

    answer: Answer
    slice: Mapping[str, str]
    probability: float
    sampled: bool
    late: bool = False


@dataclass(frozen=True, slots=True)
class Adaptation:
    """The result of adapting one due trace; ``answers`` is empty unless ``outcome`` is ``answer``."""

    trace_id: bytes
    upto_seq: int
    revision: int
    n_spans: int
    n_duplicates: int
    outcome: TraceOutcome
    at: Nanoseconds
    answers: tuple[StoredAnswer, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class StoredEvaluation:
    """One run of the panel over one answer, as gates read it. ``seq`` orders rows; 0 before it is stored.

    ``at`` is the answer's own time, ``scored_at`` the panel's. ``versions`` say what served the answer and what scored
    it, ``arm`` and ``share`` which side of a split of traffic it was on; ``cluster`` is its conversation, ``document``
    the one it rests on. ``first`` is false for evaluations of later revisions of an answer that has one already;
    ``late`` is true for an answer that was drawn after it was stored: its slice was counted at its probability before,
    and would count twice. No gate folds either. The store sets ``seq`` and ``first``.
    """

    evaluation: Evaluation
    at: Nanoseconds
    scored_at: Nanoseconds
    slice: Mapping[str, str]
    probability: float
    cluster: str | None
    versions: Mapping[str, str]
    seq: int = 0
    first: bool = True
    late: bool = False
    arm: Arm | None = None
    share: float | None = None
    document: str | None = None


LabelOutcome = Literal["stored", "repeated", "conflicting", "unmatched"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLabel:
    """What somebody found the ``value`` of a metric on an answer to be, in the unit of the metric.

    ``probability`` is how likely the answer was to be labelled, once it was scored. ``at`` is when it was labelled,
    ``recorded_at`` when the agent learned of it. The store sets ``seq``, and the number of the evaluation it is of.
    """

    answer_id: str
    metric: str
    value: float
    probability: float
    labeller: Labeller
    at: Nanoseconds
    recorded_at: Nanoseconds
    seq: int = 0
    evaluation_seq: int = 0

    def says(self, other: AnswerLabel) -> bool:
        """Whether two labels of one answer and metric count as the same: by the same kind, in value and draw."""
        mine, theirs = ((each.value, each.probability, each.labeller) for each in (self, other))
        return mine == theirs


class LabelReceipt(NamedTuple):
    """What became of a label, with the label that stands, and why it was not taken if it matches no score."""

    outcome: LabelOutcome
    label: AnswerLabel
    reason: str = ""


ExternalOutcome = Literal["stored", "repeated", "conflicting", "waiting", "unmatched"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalRow:
    """The ``value`` that another evaluator gave an answer, of a metric ``external.NAME``.

    The answer is named by its id, by its trace and span, or by the ``response_id`` of a completion. ``evaluator``
    is name and version, empty where neither is known; ``source`` the way by which it came. ``probability`` is how
    likely the answer was to be evaluated. ``at`` is when it was, ``recorded_at`` when the agent learned of it. The
    store sets ``seq``.
    """

    metric: str
    value: float
    probability: float
    source: str
    at: Nanoseconds
    recorded_at: Nanoseconds
    answer_id: str = ""
    trace_id: str = ""
    span_id: str = ""
    response_id: str = ""
    label: str | None = None
    explanation: str | None = None
    evaluator: str = ""
    seq: int = 0

    def says(self, other: ExternalRow) -> bool:
        """Whether two scores of one answer and metric are the same: by the same evaluator, in value and label."""
        mine, theirs = ((each.value, each.label, each.evaluator) for each in (self, other))
        return mine == theirs


class ExternalReceipt(NamedTuple):
    """What became of a score, with the row that stands, why it was not taken, and the slice of its answer."""

    outcome: ExternalOutcome
    row: ExternalRow
    reason: str = ""
    slice: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict change, or a verification, whose verdict stays what it was.

    The store chains rows: ``hash`` covers the row and the ``previous_hash`` before it.

    ``slice`` is ``{}`` for the gate as a whole; ``verdict`` is the verdict as JSON, ``record`` the
    `gates.decisions.record.DecisionRecord` that explains it, as JSON; rows of before there were records have none.
    """

    at: Nanoseconds
    gate: str
    slice: Mapping[str, str]
    state: str
    previous_state: str | None
    verdict: str
    seq: int = 0
    previous_hash: str = ""
    hash: str = ""
    record: str | None = None


@dataclass(frozen=True, slots=True)
class UnreadRecord:
    """A record of a source that could not be read: why, and where it stands there (file and line, id, ...)."""

    reason: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Pulled:
    """What one fetch of a source brought at ``at``, and the cursor that leads on from there."""

    source: str
    cursor: bytes
    at: Nanoseconds
    chunks: Sequence[Chunk] = ()
    answers: Sequence[StoredAnswer] = ()
    malformed: Sequence[UnreadRecord] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """Work waiting at one stage; ``oldest`` is when the oldest of it came, ``None`` if there is none."""

    count: int
    oldest: Nanoseconds | None


@dataclass(frozen=True, slots=True)
class Backlog:
    """What gates have not seen yet: answers waiting to be scored, and closed traces waiting to be adapted.

    ``arrived`` is when the oldest of it began to arrive, ``due`` when the first of it could have been processed, its
    trace having closed. Both are ``None`` without a backlog.
    """

    count: int
    arrived: Nanoseconds | None
    due: Nanoseconds | None


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer with the newest evaluation of this revision, for people and APIs.

    ``arrived`` is when its trace began to arrive; ``seq`` orders answers as they were first stored. ``external`` are
    the scores of other evaluators.
    """

    stored: StoredAnswer
    arrived: Nanoseconds
    evaluation: Evaluation | None = None
    scored_at: Nanoseconds | None = None
    seq: int = 0
    external: tuple[ExternalRow, ...] = ()


AnswerOrder = Literal["newest", "lowest", "highest"]
"""Which answers come first: the newest, or those with the lowest or highest values of a metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFilter:
    """Which answers are wanted: in slices that agree on every dimension named, with a value of ``metric``.

    ``low`` and ``high`` bound that value, ends included, and ``label`` is that of its score; without ``metric`` they
    mean nothing. With ``order``, a page holds the answers with the lowest or the highest values of ``metric`` among all
    that were looked at for it, those first. ``versions`` are those of components that served the answer. ``text``
    stands in its question or its answer, whatever the case of its letters from A to Z.
    """

    slice: Mapping[str, str] = field(default_factory=dict)
    metric: str | None = None
    low: float | None = None
    high: float | None = None
    label: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    order: AnswerOrder = "newest"

    @property
    def indexed(self) -> bool:
        """Whether the index tells which answers these are: nothing of their scores or texts is looked into."""
        return self.metric is None and not self.versions and self.text is None


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """The numbers of the answers on a page, in its order, and the number ``before`` which the next page begins.

    ``before`` is ``None`` on the last page. A search is bounded: with a filter that few answers match, a page may hold
    few answers, or none, and still not be the last.
    """

    seqs: tuple[int, ...]
    before: int | None


@dataclass(frozen=True, slots=True)
class Totals:
    """The books of the store, in spans: every accepted span is in exactly one of the other columns.

    They cover everything ever accepted; pruning changes none of them. ``outcomes`` counts traces by `TraceOutcome`.
    ``records`` counts what sources brought beside spans, and ``records_by`` the same by what came of it: a new
    ``answer``, one known by its id (``repeated``), or ``malformed``.
    """

    accepted: int
    adapted: int
    not_an_answer: int
    malformed: int
    duplicate: int
    pending: int
    outcomes: Mapping[str, int] = field(default_factory=dict)
    records: int = 0
    records_by: Mapping[str, int] = field(default_factory=dict)


class ScoredRow(NamedTuple):
    """One value of one metric: of which answer, when, and in which slice."""

    answer_id: str
    at: Nanoseconds
    value: float
    slice: Mapping[str, str]


class JudgedRow(NamedTuple):
    """One value of one metric, with all that a change of it may be blamed on. Equal slices are one object."""

    seq: int
    answer_id: str
    at: Nanoseconds
    value: float
    probability: float
    cluster: str | None
    slice: Mapping[str, str]
    versions: Mapping[str, str]
