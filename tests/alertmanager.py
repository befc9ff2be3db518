"""A real Alertmanager on loopback, for tests that need one, and a receiver that it routes to."""

import json
import os
import re
import subprocess
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import yaml

from tests.collector.sources.server import free_port, serving
from tests.peers import require

PAGE = Path(__file__).resolve().parents[1] / "docs" / "notifications.md"


def documented():
    """Return the configuration that the page on notifications shows."""
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    [found] = [tree for tree in map(yaml.safe_load, blocks) if "route" in tree]
    return found


class Alertmanager:
    """Routes as documented to ``receiver``, without waiting."""

    def __init__(self, directory, receiver):
        self.program = require("prometheus-alertmanager")
        self.directory = directory
        config = documented()
        config["receivers"][0]["webhook_configs"][0]["url"] = receiver
        config["route"] |= {"group_wait": "0s", "group_interval": "1s"}
        self.file = directory / "alertmanager.yaml"
        self.file.write_text(yaml.safe_dump(config))
        self.address = f"127.0.0.1:{free_port()}"

    def __enter__(self):
        self.log = (self.directory / "alertmanager.log").open("w+")
        self.process = subprocess.Popen(
            [
                self.program,
                f"--config.file={self.file}",
                f"--storage.path={self.directory / 'alertmanager'}",
                f"--web.listen-address={self.address}",
                "--cluster.listen-address=",
            ],
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        until(self._ready, "alertmanager is ready")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(30)
        self.log.close()

    def _ready(self):
        try:
            with urllib.request.urlopen(f"http://{self.address}/-/ready", timeout=10) as response:
                return response.status == 200
        except (urllib.error.URLError, OSError):
            assert self.process.poll() is None, os.fsdecode((self.directory / "alertmanager.log").read_bytes())
            return False

    @contextmanager
    def away(self):
        """Be killed for a while, and start again."""
        self.__exit__()
        yield
        self.__enter__()

    def silenced(self):
        """Return the alerts that are silenced."""
        return [alert for alert in self._found() if alert["status"]["silencedBy"]]

    def push(self, *alerts):
        """Send alerts to it."""
        self._post("/api/v2/alerts", list(alerts))

    def silence(self, *, minutes=5, **labels):
        """Silence what has these labels."""
        now = datetime.now(UTC)
        matchers = [{"name": key, "value": value, "isRegex": False} for key, value in labels.items()]
        end = now + timedelta(minutes=minutes)
        body = {"matchers": matchers, "startsAt": now.isoformat(), "endsAt": end.isoformat()}
        self._post("/api/v2/silences", body | {"createdBy": "test", "comment": "deployment"})

    def _post(self, path, body):
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"http://{self.address}{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            assert response.status == 200

    def alerts(self):
        """Return the alerts it knows of, by name and domain."""
        return {(alert["labels"]["alertname"], alert["labels"].get("domain")): alert for alert in self._found()}

    def _found(self):
        with urllib.request.urlopen(f"http://{self.address}/api/v2/alerts", timeout=30) as response:
            return json.load(response)


class Pages:
    """What an Alertmanager sent to its receiver."""

    def __init__(self):
        self.notifications = []

    def __call__(self, handler):
        body = handler.rfile.read(int(handler.headers["content-length"]))
        self.notifications.append(json.loads(body))
        with suppress(OSError):  # it may be gone, or have given up
            handler.give(200)

    def await_alert(self, name, status):
        """Return the first alert of a name and a status, once it has come."""
        return until(lambda: next(self._alerts(name, status), None), f"{name} is {status}")

    def _alerts(self, name, status):
        for notification in list(self.notifications):
            assert notification["version"] == "4"
            for alert in notification["alerts"]:
                if (alert["labels"]["alertname"], alert["status"]) == (name, status):
                    yield alert


@contextmanager
def paging(directory):
    """Yield an Alertmanager and what it sends."""
    pages = Pages()
    with serving(pages) as url, Alertmanager(directory, url) as alertmanager:
        yield alertmanager, pages


def until(check, what, seconds=60):
    """Poll ``check`` until it returns something true, and return that."""
    over = threading.Event()
    timer = threading.Timer(seconds, over.set)
    timer.start()
    try:
        while not over.wait(0.05):
            found = check()
            if found:
                return found
    finally:
        timer.cancel()
    raise AssertionError(f"not within {seconds} s: {what}")
