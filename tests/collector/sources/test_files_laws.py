"""Whatever a writer, a rotation and a kill do to files, every line is stored once and none is left out."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from collector.sources.files import FilesSource

QUIET = 3600 * 10**9


class TailMachine(RuleBasedStateMachine):
    """A writer that numbers its lines, and a tail whose every batch is stored, or lost with the process."""

    @initialize(batch_bytes=st.sampled_from([1024, 1 << 20]), wide=st.booleans())
    def start(self, *, batch_bytes: int, wide: bool) -> None:
        self.directory = Path(tempfile.mkdtemp())
        self.log = self.directory / "app.log"
        self.options = FilesSource(
            paths=(str(self.directory / ("app.log*" if wide else "app.log")),), batch_bytes=batch_bytes
        )
        self.wide = wide
        self.tail = self.options.open("")
        self.cursor: bytes | None = None
        self.stored: Counter[str] = Counter()
        self.written = 0
        self.begun = b""
        self.rotations = 0
        self.seen_since_rotation = False
        self.stored_of_this_file = False

    def teardown(self) -> None:
        if hasattr(self, "tail"):
            self.finish()
            self.tail.close()
            shutil.rmtree(self.directory)

    def line(self, size: int) -> bytes:
        self.written += 1
        return json.dumps({"id": str(self.written), "question": "q", "answer": "x" * size}).encode() + b"\n"

    def append(self, data: bytes) -> None:
        with self.log.open("ab") as file:
            file.write(data)
        self.seen_since_rotation = False

    @rule(sizes=st.lists(st.sampled_from([0, 10, 300, 1200]), min_size=1, max_size=5))
    def write(self, sizes: list[int]) -> None:
        data, self.begun = self.begun, b""
        self.append(data + b"".join(self.line(size) for size in sizes))

    @precondition(lambda self: not self.begun)
    @rule(cut=st.integers(1, 40))
    def begin_a_line(self, cut: int) -> None:
        whole = self.line(20)
        self.begun = whole[cut:]
        self.append(whole[:cut])

    def end_line(self) -> None:
        if self.begun:
            data, self.begun = self.begun, b""
            self.append(data)

    def move_older(self) -> Path:
        self.rotations += 1
        return self.directory / f"app.log.{self.rotations}"

    @precondition(lambda self: self.log.exists() and (self.wide or self.seen_since_rotation))
    @rule()
    def rotate_by_name(self) -> None:
        self.end_line()
        self.log.rename(self.move_older())
        self.seen_since_rotation = self.stored_of_this_file = False

    # Where no pattern finds the copy, it is known by what was read of the file it is a copy of.
    @precondition(lambda self: self.log.exists() and (self.wide or self.stored_of_this_file))
    @rule(look=st.booleans())
    def rotate_by_copy(self, *, look: bool) -> None:
        self.end_line()
        shutil.copy(self.log, self.move_older())
        if look:
            self.fetch(lost=False)
        os.truncate(self.log, 0)
        self.seen_since_rotation = self.stored_of_this_file = False

    @rule(lost=st.booleans(), restart=st.booleans())
    def fetch(self, *, lost: bool, restart: bool = False) -> None:
        batch = self.tail.fetch(self.cursor, now=time.time_ns())
        if lost or restart:
            self.tail.close()
            self.tail = self.options.open("")
        if lost:
            return
        self.seen_since_rotation = not batch.more
        assert not batch.malformed
        self.cursor = batch.cursor
        self.stored.update(answer.id for answer in batch.answers)
        # Whatever this file held is among what was stored, if nothing is left behind.
        self.stored_of_this_file = self.seen_since_rotation and self.log.exists() and b"\n" in self.log.read_bytes()
        assert max(self.stored.values(), default=0) <= 1

    def finish(self) -> None:
        self.end_line()
        for _ in range(10_000):
            batch = self.tail.fetch(self.cursor, now=time.time_ns() + QUIET)
            self.cursor = batch.cursor
            self.stored.update(answer.id for answer in batch.answers)
            if not batch.more:
                break
        assert self.stored == Counter({str(number): 1 for number in range(1, self.written + 1)})


TestTail = TailMachine.TestCase
TestTail.settings = settings(
    max_examples=80, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
