"""Declared metrics of other evaluators: strict, with the path of what is wrong, and known wherever metrics are."""

import pytest

from collector.configuration.file import dump, load
from collector.errors import ConfigError
from dashboards.all_metrics import all_metrics
from dashboards.boards import drawn
from dashboards.rules import rules

TONE = """
external:
  - {name: tone, scores: [Tone, tone-v1], bounds: [1, 5], values: {rude: 1}}
  - {name: thumbs, values: {up: 1, down: 0}}
gates:
  - {type: drift, name: kind, metric: external.tone, worse: lower}
  - {type: threshold, name: liked, metric: external.thumbs, at_least: 0.8}
  - {type: release, name: canary, metric: external.tone, worse: lower, margin: 0.5}
"""


def loaded(text):
    return load(text, where="g.yaml")


def test_a_gate_over_a_declared_metric_has_its_range():
    config = loaded(TONE)
    assert [gate.bounds for gate in config.gates] == [(1.0, 5.0), (0.0, 1.0), (1.0, 5.0)]
    assert [each.name for each in config.metrics[-2:]] == ["external.tone", "external.thumbs"]
    assert "external.tone" not in {each.name for each in config.panel}
    assert dump(loaded(dump(config))) == dump(config)


def test_boards_and_rules_draw_a_declared_metric():
    config = loaded(TONE)
    board = drawn(all_metrics(config.dimensions, config.metrics, config.gates, config.exposure))
    assert "rag_external_tone_points_bucket" in board
    assert "external: tone: mean" in board
    assert "Quality: external" in board
    assert "GroundwireGateFailing" in rules(config.dimensions, config.metrics, config.gates)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("external: [{name: Tone}]", "g.yaml: external[0].name: "),
        ("external: [{name: tone, bonds: [1, 5]}]", "external[0].bonds: unknown key; did you mean 'bounds'?"),
        ("external: [{name: tone, bounds: [5, 1]}]", "external[0].bounds: expected two numbers, the lower one first"),
        ("external: [{name: tone, values: {x: 2}}]", "external[0].values.x: 2 is outside the bounds, 0 to 1"),
        ("external: [{name: tone}, {name: tone}]", "external[1]: duplicate name 'tone'"),
        (
            "external: [{name: a, scores: [tone]}, {name: b, scores: [tone], evaluators: [j]}]",
            "external[1].scores: 'tone' is taken by external[0] (a) as well; give both `evaluators`",
        ),
        (
            "external: [{name: tone}]\ngates: [{type: drift, name: g, metric: external.tone, worse: higher}]",
            "gates[0].worse: ",
        ),
        (
            "gates: [{type: drift, name: g, metric: external.tone, worse: lower}]",
            "gates[0].metric: ",
        ),
        (
            (
                "external: [{name: tone, bounds: [1, 5]}]\n"
                "gates: [{type: drift, name: g, metric: external.tone, worse: lower, bounds: [0, 10]}]"
            ),
            "gates[0].bounds: external says that 'external.tone' has other bounds; leave these out",
        ),
        (
            (
                "external: [{name: tone}]\n"
                "write_back: [{type: phoenix, name: p, url: 'http://127.0.0.1:6006', metrics: [external.tone]}]"
            ),
            "write_back[0].metrics[0]: no scorer gives 'external.tone'",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_path(text, problem):
    with pytest.raises(ConfigError) as told:
        loaded(text)
    assert problem in str(told.value)


def test_two_evaluators_of_one_name_are_two_metrics():
    config = loaded(
        "external: [{name: a, scores: [tone], evaluators: [j]}, {name: b, scores: [tone], evaluators: [k]}]"
    )
    assert len(config.external) == 2
