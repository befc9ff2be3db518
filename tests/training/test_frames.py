"""Frames: what the encoder learns from."""

import random
from collections import Counter

import pytest

from training.encodercrossed import of_crossed
from training.encoderexample import CONTRADICTED, OPEN, SUPPORTED
from training.encoderpairs import changed_spans, of_frames
from training.pairs.frames import Frame, frames
from training.pairs.slots import fill, filled

FRAMES = tuple(frames())
FRAME = Frame(
    {"ware": ("toasters", "lamps")},
    told=["{Ware} can be returned within {n} days.", "Returns of {ware} are accepted for {n} days."],
    question=["Can I return {ware}?"],
    same=["Yes, you have {n} days to bring {ware} back."],
    wrong=[("number", "{Ware} can be returned within {n2} days."), ("negation", "{Ware} cannot be returned.")],
    open=["The price of {ware} is paid back in cash."],
)


def test_every_slot_of_every_frame_has_values():
    rng = random.Random(1)
    for frame in FRAMES:
        values = filled(rng, frame.slots)
        wrong = [text for _, text in frame.wrong]
        for text in (*frame.told, *frame.beside, *frame.question, *frame.same, *wrong, *frame.open):
            assert "{" not in fill(text, values)


def test_every_frame_can_be_learned_from():
    assert len(FRAMES) > 300
    assert all(frame.told and frame.same and frame.wrong for frame in FRAMES)
    assert 0.05 < sum(frame.aside for frame in FRAMES) / len(FRAMES) < 0.2


def test_a_line_without_a_mark_is_named_with_its_file(monkeypatch, tmp_path):
    folder = tmp_path / "frames"
    folder.mkdir()
    (folder / "a.txt").write_text("S Leave is paid.\nLeave is not paid.\n")
    (tmp_path / "policies.txt").write_text("")
    monkeypatch.setattr("training.pairs.frames._FOLDER", folder)
    with pytest.raises(ValueError, match=r"a\.txt:2: begins with none of S, D"):
        list(frames())


def test_examples_say_what_the_frame_says():
    found = list(of_frames([FRAME], 3, 1))
    by_kind = {each.kind: each.label for each in found}
    assert (by_kind["same"], by_kind["copy"], by_kind["negation"], by_kind["open"]) == (
        SUPPORTED, SUPPORTED, CONTRADICTED, OPEN,
    )  # fmt: skip
    assert all(each.premise and each.hypothesis for each in found)
    assert found == list(of_frames([FRAME], 3, 1))


def test_the_places_of_wrong_words_are_those_in_what_is_read():
    wrong = [each for each in of_frames([FRAME], 5, 1) if each.kind == "number" and each.spans]
    assert wrong
    for each in wrong:
        assert all(each.hypothesis[start:end].isdigit() for start, end in each.spans or ())


def test_crossed_statements_are_right_and_wrong_by_the_document_alone():
    found = list(of_crossed([FRAME], 40, 1))
    values = Counter(each.label for each in found if each.kind == "value")
    assert values[SUPPORTED] == values[CONTRADICTED] > 0
    swapped = [each for each in found if each.kind == "number right"]
    assert swapped
    for each in swapped:
        number = next(word for word in each.hypothesis.split() if word.isdigit())
        assert f" {number} days" in each.premise
        assert each.label == SUPPORTED
    turned = [each for each in found if each.kind == "negation turned"]
    assert turned
    assert all("cannot" in each.premise and each.label == CONTRADICTED for each in turned)


def test_what_was_left_out_is_marked_at_the_word_behind_it():
    assert changed_spans("not paid in cash", "paid in cash") == ((0, 4),)
