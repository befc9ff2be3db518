"""The lines of a run: what is read of them, and what is refused."""

import json

import pytest

from evaluation.comparison.runs import RunLineError, RunReader

LINE = {"answer_id": "a", "metric": "recall", "value": 0.5, "outcome": "scored", "scorer_version": "1"}


def read(*lines):
    reader = RunReader("run")
    for number, line in enumerate(lines, 1):
        reader.add(line if isinstance(line, bytes) else json.dumps(line).encode(), number=number)
    return reader.run()


def test_a_run_holds_values_and_what_was_not_scored():
    absent = LINE | {"answer_id": "b", "value": None, "outcome": "unscored", "evidence": [{"kind": "claim"}]}
    assert read(LINE, absent).values == {"recall": {"a": 0.5, "b": None}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"answer_id": "a", "metr', "not JSON: unexpected end of data, column 25; the record is cut short"),
        (b"\xff\xfe", "not UTF-8, at byte 1"),
        (b"[1]", "Expected `object`, got `array`"),
        (b'{"answer_id": "a", "metric": "m", "value": NaN, "outcome": "scored"}', "value: NaN is no number of JSON"),
        ({name: LINE[name] for name in ("answer_id", "value", "outcome")}, "missing required field `metric`"),
        (LINE | {"value": "0.5"}, "value: Expected `float | null`, got `str`"),
        (LINE | {"value": None}, "value: missing, but the outcome is scored"),
        (LINE | {"outcome": "unscored"}, "value: given, but the outcome is unscored"),
        (LINE | {"outcome": "fine"}, "outcome: Invalid enum value 'fine'"),
        (LINE | {"metric": ""}, "metric: Expected `str` of length >= 1"),
        (LINE | {"attributes": {"tier": 2}}, "attributes[...]: Expected `str`, got `int`"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused_by_its_field(line, message):
    with pytest.raises(RunLineError) as caught:
        read(line)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (LINE, "answer_id: 'a' has a score of recall already, in line 1"),
        (LINE | {"value": 0.9}, "answer_id: 'a' has a score of recall already, in line 1"),
        (LINE | {"answer_id": "b", "scorer_version": "2"}, "scorer_version: recall has '2' here and '1' in line 1"),
        (LINE | {"metric": "precision", "attributes": {"x": "1"}}, "attributes: 'a' has other ones in line 1"),
    ],
)
def test_lines_that_contradict_each_other_are_refused(second, message):
    with pytest.raises(RunLineError) as caught:
        read(LINE, second)
    assert message in str(caught.value)
