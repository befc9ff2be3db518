"""A decision log of version 0.1.0 is still whole, is read as it was written, and is written again but for its texts.

The golden files are not regenerated: they stand for stores that are out there. A change of what is decided on the same
traffic, or of how a decision is stored, fails here first, and gets a file of its version.
"""

import io
import json
from pathlib import Path

import pytest

from collector.commands.audit import audit
from collector.judging.rollbacks import Book
from collector.store.entries import SeenVersion
from collector.store.log import exported, exported_log
from gates.decisions.record import DecisionRecord
from tests.collector.pipeline.world import World, broken, fine

GOLDEN = Path(__file__).parent / "golden"
TEXTS = {"reason", "detail", "summary", "hash", "previous_hash"}
TOLD_SINCE = {"reference", "detectable"}
"""Evidence that verdicts tell since these files were written."""
BOUNDS = {"lower", "upper"}
FROM_THE_ONSET = {"total", "mix", "within", "parts", "figures", "level", "reference", "n", *BOUNDS}
"""What is measured from the start of a fall on, which is placed at the change that began it since."""


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Serve a broken release, roll it back, then break a document."""
    world = World(tmp_path_factory.mktemp("golden") / "data")
    # Versions of all components are known: older versions ruled out what nobody reports, too.
    known = ("release", "model", "prompt", "index", "retriever", "document:HR-1")
    seen = [SeenVersion(component=name, scope="{}", version="1", count=1, first=1, last=1, last_at=1) for name in known]
    world.store.record_changes([], seen=seen)
    world.serve(90, fine, release="1")
    world.change("deploy", component="release", version="2", previous="1")
    world.serve(30, broken, release="2")
    world.change("deploy", component="release", version="1", previous="2")
    world.step.run_once()
    world.watched = world.store.load_checkpoint("verification")[1]
    world.serve(60, fine, release="1")
    world.change("documents", documents=("HR-2",), version="v2", previous="v1")
    world.serve(40, lambda document, **_: 0.9 if document == "HR-2" else 0.03, release="1")
    yield world
    world.store.close()


def without(value, names):
    if isinstance(value, dict):
        return {name: without(each, names) for name, each in value.items() if name not in names}
    return [without(each, names) for each in value] if isinstance(value, list) else value


def as_before(value):
    """Return a value without the evidence that verdicts tell since."""
    if isinstance(value, dict):
        return {
            name: without(each, TOLD_SINCE) if name == "evidence" else as_before(each) for name, each in value.items()
        }
    return [as_before(each) for each in value] if isinstance(value, list) else value


def facts(line):
    row = json.loads(line)
    return without({**row, "record": json.loads(row["record"]), "verdict": json.loads(row["verdict"])}, TEXTS)


def test_the_log_of_an_older_version_is_whole():
    out = io.StringIO()
    assert audit(data="unused", file=GOLDEN / "decisions.jsonl", head=None, as_json=True, out=out) == 0
    assert json.loads(out.getvalue())["rows"] == 16


def test_records_of_an_older_version_are_written_as_they_were_read():
    for row in exported_log((GOLDEN / "decisions.jsonl").read_bytes().splitlines()):
        assert DecisionRecord.model_validate_json(row.record).model_dump_json() == row.record


def verdicts(world):
    """Return the rows that older versions wrote too, numbered as they did: none of what more answers show."""
    rows = [facts(exported(row)) for row in world.store.decisions(limit=100)]
    kept = [row for row in rows if row["record"]["kind"] != "attribution"]
    return [{**row, "seq": number} for number, row in enumerate(kept, 1)]


def bounds(value):
    """Yield every interval of a value, in order."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and "upper" in value:
        yield value["lower"], value["upper"]
    for each in parts:
        yield from bounds(each)


def test_the_same_traffic_leads_to_the_same_decisions(world):
    found = [facts(exported(row)) for row in world.store.decisions(limit=100)]
    assert found == list(map(facts, (GOLDEN / "decisions.0.3.0.jsonl").read_text().splitlines()))
    assert all(part["evidence"].keys() == TOLD_SINCE for part in found[0]["verdict"]["slices"])


def apart_from_onset(row):
    """Return a row without what depends on where its fall was said to begin."""
    row = without(row, BOUNDS)
    if row["record"]["kind"] == "verification":
        row |= {"verdict": without(row["verdict"], FROM_THE_ONSET)}
    told = {name: row["record"].get(name) for name in ("attribution", "verification")}
    told = {name: value and without(value, {"since", *FROM_THE_ONSET}) for name, value in told.items()}
    return {**row, "record": {**row["record"], **told}}


def test_decisions_of_an_older_version_stand_within_bounds_that_hold_over_all_slices(world):
    found = verdicts(world)
    older = list(map(facts, (GOLDEN / "decisions.jsonl").read_text().splitlines()))
    assert [apart_from_onset(row) for row in as_before(found)] == [apart_from_onset(row) for row in older]
    sides = ([row["record"]["slices"] for row in rows] for rows in (found, older))
    pairs = list(zip(*map(bounds, sides), strict=True))
    # A verdict over two slices takes half of the error for each.
    assert pairs
    assert all(
        low <= was_low and was_high <= high for (low, high), (was_low, was_high) in pairs if None not in (low, was_low)
    )


def test_rollbacks_watched_by_an_older_version_are_watched_on(world):
    saved = (GOLDEN / "verification.json").read_text()
    assert len(Book.model_validate_json(saved).checks) == 2
    watched = without(json.loads(world.watched), FROM_THE_ONSET)
    read = [json.loads(row.record)["kind"] for row in world.store.decisions(limit=watched["decision"])]
    assert {**watched, "decision": len(read) - read.count("attribution")} == without(json.loads(saved), FROM_THE_ONSET)
