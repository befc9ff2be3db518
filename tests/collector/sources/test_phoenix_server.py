"""The Phoenix source against a real Phoenix server."""

import base64
import contextlib
import json
import random
import subprocess
import threading
import time
from pathlib import Path

import psutil
import pytest

from adapters import ADAPTERS
from adapters.detect import AdaptOptions, adapt_trace
from adapters.files.read import read
from adapters.schema import Answer
from adapters.wire.otlp import decode_traces, group
from collector.outbound.errors import Unreachable
from collector.sources import with_scores
from collector.sources.base import AnswerPlace
from collector.sources.phoenix import PhoenixSource
from collector.store.sqlite import open_store
from tests.agent import Agent
from tests.phoenix.same import assert_same
from tests.phoenix.server import ADMIN_SECRET, PYTHON, phoenix_server
from tests.phoenix.traces import count, recorded, renewed

RECORDED = Path(__file__).parents[2] / "golden" / "phoenix"
"""What the server lists of some recorded traces; `pytest --regenerate` on this file writes it anew."""
RECORDED_NAMES = (
    "haystack-hybrid",
    "langchain-abandoned",
    "langchain-dual",
    "langchain-misnamed",
    "langchain-model-fails",
    "llamaindex-conversation",
    "llamaindex-reranked",
)
EVER = "36500d"
KILLS = 4
GENERATIONS = 3
OPTIONS = AdaptOptions(attributes={"domain": "domain"})

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory):
    with phoenix_server(tmp_path_factory.mktemp("phoenix")) as server:
        yield server


@pytest.fixture
def opened():
    """Open sources, and close them after the test."""
    with contextlib.ExitStack() as stack:

        def open_(server, **options):
            source = PhoenixSource(url=server.url, since=EVER, **options).open("sources[0]")
            stack.callback(source.close)
            return source

        yield open_


def pulled(source, cursor=None):
    """Fetch until there is no more; return all spans, and the cursor."""
    spans, more = [], True
    while more:
        batch = source.fetch(cursor, now=time.time_ns())
        assert not batch.malformed
        spans += batch.spans
        cursor, more = batch.cursor, batch.more
    return spans, cursor


def until(check, seconds=240):
    late = threading.Event()
    timer = threading.Timer(seconds, late.set)
    timer.start()
    try:
        while not late.wait(0.05):
            if found := check():
                return found
    finally:
        timer.cancel()
    raise AssertionError(f"not within {seconds} s")


def listed(server, project, n):
    """Return the ``n`` spans of a project as the server lists them, once it has stored them."""
    return until(lambda: len(rows := rows_of(server, project)) == n and rows)


def by_otlp(message):
    spans = decode_traces(message.SerializeToString()).spans
    return [answer for trace in group(spans) for answer in adapt_trace(trace, OPTIONS)]


def test_the_server_of_these_tests_speaks_to_this_machine_only(phoenix):
    process = psutil.Process(phoenix.process.pid)
    sockets = [socket for one in (process, *process.children(recursive=True)) for socket in one.net_connections("inet")]
    listening = [socket.laddr.ip for socket in sockets if socket.status == psutil.CONN_LISTEN]
    assert len(listening) >= 2, "HTTP and gRPC"
    ends = [*listening, *(socket.raddr.ip for socket in sockets if socket.raddr)]
    assert all(ip.removeprefix("::ffff:").startswith("127.") for ip in ends), ends


def test_annotations_by_judges_and_people_are_read_as_scores(phoenix):
    data = dict(recorded())["langchain-dual"]
    message = renewed(data, 41, project="annotated", at=time.time_ns())
    phoenix.send(message.SerializeToString())
    rows = listed(phoenix, "annotated", count(message))
    root = next(row["context"] for row in rows if row["parent_id"] is None)
    trace, span = root["trace_id"], root["span_id"]
    judged = {"score": 0.5, "label": "partly", "explanation": "half of it"}
    for kind, annotation in (
        ("span", {"span_id": span, "name": "qa", "annotator_kind": "LLM", "result": judged, "identifier": "nightly"}),
        ("trace", {"trace_id": trace, "name": "thumbs", "annotator_kind": "HUMAN", "result": {"label": "up"}}),
    ):
        body = json.dumps({"data": [annotation]}).encode()
        status, reply = phoenix.call("POST", f"/v1/{kind}_annotations?sync=true", body)
        assert status == 200, reply
    _, options = with_scores([PhoenixSource(url=phoenix.url, projects=["annotated"], scores=True)])
    source = options.open("sources[0]")
    source.answers = lambda *, after, **_: [AnswerPlace(n, t, s) for n, t, s in ((1, trace, span),) if n > after]
    with contextlib.closing(source):
        page = source.fetch(None, now=time.time_ns())
        unknown = AnswerPlace(2, "ab" * 16, "ab" * 8)
        source.answers = lambda *, after, **_: [unknown] if after < 2 else []
        assert source.fetch(page.cursor, now=time.time_ns()).scores == []
    assert page.malformed == []
    assert [(each.name, each.value, each.label, each.evaluator) for each in page.scores] == [
        ("qa", 0.5, "partly", "nightly"),
        ("thumbs", None, "up", "HUMAN"),
    ]
    assert {each.trace_id for each in page.scores} == {trace}


class Sender(threading.Thread):
    """Sends every recorded trace to Phoenix, in new generations, to two projects and in the end to a third."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.messages = []
        self.failure = None

    def run(self):
        try:
            for generation in range(1, GENERATIONS + 1):
                for name, data in recorded():
                    last = generation == GENERATIONS and name.startswith("haystack")
                    project = "pull-late" if last else "pull-library" if name.startswith("langchain") else "pull-desk"
                    message = renewed(data, generation, project=project, at=time.time_ns())
                    self.server.send(message.SerializeToString())
                    self.messages.append(message)
        except BaseException as error:
            self.failure = error
            raise


def test_an_agent_killed_while_it_pulls_has_every_answer_once_as_by_otlp(phoenix, tmp_path):
    projects = ["pull-library", "pull-desk", "pull-late"]
    source = {
        "type": "phoenix",
        "url": phoenix.url,
        "projects": projects,
        "since": EVER,
        "poll": "200ms",
        "page": 23,
        "resource": {"service.name": "library"},
    }
    agent = Agent(tmp_path, sources=[source])
    sender = Sender(phoenix)
    moments = random.Random(3)
    sender.start()
    agent.start()
    for _ in range(KILLS):
        goal = spans_read(agent) + moments.randint(50, 150)
        agent.until(lambda goal=goal: spans_read(agent) >= goal)
        agent.kill()
        agent.start()
    sender.join(120)
    assert not sender.is_alive()
    assert sender.failure is None
    n_spans = sum(map(count, sender.messages))
    expected = {answer.id: answer for message in sender.messages for answer in by_otlp(message)}
    agent.until(lambda: spans_read(agent) == n_spans)
    answers = agent.until(lambda: settled(agent, expected))
    assert agent.terminate() == 0

    assert answers.keys() == expected.keys()
    for id_, answer in answers.items():
        assert_same(expected[id_], answer.model_copy(update={"flags": answer.flags - {"incomplete_trace"}}))
        assert answer.service == "library"
    with_store = open_store(tmp_path / "data")
    totals = with_store.totals()
    with_store.close()
    assert (totals.accepted, totals.duplicate, totals.pending) == (n_spans, 0, 0)


def spans_read(agent):
    """Return how far the source's stored cursor is, in spans."""
    (source,) = agent.get("/v1/sources")[1]["sources"]
    return sum((source["position"] or {}).get("spans_read", {}).values())


def settled(agent, expected):
    """Return all answers by id once there are as many as expected, made of whole traces."""
    rows, before = [], ""
    while page := agent.get(f"/v1/answers?limit=1000{before}")[1]["answers"]:
        rows += page
        before = f"&before={page[-1]['seq']}"
    answers = {row["answer"]["id"]: Answer.model_validate(row["answer"]) for row in rows}
    assert len(answers) == len(rows)
    return answers if len(answers) == len(expected) else None


NOT_CARRIED = {"google_adk", "openlit"}
"""Of no recorded answer that Phoenix carries: older spans of ADK are steps of answers under the GenAI conventions, and
applications under OpenLIT send their content as log records."""


def test_every_dialect_gives_through_the_server_the_answers_of_otlp(phoenix, opened):
    messages = []
    for generation, (_, data) in enumerate(recorded(None), start=1000):
        messages.append(renewed(data, generation, project="dialects"))
        phoenix.send(messages[-1].SerializeToString())
    expected = {answer.id: answer for message in messages for answer in by_otlp(message)}
    assert {answer.source for answer in expected.values()} >= {adapter.dialect for adapter in ADAPTERS} - NOT_CARRIED
    listed(phoenix, "dialects", sum(map(count, messages)))
    spans, _ = pulled(opened(phoenix, projects=("dialects",), page=999))
    answers = {answer.id: answer for trace in group(spans) for answer in adapt_trace(trace, OPTIONS)}
    assert answers.keys() == expected.keys()
    for id_, answer in answers.items():
        assert_same(expected[id_], answer)


def test_what_is_deleted_on_the_server_makes_nothing_skipped(phoenix, opened):
    generation, sent = 100, {}

    def send(name, data, project="pull-deleting"):
        nonlocal generation
        generation += 1
        message = renewed(data, generation, project=project)
        phoenix.send(message.SerializeToString())
        sent[name] = {span.span_id for span in decode_traces(message.SerializeToString()).spans}
        listed_ids = until(lambda: (ids := span_ids(phoenix, project)) >= sent[name] and ids)
        return sent[name], listed_ids

    traces = dict(recorded())
    send("first", traces["langchain-basic"])
    send("last", traces["haystack-basic"])
    source = opened(phoenix, projects=("pull-deleting", "pull-kept"))
    send("kept", traces["haystack-basic"], project="pull-kept")
    spans, cursor = pulled(source)
    assert {span.span_id for span in spans} == sent["first"] | sent["last"] | sent["kept"]

    highest = max(ids_of(phoenix, "pull-deleting", sent["last"]))
    for span_id in sent["kept"] | sent["last"]:
        assert phoenix.call("DELETE", f"/v1/spans/{span_id}")[0] == 204
    send("again", traces["haystack-basic"])
    assert min(ids_of(phoenix, "pull-deleting", sent["again"])) <= highest, "ids of deleted spans are given away again"
    spans, cursor = pulled(source, cursor)
    assert sent["again"] <= {span.span_id for span in spans}
    assert pulled(source, cursor)[0] == []

    assert phoenix.call("DELETE", "/v1/projects/pull-deleting")[0] == 204
    send("other", traces["haystack-basic"], project="pull-kept")
    spans, cursor = pulled(source, cursor)
    assert {span.span_id for span in spans} == sent["other"]
    assert source.position(cursor)["missing_projects"] == ["pull-deleting"]


def rows_of(server, project):
    rows, cursor = [], ""
    while cursor is not None:
        path = f"/v1/projects/{project}/spans?sort=id&order=asc&limit=1000{cursor and f'&cursor={cursor}'}"
        status, body = server.call("GET", path)
        page = json.loads(body) if status == 200 else {"data": [], "next_cursor": None}
        rows += page["data"]
        cursor = page["next_cursor"]
    return rows


def span_ids(server, project):
    return {row["context"]["span_id"] for row in rows_of(server, project)}


def ids_of(server, project, spans):
    rows = [row for row in rows_of(server, project) if row["context"]["span_id"] in spans]
    return [int(base64.b64decode(row["id"]).partition(b":")[2]) for row in rows]


@pytest.mark.parametrize("name", RECORDED_NAMES)
def test_the_server_still_lists_spans_as_they_were_recorded(phoenix, name, regenerate):
    message = renewed(dict(recorded())[name], 0, project=f"listed-{name}")
    phoenix.send(message.SerializeToString())
    rows = listed(phoenix, f"listed-{name}", count(message))
    for row in rows:
        row.pop("id")
    file = RECORDED / f"{name}.json"
    if regenerate:
        file.write_text("".join(json.dumps(row, sort_keys=True) + "\n" for row in rows))
    assert [json.loads(line) for line in file.read_text().splitlines()] == rows


EXPORT = """
import json, sys
from phoenix.client import Client
url, project, where = sys.argv[1:]
spans = Client(base_url=url).spans
with open(f"{where}/spans.json", "w") as file:
    json.dump(spans.get_spans(project_identifier=project, limit=1000), file)
frame = spans.get_spans_dataframe(project_identifier=project)
frame.to_csv(f"{where}/indexed.csv")
frame.to_csv(f"{where}/plain.csv", index=False)
exact = {"date_unit": "us", "double_precision": 15}
frame.to_json(f"{where}/rows.jsonl", orient="records", lines=True, date_format="iso", **exact)
frame.to_json(f"{where}/rows.json", orient="records", **exact)
frame.to_json(f"{where}/columns.json", **exact)
frame.to_parquet(f"{where}/spans.parquet")
"""


def test_what_the_real_client_exports_gives_the_answers_of_otlp(phoenix, tmp_path):
    traces = dict(recorded())
    names = ("langchain-dual", "langchain-model-fails", "llamaindex-reranked", "haystack-hybrid")
    messages = [renewed(traces[name], 200, project="exported") for name in names]
    for message in messages:
        phoenix.send(message.SerializeToString())
    listed(phoenix, "exported", sum(map(count, messages)))
    subprocess.run([PYTHON, "-c", EXPORT, phoenix.url, "exported", tmp_path], check=True, capture_output=True)
    expected = {answer.id: answer for message in messages for answer in by_otlp(message)}
    files = [*sorted(tmp_path.glob("[!s]*.*")), tmp_path / "spans.json"]
    assert len(files) == 6
    for file in files:
        answers = {answer.id: answer for answer in read(file.read_bytes(), OPTIONS)}
        assert answers.keys() == expected.keys(), file.name
        for id_, answer in answers.items():
            # The server rounds what it puts into a data frame to ten digits.
            assert_same(expected[id_], answer, digits=9)
    (refused,) = read((tmp_path / "spans.parquet").read_bytes(), OPTIONS)
    assert "to_json" in str(refused)


def test_a_server_that_asks_for_a_key_is_read_with_one_and_says_so_without(opened, tmp_path):
    with phoenix_server(tmp_path, auth=True) as server:
        name, data = next(recorded())
        message = renewed(data, 0, project=name)
        server.send(message.SerializeToString(), token=ADMIN_SECRET)
        for key in (None, "wrong-0123456789"):
            source = opened(server, api_key=key)
            with pytest.raises(Unreachable) as refused:
                source.fetch(None, now=time.time_ns())
            assert refused.value.reason.startswith(f"{server.url}/v1/projects: 401 Unauthorized: the credentials")
            assert "wrong" not in refused.value.reason
        file = tmp_path / "key"
        file.write_text(f"{ADMIN_SECRET}\n")
        source = opened(server, api_key_file=file)
        assert until(lambda: len(pulled(source)[0]) == count(message))
