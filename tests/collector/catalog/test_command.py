import json

import pytest

from collector.catalog.files import CatalogFile
from collector.catalog.snapshot import BuildOrder, build
from tests.command import command

OLD = """documents:
  - {id: TRV, version: 2.0, effective_from: 2024-01-01, authority: 0.9, text: The hotel limit is 150 EUR.}
  - {id: TRV, version: 3.0, effective_from: 2025-01-01, supersedes: 2.0, text: The hotel limit is 180 EUR.}
  - {id: MEMO, role: memo, permitted: [board], text: Hotels are under review.}
"""
NEW = OLD.replace("0.9", "0.8").replace("{id: MEMO", "{id: NEWS, supersedes: TRV@3.0")


@pytest.fixture
def catalogs(tmp_path):
    (tmp_path / "old.yaml").write_text(OLD)
    (tmp_path / "new.yaml").write_text(NEW)
    return tmp_path


def run(*arguments, cwd):
    return command("catalog", *arguments, cwd=cwd)


def test_check_tells_everything_at_once_and_by_its_exit_code(catalogs):
    assert run("check", "old.yaml", cwd=catalogs) == (0, "old.yaml: ok, 3 entries of 2 documents\n", "")
    (catalogs / "bad.yaml").write_text(
        OLD.replace("supersedes: 2.0", "supersedes: 1.0").replace("memo,", "memo, x: 1,")
    )
    code, out, err = run("check", "bad.yaml", cwd=catalogs)
    assert (code, err) == (1, "")
    assert out == "bad.yaml: line 4: documents[2].x: unknown key\n"
    (catalogs / "bad.yaml").write_text(OLD.replace("supersedes: 2.0", "supersedes: 1.0"))
    expected = "bad.yaml: line 3: documents[1].supersedes: TRV@3.0 supersedes 1.0, which is not in the catalog\n"
    assert run("check", "bad.yaml", cwd=catalogs)[:2] == (1, expected)
    code, out, _ = run("check", "bad.yaml", "--json", cwd=catalogs)
    assert (code, json.loads(out)["problems"]) == (1, [expected.strip()])


def test_what_is_odd_is_a_warning_and_strictly_a_problem(catalogs):
    (catalogs / "gap.csv").write_text(
        "id,version,effective_from,effective_to\nT,1,2024-01-01,2024-06-30\nT,2,2025-01-01,\n"
    )
    code, out, _ = run("check", "gap.csv", cwd=catalogs)
    assert code == 0
    assert out.startswith("warning: gap.csv: line 3.effective_from: gap: no version of T is in force from 2024-07-01")
    assert run("check", "gap.csv", "--strict", cwd=catalogs)[0] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "none.yaml"),
        ("check", "old.txt"),
        ("show", "none.packed"),
        ("show", "bad.jsonl"),
        ("diff", "old.yaml", "none.yaml"),
        ("search", "none.yaml", "x"),
        ("show", "old.yaml", "--at", "soon"),
        ("search", "old.yaml", "x", "--model", "nowhere"),
        ("search", "old.yaml"),
    ],
)
def test_what_cannot_be_used_is_exit_code_2(catalogs, arguments):
    (catalogs / "bad.jsonl").write_text("{")
    code, out, err = run(*arguments, cwd=catalogs)
    assert (code, out) == (2, "")
    assert err
    assert "Traceback" not in err


def test_show_says_where_each_version_stands(catalogs):
    code, out, _ = run("show", "old.yaml", "--at", "2024-06-01", cwd=catalogs)
    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    assert rows[1][:3] == ["TRV@2.0", "1", "2024-01-01"]
    assert rows[1][-2:] == ["in", "force"]
    assert rows[2][-4:] == ["not", "yet", "in", "force"]
    code, out, _ = run("show", "old.yaml", "TRV", "--at", "2026-01-01", "--json", cwd=catalogs)
    found = json.loads(out)
    assert [row["standing"] for row in found["editions"]] == ["superseded by TRV@3.0", "in force"]
    assert found["editions"][0]["entries"][0]["text"] == "The hotel limit is 150 EUR."
    assert run("show", "old.yaml", "XYZ", cwd=catalogs)[0] == 1


def test_diff_says_what_became_of_it(catalogs):
    code, out, _ = run("diff", "old.yaml", "new.yaml", cwd=catalogs)
    assert (code, out.splitlines()) == (
        1,
        [
            "+ added      NEWS",
            "- removed    MEMO",
            "~ changed    TRV@2.0 (authority)",
            "! superseded TRV@3.0 (by NEWS)",
            "1 added, 1 removed, 1 changed, 1 superseded",
        ],
    )
    assert json.loads(run("diff", "old.yaml", "new.yaml", "--json", cwd=catalogs)[1])["removed"]["count"] == 1
    assert run("diff", "old.yaml", "old.yaml", cwd=catalogs)[:2] == (0, "no differences\n")


def test_what_an_agent_made_can_be_compared_with_files(catalogs):
    made = build(BuildOrder((CatalogFile(catalogs / "old.yaml", "yaml", "old.yaml"),), catalogs / "data"))
    packed = str(made.path.relative_to(catalogs))
    assert run("diff", packed, "old.yaml", cwd=catalogs)[0] == 0
    assert run("show", packed, "TRV", cwd=catalogs)[0] == 0


def test_search_finds_what_governs(catalogs):
    code, out, _ = run("search", "old.yaml", "What is the hotel limit?", "--at", "2026-01-01", "-n", "1", cwd=catalogs)
    assert (code, out.splitlines()[1].split()[:2]) == (0, ["1.000", "TRV@3.0"])
    everything = json.loads(run("search", "old.yaml", "hotel", "--json", cwd=catalogs)[1])["hits"]
    assert [hit["id"] for hit in everything].count("MEMO") == 1
    guests = json.loads(run("search", "old.yaml", "hotel", "--group", "guests", "--json", cwd=catalogs)[1])["hits"]
    assert [hit["id"] for hit in guests].count("MEMO") == 0
    assert run("search", "old.yaml", "zebra", cwd=catalogs)[:2] == (1, "no entries found\n")


def test_what_a_catalog_says_cannot_steer_the_terminal(catalogs):
    (catalogs / "odd.jsonl").write_text(json.dumps({"id": "\x1b[31mT\n2", "text": "red\x1b[0m\rtext"}))
    for arguments in (("show", "odd.jsonl"), ("search", "odd.jsonl", "text"), ("diff", "old.yaml", "odd.jsonl")):
        out = run(*arguments, cwd=catalogs)[1]
        assert "\x1b" not in out
        assert "\r" not in out


def test_coverage_tells_what_a_catalog_lists_of_what_was_retrieved(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"id": "a.md", "uri": "/srv/a.md"}\n{"id": "b.md", "uri": "/srv/b.md"}\n')
    passages = [{"id": "1", "uri": "/srv/a.md"}, {"id": "2", "uri": "x\x1b[31m", "metadata": {"Ablage": "/srv/b.md"}}]
    answer = {"question": "q", "answer": "a", "passages": passages}
    (tmp_path / "answers.jsonl").write_text(json.dumps(answer) + "\n")
    said = command("catalog", "coverage", "c.jsonl", "answers.jsonl", cwd=tmp_path)
    assert said.returncode == 1
    assert said.stdout.startswith("50.0% of 2 passages in 1 answers are in the catalog\n")
    assert "map traces.passages.uri to Ablage: its values are in the catalog for 1 of 1" in said.stdout
    assert "\x1b" not in said.stdout
    found = command("catalog", "coverage", "c.jsonl", "answers.jsonl", "--json", cwd=tmp_path)
    assert json.loads(found.stdout)["joins"]["uri"] == 1
    (tmp_path / "answers.jsonl").write_text(json.dumps({**answer, "passages": passages[:1]}) + "\n")
    assert command("catalog", "coverage", "c.jsonl", "answers.jsonl", cwd=tmp_path).returncode == 0
