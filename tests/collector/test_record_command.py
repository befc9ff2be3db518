"""`groundwire record` writes a case only where the answers are the true ones."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from adapters.base import AdaptOptions
from adapters.files.read import read
from collector.commands import record as command
from collector.commands.record import record_case
from collector.errors import ConfigError
from tests.command import command as run
from tests.command import one_object

GOLDEN = Path(__file__).parents[1] / "golden" / "traces"
TRACE = GOLDEN / "langchain-basic.otlp.pb"
ANSWER = json.loads((GOLDEN / "langchain-basic.answers.jsonl").read_text())
OPTIONS = ["tenant=tenant", "region=deployment.region"]


def recorded(tmp_path: Path, truth: Any, *files: Path, **changes: Any) -> tuple[int, str]:
    file = tmp_path / "truth.yaml"
    file.write_text(truth if isinstance(truth, str) else json.dumps(truth))
    err = io.StringIO()
    options = {
        "name": "case",
        "folder": tmp_path / "cases",
        "attributes": OPTIONS,
        "force": False,
        "as_json": False,
        "err": err,
    } | changes
    return record_case(files or (TRACE,), file, out=io.StringIO(), **options), err.getvalue()


def test_a_case_whose_answer_is_true_is_a_golden_pair(tmp_path: Path) -> None:
    assert recorded(tmp_path, ANSWER) == (0, "")
    data = (tmp_path / "cases" / "case.otlp.pb").read_bytes()
    lines = (tmp_path / "cases" / "case.answers.jsonl").read_text()
    assert lines == (GOLDEN / "langchain-basic.answers.jsonl").read_text()
    answers = read(data, AdaptOptions(attributes={"tenant": "tenant", "region": "deployment.region"}))
    assert "".join(answer.model_dump_json(exclude_defaults=True) + "\n" for answer in answers) == lines
    assert recorded(tmp_path, ANSWER, force=True) == (0, "")
    assert (tmp_path / "cases" / "case.otlp.pb").read_bytes() == data


def test_passages_may_be_given_by_their_text_and_only_named_fields_are_compared(tmp_path: Path) -> None:
    texts = [passage["text"] for passage in ANSWER["passages"]]
    assert recorded(tmp_path, {"question": ANSWER["question"], "passages": texts})[0] == 0


def test_every_difference_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    truth = {"question": "Why?", "passages": [{"rank": 3}, {"rank": 1}], "tool_calls": [{"name": "x"}], "model": None}
    code, told = recorded(tmp_path, truth)
    assert code == 1
    assert f'answers[0].question: expected "Why?", got "{ANSWER["question"]}"' in told
    assert "answers[0].passages[0].rank: expected 3, got 0" in told
    assert "passages[1]" not in told
    assert "answers[0].tool_calls: expected" in told
    assert not (tmp_path / "cases").exists()


def test_several_files_are_one_case_and_several_answers_a_list(tmp_path: Path) -> None:
    files = (TRACE, GOLDEN / "haystack-basic.otlp.pb")
    assert recorded(tmp_path, [{"framework": "langchain"}, {"framework": "haystack"}], *files)[0] == 0
    code, told = recorded(tmp_path, {"framework": "langchain"}, *files, name="other")
    assert (code, told) == (1, "groundwire: expected 1 answers, got 2\n")


@pytest.mark.parametrize(
    ("truth", "problem"),
    [
        ("qustion: x", "no such field 'qustion'"),
        ("[1]", "answer 0: expected fields"),
        ("{}", "answer 0: expected fields"),
        ("a: [", "line"),
        ("a: &a [*a, *a]", "truth.yaml"),
    ],
)
def test_a_truth_that_is_none_is_refused(tmp_path: Path, truth: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        recorded(tmp_path, truth)


def test_input_that_is_no_trace_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    for content, problem in ((b"none", "file: line 1"), (b'{"question": "q", "answer": "a"}', "holds answers")):
        file.write_bytes(content)
        with pytest.raises(ConfigError, match=problem):
            recorded(tmp_path, ANSWER, file)
    file.write_bytes(b'{"resourceSpans": []}')
    with pytest.raises(ConfigError, match="no spans"):
        recorded(tmp_path, ANSWER, file)
    monkeypatch.setattr(command, "MAX_BYTES", 100)
    with pytest.raises(ConfigError, match="larger than 100 bytes"):
        recorded(tmp_path, ANSWER)


def test_a_case_that_is_there_is_kept_unless_forced(tmp_path: Path) -> None:
    assert recorded(tmp_path, ANSWER)[0] == 0
    with pytest.raises(ConfigError, match=r"case\.otlp\.pb: exists; give --force"):
        recorded(tmp_path, ANSWER)


@pytest.mark.parametrize("name", ["", "../x", ".x", "a/b"])
def test_a_name_is_one_of_a_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="--name"):
        recorded(tmp_path, ANSWER, name=name)


def test_what_is_recorded_is_told_to_programs_too(tmp_path: Path) -> None:
    (tmp_path / "truth.json").write_text(json.dumps({"framework": "langchain"}))
    given = (str(TRACE), "--truth", str(tmp_path / "truth.json"), "--name", "case", "--to", str(tmp_path), "--force")
    said = run("record", *given).stdout
    told = one_object(run("record", *given, "--json"), "record")
    assert (told["case"], told["answers"]) == ("case", 1)
    assert said == f"recorded case with 1 answer: {', '.join(told['files'])}\n"
