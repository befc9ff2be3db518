"""The image as it is described, its commands run for real; there is no container around them."""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.agent import Agent

TEXT = re.sub(r"\\\n", " ", (Path(__file__).resolve().parents[1] / "Dockerfile").read_text())
DATA, CONFIG = "/var/lib/groundwire", "/etc/groundwire/groundwire.yaml"
LISTENERS = ("http", "receive.otlp_http", "receive.otlp_grpc")
TOKEN = "s3cret"


def instruction(name):
    """Return what the last instruction of this name says."""
    return re.findall(rf"^{name} +(.*)$", TEXT, re.MULTILINE)[-1].strip()


def contained(directory, **config):
    """Return an agent as the image runs it, with a configuration and a volume that were mounted."""
    agent = Agent(directory, **config)
    paths = {CONFIG: str(agent.file), DATA: str(directory / "data")}
    agent.arguments = [paths.get(argument, argument) for argument in json.loads(instruction("CMD"))]
    return agent


def admitting(**who):
    return {"http": who, "receive": {"otlp_http": who, "otlp_grpc": who}}


def status(address, path, **headers):
    port = address.rpartition(":")[2]
    try:
        with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)) as found:
            return found.status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.slow
def test_a_token_is_asked_for_on_every_port_and_the_container_tells_its_health(tmp_path):
    (tmp_path / "token").write_text(TOKEN)
    agent = contained(tmp_path, **admitting(token_file=str(tmp_path / "token")))
    interpreter, *check = json.loads(instruction("HEALTHCHECK").partition(" CMD ")[2])
    assert interpreter == "python"
    with agent:
        assert {address.rpartition(":")[0] for address in (agent.http, agent.otlp_http, agent.otlp_grpc)} == {"0.0.0.0"}
        shown = {"authorization": f"Bearer {TOKEN}"}
        assert [status(agent.http, "/metrics"), status(agent.http, "/metrics", **shown)] == [401, 200]
        assert status(agent.http, "/metrics", host="groundwire:8080", **shown) == 200
        assert status(agent.otlp_http, "/v1/traces", host="groundwire:4318") == 405
        port = agent.http.rpartition(":")[2]
        probe = [sys.executable, *(part.replace("8080", port) for part in check)]
        assert subprocess.run(probe, check=False, env={}).returncode == 0
        assert agent.terminate() == 0
    assert (tmp_path / "data" / "groundwire.db").exists()
    assert subprocess.run(probe, check=False, env={}, stderr=subprocess.DEVNULL).returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize("who", [{"token": TOKEN}, {"allow_unauthenticated": True}])
def test_the_command_is_in_order_with_a_token_or_by_choice(tmp_path, who):
    agent = contained(tmp_path, **admitting(**who))
    assert subprocess.run(checking(agent), check=False).returncode == 0


def test_without_a_token_or_a_choice_it_ends_and_says_what_to_do(tmp_path):
    agent = contained(tmp_path)
    agent.file.write_text("")
    command = [sys.executable, "-P", "-m", "collector.cli", *agent.arguments]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert found.returncode == 2
    for where in LISTENERS:
        assert f"{where}.token_file, or {where}.allow_unauthenticated: true" in found.stderr
    assert not (tmp_path / "data").exists()


def checking(agent):
    """`groundwire check` with what the image gives to `groundwire run`."""
    return [sys.executable, "-P", "-m", "collector.cli", "check", *agent.arguments[1:]]


def test_what_the_command_names_is_in_the_image_and_the_volume_is_the_users():
    user = instruction("USER").partition(":")[0]
    assert f"install -d -o {user}" in TEXT
    assert TEXT.index(f"install -d -o {user}") < TEXT.index(f"VOLUME {DATA}")
    assert re.search(rf"touch {CONFIG}", TEXT)
    assert set(instruction("EXPOSE").split()) == {"4317", "4318", "8080"}
