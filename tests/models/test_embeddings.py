"""Search by meaning with the real weights of all-MiniLM-L6-v2."""

import json
import subprocess
import sys

import numpy as np
import pytest

from collector.catalog.embedder import local_embedder
from scorers.catalog import Catalog, Document
from scorers.catalog.search.hybrid import said, search
from scorers.catalog.search.weights import SearchWeights
from tests.collector.catalog.conftest import Agent
from tests.models.needed import require_models

require_models()

SPARSE, RELEVANCE = SearchWeights()

TEXTS = {
    "PARENTS": "Employees who become mothers or fathers receive twenty weeks of paid leave.",
    "LODGING": "A room in a hotel may cost at most 180 EUR a night.",
    "DEVICES": "A laptop is replaced after four years of use.",
    "PARKING": "Cars may be left in the garage below the office.",
    "PAY": "Salaries are transferred on the last working day of each month.",
    "DATA": "Customer records are deleted two years after the contract ends.",
}
DOCUMENTS = [Document(id=name, text=text) for name, text in TEXTS.items()]
PARAPHRASES = {
    "How long may I stay home after having a baby?": "PARENTS",
    "What is the budget for overnight accommodation?": "LODGING",
    "When do I get a new computer?": "DEVICES",
    "Is there somewhere to put my vehicle?": "PARKING",
    "On which date does my wage arrive?": "PAY",
    "For what period do we keep personal information of clients?": "DATA",
}


@pytest.fixture
def model(embedder_folder, no_network):  # noqa: ARG001 - asked for, so that it is in force
    return local_embedder(str(embedder_folder), "cpu")


@pytest.fixture
def catalog(model):
    made = Catalog(DOCUMENTS)
    made.vectors = model.encode([said(document) for document in DOCUMENTS])
    return made


def found(catalog, question, **options):
    return [hit.document.id for hit in search(catalog, question, **options)]


def test_a_paraphrase_is_found_by_meaning_that_words_alone_miss(catalog, model):
    by_words = [question for question, name in PARAPHRASES.items() if name in found(catalog, question)]
    by_meaning = [
        question for question, name in PARAPHRASES.items() if found(catalog, question, k=1, embedder=model) == [name]
    ]
    assert by_words == [], "no word of the question is in its document"
    assert by_meaning == list(PARAPHRASES)


def test_score_and_order_are_those_of_the_formula(catalog, model):
    question = "What is the budget for a night in a hotel?"
    hits = search(catalog, question, k=6, embedder=model)
    vectors = model.encode([hit.document.text for hit in hits])
    cosines = np.clip(vectors @ model.encode([question])[0], 0, 1)
    for hit, cosine in zip(hits, cosines, strict=True):
        assert hit.dense == pytest.approx(float(cosine), abs=1e-4)
        assert hit.score == pytest.approx(SPARSE * hit.sparse + (1 - SPARSE) * cosine, abs=1e-4)
    alike = vectors @ vectors.T
    for place in range(1, len(hits)):
        worth = [
            RELEVANCE * hits[at].score - (1 - RELEVANCE) * alike[at, :place].max() for at in range(place, len(hits))
        ]
        assert worth[0] == pytest.approx(max(worth), abs=1e-4), "the next is the most relevant that is new"


def test_the_same_thing_in_other_words_does_not_come_right_after_itself(model):
    twice = Catalog(
        [
            Document(id="A", text="A hotel room may cost at most 180 EUR a night."),
            Document(id="B", text="A hotel room may cost at most 180 EUR per night."),
            Document(id="C", text="Hotel rooms are booked by the travel desk, and cost is charged to the project."),
        ]
    )
    hits = search(twice, "hotel room cost", k=3, embedder=model)
    assert min(hits, key=lambda hit: hit.score).document.id == "C"
    assert [hit.document.id for hit in hits][1] == "C"


def test_vectors_have_length_one_and_are_the_same_again_whatever_the_batch(embedder_folder):
    texts = [*TEXTS.values(), *PARAPHRASES, "", "\x00", "\u202e\u05d0", "word " * 5_000]
    local_embedder.cache_clear()
    together = local_embedder(str(embedder_folder), "cpu").encode(texts)
    local_embedder.cache_clear()
    fresh = local_embedder(str(embedder_folder), "cpu")
    alone = np.stack([fresh.encode([text])[0] for text in texts])
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    assert together.dtype == np.float32
    assert np.abs(alone - together).max() < 1e-5
    local_embedder.cache_clear()
    assert (local_embedder(str(embedder_folder), "cpu").encode(texts) == together).all()


def test_the_agent_embeds_its_catalog_and_finds_by_meaning(tmp_path, embedder_folder):
    file = tmp_path / "c.jsonl"
    file.write_text("\n".join(json.dumps({"id": name, "text": text}) for name, text in TEXTS.items()))
    running = Agent(tmp_path, path=file, embeddings={"model": embedder_folder, "device": "cpu"})
    try:
        running.start()
        while running.step.run_once():
            pass
        mapped = running.applied[-1]
        assert mapped.vectors
        (hit,) = search(mapped.open(), "When do I get a new computer?", k=1, embedder=mapped.embedder())
        assert hit.document.id == "DEVICES"
    finally:
        running.close()


def test_the_command_searches_by_meaning(tmp_path, embedder_folder):
    file = tmp_path / "c.jsonl"
    file.write_text("\n".join(json.dumps({"id": name, "text": text}) for name, text in TEXTS.items()))
    command = ["catalog", "search", "c.jsonl", "Is there somewhere to put my vehicle?", "-n", "1", "--json"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "collector.cli", *command, "--model", str(embedder_folder)],
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "PARKING" in done.stdout
