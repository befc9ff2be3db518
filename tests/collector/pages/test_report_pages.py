"""The page of reports: what it lists, and that a file of a folder gets nowhere and nobody out of the folder."""

import csv
import io
import json
import os
from datetime import timedelta

import pytest

from collector.api.serving import Described
from collector.evaluating.options import ScheduledReport
from collector.reports.shelf import ReportShelf
from collector.reports.writing import html
from evaluation.reports.content import ReportContent
from tests.collector.pages.test_pages import AT, GATE, METRICS, Bench
from tests.pages import EVIL

pytest.importorskip("matplotlib")
pytest.importorskip("apscheduler")
SECOND = 10**9


def report(title="Week", *, verdict="repair", decision="3 of 40 answers have a fault.", kind="traffic", names=("x",)):
    faults = {"name": "faults", "count": 3, "of": 40}
    runs = [{"name": name, "answers": 40, "failed": 0, "faults": faults, "metrics": []} for name in names]
    told = {"kind": kind, "title": title, "made_at": "2026-01-01T11:00:00+00:00", "groundwire": "1"}
    return html(ReportContent.model_validate(told | {"verdict": verdict, "decision": decision, "runs": runs}))


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "data")
    weekly = ScheduledReport(name="weekly", schedule="0 7 * * mon", timezone="Europe/Berlin", to=tmp_path / "weekly")
    bench.api.described = Described(
        metrics=METRICS,
        gates=(GATE,),
        reports=(weekly,),
        shelf=ReportShelf({"weekly": tmp_path / "weekly", "-": tmp_path / "own"}),
    )
    yield bench
    bench.store.close()


@pytest.fixture
def put(tmp_path):
    def put(folder, file, text, *, at=AT):
        (tmp_path / folder).mkdir(exist_ok=True)
        path = tmp_path / folder / file
        path.write_text(text)
        os.utime(path, ns=(at, at))
        return path

    return put


def test_reports_stand_newest_first_with_their_decision_and_what_they_compare(bench, put):
    put("weekly", "20251229T060000Z.html", report(), at=AT - 60 * SECOND)
    hold = {"verdict": "hold", "decision": "Hold after: it is worse in faithfulness.", "kind": "comparison"}
    put("own", "release 2.1.html", report("Release 2.1", names=("before", "after"), **hold))
    page = bench.page("/reports")
    assert [link for link in page.links if link.startswith("/reports/")] == [
        "/reports/-/release%202.1.html",
        "/reports/weekly/20251229T060000Z.html",
    ]
    assert "Hold after: it is worse in faithfulness." in page.words
    assert "comparison: after against before" in page.words
    assert "3 of 40 answers have a fault." in page.words
    assert "weekly 0 7 * * mon Europe/Berlin 2026-01-05 06:00:00 UTC" in page.words


def test_without_a_report_the_page_says_how_to_schedule_one(tmp_path):
    bench = Bench(tmp_path / "data")
    said = bench.page("/reports").words
    assert "There is no report yet." in said
    assert "schedule: 0 7 * * mon" in said
    bench.store.close()


def test_a_report_is_served_as_it_was_written_and_can_do_nothing(bench, put):
    text = report(EVIL, decision=EVIL)
    put("own", "r.html", text)
    response = bench.client.get("/reports/-/r.html")
    assert (response.status_code, response.text) == (200, text)
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert policy.endswith("; sandbox"), "scripts, forms and new windows are not let"
    assert "script-src" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "alert(1)" in bench.page("/reports").words, "the list is inert too"


@pytest.mark.parametrize(
    "path",
    [
        "/reports/-/../secret.html",
        "/reports/-/..%2Fsecret.html",
        "/reports/-/%2E%2E%2Fsecret.html",
        "/reports/../secret.html",
        "/reports/-/link.html",
        "/reports/-/pipe.html",
        "/reports/-/folder.html",
        "/reports/-/mine.html",
        "/reports/-/.hidden.html",
        "/reports/-/r.log",
        "/reports/-/%00.html",
        "/reports/other/r.html",
        "/reports/weekly/r.html",
    ],
)
def test_no_address_leads_out_of_the_folder_or_to_anything_but_a_report(bench, put, tmp_path, path):
    secret = put("", "secret.html", report("Secret"))
    for name in ("r.html", ".hidden.html", "r.log"):
        put("own", name, report())
    put("own", "mine.html", "<title>Mine</title><script>alert(1)</script>")
    (tmp_path / "own" / "link.html").symlink_to(secret)
    os.mkfifo(tmp_path / "own" / "pipe.html")
    (tmp_path / "own" / "folder.html").mkdir()
    assert bench.client.get(path).status_code == 404
    listed = bench.client.get("/v1/reports").json()
    assert [each["file"] for each in listed["reports"]] == ["r.html"]
    assert listed["others"] == ["mine.html"]


def test_a_summary_in_what_strangers_wrote_is_not_taken(bench, put):
    text = report("Ours")
    put("own", "a.html", text.replace('<meta name="groundwire-report"', '<meta name="other"') + text)
    assert bench.client.get("/v1/reports").json()["reports"] == []


def test_a_report_whose_checksum_is_in_the_decision_log_names_the_decision(bench, put):
    path = put("own", "r.html", report())
    (row,) = bench.client.get("/v1/reports").json()["reports"]
    assert row["recorded"] is None
    receipt = {"sha256": row["sha256"], "title": "Week", "decision": "3 of 40."}
    assert bench.client.post("/v1/reports", json=receipt).json()["seq"] == 1
    assert bench.client.get("/v1/reports").json()["reports"][0]["recorded"] == 1
    assert "/decisions/1" in bench.page("/reports").links
    assert "/reports" in bench.page("/decisions/1").links
    path.write_text(path.read_text().replace("3 of 40", "0 of 40"))
    assert bench.client.get("/v1/reports").json()["reports"][0]["recorded"] is None, "it was changed since"


def test_reports_are_taken_along_as_csv_and_json_page_by_page(bench, put):
    for number in range(60):
        put("own", f"{number}.html", report(f"={number}"), at=AT + number * SECOND)
    rows = list(csv.DictReader(io.StringIO(bench.client.get("/reports?format=csv").text)))
    assert [row["title"] for row in rows] == [f"'={number}" for number in range(59, -1, -1)]
    first = bench.client.get("/v1/reports").json()
    rest = bench.client.get(f"/v1/reports?skip={first['next']}").json()
    assert [row["title"] for row in first["reports"] + rest["reports"]] == [
        f"={number}" for number in range(59, -1, -1)
    ]
    assert rest["next"] is None
    assert f"/reports?skip={first['next']}" in bench.page("/reports").links


def test_a_scheduled_report_that_is_not_there_is_named_with_what_its_run_said(bench, put):
    put("weekly", "20251222T060000Z.html", report())
    put("weekly", "20251222T060000Z.log", "written\n")
    assert "was begun and is not there" not in bench.page("/reports").words
    put("weekly", "20251229T060000Z.log", f"Traceback\nno agent answers {EVIL}\n")
    said = bench.page("/reports").words
    assert "20251229T060000Z of weekly was begun and is not there" in said
    assert "Its run last printed: no agent answers" in said


def test_a_folder_that_cannot_be_read_is_named(bench, tmp_path):
    (tmp_path / "own").write_text("a file")
    assert f"{tmp_path / 'own'}: cannot be read: Not a directory" in bench.page("/reports").words


def test_a_file_that_changed_is_read_again_and_no_other(bench, put, monkeypatch):
    path = put("own", "r.html", report("Old"))
    assert bench.client.get("/v1/reports").json()["reports"][0]["title"] == "Old"
    monkeypatch.setattr("collector.reports.shelf.summary_of", None)
    assert bench.client.get("/v1/reports").json()["reports"][0]["title"] == "Old"
    monkeypatch.undo()
    path.write_text(report("New"))
    assert json.dumps("New") in bench.client.get("/v1/reports").text


def test_a_schedule_of_the_configuration_has_its_folder_and_every_agent_one_of_its_own(tmp_path):
    from collector.agent.steps import report_folders
    from collector.configuration.schema import Config

    weekly = ScheduledReport(name="weekly", schedule="0 7 * * mon", to=tmp_path, since=timedelta(days=7))
    assert report_folders(Config(data=tmp_path / "data", reports=(weekly,))) == {
        "weekly": tmp_path,
        "-": tmp_path / "data" / "reports",
    }
