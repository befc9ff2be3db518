"""What is pushed to an Alertmanager: who an alert is, how long it lasts, and when it is over."""

import json
import re

import pytest

from collector.notify.notice import stamp
from tests.collector.notify.bench import AT, HOUR, ROLL_BACK, SECOND, deployed, notice, options, rated
from tests.collector.sources.server import serving

TRAVEL = {"service": "helpdesk", "domain": "travel"}


class Alerts:
    """Keeps what is pushed."""

    def __init__(self):
        self.pushes = []
        self.statuses = []

    def __call__(self, handler):
        assert (handler.path, handler.headers["content-type"]) == ("/prefix/api/v2/alerts", "application/json")
        body = handler.rfile.read(int(handler.headers["content-length"]))
        status = self.statuses.pop(0) if self.statuses else 200
        if status == 200:
            self.pushes.append(json.loads(body))
        handler.give(status)

    def last(self):
        return {(alert["labels"]["gate"], alert["labels"].get("domain")): alert for alert in self.pushes[-1]}


@pytest.fixture
def alerts():
    return Alerts()


@pytest.fixture
def bench(make, alerts):
    with serving(alerts) as url:
        yield make(type="alertmanager", url=f"{url}/prefix/", labels={"cluster": "eu"})


def test_an_alert_is_its_gate_and_slice_and_says_the_rest_beside(bench, alerts):
    bench.decide(recommended=ROLL_BACK)
    bench.decide(slice_=TRAVEL, recommended=ROLL_BACK)
    bench.run()
    whole, part = alerts.last()["fresh", None], alerts.last()["fresh", "travel"]
    assert whole["labels"] == {
        "alertname": "GroundwireGateFailing",
        "gate": "fresh",
        "severity": "page",
        "cluster": "eu",
    }
    assert part["labels"] == {
        "alertname": "GroundwireSliceFailing",
        "gate": "fresh",
        "severity": "ticket",
        "cluster": "eu",
        **TRAVEL,
    }
    assert part["annotations"] | {"runbook_url": "", "recommended": ""} == {
        "metric": "stale_source_use",
        "summary": "Gate fresh failed for service=helpdesk, domain=travel: stale_source_use was worse than allowed",
        "description": "As of 2026-05-28 20:26 UTC: at most 0.1, and it is 0.4.",
        "cause": "not known; no change is recorded in the day before",
        "first_step": "Roll back release of service=helpdesk from 2.1 to 2.0: release from 2.0 to 2.1",
        "link": "https://groundwire.example.com/slices/fresh?domain=travel&service=helpdesk",
        "decision": "https://groundwire.example.com/decisions/2",
        "example": "https://groundwire.example.com/answers/a1",
        "runbook_url": "",
        "recommended": "",
    }
    assert part["annotations"]["recommended"] == "roll_back: release from 2.0 to 2.1"
    assert part["annotations"]["runbook_url"].endswith("runbook.md#groundwireslicefailing")
    assert part["generatorURL"] == part["annotations"]["link"]
    assert (part["startsAt"], part["endsAt"]) == (stamp(AT), stamp(AT + 300 * SECOND))
    assert not re.search(r"\d{4}-\d\d|0\.\d", json.dumps([whole["labels"], part["labels"]]))
    assert bench.counted() == {"sent": 2}


def test_an_objective_is_a_ticket_or_a_page_and_the_one_ends_where_the_other_begins(bench, alerts):
    bench.append(rated("ticket", previous=None, at=bench.now))
    bench.run()
    [ticket] = alerts.pushes[-1]
    assert (ticket["labels"]["alertname"], ticket["labels"]["severity"]) == ("GroundwireObjectiveTicket", "ticket")
    worse = bench.now
    bench.append(rated("page", previous="fail", at=worse))
    bench.run(60)
    told = {each["labels"]["alertname"]: each for each in alerts.pushes[-1]}
    page = told["GroundwireObjectivePage"]
    assert (page["labels"]["severity"], page["startsAt"]) == ("page", stamp(worse))
    assert told["GroundwireObjectiveTicket"]["endsAt"] == stamp(worse)
    assert page["annotations"]["runbook_url"].endswith("runbook.md#groundwireobjectivepage")
    better = bench.now
    bench.append(rated("ticket", previous="fail", at=better))
    bench.run(60)
    told = {each["labels"]["alertname"]: each["endsAt"] for each in alerts.pushes[-1]}
    assert told["GroundwireObjectivePage"] == stamp(better)
    assert told["GroundwireObjectiveTicket"] > stamp(bench.now)


def test_an_alert_that_lasts_no_longer_asks_for_a_rollback_that_was_made(bench, alerts):
    bench.decide(recommended=ROLL_BACK, changes=[deployed()])
    bench.run()
    assert alerts.last()["fresh", None]["annotations"]["recommended"] == "roll_back: release from 2.0 to 2.1"
    bench.change("2.0", scope={"service": "helpdesk"})
    bench.run(60)
    told = alerts.last()["fresh", None]["annotations"]["recommended"]
    assert told.startswith("hold: release 2.1 is no longer served: release changed to 2.0 at ")


def test_what_fails_is_sent_again_before_it_ends_under_the_same_labels_and_start(bench, alerts):
    bench.decide()
    bench.run()
    bench.run(59)
    assert len(alerts.pushes) == 1
    for _ in range(100):
        before = bench.now
        bench.run(60)
        [alert] = alerts.pushes[-1]
        assert alert["labels"] == alerts.pushes[0][0]["labels"]
        assert alert["startsAt"] == stamp(AT)
        assert stamp(bench.now) < alert["endsAt"]
        assert alerts.pushes[-2][0]["endsAt"] > stamp(before)
    assert bench.counted() == {"sent": 1}


def test_what_recovered_is_sent_as_over_for_five_minutes_and_no_longer(bench, alerts):
    bench.decide()
    bench.run()
    bench.now += 60 * SECOND
    ended = bench.now
    bench.decide(state="pass", previous="fail")
    bench.run(10)
    for _ in range(10):
        bench.run(60)
    over = [push for push in alerts.pushes[1:] if push]
    assert all(alert["endsAt"] == stamp(ended) and alert["startsAt"] == stamp(AT) for [alert] in over)
    assert 4 <= len(over) <= 6
    count = len(alerts.pushes)
    bench.run(60)
    assert len(alerts.pushes) == count


def test_a_new_failure_within_these_minutes_is_a_new_alert(bench, alerts):
    bench.decide()
    bench.run()
    bench.decide(state="pass", previous="fail")
    bench.run(10)
    bench.now += 20 * SECOND
    bench.decide(state="fail", previous="pass")
    again = bench.now
    bench.run(10)
    [alert] = alerts.pushes[-1]
    assert alert["startsAt"] == stamp(again)
    assert alert["endsAt"] > stamp(bench.now)


def test_a_restart_goes_on_with_what_fails_and_ends_what_recovered_meanwhile(bench, alerts):
    bench.decide()
    bench.decide(gate="grounded")
    bench.run()
    bench.decide(gate="grounded", state="pass", previous="fail")
    bench.now += 30 * SECOND
    bench.start()
    bench.run()
    found = alerts.last()
    assert found["fresh", None]["endsAt"] > stamp(bench.now)
    assert found["grounded", None]["endsAt"] == stamp(AT)


def test_a_gate_that_was_taken_out_of_the_configuration_ends(bench, alerts):
    bench.decide()
    bench.decide(gate="retired")
    bench.run()
    assert set(alerts.last()) == {("fresh", None)}
    bench.step.gates = ("grounded",)
    bench.run(60)
    assert alerts.last()["fresh", None]["endsAt"] == stamp(bench.now)


def test_after_a_long_outage_what_still_fails_is_told_and_what_is_over_is_not(bench, alerts):
    alerts.statuses = [503]
    bench.decide()
    bench.decide(gate="grounded")
    bench.run()
    bench.decide(gate="grounded", state="pass", previous="fail")
    bench.now += 2 * HOUR
    bench.run(1000)
    assert set(alerts.last()) == {("fresh", None)}
    assert bench.counted() == {"sent": 1, "expired": 2}


def test_what_was_over_before_it_could_be_told_is_neither_sent_nor_lost(bench, alerts):
    bench.decide()
    bench.decide(state="pass", previous="fail")
    bench.run()
    assert alerts.pushes == []
    assert bench.counted() == {"skipped": 2}


def test_slices_are_left_out_on_request(make, alerts):
    with serving(alerts) as url:
        bench = make(type="alertmanager", url=f"{url}/prefix", slices=False)
        bench.decide(slice_=TRAVEL)
        bench.decide()
        bench.run()
    assert set(alerts.last()) == {("fresh", None)}
    assert bench.counted() == {"sent": 1, "skipped": 1}


def test_one_that_is_down_is_tried_often_enough_that_no_alert_ends_by_itself(bench, alerts):
    bench.decide()
    bench.run()
    alerts.statuses = [503] * 30
    for _ in range(35):
        bench.run(61)
    assert alerts.statuses == []
    assert len(alerts.pushes) >= 3


def test_many_alerts_go_in_several_requests(bench, alerts):
    rows = [{"domain": f"d{number}"} for number in range(70)]
    for row in rows:
        bench.decide(slice_=row)
    bench.run()
    assert {len(push) for push in alerts.pushes[-2:]} == {64, 6}


def test_an_alert_lasts_longer_where_it_is_sent_more_rarely(tmp_path):
    notifier = options(tmp_path, type="alertmanager", resend="10m").open("notify[0]")
    [message] = notifier.standing([notice()], {}, now=AT).notifications
    assert json.loads(message.body)[0]["endsAt"] == stamp(AT + 2400 * SECOND)
    notifier.close()
