"""What the API says of the catalog: coverage, lagging documents, and the page that shows both."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from adapters.base import AdaptOptions
from adapters.schema import Answer, Passage
from collector.api.app import Api
from collector.api.readiness import Readiness
from collector.api.serving import Parts
from collector.catalog.listings.task import ComparedIndex
from collector.clock import instant
from collector.errors import Transient
from collector.pipeline.coverage_task import CoverageRequest, covered
from collector.pipeline.tasks import set_up
from collector.receivers.guard import ApiTokens
from collector.store.rows import Pulled, StoredAnswer
from collector.store.sqlite import open_store
from scorers.catalog import Catalog, Document
from scorers.catalog.lag import KINDS, LaggingDocument
from tests.external import reception
from tests.pages import EVIL, Page, check_inert

AT = 1_780_000_000_000_000_000
CATALOG = Catalog(
    [Document(id=f"{name}.md", uri=f"/srv/{name}.md", text=f"This is what {name} says.") for name in "abc"]
)


class Listed:
    """A catalog of which three documents are in an index, two of them not as they should be."""

    def __init__(self, name: str = "/srv/a.md") -> None:
        lagging = (
            LaggingDocument(id=name, uri=name, kind="outdated", detail=f"{name} is older"),
            LaggingDocument(id="/srv/b.md", uri="/srv/b.md", kind="removed", detail="no longer in the source"),
            LaggingDocument(id="c.md", uri="/srv/c.md", kind="missing", detail="in the source, not in the index"),
        )
        counts = {kind: sum(one.kind == kind for one in lagging) for kind in KINDS}
        self.compared = {"chroma": ComparedIndex(instant(AT), 3, 1, 0, 0, counts, lagging)}
        self.name = name

    def report(self):
        failing = {"name": self.name, "state": "failing", "last_success": None, "last_error": self.name, "position": {}}
        return {
            "entries": 3,
            "documents": 3,
            "loaded_at": "2026-05-29T00:00:00Z",
            "refused": [self.name],
            "sources": [failing],
            "indexes": [],
        }


class Bench:
    def __init__(self, directory, catalog, token=None):
        self.store = open_store(directory)
        made = reception()
        api = Api(
            telemetry=made.telemetry,
            readiness=Readiness([]),
            gates=(),
            dimensions=("service",),
            reception=made,
            version="1",
            tokens=ApiTokens(token),
        )
        self.asked, self.busy = [], False
        api.open(Parts(self.store, None, catalog=catalog, examine=self.examine))
        self.client = TestClient(api.app())

    def examine(self, request, *, timeout):
        if self.busy:
            raise Transient("no worker in time")
        self.asked.append(timeout)
        return covered(request, CATALOG)

    def answered(self, *passages, service="desk"):
        number = self.store.totals().records
        stored = StoredAnswer(Answer(id=f"a{number}", passages=passages), {"service": service}, 1.0, sampled=False)
        self.store.append_pulled(Pulled("s", b"", AT, answers=[stored]))

    def get(self, path):
        response = self.client.get(path)
        assert response.status_code == 200, response.text
        return response.json()


@pytest.fixture
def bench(tmp_path):
    made = []

    def bench(catalog, **options):
        made.append(Bench(tmp_path / "data", catalog, **options))
        return made[-1]

    yield bench
    for one in made:
        one.store.close()


def test_coverage_says_what_is_matched_and_what_to_map(bench):
    one = bench(Listed())
    one.answered(Passage(id="1", uri="file:///srv/a.md"), Passage(id="2", doc_id="b.md"))
    one.answered(*(Passage(id=str(n), uri=f"x{n}", metadata={"Ablage": "/srv/c.md"}) for n in range(2)))
    said = one.get("/v1/catalog/coverage")
    assert (said["answers"], said["passages"], said["matched"], said["share"]) == (2, 4, 2, 0.5)
    assert {join: count for join, count in said["joins"].items() if count} == {"id": 1, "uri": 1}
    assert [row["uri"] for row in said["documents"]] == ["x0", "x1"]
    assert said["keys"][0] == {"key": "Ablage", "example": "/srv/c.md", "passages": 2, "field": "uri", "would_match": 2}
    assert said["advice"] == [
        "map traces.passages.uri to Ablage: its values are in the catalog for 2 of 2 unmatched passages"
    ]
    assert all(timeout > 0 for timeout in one.asked)


def test_only_the_newest_answers_of_a_slice_are_looked_at(bench):
    one = bench(Listed())
    for number in range(5):
        one.answered(Passage(id="1", doc_id="a.md" if number == 4 else "z"), service="desk")
    one.answered(Passage(id="1", doc_id="z"), service="other")
    assert one.get("/v1/catalog/coverage?answers=1&service=desk")["share"] == 1.0
    assert one.get("/v1/catalog/coverage?service=desk")["share"] == 0.2


def test_without_traffic_there_is_no_share(bench):
    assert bench(Listed()).get("/v1/catalog/coverage")["share"] is None


def test_the_documents_that_are_retrieved_most_come_first(bench):
    one = bench(Listed())
    (before,) = one.get("/v1/catalog/lag")["indexes"]
    assert [row["document"]["id"] for row in before["worst"]] == ["/srv/a.md", "/srv/b.md"], "what is missing is not"
    for _ in range(3):
        one.answered(Passage(id="1", doc_id="/srv/b.md"), Passage(id="2", uri="/srv/b.md"), Passage(id="3", doc_id="z"))
    one.answered(Passage(id="1", doc_id="/srv/a.md"))
    said = one.get("/v1/catalog/lag?limit=1")
    assert said["answers"] == 4
    (index,) = said["indexes"]
    assert (index["index"], index["outdated"], index["removed"], index["missing"]) == ("chroma", 1, 1, 1)
    (worst,) = index["worst"]
    assert (worst["document"]["id"], worst["passages"], worst["answers"]) == ("/srv/b.md", 6, 3)


def test_whatever_is_named_the_page_shows_it_and_runs_nothing(bench):
    one = bench(Listed(EVIL))
    one.answered(Passage(id="1", doc_id=EVIL, uri=EVIL, metadata={EVIL: EVIL}))
    response = one.client.get("/catalog")
    assert (response.status_code, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert response.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; ")
    assert check_inert(response.text).text.count("alert(1)") > 5


def test_without_a_catalog_the_page_says_how_to_make_one(bench):
    response = bench(None).client.get("/catalog")
    assert response.status_code == 200
    assert "groundwire catalog from git" in Page(response.text).text


def test_the_page_says_what_to_repair_and_what_to_map(bench):
    one = bench(Listed())
    one.answered(Passage(id="1", uri="/srv/b.md"), Passage(id="2", uri="x", metadata={"Ablage": "/srv/c.md"}))
    text = Page(one.client.get("/catalog").text).text
    assert "map traces.passages.uri to Ablage" in text
    assert "no longer in the source" in text
    assert "50.0 % of 2 passages in the newest 1 answer are in the catalog" in text


def test_while_workers_are_busy_the_page_shows_the_rest(bench):
    one = bench(Listed())
    one.busy = True
    text = Page(one.client.get("/catalog").text).text
    assert "Workers are busy" in text
    assert "no longer in the source" in text
    assert one.client.get("/v1/catalog/coverage").status_code == 503


def test_the_page_and_the_routes_need_the_token(bench):
    one = bench(Listed(), token="s3cret")
    for path in ("/catalog", "/v1/catalog", "/v1/catalog/coverage", "/v1/catalog/lag"):
        assert one.client.get(path).status_code == 401
        assert one.client.get(path, headers={"Authorization": "Bearer s3cret"}).status_code == 200


def test_a_browser_is_told_to_give_the_token_as_a_password(bench):
    one = bench(Listed(), token="s3cret")
    refused = one.client.get("/catalog")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].startswith("Basic realm=")
    assert refused.headers["content-type"] == "text/html; charset=utf-8"
    check_inert(refused.text)
    assert "give the user groundwire and the token as the password" in Page(refused.text).words
    assert one.client.get("/catalog", auth=("groundwire", "s3cret")).status_code == 200
    for wrong in (("groundwire", "other"), ("somebody", "s3cret"), ("groundwire", "")):
        assert one.client.get("/catalog", auth=wrong).status_code == 401


def test_a_token_is_a_password_for_pages_alone(bench):
    one = bench(Listed(), token="s3cret")
    refused = one.client.get("/v1/catalog", auth=("groundwire", "s3cret"))
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")


def test_a_worker_counts_over_the_catalog_that_it_has():
    handler = set_up(AdaptOptions(), (), None, 5.0)
    answer = Answer(id="a", passages=(Passage(id="1", doc_id="a.md"),))
    said = handler(CoverageRequest((answer.model_dump_json(),)))
    assert '"unmatched":1' in said
