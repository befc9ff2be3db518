"""What the command line says when it is given something that cannot be."""

import json
import re
import subprocess
import sys
from importlib.metadata import version

import pytest

from collector import cli
from collector.errors import ConfigError
from collector.store.sqlite import open_store
from docs.makers.commands import commands
from tests import command as here
from tests.command import one_object


def run(*arguments, cwd):
    command = [sys.executable, "-P", "-m", "collector.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=cwd)


@pytest.mark.parametrize("command", ["boards", "rules"])
def test_a_place_that_cannot_be_written_is_a_usage_error(tmp_path, command):
    (tmp_path / "file").write_text("")
    done = here.command(command, "--out", str(tmp_path / "file" / "below"), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"groundwire: --out {tmp_path}/file/below: cannot be written: Not a directory\n"


def test_all_boards_are_written_at_once_and_one_is_printed(tmp_path):
    done = here.command("boards", "all", "--out", str(tmp_path), cwd=tmp_path)
    names = ("on-call", "metrics", "agent")
    assert (done.returncode, done.stdout) == (0, "".join(f"{tmp_path}/groundwire-{name}.json\n" for name in names))
    for name in names:
        assert json.loads((tmp_path / f"groundwire-{name}.json").read_text())["uid"] == f"groundwire-{name}"
    one = here.command("boards", cwd=tmp_path)
    assert one.stdout == (tmp_path / "groundwire-on-call.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["all"], "all: several boards need a directory; give --out"),
        (["overview"], "overview: no such board; known: on-call, metrics, agent, all"),
    ],
)
def test_a_board_that_cannot_be_printed_is_a_usage_error(tmp_path, arguments, problem):
    done = here.command("boards", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"groundwire: {problem}\n")


def test_files_are_written_where_they_were_asked_for(tmp_path):
    done = here.command("rules", "--out", str(tmp_path / "new" / "place"), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path}/new/place/groundwire-rules.yaml\n")
    assert (tmp_path / "new" / "place" / "groundwire-rules.yaml").stat().st_size > 0


@pytest.mark.slow
@pytest.mark.parametrize("data", ["sqlite://x", "postgresql://user:pw@host/db", "file:/x", "sqlite:///x"])
def test_a_url_is_no_directory_and_none_is_made(tmp_path, data):
    done = run("run", "--data", data, "--set", "http.port=0", cwd=tmp_path)
    scheme = data.partition(":")[0]
    assert (done.returncode, done.stderr) == (2, f"groundwire: data: {scheme}:// is not supported; give a directory\n")
    assert list(tmp_path.iterdir()) == []


def test_a_url_is_refused_by_the_store_as_text_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="sqlite:// is not supported"):
        open_store("sqlite://x")
    open_store("a:b").close()


def test_a_key_of_the_configuration_does_not_reach_the_terminal_as_it_is(tmp_path):
    (tmp_path / "groundwire.yaml").write_text('"red\\e[31m\\u202e": 1\n')
    done = here.command("check", "--config", "groundwire.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "groundwire: groundwire.yaml: red\\x1b[31m\\u202e: unknown key; known: data, receive,"
    )


def test_an_empty_name_is_no_directory(tmp_path):
    done = run("run", "--data", "", cwd=tmp_path)
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert done.stderr == "groundwire: --data: expected a directory, got an empty name\n"


def test_the_version_is_printed_with_the_name_and_nothing_heavy_is_imported_for_it(tmp_path):
    heavy = ("numpy", "pydantic", "sqlalchemy", "orjson", "yaml", "starlette", "grpc")
    script = (
        "import sys, atexit; from collector import cli; sys.argv = ['groundwire', '--version'];"
        f"atexit.register(lambda: print(*(name for name in {heavy} if name in sys.modules), sep=',')); cli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"groundwire {version('groundwire')}\n\n", "")


def test_an_interrupt_before_a_command_began_is_quiet(monkeypatch, capsys):
    def interrupted(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            'http: {token: "${AGENT_TOKEN}"}',
            (
                "http.token: ${AGENT_TOKEN} is not replaced, as the file takes nothing from the environment: give the "
                "file that holds it as http.token_file, or fill in the file before the start, as with envsubst"
            ),
        ),
        (
            "sources: [{type: phoenix, name: p, url: 'http://${HOST:-localhost}:6006'}]",
            (
                "sources[0].url: ${HOST:-localhost} is not replaced, as the file takes nothing from the environment: "
                "write the value, or fill in the file before the start, as with envsubst"
            ),
        ),
        ("judge: {tick: 5s}\njudge: {tick: 6s}", "judge: duplicate key 'judge' at line 2, first given at line 1"),
        (
            "gates: [{type: threshold, name: g, metric: latency, at_least: 0.1, by: [servise]}]",
            "gates[0].by[0]: no slice dimension 'servise'; did you mean 'service'?; there are: service",
        ),
        (
            "exposition: {metrics: [faithfulnes]}",
            "exposition.metrics[0]: no metric 'faithfulnes' in the panel; did you mean",
        ),
    ],
)
def test_what_a_configuration_got_wrong_is_told_with_what_to_write(tmp_path, text, problem):
    (tmp_path / "groundwire.yaml").write_text(text)
    done = here.command("check", "--config", "groundwire.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"groundwire: groundwire.yaml: {problem}")


def test_a_dollar_that_names_nothing_stays_as_it_is(tmp_path):
    (tmp_path / "groundwire.yaml").write_text("http: {token: 'pa$$ {word} ${} ${1x}'}\n")
    assert here.command("check", "--config", "groundwire.yaml", cwd=tmp_path).returncode == 0


LINES = "prints JSON lines as it is"
FILE = "prints or writes a file for another program"
SERVES = "serves until it is told to stop"
WITHOUT_JSON = {
    "adapt": LINES,
    "audit export": LINES,
    "benchmark report": "writes report.json into the folder of the report",
    "boards": FILE,
    "demo": SERVES,
    "evaluations export": LINES,
    "mcp": SERVES,
    "review serve": SERVES,
    "rules": FILE,
    "run": SERVES,
    "threshold measure": FILE,
}
"""Commands that take no --json, and why a program needs none of them."""


def json_option(entry):
    return next((each for each in entry.params if "--json" in each.opts), None)


def test_every_command_prints_json_or_stands_here_with_the_reason_why_not():
    without = {name for name, entry in commands().items() if json_option(entry) is None}
    listings = {name for name in commands() if name.startswith("catalog from ")}
    assert without == WITHOUT_JSON.keys() | listings
    assert len(listings) > 10


def test_json_is_one_object_or_the_help_says_what_each_line_is():
    told = {name: option.help for name, entry in commands().items() if (option := json_option(entry)) is not None}
    several = {name for name, text in told.items() if text.startswith("Print one JSON object per line, one for each ")}
    assert several == {"gate plan", "replay", "score", "tail"}
    one = re.compile(r"Print one JSON object on one line(, for programs|: [a-z0-9_]+(, [a-z0-9_]+)*)\.")
    assert [name for name, text in told.items() if name not in several and not one.fullmatch(text)] == []


def test_the_help_of_every_command_tells_its_exit_codes():
    assert [name for name, entry in commands().items() if not re.search(r"\bExit code\s\d", entry.help)] == []


def test_the_version_as_json_is_the_one_that_is_printed():
    told = one_object(here.command("version", "--json"), "version")
    assert told["version"] == here.command("version").stdout.strip() == version("groundwire")
    assert here.command("--version").stdout.strip().endswith("(compiled)") == told["compiled"]
