"""Prompts lie in the data directory: its files are for their owner alone."""

import os
import stat

import pytest

from collector.store.private import OTHERS, make_private
from collector.store.sqlite import DATABASE, open_store
from tests.collector.store.test_store import chunk


@pytest.fixture
def _open_to_all():
    before = os.umask(0)
    yield
    os.umask(before)


def modes(directory):
    return {path.name: path.stat().st_mode & 0o777 for path in directory.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("_open_to_all")
def test_a_new_store_is_private_whatever_the_umask(tmp_path):
    store = open_store(tmp_path / "data")
    store.upkeep.begin(1)
    store.append([chunk()])
    found = modes(tmp_path / "data")
    assert {f"{DATABASE}-wal", f"{DATABASE}-shm", "mark.json"} <= set(found)
    assert set(found.values()) == {0o600}
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    store.close()


@pytest.mark.usefixtures("_open_to_all")
def test_a_store_that_others_could_read_is_made_private_and_its_directory_left_alone(tmp_path):
    data = tmp_path / "data"
    store = open_store(data)
    store.append([chunk()])
    data.chmod(0o755)
    (data / "catalog").mkdir(mode=0o755)
    for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", "lock", "catalog/current", "groundwire.yaml"):
        (data / name).touch()
        (data / name).chmod(0o664)
    store.close()
    store = open_store(data)
    store.append([chunk()])
    found = modes(data)
    # A file of somebody else's is not ours to change.
    assert found.pop("groundwire.yaml") == 0o664
    assert set(found.values()) == {0o600}
    assert data.stat().st_mode & 0o777 == 0o755
    assert store.exposed == ()
    store.close()


def test_a_catalog_of_the_users_own_beside_the_store_keeps_its_mode(tmp_path):
    mine = tmp_path / "catalog" / "documents.yaml"
    packed = tmp_path / "catalog" / "0123-4567.packed"
    mine.parent.mkdir()
    for path in (mine, packed):
        path.touch()
        path.chmod(0o644)
    open_store(tmp_path).close()
    assert mine.stat().st_mode & 0o777 == 0o644
    assert packed.stat().st_mode & 0o777 == 0o600


def test_a_mode_that_cannot_be_changed_is_told(tmp_path, monkeypatch):
    open_store(tmp_path).close()
    (tmp_path / DATABASE).chmod(0o644)

    def refuse(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chmod", refuse)
    [problem] = make_private(tmp_path)
    assert problem == (
        f"{tmp_path / DATABASE} is readable by others (mode 0644) and its mode cannot be changed: "
        "Operation not permitted"
    )
    assert stat.S_IMODE((tmp_path / DATABASE).stat().st_mode) & OTHERS
    # It is no reason not to start: what is there can be read already.
    store = open_store(tmp_path)
    assert len(store.exposed) == 1
    store.close()
