"""The API on a real port, with verdicts that a test sets, for tests of what deployment tools see of it."""

import asyncio
import base64
import http.client
import json
import threading
from datetime import UTC, datetime
from urllib.parse import urlsplit

from collector.api.app import Api
from collector.api.readiness import Readiness
from collector.api.serving import Parts
from collector.configuration.schema import Http
from collector.receivers.guard import ApiTokens
from collector.receivers.server import HttpReceiver
from gates.base.verdict import SliceVerdict, Verdict
from telemetry.registry import Telemetry
from tests.external import reception

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def part(state, *, n=400, service="desk", **evidence):
    measured = {"e_rollback": 0.5, "e_promote": 25.0, "n_candidate": float(n), "n_baseline": 3.0 * n} | evidence
    slice_ = {"service": service} if service else {}
    return SliceVerdict(slice=slice_, state=state, reason=f"it is {state}", n=n, effective_n=n, evidence=measured)


def verdict(state, *, candidate="2.1", baseline=None, reason=None, parts=None, gate="canary"):
    slices = (part(state),) if parts is None else tuple(parts)
    return Verdict(
        gate=gate,
        state=state,
        at=NOON,
        reason=reason or f"it is {state}",
        no_data=not any(each.n for each in slices),
        policy_version="abc",
        candidate=candidate,
        baseline=baseline,
        slices=slices,
    )


class Judge:
    """What the API reads verdicts of."""

    def __init__(self):
        self.verdicts = {}
        self.fresh, self.trouble = True, ""
        self.tick = 7.5


class Served:
    """Gates `canary` and `fresh`, slices by service and domain. A context: entered when it serves."""

    def __init__(self, *, tokens=None, opened=True):
        self.judge = Judge()
        self.api = Api(
            telemetry=Telemetry(metrics=(), dimensions=("service", "domain"), version="1"),
            readiness=Readiness([]),
            gates=("canary", "fresh"),
            dimensions=("service", "domain"),
            version="1",
            reception=reception(),
            tokens=tokens or ApiTokens(),
        )
        if opened:
            self.api.open(Parts(None, self.judge))

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()
        self._server = HttpReceiver(self.api.app(), Http(port=0), where="http")
        self._run(self._server.start())
        self.port = self._server.port
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_):
        self._run(self._server.stop(1))
        self._run(self.loop.shutdown_default_executor())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def ask(self, path, *, body=None, **headers):
        """Return status, headers and body of one request; of a POST where there is a body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET" if body is None else "POST", path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def gate(self, query="", name="canary"):
        """Return the body of a gate's verdict, which has to come with 200."""
        status, _, body = self.ask(f"/v1/gates/{name}{query}")
        assert status == 200, body
        return json.loads(body, parse_constant=_no_constant)


def _no_constant(name):
    raise AssertionError(f"{name} is not JSON")


def called(url, payload):
    """Call a webhook as Flagger does; return None where it takes the answer for a yes, else what it logs.

    It posts JSON with a time limit of 10 s, shows name and password of the URL, and takes a status of up to 202 for a
    yes. Its client gives up on 429 and on 5xx without having read the body.
    """
    parts = urlsplit(url)
    content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "Go-http-client/1.1", "Accept-Encoding": "gzip"}
    if parts.username is not None:
        words = base64.b64encode(f"{parts.username}:{parts.password}".encode()).decode()
        headers["Authorization"] = f"Basic {words}"
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
    try:
        connection.request("POST", parts.path, content, headers)
        response = connection.getresponse()
        body = response.read().decode()
    finally:
        connection.close()
    assert response.status != 429, "the body is dropped"
    assert response.status < 500, "the body is dropped"
    return None if response.status <= 202 else body
