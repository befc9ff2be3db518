"""Set-ups that spawned workers can import by name."""

import os
import signal
import sys


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
