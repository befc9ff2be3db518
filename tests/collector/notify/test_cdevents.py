"""Events as CDEvents 0.5 defines them, and when they are sent."""

import json
from uuid import UUID

import jsonschema
import pytest

from tests.collector.notify.bench import AT, HOUR, ROLL_BACK, SECOND, deployed, verified
from tests.collector.sources.server import serving

TEXT = {"type": "string", "minLength": 1}


def closed(required, **properties):
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


REFERENCE = closed(["id"], id=TEXT, source=TEXT | {"format": "uri-reference"})
CONTENTS = {
    "dev.cdevents.incident.detected.0.3.0": closed(
        ["environment"],
        description={"type": "string"},
        environment=REFERENCE,
        service=REFERENCE,
        artifactId=TEXT,
    ),
    "dev.cdevents.service.rolledback.0.3.0": closed(
        ["environment", "artifactId"], environment=REFERENCE, artifactId=TEXT
    ),
}
CONTENTS["dev.cdevents.incident.resolved.0.3.0"] = CONTENTS["dev.cdevents.incident.detected.0.3.0"]


def schema(kind):
    """What the specification asks of an event: mandatory and allowed fields, and their kinds."""
    context = closed(
        ["specversion", "id", "source", "type", "timestamp"],
        specversion=TEXT,
        id=TEXT,
        source=TEXT | {"format": "uri-reference"},
        type={"const": kind},
        timestamp={"type": "string", "format": "date-time"},
        schemaUri=TEXT,
        chainId=TEXT,
        links={"type": "array"},
    )
    subject = closed(["id", "content"], id=TEXT, source=TEXT | {"format": "uri-reference"}, content=CONTENTS[kind])
    return closed(
        ["context", "subject"],
        context=context,
        subject=subject,
        customData={"type": ["object", "string"]},
        customDataContentType={"type": "string"},
    )


class Sink:
    """Keeps events, each with its headers. ``statuses`` are answered first."""

    def __init__(self):
        self.events = []
        self.statuses = []

    def __call__(self, handler):
        body = handler.rfile.read(int(handler.headers["content-length"]))
        status = self.statuses.pop(0) if self.statuses else 202
        if status == 202:
            self.events.append(({name.lower(): value for name, value in handler.headers.items()}, json.loads(body)))
        handler.give(status)

    @property
    def kinds(self):
        return [event["context"]["type"].split(".")[3] for _, event in self.events]

    @property
    def chains(self):
        return {event["context"]["chainId"] for _, event in self.events}


@pytest.fixture
def sink():
    return Sink()


@pytest.fixture
def bench(make, sink):
    with serving(sink) as url:
        yield make(type="cdevents", url=f"{url}/events")


def fail(bench, **fields):
    bench.decide(recommended=ROLL_BACK, changes=[deployed()], **fields)
    bench.run(5)


def recover(bench, **fields):
    bench.decide(state="pass", previous="fail", **fields)
    bench.run(5)


def back(bench, version="2.0", **fields):
    bench.change(version, **{"previous": "2.1", "scope": {"service": "helpdesk"}, **fields})
    bench.run(5)


def test_every_event_is_a_valid_one_in_the_binary_mode_of_cloud_events(bench, sink):
    fail(bench, slice_={"domain": "travel"})
    back(bench)
    recover(bench, slice_={"domain": "travel"})
    assert sink.kinds == ["detected", "rolledback", "resolved"]
    for headers, event in sink.events:
        context = event["context"]
        jsonschema.validate(event, schema(context["type"]))
        assert context["specversion"] == "0.5.0"
        assert headers["content-type"] == "application/cdevents+json; charset=utf-8"
        assert headers["ce-specversion"] == "1.0"
        assert headers["ce-id"] == context["id"] == str(UUID(context["id"]))
        assert headers["ce-type"] == context["type"]
        assert headers["ce-source"] == context["source"] == "/groundwire"
        assert headers["ce-time"] == context["timestamp"]
        assert headers["ce-subject"] == event["subject"]["id"]
    assert bench.counted() == {"sent": 3}


def test_an_incident_and_the_roll_back_that_ends_it_share_a_chain(bench, sink):
    fail(bench)
    back(bench)
    recover(bench)
    detected, rolled_back, resolved = (event for _, event in sink.events)
    assert len(sink.chains) == 1
    assert detected["subject"]["content"] == {
        "description": "at most 0.1, and it is 0.4",
        "environment": {"id": "production"},
        "service": {"id": "helpdesk"},
        "artifactId": "pkg:generic/helpdesk@2.1",
    }
    assert detected["customData"]["recommended"]["action"] == "roll_back"
    assert rolled_back["subject"]["id"] == "helpdesk"
    assert rolled_back["subject"]["content"] == {
        "environment": {"id": "production"},
        "artifactId": "pkg:generic/helpdesk@2.0",
    }
    assert resolved["subject"]["id"] == detected["subject"]["id"]


def test_all_that_fails_by_one_release_is_one_chain_with_one_roll_back(bench, sink):
    fail(bench)
    fail(bench, gate="grounded")
    fail(bench, slice_={"domain": "travel"})
    back(bench)
    back(bench, previous="2.1.1")
    assert sink.kinds == ["detected"] * 3 + ["rolledback"]
    assert len(sink.chains) == 1
    assert len({event["subject"]["id"] for _, event in sink.events}) == 4


def test_what_fails_after_the_rollback_is_still_about_the_release_that_was_taken_back(bench, sink):
    fail(bench)
    back(bench)
    taken_back = deployed("2.0", "2.1", at=AT).model_copy(update={"seq": 6})
    bench.decide(slice_={"service": "helpdesk"}, changes=[deployed(), taken_back])
    bench.run(5)
    back(bench, version="2.1", previous="2.0")
    back(bench)
    assert sink.kinds == ["detected", "rolledback", "detected"]
    assert len(sink.chains) == 1
    assert {event["subject"]["content"]["artifactId"] for _, event in sink.events[::2]} == {"pkg:generic/helpdesk@2.1"}


@pytest.mark.parametrize(
    "row",
    [
        {"version": "2.2"},
        {"version": "1.9"},
        {"kind": "model"},
        {"scope": {"service": "billing"}},
        {"version": "2.1"},
    ],
    ids=str,
)
def test_a_change_that_does_not_bring_the_version_before_back_confirms_nothing(bench, sink, row):
    fail(bench)
    back(bench, **row)
    assert sink.kinds == ["detected"]


def test_a_deployment_of_before_the_incident_confirms_nothing(bench, sink):
    bench.change("2.0", previous="2.1", scope={"service": "helpdesk"})
    bench.now += SECOND
    fail(bench)
    assert sink.kinds == ["detected"]


def test_a_roll_back_is_confirmed_after_the_recovery_and_over_restarts(bench, sink):
    fail(bench)
    recover(bench)
    bench.start()
    bench.now += 5 * HOUR
    back(bench)
    assert sink.kinds == ["detected", "resolved", "rolledback"]
    assert len(sink.chains) == 1


def test_a_roll_back_during_an_outage_is_told_when_the_receiver_is_back(bench, sink):
    fail(bench)
    sink.statuses = [503]
    back(bench)
    assert sink.kinds == ["detected"]
    bench.start()
    bench.run(600)
    assert sink.kinds == ["detected", "rolledback"]


def test_a_roll_back_is_told_after_all_incidents_that_waited_before_it(bench, sink):
    for number in range(60):
        bench.decide(state=("fail", "pass")[number % 2], previous=("pass", "fail")[number % 2])
    bench.decide(gate="grounded", recommended=ROLL_BACK, changes=[deployed()])
    bench.now += SECOND
    back(bench)
    assert sink.kinds[-2:] == ["detected", "rolledback"]


def test_an_incident_without_a_release_is_a_chain_of_its_own(bench, sink):
    bench.decide()
    bench.decide(gate="grounded")
    bench.run()
    back(bench)
    assert sink.kinds == ["detected", "detected"]
    assert len(sink.chains) == 2
    assert not any("artifactId" in event["subject"]["content"] for _, event in sink.events)


def test_a_recovery_of_what_was_never_told_says_nothing(bench, sink):
    recover(bench)
    bench.append(verified())
    bench.run(5)
    assert sink.events == []
    assert bench.counted() == {"skipped": 2}


def test_names_are_encoded_where_they_have_to_be(make, sink):
    with serving(sink) as url:
        bench = make(type="cdevents", url=url, artifact="pkg:oci/rag/{service}@{version}")
        bench.decide(
            recommended=ROLL_BACK.model_copy(update={"scope": {"service": "Büro 1"}}),
            changes=[deployed("2.1+a b", "2.0/x", scope={"service": "Büro 1"})],
        )
        bench.run(1)
        back(bench, version="2.0/x", scope={"service": "Büro 1"})
    (_, detected), (headers, rolled_back) = sink.events
    assert detected["subject"]["content"]["artifactId"] == "pkg:oci/rag/B%C3%BCro%201@2.1%2Ba%20b"
    assert rolled_back["subject"]["id"] == "Büro 1"
    assert headers["ce-subject"] == "B%C3%BCro%201"
    assert bench.now > AT
