import json

import pytest

from collector.configuration.models import check
from collector.errors import ConfigError
from collector.models.calibration import read_fitted
from collector.models.folder import fingerprint
from collector.models.options import EntailmentOptions
from collector.models.second import joining_of
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
    found = read_fitted(calibration(folder), folder, "w")
    assert found is not None
    assert found.temperatures == Temperatures(claim=2, contradiction=3, answer=4, threshold=0.4)
    assert read_fitted(None, folder, "w") is None


def test_a_calibration_in_the_folder_counts_where_none_is_configured(folder):
    calibration(folder).rename(folder / "calibration.json")
    found = read_fitted(None, folder, "w")
    assert found is not None
    assert found.claim == 2


JOINING = {"data": "pairs", "intercept": -1, "trees": 0.5, "model": 1, "crowd": 0.2, "least": 0.1, "most": 0.9}


def test_a_second_opinion_needs_to_know_how_it_joins_the_trees(folder):
    options = {"model": folder, "asked": "doubtful"}
    with pytest.raises(ConfigError, match=r"^scoring\.entailment\.asked: doubtful: needs a calibration with `joining`"):
        joining_of(EntailmentOptions(**options))
    with pytest.raises(ConfigError, match="needs a calibration with `joining`"):
        joining_of(EntailmentOptions(**options, calibration=calibration(folder)))
    joined = joining_of(EntailmentOptions(**options, calibration=calibration(folder, joining=JOINING)))
    assert (joined.model, joined.least, joined.most) == (1, 0.1, 0.9)


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
