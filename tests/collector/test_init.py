"""A configuration that is written from traffic: it is valid, explained, and alarms when it should."""

import contextlib
import itertools
import json
import time
from datetime import UTC, datetime, timedelta

import pytest
import yaml

from collector.configuration.file import load
from collector.demo import corpus
from collector.demo.assistant import PolicyAssistant
from collector.demo.story import write_source
from collector.demo.telemetry import instrumented, otlp_exporter
from gates.inputs.observations import Batch, Observation
from tests.agent import Agent
from tests.command import command, one_object
from tests.disk import fill_up, small_disk
from tests.traffic import merged, policy_trace, rag_trace

DOMAINS = ("travel", "leave", "it")
GATES = ["freshness", "support", "support-by-domain", "support-drift", "canary"]


def traffic(**options):
    now = time.time_ns()
    return merged(
        [
            policy_trace(
                i, domain=DOMAINS[i % 3], at=now + i * 10**9, metadata={"request": f"r{i}", "tier": "a"}, **options
            )
            for i in range(30)
        ]
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("traffic") / "traces.pb"
    path.write_bytes(traffic().SerializeToString())
    return path


@pytest.fixture(scope="module")
def proposal(file):
    """What was said, and the file that was written, for a file of traces."""
    said, _ = written(file.parent, str(file))
    return said, file.parent / "groundwire.yaml"


def written(tmp_path, *arguments, name="groundwire.yaml"):
    done = command("init", *arguments, "--out", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, (tmp_path / name).read_text()


@pytest.mark.slow
def test_slices_catalog_and_gates_are_found_in_a_file_of_traces(proposal):
    said, path = proposal
    config = load(path.read_text(), where="groundwire.yaml")
    assert [(each.name, each.cap) for each in config.slices] == [("service", 10), ("domain", 10)]
    assert config.traces.attributes == {"domain": "domain"}
    assert config.catalog.learn is not None
    assert [gate.name for gate in config.gates] == GATES
    assert config.gates[0].by == ("domain",)
    # A release is announced for a service.
    assert config.gates[-1].by == ("service",)
    assert "domain (3 seen, cap 10)" in said
    assert "stay without domain: gates judge them as __none__ until they leave the window" in said
    checked = command("check", "--config", "groundwire.yaml", cwd=path.parent)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_each_part_says_what_was_seen_and_what_to_expect(proposal):
    text = proposal[1].read_text()
    comments = "\n".join(line for line in text.splitlines() if "#" in line)
    assert "from 30 answers, about 3,600 an hour" in comments
    assert "# 3 seen: it, leave, travel" in comments
    assert "Of 30 passages 30 name their document, 30 a version or effective dates, 0 when it was modified." in comments
    assert "Seen: 0.0 % of 30 scored answers." in comments
    assert "If half of the answers become bad it fails after about 22 in all" in comments
    assert "Other keys of your traffic: request, tier." in comments


@pytest.mark.slow
def test_a_catalog_of_documents_is_named_where_there_is_one(tmp_path, file):
    (tmp_path / "policies.yaml").write_text("documents: [{id: TRV-1, version: '3', effective_from: 2026-01-01}]\n")
    _, text = written(tmp_path, str(file), "--catalog", str(tmp_path / "policies.yaml"))
    assert load(text, where="x").catalog.path == tmp_path / "policies.yaml"


def test_a_catalog_of_files_gets_a_gate_on_copies_that_are_older_than_their_files(tmp_path):
    """All files have the date of a checkout; every fourth answer rests on a chunk from before its file was changed."""
    now = {"id": "travel.md", "text": "Hotels cost up to 160 EUR a night.", "modified_at": "2026-11-01T09:30:07Z"}
    (tmp_path / "catalog.jsonl").write_text(f"{json.dumps(now)}\n")
    rows = [
        {
            "id": f"a-{number}",
            "question": "What may a hotel cost?",
            "answer": f"Hotels cost up to {limit} EUR a night.",
            "passages": [
                {
                    "id": "c",
                    "doc_id": "travel.md",
                    "text": f"Hotels cost up to {limit} EUR a night.",
                    "modified_at": "2024-06-12T08:00:00Z",
                }
            ],
            "started_at": f"2026-11-02T10:00:{number:02}Z",
        }
        for number, limit in enumerate([120, 160, 160, 160] * 10)
    ]
    (tmp_path / "answers.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    said, text = written(tmp_path, "answers.jsonl", "--catalog", "catalog.jsonl")
    config = load(text, where="x")
    assert config.gates[0].metric == "index_copy_outdated"
    assert "stale_source_use" not in {gate.metric for gate in config.gates}
    assert "Of 40 passages 40 name their document, 0 a version or effective dates, 40 when it was modified." in text
    assert "# Seen: 25.0 % of the passages of 40 scored answers that can be compared." in text
    assert "# Repair these, then lower the limit to 0.05." in text
    assert "index-copies" in said
    _, alone = written(tmp_path, "answers.jsonl", name="alone.yaml")
    assert "groundwire catalog from directory DIR --out catalog.jsonl" in alone


@pytest.mark.slow
def test_the_agent_that_was_watched_is_followed_where_it_listens_and_with_what_it_has(tmp_path):
    (tmp_path / "groundwire-token").write_text("t0ken")
    (tmp_path / "read").mkdir()
    rows = list(handbook(20))
    (tmp_path / "read" / "answers.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    sources = [{"type": "files", "paths": [str(tmp_path / "read" / "*.jsonl")]}]
    receive = {"otlp_http": {"port": 0, "token": "hunter2"}, "queue_bytes": 4_194_304}
    with Agent(tmp_path, receive=receive, sources=sources) as agent:
        url = f"http://{agent.http}"
        agent.until(lambda: len(scored(agent)) >= 20)
        said, text = written(tmp_path, "--watch", "1s", "--url", url, name="new.yaml")
    config = load(text, where="new.yaml")
    assert config.data == tmp_path / "data"
    assert config.http.port == 0
    assert config.receive.queue_bytes == 4_194_304
    assert config.sources[0].paths == (str(tmp_path / "read" / "*.jsonl"),)
    assert "hunter2" not in text
    assert "# receive.otlp_http.token_file: its secret is not told." in text
    assert config.receive.otlp_http.guarded, "without its secret the listener stays closed"
    assert "stop that one first" in said


@pytest.mark.slow
def test_what_was_watched_is_scored_with_the_catalog_that_is_given(tmp_path):
    """The agent has no catalog yet, so its own scores tell nothing of what was superseded."""
    entries = [
        {"id": "TRV-1", "version": version, "text": f"Hotels cost up to {limit} EUR a night.", "effective_from": since}
        for version, limit, since in (("2", 120, "2025-01-01"), ("3", 160, "2026-01-01"))
    ]
    entries[1]["supersedes"] = ["TRV-1@2"]
    (tmp_path / "catalog.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
    (tmp_path / "read").mkdir()
    rows = [
        {
            "id": f"a-{number}",
            "question": "What may a hotel cost?",
            "answer": f"Hotels cost up to {limit} EUR a night.",
            "passages": [
                {"id": "c", "doc_id": "TRV-1", "version": version, "text": f"Hotels cost up to {limit} EUR a night."}
            ],
            "started_at": f"2026-11-02T10:00:{number:02}Z",
        }
        for number, (version, limit) in enumerate([("2", 120), ("3", 160), ("3", 160), ("3", 160)] * 5)
    ]
    (tmp_path / "read" / "answers.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with Agent(tmp_path, sources=[{"type": "files", "paths": [str(tmp_path / "read" / "*.jsonl")]}]) as agent:
        agent.until(lambda: len(scored(agent)) >= 20)
        url = f"http://{agent.http}"
        _, text = written(tmp_path, "--watch", "1s", "--url", url, "--catalog", "catalog.jsonl", name="new.yaml")
        nowhere = command("init", "--url", url, "--catalog", "katalog.jsonl", "--out", "more.yaml", cwd=tmp_path)
    assert load(text, where="new.yaml").gates[0].metric == "stale_source_use"
    assert "# Seen: 25.0 % of 20 scored answers." in text
    assert "katalog.jsonl: no such file" in nowhere.stderr, "it is told before a minute of watching"


def handbook(n, *, bad=0, hour=10):
    """Lines of an assistant over a handbook of four domains, every ``bad``th of them wrong."""
    rules = {
        "hr": ("The probation period lasts six months.", "The probation period lasts three months."),
        "it": ("Passwords need at least 14 characters.", "Passwords need at least 8 characters."),
        "travel": ("Hotels are paid up to 150 EUR a night.", "Hotels are paid up to 190 EUR a night."),
        "office": ("Reception is open from 8 am to 6 pm.", "Reception is open from 7 am to 10 pm."),
    }
    start = datetime(2026, 11, 2, hour, tzinfo=UTC)
    for number in range(n):
        domain, (right, wrong) = list(rules.items())[number % 4]
        yield {
            "id": f"{hour}-{number}",
            "question": "What is the rule?",
            "answer": wrong if bad and number // 4 % bad == 0 else right,
            "passages": [{"text": right, "doc_id": domain}],
            "attributes": {"domain": domain},
            "started_at": (start + timedelta(seconds=24 * number)).isoformat(),
        }


def judged(path, config, *rows):
    """Return by gate its last state over answers of a file, as the gates of a configuration replay them."""
    (path / "all.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = command("score", "all.jsonl", "--config", str(config), "--json", "--metrics", "claim_support", cwd=path)
    assert done.returncode == 0, done.stderr
    values = {row["answer_id"]: row["value"] for row in map(json.loads, done.stdout.splitlines())}
    observed = Batch.of(
        Observation(
            at=datetime.fromisoformat(row["started_at"]),
            answer_id=row["id"],
            metric="claim_support",
            value=values[row["id"]],
            probability=1,
            slice=row["attributes"],
        )
        for row in rows
    )
    at = datetime.fromisoformat(rows[-1]["started_at"]) + timedelta(seconds=1)
    gates = [gate for gate in load(config.read_text(), where="x").gates if gate.type == "threshold"]
    return {gate.name: gate.verdict(gate.fold(gate.initial(), observed), at).state for gate in gates}


@pytest.mark.slow
def test_gates_of_own_traffic_pass_it_and_fail_once_half_of_the_answers_are_wrong(tmp_path):
    usual = list(handbook(300))
    (tmp_path / "usual.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in usual))
    written(tmp_path, "usual.jsonl")
    config = tmp_path / "groundwire.yaml"
    assert judged(tmp_path, config, *usual)["support"] == "pass"
    fresh = list(handbook(120, bad=2, hour=20))
    assert judged(tmp_path, config, *fresh) == {"support": "fail", "support-by-domain": "fail"}
    # Right after two good hours, of which the window still holds one.
    assert judged(tmp_path, config, *usual, *handbook(120, bad=2, hour=12))["support"] == "fail"


def test_windows_hold_the_answers_that_their_gates_need(tmp_path):
    (tmp_path / "usual.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in handbook(300)))
    _, text = written(tmp_path, "usual.jsonl")
    gates = {gate.name: gate for gate in load(text, where="x").gates}
    assert gates["support"].window == timedelta(hours=1)
    assert gates["support-by-domain"].window > timedelta(hours=2)


def test_a_file_that_is_there_is_left_as_it_is(tmp_path, file):
    (tmp_path / "groundwire.yaml").write_text("mine: 1\n")
    done = command("init", str(file), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == "groundwire: --out groundwire.yaml: is there already, and is left as it is; give another name\n"
    )
    assert (tmp_path / "groundwire.yaml").read_text() == "mine: 1\n"


def test_attributes_of_answers_in_lines_are_slices_where_they_cut_traffic(tmp_path):
    rows = [
        {"question": "Who?", "answer": "The board.", "attributes": {"region": ("eu", "us")[i % 2], "request": f"r{i}"}}
        for i in range(20)
    ]
    (tmp_path / "answers.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    said, text = written(tmp_path, "answers.jsonl")
    assert "region (2 seen, cap 10)" in said
    assert [each.name for each in load(text, where="x").slices] == ["service", "region"]


def test_answers_without_keys_and_dates_give_a_configuration_that_says_what_is_missing(tmp_path):
    rows = [json.dumps({"question": "Who?", "answer": "The board decides it."}) for _ in range(5)]
    (tmp_path / "answers.jsonl").write_text("\n".join(rows) + "\n")
    _, text = written(tmp_path, "answers.jsonl")
    assert load(text, where="x").gates == ()
    assert "No key cuts this traffic into a few slices" in text
    assert "nothing is known of what is in force" in text
    assert "`groundwire doctor` says what is absent" in text


def test_passages_that_do_not_name_their_document_get_no_catalog_but_the_keys_that_may_hold_it(tmp_path):
    passage = {"text": "Visitors may stay until eight.", "metadata": {"blatt": "VIS-9", "rev": "7"}}
    row = {"question": "How late?", "answer": "Until eight.", "passages": [passage]}
    (tmp_path / "answers.jsonl").write_text(f"{json.dumps(row)}\n" * 20)
    _, text = written(tmp_path, "answers.jsonl")
    assert load(text, where="x").catalog is None
    assert "Of 20 passages 0 name their document" in text
    assert "name the key that holds it under `traces` above, as `passages: {doc_id: [KEY]}`" in text
    assert "# Keys of their metadata: blatt, rev." in text


def test_names_and_values_of_senders_stay_text(tmp_path):
    now = time.time_ns()
    hostile = {"a: b\n#": "x", "team": 'y"\n  - {name: evil}'}
    traces = [
        rag_trace(f"t{i}", question="q", answer="a", at=now, service="s\ngates: []", metadata=hostile | {"team": value})
        for i, value in enumerate(itertools.islice(itertools.cycle([hostile["team"], "z"]), 12))
    ]
    (tmp_path / "traces.pb").write_bytes(merged(traces).SerializeToString())
    _, text = written(tmp_path, "traces.pb")
    assert [each["name"] for each in yaml.safe_load(text)["slices"]] == ["service", "team"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("empty.jsonl",), "empty.jsonl: question: missing"),
        (("none.jsonl",), "No such file"),
        (("--watch", "soon"), "--watch: "),
        (("--watch", "1s", "--url", "http://127.0.0.1:9"), "cannot reach the agent"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_is_written(tmp_path, arguments, problem):
    (tmp_path / "empty.jsonl").write_text("{}\n")
    done = command("init", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert problem in done.stderr
    assert not (tmp_path / "groundwire.yaml").exists()


@contextlib.contextmanager
def assistant(agent):
    """The application of the demo, which sends its spans to an agent."""
    with instrumented(otlp_exporter(f"http://{agent.otlp_http}/v1/traces")) as provider:
        asked = PolicyAssistant(corpus.INDEXED)
        questions = itertools.cycle(corpus.QUESTIONS)

        def ask(count):
            for question in itertools.islice(questions, count):
                asked.ask(question.text, domain=question.domain)
            provider.force_flush()

        yield ask


@pytest.mark.slow
def test_the_gates_for_the_traffic_of_the_demo_alarm_in_its_story(tmp_path):
    source = tmp_path / "policies.yaml"
    write_source(source, corpus.source_before())
    (tmp_path / "watched").mkdir()
    with Agent(tmp_path / "watched", catalog={"path": str(source)}, slices=[{"name": "service"}]) as agent:
        url = f"http://{agent.http}"
        nobody = command("init", "--watch", "100ms", "--url", url, cwd=tmp_path)
        assert f"no answer came to {url} within 0.1 s" in nobody.stderr
        with assistant(agent) as ask:
            ask(120)
            agent.until(lambda: len(scored(agent)) >= 100)
            _, text = written(tmp_path, "--watch", "1s", "--url", url)
    config = load(text, where="groundwire.yaml")
    assert [each.name for each in config.slices] == ["service", "domain"]
    assert config.catalog.path == source
    assert config.gates[0].at_most == 0.05

    (tmp_path / "run").mkdir()
    agent = Agent(tmp_path / "run")
    ports = ("http.port=0", "receive.otlp_http.port=0", "receive.otlp_grpc.port=0")
    faster = ("traces.idle=200ms", "judge.tick=200ms", "catalog.poll=100ms")
    settings = [part for each in (*ports, *faster) for part in ("--set", each)]
    agent.arguments = ["run", "--config", str(tmp_path / "groundwire.yaml"), *settings]
    with agent, assistant(agent) as ask:
        ask(40)
        agent.until(lambda: len(scored(agent)) >= 40)
        assert agent.get("/v1/gates/freshness")[1]["state"] != "fail"
        write_source(source, corpus.source_after(corpus.expenses_v3(now())))
        failing = agent.until(lambda: failed(agent, ask), seconds=240)
        states = {part["slice"]["domain"]: part["state"] for part in failing["slices"]}
    assert states.pop(corpus.STALE_DOMAIN) == "fail"
    assert "fail" not in states.values()


def scored(agent):
    return [row for row in agent.get("/v1/answers?limit=1000")[1]["answers"] if row["evaluation"]]


def failed(agent, ask):
    ask(8)
    body = agent.get("/v1/gates/freshness")[1]
    return body if body["state"] == "fail" else None


def now():
    from datetime import UTC, datetime

    return datetime.now(UTC)


@pytest.mark.slow
def test_programs_are_told_what_is_in_the_configuration(file, proposal, tmp_path):
    done = command("init", str(file), "--out", "new.yaml", "--json", cwd=tmp_path)
    told = one_object(done, "init")
    assert (done.returncode, done.stderr, told["configuration"], told["answers"]) == (0, "", "new.yaml", 30)
    config = load((tmp_path / "new.yaml").read_text(), where="x")
    assert [(each["name"], each["cap"]) for each in told["slices"]] == [(each.name, each.cap) for each in config.slices]
    assert told["gates"] == [gate.name for gate in config.gates]
    assert (told["catalog"], told["new_slices"]) == (None, ["domain"])
    slices = [f"{each['name']} ({each['seen']} seen, cap {each['cap']})" for each in told["slices"]]
    for part in (*slices, *told["gates"]):
        assert part in proposal[0]
    both = command("init", str(file), "--out", "-", "--json", cwd=tmp_path)
    problem = "groundwire: --json: says what was written; give --out FILE, not --out -\n"
    assert (both.returncode, both.stderr) == (2, problem)


UNREAD = '{"id": "a", "question": "Why?", "answer": "So.", "pasages": []}\n'


def test_lines_that_cannot_be_read_are_named_with_the_reason(tmp_path):
    (tmp_path / "bad.jsonl").write_text(UNREAD * 3)
    done = command("init", "bad.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("groundwire: bad.jsonl: line 1: pasages: unknown field")
    assert done.stderr.endswith(" (2 more records cannot be read either)\n")
    assert list(tmp_path.iterdir()) == [tmp_path / "bad.jsonl"]


def test_a_configuration_from_the_rest_says_which_line_was_not_read(tmp_path):
    (tmp_path / "some.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in handbook(40)) + UNREAD)
    done = command("init", "some.jsonl", cwd=tmp_path)
    assert (done.returncode, "written from 40 answers" in done.stdout) == (0, True)
    assert done.stderr.startswith("groundwire: some.jsonl: line 41: pasages: unknown field")
    assert done.stderr.endswith("; the configuration is written without it\n")


def test_files_without_an_answer_say_what_there_is_instead(tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    done = command("init", "empty.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "groundwire: empty.jsonl: no answer in it; give traces or answers\n")


@pytest.mark.slow
def test_a_full_disk_leaves_no_empty_configuration_behind(file, tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        fill_up(disk)
        target = disk / "groundwire.yaml"
        done = command("init", str(file), "--out", str(target), cwd=tmp_path)
        problem = f"groundwire: --out {target}: cannot be written: No space left on device\n"
        assert (done.returncode, done.stderr) == (2, problem)
        listing = command("catalog", "from", "directory", str(tmp_path), "--out", str(disk / "c.jsonl"), cwd=tmp_path)
        problem = f"groundwire: --out {disk}/c.jsonl: cannot be written: No space left on device"
        assert (listing.returncode, listing.stderr.splitlines()[-1]) == (2, problem)
        assert [each.name for each in disk.iterdir()] == ["others"]
