"""Pages say what is the matter and what to do, for a store with nothing in it as well as for a full one."""

import csv
import io
import json
import re
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from adapters.schema import Answer, Citation, Passage
from collector.agent.running import running
from collector.api.app import Api
from collector.api.pages import answers as answer_pages
from collector.api.pages.explained import EXPLAINED
from collector.api.pages.site import assets
from collector.api.readiness import Readiness
from collector.api.serving import Described, Parts
from collector.configuration.file import load
from collector.configuration.schema import Config
from collector.errors import Transient
from collector.external.judged import judged
from collector.external.options import ExternalMetric
from collector.pipeline.compare_task import compared
from collector.pipeline.unread import UnreadScope
from collector.receivers.guard import ApiTokens
from collector.store.entries import Entry
from collector.store.rows import Adaptation, Chunk, Decision, ExternalRow, Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from gates.base.verdict import SliceVerdict, Verdict
from gates.decisions.record import DecisionRecord, Recommendation
from gates.threshold import ThresholdGate
from scorers import SCORERS
from scorers.base import Env, Evaluation, Evidence, Score, Unscored
from tests.collector.served import NOON, Judge
from tests.external import reception
from tests.pages import EVIL, Page, check_inert

AT = int(NOON.timestamp()) * 10**9
MINUTE = 60 * 10**9
GATE = ThresholdGate(type="threshold", name="fresh", metric="stale_source_use", at_most=0.25, by=("domain",))
METRICS = [each.metric for each in SCORERS if each.metric.name in {"stale_source_use", "faithfulness", "composite"}]
PATHS = (
    "/",
    "/answers",
    "/decisions",
    "/changes",
    "/reports",
    "/documents",
    "/catalog",
    "/canaries",
    "/sources",
    "/configuration",
)
TEXT = "Hotels cost up to 150 EUR per night. Meals cost 40 EUR."


class Bench:
    def __init__(self, directory, *, gates=(GATE,), token=None):
        self.store, self.judge, self.busy = open_store(directory), Judge(), False
        self.api = Api(
            telemetry=(made := reception()).telemetry,
            readiness=Readiness([]),
            gates=[gate.name for gate in gates],
            dimensions=("service", "domain"),
            reception=made,
            version="1",
            tokens=ApiTokens(token),
            metrics=[metric.name for metric in METRICS],
            described=Described(metrics=METRICS, gates=gates, configuration="data: here\nhttp: {token: '**'}\n"),
            clock=lambda: AT + MINUTE,
        )
        self.client = TestClient(self.api.app())
        self.open()

    def open(self, **parts):
        self.api.open(Parts(self.store, self.judge, examine=self.examine, **parts))

    def examine(self, request, *, timeout):
        assert timeout
        if self.busy:
            raise Transient("no worker in time")
        return compared(request, Env(now=request.now))

    def put(
        self,
        name,
        *,
        domain="travel",
        stale=0.0,
        text="Hotels cost up to 150 EUR per night [1].",
        question="How much?",
        document="TRV-1",
        metric="stale_source_use",
        retrieved=False,
        unscored=(),
        trace_id=None,
        at=AT,
    ):
        passage = Passage(id=f"P {name}/", text=TEXT, doc_id="TRV-1", version="2")
        start = text.find("[")
        cited = (Citation(start=start, end=start + 3, marker=text[-4:-1], passage_id=passage.id),) if text else ()
        answer = Answer(
            id=name,
            trace_id=trace_id,
            question=question,
            answer=text,
            passages=(passage,),
            context=(passage.id,),
            citations=cited,
        )
        stored = StoredAnswer(answer, {"service": "desk", "domain": domain}, 1.0, True)
        self.store.append_pulled(Pulled("files", b"", AT, answers=[stored]))
        rests = "claim rests on TRV-1@2, superseded"
        old = Evidence(kind="passage", detail=rests, passage_id=passage.id, start=0, end=36)
        new = Evidence(
            kind="passage" if retrieved else "document",
            detail="TRV-1@3 should have been used: 'Up to 180 EUR.'",
            passage_id=passage.id if retrieved else None,
            doc_id="TRV-1",
            version="3",
        )
        score = Score(
            metric=metric,
            value=stale,
            label="stale" if stale else None,
            evidence=(old, new) if stale else (),
        )
        evaluation = Evaluation(answer_id=name, revision=0, scores=() if unscored else (score,), unscored=unscored)
        row = StoredEvaluation(evaluation, at, AT, stored.slice, 1.0, None, {"model": "m-1"}, document=document)
        self.store.record_evaluations([row])

    def judged(self, **states):
        parts = tuple(
            SliceVerdict(
                slice={"domain": domain},
                state=state,
                reason=f"it is {state}",
                n=40,
                effective_n=40,
                estimate=0.5,
                lower=0.4,
                upper=0.6,
                evidence={"reference": 0.25},
            )
            for domain, state in states.items()
        )
        state = "fail" if "fail" in states.values() else "pass"
        self.judge.verdicts = {
            "fresh": Verdict(
                gate="fresh", state=state, at=NOON, reason="why", no_data=False, policy_version="p", slices=parts
            )
        }

    def page(self, path, status=200):
        response = self.client.get(path, headers={"Accept": "text/html"})
        assert response.status_code == status, response.text
        assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
        assert response.headers["cache-control"] == "no-store"
        return check_inert(response.text)


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "data")
    yield bench
    bench.store.close()


@pytest.mark.parametrize("path", PATHS)
def test_a_page_with_nothing_to_show_says_what_to_do(bench, path):
    page = bench.page(path)
    assert len(page.words.split()) > 40
    assert {"/", "/answers", "/decisions"} <= set(page.links)


def test_what_the_empty_page_of_canaries_says_to_write_can_be_read(bench):
    (said,) = re.findall(r"canaries: \{.*\}\}", bench.page("/canaries").words)
    config = load(f"catalog: {{path: .}}\n{said}", where="page")
    assert config.canaries.reply.passages == "results"


def test_without_a_gate_the_overview_says_to_add_one(tmp_path):
    bench = Bench(tmp_path / "data", gates=())
    assert "No gate is configured" in bench.page("/").words
    bench.store.close()


def test_the_overview_counts_the_scores_of_other_evaluators_as_values(tmp_path, monkeypatch):
    tone = ExternalMetric(name="tone", bounds=(0, 1)).metric
    monkeypatch.setattr("tests.collector.pages.test_pages.METRICS", [*METRICS, tone])
    gate = ThresholdGate(type="threshold", name="kind", metric=tone.name, at_least=0.5)
    bench = Bench(tmp_path / "data", gates=(gate,))
    for name in "abc":
        bench.put(name)
    told = {"value": 0.9, "probability": 1.0, "source": "api", "at": AT, "recorded_at": AT}
    said = [ExternalRow(metric=tone.name, answer_id=name, **told) for name in "ab"]
    bench.store.record_external(said, judged)
    assert "external.tone 2 of 3 no score of it has come" in bench.page("/").words
    bench.store.close()


def _passing(record):
    passing = {"state": "pass", "previous_state": "fail", "slice": {"domain": "leave"}, "recommended": None}
    return record.model_copy(update=passing).model_dump_json()


def test_the_overview_says_what_fails_where_and_what_is_recommended(bench):
    bench.put("a")
    bench.judged(leave="pass", travel="fail")
    record = DecisionRecord(
        gate="fresh",
        policy_version="p",
        slice={},
        state="fail",
        previous_state="pass",
        reason="it is fail",
        at=NOON,
        since=None,
        expires_at=NOON,
        metrics=("stale_source_use",),
        causes_excluded=(),
        causes_open=(),
        recommended=Recommendation(action="quarantine_documents", reason="the index is old", documents=("TRV-1",)),
    )
    failed = Decision(AT, "fresh", {}, "fail", "pass", "{}", record=record.model_dump_json())
    passed = Decision(AT + 1, "fresh", {"domain": "leave"}, "pass", "fail", "{}", record=_passing(record))
    bench.store.save_checkpoint("g", 0, b"", [failed, passed])
    page = bench.page("/")
    assert "Gate fresh fails: domain=travel." in page.words
    assert (
        "Index TRV-1 anew in the version in force, or take the copies out until then: the index is old. Likely cause"
        in page.words
    )
    assert page.words.index("domain=travel fail") < page.words.index("domain=leave pass"), "the worst first"
    assert "/slices/fresh?domain=travel" in page.links


def test_the_overview_says_what_is_wrong_with_the_agent_itself(bench):
    class Failing:
        def report(self):
            return {"name": "phoenix", "type": "phoenix", "state": "failing", "last_success": None, "last_error": EVIL}

    bench.api.readiness.health.rewound = "3 answers"
    bench.open(sources=[Failing()], unread=lambda: {"ai": UnreadScope(7, AT)})
    bench.put("a")
    bench.api.clock = lambda: AT + 20 * MINUTE
    page = bench.page("/")
    for said in (
        "the store has lost rows: 3 answers",
        "The last answer arrived 20m ago.",
        "7 spans of a model or a search are read by no dialect (ai)",
        "Source phoenix fails.",
        "No catalog is configured",
    ):
        assert said in page.words
    sources = bench.page("/sources").words
    assert "alert(1)" in sources
    assert "ai 7" in sources


def test_a_slice_shows_its_evidence_and_its_worst_answers(bench):
    bench.judged(travel="fail")
    bench.put("good")
    bench.put("bad one", stale=1.0, question="What of hotels?")
    bench.put("elsewhere", stale=1.0, domain="leave")
    page = bench.page("/slices/fresh?domain=travel")
    assert "it is fail" in page.words
    assert "What the metric is held against" in page.words
    assert page.words.index("What of hotels?") < page.words.index("How much?")
    assert "/answers/bad%20one" in page.links
    assert "/answers/elsewhere" not in page.links
    assert "no verdict over this slice" in bench.page("/slices/fresh?domain=nowhere").words
    assert "known: fresh" in bench.page("/slices/other", 404).words
    assert "window must be one of 1h, 6h" in bench.page("/slices/fresh?window=2y", 400).words


def test_a_timeline_has_the_answers_the_limit_and_the_changes_of_a_slice(bench):
    bench.judged(travel="fail")
    for number in range(3):
        bench.put(f"a{number}", stale=float(number == 0))
    bench.put("b", domain="leave", stale=1.0)
    scopes = {"mine": {"domain": "travel"}, "other": {"domain": "leave"}, "all": {}}
    bench.store.record_changes(
        [
            Entry(name, AT, AT, "deploy", "announced", "release", scope=scope, version=name)
            for name, scope in scopes.items()
        ]
    )
    body = bench.client.get("/v1/gates/fresh/timeline?domain=travel").json()
    assert [(point["answers"], round(point["mean"], 3)) for point in body["points"]] == [(3, 0.333)]
    assert (body["limit"], body["reference"], body["lower"], body["upper"]) == (0.25, 0.25, 0.4, 0.6)
    assert [change["version"] for change in body["changes"]] == ["mine", "all"]
    assert body["better"] == "lower"
    text = bench.client.get("/v1/gates/fresh/timeline?domain=travel&format=csv").text
    assert text.splitlines()[0] == "at,answers,mean"
    bench.api.clock = lambda: AT + int(timedelta(days=2).total_seconds()) * 10**9
    assert bench.client.get("/v1/gates/fresh/timeline?domain=travel&window=1d").json()["points"] == []


def test_other_settings_are_tried_on_the_same_answers_beside_its_own(bench, monkeypatch):
    monkeypatch.setattr("collector.api.pages.gates.TRIAL_SECONDS", 60.0)
    for number in range(40):
        bench.put(f"a{number}", stale=float(number % 10 == 0))
    waiting = bench.page("/gates/fresh/trial")
    assert "Replaying the newest answers" in waiting.words
    [then] = [attributes["hx-get"] for tag, attributes in waiting.elements if tag == "p" and "hx-get" in attributes]
    own = bench.page(then)
    assert "40 scored answers" in own.words
    assert "Changed settings" not in own.words
    strict = {"metric": "stale_source_use", "at_most": 0.01, "by": ["domain"]}
    tried = bench.page(f"/gates/fresh/trial?{urlencode({'settings': json.dumps(strict), 'run': 'yes'})}").words
    assert tried.index("Its own settings inconclusive") < tried.index("Changed settings fail")
    for settings, said in (
        ("window: [", "settings are no YAML"),
        ("just words", "settings must be options"),
        ("{metric: stale_source_use, at_most: 7}", "settings: at_most"),
        ("{metric: composite, at_least: 5}", "the metric stays"),
        ("{metric: stale_source_use, at_most: 0.1, by: [region]}", "settings: by"),
    ):
        assert said in bench.page(f"/gates/fresh/trial?{urlencode({'settings': settings})}", 400).words


def test_an_answer_stands_beside_its_passages_with_what_should_have_been_used(bench):
    bench.put("a/b", stale=1.0)
    page = bench.page("/answers/a%2Fb")
    assert ("mark", {"class": "supported"}) in page.elements
    assert ("a", {"class": "claim supported stale", "href": "#claim-1"}) in page.elements
    assert "claim rests on TRV-1@2, superseded" in page.words
    assert "TRV-1@3 should have been used: 'Up to 180 EUR.'" in page.words
    assert "#passage-1" in page.links
    assert "in force instead: TRV-1 version 3" in page.words
    assert not [link for link in page.links if link.startswith("http")]
    bench.busy = True
    assert "workers are busy" in bench.page("/answers/a%2Fb").words
    assert "unknown, not closed yet" in bench.page("/answers/none", 404).words


def test_what_should_have_been_used_is_told_where_it_was_retrieved_too(bench):
    bench.put("a", stale=1.0, retrieved=True)
    page = bench.page("/answers/a")
    assert "In force instead TRV-1@3 should have been used: 'Up to 180 EUR.' ( retrieved as passage 1" in page.words


def test_an_answer_leads_to_its_trace_in_the_tool_that_the_configuration_names(bench):
    bench.put("a")
    bench.api.trace_url = "https://traces.example.com/{trace_id}"
    assert "Trace" not in bench.page("/answers/a").words
    bench.put("b", trace_id="4bf9")
    assert 'href="https://traces.example.com/4bf9"' in bench.client.get("/answers/b").text


def test_what_a_metric_means_can_be_read_without_a_pointer(bench):
    bench.put("a")
    (metric,) = (each for each in METRICS if each.name == "stale_source_use")
    for path in ("/answers", "/answers/a"):
        words = bench.page(path).words
        assert "What these metrics mean" in words
        assert " ".join(metric.help.split()) in words


def test_a_gate_says_what_to_expect_of_it(bench):
    words = bench.page("/gates/fresh").words
    assert "With 95 % confidence nothing that it says of its slices is wrong" in words
    assert "groundwire gate plan --config FILE --gate fresh" in words


def test_the_overview_says_how_many_answers_have_a_value_of_what_is_judged(bench):
    assert "Here stands then how many answers" in bench.page("/").words
    bench.put("a")
    bench.put("b", unscored=(Unscored(metric="stale_source_use", reason="missing_input", detail="no dates"),))
    words = bench.page("/").words
    assert "Of the newest 2 answers, 2 are scored" in words
    assert "stale_source_use 1 of 2 missing input: no dates" in words


def test_hostile_text_in_every_field_of_an_answer_stays_text(bench):
    bench.put(EVIL, domain=EVIL, text=f"{EVIL} [1].", question=EVIL, stale=1.0)
    listed = bench.page("/answers")
    assert "alert(1)" in listed.words
    (link,) = [href for href in listed.links if href.startswith("/answers/")]
    assert bench.page(link).words.count("alert(1)") > 3
    assert "alert(1)" in bench.page(f"/answers?{urlencode({'text': EVIL[:20]})}").words


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("text=HOTEL", {"a", "b"}),
        ("metric=stale_source_use&min_value=0.5", {"b"}),
        ("metric=stale_source_use&label=stale", {"b"}),
        ("domain=leave", {"b"}),
        ("version=model%3Dm-1&text=", {"a", "b", "c"}),
        ("version=model%3Dm-2", set()),
    ],
)
def test_answers_are_found_by_metric_label_slice_version_and_text(bench, query, names):
    bench.put("a")
    bench.put("b", domain="leave", stale=1.0)
    bench.put("c", text="None [1].")
    found = {
        href.removeprefix("/answers/") for href in bench.page(f"/answers?{query}").links if href.startswith("/answers/")
    }
    assert found == names
    rows = bench.client.get(f"/v1/answers?{query.replace('&text=', '')}").json()["answers"]
    assert {row["answer"]["id"] for row in rows} == names


def test_a_search_that_has_found_nothing_yet_goes_on_by_itself(bench, monkeypatch):
    monkeypatch.setattr(answer_pages, "SEARCH_SECONDS", 0.0)
    monkeypatch.setattr("collector.store.listing.EVALUATED", 1)
    bench.put("a", text="Camping costs 9 EUR [1].")
    for number in range(4):
        bench.put(f"b{number}")
    path, steps = "/answers?text=camping", 0
    while "/answers/a" not in (page := bench.page(path)).links:
        (path,) = [each["hx-get"] for _, each in page.elements if "hx-get" in each]
        assert "Searching; nothing is like this since 2026-01-01 12:00:00 UTC" in page.words
        steps += 1
    assert steps == 4


def test_a_csv_holds_no_formula(bench):
    bench.put("a", question="=HYPERLINK(1)", text="-1 [1].")
    (row,) = csv.DictReader(io.StringIO(bench.client.get("/answers.csv").text))
    assert (row["question"], row["answer"]) == ("'=HYPERLINK(1)", "'-1 [1].")
    assert row["stale_source_use"] == "0.0"


def test_documents_are_told_by_the_bad_answers_that_rest_on_them(bench):
    for number in range(4):
        bench.put(f"a{number}", stale=float(number == 0))
    page = bench.page("/documents?metric=stale_source_use")
    assert "TRV-1 1 4 25 % newest bad answer" in page.words
    assert "/answers/a0" in page.links


def test_a_decision_shows_what_became_of_it(bench):
    rows = [
        Decision(AT + n, "fresh", {"domain": "travel"}, state, before, "{}")
        for n, (state, before) in enumerate([("fail", "pass"), ("pass", "fail")])
    ]
    bench.store.save_checkpoint("g", 0, b"", rows)
    page = bench.page("/decisions/1")
    assert "Decision 1: fresh fails in domain=travel" in page.words
    assert "/decisions/2" in page.links
    assert "the log has no row of that number" in bench.page("/decisions/3", 404).words


def test_the_configuration_in_force_is_shown(bench):
    assert "data: here" in bench.page("/configuration").text


def test_pages_and_what_they_load_and_link_open_with_the_token_as_a_password(tmp_path):
    bench = Bench(tmp_path / "data", token="s3cret")
    bench.put("a")
    shown = {"auth": ("groundwire", "s3cret"), "headers": {"Accept": "text/html"}}
    linked = {
        href
        for path in (*PATHS, "/answers/a")
        for href in Page(bench.client.get(path, **shown).text).links
        if href.startswith("/v1/")
    }
    assert linked >= {"/v1/answers", "/v1/answers/a", "/v1/decisions?order=newest", "/v1/changes"}
    for path in (*PATHS, "/gates/fresh", "/slices/fresh", "/v1/gates/fresh/timeline", *linked):
        refused = bench.client.get(path)
        assert refused.status_code == 401
        assert "Basic realm=" in refused.headers["www-authenticate"], "a browser asks, or shows what it was given"
        assert bench.client.get(path, **shown).status_code == 200
    bench.store.close()


def test_what_pages_load_is_kept_by_browsers_until_it_changes(bench):
    for name, asset in assets().items():
        response = bench.client.get(f"/static/{asset.digest}/{name}")
        assert response.status_code == 200
        assert "immutable" in response.headers["cache-control"]
    assert bench.client.get(f"/static/0/{name}").status_code == 404
    assert bench.client.get(f"/static/{asset.digest}/../site.py").status_code == 404


def test_a_path_without_a_page_leads_back_for_people_and_stays_json_for_programs(bench):
    assert "/" in bench.page("/nothing", 404).links
    assert bench.client.get("/nothing").json() == {"error": "Not Found"}
    assert isinstance(bench.client.get("/v1/nothing", headers={"Accept": "text/html"}).json(), dict)
    assert Page(bench.client.get("/nothing", headers={"Accept": "text/html"}).text).words.startswith("There is no")


def test_a_deploy_that_is_announced_and_observed_is_one_change_everywhere(bench):
    bench.put("a")
    bench.store.record_changes(
        [
            Entry("c1", AT + 1, AT + 1, "deploy", "explicit", "release", version="2.0"),
            Entry("c2", AT + MINUTE, AT + MINUTE, "prompt", "observed", "prompt", version="p2", previous="p1"),
            Entry("c3", AT + MINUTE, AT + MINUTE, "deploy", "observed", "release", version="2.0", previous="1.0"),
        ]
    )
    for path in ("/", "/changes"):
        words = bench.page(path).words
        assert words.count("release 1.0 2.0 all traffic announced and observed") == 1, words
        assert words.count("2.0") == 1
    rows = list(csv.DictReader(io.StringIO(bench.client.get("/changes?format=csv").text)))
    assert [(row["component"], row["previous"], row["version"], row["known_by"]) for row in rows] == [
        ("prompt", "p1", "p2", "observed"),
        ("release", "1.0", "2.0", "explicit and observed"),
    ]
    told = bench.client.get("/v1/gates/fresh/timeline?slice.domain=travel").json()
    assert [(each["component"], each["previous"]) for each in told["changes"]] == [("release", "1.0"), ("prompt", "p1")]


def test_tables_are_taken_along_as_csv_in_which_nothing_is_a_formula(bench):
    bench.put("a", stale=1.0)
    bench.judged(travel="fail", leave="pass")
    bench.store.record_changes(
        [Entry("c", AT, AT, "deploy", "explicit", "release", scope={"domain": "travel"}, version="=2", note="+1")]
    )
    bench.store.save_checkpoint("gate:fresh", 1, b"", [Decision(1, "fresh", {}, "fail", None, "{}")])
    found = {
        path: list(csv.DictReader(io.StringIO(bench.client.get(f"{path}?format=csv").text)))
        for path in ("/gates/fresh", "/decisions", "/changes", "/documents")
    }
    assert [(row["slice"], row["state"]) for row in found["/gates/fresh"]] == [
        ("domain=travel", "fail"),
        ("domain=leave", "pass"),
    ]
    assert [(row["gate"], row["state"], row["slice"]) for row in found["/decisions"]] == [
        ("fresh", "fail", "all traffic")
    ]
    assert [(row["component"], row["version"], row["note"]) for row in found["/changes"]] == [("release", "'=2", "'+1")]
    assert found["/documents"] == [{"document": "TRV-1", "bad_answers": "1", "answers": "1", "newest_bad_answer": "a"}]
    for path in found:
        assert any("format=csv" in link for link in bench.page(path).links), path


def test_a_file_that_some_passages_name_without_the_beginning_of_its_path_is_one_document(bench):
    for name, document in (("a", "/srv/kb/it/passwords.md"), ("b", "it/passwords.md"), ("c", "hr/passwords.md")):
        bench.put(name, stale=1.0, document=document)
    rows = csv.DictReader(io.StringIO(bench.client.get("/documents?format=csv").text))
    assert [(row["document"], row["bad_answers"], row["answers"]) for row in rows] == [
        ("/srv/kb/it/passwords.md", "2", "2"),
        ("hr/passwords.md", "1", "1"),
    ]


def test_documents_are_counted_by_the_first_metric_that_has_values(bench):
    bench.put("a", metric="faithfulness")
    page = bench.client.get("/documents").text
    assert "An answer is bad here if its faithfulness is below 0.5" in page
    assert "TRV-1" in page


def test_a_gate_says_what_each_of_its_settings_means(bench):
    page = bench.page("/gates/fresh")
    assert "by [domain] Slice dimensions" in page.words
    assert "max_length" not in page.words


def test_figures_are_named_in_words_with_what_they_are_of(bench):
    bench.judged(travel="fail")
    overview = bench.page("/").words
    assert "fresh stale_source_use" in overview, "the metric stands at the head of its column"
    evidence = bench.page("/slices/fresh?domain=travel").words
    assert "Held against 0.25" in evidence
    assert "At least" in bench.page("/gates/fresh").words


def test_every_figure_of_evidence_has_a_title_and_a_meaning():
    named_in = re.compile(r'"(e_value|alarms_per_week_\w+|creep_\w+|recovery\w*|level|n_candidate|budget_left|needed)"')
    package = Path(__file__).parents[3] / "gates"
    found = {name for file in package.rglob("*.py") for name in named_in.findall(file.read_text())}
    assert len(found) > 8
    assert found <= EXPLAINED.keys()
    assert all(title[0].isupper() and meaning.endswith(".") for title, meaning in EXPLAINED.values())


def test_an_answer_that_waits_says_so_where_its_scores_will_stand(bench):
    answer = Answer(id="new", question="How much?", answer="150 EUR.")
    for name, sampled in (("new", True), ("left", False)):
        stored = StoredAnswer(answer.model_copy(update={"id": name}), {"service": "desk"}, 1.0, sampled)
        bench.store.append_pulled(Pulled("files", name.encode(), AT, answers=[stored]))
    words = bench.page("/answers").words
    assert "not sampled" in words
    assert "waits" in words


def test_the_page_of_sources_says_where_traces_are_received(bench):
    bench.api.running = running(Config(), started_at=1, ports={"receive.otlp_http": 4318, "receive.otlp_grpc": 4317})
    words = bench.page("/sources").words
    assert "receives traces at http://127.0.0.1:4318 (OTLP over HTTP) or 127.0.0.1:4317 (over gRPC)" in words
    assert "No span has arrived yet." in words


def test_a_trace_that_could_not_be_read_is_something_to_do_with_its_reason(bench):
    bench.store.append([Chunk(b"t" * 16, AT, 1, True, b"")])
    (due,) = bench.store.due(now=AT + MINUTE, idle=1, timeout=1, limit=1, limit_bytes=100)
    lost = Adaptation(due.trace_id, due.upto_seq, 0, 1, 0, "malformed", AT, (), reason=f"KeyError: {EVIL}")
    bench.store.record_adapted([lost])
    for path in ("/", "/sources"):
        page = bench.page(path)
        assert "races could not be read" in page.words or "Traces that could not be read" in page.words
        assert "74" * 16 in page.words
        assert "KeyError" in page.words
    told = bench.client.get("/v1/malformed-traces").json()
    assert (told["count"], told["traces"][0]["trace_id"]) == (1, "74" * 16)


def test_the_empty_overview_says_where_to_send_traces(bench):
    assert "Export the traces of your application to the OTLP port of this agent" in bench.page("/").words
    bench.api.running = running(Config(), started_at=1, ports={"receive.otlp_http": 4318, "receive.otlp_grpc": 4317})
    page = bench.page("/")
    assert "to http://127.0.0.1:4318 (OTLP over HTTP) or 127.0.0.1:4317 (over gRPC)" in page.words
    assert "`" not in page.text


def test_the_overview_says_when_answers_have_no_text_and_what_no_answer_reports(bench):
    bench.judged(leave="pass")
    for i in range(8):
        bench.put(f"good {i}")
    assert "have no text" not in bench.page("/").words
    for i in range(6):
        bench.put(f"empty {i}", text="", domain="__none__")
    page = bench.page("/")
    assert "6 of the newest 14 answers have no text, so nobody can score them." in page.words
    assert "/answers/empty%205" in page.links
    assert "reports domain" not in page.words
    for i in range(100):
        bench.put(f"unsliced {i}", domain="__none__")
    words = bench.page("/").words
    assert "None of the newest 100 answers reports domain" in words
    assert "have no text" not in words


def test_a_gate_without_a_value_of_any_answer_that_arrived_says_why_on_the_overview(bench):
    lacking = Unscored(metric="stale_source_use", reason="missing_input", detail="effective dates")
    for name in "ab":
        bench.put(name, unscored=(lacking,))
    known = {"at": NOON, "no_data": True, "policy_version": "p", "slices": ()}
    bench.judge.verdicts = {"fresh": Verdict(gate="fresh", state="inconclusive", reason="no scored answers", **known)}
    bench.open()
    words = bench.page("/").words
    told = "None of the newest 2 scored answers has a value of stale_source_use: missing input: effective dates."
    assert f"Gate fresh has nothing to judge. {told}" in words


def test_an_answer_that_came_late_says_when_it_was_asked(bench):
    answer = Answer(id="late", question="How much?", answer="150 EUR.", started_at=NOON - timedelta(hours=5))
    stored = StoredAnswer(answer, {"service": "desk"}, 1.0, True)
    bench.store.append_pulled(Pulled("files", b"", AT, answers=[stored]))
    asked = f"{answer.started_at:%Y-%m-%d %H:%M} UTC, arrived 5h later"
    assert f"Asked {asked}" in bench.page("/answers/late").words
    bench.put("soon")
    assert "Asked" not in bench.page("/answers/soon").words


def test_what_fails_stands_first_on_the_overview(bench):
    bench.put("a")
    known = {"at": NOON, "no_data": False, "policy_version": "p", "slices": ()}
    names = {"canary": "inconclusive", "fine": "pass", "fresh": "fail"}
    bench.api.gates = tuple(names)
    bench.judge.verdicts = {
        name: Verdict(gate=name, state=state, reason="why", **known | {"no_data": name == "canary"})
        for name, state in names.items()
    }
    bench.open()
    words = bench.page("/").words
    assert words.index("Gate fresh fails") < words.index("Gate canary has nothing to judge")
    table = words[words.index("Gates Gate Verdict") :]
    assert table.index("fresh") < table.index("canary") < table.index("fine")
