"""What the store promises. It is the queue between the steps: each reads what is pending and writes its result at once.

Every writing method is one transaction (`prune` is several), durable when it returns, and safe to repeat with the same
arguments; what cannot be written now but may be later (a full disk, a locked database) raises
`collector.errors.Transient` and changes nothing. All instants are Unix nanoseconds (``int``); the store has no clock of
its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from adapters.schema import Answer, Arm
from collector.store.history import History
from collector.store.pace import Pace
from scorers.base import Evaluation

TraceOutcome = Literal["answer", "not_an_answer", "malformed"]
STAGES = ("close", "adapt", "score", "judge")


@dataclass(frozen=True, slots=True)
class Chunk:
    """The spans of one trace in one request, as they came: serialized ``TracesData``.

    ``has_root`` says whether a span without parent that has ended is among them.
    """

    trace_id: bytes
    arrived: int
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
    arrived: int
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
class Adapted:
    """The result of adapting one due trace; ``answers`` is empty unless ``outcome`` is ``answer``."""

    trace_id: bytes
    upto_seq: int
    revision: int
    n_spans: int
    n_duplicates: int
    outcome: TraceOutcome
    at: int
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
    at: int
    scored_at: int
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


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict change, or a verification, whose verdict stays what it was.

    The store chains rows: ``hash`` covers the row and the ``previous_hash`` before it.

    ``slice`` is ``{}`` for the gate as a whole; ``verdict`` is the verdict as JSON, ``record`` the
    `gates.decisions.record.DecisionRecord` that explains it, as JSON; rows of before there were records have none.
    """

    at: int
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
    at: int
    chunks: Sequence[Chunk] = ()
    answers: Sequence[StoredAnswer] = ()
    malformed: Sequence[UnreadRecord] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """Work waiting at one stage; ``oldest`` is when the oldest of it came, ``None`` if there is none."""

    count: int
    oldest: int | None


@dataclass(frozen=True, slots=True)
class Backlog:
    """What gates have still to be told: answers that wait to be scored, and closed traces that wait to be adapted.

    ``arrived`` is when the oldest of it began to arrive, ``due`` when the first of it could have been taken on, its
    trace having closed. Both are ``None`` if gates lack nothing.
    """

    count: int
    arrived: int | None
    due: int | None


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer with the newest evaluation of this revision, for people and APIs.

    ``arrived`` is when its trace began to arrive; ``seq`` orders answers as they were first stored.
    """

    stored: StoredAnswer
    arrived: int
    evaluation: Evaluation | None = None
    scored_at: int | None = None
    seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFilter:
    """Which answers are wanted: in slices that agree on every dimension named, with a value of ``metric``.

    ``low`` and ``high`` bound that value, ends included; without ``metric`` they mean nothing.
    """

    slice: Mapping[str, str] = field(default_factory=dict)
    metric: str | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Numbers of answers, newest first, and the number ``before`` which to go on; ``None``: there are no more.

    A filter that few answers match is followed so far and no further at once: then there are few of them, or none, and
    yet a ``before``.
    """

    seqs: tuple[int, ...]
    before: int | None


def never() -> bool:
    """Say no, to whoever asks whether it is enough."""
    return False


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


class Store(History, Protocol):
    """Durable state of the agent."""

    def append(self, chunks: Sequence[Chunk]) -> None:
        """Append raw chunks; on return they are on disk."""
        ...

    def append_pulled(self, pulled: Pulled) -> frozenset[str]:
        """Append what a source brought and move its cursor, all or nothing; return the ids of answers that are new.

        Chunks are treated as by `append`, answers as by `record_adapted`: replaced only by the same or a higher
        revision. Records that could not be read are kept for inspection, newest thousand.
        """
        ...

    def cursor(self, name: str) -> bytes | None:
        """Return the cursor as saved last under ``name``."""
        ...

    def set_cursor(self, name: str, state: bytes, *, at: int) -> None:
        """Save a cursor that moves without bringing anything."""
        ...

    def due(
        self, *, now: int, idle: int, timeout: int, limit: int, limit_bytes: int, without: Collection[bytes] = ()
    ) -> list[DueTrace]:
        """Return closed traces with chunks not adapted yet, longest waiting first, but for those ``without``.

        Closed: its root has ended and nothing came for ``idle`` ns, or nothing came for ``timeout`` ns, or its oldest
        waiting chunk is older than ten time-outs: some traces never fall silent; or something came later than now by a
        time-out, while the clock was ahead. It is not ``complete`` unless its root
        has ended. At most ``limit`` traces and about ``limit_bytes`` of chunks. Of a trace beyond 16 MiB only the first
        chunks are given, and it is not ``complete``.
        """
        ...

    def record_adapted(self, results: Sequence[Adapted]) -> None:
        """Mark traces adapted up to ``upto_seq``, and insert or replace their answers.

        An answer is replaced only by one of the same or a higher revision; a replaced sampled answer is pending for
        scoring again, an identical one is left alone. Its place in or out of the sample was decided when it was first
        stored and stays. Malformed traces are kept for inspection with their reason,
        newest thousand. A result older than what is recorded changes nothing. When earlier chunks of the trace were
        pruned, its late spans are booked but its answers stay: the part must not replace the whole. Raises
        `ValueError` for a trace or a ``upto_seq`` the store does not know, one twice in a batch, and impossible counts.
        """
        ...

    def pending_answers(self, *, limit: int, without: Collection[str] = ()) -> list[StoredAnswer]:
        """Return sampled answers whose newest revision is not evaluated, longest waiting first.

        Those with an id in ``without`` are left out.
        """
        ...

    def record_evaluations(self, evaluations: Sequence[StoredEvaluation]) -> int:
        """Append evaluations and take their answers off the pending list; return how many are not the first."""
        ...

    def evaluations_after(self, seq: int, *, limit: int) -> list[StoredEvaluation]:
        """Return evaluations with a higher ``seq``, in order."""
        ...

    def newest_evaluation(self) -> int:
        """Return the highest ``seq`` an evaluation ever had; 0 before the first. Below it no number is left out."""
        ...

    def evaluations_waiting(self, seq: int) -> Pending:
        """Return how many evaluations have a higher ``seq``, and when the first of them was scored."""
        ...

    def load_checkpoint(self, name: str) -> tuple[int, bytes] | None:
        """Return ``(seq, state)`` as saved last under ``name``."""
        ...

    def save_checkpoint(self, name: str, seq: int, state: bytes, decisions: Sequence[Decision] = ()) -> None:
        """Save a state that has folded evaluations up to ``seq``; append the decisions it led to, in one transaction.

        A decision equal to the newest one of its (gate, slice) is not appended again.
        """
        ...

    def decisions(
        self,
        *,
        gate: str | None = None,
        after: int = 0,
        before: int | None = None,
        newest_first: bool = False,
        limit: int = 100,
    ) -> list[Decision]:
        """Return decisions with a ``seq`` above ``after`` and below ``before``, in order or newest first."""
        ...

    def decision(self, seq: int) -> Decision | None:
        """Return one decision by its number."""
        ...

    def last_decisions(self) -> list[Decision]:
        """Return the newest verdict change of every (gate, slice)."""
        ...

    def find_answers(
        self,
        wanted: AnswerFilter,
        *,
        limit: int,
        before: int | None = None,
        enough: Callable[[], bool] = never,
    ) -> Found:
        """Return which answers are wanted, newest first, below ``before``; as far as could be looked at in one go.

        That is a bounded number of answers, and less when ``enough`` says so, which is asked now and then.
        """
        ...

    def answers(self, seqs: Sequence[int]) -> list[AnswerRow]:
        """Return answers by number, newest first; those unknown are left out."""
        ...

    def answers_after(self, seq: int, *, limit: int) -> list[tuple[int, Answer]]:
        """Return answers with a higher ``seq``, and that, in the order in which they were first stored."""
        ...

    def answer(self, answer_id: str) -> AnswerRow | None:
        """Return one answer by id."""
        ...

    def answers_by_id(self, ids: Sequence[str]) -> Mapping[str, StoredAnswer]:
        """Return answers by id; those unknown are left out."""
        ...

    def malformed(self, *, limit: int = 100) -> Iterator[tuple[bytes, int, str]]:
        """Yield ``(trace_id, at, reason)`` of traces that could not be read, newest first."""
        ...

    def malformed_records(self, source: str, *, limit: int = 100) -> list[tuple[int, UnreadRecord]]:
        """Return what could not be read of a source and when that was, newest first."""
        ...

    def pending(self) -> Mapping[str, Pending]:
        """Return what waits at each of `STAGES`.

        Closed traces are not told apart from open ones here: all count under ``close``, none under ``adapt``.
        ``judge`` counts evaluations above the highest checkpoint; none wait where no checkpoint has folded any (there
        is no gate).
        """
        ...

    def backlog(self, *, now: int, idle: int, timeout: int) -> Backlog:
        """Return what gates lack at ``now``; traces close as `due` says, and open ones do not count.

        Answers drawn late and later revisions of answers that are scored are in ``count`` alone: no gate folds them.
        """
        ...

    def totals(self) -> Totals:
        """Return the books over everything ever accepted."""
        ...

    def prune(
        self, *, chunks_before: int, answers_before: int, limit: int, pace: Pace | None = None
    ) -> Mapping[str, int]:
        """Remove adapted chunks and answers (with their evaluations) that came before; return rows removed by table.

        Nothing that waits at a stage is removed. About ``limit`` rows of each table go, in transactions so short, with
        a rest after each, that appends are not held up: ``pace`` says how short. Call again while anything was removed.
        """
        ...

    def asked(self, over: Callable[[], bool]) -> Store:
        """Return this store as those read it who ask from outside: never at the cost of the pipeline.

        It reads over connections of its own, few of them; where all are taken, and when ``over`` says so while it
        reads, it raises `collector.errors.Transient`. Closing this store closes it too.
        """
        ...

    def size(self) -> int:
        """Return the bytes the store takes on disk."""
        ...

    def close(self) -> None:
        """Release everything; further calls fail."""
        ...
