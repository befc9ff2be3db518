"""Answers over series and records of any schema: what its numbers must come from, and what they may be told as."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Env, Score
from scorers.grounding.faithfulness import Faithfulness
from scorers.support.context import Context
from scorers.support.model import TOGETHER, ClaimVerdict, answer_verdict, kind_of
from scorers.support.tabular.finding import TableFinding
from scorers.support.tabular.judging import told
from scorers.support.tabular.linking import read_claim
from scorers.text.source import source_of
from scorers.text.tabletext import read_tables

FORECAST = json.dumps(
    {
        "hourly_units": {"time": "iso8601", "temperature_2m": "°C", "wind_speed_10m": "km/h"},
        "hourly": {
            "time": ["2026-01-05T06:00", "2026-01-05T15:00", "2026-01-06T06:00", "2026-01-06T15:00"],
            "temperature_2m": [11.5, 18.2, 9.4, 14.0],
            "wind_speed_10m": [7.2, 21.6, 10.8, 14.4],
        },
    }
)
READINGS = "station,date,level\n" + "\n".join(f"A,2026-0{month}-01,{20 + 3 * month}" for month in range(1, 8))


def _findings(claim: str, text: str = FORECAST) -> list[TableFinding]:
    return [each for table in told(read_claim(claim), read_tables(text)) for each in table.findings]


def _figures(claim: str, text: str = FORECAST) -> dict[str, bool]:
    return {each.claimed: each.agrees for each in _findings(claim, text) if each.kind == "figure"}


@pytest.mark.parametrize(
    ("claim", "yielded"),
    [
        ("The temperature reaches 18.2°C.", True),
        ("The temperature reaches 18 degrees Celsius.", True),
        ("The temperature reaches 64.8°F.", True),
        ("The average temperature is 13.3°C.", True),
        ("The temperature reaches 21.6°C.", False),
        ("The wind blows at 6 m/s.", True),
        ("The wind blows at 21.6 km/h.", True),
        ("The wind blows at 18.2 km/h.", False),
        ("The wind blows at 40 m/s.", False),
    ],
)
def test_a_number_comes_from_a_value_in_its_unit_or_from_what_is_derived_of_one(claim: str, *, yielded: bool) -> None:
    assert list(_figures(claim).values()) == [yielded]


def test_lists_side_by_side_are_rows_of_moments_in_their_units() -> None:
    table = read_tables(FORECAST)[0]
    assert [column.name for column in table.columns] == ["time", "temperature_2m", "wind_speed_10m"]
    assert [column.unit.measures if column.unit else None for column in table.columns] == [
        None,
        "temperature",
        "speed",
    ]
    assert len(table.rows) == 4


def test_lists_of_a_product_are_no_moments() -> None:
    product = json.dumps({"name": "Tee", "colors": ["red", "blue", "green"], "sizes": ["S", "M", "L"]})
    assert [len(table.rows) for table in read_tables(product)] == [1]


@pytest.mark.parametrize("key", ["temp_c", "temperature"])
def test_a_unit_is_told_by_the_key_or_beside_the_value(key: str) -> None:
    value: object = {"value": 20.5, "unit": "C"} if key == "temperature" else 20.5
    rows = [{"city": city, key: value} for city in ("Oslo", "Rome", "Bonn")]
    units = [column.unit for column in read_tables(json.dumps(rows))[0].columns if column.kind == "number"]
    assert [unit.measures for unit in units if unit] == ["temperature"]


@pytest.mark.parametrize(
    ("claim", "right"),
    [
        ("On January 5 the temperature ranges from 11.5°C to 18.2°C.", True),
        ("On January 6 the temperature ranges from 11.5°C to 18.2°C.", False),
        ("On January 6 the temperature has a low of 48.9°F.", True),
    ],
)
def test_the_ends_of_a_range_are_those_of_the_day_in_any_unit(claim: str, *, right: bool) -> None:
    ranges = [each.agrees for each in _findings(claim) if each.kind == "range"]
    assert ranges
    assert all(ranges) == right


def test_the_number_of_a_name_is_none_and_at_least_is_no_extreme() -> None:
    rows = "date,value\n" + "\n".join(f"2021-0{month}-01,{10 * month}" for month in range(1, 8))
    found = _findings("In March 2021 people had at least one dose of a COVID-19 vaccine.", rows)
    assert not [each for each in found if each.kind in ("extreme", "figure", "count")]


def test_a_night_behind_a_noon_is_no_fall() -> None:
    moments = [(day, hour, 10 + day + 6 * (hour == 15)) for day in (1, 2, 3) for hour in (15, 23)]
    rows = json.dumps([{"time": f"2026-01-0{day} {hour}:00:00", "temp": temp} for day, hour, temp in moments])
    trends = [each.agrees for each in _findings("Temperatures rise.", rows) if each.kind == "trend"]
    assert trends == [True]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (READINGS, "tables"),
        ("# station: A\n# unit: cm\n" + READINGS, "tables"),
        ("The readings were taken at noon. They are told in centimetres.\n\n" + READINGS[:60], "text"),
        (FORECAST, "tables"),
    ],
)
def test_a_text_of_nothing_but_rows_is_a_table(text: str, kind: str) -> None:
    assert kind_of(Context([source_of(text)])) == kind


@pytest.mark.parametrize("worst", [0.2, 0.49, 0.51, 0.9])
@pytest.mark.parametrize("many", [1, 3, 40])
def test_doubts_over_tables_add_up_and_an_answer_is_still_called_where_its_worst_claim_is(
    worst: float, many: int
) -> None:
    assert "tables" in TOGETHER

    def verdict(supported: float) -> ClaimVerdict:
        return ClaimVerdict(supported, 1 - supported, "supported" if supported > 0.5 else "contradicted")

    alone = answer_verdict([verdict(1 - worst)], "tables")
    among = answer_verdict([verdict(1 - worst)] * many, "tables")
    called = answer_verdict([verdict(0.5)], "tables").unsupported
    assert among.label == alone.label
    assert among.unsupported >= alone.unsupported
    assert (among.unsupported >= called) == (worst > 0.5)


def test_right_readings_of_a_table_of_many_rows_are_doubted_less_than_wrong_ones() -> None:
    env = Env(now=datetime(2026, 2, 1, tzinfo=UTC))

    def doubt(claim: str) -> float:
        answer = Answer(id="a", answer=claim, passages=(Passage(id="p", text=READINGS),))
        found = Faithfulness().score(answer, env)
        assert isinstance(found, Score)
        return 1 - found.value

    right = doubt("The level was 29 in March 2026 and rose to 41 by July.")
    wrong = doubt("The level was 41 in March 2026 and fell to 12 by July.")
    assert right < wrong
