"""Canaries as a step: written after a sync, asked within the budget, told of, and over when the index is right."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from adapters.base import PassageKeys
from adapters.canary import HEADER, TRACE_PREFIX
from adapters.trace import Nanoseconds
from benchmarks.canaries import FAULTS, CanaryRig, PolicyIndex, injected, retriever
from collector.canaries.endpoint import CanaryEndpoint
from collector.canaries.options import CanaryOptions
from collector.canaries.step import CanaryStep
from collector.canaries.task import written
from collector.catalog.files import CatalogFile
from collector.catalog.snapshot import BuildOrder, build
from collector.errors import ConfigError
from collector.notify.notice import Names, Notice
from collector.outbound.link import Runtime
from collector.store.sqlite import open_store
from telemetry.registry import Telemetry
from tests.collector.sources.server import serving

MINUTE = 60 * 10**9
OPTIONS = {
    "path": "/search",
    "body": {"query": "{question}", "top_k": "{k}", "id": "{canary}"},
    "reply": {"passages": "results"},
    "settle": "5m",
}


@dataclass
class Desk:
    """An endpoint that gives what a test says, and a step over a catalog of one file, by a clock of its own."""

    tmp_path: object
    more: dict = field(default_factory=dict)
    reply: object = field(default_factory=lambda: {"results": []})
    status: int = 200
    requests: list = field(default_factory=list)
    now: int = 1_790_000_000 * 10**9

    def __call__(self, handler) -> None:
        size = int(handler.headers.get("content-length") or 0)
        self.requests.append((handler.path, dict(handler.headers.items()), handler.rfile.read(size)))
        handler.give(self.status, json.dumps(self.reply).encode())

    def open(self, url: str) -> None:
        self.options = CanaryOptions.model_validate({"url": url, **OPTIONS, **self.more})
        self.made = None
        self.store = open_store(self.tmp_path / "data")
        self.telemetry = Telemetry(metrics=(), dimensions=(), version="t")
        self.endpoint = CanaryEndpoint(self.options, keys=PassageKeys())
        self.start()

    def start(self) -> None:
        self.step = CanaryStep(
            self.options,
            self.endpoint,
            store=self.store,
            runtime=Runtime(
                telemetry=self.telemetry,
                clock=lambda: Nanoseconds(self.now),
                stop=threading.Event(),
                monotonic=lambda: self.now / 1e9,
                random=lambda: 0.0,
            ),
            in_force=lambda: None if self.made is None else self.made.path,
            write=written,
            hold=lambda _: None,
            expiry=60 * MINUTE,
        )

    def sync(self, *rows) -> None:
        path = self.tmp_path / "catalog.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        before = None if self.made is None else self.made.path
        self.made = build(BuildOrder((CatalogFile(path, "jsonl", "c"),), self.tmp_path / "catalog", before=before))

    def ask(self, minutes: float = 6) -> int:
        self.now += int(minutes * MINUTE)
        asked = 0
        while self.step.run_once():
            asked += 1
        return asked

    def close(self) -> None:
        self.endpoint.close()
        self.store.close()

    def decisions(self) -> list:
        return [(row.gate, dict(row.slice), row.state) for row in self.store.decisions()]


def hotel(amount: int) -> dict:
    return {"id": "TRV", "title": "Travel", "text": f"Hotels are reimbursed up to {amount} EUR per night."}


def row(entry: dict) -> dict:
    return {"id": f"{entry['id']}#0", "text": entry["text"], "metadata": {"doc_id": entry["id"]}}


@pytest.fixture
def desk(tmp_path, request) -> Iterator[Desk]:
    made = Desk(tmp_path, getattr(request, "param", {}))
    with serving(made) as url:
        made.open(url)
        yield made
        made.close()


def test_an_index_that_missed_a_change_is_told_of_before_a_user_asks_and_so_is_its_repair(desk) -> None:
    desk.sync(hotel(180))
    desk.reply = {"results": [row(hotel(180))]}
    assert desk.ask(0) == 0, "the index has five minutes to follow"
    assert desk.ask() == 1
    assert desk.decisions() == []
    desk.sync(hotel(200))
    desk.ask(0.1)
    assert desk.ask() == 1
    assert desk.decisions() == [("canaries", {"fault": "stale"}, "fail")]
    notice = Notice.of(desk.store.decisions()[0], Names(public_url="https://watch.test"))
    assert notice.failing
    assert notice.annotations["summary"] == "Canaries: the index serves old text: TRV"
    assert notice.annotations["link"] == "https://watch.test/canaries"
    assert "Index the named documents again" in notice.annotations["first_step"]
    exposed = desk.telemetry.scrape("", "")[0].decode()
    assert 'groundwire_canaries_failing{fault="stale"} 1.0' in exposed
    desk.reply = {"results": [row(hotel(200))]}
    assert desk.ask() == 1, "what fails is asked again after five minutes, not after an hour"
    assert desk.decisions()[-1] == ("canaries", {"fault": "stale"}, "pass")
    assert Notice.of(desk.store.decisions()[-1], Names()).recovered
    assert [one.outcome for one in desk.store.canary_results()] == ["ok", "stale", "ok"]


def test_a_request_is_made_of_the_template_and_marked(desk) -> None:
    desk.sync(hotel(180))
    desk.ask(0)
    desk.ask()
    path, headers, body = desk.requests[0]
    [standing] = desk.store.canaries()
    sent = {name.lower(): value for name, value in headers.items()}
    assert (path, json.loads(body)) == (
        "/search",
        {"query": "Travel: hotels are reimbursed up to how much EUR per night?", "top_k": 5, "id": standing.id},
    )
    assert sent[HEADER] == standing.id
    assert sent["baggage"] == f"groundwire.canary={standing.id}"
    assert sent["traceparent"].startswith(f"00-{TRACE_PREFIX}")
    assert desk.store.canary_results()[0].trace_id in sent["traceparent"]


def test_an_endpoint_that_fails_fails_no_canary_and_is_named(desk) -> None:
    desk.sync(hotel(180))
    desk.ask(0)
    desk.status = 503
    assert desk.ask() == 0
    report = desk.step.report()
    assert (report["state"], report["failing"], report["standing"]) == ("failing", 0, 1)
    assert "503 Service Unavailable" in report["last_error"]
    desk.status, desk.reply = 200, {"hits": {"total": 3}}
    assert desk.ask() == 0
    assert "no list of passages at passages: results; it has the members hits" in desk.step.report()["last_error"]
    assert desk.store.canary_results() == []
    desk.reply = {"results": []}
    assert desk.ask() == 1
    assert desk.step.report()["state"] == "ok"
    assert desk.decisions() == [("canaries", {"fault": "lost"}, "fail")]


def test_asking_now_waits_for_no_back_off_but_for_an_endpoint_that_asks_to_wait(desk) -> None:
    desk.sync(hotel(180))
    desk.ask(0)
    desk.status = 503
    assert desk.ask() == 0
    desk.status, desk.reply = 200, {"results": [row(hotel(180))]}
    desk.step.due = desk.step.monotonic() + 600
    assert desk.step.run_once() == 0, "backed off"
    desk.step.run_now()
    assert desk.step.run_once() == 1
    desk.step.failed("busy", retry_after=600)
    desk.step.run_now()
    assert desk.step.run_once() == 0


@pytest.mark.parametrize("desk", [{"per_hour": 3, "per_sync": 2, "per_entry": 1}], indirect=True)
def test_questions_stay_within_the_budget_of_an_hour_and_of_a_sync(desk) -> None:
    entries = [
        {"id": f"D-{n}", "title": f"Rule {word}", "text": f"The {word} is kept for {n + 2} weeks in the archive."}
        for n, word in enumerate(("lamp", "chair", "table", "window", "carpet"))
    ]
    desk.sync(*entries)
    desk.reply = {"results": [row(entry) for entry in entries]}
    desk.ask(0)
    assert len(desk.store.canaries()) == 5
    assert desk.ask() == 2, "as many as a sync may ask at once"
    assert desk.ask(40) == 0
    assert desk.ask(30) == 3, "the others come in the next round, within the hour's budget"
    assert desk.ask(1) == 0
    assert desk.step.counts().waiting == 2
    assert desk.ask(61) == 3


@pytest.mark.parametrize(
    "desk",
    [
        {
            "principals": [
                {"name": "guest"},
                {"name": "boss", "groups": ["managers"], "headers": {"x-user": "{principal}"}},
            ]
        }
    ],
    indirect=True,
)
def test_what_not_everyone_may_see_is_asked_for_as_somebody_who_must_not(desk) -> None:
    entry = hotel(180) | {"permitted": ["managers"]}
    desk.sync(entry)
    desk.reply = {"results": [row(entry)]}
    desk.ask(0)
    assert desk.ask() == 2
    assert sorted(headers.get("x-user", "nobody") for _, headers, _ in desk.requests) == ["boss", "nobody"]
    assert desk.decisions() == [("canaries", {"fault": "forbidden"}, "fail")]


def test_canaries_and_what_was_decided_outlive_a_restart(desk) -> None:
    desk.sync(hotel(180))
    desk.ask(0)
    desk.ask()
    assert desk.decisions() == [("canaries", {"fault": "lost"}, "fail")]
    desk.start()
    assert desk.ask() == 1, "asked again when it is due, not written again"
    assert len(desk.decisions()) == 1, "it fails still, which is no news"


def test_a_canary_that_the_catalog_no_longer_bears_out_goes_and_so_does_its_failure(desk) -> None:
    desk.sync(hotel(180))
    desk.ask(0)
    desk.ask()
    desk.sync(hotel(180) | {"text": "Trips are booked by the travel desk in person."})
    desk.ask(0.1)
    assert desk.decisions()[-1] == ("canaries", {"fault": "lost"}, "pass")
    assert [json.loads(one.body)["kind"] for one in desk.store.canaries()] == ["changed"]


def test_results_are_kept_as_long_as_configured(desk) -> None:
    desk.sync(hotel(180))
    desk.reply = {"results": [row(hotel(180))]}
    desk.ask(0)
    for _ in range(3):
        desk.ask(61)
    assert len(desk.store.canary_results()) == 3
    desk.ask(timedelta(days=31) / timedelta(minutes=1))
    assert len(desk.store.canary_results()) == 1


def test_secrets_come_from_files_and_the_environment(tmp_path, monkeypatch) -> None:
    desk = Desk(tmp_path, {"headers": {"x-api-key": {"env": "CANARY_KEY"}}})
    with serving(desk) as url:
        with pytest.raises(ConfigError, match="the environment variable CANARY_KEY is not set"):
            desk.open(url)
        desk.store.close()
        monkeypatch.setenv("CANARY_KEY", "s3cret-0815")
        desk.open(url)
        desk.sync(hotel(180))
        desk.ask(0)
        desk.ask()
        assert desk.requests[0][1]["x-api-key"] == "s3cret-0815"
        desk.close()


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ({"body": {"q": "why"}}, "canaries.body: {question} stands nowhere"),
        ({"headers": {"baggage": "a=b"}}, "canaries.headers.baggage: Groundwire sets this header itself"),
        ({"principals": [{"name": "a"}, {"name": "a"}]}, "canaries.principals[1]: duplicate name 'a'"),
    ],
)
def test_wrong_options_are_named(section, problem) -> None:
    options = CanaryOptions.model_validate({"url": "http://127.0.0.1:1", **OPTIONS, **section})
    assert any(line.startswith(problem) for line in options.problems("canaries"))


def test_a_path_that_is_no_jmespath_is_refused() -> None:
    with pytest.raises(ValueError, match="not a JMESPath"):
        CanaryOptions.model_validate({"url": "http://127.0.0.1:1", **OPTIONS, "reply": {"passages": "hits["}})


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULTS)
def test_each_kind_of_fault_is_found_in_one_round_and_a_clean_sync_finds_none(tmp_path, kind) -> None:
    index = PolicyIndex()
    with retriever(index) as url:
        rig = CanaryRig(tmp_path, url, index, random.Random(3), 1, per_entry=3)
        assert rig.round()[0] == set()
        mend = None
        while mend is None:
            mend = injected(kind, rig, rig.amend(3))
        assert rig.round()[0] != set()
        mend()
        assert rig.round()[0] == set()
        rig.close()
