from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter

from gates import GATES, AnyGate
from gates.base.gate import Gate
from gates.base.verdict import CODES
from gates.threshold import ThresholdGate
from scorers.base import Metric

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
STALE = {"name": "stale", "metric": "stale_source_use"}
LIMIT = ThresholdGate(type="threshold", at_most=0.1, **STALE)


def metric(name: str = "stale_source_use", **options: object) -> Metric:
    defaults = {"family": "freshness", "unit": "ratio", "better": "lower", "help": "h", "formula": "f", "source": "s"}
    defaults |= {"cost": "fields", "limits": "l"}
    return Metric.model_validate({"name": name, **defaults, **options})


@pytest.fixture(params=GATES, ids=lambda gate: gate.__name__)
def gate(request: pytest.FixtureRequest) -> Gate:
    kind = request.param.model_fields["type"].annotation.__args__[0]
    return TypeAdapter(AnyGate).validate_python({"type": kind, **STALE, **request.param.example})


def test_every_gate_is_inconclusive_without_data(gate: Gate) -> None:
    verdict = gate.verdict(gate.initial(), NOON)
    assert (verdict.state, verdict.no_data, verdict.code, verdict.gate) == ("inconclusive", True, 0, gate.name)
    assert verdict.reason


def test_every_gate_restores_the_state_it_dumped(gate: Gate) -> None:
    assert gate.load(gate.dump(gate.initial())) == gate.initial()


def test_every_gate_documents_its_options(gate: Gate) -> None:
    assert type(gate).__doc__
    assert gate.expectation.endswith(".")
    assert all(field.description for name, field in type(gate).model_fields.items() if name not in {"name", "type"})


def test_every_gate_is_sound_where_all_it_needs_is_there(gate: Gate) -> None:
    cut = frozenset({"domain", "suspicious"})
    assert [] in [list(gate.problems({"stale_source_use": metric(better=way)}, cut)) for way in ("lower", "higher")]


def test_codes_are_what_deployment_tools_read() -> None:
    assert CODES == {"pass": 1, "inconclusive": 0, "fail": -1}


@pytest.mark.parametrize(
    ("described", "field", "message"),
    [
        (metric("other"), "metric", "no scorer gives 'stale_source_use'; there are: other"),
        (metric(upper=None, unit="seconds"), "metric", "has no upper bound, which every"),
        (metric(upper=5.0), "bounds", "has values from 0 to 5"),
        (metric(better="higher"), "at_most", "better when higher, but this limit wants it lower"),
    ],
)
def test_a_gate_that_cannot_work_with_what_is_scored_says_which_option_is_wrong(
    described: Metric, field: str, message: str
) -> None:
    found = list(LIMIT.problems({described.name: described}, frozenset()))
    assert [where for where, _ in found] == [field]
    assert message in found[0][1]


def test_a_gate_may_only_split_by_dimensions_that_exist() -> None:
    gate = LIMIT.model_copy(update={"by": ("region",)})
    assert list(gate.problems({"stale_source_use": metric()}, frozenset({"service"}))) == [
        ("by[0]", "no slice dimension 'region'; there are: service")
    ]
