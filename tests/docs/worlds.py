"""What the pages presuppose, which blocks are followed elsewhere, and which cannot run in a test."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from google.protobuf.json_format import MessageToJson

from adapters.external.case_record import CASE_INPUTS
from tests.agent import Agent
from tests.collector.sources.server import Handler
from tests.docs.blocks import ROOT, World
from tests.examples.readme import Example
from tests.traffic import rag_trace

CANNOT_RUN: Mapping[tuple[str, str], str] = {
    (
        "docs/models/local.md",
        "python -m training.entailment",
    ): "it fits an entailment model, whose weights neither the repository nor a package of it has",
}
"""Blocks by page and the words that they start with, and why they cannot run."""

_EXAMPLES = "tests/examples/test_examples.py"
_HOW_TO = "tests/docs/test_how_to.py"
FOLLOWED: Mapping[str, Mapping[str, str]] = {
    "CONTRIBUTING.md": {
        ".venv/bin/python -m pytest": "tests/docs/test_first_scorer.py",
        "python record_acme.py": "tests/docs/test_first_dialect.py",
        "$ python -m docs.generate": "tests/docs/test_first_gate.py",
    },
    **{
        f"docs/tutorials/{name}.md": {"": "tests/docs/test_tutorials.py"}
        for name in ("sre", "platform-engineer", "ml-engineer")
    },
    **{
        f"docs/how-to/{name}.md": {"": _HOW_TO}
        for name in ("argo", "flagger", "gates", "github", "gitlab", "grafana-cloud", "langfuse", "phoenix")
    },
    "docs/benchmark.md": {"groundwire benchmark": "tests/collector/test_benchmark_command.py"},
    "docs/reviews.md": {"": "tests/docs/test_reviews_page.py"},
    "docs/suites.md": {"$ groundwire evaluate": "tests/docs/test_suites_page.py"},
    **{
        f"examples/{name}/README.md": {"pip install": _EXAMPLES, "groundwire run  ": _EXAMPLES}
        for name in ("haystack", "langchain", "langfuse", "llama-index", "openllmetry", "opentelemetry")
    },
}
"""Blocks that a test of their own follows: by page, and how they start."""

_PIP = f"""#!{sys.executable}
import re, sys, tomllib
from pathlib import Path
root = Path({str(ROOT)!r})
project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
pinned = (root / "tests/models/requirements.txt").read_text() + (root / "CONTRIBUTING.md").read_text()
assert sys.argv[1] == "install"
for word in sys.argv[2:]:
    name, extra = re.fullmatch(r"([\\w.=-]+)(?:\\[(.+)\\])?", word).groups()
    assert name == project["name"] or name in pinned, word
    assert extra is None or extra in project["optional-dependencies"], word
"""
_DOCKER = f"""#!{sys.executable}
import re, sys
from pathlib import Path
image = Path("Dockerfile").read_text()
if sys.argv[1:] == ["build", "-t", "groundwire", "."]:
    sys.exit()
assert sys.argv[1] == "run" and sys.argv[-1] == "groundwire", sys.argv
given = list(zip(sys.argv[2:-1:2], sys.argv[3:-1:2]))
ports = [value.split(":")[-1] for option, value in given if option == "-p"]
assert sorted(ports) == sorted(re.search(r"^EXPOSE (.+)$", image, re.M)[1].split()), ports
mounts = [value.split(":") for option, value in given if option == "-v"]
assert len(ports) + len(mounts) == len(given), given
targets = [target for _, target, *_ in mounts]
assert re.search(r"^VOLUME (.+)$", image, re.M)[1] in targets
assert re.search(r'"--config", "([^"]+)"', image)[1] in targets
for source, target, *mode in mounts:
    assert not source.startswith("/") or (Path(source).is_file() and mode == ["ro"]), source
    assert target in image or target in Path("groundwire.yaml").read_text(), target
"""
_HELM = f"""#!{sys.executable}
import sys, yaml
from pathlib import Path
verb, name, chart, option, value = sys.argv[1:]
assert (verb, option) == ("install", "--set"), sys.argv
assert yaml.safe_load((Path(chart) / "Chart.yaml").read_text())["name"] == name
values = yaml.safe_load((Path(chart) / "values.yaml").read_text())
for key in value.partition("=")[0].split("."):
    values = values[key]
"""
_KUBECTL = "#!/bin/sh\n[ \"$1 $2 $3\" = 'create secret generic' ] && [ ${#5} -gt 60 ]\n"
STAND_INS: Mapping[str, str] = {
    "pip": _PIP,
    "pipx": _PIP,
    "docker": _DOCKER,
    "helm": _HELM,
    "kubectl": _KUBECTL,
}
"""Programs that would reach a registry, a daemon or a cluster: these hold their arguments against the repository."""

AGENT = """
scorers: [{type: stale_source_use}, {type: claim_support}]
catalog: {path: policies.yaml}
canaries:
  url: http://elsewhere
  path: /v1/search
  body: {query: "{question}", top_k: "{k}"}
  reply: {passages: results}
external:
  - {name: helpfulness, bounds: [1, 5]}
  - {name: thumbs, scores: [user-feedback, thumbs], values: {up: 1, down: 0}}
gates:
  - {type: threshold, name: policy-freshness, metric: stale_source_use, at_most: 0.05, by: [domain], window: 1h}
  - {type: threshold, name: grounded, metric: claim_support, at_least: 0.8, by: [domain]}
  - {type: drift, name: grounding, metric: claim_support, worse: lower, by: [domain], labels: prediction-powered}
  - {type: release, name: canary, metric: stale_source_use, worse: higher, margin: 0.02}
"""
POLICIES = """
documents:
  - {id: TRV-1, version: "2", title: Travel, effective_from: 2024-01-01, effective_to: 2025-12-31,
     text: The hotel limit is 150 EUR per night.}
  - {id: TRV-1, version: "3", title: Travel, effective_from: 2026-01-01, supersedes: TRV-1@2,
     text: The hotel limit is 180 EUR per night.}
"""


def elsewhere(handler: Handler) -> None:
    """Answer as an index, a Chroma server, a search and a Prometheus would."""
    asked = json.loads(handler.rfile.read(int(handler.headers["Content-Length"] or 0)) or b"{}")
    found = {"text": "The hotel limit is 180 EUR per night.", "doc_id": "TRV-1", "version": "3"}
    replies: dict[str, Any] = {
        "/v1/query": {"hits": [{"document": {"body": found["text"], "name": "TRV-1"}, "score": 0.8}]},
        "/v1/search": {"results": [found]},
        "/api/v1/query": {"status": "success", "data": {"resultType": "vector", "result": []}},
    }
    reply = replies.get(handler.path.partition("?")[0], {"id": "7f"})
    if handler.path.endswith("/get"):
        row = [] if asked["offset"] else ["1"]
        reply = {"ids": row, "documents": ["Old text."] * len(row), "metadatas": [{"source": "docs/api.md"}] * len(row)}
    handler.give(200, json.dumps(reply).encode(), Content_Type="application/json")


def told_of(agent: Agent, there: str) -> dict[str, str]:
    """Return what stands here for the examples of the pages, once the agent has judged its answers."""
    stale = agent.until(lambda: agent.get("/v1/answers?metric=stale_source_use&min_value=1&limit=100")[1]["answers"])
    agent.until(lambda: agent.get("/v1/gates/policy-freshness")[1]["state"] == "fail")
    rows = agent.until(lambda: [
        row for row in agent.get("/v1/decisions?limit=100")[1]["decisions"]
        if row["gate"] == "policy-freshness" and row["state"] == "fail"
    ])  # fmt: skip
    host = there.removeprefix("http://")
    return {
        "127.0.0.1:8080": agent.http,
        "127.0.0.1:4318": agent.otlp_http,
        "agent:4318": agent.otlp_http,
        "127.0.0.1:8000": host,
        "127.0.0.1:9200": host,
        "prometheus:9090": host,
        "ANSWER_ID": stale[0]["answer"]["id"],
        "a-17": stale[0]["answer"]["id"],
        "a-21": stale[1]["answer"]["id"],
        "export 17 ": f"export {rows[0]['seq']} ",
        "--wait 10m": "--wait 1s",
        "--wait 30m": "--wait 1s",
        "--watch 1m": "--watch 2s",
        "gate plan": "gate plan --runs 10 --weeks 1",
        "--slices 200": "--slices 2",
    }


def lines(*rows: Mapping[str, Any]) -> str:
    """Return rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def answers(count: int, *, bad: int = 0, **more: Any) -> str:
    """Return answers in two domains; the first ``bad`` of them say another figure than their passage."""
    return lines(*(
        {
            "id": f"q{i}",
            "question": f"How long can parcel {i} be returned?",
            "answer": f"Parcels can be returned for {30 if i < bad else 14} days.",
            "reference": "Parcels can be returned for 14 days.",
            "session_id": f"s{i // 2}",
            "passages": [
                {"id": "r", "doc_id": "RET-1", "score": 0.7 if i % 5 else 0.62,
                 "text": "Parcels can be returned for 14 days."},
                {"id": "s", "doc_id": "SHP-1", "score": 0.5, "text": "Standard shipping costs 5 euros."},
            ],
            "attributes": {
                "domain": ("travel", "leave")[i % 2], "question_id": f"q{i // 3}", "model": ("a", "b")[i // 2 % 2],
                "threshold": ("0", "0.6")[i % 2],
            },
            "gold": {"acceptable": i >= bad},
            **more,
        }
        for i in range(count)
    ))  # fmt: skip


def judged(count: int, *, lift: float = 0.0) -> str:
    """Return the records of a case-aware judge."""
    return lines(*(
        {"answer_id": f"q{i}", "evaluator": "judge", "version": "1"}
        | {f"{name}_score": round(0.4 + lift + i % 7 / 20, 2) for name in CASE_INPUTS}
        | {f"{name}_justification": "so it is" for name in CASE_INPUTS}
        for i in range(count)
    ))  # fmt: skip


def sweep() -> str:
    """Return the values of the panel of PaSSER at four thresholds: the last two are better than the others."""
    names = ("METEOR", "Rouge-2.f", "Rouge-l.f", "Bert-Score.f1", "B-RT.average", "B-RT.fluency", "F1 score")
    names += ("Laplace Perplexity", "Lidstone Perplexity")
    lifts = {0.01: 0.0, 0.9: 0.005, 0.95: 0.06, 0.97: 0.061}
    rows = (
        (i, at, *(round(0.3 + lift + (7 * i * (k + 1) + 3 * n) % 11 / 50, 3) for n in range(len(names))))
        for k, (at, lift) in enumerate(lifts.items())
        for i in range(60)
    )
    return "\n".join(",".join(map(str, row)) for row in (("question", "threshold", *names), *rows)) + "\n"


GATES = """
gates:
  - {type: drift, name: grounding, metric: stale_source_use, worse: higher, by: [domain], reference: 2d}
  - {type: release, name: canary, metric: stale_source_use, worse: higher, margin: 0.02}
"""
DESK = """
PASSAGE = {"id": "r", "doc_id": "TRV-1", "version": "3", "text": "The hotel limit is 180 EUR per night.", "score": 0.7}
def answer(question, least=0.0):
    return {"answer": PASSAGE["text"] + " Ask again." * (least > 0), "documents": [PASSAGE]}
"""


def past() -> str:
    """Return evaluations of 36 hours: after a day travel answers rest on stale sources more often."""
    begin = datetime(2026, 8, 5, tzinfo=UTC)
    return lines(
        {
            "at": "2026-08-06T00:00:00Z",
            "change": {"kind": "index", "scope": {"domain": "travel"}, "version": "2026-08-06"},
        },
        *(
            {
                "at": (begin + timedelta(minutes=4 * i)).isoformat(),
                "answer_id": f"{domain}-{i}",
                "metric": "stale_source_use",
                "value": int(i % 50 == 0 or (domain == "travel" and i > 360 and i % 3 == 0)),
                "probability": 1,
                "slice": {"domain": domain},
            }
            for i in range(540)
            for domain in ("travel", "leave")
        ),
    )


CAPTURED = rag_trace(
    "books",
    question="For how long are books lent?",
    answer="For three weeks.",
    passages=({"text": "Books are lent for three weeks.", "metadata": {}},),
    at=1_760_000_000_000_000_000,
)

WORLDS: Mapping[str, World] = {
    "CONTRIBUTING.md": World(files={"tests/golden/traces/.keep": "", "captured.json": MessageToJson(CAPTURED)}),
    "docs/benchmark.md": World(
        files={
            "labelled.jsonl": answers(150, bad=60),
            "answers.jsonl": answers(150, bad=60),
            "reviews.jsonl": lines(
                *({"answer_id": f"q{i}", "reviewer": "ann", "acceptable": i >= 60} for i in range(150))
            ),
        }
    ),
    "docs/catalog.md": World(
        files={
            "docs/api.md": "# Old text",
            "known.jsonl": lines({"id": "RET-1"}, {"id": "SHP-1", "uri": "file:///srv/shipping.md"}),
            "answers.jsonl": answers(
                2,
                passages=[
                    {"id": "r", "doc_id": "RET-1", "text": "Parcels can be returned for 14 days."},
                    {"id": "s", "text": "Shipping costs 5 euros.", "metadata": {"Ablage": "file:///srv/shipping.md"}},
                ],
            ),
            "policies/policies.yaml": POLICIES,
            "before.yaml": POLICIES,
            "after.yaml": POLICIES.replace("180 EUR", "190 EUR"),
        },
        before={
            "groundwire catalog from directory docs/ --previous catalog": "git init -q; git add docs; "
            "git -c user.name=ana -c user.email=ana@example.org commit -qm 'Add a page'",
            "$ groundwire catalog coverage": "cp known.jsonl catalog.jsonl",
        },
    ),
    "docs/decisions.md": World(
        replaced={"--head 5f0c...": "--head $(groundwire audit verify decisions.jsonl | sed 's/.*head //')"},
        figures=False,
    ),
    "docs/evaluation.md": World(
        files={
            "today.jsonl": answers(20) + judged(20),
            "next.jsonl": answers(20, bad=12) + judged(20, lift=0.1),
            "judged-b.jsonl": answers(20) + judged(20, lift=0.1),
            "answers.jsonl": answers(20),
            "suite.jsonl": answers(4, attributes={}),
            "trees.yaml": "{}\n",
            "model.yaml": "{}\n",
            "desk.py": DESK,
            "granite.csv": sweep(),
        },
        before={
            "groundwire compare runs/judged-a": "cp -r runs/today runs/judged-a; "
            "groundwire evaluate judged-b.jsonl --to runs/judged-b --metrics case_composite",
            "groundwire evaluate suite.jsonl --to runs/today": "rm -r runs/*; groundwire evaluate suite.jsonl "
            '--to runs/next --panel reference --metrics "claim_support,F1 score,Rouge-l.f"',
            "$ groundwire threshold sweep": "gzip granite.csv",
        },
        figures=False,
    ),
    "docs/external-scores.md": World(files={"turns.jsonl": answers(20), "judge.jsonl": judged(20)}),
    "docs/replay.md": World(
        files={"groundwire.yaml": GATES, "trial.yaml": GATES.partition("  - {type: release")[0], "past.jsonl": past()},
        before={"$ groundwire replay": "cp past.jsonl kept.jsonl"},
        figures=False,
    ),
    "docs/reports.md": World(
        files={"answers.jsonl": answers(6, configuration="before") + answers(6, bad=2, configuration="after")},
        before={"groundwire report after --to after.html": "groundwire evaluate answers.jsonl --to ."},
    ),
    "docs/retrieval.md": World(files={"yesterday.jsonl": answers(20)}),
    "docs/suites.md": World(
        files={
            "agent.yaml": "slices: [{name: domain}]" + AGENT,
            "policies.yaml": POLICIES,
            "mended.py": DESK,
        },
        before={"echo": "cp agent.yaml groundwire.yaml; cp mended.py desk.py"},
        replaced={"# exits with 1": "&& exit 9 || [ $? = 1 ]"},
    ),
    "examples/langchain/README.md": World(files={"groundwire.yaml": Example("langchain").configurations[0]}),
}
