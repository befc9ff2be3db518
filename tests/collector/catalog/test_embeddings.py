"""Search by meaning in the agent, with a stand-in for the library that loads models."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from collector.catalog import vectors as vectors_module
from collector.catalog.embedder import LocalEmbedder
from collector.errors import ConfigError
from scorers.catalog.search.hybrid import search

LIBRARY = '''
import json, os, pathlib
import numpy as np

class SentenceTransformer:
    """Three meanings: lodging, machines, the rest. Says in a file beside the model what it was asked."""

    def __init__(self, folder, device=None, local_files_only=False, trust_remote_code=True):
        assert local_files_only
        assert not trust_remote_code
        self.folder = pathlib.Path(folder)
        if not (self.folder / "config.json").exists():
            raise OSError("no config.json there")

    def encode(self, texts, **options):
        assert options["normalize_embeddings"]
        with (self.folder / "asked").open("a") as file:
            file.writelines(json.dumps(text) + "\\n" for text in texts)
        rows = [[sum(w in t.lower() for w in ("hotel", "lodging")), "laptop" in t.lower(), 0.1] for t in texts]
        table = np.array(rows, np.float32)
        return table / np.linalg.norm(table, axis=1, keepdims=True)
'''


@pytest.fixture
def model(tmp_path, monkeypatch):
    (tmp_path / "lib" / "sentence_transformers").mkdir(parents=True)
    (tmp_path / "lib" / "sentence_transformers" / "__init__.py").write_text(textwrap.dedent(LIBRARY))
    # For the processes that the step starts: they are given what this one can import.
    monkeypatch.syspath_prepend(str(tmp_path / "lib"))
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    return tmp_path / "model"


def asked(model):
    path = model / "asked"
    texts = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    path.unlink(missing_ok=True)
    return [text for text in texts if text != "probe"]


def embedded(running, at_most=20):
    """Look until the newest catalog has its vectors; return what a search for lodging finds."""
    for _ in range(at_most):
        if not running.step.run_once() and running.applied[-1].vectors:
            break
    mapped = running.applied[-1]
    assert mapped.vectors
    return [hit.document.id for hit in search(mapped.open(), "Lodging?", embedder=mapped.embedder())]


@pytest.mark.slow
def test_entries_are_embedded_and_only_what_is_new_is_embedded_again(agent, file, model, monkeypatch):
    monkeypatch.setattr(vectors_module, "BATCH", 2)
    texts = {"H": "The hotel limit is 180 EUR.", "L": "A laptop lasts four years.", "M": "Meals are paid."}
    file.write_text("\n".join(json.dumps({"id": name, "text": text}) for name, text in texts.items()))
    running = agent(path=file, embeddings={"model": model}).start()
    assert running.applied[-1].vectors is None, "in force at once, by words alone"
    assert embedded(running)[0] == "H"
    assert sorted(set(asked(model)) - {"Lodging?"}) == sorted(texts.values())
    file.write_text(file.read_text() + '\n{"id": "N", "text": "Another hotel."}')
    running.look()
    assert set(embedded(running)[:2]) == {"H", "N"}
    assert set(asked(model)) - {"Lodging?"} == {"Another hotel."}
    running.restart()
    running.start()
    assert running.applied[-1].vectors is not None, "what was embedded outlives the agent"
    assert asked(model) == []


@pytest.mark.slow
def test_the_same_entries_in_another_order_keep_their_vectors(agent, file, model):
    lines = ['{"id": "H", "text": "hotel"}', '{"id": "L", "text": "laptop"}']
    file.write_text("\n".join(lines))
    running = agent(path=file, embeddings={"model": model}).start()
    assert embedded(running)[0] == "H"
    file.write_text("\n".join(reversed(lines)))
    running.look()
    running.restart()
    running.start()
    assert embedded(running)[0] == "H"


def test_a_catalog_beyond_the_bound_is_searched_by_words_and_its_candidates_by_meaning(agent, file, model):
    file.write_text('{"id": "H", "text": "hotel"}\n{"id": "L", "text": "laptop"}')
    running = agent(path=file, embeddings={"model": model, "entries": 1}).start()
    assert running.step.run_once() == 0
    mapped = running.applied[-1]
    assert mapped.vectors is None
    (hit,) = search(mapped.open(), "hotel", embedder=mapped.embedder())
    assert hit.dense == pytest.approx(1)


def test_a_model_that_cannot_be_loaded_is_no_start(agent, file, model):
    (model / "config.json").unlink()
    with pytest.raises(ConfigError, match=r"catalog\.embeddings\.model: .*: no config\.json"):
        agent(path=file, embeddings={"model": model}).start()


def test_a_folder_that_is_not_there_is_named(agent, file, tmp_path):
    with pytest.raises(ConfigError, match=r"catalog\.embeddings\.model: .*: no such folder"):
        agent(path=file, embeddings={"model": tmp_path / "nowhere"}).start()


def test_without_the_library_the_extra_is_named(model):
    code = (
        "import sys; sys.modules['sentence_transformers'] = None\n"
        "from collector.catalog.embedder import local_embedder\n"
        f"local_embedder({str(model)!r})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60, env=os.environ
    )
    assert "catalog.embeddings: needs the extra `models`: pip install torch==2.13.0 'groundwire[models]'" in done.stderr


def test_a_text_met_before_is_not_encoded_again():
    class Model:
        def __init__(self):
            self.asked = []

        def encode(self, texts, **_):
            self.asked += texts
            return np.ones((len(texts), 2), np.float32)

    model = Model()
    embedder = LocalEmbedder("m", model)
    assert embedder.encode(["a", "b", "a"]).shape == (3, 2)
    embedder.encode(["b", "c"])
    assert model.asked == ["a", "b", "c"]
    assert embedder.encode([]).shape[0] == 0
