"""The process that starts workers as a fork of the agent: what both need is in memory once."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psutil
import pytest

LONG = 60.0
AGENT = """
import sys
from worker_setups import loaded, warm_up
from collector.workers.forking import ForkServer
from collector.workers.pool import WorkerDied, WorkerPool

server = ForkServer(loaded.__module__, warm_up)
server.fork_here()
pool = WorkerPool(size=1, setup=loaded, server=server)
for line in sys.stdin:
    try:
        worker, (loader,) = pool.call(None, timeout=60)
    except WorkerDied:
        worker, loader = 0, 0
    print(worker, loader, flush=True)
pool.close()
"""


class Agent:
    """A process that forks what starts its workers, and asks its worker whenever it is told to."""

    def __init__(self):
        folders = [str(Path(__file__).parent), *filter(None, sys.path)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", AGENT],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def asked(self):
        """Return the process of the worker that replied, and the one that had loaded what it needs."""
        self.process.stdin.write("ask\n")
        self.process.stdin.flush()
        return tuple(map(int, self.process.stdout.readline().split()))

    def children(self):
        return psutil.Process(self.process.pid).children(recursive=True)

    def close(self):
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def agent():
    with closing(Agent()) as agent:
        yield agent


def test_workers_share_what_the_agent_has_loaded(agent):
    worker, loader = agent.asked()
    assert loader == agent.process.pid
    assert worker not in {0, loader}


def test_a_worker_that_was_killed_is_replaced_by_a_fork_that_has_loaded_nothing_again(agent):
    first, _ = agent.asked()
    os.kill(first, signal.SIGKILL)
    assert agent.asked() == (0, 0)
    second, loader = agent.asked()
    assert second not in {0, first}
    assert loader == agent.process.pid


def test_where_the_server_was_killed_workers_are_started_by_a_new_one(agent):
    agent.asked()
    for child in agent.children():
        child.kill()
    assert agent.asked() == (0, 0)
    worker, loader = agent.asked()
    assert worker != 0
    assert loader not in {0, worker, agent.process.pid}


def test_nothing_is_left_of_an_agent_that_ended_and_none_of_one_that_was_killed():
    for end in (Agent.close, lambda agent: agent.process.communicate()):
        with closing(Agent()) as agent:
            agent.asked()
            children = agent.children()
            assert len(children) == 2
            end(agent)
            assert not psutil.wait_procs(children, timeout=LONG)[1]
