"""Laws over the registry: every notifier does these, and a new one is held to them by being registered."""

import json
from contextlib import contextmanager
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.notify import NOTIFIERS
from collector.notify.base import EMPTY
from collector.notify.notice import Notice
from collector.outbound.errors import Refused, Unreachable
from tests.collector.notify.bench import AT, NAMES, ROLL_BACK, Bench, decision, deployed, notice, options
from tests.collector.sources.server import serving

TYPES = [get_args(kind.model_fields["type"].annotation)[0] for kind in NOTIFIERS]
TOKEN = "t0ken-of-a-test"
HOSTILE = 'x"} \n\r\t\u2028 <script> \x00 ü 😀 ' + "y" * 5000

each = pytest.mark.parametrize("kind", TYPES)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@contextmanager
def opened(tmp_path, kind, url, **given):
    token = tmp_path / "token"
    token.write_text(TOKEN)
    notifier = options(tmp_path, type=kind, url=url, token_file=str(token), timeout="5s", **given).open("notify[0]")
    try:
        yield notifier
    finally:
        notifier.close()


def planned(notifier, *notices, memory=EMPTY):
    """What is said of decisions, one after the other and all together."""
    messages = []
    for one in notices:
        plan = notifier.decided(one, memory, now=AT)
        memory = plan.memory
        messages += plan.notifications
    return [*messages, *notifier.standing(notices, memory, now=AT).notifications]


def sent(notifier, message):
    """What became of a message, and why; any other exception is a defect."""
    try:
        notifier.send(message, now=AT)
    except Refused as refusal:
        return "refused", refusal.reason
    except Unreachable as error:
        return "later", error.reason
    return "taken", ""


FAILURE = notice(slice_={"service": "helpdesk", "domain": "travel"}, recommended=ROLL_BACK, changes=[deployed()])


@each
def test_a_failure_is_told(tmp_path, kind):
    with opened(tmp_path, kind, "http://127.0.0.1:1") as notifier:
        assert planned(notifier, FAILURE)


@each
def test_a_test_message_says_so_and_is_no_failure(tmp_path, kind):
    with opened(tmp_path, kind, "http://127.0.0.1:1") as notifier:
        message = notifier.trial(NAMES, now=AT)
        assert "nothing is failing" in message.body.decode()
        assert all(b"nothing is failing" not in each.body for each in planned(notifier, FAILURE))
        later = notifier.trial(NAMES, now=AT + 1000)
    assert later.id != message.id


@each
def test_planning_again_says_the_same_under_the_same_ids(tmp_path, kind):
    with opened(tmp_path, kind, "http://127.0.0.1:1") as notifier:
        assert planned(notifier, FAILURE) == planned(notifier, FAILURE)


@each
def test_no_two_decisions_share_an_id(tmp_path, kind):
    rows = Bench(tmp_path, type=kind)
    try:
        for gate in ("fresh", "grounded"):
            for state, previous in (("fail", None), ("pass", "fail"), ("fail", "pass")):
                rows.decide(gate=gate, state=state, previous=previous)
        found = rows.store.decisions()
    finally:
        rows.close()
    with opened(tmp_path, kind, "http://127.0.0.1:1") as notifier:
        notices = [Notice.of(row, NAMES) for row in found]
        messages = planned(notifier, *notices)
    ids = [message.id for message in messages]
    assert len(set(ids)) == len(ids)
    assert all("." not in id_ for id_ in ids)


@each
def test_the_token_goes_with_every_request_and_is_not_repeated_by_an_error(tmp_path, kind):
    seen = []

    def answer(handler):
        handler.rfile.read(int(handler.headers["content-length"]))
        seen.append(handler.headers["authorization"])
        handler.give(401, seen[-1].encode())

    with serving(answer) as url, opened(tmp_path, kind, url) as notifier, pytest.raises(Unreachable) as caught:
        notifier.send(planned(notifier, FAILURE)[0], now=AT)
    assert seen == [f"Bearer {TOKEN}"]
    assert TOKEN not in caught.value.reason


@each
@settings(max_examples=10, deadline=None)
@given(status=st.integers(200, 599).filter(lambda status: status not in {204, 304}), body=st.binary(max_size=200))
def test_whatever_a_receiver_answers_the_message_is_taken_refused_or_tried_again(tmp_path_factory, kind, status, body):
    def answer(handler):
        handler.rfile.read(int(handler.headers["content-length"]))
        handler.give(status, body)

    with serving(answer) as url, opened(tmp_path_factory.getbasetemp(), kind, url) as notifier:
        outcome, reason = sent(notifier, planned(notifier, FAILURE)[0])
    assert outcome == ("taken" if status < 300 else "refused" if status in {400, 413, 422} else "later")
    assert "\n" not in reason


@each
@settings(max_examples=10, deadline=None)
@given(gate=texts, value=texts, reason=texts)
def test_whatever_stands_in_a_decision_arrives_as_json(tmp_path_factory, kind, gate, value, reason):
    bodies = []

    def answer(handler):
        bodies.append(handler.rfile.read(int(handler.headers["content-length"])))
        handler.give(200)

    recommended = ROLL_BACK.model_copy(update={"reason": reason, "scope": {"service": value}, "version": value})
    given_ = notice(gate=gate, slice_={"domain": value}, recommended=recommended, changes=[deployed(version=value)])
    with serving(answer) as url, opened(tmp_path_factory.getbasetemp(), kind, url) as notifier:
        for message in planned(notifier, given_):
            notifier.send(message, now=AT)
    assert bodies
    assert all(json.loads(body) for body in bodies)


@each
def test_hostile_text_stays_where_it_belongs(tmp_path, kind):
    requests = []

    def answer(handler):
        requests.append((handler.requestline, dict(handler.headers.items())))
        handler.rfile.read(int(handler.headers["content-length"]))
        handler.give(200)

    hostile = notice(slice_={"domain": HOSTILE}, recommended=ROLL_BACK.model_copy(update={"reason": HOSTILE}))
    with serving(answer) as url, opened(tmp_path, kind, url) as notifier:
        for message in planned(notifier, hostile):
            notifier.send(message, now=AT)
    assert len(requests) == 1
    assert not any("script" in value for value in requests[0][1].values())


@each
@pytest.mark.parametrize("record", ['{"gate": "of another version"}', "no JSON", "[]"])
def test_a_row_whose_record_cannot_be_read_is_told_and_nothing_is_done(tmp_path, kind, record):
    given_ = {"rollback": {"dry_run": False}} if kind == "webhook" else {}
    broken = replace(decision(recommended=ROLL_BACK), record=record)
    with opened(tmp_path, kind, "http://127.0.0.1:1", **given_) as notifier:
        [message] = planned(notifier, Notice.of(broken, NAMES))
    assert message.kind != "rollback.requested"
