"""Buckets as sources, over HTTP from the server of moto, which stands in for S3."""

from __future__ import annotations

from datetime import timedelta

import pytest

from collector.catalog.listings.base import ListingRun
from collector.catalog.listings.s3 import S3Source
from collector.clock import instant
from collector.errors import ConfigError
from scorers.catalog import Catalog, Document
from scorers.catalog.lag import index_lag
from tests.collector.catalog.conftest import NOW
from tests.collector.sources.server import free_port

pytest.importorskip("boto3")
server = pytest.importorskip("moto.server")

AT = instant(NOW)
TEXT = "Refunds are paid within 30 days of the purchase to the card that was used."
KEY = "a-secret-key-of-a-test"


@pytest.fixture
def store(tmp_path):
    """A client of a bucket with three objects, and what else a source needs to find it."""
    from boto3.session import Session

    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    client = Session("key", KEY, region_name="us-east-1").client("s3", endpoint_url=f"http://{host}:{port}")
    client.create_bucket(Bucket="handbook")
    for name in ("hr/leave.md", "hr/travel rules.md", "other.txt"):
        client.put_object(Bucket="handbook", Key=name, Body=TEXT.replace("purchase", name).encode())
    (tmp_path / "secret").write_text(KEY)
    given = {
        "bucket": "handbook",
        "endpoint_url": f"http://{host}:{port}",
        "region": "us-east-1",
        "access_key_id": "key",
        "secret_key_file": tmp_path / "secret",
    }
    yield client, given
    client.close()
    running.stop()


def listed(given, previous=(), days=0, **more):
    run = ListingRun(AT + timedelta(days=days), previous=tuple(previous))
    return S3Source(**{**given, **more}).entries(run)


def test_objects_are_listed_with_their_texts_and_etags(store):
    client, given = store
    found = listed(given, include=("*.md",))
    assert [one.id for one in found] == ["hr/leave.md", "hr/travel rules.md"]
    head = client.head_object(Bucket="handbook", Key="hr/leave.md")
    assert (found[0].version, found[0].modified_at) == (head["ETag"].strip('"'), head["LastModified"])
    assert found[0].text == TEXT.replace("purchase", "hr/leave.md")
    assert found[1].uri == "s3://handbook/hr/travel rules.md"
    assert listed(given, base="https://docs.test/")[1].uri == "https://docs.test/hr/travel%20rules.md"
    assert [one.id for one in listed(given, prefix="other")] == ["other.txt"]


def test_only_what_changed_is_fetched_again_and_past_versions_are_known(store, monkeypatch):
    client, given = store
    before = listed(given)
    client.put_object(Bucket="handbook", Key="hr/leave.md", Body=TEXT.replace("30", "14").encode())
    client.delete_object(Bucket="handbook", Key="other.txt")
    fetched = []
    entry = S3Source._entry
    monkeypatch.setattr(S3Source, "_entry", lambda self, key, *more: fetched.append(key) or entry(self, key, *more))
    after = listed(given, before, days=1)
    assert fetched == ["hr/leave.md"]
    by_id = {}
    for one in after:
        by_id.setdefault(one.id, []).append(one)
    old, new = by_id["hr/leave.md"]
    assert (old.text, new.text) == (TEXT.replace("purchase", "hr/leave.md"), TEXT.replace("30", "14"))
    assert old.effective_to == new.effective_from
    (gone,) = by_id["other.txt"]
    assert gone.effective_to == AT + timedelta(days=1)
    copies = [Document(id=f"s3://handbook/{one.id}", uri=f"s3://handbook/{one.id}", text=one.text) for one in before]
    lag = index_lag(Catalog(after), copies, AT + timedelta(days=2))
    assert [(one.kind, one.uri) for one in lag.lagging] == [
        ("outdated", "s3://handbook/hr/leave.md"),
        ("removed", "s3://handbook/other.txt"),
    ]


def test_front_matter_of_an_object_is_read(store):
    client, given = store
    client.put_object(Bucket="handbook", Key="p.md", Body=b"---\nid: HR-1\nversion: 4.10\n---\nText.")
    (found,) = listed(given, prefix="p.md")
    assert found.reference == "HR-1@4.10"
    (again,) = listed(given, [found], prefix="p.md")
    assert again == found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bucket": "no-such-bucket"}, "NoSuchBucket"),
        ({"endpoint_url": f"http://127.0.0.1:{free_port()}"}, "Could not connect"),
        ({"endpoint_url": "nonsense"}, "Invalid endpoint"),
    ],
)
def test_what_cannot_be_had_is_one_line_without_the_key(store, monkeypatch, change, said):
    _, given = store
    monkeypatch.setattr("collector.catalog.listings.s3.ATTEMPTS", 1)
    with pytest.raises(ConfigError, match=said) as caught:
        listed(given, **change)
    (line,) = caught.value.problems
    assert line.startswith("s3://")
    assert "\n" not in line
    assert KEY not in line


def test_half_a_pair_of_keys_is_refused():
    (problem,) = S3Source(bucket="handbook", access_key_id="key").problems("catalog.sources[0]")
    assert problem == "catalog.sources[0].secret_key_file: give access_key_id and secret_key_file together"
