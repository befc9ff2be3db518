"""Every command block of every page runs in a test, or is listed with the reason why it cannot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.agent import Agent
from tests.collector.sources.server import serving
from tests.docs.blocks import ROOT, Block, Reader, World, blocks, pages, parts
from tests.docs.worlds import (
    AGENT,
    CANNOT_RUN,
    FOLLOWED,
    POLICIES,
    STAND_INS,
    WORLDS,
    elsewhere,
    told_of,
)
from tests.traffic import merged, policy_trace

BLOCKS = blocks()


def followed(block: Block) -> str | None:
    """Return the test that follows a block on its own."""
    return next((by for start, by in FOLLOWED.get(block.page, {}).items() if block.code.startswith(start)), None)


def listed(block: Block) -> bool:
    """Return whether a block cannot run."""
    return any(block.page == page and block.code.startswith(start) for page, start in CANNOT_RUN)


MINE = [block for block in BLOCKS if followed(block) is None and not listed(block)]


def test_what_is_listed_is_on_its_page_and_nothing_is_listed_twice() -> None:
    for page, start in CANNOT_RUN:
        assert any(block.page == page and block.code.startswith(start) for block in BLOCKS), (page, start)
    for page, starts in FOLLOWED.items():
        for start, by in starts.items():
            mine = [block for block in BLOCKS if block.page == page and block.code.startswith(start)]
            assert mine, f"{page} has no block that starts with {start!r}"
            assert not any(map(listed, mine))
            test = (ROOT / by).read_text(encoding="utf-8")
            assert Path(page).stem in test or "tests.docs.guide" in test, f"{by} does not follow {page}"
    assert {block.page for block in MINE} >= set(WORLDS)
    for page, world in WORLDS.items():
        for start in world.before:
            assert any(block.page == page and block.code.startswith(start) for block in MINE), (page, start)
    for program in STAND_INS:
        assert any(program in block.code for block in MINE), f"no block needs {program}"


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Agent, dict[str, str]]]:
    """An agent whose travel answers are stale, and what stands here for the examples of the pages."""
    folder = tmp_path_factory.mktemp("agent")
    with serving(elsewhere) as there:
        config = yaml.safe_load(AGENT.replace("http://elsewhere", there))
        (folder / "policies.yaml").write_text(POLICIES)
        with Agent(folder, data=str(folder / "groundwire-data"), **config) as running:
            now = time.time_ns()
            traces = [
                policy_trace(i, stale=domain == "travel", domain=domain, release=("2.0", "2.1")[i % 2], at=now)
                for domain in ("travel", "leave")
                for i in range(40)
            ]
            running.post(merged(traces).SerializeToString())
            yield running, told_of(running, there)


@pytest.mark.slow
@pytest.mark.timeout(900)  # a page may have twenty commands, each a process of its own
@pytest.mark.parametrize("page", sorted({block.page for block in MINE}))
def test_every_command_of_a_page_does_what_it_says(
    page: str, agent: tuple[Agent, dict[str, str]], tmp_path: Path
) -> None:
    running, replaced = agent
    reader = Reader(tmp_path, WORLDS.get(page, World()), replaced, running.http)
    reader.stand_in(STAND_INS)
    for name, target in {"groundwire-data": running.directory / "groundwire-data"}.items():
        (tmp_path / name).symlink_to(target)
    for name in ("examples", "helm", "Dockerfile"):
        (tmp_path / name).symlink_to(ROOT / name)
    reader.write(".venv/bin/groundwire", (reader.tools / "groundwire").read_text())
    (tmp_path / ".venv/bin/groundwire").chmod(0o755)
    waiting = [block for block in MINE if block.page == page]
    begun: set[str] = set()
    for told, code in parts(pages()[page]):
        if named := file_of(told, code):
            reader.write(named, code, more=named in begun)
            begun.add(named)
        elif waiting and code == waiting[0].code:
            reader.follow(waiting.pop(0))
    assert not waiting


def file_of(told: str, code: str) -> str | None:
    """Return the name of the file that a block is, from its title or its first line."""
    if 'title="' in told:
        return told.partition('title="')[2].rstrip('"')
    first = code.partition("\n")[0].removeprefix("# ")
    return first if told.startswith("yaml") and first.endswith((".yaml", ".yml")) and " " not in first else None
