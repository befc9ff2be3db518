"""Values of two models do not compare, so what stands behind the scorers has a name."""

import json

import pytest

from collector.configuration.models import identity
from collector.configuration.schema import Config
from collector.errors import ConfigError

NLI = {
    "architectures": ["BertForSequenceClassification"],
    "id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"},
}


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "nli"
    path.mkdir()
    (path / "config.json").write_text(json.dumps(NLI))
    (path / "model.safetensors").write_bytes(b"w" * 2000)
    return path


def named(folder, **options):
    return identity(Config.model_validate({"scoring": {"entailment": {"model": str(folder), **options}}}))


def test_without_a_model_there_is_no_name():
    assert identity(Config()) == ""


def test_the_same_model_has_the_same_name_wherever_and_however_fast_it_runs(folder):
    first = named(folder)
    assert first
    assert named(folder, device="cpu", batch=7) == first
    assert named(folder.rename(folder.parent / "elsewhere")) == first


@pytest.mark.parametrize(
    "options", [{"tokens": 128}, {"pairs": 3}, {"labels": ["neutral", "entailment", "contradiction"]}]
)
def test_what_is_read_and_what_its_outputs_mean_is_part_of_it(folder, options):
    assert named(folder, **options) != named(folder)


def test_how_a_model_is_asked_is_part_of_it(folder):
    assert named(folder, asked="doubtful") != named(folder, asked="always") == named(folder)


def test_other_weights_are_another_model(folder):
    first = named(folder)
    (folder / "model.safetensors").write_bytes(b"v" * 2000)
    assert named(folder) != first


def test_a_folder_without_a_model_is_the_configurations_fault(tmp_path):
    with pytest.raises(ConfigError, match=r"scoring\.entailment.*no such folder"):
        named(tmp_path / "none")


def test_an_embedding_model_counts_as_well(folder, tmp_path):
    (tmp_path / "policies.yaml").write_text("documents: []")
    catalog = {"path": str(tmp_path / "policies.yaml"), "embeddings": {"model": str(folder)}}
    config = Config.model_validate({"catalog": catalog})
    first = identity(config)
    (folder / "model.safetensors").write_bytes(b"w" * 3000)
    assert first != identity(config) != ""
