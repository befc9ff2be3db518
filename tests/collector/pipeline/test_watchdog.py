"""Workers are watched by what they take of the processors, whatever happens to the process that watches."""

import os
import resource
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from collector.pipeline.watchdog import Watched, opened
from collector.pipeline.workers import WorkerPool, WorkerTimeout, WorkerUnready

sys.path.insert(0, str(Path(__file__).parent))

from worker_setups import echo

LONG = 60.0


@contextmanager
def out_of_descriptors():
    """Use up all the files that this process may open, as many connections of one stranger do."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 16, hard))  # noqa: PTH208 - descriptors
    try:
        with suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_workers_work_and_are_watched_while_no_file_can_be_opened():
    pool = WorkerPool(size=1, setup=echo, setup_args=("re: ",))
    try:
        assert pool.map(["a"], timeout=LONG) == ["re: a"]
        with out_of_descriptors():
            assert pool.map(["b"], timeout=LONG) == ["re: b"]
            (late,) = pool.map(["hang"], timeout=0.2)
            assert isinstance(late, WorkerTimeout)
            with pytest.raises(WorkerUnready, match=r"could not be started: .*Too many open files"):
                pool.map(["says nothing about this request"], timeout=LONG)
        assert pool.map(["c"], timeout=LONG) == ["re: c"]
        (late,) = pool.map(["hang"], timeout=0.2)
        assert isinstance(late, WorkerTimeout)
    finally:
        pool.close()


def test_a_worker_is_not_late_because_the_agent_itself_was_frozen():
    with subprocess.Popen(["sleep", "60"]) as sleeping:
        stat = opened(sleeping.pid)
        try:
            now = time.monotonic()
            watched = Watched(stat, sleeping.kill, 30.0, taken=0.0, seen=now, began=0.0)
            watched.look(now + 3600)
            assert watched.late is None
            for second in range(1, 40):
                watched.look(now + 3600 + second)
            assert watched.late == "asleep for 30 s"
        finally:
            sleeping.kill()
            os.close(stat)
