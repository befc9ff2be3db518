import json

import pytest

from collector.catalog.files import listed
from collector.catalog.snapshot import BuildOrder, BuiltCatalog, Mapped, RefusedCatalog, build, opened
from scorers.catalog import Document


@pytest.fixture
def order(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()

    def order(*, learned=(), before=None, **texts):
        for name, text in texts.items():
            stem, _, ending = name.rpartition("_")
            (folder / f"{stem}.{ending}").write_text(text)
        return BuildOrder(listed(folder), tmp_path / "made", tuple(learned), before)

    return order


def test_files_of_every_format_make_one_catalog(order):
    made = build(
        order(
            a_yaml="documents: [{id: A, version: 4.10}]",
            b_jsonl='{"id": "B", "supersedes": ["A"], "text": "one\u2028two"}\n',
            c_csv='\ufeffid;version;supersedes;permitted;text\r\nC;1;A@4.10|B;x| y;"a; ""b""\nc"\r\n',
        )
    )
    assert isinstance(made, BuiltCatalog)
    catalog = Mapped(str(made.path)).open()
    assert [document.reference for document in catalog.documents] == ["A@4.10", "B", "C@1"]
    assert catalog.documents[1].text == "one\u2028two"
    third = catalog.documents[2]
    assert (third.supersedes, third.permitted, third.text) == (("A@4.10", "B"), ("x", "y"), 'a; "b"\nc')
    assert (made.entries, made.documents, made.digest) == (3, 3, catalog.digest)


def test_problems_of_all_files_are_told_with_their_lines(order):
    refused = build(
        order(
            a_yaml="documents:\n- {id: A}\n- {id: B, titel: x}",
            b_jsonl='{"id": "C"}\n{"id": 7, "authority": 7}',
            c_csv='id,version\nD\nE,"open',
        )
    )
    assert isinstance(refused, RefusedCatalog)
    assert [problem.rpartition("/")[2] for problem in refused.problems] == [
        "a.yaml: line 3: documents[1].titel: unknown key (did you mean title?)",
        "b.jsonl: line 2.authority: expected a number from 0 to 1, not '7'",
        "c.csv: line 2: expected 2 cells, one for each key; found 1",
        "c.csv: line 3: not CSV: unexpected end of data",
    ]


def test_links_between_files_hold_and_twins_are_named_with_both_places(order):
    assert isinstance(build(order(a_jsonl='{"id": "A"}', b_jsonl='{"id": "B", "supersedes": "A"}')), BuiltCatalog)
    (problem,) = build(order(b_jsonl='{"id": "A"}')).problems
    assert problem.endswith("/a.jsonl: line 1")
    assert "b.jsonl: line 1.id: duplicate entry A, first listed at /" in problem


@pytest.mark.parametrize(
    ("ending", "text", "problem"),
    [
        ("yaml", "documents: [&a [x], *a]", "aliases are not allowed"),
        ("yaml", "&a documents: [*a, *a]", "aliases are not allowed"),
        ("yaml", "documents: " + "[" * 100_000, "nested deeper"),
        ("jsonl", "[" * 100_000, "not JSON"),
        ("jsonl", '{"id": "\\ud800"}', "unpaired surrogate"),
        ("jsonl", '{"id": "T", "text": {"id": 1}}', "expected a single value"),
        ("csv", "id,text\nT," + "x" * 200_000, "field larger than field limit"),
        ("csv", 'id,text\nT,"' + "x\n" * 200_000, "not CSV"),
        ("csv", "", "empty; expected a header row of keys"),
        ("csv", "id,id\nT,U", "duplicate key"),
        ("csv", "id,nonsense\nT,U", "unknown key"),
        ("csv", "," * 100_000 + "\n" + "," * 100_000, "unknown key"),
    ],
)
def test_hostile_files_are_refused(order, ending, text, problem):
    result = build(order(**{f"x_{ending}": text}))
    assert isinstance(result, RefusedCatalog)
    assert problem in result.problems[0]
    assert all(len(told) < 1000 for told in result.problems)


def test_what_is_declared_is_never_overruled_by_what_was_learned(order):
    learned = (
        Document(id="A", version="9", supersedes=("1",)),
        Document(id="L", version="1"),
        Document(id="L", version="2", supersedes=("1", "gone", "A@1")),
    )
    made = build(order(a_jsonl='{"id": "A", "version": "1"}', learned=learned))
    assert isinstance(made, BuiltCatalog)
    catalog = Mapped(str(made.path)).open()
    assert [document.reference for document in catalog.documents] == ["A@1", "L@1", "L@2"]
    assert catalog.supersession("L", "1")[0].reference == "L@2"
    assert catalog.supersession("A", "1") == ()


def test_a_change_is_told_from_the_catalog_before(order):
    first = build(order(a_jsonl='{"id": "A"}'))
    second = build(order(a_jsonl='{"id": "A", "text": "x"}\n{"id": "B"}', before=first.path))
    assert first.change.before is None
    assert (second.change.before, second.change.after) == (first.digest, second.digest)
    assert (second.change.added.count, second.change.changed.first[0].detail) == (1, "text")


def test_an_older_layout_is_as_good_as_none(order, tmp_path):
    (tmp_path / "old.packed").write_bytes(b"something else entirely")
    (tmp_path / "empty.packed").touch()
    for name in ("old.packed", "empty.packed", "gone.packed"):
        assert opened(tmp_path / name) is None
        assert isinstance(build(order(a_jsonl='{"id": "A"}', before=tmp_path / name)), BuiltCatalog)


def test_a_directory_that_cannot_be_written_is_a_problem(order, tmp_path):
    (tmp_path / "made").write_text("")
    result = build(order(a_jsonl=json.dumps({"id": "A"})))
    assert isinstance(result, RefusedCatalog)
    assert "cannot be written" in result.problems[0]
