import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.traffic import policy_trace

GOLDEN = Path(__file__).parents[1] / "golden" / "traces"


def adapt(*arguments, stdin=None):
    command = [sys.executable, "-P", "-m", "collector.cli", "adapt", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, input=stdin)


def rows(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_recorded_traces_give_their_golden_answers():
    traces = sorted(GOLDEN.glob("*.otlp.pb"))
    result = adapt("--attribute", "tenant=tenant", "--attribute", "region=deployment.region", *traces)
    assert (result.returncode, result.stderr) == (0, b"")
    expected = [trace.with_name(trace.name.replace(".otlp.pb", ".answers.jsonl")).read_text() for trace in traces]
    assert result.stdout.decode() == "".join(expected)


def test_standard_input_gzip_and_its_own_output_are_read(tmp_path):
    data = policy_trace(1, at=1_780_000_000_000_000_000).SerializeToString()
    direct = adapt("-", stdin=data)
    packed = tmp_path / "trace.pb.gz"
    packed.write_bytes(gzip.compress(data))
    assert rows(adapt(packed)) == rows(direct)
    again = tmp_path / "answers.jsonl"
    again.write_bytes(direct.stdout)
    assert rows(adapt(again)) == rows(direct)
    assert rows(direct)[0]["answer"] == "The hotel limit is 180 EUR per night [1]."


def test_an_attribute_can_be_taken_from_a_key():
    data = policy_trace(1, at=1_780_000_000_000_000_000).SerializeToString()
    (row,) = rows(adapt("-", "--attribute", "area=domain", stdin=data))
    assert row["attributes"] == {"area": "travel"}


def test_what_cannot_be_read_is_named_and_hides_nothing(tmp_path):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text('{"question": "q", "answer": "a"}\n')
    bad.write_text(
        '{"question": "q", "answer": "a"}\n{"question": 1, "answer": "a"}\n{"question": "q", "anwser": "a"}\n'
    )
    result = adapt(bad, good)
    assert result.returncode == 1
    assert len(rows(result)) == 2
    errors = result.stderr.decode().splitlines()
    assert len(errors) == 2
    assert all("bad.jsonl" in error for error in errors)
    assert "line 2" in errors[0]
    assert "question" in errors[0]
    assert "line 3" in errors[1]


@pytest.mark.parametrize("content", [b"\x1f\x8bbroken", b"\x00\x01\x02 garbage \xff" * 50, b"{", b"\xff" * 2000])
def test_garbage_is_an_error_that_names_the_file(tmp_path, content):
    file = tmp_path / "garbage"
    file.write_bytes(content)
    result = adapt(file)
    assert result.returncode in (1, 2)
    assert b"garbage" in result.stderr
    assert b"Traceback" not in result.stderr


def test_a_missing_file_and_a_wrong_option_are_usage_errors(tmp_path):
    assert adapt(tmp_path / "nowhere").returncode == 2
    assert adapt("-", "--attribute", "domain", stdin=b"").returncode == 2
