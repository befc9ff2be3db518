import gzip
import io
import itertools
import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.base import AdaptOptions
from adapters.detect import read_trace
from adapters.trace import Span, Trace
from adapters.wire.otlp import decode_traces
from adapters.wire.otlp_encode import encode_traces
from collector.commands.adapt import adapt_files
from tests.adapters.files.test_files import as_json
from tests.traffic import policy_trace

GOLDEN = Path(__file__).parents[1] / "golden" / "traces"


def adapt(*arguments, stdin=None):
    command = [sys.executable, "-P", "-m", "collector.cli", "adapt", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, input=stdin)


def rows(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def printed(*files, attributes=()):
    out, err = io.StringIO(), io.StringIO()
    code = adapt_files(files, attributes, out=out, err=err)
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("trace", sorted(GOLDEN.glob("*.otlp.pb")), ids=lambda path: path.name)
def test_recorded_traces_give_their_golden_answers(trace):
    expected = trace.with_name(trace.name.replace(".otlp.pb", ".answers.jsonl")).read_text().splitlines()
    code, out, err = printed(trace, attributes=("tenant=tenant", "region=deployment.region"))
    assert code == 0
    assert all("no answer: no model answered there" in line for line in err.splitlines())
    assert expected or err
    assert [json.loads(line) for line in out.splitlines()] == [
        {"status": "ok", **json.loads(line)} for line in expected
    ]


def test_a_step_between_spans_that_are_read_is_not_called_unread():
    trace_id, scope = "0af7651916cd43dd8448eb211c80319c", {"scope_name": "acme.agent.loop"}
    asked = {"gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": "[]"}
    model = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    agent = Span(trace_id, "a" * 16, None, "invoke_agent", 1, 9, asked)
    loop = Span(trace_id, "b" * 16, "a" * 16, "loop", 2, 8, {"steps": 2}, **scope)
    chat = Span(trace_id, "c" * 16, "b" * 16, "chat m", 3, 4, model)
    options = AdaptOptions()
    assert not read_trace(Trace(trace_id, (agent, loop, chat)), options).unread
    assert read_trace(Trace(trace_id, (agent, loop)), options).unread == {"acme.agent.loop": 1}
    assert not read_trace(Trace(trace_id, (agent, replace(loop, attributes={}))), options).unread


def test_traces_without_an_answer_are_counted_by_what_read_them(tmp_path):
    searched = {"openinference.span.kind": "RETRIEVER", "input.value": "What is the limit?"}
    spans = [Span(f"{n:032x}", "b7ad6b7169203331", None, "search", 1, 2, searched) for n in (1, 2)]
    path = tmp_path / "searches.otlp.pb"
    path.write_bytes(encode_traces(spans))
    told = "2 traces read by openinference hold no answer: no model answered there, and no chain says what it did"
    assert printed(path) == (0, "", f"groundwire: {told}\n")


def test_spans_that_nobody_reads_are_named(tmp_path):
    span = Span("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", None, "call", 1, 2, {"acme.llm.prompt": "Hi"})
    data = encode_traces([replace(span, span_id=f"b7ad6b716920333{n}", scope_name="acme") for n in range(7)])
    path = tmp_path / "acme.otlp.pb"
    path.write_bytes(data)
    code, out, err = printed(path)
    assert (code, out) == (0, "")
    assert err == (
        "groundwire: 7 spans of scope acme: no dialect; see docs/sources.md, or describe one under traces.dialects\n"
    )


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("form", ["pb", "json", "jsonl"])
def test_a_file_cut_short_gives_the_answers_that_are_whole_and_says_what_is_lost(tmp_path, form, packed):
    spans = decode_traces((GOLDEN / "langchain-basic.otlp.pb").read_bytes()).spans
    later = [replace(span, trace_id="0af7651916cd43dd8448eb211c80319c") for span in spans]
    if form == "pb":
        data = encode_traces(spans + tuple(later))
    elif form == "json":
        data = json.dumps(as_json((*spans, *later)), indent=1).encode()
    else:
        data = b"".join(json.dumps(as_json((span,))).encode() + b"\n" for span in (*spans, *later))
    data = data[:-40]
    path = tmp_path / f"cut.{form}"
    path.write_bytes(gzip.compress(data)[:-9] if packed else data)
    code, out, err = printed(path)
    whole = printed(GOLDEN / "langchain-basic.otlp.pb")[1]
    assert code == 1
    assert json.loads(whole) in [json.loads(line) for line in out.splitlines()]
    lines = err.splitlines()
    assert all(line.startswith(f"groundwire: {path}: ") for line in lines)
    assert len(lines) == 1 + packed


def split(path, parts):
    """Write the spans of a recorded trace to as many files, each with a part of it."""
    spans = decode_traces((GOLDEN / "langchain-basic.otlp.pb").read_bytes()).spans
    for n, file in enumerate(files := [path / f"part{n}.pb" for n in range(parts)]):
        file.write_bytes(encode_traces(spans[n::parts]))
    return files


def test_a_trace_spread_over_files_is_one_answer_wherever_they_stand(tmp_path):
    whole = printed(GOLDEN / "langchain-basic.otlp.pb")
    parts = split(tmp_path, 3)
    between = tmp_path / "answers.jsonl"
    between.write_text('{"id": "between", "question": "q", "answer": "a"}\n')
    for files in itertools.permutations(parts):
        assert printed(*files) == whole
    code, out, err = printed(parts[2], between, parts[0], parts[1])
    assert (code, err) == (0, "")
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["between", json.loads(whole[1])["id"]]


def test_a_part_from_a_pipe_is_joined_with_the_rest_from_files(tmp_path):
    parts = split(tmp_path, 2)
    result = adapt("-", parts[1], stdin=parts[0].read_bytes())
    assert result.stdout.decode() == printed(GOLDEN / "langchain-basic.otlp.pb")[1]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_parts_from_pipes_are_joined_in_any_order(tmp_path, order):
    spans = decode_traces((GOLDEN / "langchain-basic.otlp.pb").read_bytes()).spans
    parts = [encode_traces(spans[start::3]) for start in range(3)]
    file, named = tmp_path / "file.pb", tmp_path / "named"
    file.write_bytes(parts[0])
    os.mkfifo(named)
    writer = threading.Thread(target=named.write_bytes, args=(parts[1],), daemon=True)
    writer.start()
    given = [file, named, "-"]
    result = adapt(*(given[index] for index in order), stdin=parts[2])
    writer.join(60)
    assert result.stderr == b""
    assert result.stdout.decode() == printed(GOLDEN / "langchain-basic.otlp.pb")[1]


@pytest.mark.slow
def test_an_output_that_takes_nothing_is_told(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"question": "q", "answer": "a"}\n' * 10_000)
    command = f"{sys.executable} -P -m collector.cli adapt {file}"
    for where, reason in (("/dev/full", "cannot be written: No space left on device"), ("&-", "closed")):
        done = subprocess.run(["sh", "-c", f"{command} >{where}"], capture_output=True, timeout=120, check=False)
        assert (done.returncode, done.stderr.decode()) == (2, f"groundwire: standard output: {reason}\n")
    done = subprocess.run(["sh", "-c", f"{command} | head -n 1"], capture_output=True, timeout=120, check=False)
    assert (len(done.stdout.splitlines()), done.stderr) == (1, b"")


def test_content_in_a_file_of_logs_joins_the_span_in_a_file_of_traces(tmp_path):
    trace, span_id = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    chat = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    traces, logs = tmp_path / "traces.pb", tmp_path / "logs.jsonl"
    traces.write_bytes(encode_traces([Span(trace, span_id, None, "chat m", 10**18, 10**18 + 5, chat)]))

    def message(role, text):
        return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])

    attributes = {
        "gen_ai.input.messages": message("user", "Is it so?"),
        "gen_ai.output.messages": message("assistant", "It is."),
    }
    record = {
        "traceId": trace,
        "spanId": span_id,
        "eventName": "gen_ai.client.inference.operation.details",
        "attributes": [{"key": key, "value": {"stringValue": text}} for key, text in attributes.items()],
    }
    logs.write_text(json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}) + "\n")
    for files in ((traces, logs), (logs, traces)):
        (answer,) = map(json.loads, printed(*files)[1].splitlines())
        assert (answer["question"], answer["answer"], answer["model"]) == ("Is it so?", "It is.", "m")
    assert printed(logs) == (0, "", "")


def test_lines_of_every_kind_may_stand_in_one_file(tmp_path):
    file = tmp_path / "mixed.jsonl"
    run = {
        "id": "01a1f868-675e-710e-9b0f-98b65f2ad19a",
        "run_type": "llm",
        "name": "ChatModel",
        "start_time": "2026-11-20T10:02:34",
        "end_time": "2026-11-20T10:02:35",
        "inputs": {"messages": [[{"type": "human", "data": {"content": "Run?"}}]]},
        "outputs": {"generations": [[{"text": "Run."}]]},
    }
    observation = {
        "id": "o",
        "traceId": "1271fb414973df9f217bd7c8c0b3d497",
        "type": "GENERATION",
        "startTime": "2026-11-20T10:00:00.000Z",
        "endTime": "2026-11-20T10:00:01.000Z",
        "name": "generate",
        "input": '[{"role": "user", "content": "Observed?"}]',
        "output": '{"role": "assistant", "content": "Observed."}',
    }
    phoenix = {
        "id": "U3Bhbjox",
        "context": {"trace_id": "2271fb414973df9f217bd7c8c0b3d497", "span_id": "2271fb414973df9f"},
        "span_kind": "LLM",
        "name": "chat",
        "start_time": "2026-11-20T10:00:00.000001+00:00",
        "end_time": "2026-11-20T10:00:01.000001+00:00",
        "attributes": {
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "Listed?",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "Listed.",
        },
    }
    spans = as_json(decode_traces((GOLDEN / "langchain-basic.otlp.pb").read_bytes()).spans)
    lines = [spans, {"question": "Line?", "answer": "Line."}, run, observation, phoenix, {"neither": 1}]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, err = printed(file)
    answers = {json.loads(line).get("source"): json.loads(line)["answer"] for line in out.splitlines()}
    assert answers.keys() == {None, "openinference", "langsmith", "langfuse"}
    texts = {json.loads(line)["answer"] for line in out.splitlines()}
    assert {"Line.", "Run.", "Observed.", "Listed."} <= texts
    assert (code, err) == (1, f"groundwire: {file}: line 6: question: missing\n")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal_only(tmp_path, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    files = split(tmp_path, 2)
    err = Terminal()
    adapt_files(files, (), out=io.StringIO(), err=err)
    assert "part" in err.getvalue()
    both = Terminal()
    adapt_files(files, (), out=Terminal(), err=both)
    assert both.getvalue() == ""


@pytest.mark.slow
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


def test_a_key_from_a_file_does_not_reach_the_terminal_as_it_is(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"id": "a", "question": "q", "answer": "a", "red\x1b[31m\u202e": 1}) + "\n")
    code, _, err = printed(path)
    assert (code, err.isascii(), err.rstrip("\n").isprintable()) == (1, True, True)
    assert "red\\x1b[31m\\u202e" in err


@pytest.mark.slow
def test_a_missing_file_and_a_wrong_option_are_usage_errors(tmp_path):
    assert adapt(tmp_path / "nowhere").returncode == 2
    assert adapt("-", "--attribute", "domain", stdin=b"").returncode == 2
