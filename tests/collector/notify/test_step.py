"""The frame: position, order, retries, expiry and counting, with a receiver that does as it is told."""

import pytest

from collector.notify.base import EMPTY, Notification, NotificationPlan, Notifier
from collector.notify.step import NotifyPosition
from collector.outbound.errors import Refused, Unreachable
from tests.collector.notify.bench import AT, HOUR, SECOND, options


class Receiver(Notifier):
    """Takes what is sent, or raises what it is given. Says ``parts`` messages a decision."""

    def __init__(self, parts=1):
        self.parts = parts
        self.sent = []
        self.fails = []

    def decided(self, notice, memory, *, now):
        del now
        names = [f"{notice.gate}-{notice.row.seq}-{part}" for part in range(self.parts)]
        memory = {"count": memory.get("count", 0) + 1}
        return NotificationPlan([Notification(id=name, kind="decision", body=b"{}") for name in names], memory)

    def trial(self, names, *, now):
        del names, now
        return Notification(id="test", kind="test", body=b"{}")

    def send(self, message, *, now):
        del now
        if self.fails and (failure := self.fails.pop(0)):
            raise failure
        self.sent.append(message.id)

    def close(self):
        return


@pytest.fixture
def bench(make):
    return make(type="webhook", notifier=Receiver())


@pytest.fixture
def sent(bench):
    return bench.notifier.sent


def position(bench):
    return NotifyPosition.load(bench.store.cursor("notify:webhook"))


def test_the_first_start_tells_what_is_decided_from_then_on(bench, sent):
    bench.decide()
    bench.options = options(bench.directory, type="webhook", name="later")
    bench.start()
    bench.decide(state="pass", previous="fail")
    bench.run()
    assert sent == ["fresh-2-0"]


def test_a_decision_between_start_and_the_first_look_is_told(bench, sent):
    bench.decide()
    assert sent == []
    bench.run()
    assert sent == ["fresh-1-0"]


def test_what_was_decided_while_the_agent_was_down_is_told_and_nothing_twice(bench, sent):
    bench.decide()
    bench.run()
    bench.decide(state="pass", previous="fail")
    bench.start()
    bench.run()
    bench.start()
    assert bench.step.status.report()["position"]["decision"] == 2, "told before there is anything new"
    bench.run()
    assert sent == ["fresh-1-0", "fresh-2-0"]
    assert position(bench) == NotifyPosition(2, 0, {"count": 2})


def test_a_kill_between_sending_and_the_position_sends_the_same_id_again(bench, sent):
    class Killed(BaseException):
        pass

    bench.decide()
    set_cursor = bench.store.set_cursor

    def kill(*_args, **_options):
        raise Killed

    bench.store.set_cursor = kill
    with pytest.raises(Killed):
        bench.run()
    bench.store.set_cursor = set_cursor
    bench.start()
    bench.run()
    assert sent == ["fresh-1-0", "fresh-1-0"]
    assert position(bench).memory == {"count": 1}


def test_a_receiver_that_is_down_is_tried_ever_more_rarely_and_gets_everything_in_order(bench, sent):
    bench.decide()
    bench.decide(gate="grounded")
    bench.notifier.fails = [Unreachable("http://h: 503")] * 3
    assert bench.run() == 0
    assert bench.metric("groundwire_notify_up") == 0
    report = bench.step.status.report()
    assert (report["state"], report["last_error"]) == ("failing", "http://h: 503")
    bench.run(0.9)
    assert len(bench.notifier.fails) == 2
    for pause in (0.2, 1.6, 2.6):
        bench.run(pause)
    assert sent == ["fresh-1-0", "grounded-2-0"]
    assert bench.metric("groundwire_notify_up") == 1
    assert bench.step.status.state == "ok"
    assert bench.counted() == {"sent": 2}


def test_how_old_the_waiting_decision_is_can_be_seen(bench):
    bench.decide()
    bench.notifier.fails = [Unreachable("down")]
    bench.run(30)
    assert bench.metric("groundwire_notify_lag_seconds") == 30
    bench.run(30)
    bench.run(30)
    assert bench.metric("groundwire_notify_lag_seconds") == 0


def test_what_expired_during_an_outage_is_counted_and_not_sent_as_news(bench, sent):
    bench.decide()
    bench.notifier.fails = [Unreachable("down")]
    bench.run()
    bench.now += HOUR
    bench.decide(gate="grounded")
    bench.run(400)
    assert sent == ["grounded-2-0"]
    assert bench.counted() == {"expired": 1, "sent": 1}


def test_a_decision_of_before_there_were_records_expires_after_an_hour(bench, sent):
    bench.decide(explained=False)
    bench.decide(explained=False, gate="grounded", at=AT - HOUR - SECOND)
    bench.run()
    assert sent == ["fresh-1-0"]
    assert bench.counted() == {"expired": 1, "sent": 1}


def test_a_message_refused_for_good_is_counted_and_holds_up_nothing(bench, sent):
    bench.decide()
    bench.decide(gate="grounded")
    bench.notifier.fails = [Refused("http://h: 400 bad")]
    bench.run()
    assert sent == ["grounded-2-0"]
    assert bench.counted() == {"rejected": 1, "sent": 1}
    assert bench.step.status.report()["position"]["last_rejection"] == "http://h: 400 bad"


def test_only_what_was_asked_for_is_told(make):
    bench = make(type="webhook", gates=["grounded"], slices=False, notifier=Receiver())
    bench.decide()
    bench.decide(gate="grounded", slice_={"domain": "travel"})
    bench.decide(gate="grounded")
    bench.run()
    assert bench.notifier.sent == ["grounded-3-0"]
    assert bench.counted() == {"sent": 1, "skipped": 2}


def test_of_several_messages_those_that_arrived_are_not_sent_again_while_the_next_is_tried(make):
    bench = make(type="webhook", notifier=Receiver(parts=2))
    bench.decide()
    bench.notifier.fails = [None, Unreachable("down")]
    bench.run()
    assert bench.notifier.sent == ["fresh-1-0"]
    assert position(bench) == NotifyPosition(0, 0)
    bench.run(10)
    assert bench.notifier.sent == ["fresh-1-0", "fresh-1-1"]
    assert bench.counted() == {"sent": 1}


def test_a_message_that_the_stop_cut_short_is_left_to_the_next_start(bench, sent):
    bench.decide()
    send = bench.notifier.send

    def stopped(message, *, now):
        send(message, now=now)
        bench.stop.set()

    bench.notifier.send = stopped
    bench.run()
    assert position(bench) == NotifyPosition(0, 0)
    bench.stop.clear()
    bench.notifier.send = send
    bench.start()
    bench.run()
    assert sent == ["fresh-1-0", "fresh-1-0"]


def test_a_long_backlog_is_told_in_order(bench, sent):
    for number in range(60):
        bench.decide(state=("fail", "pass")[number % 2], previous=("pass", "fail")[number % 2])
    bench.run()
    assert sent == [f"fresh-{number}-0" for number in range(1, 61)]


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"\xff", b'{"decision": "x", "change": 1, "memory": {}}', b'{"decision": 1}']
)
def test_a_position_that_cannot_be_read_counts_as_none(data):
    assert NotifyPosition.load(data) is None


def test_a_new_position_remembers_nothing():
    assert NotifyPosition(1, 2).memory == EMPTY
