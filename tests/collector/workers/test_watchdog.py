"""Workers are watched by what they take of the processors, whatever happens to the process that watches."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from collector.workers.pool import WorkerPool, WorkerTimeout, WorkerUnready
from collector.workers.watchdog import Watched, opened, usage
from tests.descriptors import out_of_descriptors

sys.path.insert(0, str(Path(__file__).parent))

from worker_setups import echo

LONG = 60.0


def test_workers_work_and_are_watched_while_no_file_can_be_opened():
    pool = WorkerPool(size=1, setup=echo, setup_args=("re: ",))
    try:
        assert pool.map(["a"], timeout=LONG) == ["re: a"]
        with out_of_descriptors():
            assert pool.map(["b"], timeout=LONG) == ["re: b"]
            (late,) = pool.map(["hang"], timeout=0.2)
            assert isinstance(late, WorkerTimeout)
            with pytest.raises(WorkerUnready, match=r"cannot start a worker: .*Too many open files"):
                pool.map(["says nothing about this request"], timeout=LONG)
        assert pool.map(["c"], timeout=LONG) == ["re: c"]
        (late,) = pool.map(["hang"], timeout=0.2)
        assert isinstance(late, WorkerTimeout)
    finally:
        pool.close()


def test_a_worker_is_not_late_because_the_agent_itself_was_frozen():
    with subprocess.Popen(["sleep", "60"]) as asleep:
        asleep.send_signal(signal.SIGSTOP)
        os.waitpid(asleep.pid, os.WUNTRACED)
        stat = opened(asleep.pid)
        try:
            now, taken = time.monotonic(), usage(stat).seconds
            watched = Watched(stat, asleep.kill, 30.0, taken=taken, seen=now, began=taken)
            watched.look(now + 3600)
            assert watched.late is None
            for second in range(1, 31):
                watched.look(now + 3600 + second)
            assert watched.late == "no progress for 30 s"
        finally:
            asleep.kill()
            os.close(stat)
