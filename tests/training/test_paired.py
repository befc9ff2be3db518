"""Paired passages, and what the encoder learns from them."""

from collections import Counter

import pytest

from training.encoderexample import CONTRADICTED, OPEN, SUPPORTED, Example, read, write
from training.encoderpaired import of_paired
from training.pairs import paired

ITEM = """? May I park overnight?
A Guests may park from 6 pm to 8 am. Trailers are not permitted.
B Nobody may park at night. Trailers stand behind the house.
ec Yes, guests can leave the car until 8 in the morning. They cannot bring a trailer.
ce A trailer has its place behind the house.
nn Parking costs 3 EUR.
"""


@pytest.fixture(scope="module")
def every():
    return list(paired.items())


def test_statements_are_right_by_one_passage_and_wrong_by_the_other(every):
    assert len(every) > 1000
    letters = Counter(mark for item in every for mark, _ in item.statements)
    crossed = letters["ec"] + letters["ce"]
    assert crossed > 0.75 * letters.total()
    assert abs(letters["ec"] - letters["ce"]) < 0.05 * crossed


def test_items_are_whole(every):
    for item in every:
        marks = {mark for mark, _ in item.statements}
        assert {"ec", "ce"} <= marks, item.group
        assert item.passages[0] != item.passages[1], item.group
        texts = [text for _, text in item.statements]
        assert len(texts) >= 8, item.group
        assert len(set(texts)) == len(texts), item.group


def test_no_statement_is_told_twice(every):
    texts = Counter(text for item in every for _, text in item.statements)
    assert sum(count - 1 for count in texts.values()) < 0.01 * texts.total()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ex May I?", "x.txt, item 1: 'ex' is no label; two of e, n, c are expected"),
        ("e May I?", "x.txt, item 1: 'e' is no label; two of e, n, c are expected"),
        ("ec", "x.txt, item 1: a question"),
    ],
)
def test_what_has_another_form_is_named(tmp_path, line, said):
    (tmp_path / "x.txt").write_text(ITEM + line)
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        list(paired.items(tmp_path))


def test_a_statement_stands_beside_both_passages_with_the_label_of_each(tmp_path):
    (tmp_path / "x.txt").write_text(ITEM)
    item = next(paired.items(tmp_path))
    found = list(of_paired([item], 1, 3))
    assert found == list(of_paired([item], 1, 3))
    whole = [each for each in found if each.kind == "paired"]
    assert [each.label for each in whole] == [SUPPORTED, CONTRADICTED, OPEN, CONTRADICTED, SUPPORTED, OPEN]
    assert all("park" in each.premise or "Trailers" in each.premise for each in found)
    assert whole[0].hypothesis == f"{item.question} {item.statements[0][1]}"
    assert whole[0].spans == ()
    assert whole[1].spans is None


def test_examples_are_read_as_they_were_written(tmp_path, capsys):
    given = [
        Example("a", "b", SUPPORTED, (), "paired", "paired", "g"),
        Example("a", "c", CONTRADICTED, ((0, 1),), "frames", "number", "g"),
        Example("a", "d", OPEN, None, "paired", "unrelated", "g"),
    ]
    write(tmp_path / "x.jsonl", given)
    assert read(tmp_path / "x.jsonl") == given
    assert capsys.readouterr().out == "x.jsonl: 3 examples: 1 supported, 1 open, 1 contradicted\n"
