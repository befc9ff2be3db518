"""A real agent in a process of its own, for tests that need one."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import yaml

START_SECONDS = 120
STOP_SECONDS = 60


class Agent:
    """`groundwire run` on free loopback ports. Its log is read as it comes; to wait is to wait for an event in it."""

    def __init__(self, directory, **config):
        self.directory = directory
        base = {
            "data": str(directory / "data"),
            "receive": {"otlp_http": {"port": 0}, "otlp_grpc": {"port": 0}},
            "http": {"port": 0},
            "traces": {"idle": "200ms", "timeout": "5s", "attributes": {"domain": "domain"}},
            "slices": [{"name": "service"}, {"name": "domain"}],
            "judge": {"tick": "200ms"},
        }
        self.config = merge(base, config)
        self.file = directory / "groundwire.yaml"
        self.file.write_text(yaml.safe_dump(self.config))
        self.arguments = ["run", "--config", str(self.file)]
        self.log = []
        self._events = queue.Queue()

    def start(self):
        self.log = []
        self._events = queue.Queue()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "collector.cli", *self.arguments],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            cwd=self.directory,
            start_new_session=True,
        )
        self._reader = threading.Thread(
            target=self._read, args=(self.process.stderr, self._events, self.log), daemon=True
        )
        self._reader.start()
        try:
            ready = self.wait_for("ready", START_SECONDS)
        except BaseException:
            self.__exit__()
            raise
        self.otlp_http, self.otlp_grpc, self.http = ready["otlp_http"], ready["otlp_grpc"], ready["http"]
        return self

    @staticmethod
    def _read(stream, events, log):
        with stream:
            for line in stream:
                log.append(line)
                try:
                    events.put(json.loads(line))
                except ValueError:
                    continue
        events.put(None)

    def wait_for(self, event, seconds=60):
        while True:
            try:
                entry = self._events.get(timeout=seconds)
            except queue.Empty:
                raise AssertionError(f"no {event!r} within {seconds} s:\n{''.join(self.log[-40:])}") from None
            assert entry is not None, f"the agent ended:\n{''.join(self.log[-40:])}"
            if entry.get("event") == event:
                return entry

    def get(self, path, **headers):
        """Return (status, body) of a GET on the API; the body is decoded where it is JSON."""
        request = urllib.request.Request(f"http://{self.http}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                status, kind, body = response.status, response.headers.get_content_type(), response.read()
        except urllib.error.HTTPError as error:
            status, kind, body = error.code, error.headers.get_content_type(), error.read()
        return status, json.loads(body) if kind == "application/json" else body.decode()

    def post(self, body, content_type="application/x-protobuf", path="/v1/traces", **headers):
        """Send an export request; return its status. Connection errors are raised."""
        request = urllib.request.Request(
            f"http://{self.otlp_http}{path}", data=body, headers={"Content-Type": content_type, **headers}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code

    def until(self, check, seconds=120):
        """Poll ``check`` until it returns something true, and return that."""
        deadline = threading.Event()
        timer = threading.Timer(seconds, deadline.set)
        timer.start()
        try:
            while not deadline.wait(0.05):
                found = check()
                if found:
                    return found
        finally:
            timer.cancel()
        raise AssertionError(f"not within {seconds} s:\n{''.join(self.log[-40:])}")

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(STOP_SECONDS)
        self._reader.join(STOP_SECONDS)

    def terminate(self):
        """Ask the agent to stop, and return its exit code."""
        self.process.terminate()
        code = self.process.wait(STOP_SECONDS)
        self._reader.join(STOP_SECONDS)
        return code

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


def merge(base, extra):
    merged = dict(base)
    for key, value in extra.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = merge(merged[key], value) if both else value
    return merged
