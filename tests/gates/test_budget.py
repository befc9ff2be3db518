"""One budget of false alarms over all gates: divided, kept, and refused where it does not do."""

import pytest
from pydantic import TypeAdapter

from collector.agent.check import check
from collector.configuration.schema import Config
from gates import AnyGate
from gates.budget import divided

PLAIN = {"type": "drift", "metric": "claim_support", "worse": "lower"}
LIMIT = {"type": "threshold", "name": "limit", "metric": "stale_source_use", "at_most": 0.1}


def gates(**asked):
    given = ({} if alarms is None else {"alarms_per_week": alarms} for alarms in asked.values())
    every = [{**PLAIN, "name": name, **each} for name, each in zip(asked, given, strict=True)]
    return [TypeAdapter(AnyGate).validate_python(gate) for gate in (*every, LIMIT)]


def test_gates_have_what_they_ask_for_and_equal_parts_of_the_rest():
    shares = {gate.name: gate.accepted_alarms for gate in divided(gates(a=0.5, b=None, c=None), 2.0)}
    assert shares == {"a": 0.5, "b": 0.75, "c": 0.75, "limit": None}


def test_a_small_share_lowers_the_joint_alarms_to_it():
    (gate, _) = divided(gates(a=None), 0.05)
    assert (gate.accepted_alarms, gate.fdr) == (0.05, 0.05)


@pytest.mark.parametrize(
    ("asked", "budget", "problem"),
    [
        ({"a": 2.0, "b": 1.5}, 3.0, r"ask for 3\.5 false alarms per week together \(a 2, b 1\.5\), .* allows 3: lower"),
        ({"a": 1.0, "b": None}, 1.0, r"nothing is left of judge\.alarms_per_week 1 for b \(a 1\): lower"),
    ],
)
def test_more_than_the_budget_is_refused(asked, budget, problem):
    with pytest.raises(ValueError, match=problem):
        divided(gates(**asked), budget)


def test_a_configuration_divides_its_budget_and_check_shows_the_shares():
    drift = [{**PLAIN, "name": name} for name in "ab"]
    plain, shared = (Config.model_validate({"gates": drift, "judge": judge}) for judge in ({}, {"alarms_per_week": 1}))
    assert [gate.accepted_alarms for gate in plain.gates] == [1.0, 1.0]
    assert [gate.accepted_alarms for gate in shared.gates] == [0.5, 0.5]
    told = "false alarms: 2 gates accept together 1 per week of 1 allowed by judge.alarms_per_week: a 0.5, b 0.5"
    assert told in check(shared)
