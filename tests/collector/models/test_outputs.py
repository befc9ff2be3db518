import numpy as np
import pytest

from collector.errors import ConfigError
from collector.models.outputs import Outputs, outputs_of

KIND = {"architectures": ["DebertaV2ForSequenceClassification"]}


def config(*names, **more):
    return KIND | {"id2label": {str(at): name for at, name in enumerate(names)}} | more


@pytest.mark.parametrize(
    ("names", "support", "contradiction"),
    [
        (("contradiction", "entailment", "neutral"), 1, 0),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), 0, 2),
        (("entailment", "not_entailment"), 0, None),
        (("not_supported", "supported"), 1, None),
        (("LABEL_0",), 0, None),
    ],
)
def test_the_models_own_names_tell_what_its_outputs_mean(names, support, contradiction):
    assert outputs_of(config(*names), None, "m") == Outputs(len(names), support, contradiction)


def test_outputs_stand_in_the_order_of_their_numbers_even_beyond_nine():
    names = [*(f"other {at}" for at in range(10)), "entailment"]
    shuffled = KIND | {"id2label": dict(reversed(config(*names)["id2label"].items()))}
    assert outputs_of(shuffled, None, "m").support == 10


def test_what_the_names_do_not_say_the_configuration_may():
    with pytest.raises(ConfigError, match=r"m: outputs are LABEL_0, LABEL_1; which one is entailment\?.*labels"):
        outputs_of(config("LABEL_0", "LABEL_1"), None, "m")
    assert outputs_of(config("LABEL_0", "LABEL_1"), ("neutral", "entailment"), "m") == Outputs(2, 1, None)
    assert outputs_of(KIND, ("neutral", "entailment"), "m") == Outputs(2, 1, None)


def test_as_many_labels_are_told_as_there_are_outputs():
    with pytest.raises(ConfigError, match=r"m: 3 outputs, but scoring\.entailment\.labels names 1"):
        outputs_of(config("a", "b", "c"), ("entailment",), "m")


@pytest.mark.parametrize("kinds", [["BertModel"], [], None])
def test_a_model_without_a_head_for_pairs_would_give_noise_and_is_refused(kinds):
    with pytest.raises(ConfigError, match="m: not a classifier of pairs"):
        outputs_of({"architectures": kinds}, None, "m")


def test_probabilities_are_shares_of_outputs_or_of_one_log_odds():
    three = Outputs(3, 1, 0)
    logits = np.log([[0.1, 0.7, 0.2], [0.5, 0.25, 0.25]])
    assert three.supported(logits) == pytest.approx([0.7, 0.25])
    assert three.contradicted(logits) == pytest.approx([0.1, 0.5])
    one = Outputs(1, 0, None)
    assert one.supported(np.array([[0.0], [1e6], [-1e6]])) == pytest.approx([0.5, 1.0, 0.0])
    assert one.contradicted(logits) is None
