"""All questions of a suite put to an application: a few at a time, in order, with retries, and an end to trying."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from queue import SimpleQueue
from typing import Any

from adapters.schema import Answer
from collector.applications.callers import AttemptFailed, Caller
from collector.applications.options import ApplicationOptions
from collector.applications.replies import Timing, UnreadableReply, answered, failed, retrieved
from collector.errors import ConfigError
from collector.outbound.backoff import Backoff
from gates.verdicts.summary import counted

AHEAD = 2
"""Questions under way or answered for each caller, while the first of them is waited for."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How questions are asked: by which callers, by which clocks, and with which randomness.

    With ``retrieves``, replies are read for their passages alone: what is asked is a retriever.
    """

    options: ApplicationOptions
    caller: Callable[[], Caller]
    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    random: Callable[[], float]
    retrieves: bool = False

    def all(self, questions: Iterable[Answer]) -> Generator[Answer, None, None]:
        """Yield the answers in the order of the questions; one that failed has its error.

        Raises `ConfigError` after ``give_up`` questions in a row that failed, and where none was answered at all: what
        failed then is not yielded, so that it is asked again when the run goes on.
        """
        lost: list[Answer] = []
        any_answer = False
        for answer in self._in_order(questions):
            if answer.status == "error":
                lost.append(answer)
                if len(lost) >= self.options.give_up:
                    break
                continue
            any_answer = True
            yield from lost
            lost.clear()
            yield answer
        if lost and (not any_answer or len(lost) >= self.options.give_up):
            asked = "retriever" if self.retrieves else "application"
            raise ConfigError(
                f"{asked}: {counted(len(lost), 'question')} in a row failed; give the same command again to go on: "
                f"{lost[-1].error}"
            )
        yield from lost

    def _in_order(self, questions: Iterable[Answer]) -> Iterator[Answer]:
        size = self.options.concurrency
        stop = threading.Event()
        callers: SimpleQueue[Caller] = SimpleQueue()
        made = [self.caller() for _ in range(size)]
        for caller in made:
            callers.put(caller)
        threads = ThreadPoolExecutor(max_workers=size, thread_name_prefix="ask")
        waiting: deque[Future[Answer]] = deque()
        try:
            for question in questions:
                waiting.append(threads.submit(self._one, question, callers, stop))
                if len(waiting) >= AHEAD * size:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            stop.set()
            for caller in made:
                caller.close()
            threads.shutdown(cancel_futures=True)

    def _one(self, question: Answer, callers: SimpleQueue[Caller], stop: threading.Event) -> Answer:
        caller = callers.get()
        backoff = Backoff(random=self.random)
        try:
            for attempt in range(self.options.retries + 1):
                started, began = self.now(), self.monotonic()
                try:
                    reply = caller.ask(question)
                    timing = Timing(started, self.now(), 1000 * (self.monotonic() - began))
                    return self._read(question, reply, timing)
                except UnreadableReply as error:
                    reason, again, wait = str(error), False, None
                except AttemptFailed as error:
                    reason, again, wait = str(error), error.again, error.wait
                if not again or attempt == self.options.retries or stop.is_set():
                    break
                stop.wait(backoff.failed(wait))
            timing = Timing(started, self.now(), 1000 * (self.monotonic() - began))
            return failed(question, reason, timing, self.options.versions)
        finally:
            callers.put(caller)

    def _read(self, question: Answer, reply: Any, timing: Timing) -> Answer:
        if self.retrieves:
            return retrieved(question, reply, self.options.reply)
        return answered(question, reply, self.options.reply, timing, self.options.versions)
