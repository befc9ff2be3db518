"""The log is for people where a person reads it, and for programs elsewhere."""

import json
import os
import pty
import subprocess
import sys

PROGRAM = """
import structlog
from collector.configuration.logs import set_up
from collector.configuration.schema import Logs
set_up(Logs())
structlog.get_logger("here").warning("ready", host="a\\x1b[2Jb")
"""


def test_a_terminal_gets_text_to_which_no_value_can_write():
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", PROGRAM], stderr=theirs, check=True)
    os.close(theirs)
    said = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "ready" in said
    assert "{" not in said
    assert "\x1b[2J" not in said
    assert "\\x1b[2J" in said


def test_a_pipe_gets_a_json_object_a_line():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True, text=True)
    told = json.loads(done.stderr)
    assert (told["event"], told["level"], told["host"]) == ("ready", "warning", "a\x1b[2Jb")
