"""How many answers a second one core scores with the default panel.

    python benchmarks/scoring.py [--answers N] [--memory N] [--entailment DIR] [--embedder DIR] [--device cpu|cuda]

Answers are generated: policies with two versions each, five passages of about 120 words an answer, five claims,
citations, a fixed seed. First passages recur, as they do in production, where the same documents are retrieved again
and again; then every passage is new, which no memo can help. The same with answers of the size of those of RAGTruth:
seven claims of eighteen words out of a table of four thousand, over 2,400 characters in one passage or in three. Last,
memory is watched while new answers pass.

With models the panel runs without them first, then with them, over new passages: one thread on a processor, groups of
answers in common batches as in a worker, seconds of the processor, or as they pass on a graphics card. Garbage is
collected as in a worker, too.
"""

from __future__ import annotations

import argparse
import gc
import platform
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path

from adapters.schema import Answer, Citation, Passage, Usage
from collector.catalog.embedder import local_embedder
from collector.models.entailment import LocalEntailment, local_entailment
from collector.models.options import EntailmentOptions
from collector.workers.serving import YOUNG, settle
from scorers import default_panel, run_panel
from scorers.base import Env, Score, Scorer, Unscored
from scorers.catalog import Catalog, Document
from scorers.catalog.search.hybrid import said
from scorers.models.terms import rarity
from scorers.support.entailed import asked_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WARM = 400
"""Answers before the clock starts: models and tables are read with the first, passages that recur with these."""
GROUP = 8
"""Answers that a worker is given at once."""
PARTS = 10
SHOWN = 0.005
"""Share of the time below which a scorer is not listed."""
WORDS = """hotel travel leave expense invoice device laptop contract supplier claim budget approval request
    manager team"""
NOUNS = WORDS.split()
VERBS = ("requires", "allows", "covers", "replaces", "reports", "limits", "approves", "extends", "reviews")
TAILS = ("per night", "per year", "in writing", "before departure", "without notice", "within the region")


WORDS_OF_ALL = "the a of to and in is for that with on as are by at or from not may must"
COMMON = WORDS_OF_ALL.split()
KNOWN = 4_000
"""Words of the table of rarity that texts are made of: the commonest."""


@cache
def vocabulary() -> list[str]:
    table = rarity()
    return sorted((word for word in table.weights if word.isalpha()), key=lambda word: (table.of(word), word))[:KNOWN]


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
        text = " ".join(sentence(rng) for _ in range(8))
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


def prose(rng: random.Random, size: int) -> str:
    """Return a sentence of ``size`` words, common ones more often, a figure and a name in it."""
    known = vocabulary()
    words = [
        rng.choice(COMMON) if rng.random() < 0.4 else known[int(len(known) * rng.random() ** 3)] for _ in range(size)
    ]
    words[rng.randrange(1, size)] = str(rng.randint(2, 2025))
    words[rng.randrange(1, size)] = rng.choice(NOUNS).capitalize()
    return f"{words[0].capitalize()} {' '.join(words[1:])}."


def text_of(rng: random.Random, number: int, sentences: int) -> Passage:
    return Passage(id=f"T-{number}", text=" ".join(prose(rng, 18) for _ in range(sentences)))


def long_answers(count: int, seed: int, shared: Sequence[tuple[Passage, ...]] | None) -> Iterator[Answer]:
    """Yield answers of seven claims, each a sentence of the context of which a third of the words are others."""
    rng = random.Random(seed)
    for number in range(count):
        passages = rng.choice(shared) if shared is not None else context(rng, number)
        told = [each for passage in passages for each in (passage.text or "").split(". ")]
        claims = []
        for claim in rng.sample(told, 7):
            other = prose(rng, 18).split()
            words = [mine if rng.random() < 2 / 3 else its for mine, its in zip(claim.split(), other, strict=False)]
            claims.append(" ".join(words).rstrip(".") + ".")
        yield Answer(id=f"l-{number}", question=prose(rng, 9), answer=" ".join(claims), passages=passages)


def context(rng: random.Random, number: int) -> tuple[Passage, ...]:
    """Return one passage of 22 sentences, or three of 7."""
    if number % 3:
        return (text_of(rng, number, 22),)
    return tuple(text_of(rng, 10 * number + part, 7) for part in range(3))


def answers(count: int, seed: int, shared: Sequence[Passage] | None) -> Iterator[Answer]:
    rng = random.Random(seed)
    for number in range(count):
        yield answer(rng, number, list(shared) if shared is not None else pool(rng, 6))


def timed(panel: Sequence[Scorer], env: Env, given: Iterable[Answer]) -> tuple[float, int]:
    """Return what scoring took, in seconds of the processor, and how many scores there were.

    Another load on the machine changes seconds of the processor less than those of the clock.
    """
    scores = 0
    before = time.process_time()
    for each in given:
        scores += len(run_panel(panel, each, env).scores)
    return time.process_time() - before, scores


def shares(panel: Sequence[Scorer], env: Env, given: Iterable[Answer]) -> dict[str, float]:
    """Return the seconds that each scorer took; reading the clock is in them, a tenth of the whole."""
    spent = dict.fromkeys((scorer.metric.name for scorer in panel), 0.0)

    def run(scorer: Scorer, each: Answer, env: Env) -> Score | Unscored:
        before = time.process_time()
        result = scorer.score(each, env)
        spent[scorer.metric.name] += time.process_time() - before
        return result

    for each in given:
        run_panel(panel, each, env, run=run)
    return spent


def throughput(count: int, shared: Sequence[Passage], env: Env) -> None:
    panel = default_panel()
    rng = random.Random(8)
    texts = [context(rng, number) for number in range(100)]
    five, seven = "five passages of 120 words, five claims", "2,400 characters, seven claims"
    for kind, size, made in (
        ("recurring passages", five, partial(answers, shared=shared)),
        ("new passages", five, partial(answers, shared=None)),
        ("recurring passages", seven, partial(long_answers, shared=texts)),
        ("new passages", seven, partial(long_answers, shared=None)),
    ):
        timed(panel, env, made(WARM, 1))
        settle()
        elapsed, scores = timed(panel, env, list(made(count, 7)))
        print(
            f"{kind:<19} {count / elapsed:6.0f} answers/s  {scores / elapsed:8.0f} scores/s  ({count} answers, {size})"
        )
        spent = shares(panel, env, made(count, 9))
        total = sum(spent.values())
        print("  share of time, the first scorer to read an answer pays for what others find read:")
        for name, seconds in sorted(spent.items(), key=lambda item: -item[1]):
            if seconds / total >= SHOWN:
                print(f"    {name:<28}{seconds / total:6.1%} {seconds / count * 1e6:8.0f} us")


def with_models(count: int, env: Env, model: LocalEntailment | None, clock: Callable[[], float]) -> None:
    """Print the rate with and without models, over the same answers."""
    panel = default_panel()
    bare = replace(env, embedder=None, entailment=None)
    for name, each in (("without", bare), ("with", env)):
        given = list(answers(count, 11, None))
        for warm in answers(GROUP if each is env else WARM, 12, None):
            run_panel(panel, warm, each)
        began = clock()
        for start in range(0, count, GROUP):
            group = given[start : start + GROUP]
            if model is not None and each.entailment is not None:
                asked = [found for one in group if (found := asked_of(one, each.memory)) is not None]
                model.prepare((found.passages, found.claims) for found in asked)
            for one in group:
                run_panel(panel, one, each)
        print(f"{name:<10}  {count / (clock() - began):8.2f} answers/s ({count} distinct answers)")


def memory(count: int, env: Env) -> None:
    """Print the process's resident memory while answers pass, each with passages never seen before."""
    import psutil

    panel, process = default_panel(), psutil.Process()
    sizes = []
    for part in range(PARTS):
        timed(panel, env, answers(count // PARTS, 100 + part, None))
        sizes.append(process.memory_info().rss / 2**20)
    print(f"memory      after each {count // PARTS} distinct answers: {', '.join(f'{size:.0f}' for size in sizes)} MiB")
    print(f"            grown by {sizes[-1] - sizes[PARTS // 2]:+.1f} MiB over the second half")


def loaded(options: argparse.Namespace, catalog: Catalog) -> tuple[Env, LocalEntailment | None]:
    model = embedder = None
    if options.entailment:
        model = local_entailment(EntailmentOptions(model=options.entailment, device=options.device), threads=1)
    if options.embedder:
        embedder = local_embedder(str(options.embedder), options.device, threads=1)
        catalog.vectors = embedder.encode([said(document) for document in catalog.documents])
    return Env(now=NOW, catalog=catalog, embedder=embedder, entailment=model), model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=1000, help="answers of each kind that are timed")
    parser.add_argument("--memory", type=int, default=10_000, help="answers over which memory is watched; 0 for none")
    parser.add_argument("--entailment", type=Path, metavar="DIR", help="a model that judges claims, beside the trees")
    parser.add_argument("--embedder", type=Path, metavar="DIR", help="a model for search by meaning")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where the models run")
    options = parser.parse_args()
    shared = pool(random.Random(7), 400)
    catalog = Catalog(
        Document(
            id=p.doc_id or "",
            version=p.version,
            effective_from=p.effective_from,
            effective_to=p.effective_to,
            text=p.text if options.embedder else None,
        )
        for p in shared
    )
    env = Env(now=NOW, catalog=catalog)
    panel = default_panel()
    gc.set_threshold(YOUNG)
    print(f"machine     {platform.machine()}, Python {platform.python_version()}, one core, {len(panel)} scorers")
    if options.entailment or options.embedder:
        env, model = loaded(options, catalog)
        with_models(options.answers, env, model, time.process_time if options.device == "cpu" else time.perf_counter)
        return
    throughput(options.answers, shared, env)
    if options.memory:
        memory(options.memory, env)


if __name__ == "__main__":
    main()
