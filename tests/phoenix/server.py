"""A real Phoenix server on loopback, in a process and an environment of its own, for tests that need one."""

import contextlib
import os
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.request
from pathlib import Path

from tests.peers import missing

REPOSITORY = Path(__file__).parents[2]
PYTHON = Path(os.environ.get("PHOENIX_PYTHON", REPOSITORY / ".venv-phoenix" / "bin" / "python"))
INSTALL = "make peers"
START_SECONDS = 120
STOP_SECONDS = 30
ADMIN_SECRET = "Adm1n-secret-of-a-test-0123456789"
"""With ``auth=True`` a bearer token that may do everything."""


class PhoenixServer:
    """Where the server is, and its process. ``url`` has no trailing slash."""

    def __init__(self, url, process, log):
        self.url = url
        self.process = process
        self.log = log

    def call(self, method, path, body=None, *, content_type="application/json", token=None):
        """Return (status, body) of a request."""
        headers = {"Content-Type": content_type} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(self.url + path, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def send(self, traces, *, token=None):
        """Export OTLP protobuf bytes; Phoenix answers before it has stored them."""
        status, body = self.call("POST", "/v1/traces", traces, content_type="application/x-protobuf", token=token)
        assert status == 200, body


@contextlib.contextmanager
def phoenix_server(directory, *, auth=False):
    """Start a server that keeps its data in ``directory``, wait until it answers, and end its process group at last."""
    if not PYTHON.exists():
        missing("Phoenix's server", INSTALL)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(directory),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_WORKING_DIR": str(directory),
        "PHOENIX_SQL_DATABASE_URL": f"sqlite:///{directory}/phoenix.db",
        "PHOENIX_TELEMETRY_ENABLED": "false",
        "PHOENIX_ALLOW_EXTERNAL_RESOURCES": "false",
        "PHOENIX_DISABLE_AGENT_ASSISTANT": "true",
        "PHOENIX_AGENTS_DISABLE_BASH": "true",
        "PHOENIX_ENABLE_MCP_SERVER": "false",
    }
    if auth:
        environment |= {
            "PHOENIX_ENABLE_AUTH": "true",
            "PHOENIX_SECRET": "a-secret-of-a-test-0123456789-abcdef",
            "PHOENIX_ADMIN_SECRET": ADMIN_SECRET,
        }
    log = directory / "phoenix.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [PYTHON, Path(__file__).with_name("launch.py")],
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            cwd=directory,
            env=environment,
            start_new_session=True,
        )
    server = PhoenixServer(f"http://127.0.0.1:{port}", process, log)
    try:
        _await_ready(server)
        yield server
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(STOP_SECONDS)


def _await_ready(server):
    late = threading.Event()
    timer = threading.Timer(START_SECONDS, late.set)
    timer.start()
    try:
        while not late.wait(0.1):
            if server.process.poll() is not None:
                break
            with contextlib.suppress(OSError):
                if server.call("GET", "/readyz")[0] == 200:
                    return
    finally:
        timer.cancel()
    raise AssertionError(f"Phoenix did not start:\n{server.log.read_text(errors='replace')[-4000:]}")
