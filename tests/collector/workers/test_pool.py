import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from collector.errors import Transient
from collector.workers.pool import PoolClosed, WorkerDied, WorkerPool, WorkerTimeout, WorkerUnready

sys.path.insert(0, str(Path(__file__).parent))

from worker_setups import asleep, broken, busy, echo, loaded, numbered, refusing, warm_up

LONG = 60.0
SPIN = "while True: pass"


@pytest.fixture
def pool():
    pool = WorkerPool(size=2, setup=echo, setup_args=("re: ",))
    yield pool
    pool.close()


def test_replies_come_back_in_the_order_of_the_requests(pool):
    assert pool.map(["a", "b", "c"], timeout=LONG) == ["re: a", "re: b", "re: c"]


def test_what_the_handler_raises_reaches_the_caller_and_the_worker_lives(pool):
    before = pool.pids()
    failure, fine = pool.map(["fail", "x"], timeout=LONG)
    assert isinstance(failure, ValueError)
    assert fine == "re: x"
    assert pool.pids() == before


def test_while_the_agent_is_kept_busy_one_worker_does_it_all():
    pool = WorkerPool(size=2, setup=echo, setup_args=("",), busy=lambda: True)
    try:
        assert len(set(pool.map(["pid"] * 6, timeout=LONG))) == 1
    finally:
        pool.close()


def test_what_all_workers_need_is_loaded_once_before_they_are_forked():
    pool = WorkerPool(size=2, setup=loaded, warm_up=warm_up)
    try:
        own, loads = zip(*pool.map([None] * 6, timeout=LONG), strict=True)
        assert len(set(loads)) == 1
        (where,) = loads[0]
        assert where not in {os.getpid(), *own}
    finally:
        pool.close()


def test_a_worker_that_hangs_is_killed_and_replaced(pool):
    before = set(pool.pids())
    assert isinstance(pool.map(["hang"], timeout=0.5)[0], WorkerTimeout)
    after = set(pool.pids())
    assert len(after) == 2
    (killed,) = before - after
    assert not psutil.pid_exists(killed)
    assert pool.map(["a", "b"], timeout=LONG) == ["re: a", "re: b"]


def test_a_worker_that_dies_is_a_transient_error_and_is_replaced(pool):
    reply = pool.map(["die"], timeout=LONG)[0]
    assert isinstance(reply, WorkerDied)
    assert isinstance(reply, Transient)
    assert pool.map(["a", "b", "c"], timeout=LONG) == ["re: a", "re: b", "re: c"]


def test_a_request_that_kills_its_worker_does_not_take_others_along(pool):
    replies = pool.map(["a", "die", "b", "die", "c"], timeout=LONG)
    assert [reply for reply in replies if isinstance(reply, str)] == ["re: a", "re: b", "re: c"]


def test_renewed_workers_have_the_new_set_up(pool):
    assert pool.call("x", timeout=LONG) == "re: x"
    before = pool.pids()
    pool.renew("new: ")
    assert pool.map(["x", "y", "z"], timeout=LONG) == ["new: x", "new: y", "new: z"]
    assert pool.pids() == before


def test_a_worker_that_dies_after_a_renewal_is_replaced_by_one_with_the_new_set_up(pool):
    pool.renew("new: ")
    assert isinstance(pool.map(["die"], timeout=LONG)[0], WorkerDied)
    assert pool.map(["x", "y", "z"], timeout=LONG) == ["new: x", "new: y", "new: z"]


def test_a_set_up_that_fails_costs_the_process_and_no_request(pool):
    assert pool.map(["x", "y"], timeout=LONG) == ["re: x", "re: y"]
    pool.renew()  # the set-up needs an argument
    with pytest.raises(WorkerUnready):
        pool.map(["x"], timeout=LONG)
    pool.renew("new: ")
    replies = []
    while len(replies) < 2:
        try:
            replies += pool.map(["x"], timeout=LONG)
        except WorkerUnready:
            continue
    assert replies == ["new: x", "new: x"]


def test_workers_leave_it_to_the_agent_when_to_stop(pool):
    before = pool.pids()
    for pid in before:
        psutil.Process(pid).send_signal(signal.SIGINT)
        psutil.Process(pid).send_signal(signal.SIGTERM)
    assert pool.map(["a", "b"], timeout=LONG) == ["re: a", "re: b"]
    assert pool.pids() == before


def test_closing_ends_every_process_even_one_that_hangs():
    pool = WorkerPool(size=1, setup=echo, setup_args=("",))
    pids = pool.pids()
    outcome = []

    def ask():
        try:
            pool.map(["hang"], timeout=LONG)
        except PoolClosed as closed:
            outcome.append(closed)

    asked = threading.Thread(target=ask)
    asked.start()
    pool.close()
    asked.join(timeout=30)
    assert not asked.is_alive()
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert len(outcome) == 1
    with pytest.raises(PoolClosed):
        pool.map(["x"], timeout=LONG)


def test_when_the_pool_is_closed_no_call_of_any_thread_is_under_way():
    pool = WorkerPool(size=2, setup=echo, setup_args=("",))
    assert pool.call("ready", timeout=30) == "ready"
    with ThreadPoolExecutor(4) as threads:
        calls = [threads.submit(pool.call, "hang", timeout=600) for _ in range(4)]
        pool.close()
        assert all(isinstance(call.exception(), PoolClosed) for call in calls)
    with pytest.raises(PoolClosed):
        pool.call("late", timeout=30)
    assert not pool.pids()


def test_a_worker_that_cannot_be_set_up_says_nothing_about_the_request():
    pool = WorkerPool(size=1, setup=broken)
    try:
        with pytest.raises(WorkerUnready):
            pool.map(["x"], timeout=LONG)
    finally:
        pool.close()


def test_a_stopped_worker_is_replaced_even_when_the_request_does_not_fit_into_the_pipe():
    pool = WorkerPool(size=1, setup=echo, setup_args=("",))
    try:
        (pid,) = pool.pids()
        assert pool.call("x", timeout=LONG) == "x"
        psutil.Process(pid).suspend()
        assert isinstance(pool.map(["x" * 10_000_000], timeout=1.0)[0], WorkerTimeout)
        assert pool.call("x", timeout=LONG) == "x"
        assert isinstance(pool.map(["stop"], timeout=1.0)[0], WorkerTimeout)
        assert pool.call("x", timeout=LONG) == "x"
    finally:
        pool.close()


def test_why_a_worker_cannot_be_set_up_is_told():
    pool = WorkerPool(size=1, setup=refusing)
    try:
        with pytest.raises(WorkerUnready, match="setup of a worker failed: no model there") as told:
            pool.call("a", timeout=LONG)
        assert isinstance(told.value.__cause__, ValueError)
    finally:
        pool.close()


@pytest.mark.slow
def test_a_worker_that_has_to_wait_for_the_processor_is_not_late():
    core = min(os.sched_getaffinity(0))
    pool = WorkerPool(size=1, setup=busy)
    rivals = []
    try:
        assert pool.call(0, timeout=LONG) == "done"
        os.sched_setaffinity(pool.pids()[0], {core})
        rivals = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(2)]
        for rival in rivals:
            os.sched_setaffinity(rival.pid, {core})
        assert pool.call(0.2, timeout=0.4) == "done"
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
        pool.close()


def test_a_worker_that_takes_more_of_the_processor_than_its_deadline_is_killed():
    pool = WorkerPool(size=1, setup=busy)
    try:
        with pytest.raises(WorkerTimeout, match=r"exceeded 0\.3 s of CPU time"):
            pool.call(LONG, timeout=0.3)
        assert pool.call(0, timeout=LONG) == "done"
    finally:
        pool.close()


def test_threads_that_compute_side_by_side_may_take_as_many_times_as_much():
    pool = WorkerPool(size=1, setup=busy, threads=10)
    try:
        assert pool.call(0.6, timeout=0.3) == "done"
    finally:
        pool.close()


def test_a_worker_that_sleeps_is_killed_though_it_takes_nothing():
    pool = WorkerPool(size=1, setup=asleep)
    try:
        with pytest.raises(WorkerTimeout, match=r"no progress for 0\.5 s"):
            pool.call("x", timeout=0.5)
    finally:
        pool.close()


def test_a_request_that_somebody_waits_for_has_a_worker_that_no_batch_is_given_to(pool):
    batch = set(pool.map(["pid"] * 6, timeout=LONG))
    own = {pool.call_reserved("pid", timeout=LONG) for _ in range(3)}
    assert len(own) == 1
    assert not own & batch
    assert own | batch <= set(pool.pids())


def test_batches_give_way_to_a_request_that_somebody_waits_for_and_both_to_the_agent(pool):
    here = os.getpriority(os.PRIO_PROCESS, 0)
    batch = os.getpriority(os.PRIO_PROCESS, pool.call("pid", timeout=LONG))
    waited_for = os.getpriority(os.PRIO_PROCESS, pool.call_reserved("pid", timeout=LONG))
    assert here < waited_for < batch


def test_what_somebody_waits_for_in_the_foreground_gives_way_to_nobody():
    pool = WorkerPool(size=1, setup=numbered, foreground=True)
    try:
        assert os.getpriority(os.PRIO_PROCESS, pool.call("pid", timeout=LONG)) == os.getpriority(os.PRIO_PROCESS, 0)
    finally:
        pool.close()


def test_rare_work_is_done_by_a_process_of_its_own_that_ends_with_it(pool):
    usual = pool.call("pid", timeout=20)
    apart = pool.call_apart(busy, 0.01, timeout=20)
    first, second = (pool.call_apart(numbered, "pid", timeout=20) for _ in range(2))
    assert apart == "done"
    assert len({usual, first, second}) == 3
    assert not {first, second} & set(pool.pids())
    with pytest.raises(WorkerTimeout):
        pool.call_apart(asleep, "", timeout=0.3)
    with pytest.raises(WorkerUnready):
        pool.call_apart(broken, "", timeout=20)
    assert pool.call("pid", timeout=20) == usual


def test_what_is_done_apart_ends_with_the_pool():
    pool = WorkerPool(size=1, setup=echo, setup_args=("",))
    ended = []

    def ask():
        try:
            pool.call_apart(asleep, "", timeout=60)
        except PoolClosed:
            ended.append(True)

    asking = threading.Thread(target=ask)
    asking.start()
    pool.close()
    asking.join()
    assert ended == [True]
    with pytest.raises(PoolClosed):
        pool.call_apart(asleep, "", timeout=1)
