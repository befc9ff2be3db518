"""How many answers a second one core scores with the default panel.

    python benchmarks/scoring.py [--answers N]

Answers are generated: a pool of policies with two versions each, five passages of about a hundred words an answer,
five claims, citations, a fixed seed. Passages recur as they do in production, where the same documents are retrieved
again and again; ``--distinct`` makes every passage new, which no memo can help.
"""

from __future__ import annotations

import argparse
import platform
import random
import time
from datetime import UTC, datetime, timedelta

from adapters.schema import Answer, Citation, Passage, Usage
from scorers import default_panel, run_panel
from scorers.base import Env
from scorers.catalog import Catalog, Document

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = """hotel travel leave expense invoice device laptop contract supplier claim budget approval request
    manager team"""
NOUNS = WORDS.split()
VERBS = ("requires", "allows", "covers", "replaces", "reports", "limits", "approves", "extends", "reviews")
TAILS = ("per night", "per year", "in writing", "before departure", "without notice", "within the region")


def sentence(rng: random.Random) -> str:
    words = rng.sample(NOUNS, 4)
    return (
        f"The {words[0]} {words[1]} policy {rng.choice(VERBS)} {rng.randint(2, 900)} EUR for each {words[2]} and every"
        f" {words[3]} {rng.choice(TAILS)}."
    )


def pool(rng: random.Random, size: int) -> list[Passage]:
    passages = []
    for number in range(size):
        version = number % 2 + 2
        text = " ".join(sentence(rng) for _ in range(7))
        passages.append(
            Passage(
                id=f"POL-{number // 2}@{version}",
                doc_id=f"POL-{number // 2}",
                version=str(version),
                text=text,
                effective_from=NOW - timedelta(days=900 if version == 2 else 200),
                effective_to=NOW - timedelta(days=200) if version == 2 else None,
            )
        )
    return passages


def answer(rng: random.Random, number: int, passages: list[Passage]) -> Answer:
    chosen = rng.sample(passages, 5)
    text, citations = "", []
    for passage in chosen:
        claim = rng.choice((passage.text or "").split(". ")).rstrip(".")
        marker = f"[{passage.rank or 1}]"
        text += claim + " "
        citations.append(Citation(start=len(text), end=len(text) + len(marker), marker=marker, passage_id=passage.id))
        text += marker + ". "
    return Answer(
        id=f"a-{number}",
        question=f"What does the {rng.choice(NOUNS)} policy say about {rng.choice(NOUNS)}?",
        answer=text,
        started_at=NOW - timedelta(days=rng.randint(0, 300)),
        passages=tuple(chosen),
        context=tuple(passage.id for passage in chosen),
        citations=tuple(citations),
        usage=Usage(total_tokens=rng.randint(500, 9000), latency_ms=rng.uniform(300, 20000)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=2000)
    parser.add_argument("--distinct", action="store_true", help="every passage is new")
    options = parser.parse_args()
    rng = random.Random(7)
    shared = pool(rng, 400)
    answers = [answer(rng, number, pool(rng, 6) if options.distinct else shared) for number in range(options.answers)]
    catalog = Catalog(
        Document(id=p.doc_id or "", version=p.version, effective_from=p.effective_from, effective_to=p.effective_to)
        for p in shared
    )
    env = Env(now=NOW, catalog=catalog)
    panel = default_panel()
    kind = "distinct" if options.distinct else "shared"
    words = sum(len((p.text or "").split()) for a in answers for p in a.passages or ()) / len(answers) / 5
    spent = dict.fromkeys((scorer.metric.name for scorer in panel), 0.0)
    for each in answers:
        for scorer in panel:
            before = time.perf_counter()
            scorer.score(each, env)
            spent[scorer.metric.name] += time.perf_counter() - before
    started = time.perf_counter()
    scored = sum(len(run_panel(panel, each, env).scores) for each in answers)
    elapsed = time.perf_counter() - started
    print(f"machine     {platform.machine()}, Python {platform.python_version()}, one process")
    print(f"answers     {len(answers)}, five passages of {words:.0f} words, {kind}")
    print(f"throughput  {len(answers) / elapsed:.0f} answers/s, {scored / elapsed:.0f} scores/s")
    print("per scorer, the first to read an answer pays for all:")
    for name, seconds in spent.items():
        print(f"  {name:24s}{seconds / len(answers) * 1e6:8.0f} us")


if __name__ == "__main__":
    main()
