"""Changes that nobody announced, from answers to rows of the ledger."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.schema import Answer, Passage
from collector.changes.ledger import recorded_change
from collector.changes.observe import MAX_A_MINUTE, ChangeOptions
from collector.clock import instant
from collector.errors import Transient
from collector.store.sqlite import open_store
from gates.decisions.recommendation import change_text
from gates.inputs.slices import Dimension
from telemetry.registry import Telemetry
from tests.admission import admission

SECOND = 10**9
NOON = 1_780_000_000 * SECOND
DIMENSIONS = (Dimension(name="service"), Dimension(name="domain"), Dimension(name="env", attribute="environment"))


class Door:
    def __init__(self, directory, **options):
        self.directory = directory
        self.options = options
        self.now = NOON
        self.numbers = iter(range(10**6))
        self.open()

    def open(self):
        self.store = open_store(self.directory)
        self.telemetry = Telemetry(metrics=(), dimensions=("service", "domain", "env"), version="test")
        self.admission = admission(
            self.store,
            dimensions=DIMENSIONS,
            telemetry=self.telemetry,
            clock=lambda: self.now,
            changes=ChangeOptions(**self.options),
        )

    def restart(self):
        self.store.close()
        self.open()

    def bring(self, *, times=1, domain="travel", **fields):
        """Bring answers, a second apart, and return the changes that this brought."""
        before = len(self.store.changes(limit=1000))
        for _ in range(times):
            self.now += SECOND
            told = {"service": "desk", "attributes": {"domain": domain}, "ended_at": instant(self.now)} | fields
            self.admission.admit([Answer(id=f"a{next(self.numbers)}", **told)])
        return self.store.changes(limit=1000)[before:]


@pytest.fixture
def door(tmp_path):
    door = Door(tmp_path / "data")
    yield door
    door.store.close()


def passage(doc_id, version=None, *, id_="p", **more):
    return Passage(id=id_, doc_id=doc_id, version=version, **more)


def test_a_new_release_is_a_deploy_of_its_service_from_its_first_answer_on(door):
    assert door.bring(release="1", times=5) == []
    (row,) = door.bring(release="2", domain="leave", times=5)
    assert (row.kind, row.source, row.component) == ("deploy", "observed", "release")
    assert (row.version, row.previous, row.scope) == ("2", "1", {"service": "desk"})
    assert row.at == NOON + 6 * SECOND


@pytest.mark.parametrize(
    ("before", "after", "kind", "component"),
    [
        ({"model": "m-1"}, {"model": "m-2"}, "model", "model"),
        ({"versions": {"app": "1"}}, {"versions": {"app": "2"}}, "deploy", "release"),
        ({"versions": {"prompt": "sha256:1"}}, {"versions": {"prompt": "sha256:2"}}, "prompt", "prompt"),
        ({"versions": {"index": "1"}}, {"versions": {"index": "2"}}, "index", "index"),
        ({"versions": {"embedder": "1"}}, {"versions": {"embedder": "2"}}, "index", "embedder"),
        ({"versions": {"retriever": "1"}}, {"versions": {"retriever": "2"}}, "retriever", "retriever"),
        ({"versions": {"guardrails": "1"}}, {"versions": {"guardrails": "2"}}, "deploy", "guardrails"),
    ],
)
def test_each_component_is_a_change_of_its_kind(door, before, after, kind, component):
    door.bring(**before)
    (row,) = door.bring(**after)
    assert (row.kind, row.component) == (kind, component)


def test_each_service_and_environment_is_watched_by_itself(door):
    door.bring(release="1")
    assert door.bring(release="2", service="shop") == []
    assert door.bring(release="3", environment="staging") == []
    (row,) = door.bring(release="4", environment="staging")
    assert row.scope == {"service": "desk", "env": "staging"}


def test_the_configuration_can_say_what_is_watched_apart(tmp_path):
    door = Door(tmp_path / "data", scope=("domain",))
    door.bring(release="1")
    assert door.bring(release="2", domain="leave") == []
    (row,) = door.bring(release="3")
    assert row.scope == {"domain": "travel"}
    door.store.close()


def test_nothing_is_observed_where_that_is_switched_off(tmp_path):
    door = Door(tmp_path / "data", observe=False)
    assert door.bring(release="1") + door.bring(release="2") == []
    door.store.close()


def test_a_new_version_of_a_known_document_is_a_change_of_that_document(door):
    door.bring(passages=(passage("HR-1", "1"),))
    assert door.bring(passages=(passage("HR-2", "9"),)) == []
    (row,) = door.bring(passages=(passage("HR-1", "2"), passage("HR-2", "9")))
    assert (row.kind, row.documents, row.version, row.previous) == ("documents", ("HR-1",), "2", "1")


def test_two_versions_of_a_document_side_by_side_are_no_change_over_and_over(door):
    both = (passage("HR-1", "1"), passage("HR-1", "2", id_="q"))
    assert door.bring(passages=both, times=5) == []
    assert door.bring(passages=both[:1]) + door.bring(passages=both[1:]) == []


def test_a_new_checksum_of_a_known_passage_is_a_change_of_its_document(door):
    door.bring(passages=(passage("HR-1", "1", checksum="aa"),))
    (row,) = door.bring(passages=(passage("HR-1", "1", checksum="bb"),))
    assert (row.kind, row.documents, row.version, row.previous) == ("documents", ("HR-1",), "bb", "aa")


def test_people_are_told_when_a_document_was_modified_and_no_whole_checksum(door):
    before, after = ("9f86d081884c7d65" * 4, "e3b0c44298fc1c14" * 4)
    day = datetime(2026, 3, 1, 12, tzinfo=UTC)
    door.bring(passages=(passage("HR-1", None, checksum=before),))
    (row,) = door.bring(passages=(passage("HR-1", None, checksum=after, modified_at=day),))
    assert (row.version, row.note) == (after, "modified 2026-03-01")
    told = change_text(recorded_change(row))
    assert told.startswith("document HR-1 changed from checksum 9f86d081 to checksum e3b0c442 at ")
    assert told.endswith("observed in answers; modified 2026-03-01)")


def test_a_new_version_with_a_new_checksum_is_one_change(door):
    door.bring(passages=(passage("HR-1", "1", checksum="aa"),))
    (row,) = door.bring(passages=(passage("HR-1", "2", checksum="bb"),))
    assert (row.documents, row.version) == (("HR-1",), "2")


def test_checksums_of_pieces_under_one_name_are_no_versions(door):
    pieces = [passage("HR-1", "1", checksum=text) for text in ("aa", "bb", "cc")]
    door.bring(passages=tuple(pieces[:2]))
    assert door.bring(passages=(pieces[2],)) == []


def test_documents_that_change_together_are_one_row(door):
    names = [f"HR-{i}" for i in range(150)]
    door.bring(passages=tuple(passage(name, "1", id_=name) for name in names))
    (row,) = door.bring(passages=tuple(passage(name, "2", id_=name) for name in names))
    assert (row.documents, row.note) == (tuple(names[:100]), "150 documents")
    assert row.version is None


def test_a_change_of_several_versions_says_which_were_served(door):
    door.bring(passages=(passage("HR-1", "5"),))
    (row,) = door.bring(passages=(passage("HR-1", "7"), passage("HR-1", "6", id_="q")))
    assert (row.version, row.documents, row.note) == (None, ("HR-1",), "HR-1 served in versions 5, 6 and 7")


def test_a_restart_neither_forgets_nor_repeats(door):
    door.bring(release="1", times=3)
    door.bring(release="2")
    door.restart()
    assert door.bring(release="2", times=3) + door.bring(release="1") == []
    (row,) = door.bring(release="3")
    assert row.previous == "1"


def test_what_could_not_be_written_is_written_with_the_next_batch(door, monkeypatch):
    door.bring(release="1")
    write = type(door.store).record_changes

    def full(*_, **__):
        raise Transient("the disk is full")

    monkeypatch.setattr(type(door.store), "record_changes", full)
    with pytest.raises(Transient):
        door.bring(release="2")
    monkeypatch.setattr(type(door.store), "record_changes", write)
    (row,) = door.bring(release="2")
    assert (row.version, row.at) == ("2", NOON + 2 * SECOND)


def test_the_same_answers_read_again_after_a_crash_make_the_same_row(door):
    door.bring(release="1")
    fields = {"id": "x", "service": "desk", "release": "2", "ended_at": instant(door.now)}
    door.admission.admit([Answer(**fields)])
    (row,) = door.store.changes()
    # As if what was seen had been lost, but not the ledger.
    door.store.record_changes([], forgotten=[("release", '{"service":"desk"}', "2")])
    door.restart()
    door.now += 5 * SECOND
    door.admission.admit([Answer(**fields)])
    assert door.store.changes() == [row]


def test_an_answer_from_the_future_changes_nothing_before_its_time(door):
    door.bring(release="1")
    (row,) = door.bring(release="2", ended_at=instant(door.now) + timedelta(days=3))
    assert row.at == door.now


def test_a_flood_of_changes_is_bounded_and_counted(door):
    door.bring(release="1")
    for i in range(MAX_A_MINUTE + 30):
        door.now -= SECOND
        door.bring(versions={f"part{i}": "1"})
        door.now -= SECOND
        door.bring(versions={f"part{i}": "2"})
    assert len(door.store.changes(limit=1000)) == MAX_A_MINUTE
    assert "groundwire_changes_dropped_total 30.0" in door.telemetry.exposition("")[0].decode()


HOSTILE = [
    {"release": "x" * 10**6},
    {"versions": {"a" * 10**5: "b" * 10**5}},
    {"versions": {f"c{i}": "1" for i in range(10_000)}},
    {
        "passages": tuple(
            Passage(id="p", doc_id="d" * 10**5, version="v" * 10**5, checksum="c" * 10**5) for _ in range(500)
        )
    },
    {"release": "\ud800", "passages": (Passage(id="\ud800", doc_id="\udfff", version="\ud800", checksum="\ud800"),)},
]


@pytest.mark.parametrize("fields", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_versions_are_taken_and_bounded(door, fields):
    for turned in (fields, {name: _turned(value) for name, value in fields.items()}):
        door.bring(**turned)
    for row in door.store.changes(limit=1000):
        assert len(row.version or "") <= 256
        assert all(len(name) <= 256 for name in row.documents)


def _turned(value):
    """Return the same fields with other versions, to make news of them."""
    if isinstance(value, str):
        return f"!{value}"
    if isinstance(value, dict):
        return {name: f"!{version}" for name, version in value.items()}
    return tuple(item.model_copy(update={"version": f"!{item.version}"}) for item in value)
