"""Set-ups that spawned workers can import by name."""

import os
import signal
import sys
import threading
import time


def echo(prefix):
    def handle(request):
        match request:
            case "fail":
                raise ValueError("told to fail")
            case "die":
                os._exit(1)
            case "hang":
                while True:
                    pass
            case "stop":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "pid":
                return os.getpid()
        return f"{prefix}{request}"

    return handle


def broken():
    sys.exit(3)


def refusing():
    raise ValueError("no model there")


def busy():
    """Takes as many seconds of the processor as it is told."""

    def handle(seconds):
        until = time.process_time() + seconds
        while time.process_time() < until:
            pass
        return "done"

    return handle


def asleep():
    def handle(_request):
        threading.Event().wait()

    return handle


LOADED = []


def warm_up():
    LOADED.append(os.getpid())


def loaded():
    def handle(_request):
        return (os.getpid(), tuple(LOADED))

    return handle


def numbered():
    """Says which process it is, as one of its own."""
    return echo("")
