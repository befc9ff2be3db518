import json

import pytest

from collector.configuration.models import check
from collector.errors import ConfigError
from collector.models.calibration import read_temperatures
from collector.models.folder import fingerprint
from collector.models.options import EntailmentOptions
from scorers.ports.entailment import Temperatures

NLI = {
    "architectures": ["BertForSequenceClassification"],
    "id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"},
}


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "nli"
    path.mkdir()
    (path / "config.json").write_text(json.dumps(NLI))
    (path / "model.safetensors").write_bytes(b"w" * 200_000)
    return path


def told(folder, **options):
    return list(check(EntailmentOptions(model=folder, **options)))


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda path: path.rename(path.parent / "elsewhere"), "no such folder"),
        (lambda path: (path / "config.json").unlink(), r"no config\.json"),
        (lambda path: (path / "config.json").write_text("{"), r"config\.json cannot be read"),
        (lambda path: (path / "config.json").write_text("[]"), r"config\.json is not an object"),
        (lambda path: (path / "model.safetensors").unlink(), "no weights"),
        (
            lambda path: (path / "config.json").write_text(json.dumps(NLI | {"auto_map": {"AutoModel": "m.M"}})),
            "code of its own",
        ),
        (
            lambda path: (path / "config.json").write_text(json.dumps({"architectures": ["BertModel"]})),
            "not a classifier of pairs: its config.json names BertModel",
        ),
    ],
)
def test_a_folder_that_holds_no_such_model_is_refused_with_its_key(folder, spoil, problem):
    spoil(folder)
    with pytest.raises(ConfigError, match=rf"^scoring\.entailment\.model: .*nli.*{problem}"):
        told(folder)


def calibration(folder, **changed):
    path = folder.parent / "fitted.json"
    fitted = {"model": fingerprint(folder, "m"), "data": "labels", "claim": 2, "contradiction": 3, "answer": 4}
    path.write_text(json.dumps(fitted | {"threshold": 0.4} | changed))
    return path


def test_temperatures_are_read_from_the_file_that_was_fitted_for_the_model(folder):
    found = read_temperatures(calibration(folder), folder, "w")
    assert found == Temperatures(claim=2, contradiction=3, answer=4, threshold=0.4)
    assert read_temperatures(None, folder, "w") is None


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"claim": 0}, "claim: "),
        ({"threshold": 1}, "threshold: "),
        ({"temprature": 1}, "temprature: "),
        ({"model": "another"}, "fitted for another model"),
    ],
)
def test_a_calibration_that_does_not_fit_is_refused_with_its_key(folder, changed, problem):
    with pytest.raises(ConfigError, match=rf"^scoring\.entailment\.calibration: .*fitted\.json: {problem}"):
        told(folder, calibration=calibration(folder, **changed))


def test_a_calibration_that_is_not_there_is_named(folder, tmp_path):
    with pytest.raises(ConfigError, match=r"gone\.json: cannot be read: No such file"):
        told(folder, calibration=tmp_path / "gone.json")


def test_other_weights_are_another_model(folder):
    before = fingerprint(folder, "m")
    (folder / "model.safetensors").write_bytes(b"w" * 199_999 + b"x")
    assert fingerprint(folder, "m") != before
