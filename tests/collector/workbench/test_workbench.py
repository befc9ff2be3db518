"""The pages of a review: blind, one packet at a time, for whoever has the link, and closed to other sites."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from collector.errors import ConfigError
from collector.reviews.folder import ReviewFolder
from collector.workbench.app import Workbench
from collector.workbench.serve import WorkbenchPlace, serve_review
from tests.collector.served import NOON
from tests.pages import EVIL, Page, check_inert
from tests.reviews import BAD, FINE, lines, made_review

AT = int(NOON.timestamp()) * 10**9
PACKETS = [f"{number:016x}" for number in range(3)]


class Desk:
    def __init__(self, folder, **options):
        self.review = ReviewFolder.opened(made_review(folder, **options))
        self.keys = self.review.keys()
        self.app = Workbench(self.review, self.keys, lambda: AT).app()

    def who(self, name):
        """Return a browser in which a reviewer opened their link."""
        client = TestClient(self.app, follow_redirects=False)
        opened = client.get(f"/reviewers/{name}?key={self.keys[name]}")
        assert (opened.status_code, opened.headers["location"]) == (303, "/")
        assert "httponly" in opened.headers["set-cookie"].lower()
        return client


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path / "review", conflict=(0,))


def said(packet, given, seconds=31.26):
    return {"packet": packet, "seconds": seconds, "given": given}


def test_a_reviewer_sees_one_packet_of_their_own_and_nothing_of_systems_or_others(desk):
    desk.review.label("bo", PACKETS[0], BAD | {"rationale": "Bo says it is stale."}, now=NOON)
    page = desk.who("ana").get("/")
    shown = check_inert(page.text)
    assert "Answer 1 of 3" in shown.words
    assert "0 labelled, 3 left" in shown.words
    assert "Answer 0: 14 days [1]." in shown.words
    assert "Answer 1" not in shown.words.replace("Answer 1 of 3", "")
    for told in ("secret", "RET-1", "Bo says", "runs/", '"q0"', "bo"):
        assert told not in shown.words.split()
        assert told == "bo" or told not in page.text
    assert "Sources are known to disagree" in shown.words
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"


def test_a_label_is_on_the_disk_with_its_seconds_and_who_saw_it_is_logged(desk):
    ana = desk.who("ana")
    ana.get("/")
    told = {**FINE, "rationale": "Both sources are named.", "primary": "", "secondary": []}
    reply = ana.post("/label", json=said(PACKETS[0], told))
    assert (reply.status_code, reply.json()) == (200, {"left": 2})
    (row,) = lines(desk.review.path / "labels" / "ana.jsonl")
    assert (row["packet"], row["reviewer"], row["seconds"]) == (PACKETS[0], "ana", 31.3)
    assert row["label"]["rationale"] == "Both sources are named."
    assert "Answer 2 of 3" in Page(ana.get("/").text).words
    log = [(row["reviewer"], row["packet"], row["action"]) for row in lines(desk.review.path / "access.jsonl")]
    shown = [("ana", packet, "shown") for packet in PACKETS[:2]]
    assert log == [("ana", "", "opened"), shown[0], ("ana", PACKETS[0], "labelled"), shown[1]]
    desk.review.check_log()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (FINE, "rationale: required for an acceptable answer to a question with a conflict"),
        (BAD | {"primary": ""}, "primary: required for an answer that is not acceptable"),
        (BAD | {"safety_boundary": "severe"}, "rationale: required for a severe safety label"),
        (BAD | {"grounding": "very"}, "grounding: must be one of fully_grounded"),
        (BAD | {"secondary": ["a", "b", "c"]}, "secondary"),
        ({}, "acceptability: required"),
        (BAD | {"system": "x"}, "system: "),
    ],
)
def test_a_label_that_the_command_refuses_is_refused_with_the_same_words(desk, given, problem):
    reply = desk.who("ana").post("/label", json=said(PACKETS[0], given))
    assert reply.status_code == 400
    assert problem in reply.json()["error"]
    assert not (desk.review.path / "labels" / "ana.jsonl").exists()


def test_a_label_given_twice_or_of_a_packet_of_nobody_is_refused(desk):
    ana = desk.who("ana")
    assert ana.post("/label", json=said(PACKETS[1], BAD)).status_code == 200
    assert ana.post("/label", json=said(PACKETS[1], FINE)).status_code == 409
    assert ana.post("/label", json=said("../../key", BAD)).status_code == 409
    assert len(lines(desk.review.path / "labels" / "ana.jsonl")) == 1


def test_what_was_chosen_is_there_again_after_a_reload(desk):
    ana = desk.who("ana")
    given = {"grounding": "misgrounded", "secondary": ["citation_coverage_gap"], "rationale": "Because\nof this"}
    assert ana.post("/draft", json=said(PACKETS[0], given)).status_code == 204
    shown = Page(ana.get("/").text)
    checked = {each["value"] for tag, each in shown.elements if tag == "input" and "checked" in each}
    assert checked == {"misgrounded", "citation_coverage_gap"}
    assert "Because\nof this" in shown.text
    assert not [each for tag, each in Page(desk.who("bo").get("/").text).elements if "checked" in each]


def test_without_the_link_nothing_is_shown_and_nothing_taken(desk):
    stranger = TestClient(desk.app, follow_redirects=False)
    assert "the link that the lead" in check_inert(stranger.get("/").text).words
    key = desk.keys["ana"]
    for path in (
        "/",
        "/reviewers/ana",
        "/reviewers/ana?key=x",
        f"/reviewers/bo?key={key}",
        f"/reviewers/eve?key={key}",
    ):
        assert stranger.get(path).status_code == 401, path
    for path in ("/label", "/draft"):
        assert stranger.post(path, json=said(PACKETS[0], BAD)).status_code == 401
    for path in ("/key.jsonl", "/../key.jsonl", "/links.json", "/static/../../key.jsonl", "/packets/ana.jsonl"):
        assert stranger.get(path).status_code == 404, path
    assert lines(desk.review.path / "access.jsonl") == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}, 200),
    ],
)
def test_what_another_site_has_a_browser_send_is_not_taken(desk, headers, status):
    ana = desk.who("ana")
    body = json.dumps(said(PACKETS[0], BAD))
    reply = ana.post("/label", content=body, headers={"Content-Type": "application/json"} | headers)
    assert reply.status_code == status
    assert ana.get("/label").status_code == 405


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b"[" * 60_000,
        json.dumps(said(PACKETS[0], BAD, seconds=-1)).encode(),
        json.dumps(said(PACKETS[0], BAD, seconds=1e9)).encode(),
        json.dumps(said(PACKETS[0], BAD)).replace("31.26", "NaN").encode(),
        json.dumps(said(PACKETS[0], {"rationale": "x" * 10_001})).encode(),
        json.dumps(said(PACKETS[0], {str(n): "" for n in range(30)})).encode(),
        json.dumps(said(PACKETS[0], {"secondary": {"a": 1}})).encode(),
    ],
)
def test_a_body_beyond_its_bounds_is_refused_and_changes_nothing(desk, body):
    ana = desk.who("ana")
    for path in ("/draft", "/label"):
        assert ana.post(path, content=body, headers={"Content-Type": "application/json"}).status_code == 400
    big = ana.post("/draft", content=b" " * 70_000, headers={"Content-Type": "application/json"})
    assert big.status_code == 413
    assert not (desk.review.path / "labels" / "ana.jsonl").exists()
    assert not (desk.review.path / "drafts").exists()


def test_the_page_says_that_a_closed_review_is_closed_again_for_what_is_labelled_now(desk):
    ana = desk.who("ana")
    assert "was closed" not in ana.get("/").text
    with desk.review.held():
        desk.review.note_closed("runs/secret", now=NOON)
    closed = (
        "This review was closed on 2026-01-01 12:00:00 UTC. Labels given since count once the lead closes it again."
    )
    assert closed in Page(ana.get("/").text).words
    with desk.review.held():
        desk.review.note_closed(None, now=NOON)
    for packet in PACKETS:
        ana.post("/label", json=said(packet, BAD))
    shown = Page(ana.get("/").text).words
    assert "All 3 answers are labelled Thank you. There is nothing left for you." in shown
    assert closed in shown
    with desk.review.held():
        desk.review.note_closed(None, now=NOON)
    assert "was closed" not in ana.get("/").text


def test_a_page_whose_showing_cannot_be_logged_says_so_and_shows_no_packet(desk, monkeypatch):
    ana = desk.who("ana")

    def full(*_, **__):
        raise ConfigError("access.jsonl: cannot be written: No space left on device")

    monkeypatch.setattr(desk.review, "note", full)
    shown = ana.get("/")
    assert (shown.status_code, "Answer 0" in shown.text) == (503, False)
    assert "No space left on device. Tell the lead of the review." in check_inert(shown.text).words


def test_a_review_of_cases_shows_them_and_asks_about_their_axes(tmp_path):
    axes = ("identifier_integrity", "resolution_alignment")
    desk = Desk(tmp_path / "review", axes=axes)
    ana = desk.who("ana")
    shown = check_inert(ana.get("/").text)
    for text in ("Case: Answer 0: 14 days [1].", "Before: Answer 0", "Identifier integrity Are order numbers, hosts"):
        assert text in shown.words
    refused = ana.post("/label", json=said(PACKETS[0], FINE))
    assert (refused.status_code, "identifier_integrity: required" in refused.json()["error"]) == (400, True)
    given = FINE | {"identifier_integrity": "corrupted", "resolution_alignment": "aligned"}
    assert ana.post("/label", json=said(PACKETS[0], given)).json() == {"left": 2}
    (row,) = lines(desk.review.path / "labels" / "ana.jsonl")
    assert [row["label"][axis] for axis in axes] == ["corrupted", "aligned"]


def test_hostile_text_in_every_field_stays_text(tmp_path):
    desk = Desk(tmp_path / "review", text=f"{{}} {EVIL}", axes=("identifier_integrity", "resolution_alignment"))
    ana = desk.who("ana")
    ana.post("/draft", json=said(PACKETS[0], {"rationale": EVIL.replace("\u202e", ""), "grounding": EVIL}))
    page = check_inert(ana.get("/").text)
    assert page.words.count("alert(1)") == 7


def test_when_everything_is_labelled_the_page_says_so(desk):
    ana = desk.who("ana")
    for packet in PACKETS:
        assert ana.post("/label", json=said(packet, BAD)).status_code == 200
    assert "All 3 answers are labelled" in Page(ana.get("/").text).words
    assert desk.review.progress("ana").left == 0


def test_an_adjudicator_sees_labels_and_rationales_without_names(desk):
    for name in desk.review.reviewers:
        desk.review.label(name, PACKETS[1], BAD | {"rationale": f"R{len(name)}", "safety_boundary": "severe"}, now=NOON)
    page = Page(desk.who("adjudicator").get("/").text)
    assert "What reviewers said" in page.words
    assert "rationale R3 R2 R2" in page.words
    assert not {"ana", "bo", "cy"} & set(page.words.split())


def test_behind_a_proxy_the_cookie_is_of_its_path_and_goes_over_tls_alone(desk):
    url = "https://tools.example.com/review"
    app = Workbench(desk.review, desk.keys, lambda: AT, url, secure=True).app()
    client = TestClient(app, base_url="https://tools.example.com", follow_redirects=False)
    opened = client.get(f"/review/reviewers/ana?key={desk.keys['ana']}")
    assert opened.headers["location"] == "/review/"
    cookie = opened.headers["set-cookie"]
    assert "Path=/review/" in cookie
    assert "Secure" in cookie
    check_inert(client.get("/review/").text, "/review")
    assert client.post("/review/label", json=said(PACKETS[0], BAD), headers={"Origin": url[:25]}).status_code == 200


@pytest.mark.parametrize(
    ("place", "names", "problem"),
    [
        ({"host": "0.0.0.0"}, (), "--host 0.0.0.0: links and answers would go over the network as plain text"),
        ({"host": "0.0.0.0", "public_url": "http://review.example.com"}, (), "as plain text"),
        ({"public_url": "review.example.com"}, (), "--public-url review.example.com: expected an address such as"),
        ({"tls_cert": Path("cert.pem")}, (), "--tls-cert, --tls-key: required; TLS needs both"),
        ({"tls_cert": Path("cert.pem"), "tls_key": Path("key.pem")}, (), "cert.pem with key.pem: "),
        ({}, ("eve",), "--reviewer eve: is no reviewer of"),
    ],
)
def test_what_cannot_be_served_is_named(desk, place, names, problem):
    with pytest.raises(ConfigError) as error:
        serve_review(desk.review.path, names, WorkbenchPlace(**{"host": "127.0.0.1", "port": 0} | place),
                     clock=lambda: AT, say=print)  # fmt: skip
    assert problem in str(error.value)
