"""What fails is exposed with the words in which notifiers tell of it, and only for as long as it fails."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from collector.judging.failures import Failures
from collector.store.sqlite import open_store
from telemetry.registry import Telemetry
from tests.collector.notify.bench import AT, ROLL_BACK, SECOND, decision, notice, renewed

TRAVEL = {"service": "helpdesk", "domain": "travel"}


@pytest.fixture
def world(tmp_path):
    store = open_store(tmp_path / "data")
    telemetry = Telemetry(metrics=(), dimensions=("service", "domain"), version="1")
    yield store, telemetry, Failures(store=store, gates=("fresh",), telemetry=telemetry)
    store.close()


def shown(world):
    _, telemetry, failures = world
    failures.expose()
    families = text_string_to_metric_families(telemetry.exposition("")[0].decode())
    [family] = [each for each in families if each.name == "groundwire_failure_info"]
    return [sample.labels for sample in family.samples]


def append(world, *rows):
    world[0].save_checkpoint("gate:fresh", 0, b"", rows)


def test_the_series_says_what_a_notifier_says(world):
    append(world, decision(slice_=TRAVEL, recommended=ROLL_BACK))
    [labels] = shown(world)
    told = notice(slice_=TRAVEL, recommended=ROLL_BACK).annotations
    assert {name: labels[name] for name in ("metric", "summary", "description", "cause", "first_step")} == {
        name: told[name] for name in ("metric", "summary", "description", "cause", "first_step")
    }
    assert labels | TRAVEL == labels
    assert (labels["gate"], labels["decision"], labels["example"]) == ("fresh", "1", "a1")


def test_what_recovered_and_what_is_no_gate_any_more_has_no_series(world):
    append(world, decision(), decision(slice_=TRAVEL), decision(gate="retired"))
    assert len(shown(world)) == 2
    append(world, decision(state="pass", previous="fail", at=AT + SECOND))
    [labels] = shown(world)
    assert labels["domain"] == "travel"


def test_what_more_answers_show_replaces_what_was_said_at_first(world):
    append(world, decision())
    append(world, renewed(at=AT + SECOND, recommended=ROLL_BACK))
    [labels] = shown(world)
    assert labels["first_step"].startswith("Roll back release")
    assert labels["decision"] == "2"


def test_a_row_of_another_version_that_cannot_be_read_has_no_words(world):
    append(world, decision(explained=False))
    assert shown(world) == []
