import os

import pytest

from collector.configuration import models as running
from collector.configuration.schema import Config
from collector.workers.cores import usable_cores

HERE = len(os.sched_getaffinity(0))


def group(tmp_path, path, quotas):
    membership = tmp_path / "membership"
    membership.write_text(f"0::{path}\n")
    root = tmp_path / "cgroup"
    root.mkdir()
    for folder, quota in quotas.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "cpu.max").write_text(quota)
    return {"membership": membership, "cgroups": root}


@pytest.mark.parametrize(
    ("path", "quotas", "cores"),
    [
        ("/", {".": "100000 100000\n"}, 1),
        ("/", {".": "max 100000\n"}, HERE),
        ("/kubepods/pod1/agent", {"kubepods/pod1": "50000 100000\n", "kubepods/pod1/agent": "max 100000\n"}, 1),
        ("/named/as/outside", {".": "20000 100000\n"}, 1),
        ("/", {".": f"{(HERE + 7) * 100000} 100000\n"}, HERE),
        ("/", {}, HERE),
    ],
)
def test_the_time_that_a_control_group_is_given_bounds_the_cores(tmp_path, path, quotas, cores):
    assert usable_cores(**group(tmp_path, path, quotas)) == cores


def test_without_control_groups_it_is_the_cores_that_the_process_is_bound_to(tmp_path):
    assert usable_cores(membership=tmp_path / "none", cgroups=tmp_path) == HERE


@pytest.mark.parametrize(("cores", "workers"), [(1, 1), (2, 2), (64, 4)])
def test_an_agent_has_a_worker_for_each_core_unless_it_is_told(monkeypatch, cores, workers):
    monkeypatch.setattr(running, "usable_cores", lambda: cores)
    assert running.agent_workers(Config()) == workers
    assert running.agent_workers(Config(scoring={"workers": 3})) == 3
