"""Entailment through the real library, with a cross-encoder made by `tests/models/training.py`."""

import json
import random
import subprocess
import sys

import numpy as np
import pytest
import yaml

from collector.errors import ConfigError
from collector.models.entailment import local_entailment
from collector.models.folder import fingerprint
from collector.models.options import EntailmentOptions
from tests.models.needed import require_models

require_models()

from tests.models.training import LABELS, THINGS, example, rearranged, said


def loaded(folder, **options):
    return local_entailment(EntailmentOptions(model=folder, device="cpu", **options), threads=1)


def verdicts(model, pairs):
    """Return the likeliest label of each pair."""
    found = []
    for passage, claim in pairs:
        each = model.compare([passage], [claim])
        support, against = float(each.supported[0, 0]), float(each.contradicted[0, 0])
        found.append(int(np.argmax([support, against, 1 - support - against])))
    return found


@pytest.mark.usefixtures("no_network")
def test_a_model_in_a_folder_judges_pairs_it_never_saw(nli):
    rng = random.Random(99)
    pairs = [example(rng) for _ in range(60)]
    found = verdicts(loaded(nli), [(passage, claim) for passage, claim, _ in pairs])
    right = [said == label for said, (*_, label) in zip(found, pairs, strict=True)]
    assert sum(right) / len(right) > 0.7, "three labels, a third each"


def test_the_order_of_the_labels_is_the_models_own(nli, tmp_path):
    turned = rearranged(
        nli, tmp_path / "turned", [[0, 0, 1], [0, 1, 0], [1, 0, 0]], ("NEUTRAL", "CONTRADICTION", "ENTAILMENT")
    )
    passage, claims = said("hotel", 20), [said("hotel", 20), said("hotel", 30), said("loan", 20)]
    one = loaded(nli).compare([passage], claims)
    other = loaded(turned).compare([passage], claims)
    assert np.allclose(one.supported, other.supported, atol=2e-3)
    assert np.allclose(one.contradicted, other.contradicted, atol=2e-3)


def test_a_model_with_one_output_gives_the_log_odds_of_support(nli, tmp_path):
    single = rearranged(nli, tmp_path / "single", [[1, -1, 0]], ("LABEL_0",))
    found = loaded(single).compare([said("hotel", 20)], [said("hotel", 20), said("hotel", 30)])
    assert found.contradicted is None
    assert found.supported[0, 0] > 0.5 > found.supported[1, 0]


def test_two_outputs_without_names_need_them_told(nli, tmp_path):
    two = rearranged(nli, tmp_path / "two", [[0, 1, 0], [1, 0, 0]], ("LABEL_0", "LABEL_1"))
    with pytest.raises(ConfigError, match=r"which one is entailment\? name them in scoring\.entailment\.labels"):
        loaded(two)
    found = loaded(two, labels=("neutral", "entailment")).compare([said("hotel", 20)], [said("hotel", 20)])
    assert found.supported[0, 0] > 0.5


def test_what_stands_at_the_end_of_a_long_passage_is_read(nli):
    filler, claims = "nothing is said of that here. " * 400, [said("hotel", 20), said("hotel", 30)]
    # One window for each claim, the nearest. What this model says of filler beside a fact is no matter: it saw none.
    model = loaded(nli, tokens=64, pairs=len(claims))
    without, found = (model.compare([filler + end], claims) for end in ("", said("hotel", 20)))
    assert found.truncated
    assert (np.abs(found.supported - without.supported) > 1e-3).all()
    assert (np.abs(found.contradicted - without.contradicted) > 1e-3).all()


def test_the_company_in_a_batch_changes_no_figure_beyond_its_third_decimal(nli):
    rng = random.Random(5)
    passages = [" ".join(example(rng)[0] for _ in range(at)) for at in range(1, 8)]
    claims = [example(rng)[1] for _ in range(6)]
    local_entailment.cache_clear()
    alone = loaded(nli, batch=1).compare(passages, claims)
    local_entailment.cache_clear()
    together = loaded(nli, batch=64).compare(passages, claims)
    assert np.abs(alone.supported - together.supported).max() < 2e-3
    local_entailment.cache_clear()
    again = loaded(nli, batch=64).compare(passages, claims)
    assert (together.supported == again.supported).all()


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "\u202e\u05d0" * 500, "\u6f22" * 5_000, "x" * 300_000])
def test_any_text_is_read(nli, text):
    model = loaded(nli, tokens=64, pairs=8)
    found = model.compare([text, said("hotel", 20)], [said("hotel", 20), text[:900]])
    assert np.isfinite(found.supported).all()


def test_an_embedding_model_is_no_cross_encoder(embedder_folder):
    with pytest.raises(ConfigError, match=r"not a classifier of pairs: its config\.json names BertModel"):
        loaded(embedder_folder)


def test_weights_that_are_none_are_no_start(nli, tmp_path):
    broken = rearranged(nli, tmp_path / "broken", [[1, 0, 0], [0, 1, 0], [0, 0, 1]], LABELS)
    (broken / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ConfigError, match=r"^scoring\.entailment\.model: .*broken: "):
        loaded(broken)


def test_a_graphics_card_that_is_not_there_is_named(nli):
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(ConfigError, match=r"scoring\.entailment\.device: no usable GPU"):
        local_entailment(EntailmentOptions(model=nli, device="cuda"))


def run(*arguments, cwd):
    command = [sys.executable, "-P", "-m", "collector.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=250, check=False, cwd=cwd)


@pytest.fixture
def configured(nli, tmp_path):
    fitted = {"model": fingerprint(nli, "m"), "data": "generated", "claim": 1, "contradiction": 1, "answer": 1}
    (tmp_path / "fitted.json").write_text(json.dumps(fitted | {"threshold": 0.5}))
    section = {"model": str(nli), "device": "cpu", "calibration": str(tmp_path / "fitted.json")}
    path = tmp_path / "groundwire.yaml"
    path.write_text(yaml.safe_dump({"scoring": {"entailment": section, "timeout": "60s"}}))
    return path


def test_check_tells_of_the_model_without_loading_it(configured, tmp_path, nli):
    done = run("check", "--config", configured, cwd=tmp_path)
    assert f"scoring.entailment: ok, {nli}, support and contradiction, calibrated, not loaded" in done.stdout


def test_files_are_scored_by_the_model(configured, tmp_path):
    rng = random.Random(3)
    rows = []
    for at, thing in enumerate(THINGS):
        value = rng.randint(10, 30)
        passage = {"id": "p", "text": said(thing, value)}
        rows.append({"id": f"right-{at}", "question": "What?", "answer": said(thing, value), "passages": [passage]})
        rows.append({"id": f"wrong-{at}", "question": "What?", "answer": said(thing, value + 7), "passages": [passage]})
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    metrics = "claim_support,faithfulness,contradiction_absence"
    done = run("score", "a.jsonl", "--config", configured, "--json", "--metrics", metrics, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == 3 * len(rows)
    assert all(row["explanation"].endswith("; judged by tiny-nli") for row in found)
    for metric in metrics.split(","):
        values = {row["answer_id"]: row["value"] for row in found if row["metric"] == metric}
        right = [values[f"right-{at}"] > values[f"wrong-{at}"] for at in range(len(THINGS))]
        assert sum(right) >= 8, metric


def test_a_second_opinion_is_asked_of_what_no_rule_contradicts(configured, tmp_path, nli):
    fitted = json.loads((tmp_path / "fitted.json").read_text())
    joining = {"data": "none", "intercept": 0, "trees": 0.1, "model": 1, "crowd": 0, "least": 0, "most": 1}
    (tmp_path / "fitted.json").write_text(json.dumps(fitted | {"joining": joining}))
    config = yaml.safe_load(configured.read_text())
    config["scoring"]["entailment"]["asked"] = "doubtful"
    configured.write_text(yaml.safe_dump(config))
    told = run("check", "--config", configured, cwd=tmp_path).stdout
    assert f"scoring.entailment: ok, {nli}, support and contradiction, calibrated, a second opinion, not loaded" in told
    passage = {"id": "p", "text": f"The {said('hotel', 20)[4:]}."}
    answers = {"right": f"The {said('hotel', 20)[4:]}.", "wrong": f"The {said('hotel', 30)[4:]}."}
    rows = [{"id": name, "question": "?", "answer": text, "passages": [passage]} for name, text in answers.items()]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    done = run("score", "a.jsonl", "--config", configured, "--json", "--metrics", "faithfulness", cwd=tmp_path)
    found = {row["answer_id"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert found["right"]["label"] == "supported"
    assert found["right"]["explanation"].endswith("; 1 of 1 claims with tiny-nli")
    assert found["wrong"]["label"] == "contradicted"
    assert "tiny-nli" not in found["wrong"]["explanation"], "statements contradict it"


def test_an_agent_does_not_start_with_a_model_that_cannot_be_loaded(configured, nli, tmp_path):
    broken = rearranged(nli, tmp_path / "broken", [[1, 0, 0], [0, 1, 0], [0, 0, 1]], LABELS)
    (broken / "model.safetensors").write_bytes(b"no weights")
    ports = ["http.port=0", "receive.otlp_http.port=0", "receive.otlp_grpc.port=0", f"data={tmp_path / 'data'}"]
    model = [f"scoring.entailment.model={broken}", "scoring.entailment.calibration="]
    done = run("run", "--config", configured, *(f"--set={each}" for each in (*ports, *model)), cwd=tmp_path)
    assert done.returncode == 2
    assert f"groundwire: scoring.entailment.model: {broken}: " in done.stderr
