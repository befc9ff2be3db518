import re
import shlex
import tomllib
from pathlib import Path

import pytest

from collector.configuration.file import load
from collector.configuration.schema import Config
from collector.notify import NOTIFIERS
from collector.sources import SOURCES
from collector.writeback import TARGETS
from docs.generate import PAGES
from docs.makers.commands import commands
from gates import GATES
from scorers import SCORERS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("path", sorted(PAGES), ids=lambda path: path.name)
def test_generated_pages_are_what_the_code_says(path):
    assert path.read_text(encoding="utf-8") == PAGES[path](), "run `make docs`"


def test_every_section_and_component_has_its_heading():
    text = (ROOT / "docs" / "reference" / "configuration.md").read_text()
    for name in Config.model_fields:
        assert f"## `{name}`" in text
    for component in (*SCORERS, *GATES, *SOURCES, *TARGETS, *NOTIFIERS):
        tag = component.model_fields["type"].annotation.__args__[0]
        assert f"### `type: {tag}`" in text


def test_every_metric_has_its_heading_and_every_command_too():
    metrics = (ROOT / "docs" / "reference" / "metrics.md").read_text()
    for scorer in SCORERS:
        assert f"### {scorer.metric.name}\n" in metrics
    commands = (ROOT / "docs" / "reference" / "commands.md").read_text()
    for name in ("run", "demo", "check", "adapt", "gate", "boards", "rules"):
        assert f"## `groundwire {name}`" in commands


MARKDOWN = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(part.startswith((".venv", ".git")) for part in path.relative_to(ROOT).parts)
)


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_snippet_of_the_readme_is_the_one_of_the_example():
    block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    example = (ROOT / "examples" / "langchain" / "README.md").read_text()
    assert block.group(1) in example


def test_a_decision_has_a_number_of_its_own_and_bears_it():
    pages = sorted((ROOT / "docs" / "adr").glob("*.md"))
    numbers = [int(page.name[:4]) for page in pages]
    assert numbers == list(range(1, len(pages) + 1))
    for number, page in zip(numbers, pages, strict=True):
        assert page.read_text(encoding="utf-8").startswith(f"# {number}. ")


PACKAGES = ("adapters", "scorers", "gates", "evaluation", "telemetry", "dashboards", "collector")
ROOMS = {
    package: {path.name for path in (ROOT / package).iterdir() if (path / "__init__.py").exists()}
    for package in PACKAGES
}


def _quoted(text):
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return {word for quoted in re.findall(r"`([^`]+)`", prose) for word in quoted.split()}


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_a_path_on_the_pages_for_contributors_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    # Who follows a guide writes these.
    written = set(re.findall(r"`(\S+\.py)`:$", text, re.MULTILINE))
    there = {path.relative_to(ROOT).as_posix() for package in PACKAGES for path in (ROOT / package).rglob("*")}
    paths = {word for word in _quoted(text) if re.fullmatch(r"[\w./-]+(?:/|\.py)", word)}
    assert paths
    for path in paths - written:
        short = path.rstrip("/")
        known = (ROOT / path).exists() or any(each.endswith(f"/{short}") for each in there)
        assert known, f"{page} names {path}"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_architecture_says_what_each_room_is_for(package):
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = {part for word in _quoted(text) for part in word.split("/")}
    assert ROOMS[package] <= named


def shown_commands(text):
    """The words of each command of the product in the blocks of a page that are for a shell."""
    for block in re.findall(r"^ *```(?:sh|bash|console)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL):
        for told in re.findall(r"(?:^|[\s(;|&/])groundwire +([a-z][^|;&>)#\n]*)", block.replace("\\\n", " ")):
            yield shlex.split(told)


def test_every_command_of_every_page_exists_with_its_options():
    known, checked = commands(), 0
    for path in (*(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md"), ROOT / "README.md"):
        for words in shown_commands(path.read_text(encoding="utf-8")):
            names = [" ".join(words[:count]) for count in (3, 2, 1)]
            name = next((each for each in names if each in known), None)
            assert name, (path.name, words)
            options = {option for each in known[name].params for option in (*each.opts, *each.secondary_opts)}
            told = {word.partition("=")[0] for word in words if word.startswith("--")}
            assert told <= options | {"--help"}, (path.name, words)
            checked += 1
    assert checked > 100


@pytest.mark.parametrize("page", ["canaries.md"])
def test_configurations_on_these_pages_are_taken_as_they_are(page):
    shown = re.findall(
        r"^```yaml\n(.*?)^```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert shown
    for text in shown:
        load(text, where=page)


def test_the_command_that_pipx_installs_is_the_one_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")
    assert f"pipx install {project['name']}\ngroundwire run\n" in text
    assert project["scripts"] == {"groundwire": "collector.cli:main"}
    assert project["requires-python"] == ">=3.11"


def test_the_ports_that_the_container_opens_are_those_that_docker_run_maps():
    text = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    exposed = re.search(r"^EXPOSE (.+)$", image, re.MULTILINE)[1].split()
    assert sorted(re.findall(r"-p 127\.0\.0\.1:(\d+):\1", text)) == sorted(exposed)
    volume = re.search(r"^VOLUME (.+)$", image, re.MULTILINE)[1]
    assert f"-v groundwire:{volume} " in text
    mounted = re.search(r'"--config", "([^"]+)"', image)[1]
    assert f'-v "$PWD/groundwire.yaml:{mounted}:ro"' in text
