"""What starts the workers of an agent: a fork of the process that becomes the agent, taken before it is one."""

from __future__ import annotations

import os

from collector.pipeline.tasks import set_up
from collector.pipeline.warming import warm_up
from collector.workers.allocation import share_arena
from collector.workers.forking import ForkServer
from collector.workers.pool import NICENESS


def fork_server() -> ForkServer:
    """Fork what starts workers from this process, to be called while it has imported little else, and has one thread.

    What adapts and scores is imported by the agent as well, for its configuration: it is in memory once for all of
    them, and workers are ready sooner. What the agent alone needs is to be imported after that.
    """
    # Whatever is written from here on may hold what users asked: it is for the owner alone.
    os.umask(0o077)
    share_arena()
    server = ForkServer(set_up.__module__, warm_up, niceness=NICENESS)
    server.fork_here()
    return server
