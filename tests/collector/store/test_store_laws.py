"""The laws of the store under any order of calls, with the database closed and opened again in between."""

import shutil
import tempfile

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from adapters.schema import Answer
from collector.store.log import verify
from collector.store.outcomes import TraceOutcome
from collector.store.rows import (
    Adaptation,
    Chunk,
    Decision,
    DueTrace,
    Pulled,
    StoredAnswer,
    StoredEvaluation,
    UnreadRecord,
)
from collector.store.sqlite import open_store
from scorers.base import Evaluation

TRACES = [bytes([n]) * 16 for n in range(1, 5)]
IDLE, TIMEOUT = 5, 60


class StoreMachine(RuleBasedStateMachine):
    """A model of what was put in, kept beside the store."""

    @initialize()
    def open(self) -> None:
        self.directory = tempfile.mkdtemp()
        self.store = open_store(self.directory)
        self.now = 1000
        self.accepted = 0
        self.arrivals = {}
        self.count = 0
        self.evaluations = []
        self.decided = 0
        self.records = 0
        self.lines: set[str] = set()
        self.cursors: dict[str, bytes] = {}

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            shutil.rmtree(self.directory)

    @rule(picks=st.lists(st.tuples(st.sampled_from(TRACES), st.integers(1, 5), st.booleans()), min_size=1, max_size=6))
    def append(self, picks: list[tuple[bytes, int, bool]]) -> None:
        self.store.append([Chunk(trace, self.now, n, root, b"%d" % n) for trace, n, root in picks])
        self.accepted += sum(n for _, n, _ in picks)
        for trace, _, _ in picks:
            self.count += 1
            self.arrivals[self.count] = (trace, self.now)

    @rule(
        source=st.sampled_from(["files", "phoenix"]),
        picks=st.lists(st.tuples(st.sampled_from(TRACES), st.integers(1, 5), st.booleans()), max_size=3),
        lines=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.booleans()), max_size=4),
        broken=st.integers(0, 2),
    )
    def pull(
        self, source: str, picks: list[tuple[bytes, int, bool]], lines: list[tuple[str, int, bool]], broken: int
    ) -> None:
        cursor = b"%d" % self.now
        fresh = self.store.append_pulled(
            Pulled(
                source,
                cursor,
                self.now,
                chunks=[Chunk(trace, self.now, n, root, b"%d" % n) for trace, n, root in picks],
                answers=[
                    StoredAnswer(Answer(id=name, revision=revision, question="q", answer="a"), {"s": "x"}, 1.0, sampled)
                    for name, revision, sampled in lines
                ],
                malformed=[UnreadRecord("no JSON", f"line {n}") for n in range(broken)],
            )
        )
        assert fresh == {name for name, _, _ in lines} - self.lines
        self.lines |= fresh
        self.records += len(lines) + broken
        self.accepted += sum(n for _, n, _ in picks)
        for trace, _, _ in picks:
            self.count += 1
            self.arrivals[self.count] = (trace, self.now)
        self.cursors[source] = cursor

    @rule(seconds=st.integers(0, 80))
    def wait(self, seconds: int) -> None:
        self.now += seconds

    @rule(
        outcome=st.sampled_from(["answer", "not_an_answer", "malformed"]),
        duplicates=st.integers(0, 3),
        sampled=st.booleans(),
        twice=st.booleans(),
        limit=st.integers(1, 4),
        limit_bytes=st.integers(0, 20),
        meanwhile=st.lists(st.sampled_from(TRACES), max_size=3),
    )
    def adapt(
        self,
        *,
        outcome: TraceOutcome,
        duplicates: int,
        sampled: bool,
        twice: bool,
        limit: int,
        limit_bytes: int,
        meanwhile: list[bytes],
    ) -> None:
        due = self.store.due(now=self.now, idle=IDLE, timeout=TIMEOUT, limit=limit, limit_bytes=limit_bytes)
        if meanwhile:
            self.append([(trace, 1, False) for trace in meanwhile])
        results = []
        for trace in due:
            self.arrivals = {
                seq: (of, at) for seq, (of, at) in self.arrivals.items() if of != trace.trace_id or seq > trace.upto_seq
            }
            spans = sum(int(chunk) for chunk in trace.chunks)
            copies = min(duplicates, spans - 1)
            answer = Answer(id=f"a-{trace.trace_id.hex()}", revision=trace.revision, question="q", answer="a")
            results.append(
                Adaptation(
                    trace_id=trace.trace_id,
                    upto_seq=trace.upto_seq,
                    revision=trace.revision,
                    n_spans=spans - copies,
                    n_duplicates=copies,
                    outcome=outcome,
                    at=self.now,
                    answers=(StoredAnswer(answer, {"s": "x"}, 0.5, sampled),) if outcome == "answer" else (),
                    reason="unreadable" if outcome == "malformed" else None,
                )
            )
        for _ in range(1 + twice):
            self.store.record_adapted(results)
        again = self.store.due(now=self.now, idle=IDLE, timeout=TIMEOUT, limit=100, limit_bytes=1 << 30)
        assert not {trace.trace_id for trace in due} & {trace.trace_id for trace in again}

    @rule(limit=st.integers(1, 3), twice=st.booleans())
    def score(self, *, limit: int, twice: bool) -> None:
        waiting = self.store.pending_answers(limit=limit)
        rows = [
            StoredEvaluation(
                evaluation=Evaluation(answer_id=stored.answer.id, revision=stored.answer.revision),
                at=self.now,
                scored_at=self.now,
                slice=stored.slice,
                probability=stored.probability,
                cluster=None,
                versions={},
            )
            for stored in waiting
        ]
        for _ in range(1 + twice):
            self.store.record_evaluations(rows)
        self.evaluations.extend((row.evaluation.answer_id, row.evaluation.revision) for row in rows)

    @precondition(lambda self: self.evaluations)
    @rule()
    def judge(self) -> None:
        self.now += 1
        seq = self.store.evaluations_after(0, limit=1000)[-1].seq
        decision = Decision(at=self.now, gate="g", slice={}, state="fail", previous_state=None, verdict="{}")
        for _ in range(2):
            self.store.save_checkpoint("gate:g", seq, b"state", [decision])
        self.decided += 1
        assert self.store.load_checkpoint("gate:g") == (seq, b"state")

    @rule(ago=st.integers(0, 200))
    def prune_chunks(self, ago: int) -> None:
        before = {t.trace_id: t.chunks for t in self.all_due()}
        self.store.prune(chunks_before=self.now - ago, answers_before=0, limit=2)
        assert {t.trace_id: t.chunks for t in self.all_due()} == before

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = open_store(self.directory)

    def all_due(self) -> list[DueTrace]:
        return self.store.due(now=1 << 60, idle=0, timeout=0, limit=1000, limit_bytes=1 << 40)

    @invariant()
    def the_books_balance(self) -> None:
        if not hasattr(self, "store"):
            return
        books = self.store.totals()
        assert books.accepted == self.accepted
        assert books.accepted == (
            books.adapted + books.not_an_answer + books.malformed + books.duplicate + books.pending
        )
        assert min(books.adapted, books.not_an_answer, books.malformed, books.duplicate, books.pending) >= 0
        assert min(books.outcomes.values()) >= 0
        waiting = self.store.pending()["close"]
        assert waiting.count == len(self.all_due()) == len({trace for trace, _ in self.arrivals.values()})
        assert waiting.oldest == min((at for _, at in self.arrivals.values()), default=None)

    @invariant()
    def every_record_of_a_source_is_in_the_books_once_and_cursors_are_where_they_were_left(self) -> None:
        if not hasattr(self, "store"):
            return
        books = self.store.totals()
        assert books.records == self.records == sum(books.records_by.values())
        assert books.records_by["answer"] == len(self.lines)
        assert {name: self.store.cursor(name) for name in self.cursors} == self.cursors

    @invariant()
    def evaluations_are_kept_in_order_and_each_answer_has_one_first(self) -> None:
        if not hasattr(self, "store"):
            return
        rows = self.store.evaluations_after(0, limit=10_000)
        assert [(row.evaluation.answer_id, row.evaluation.revision) for row in rows] == self.evaluations
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        firsts = [row.evaluation.answer_id for row in rows if row.first]
        pieces, upto = self.store.timeline_after(0, limit=10_000)
        assert upto == len(rows)
        assert [seq for piece in pieces for seq in piece.seq] == [row.seq for row in rows if row.first]
        assert sorted(firsts) == sorted({answer for answer, _ in self.evaluations})

    @invariant()
    def the_decision_log_is_a_whole_chain(self) -> None:
        if not hasattr(self, "store"):
            return
        log = self.store.decisions(limit=10_000)
        assert len(log) == self.decided
        assert verify(log).problem is None


TestStore = StoreMachine.TestCase
TestStore.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
