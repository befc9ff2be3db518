"""The how-tos: the agent takes their configurations, and commands run as they stand, beside stand-ins of the tools."""

import json
import re
import shutil
import subprocess
import time
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
import yaml
from phoenix.client import Client

from collector.configuration.file import load
from tests.adapters.exports.test_langfuse import observed
from tests.agent import Agent
from tests.alertmanager import until
from tests.collector.sources.langfuse_server import PUBLIC, SECRET, LangfuseServer, told
from tests.collector.sources.server import free_port, serving
from tests.collector.sources.test_langfuse_agent import recorded
from tests.docs.tutorial import Reader
from tests.examples.argo import SUCCESSFUL, Metric
from tests.peers import require
from tests.phoenix.server import phoenix_server
from tests.prometheus import Prometheus
from tests.traffic import merged, policy_trace

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "how-to"
PAGES = sorted(path.stem for path in FOLDER.glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RELEASE = {"RELEASE": "2.1", "RUN": "17"}


def blocks(page, language):
    return [code for kind, code in BLOCK.findall((FOLDER / f"{page}.md").read_text("utf-8")) if kind == language]


@pytest.mark.parametrize("page", PAGES)
def test_every_configuration_is_one_that_the_agent_takes(page):
    for code in blocks(page, "yaml"):
        if code.startswith("# groundwire.yaml"):
            load(code, where=page)


@pytest.mark.parametrize("page", PAGES)
def test_a_how_to_says_what_to_do_when_it_does_not_work(page):
    text = (FOLDER / f"{page}.md").read_text("utf-8")
    assert text.count("\n## If it does not work\n") == 1
    assert f"how-to/{page}.md" in (ROOT / "docs" / "index.md").read_text("utf-8")


class Follower(Reader):
    """Follows a how-to with the programs and files of the reader's own world at hand."""

    def __init__(self, page, folder, *, files=(), programs=(), replaced=(), **world):
        super().__init__(f"docs/how-to/{page}.md", folder)
        self.replaced, self.world = dict(replaced), world
        for file in files:
            shutil.copy(ROOT / file, self.folder)
        for name, script in dict(programs).items():
            (self._tools / name).write_text(script)
            (self._tools / name).chmod(0o755)

    def _here(self, text):
        for before, after in self.replaced.items():
            text = text.replace(before, after)
        return super()._here(text)

    def _environment(self):
        here = super()._environment()
        return here | {"AGENT": f"http://{here['AGENT']}"} | self.world


KUBECTL = """#!/bin/sh
echo "$@" >> kubectl.log
for word; do case "$word" in *.yaml) test -s "$word" || exit 1;; esac; done
"""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """An agent as the pages on deployments configure it, with the tokens that they make."""
    folder = tmp_path_factory.mktemp("guarded")
    for name in ("token", "verdict-token"):
        (folder / name).write_text(f"{name}-0123456789")
    config = yaml.safe_load(blocks("argo", "yaml")[0])
    with Agent(folder, **config) as agent:
        agent.tokens = {name: (folder / name).read_text() for name in ("token", "verdict-token")}
        yield agent


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "files"),
    [
        ("argo", ("examples/rollouts/argo-web.yaml", "examples/rollouts/argo-rollout.yaml")),
        ("flagger", ("examples/rollouts/flagger-canary.yaml",)),
        ("github", ()),
        ("gitlab", ()),
    ],
)
def test_commands_of_the_pages_on_deployments_run_as_they_stand(page, files, guarded, tmp_path):
    reader = Follower(
        page, tmp_path, files=files, programs={"kubectl": KUBECTL}, **RELEASE, AGENT=f"http://{guarded.http}"
    )
    openssl = "#!/bin/sh\nn=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n\n"
    openssl += f"test $n = 0 && echo {guarded.tokens['token']} || echo {guarded.tokens['verdict-token']}\n"
    (reader._tools / "openssl").write_text(openssl)
    (reader._tools / "openssl").chmod(0o755)
    if page in {"github", "gitlab"}:
        (reader.folder / "token").write_text(guarded.tokens["token"])
    # The command that asks an agent is told by the page which one.
    (reader._tools / "groundwire").write_text(
        (reader._tools / "groundwire").read_text().replace('--url "http://$AGENT" ', "")
    )
    with reader:
        reader.follow()
    done = "".join(reader.printed)
    if page == "argo":
        log = (reader.folder / "kubectl.log").read_text().splitlines()
        assert log[1:] == ["apply -f argo-web.yaml", "apply -f argo-rollout.yaml"]
        phase, _ = Metric(
            reader.folder / "argo-web.yaml",
            gate="canary",
            candidate="2.1",
            agent=f"http://{guarded.http}",
            token=guarded.tokens["verdict-token"],
        ).measure_web()
        assert phase != SUCCESSFUL
    if page == "flagger":
        assert done.endswith(("200\n", "409\n"))
        assert f"groundwire:{guarded.tokens['verdict-token']}@" in (reader.folder / "canary.yaml").read_text()
    if page == "github":
        assert "canary" in (reader.folder / "summary.md").read_text()
    if page == "gitlab":
        assert (reader.folder / "gate.xml").exists()


@pytest.mark.slow
def test_the_guide_to_gates_is_followed_as_it_stands(tmp_path):
    with Reader("docs/how-to/gates.md", tmp_path) as reader:
        reader.follow()
        kinds = [row["kind"] for row in reader.agent.get("/v1/changes")[1]["changes"]]
    assert sorted(kinds) == ["index", "reference"]
    assert "canary (release): 60 scored answers an hour" in "".join(reader.printed)
    assert "current (objective)" in "".join(reader.printed)


@pytest.mark.slow
def test_grafana_cloud_gets_the_series_of_boards_and_rules_and_the_boards_themselves(tmp_path):
    """Remote write goes to a real Prometheus, boards to a server that takes what Grafana's API takes."""
    imported = []

    def grafana(handler):
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        assert handler.path == "/api/dashboards/db"
        assert handler.headers["Authorization"] == "Bearer glsa"
        imported.append(body)
        handler.give(200, b"{}", Content_Type="application/json")

    promtool, prometheus = require("promtool"), require("prometheus")
    cloud = f"127.0.0.1:{free_port()}"
    words = [prometheus, f"--config.file={tmp_path / 'empty.yaml'}", f"--storage.tsdb.path={tmp_path / 'cloud'}"]
    (tmp_path / "empty.yaml").write_text("")
    words += [f"--web.listen-address={cloud}", "--web.enable-remote-write-receiver"]
    far = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    running = None
    try:
        with (
            Agent(tmp_path, gates=[yaml.safe_load(blocks("grafana-cloud", "yaml")[0])["gates"][0]]) as agent,
            serving(grafana) as there,
        ):
            agent.post(merged([policy_trace(i, stale=True, at=time.time_ns()) for i in range(40)]).SerializeToString())
            reader = Follower(
                "grafana-cloud",
                tmp_path,
                replaced={
                    "https://prometheus-prod-01-eu-west-0.grafana.net/api/prom/push": f"http://{cloud}/api/v1/write",
                    "30s": "1s",
                },
                GRAFANA=there,
                GRAFANA_TOKEN="glsa",
            )
            (reader.folder / "grafana-token").write_text("glc")
            reader.agent = agent
            for name, code in re.findall(r"```yaml\n# (\S+)\n(.*?)```", reader.text, re.DOTALL):
                (reader.folder / name).write_text(reader._here(code))
            for code in blocks("grafana-cloud", "sh"):
                if not code.startswith("# in a"):
                    reader._run(code)
                    continue
                local = f"127.0.0.1:{free_port()}"
                running = subprocess.Popen(
                    [*code.splitlines()[-1].split(), f"--web.listen-address={local}", "--storage.tsdb.path=tsdb"],
                    cwd=reader.folder,
                    stderr=subprocess.DEVNULL,
                )
            assert {board["dashboard"]["uid"] for board in imported} == {
                "groundwire-on-call",
                "groundwire-metrics",
                "groundwire-agent",
            }
            assert all(board["overwrite"] for board in imported)
            asked = Prometheus(tmp_path, agent.http, "groups: []")
            asked.address = cloud
            until(lambda: asked.query('groundwire_gate_state{gate="freshness"}'), "the series came")
            until(lambda: asked.query('ALERTS{alertname="GroundwireGateFailing"}'), "the alert came")
            assert not asked.query("go_goroutines")
            merged_config = yaml.safe_load((reader.folder / "prometheus.yaml").read_text())
            merged_config |= yaml.safe_load((reader.folder / "alerting.yaml").read_text())
            (reader.folder / "with-alerting.yaml").write_text(yaml.safe_dump(merged_config))
            subprocess.run([promtool, "check", "config", "with-alerting.yaml"], cwd=reader.folder, check=True)
    finally:
        for process in (far, running):
            if process is not None:
                process.kill()
                process.wait(30)


@pytest.mark.slow
def test_langfuse_is_read_and_gets_scores_back_as_the_page_says(tmp_path):
    server, written = LangfuseServer(now=2**62), []
    server.ingest(*map(observed, recorded(0, at=time.time_ns() - 20 * 10**9)))

    def langfuse(handler):
        parts = urlsplit(handler.path)
        if handler.command == "POST":
            written.extend(json.loads(handler.rfile.read(int(handler.headers["Content-Length"]))))
            status, headers, body = told(202, {})
        else:
            query = parse_qsl(parts.query, keep_blank_values=True)
            status, headers, body = server.answer(parts.path, query, handler.headers.get("authorization", ""))
        handler.give(status, body, **headers)

    with serving(langfuse) as url:
        replaced = {"https://cloud.langfuse.com": url, "lag: 1m ": "lag: 1s ", "pk-lf-1234": PUBLIC}
        with Follower("langfuse", tmp_path, replaced=replaced, LANGFUSE_SECRET_KEY=SECRET) as reader:
            reader.follow()
            reader.agent.until(lambda: {score["name"] for score in written} >= {"claim_support", "gate:freshness"})


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_phoenix_is_read_and_gets_scores_back_as_the_page_says(tmp_path):
    (tmp_path / "phoenix").mkdir()
    with phoenix_server(tmp_path / "phoenix") as server:
        server.send(merged([policy_trace(i, stale=True, at=time.time_ns()) for i in range(25)]).SerializeToString())
        with Follower("phoenix", tmp_path, replaced={"http://127.0.0.1:6006": server.url}) as reader:
            reader.follow()
            rows = reader.agent.get("/v1/answers?limit=100")[1]["answers"]
            written = Client(base_url=server.url).spans.get_span_annotations(
                span_ids=[row["answer"]["span_id"] for row in rows], project_identifier="default", timeout=30
            )
            assert "stale_source_use" in {one["name"] for one in written}
