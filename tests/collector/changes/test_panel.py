"""A scorer that changed is a change of the measure, told once."""

import pytest

from collector.changes.panel import announce, known_panel, panel_versions
from collector.store.sqlite import open_store
from scorers.efficiency.usage import Latency
from scorers.freshness.stale_source_use import StaleSourceUse
from scorers.safety.protected_data import ProtectedDataControl

NOON = 1_780_000_000 * 10**9


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "data")
    yield store
    store.close()


def of_version(version):
    class Changed(Latency):
        metric = Latency.metric.model_copy(update={"version": version})

    return Changed()


def test_the_first_panel_is_no_change_and_neither_is_the_same_again(store):
    first = announce(store, [Latency(), StaleSourceUse()], lambda: NOON)
    assert announce(store, [Latency(), StaleSourceUse()], lambda: NOON + 1) == first
    assert store.changes() == []
    assert known_panel(store, first) == panel_versions([Latency(), StaleSourceUse()]) | {"judge": "none"}
    assert known_panel(store, "never heard of") == {}


def test_another_version_of_a_scorer_is_a_change_of_its_metric(store):
    announce(store, [Latency()], lambda: NOON)
    digest = announce(store, [of_version("9"), StaleSourceUse()], lambda: NOON + 1)
    (row,) = store.changes()
    assert (row.kind, row.component, row.version, row.previous) == ("scorer", "latency", "9", Latency.metric.version)
    assert (row.scope, row.at) == ({}, NOON + 1)
    assert known_panel(store, digest)["latency"] == "9"
    announce(store, [Latency()], lambda: NOON + 2)
    assert [row.version for row in store.changes()] == ["9", Latency.metric.version]


def test_a_scorer_left_out_for_a_while_is_compared_with_what_it_was(store):
    announce(store, [Latency(), StaleSourceUse()], lambda: NOON)
    narrow = announce(store, [StaleSourceUse()], lambda: NOON + 1)
    assert set(known_panel(store, narrow)) == {"stale_source_use", "judge"}
    announce(store, [of_version("9")], lambda: NOON + 2)
    assert [row.component for row in store.changes()] == ["latency"]


def test_other_options_are_another_measure():
    german = panel_versions([ProtectedDataControl(phone_regions=("DE",))])["protected_data_control"]
    version = ProtectedDataControl.metric.version
    assert panel_versions([ProtectedDataControl()]) == {"protected_data_control": version}
    assert german.startswith(f"{version}+")


def test_another_model_behind_the_scorers_is_a_change_of_the_judge(store):
    announce(store, [Latency()], lambda: NOON)
    digest = announce(store, [Latency()], lambda: NOON + 1, models="abc")
    announce(store, [Latency()], lambda: NOON + 2)
    told = [(row.kind, row.component, row.previous, row.version) for row in store.changes()]
    assert told == [("scorer", "judge", "none", "abc"), ("scorer", "judge", "abc", "none")]
    assert known_panel(store, digest)["judge"] == "abc"


def test_an_agent_that_ended_halfway_tells_it_once(store, monkeypatch):
    announce(store, [Latency()], lambda: NOON)
    save = type(store).save_checkpoint

    def ended(self, name, *rest):
        if name == "panel":
            raise RuntimeError("killed")
        save(self, name, *rest)

    monkeypatch.setattr(type(store), "save_checkpoint", ended)
    with pytest.raises(RuntimeError, match="killed"):
        announce(store, [of_version("9")], lambda: NOON + 1)
    monkeypatch.setattr(type(store), "save_checkpoint", save)
    announce(store, [of_version("9")], lambda: NOON + 2)
    assert len(store.changes()) == 1
