"""A real Prometheus on loopback, for tests that need one."""

import json
import os
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

import yaml

from tests.peers import require


class Prometheus:
    """Scrapes one target every second and evaluates a rule file twice as often; sends alerts to an ``alertmanager``."""

    def __init__(self, directory, target, rules, *, alertmanager=None):
        self.program = require("prometheus")
        self.directory = directory
        (directory / "rules.yaml").write_text(rules)
        config = {
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "500ms"},
            "rule_files": ["rules.yaml"],
            "scrape_configs": [{"job_name": "groundwire", "static_configs": [{"targets": [target]}]}],
        }
        if alertmanager is not None:
            config["alerting"] = {"alertmanagers": [{"static_configs": [{"targets": [alertmanager]}]}]}
        (directory / "prometheus.yaml").write_text(yaml.safe_dump(config))

    def __enter__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{probe.getsockname()[1]}"
        self.log = (self.directory / "prometheus.log").open("w+")
        self.process = subprocess.Popen(
            [
                self.program,
                f"--config.file={self.directory / 'prometheus.yaml'}",
                f"--storage.tsdb.path={self.directory / 'tsdb'}",
                f"--web.listen-address={self.address}",
                "--enable-feature=exemplar-storage",
            ],
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        self.until(self._ready, "prometheus is ready")
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)
        self.log.close()

    def _ready(self):
        try:
            with urllib.request.urlopen(f"http://{self.address}/-/ready", timeout=10) as response:
                return response.status == 200
        except (urllib.error.URLError, OSError):
            assert self.process.poll() is None, os.fsdecode((self.directory / "prometheus.log").read_bytes())
            return False

    def query(self, expression):
        """Return the result vector of an instant query; what Prometheus refuses is an assertion error."""
        query = urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(f"http://{self.address}/api/v1/query?{query}", timeout=30) as response:
                body = json.load(response)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{expression}: {error.read().decode()}") from error
        assert body["status"] == "success", body
        return body["data"]["result"]

    def alerts(self):
        """Return the names of the alerts that are firing."""
        return {row["metric"]["alertname"] for row in self.query('ALERTS{alertstate="firing"}')}

    def until(self, check, what, seconds=60):
        """Poll ``check`` until it returns something true, and return that."""
        over = threading.Event()
        timer = threading.Timer(seconds, over.set)
        timer.start()
        try:
            while not over.wait(0.1):
                found = check()
                if found:
                    return found
        finally:
            timer.cancel()
        raise AssertionError(f"not within {seconds} s: {what}")
