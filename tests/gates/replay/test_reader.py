import json
import re

import numpy as np
import pytest

from gates.base.gate import change_reaches
from gates.replay import reader as recording
from gates.replay.reader import LABELLERS, EvaluationReader
from gates.threshold import ThresholdGate

PLAIN = {"at": "2026-11-01T12:00:00Z", "answer_id": "a", "metric": "m", "value": 1, "probability": 1}


def line(**fields):
    return json.dumps({**PLAIN, **fields}).encode()


def read(*lines, metrics=None):
    reader = EvaluationReader(metrics)
    reader.add(lines)
    return reader.recording()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"{", "unexpected|EOF|end of data"),
        (b"[1]", "expected an object, got list"),
        (b"7", "expected an object, got int"),
        (line(at="2026-11-01T12:00:00"), "timezone"),
        (line(at="yesterday"), "RFC3339"),
        (line(at=1793534400), "at `\\$.at`"),
        (line(at="1970-01-01T00:00:00Z"), "1970 is outside 1971 to 9989"),
        (line(at="9999-12-31T23:59:00Z"), "9999 is outside"),
        (line(probability=0), "> 0"),
        (line(share=1.5), "<= 1"),
        (line(value="NaN"), "float"),
        (line(value=1.01), "1.01 is outside the range of m, 0 to 1"),
        (line(arm="canary"), "canary"),
        (line(slice=["travel"]), "`\\$.slice`"),
        (line(versions={"index": {}}), "`\\$.versions`"),
        (b'{"at": "2026-11-01T12:00:00Z", "metric": "m"}', "missing required field `answer_id`"),
        (b'{"at": "2026-11-01T12:00:00Z", "change": {"kind": "weather"}}', "weather"),
        (b'{"at": "2026-11-01T12:00:00Z", "change": {"kind": "deploy", "versoin": "7"}}', "versoin"),
        (b'{"at": "2026-11-01T12:00:00Z", "change": {"kind": "deploy"}}', "neither version nor scope"),
        (b'{"at": "2026-11-01T12:00:00Z", "change": {"kind": "reference"}}', "component: .* names the gate"),
        (
            b'{"at": "2026-11-01T12:00:00Z", "change": {"kind": "deploy", "scope": {"a": "b"}, "everywhere": true}}',
            "everywhere: scope",
        ),
        (
            b'{"at": "2026-11-01T12:00:00Z", "change": {"kind": "reference", "component": "g", "scope": {"doman": 1}}}',
            "no answer has the dimension 'doman'",
        ),
        (b'{"at": "2026-11-01T12:00:00Z", "change": null}', "change"),
        (b"\xff\xfe", "UTF-8|utf|unexpected|str is not valid"),
        (line(metric="m").replace(b'"m"', b'"\xff"'), "UTF-8|utf|unexpected|str is not valid"),
        (line(note="[" * 5000).replace(b'"[', b"[").replace(b'["', b"["), "."),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_its_number_and_the_rest_is_read(bad, reason):
    found = read(line(), b"", bad, line(answer_id="b"))
    assert [each.number for each in found.bad] == [3]
    assert (found.n_bad, len(found.batch)) == (1, 2)
    assert re.search(reason, found.bad[0].reason)


def test_bad_lines_are_all_counted_and_the_first_are_named():
    found = read(*(b"{" for _ in range(300)))
    assert (found.n_bad, len(found.bad)) == (300, recording.MAX_BAD)


def test_columns_hold_what_the_lines_say():
    told = {"probability": 0.5, "slice": {"d": "x"}, "versions": {"index": "4"}, "cluster": "c"}
    found = read(line(**told, arm="candidate", share=0.25, label=1, value=0.75)).batch
    assert found.groups == (recording.Group("m", (("d", "x"),), (("index", "4"),)),)
    assert (found.value[0], found.probability[0], found.share[0], found.arm[0]) == (0.75, 0.5, 0.25, 2)
    assert found.cluster[0] != 0


def test_what_is_null_is_as_if_it_were_not_there():
    nothing = dict.fromkeys(("slice", "cluster", "versions", "arm", "share", "label"))
    one, other = read(line(**nothing)).batch, read(line()).batch
    assert one.groups == other.groups
    assert all(getattr(one, name).tolist() == getattr(other, name).tolist() for name in ("cluster", "arm", "share"))


def test_numbers_stand_for_names_too():
    found = read(line(slice={"tier": 2}, cluster=7, answer_id=8), line(slice={"tier": "2"}, cluster="7", answer_id=9))
    assert found.n_bad == 0
    assert len(found.batch.groups) == 1
    assert len(set(found.batch.cluster.tolist())) == 1


def test_another_order_of_keys_is_the_same_slice():
    found = read(line(slice={"a": "1", "b": "2"}), line(slice={"b": "2", "a": "1"}, answer_id="b"))
    assert len(found.batch.groups) == 1


def test_a_line_that_stands_there_twice_counts_once():
    found = read(line(), line(answer_id="b"), line(), line() + b"\r")
    assert (len(found.batch), found.repeated) == (2, 2)
    change = b'{"at": "2026-11-01T12:00:00Z", "change": {"kind": "deploy", "version": "7"}}'
    assert (len(read(change, change).changes), read(change, change).repeated) == (1, 1)


def test_an_evaluation_counts_once_however_its_line_is_written():
    told = {"slice": {"a": "1", "b": "2"}, "versions": {"index": "4"}}
    other = json.dumps({**dict(reversed(PLAIN.items())), **told, "value": 1.0, "at": "2026-11-01T13:00:00.000+01:00"})
    found = read(line(**told), line(**told).replace(b": ", b":"), other.encode())
    assert (len(found.batch), found.repeated, found.contradicting) == (1, 2, 0)
    change = b'{"at": "2026-11-01T12:00:00Z", "change": {"kind": "deploy", "version": "7"}}'
    assert (len(read(change, change.replace(b" ", b"")).changes), read(change, change + b" ").repeated) == (1, 1)


@pytest.mark.parametrize("other", [{"value": 0.5}, {"probability": 0.5}, {"versions": {"claim_support": "2"}}])
def test_a_second_evaluation_that_says_something_else_is_not_counted_but_told(other):
    found = read(line(), line(answer_id="b"), line(**other), line(**other), line())
    assert (found.repeated, found.contradicting, len(found.batch)) == (1, 2, 2)
    assert found.batch.value.tolist() == [1, 1]


@pytest.mark.parametrize(
    "other", [{"at": "2026-11-01T12:00:00.000001Z"}, {"metric": "n"}, {"slice": {"d": "x"}}, {"answer_id": "b"}]
)
def test_another_time_metric_slice_or_answer_is_another_evaluation(other):
    found = read(line(), line(**other))
    assert (len(found.batch), found.repeated, found.contradicting) == (2, 0, 0)


def test_evaluations_of_answers_that_were_hardly_ever_drawn_are_counted():
    found = read(line(probability=0.009), line(probability=0.01, answer_id="b"))
    assert (found.improbable, len(found.batch)) == (1, 2)


def test_answers_of_one_instant_have_an_order_that_their_lines_do_not_decide():
    lines = [line(answer_id=f"a{i}", value=i / 50) for i in range(50)]
    forth, back = read(*lines).batch, read(*reversed(lines)).batch
    assert forth.value.tolist() == back.value.tolist()


def test_keys_that_mean_nothing_are_named_and_the_line_is_read():
    found = read(line(q0=0.1), line(q0=0.2, answer_id="b", **{"another key": [{}]}), line(answer_id="c"))
    assert (len(found.batch), found.n_bad, found.unknown) == (3, 0, ("q0", "another key"))


def test_more_unknown_keys_than_can_be_named_are_read_over():
    lines = [line(answer_id=f"a{i}", **{f"key{i}": i}) for i in range(200)]
    found = read(*lines)
    assert (len(found.batch), found.n_bad) == (200, 0)
    assert len(found.unknown) == recording.MAX_NAMED


def test_metrics_that_nobody_asked_for_are_counted_whatever_their_values():
    found = read(line(), line(metric="latency", value=3.2), metrics={"m"})
    assert (len(found.batch), found.others, found.n_bad) == (1, {"latency": 1}, 0)


def test_a_mark_at_the_start_of_a_file_is_no_part_of_its_first_line():
    assert len(read(b"\xef\xbb\xbf" + line()).batch) == 1


def test_a_dimension_with_a_value_for_every_answer_is_refused(monkeypatch):
    monkeypatch.setattr(recording, "MAX_GROUPS", 10)
    with pytest.raises(ValueError, match="more than 10 combinations"):
        read(*(line(slice={"answer": str(i)}) for i in range(11)))


def test_an_arm_without_its_share_is_counted():
    assert read(line(arm="baseline"), line(arm="candidate", share=0.5)).unrouted == 1
    found = read(line(arm="baseline", share=0), line(answer_id="b", arm="baseline"), line(answer_id="c", share=0))
    assert (found.unrouted, found.unspread) == (1, 1)


def test_times_are_read_to_the_microsecond_in_any_zone():
    found = read(line(at="2026-11-01T13:00:00.000001+01:00"), line(at="2026-11-01T12:00:00Z"))
    assert np.diff(found.batch.at).tolist() == [1]


def test_a_scorers_change_reaches_only_the_gates_that_listen_to_it():
    said = b'{"at": "2026-11-01T12:00:00Z", "change": {"kind": "scorer", "component": "m"}}'
    m, n = (ThresholdGate(type="threshold", name=name, metric=name, at_least=0.5) for name in "mn")
    (noted,), (judge,) = read(said).changes, read(said.replace(b'"m"', b'"judge"')).changes
    reached = [change_reaches(gate, each.change.kind, each.component) for each in (noted, judge) for gate in (m, n)]
    assert reached == [True, False, True, True]


def test_a_label_by_a_person_is_read_with_how_likely_it_was():
    batch = read(line(label=1, label_probability=0.25), line(answer_id="b", label="supported")).batch
    assert sorted(zip(batch.truth.tolist(), batch.drawn.tolist(), strict=True)) == [(0.0, 0.0), (1.0, 0.25)]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"label": 7, "label_probability": 0.5}, "label: 7 is outside the range of m, 0 to 1"),
        ({"label_probability": 0.5}, "label_probability: given without a label"),
        ({"labeller": "human", "label": "supported"}, "labeller: given without a number as the label"),
        ({"labeller": "nobody", "label": 1}, "Invalid enum value 'nobody' - at `$.labeller`"),
    ],
)
def test_a_label_that_cannot_be_is_refused_with_the_reason(wrong, reason):
    assert [each.reason for each in read(line(**wrong)).bad] == [reason]


def test_an_answer_that_came_without_a_score_is_read_and_is_no_value():
    found = read(line(), line(answer_id="b", value=None)).batch
    assert sorted(found.unscored.tolist()) == [False, True]
    assert found.of_metric("m").tolist() == (~found.unscored).tolist()
    assert found.without_value("m").tolist() == found.unscored.tolist()


def test_a_label_that_was_sent_later_is_no_second_evaluation():
    sent = line(label=1, label_probability=0.25, labeller="human", arrived="2026-01-02T00:00:00Z")
    found = read(line(), sent, sent, line(label=0, label_probability=0.25, labeller="gold"))
    assert (found.repeated, found.contradicting) == (1, 1)
    assert found.batch.drawn.tolist() == [0.0, -0.25]
    assert found.batch.truth.tolist() == [0.0, 1.0]
    assert found.labeller.tolist() == [0, LABELLERS["human"]]
