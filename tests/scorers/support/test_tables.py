"""What tables and records say of a claim: look-ups, comparisons, counts, extremes and trends, in every form."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.models.terms import rarity
from scorers.support.alignment import align
from scorers.support.claims import read_claims
from scorers.support.context import Context
from scorers.support.tables import NAMES, features
from scorers.support.tabular.deciding import compare_with_tables
from scorers.support.tabular.judging import told
from scorers.support.tabular.linking import read_claim
from scorers.text.sentences import split_statements
from scorers.text.source import read_source
from scorers.text.tabletext import read_tables

LEAVE = """# Annual leave by country

| Country | Paid leave (days) | Carry over | Parental leave |
|---|---|---|---|
| Germany | 30 | 5 days | 14 weeks |
| Switzerland | 25 | 0 days | 16 weeks |
| Chile | 15 | 10 days | 24 weeks |
"""
TIERS = """Tier,Uptime,Response time,Price
Gold,99.95%,15 minutes,$1200
Silver,99.5%,1 hour,$600
Bronze,99%,8 hours,$200
"""
DEVICES = json.dumps(
    {
        "devices": [
            {
                "model": "Falcon X1",
                "weight": "1.2 kg",
                "battery": "10 hours",
                "touchscreen": True,
                "released": "2023-03-14",
            },
            {
                "model": "Heron S2",
                "weight": "980 g",
                "battery": "14 hours",
                "touchscreen": False,
                "released": "2024-09-02",
            },
        ]
    }
)
TEAM = "team: Platform\nlead: Ana Ruiz\nmembers: 7\noffice: Lisbon\nfounded: 2019\n"
LEAGUE = """Pos\tTeam\tPlayed\tWon\tLost\tPoints
1\tRovers\t10\t8\t1\t25
2\tUnited\t10\t7\t2\t22
3\tCity\t10\t4\t6\t12
4\tAthletic\t10\t2\t8\t6
"""
PLANS = (
    "<table><tr><th>Plan</th><th>Users</th><th>Price</th></tr><tr><td>Starter</td><td>5</td><td>\u20ac12</td></tr>"
    "<tr><td>Team</td><td>25</td><td>\u20ac49</td></tr><tr><td>Business</td><td>200</td><td>\u20ac199</td></tr></table>"
)
STAFF = json.dumps(
    {"departments": {"Sales": {"head": "Mia Wolf", "staff": 41}, "Legal": {"head": "Leo Brandt", "staff": 6}}}
)

RIGHT_AND_WRONG = [
    (
        "number",
        LEAVE,
        "Employees in Germany get 30 days of paid leave.",
        "Employees in Germany get 25 days of paid leave.",
    ),
    (
        "number",
        LEAVE,
        "Switzerland grants 16 weeks of parental leave.",
        "Switzerland grants 14 weeks of parental leave.",
    ),
    ("number", TIERS, "The price of Gold is $1,200.", "The price of Gold is $1,300."),
    ("number", PLANS, "The Team plan costs \u20ac49.", "The Team plan costs \u20ac199."),
    ("number", PLANS, "The Business plan allows 200 users.", "The Business plan allows 25 users."),
    ("number", TEAM, "The Platform team has 7 members.", "The Platform team has 9 members."),
    ("number", STAFF, "Legal has a staff of 6.", "Legal has a staff of 41."),
    ("percent", TIERS, "Silver guarantees an uptime of 99.5 %.", "Silver guarantees an uptime of 99.95 %."),
    ("unit", TIERS, "The response time of Silver is 60 minutes.", "The response time of Silver is 15 minutes."),
    ("unit", DEVICES, "The Falcon X1 weighs 1200 g.", "The Falcon X1 weighs 980 g."),
    ("name", STAFF, "The head of Sales is Mia Wolf.", "The head of Sales is Leo Brandt."),
    (
        "date",
        DEVICES,
        "The Heron S2 was released on September 2, 2024.",
        "The Heron S2 was released on March 14, 2023.",
    ),
    ("yes and no", DEVICES, "The Falcon X1 has a touchscreen.", "The Heron S2 has a touchscreen."),
    ("yes and no", DEVICES, "The Heron S2 has no touchscreen.", "The Falcon X1 has no touchscreen."),
    (
        "two rows",
        LEAVE,
        "In Germany, 5 days can be carried over, in Chile 10 days.",
        "In Germany, 10 days can be carried over, in Chile 5 days.",
    ),
    (
        "respectively",
        LEAVE,
        "Germany and Switzerland grant 30 and 25 days of paid leave, respectively.",
        "Germany and Switzerland grant 25 and 30 days of paid leave, respectively.",
    ),
    ("most", LEAVE, "Chile has the longest parental leave.", "Germany has the longest parental leave."),
    ("least", TIERS, "Bronze is the cheapest tier.", "Silver is the cheapest tier."),
    ("more than", LEAVE, "Germany has more paid leave than Chile.", "Chile has more paid leave than Germany."),
    ("more than", TIERS, "Gold is more expensive than Silver.", "Bronze is more expensive than Silver."),
    (
        "before",
        DEVICES,
        "The Falcon X1 was released before the Heron S2.",
        "The Falcon X1 was released after the Heron S2.",
    ),
    (
        "bound",
        LEAVE,
        "Parental leave in Chile is more than 20 weeks.",
        "Parental leave in Germany is more than 20 weeks.",
    ),
    ("bound", TEAM, "Platform was founded before 2020.", "Platform was founded after 2020."),
    ("difference", LEAGUE, "Rovers have 3 more points than United.", "Rovers have 5 more points than United."),
    ("rank", LEAGUE, "Rovers have the most points.", "City have the most points."),
]


@pytest.mark.parametrize(("kind", "context", "right", "wrong"), RIGHT_AND_WRONG)
def test_what_a_table_says_is_told_from_what_it_says_otherwise(kind: str, context: str, right: str, wrong: str) -> None:
    tables = read_tables(context)
    assert compare_with_tables(right, tables).outcome == "agrees", kind
    found = compare_with_tables(wrong, tables)
    assert found.outcome == "contradicts", kind
    assert found.difference is not None
    assert found.difference.strength >= 0.7


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (LEAVE, "The office is closed on Friday."),
        (LEAVE, "Leave must be requested 30 days in advance."),
        (LEAVE, "You can book travel in the portal."),
        (LEAVE, "Germany is a member of the European Union since 1958."),
        (TIERS, "Gold costs twice as much as Silver."),
        (TIERS, "All tiers include a 30 day trial."),
        (DEVICES, "Both devices ship with a charger."),
        (TEAM, "The team meets on Mondays at 10."),
        (LEAGUE, "The season was exciting."),
    ],
)
def test_what_a_table_does_not_tell_is_left_open_with_a_reason(context: str, claim: str) -> None:
    found = compare_with_tables(claim, read_tables(context))
    assert found.outcome == "undecided"
    assert found.undecided


def test_a_reader_is_told_what_the_table_says_and_of_what() -> None:
    found = compare_with_tables("Germany grants 25 days of paid leave.", read_tables(LEAVE))
    assert found.difference is not None
    assert (found.difference.claimed, found.difference.told) == ("25", "30 for Germany, Paid leave (days)")


@pytest.mark.parametrize(
    ("claim", "kind", "agrees"),
    [
        ("Visits peaked in March 2024.", "extreme", True),
        ("Visits peaked in April 2024.", "extreme", False),
        ("Visits rose from January to March 2024.", "trend", True),
        ("Visits fell from January to March 2024.", "trend", False),
        ("From March 2024 to May 2024, visits declined.", "trend", True),
        ("In January visits ranged from 100 to 110.", "range", True),
        ("In January visits ranged from 90 to 110.", "range", False),
        ("There were 5 visits in June 2024.", "span", False),
    ],
)
def test_a_series_is_followed_over_time(claim: str, kind: str, agrees: bool) -> None:  # noqa: FBT001
    series = "date,visits\n2024-01-01,100\n2024-01-15,110\n2024-03-01,240\n2024-04-01,180\n2024-05-01,120\n"
    found = [each for each in told(read_claim(claim), read_tables(series))[0].findings if each.kind == kind]
    assert found
    assert all(each.agrees for each in found) == agrees


@pytest.mark.parametrize(
    ("claim", "kind", "agrees"),
    [
        ("Two teams have more than 20 points.", "count", True),
        ("Four teams have more than 20 points.", "count", False),
        ("The teams have 65 points in total.", "total", True),
        ("The teams have 80 points in total.", "total", False),
        ("Rovers are the only team that lost 1.", "only", True),
        ("All teams played 10.", "all", True),
    ],
)
def test_rows_are_counted_and_added_up(claim: str, kind: str, agrees: bool) -> None:  # noqa: FBT001
    found = [each for each in told(read_claim(claim), read_tables(LEAGUE))[0].findings if each.kind == kind]
    assert found
    assert all(each.agrees for each in found) == agrees


NAMES_OF_ROWS = ("Aldora", "Benwick", "Corvane", "Dunmoor", "Elthorpe")
COLUMNS = ("budget", "stock", "surface", "altitude")


@st.composite
def _grids(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[int]]]:
    rows = draw(st.lists(st.sampled_from(NAMES_OF_ROWS), min_size=2, max_size=5, unique=True))
    columns = draw(st.lists(st.sampled_from(COLUMNS), min_size=2, max_size=4, unique=True))
    size = len(rows) * len(columns)
    cells = draw(st.lists(st.integers(40, 900), min_size=size, max_size=size, unique=True))
    return rows, columns, [cells[at * len(columns) : (at + 1) * len(columns)] for at in range(len(rows))]


def _csv(rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[int]]) -> str:
    lines = [
        ",".join(["place", *columns]),
        *(",".join([row, *map(str, each)]) for row, each in zip(rows, cells, strict=True)),
    ]
    return "\n".join([*lines, lines[1]] if len(lines) < 3 else lines)


@given(_grids(), st.data())
@settings(max_examples=60, deadline=None)
def test_a_claim_made_of_a_cell_agrees_and_with_the_value_of_another_row_does_not(
    grid: tuple[list[str], list[str], list[list[int]]], data: st.DataObject
) -> None:
    rows, columns, cells = grid
    row, column = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(columns) - 1))
    other = data.draw(st.integers(0, len(rows) - 1).filter(lambda at: at != row))
    tables = read_tables(_csv(rows, columns, cells))
    right = f"The {columns[column]} of {rows[row]} is {cells[row][column]}."
    wrong = f"The {columns[column]} of {rows[row]} is {cells[other][column]}."
    assert compare_with_tables(right, tables).outcome == "agrees"
    assert compare_with_tables(wrong, tables).outcome == "contradicts"


@given(_grids(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_rows_and_columns_changes_nothing(
    grid: tuple[list[str], list[str], list[list[int]]], random: st.random.Random
) -> None:
    rows, columns, cells = grid
    claims = [
        f"{rows[0]} has the highest {columns[0]}.",
        f"{rows[0]} has more {columns[0]} than {rows[1]}.",
        f"The {columns[0]} of {rows[0]} is {cells[1][0]}.",
        f"Two places have a {columns[1]} over 200.",
    ]
    by_row, by_column = list(range(len(rows))), list(range(len(columns)))
    random.shuffle(by_row)
    random.shuffle(by_column)
    moved = [[cells[row][column] for column in by_column] for row in by_row]
    first = read_tables(_csv(rows, columns, cells))
    second = read_tables(_csv([rows[at] for at in by_row], [columns[at] for at in by_column], moved))
    for claim in claims:
        one, other = compare_with_tables(claim, first), compare_with_tables(claim, second)
        assert (one.outcome, one.difference) == (other.outcome, other.difference)


@given(st.text(max_size=300), st.sampled_from([LEAVE, TIERS, DEVICES, TEAM, LEAGUE, PLANS]))
@settings(max_examples=100, deadline=None)
def test_any_claim_can_be_laid_beside_a_table(claim: str, context: str) -> None:
    found = compare_with_tables(claim, read_tables(context))
    assert (found.difference is not None) == (found.outcome == "contradicts")


def test_the_family_gives_a_value_for_each_name_and_none_without_a_table() -> None:
    for text in (LEAVE, "Leave is paid."):
        answer = "Germany grants 25 days of paid leave."
        (claim,) = read_claims(split_statements(answer), answer, None)
        row = features(align(claim, Context([read_source(text)]), rarity()))
        assert len(row) == len(NAMES)
        assert any(row) == (text == LEAVE)
