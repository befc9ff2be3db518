"""Tables and records are read from whatever form a context gives them, bounded whatever it holds."""

from __future__ import annotations

import json

import pytest

from scorers.text.cells import CellDate, read_cell, tokens
from scorers.text.tables import MAX_CELLS, MAX_COLUMNS, MAX_ROWS
from scorers.text.tabletext import MAX_TABLES, read_tables

HEADER = ("Country", "Days", "Approval")
ROWS = (("Germany", "30", "manager"), ("Chile", "15", "none needed"), ("Kenya", "21", "director"))


def _lines(delimiter: str) -> str:
    return "\n".join(delimiter.join(row) for row in (HEADER, *ROWS))


FORMS = {
    "json": json.dumps([dict(zip(HEADER, row, strict=True)) for row in ROWS]),
    "json within an object": json.dumps({"rows": [dict(zip(HEADER, row, strict=True)) for row in ROWS]}),
    "json by key": json.dumps({row[0]: dict(zip(HEADER[1:], row[1:], strict=True)) for row in ROWS}),
    "yaml": "leave:\n" + "".join(f"  - Country: {c}\n    Days: {d}\n    Approval: {a}\n" for c, d, a in ROWS),
    "csv": _lines(","),
    "csv with semicolons": _lines(";"),
    "tsv": _lines("\t"),
    "pipes": _lines(" | "),
    "markdown": "## Leave\n\n| Country | Days | Approval |\n|:--|--:|---|\n"
    + "\n".join(f"| **{c}** | {d} | {a} |" for c, d, a in ROWS)
    + "\n\nAsk HR for more.",
    "columns of blanks": "\n".join(f"{c:<12}{d:<8}{a}" for c, d, a in (HEADER, *ROWS)),
    "html": "<p>Leave</p><table><tr><th>Country</th><th>Days</th><th>Approval</th></tr>"
    + "".join(f"<tr><td>{c}</td><td><b>{d}</b></td><td>{a}</td></tr>" for c, d, a in ROWS)
    + "</table>",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_table_gives_the_same_rows(form: str) -> None:
    table = read_tables(FORMS[form])[0]
    assert [tuple(cell.text for cell in row) for row in table.rows] == [*ROWS]
    assert [column.name for column in table.columns][1:] == [*HEADER[1:]]
    assert [table.label(row) for row in range(3)] == ["Germany", "Chile", "Kenya"]


RECORDS = {
    "lines": "team: Platform\nlead: Ana Ruiz\noffice: Lisbon\nfloor: 4",
    "bold keys": "**team**: Platform\n**lead**: Ana Ruiz\n**office**: Lisbon\n**floor**: 4",
    "list": "- team: Platform\n- lead: Ana Ruiz\n- office: Lisbon\n- floor: 4",
    "json": '{"team": "Platform", "lead": "Ana Ruiz", "office": "Lisbon", "floor": 4}',
    "nested json": '{"unit": {"team": "Platform", "lead": "Ana Ruiz"}, "office": "Lisbon", "floor": 4}',
}


@pytest.mark.parametrize("form", RECORDS)
def test_every_form_of_a_record_gives_the_same_values(form: str) -> None:
    (table,) = read_tables(RECORDS[form])
    assert sorted(cell.text for cell in table.rows[0]) == ["4", "Ana Ruiz", "Lisbon", "Platform"]


def test_a_key_that_stands_twice_has_two_values() -> None:
    (table,) = read_tables("Navarre\n---\n- seat: Olite\n- language: Basque\n- language: Latin\n")
    assert table.title == "Navarre"
    assert {value.cell.text for value in table.values if value.column == 1} == {"Basque", "Latin"}


def test_objects_within_rows_are_rows_of_a_table_that_names_their_parent() -> None:
    staff = [{"name": "Bo", "role": "lead"}, {"name": "Cy", "role": "clerk"}]
    tables = read_tables(json.dumps({"departments": [{"name": "Sales", "staff": staff}, {"name": "Legal"}]}))
    rows = [[cell.text for cell in row] for table in tables for row in table.rows]
    assert ["Sales", "Bo", "lead"] in rows
    assert ["Sales", "Cy", "clerk"] in rows


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Leave is 30 days. It is paid, and no approval is needed. Ask your manager: they know.",
        "Dear Bo,\nthe office, as you know, is closed.\nSee you, Cy",
        "Note: bring your badge.\n\nThe office opens at 9:00.",
        '{"broken": ',
        "[1, 2, 3]",
    ],
)
def test_prose_has_no_table(text: str) -> None:
    assert read_tables(text) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,290", 1290.0),
        ("$1,200 per month", 1200.0),
        ("US$4.6 billion (1993)", 4.6e9),
        ("1.5 h", 5400.0),
        ("- 5", -5.0),
        ("t4", 4.0),
        ("2 - 8", None),
        ("12 High Street, Leeds West", None),
        ("99.95%", 99.95),
    ],
)
def test_the_number_of_a_cell_is_in_the_base_of_its_unit(text: str, value: float | None) -> None:
    assert read_cell(text).value == value


@pytest.mark.parametrize(
    "text", ["2010-03-26", "March 26, 2010", "26 March 2010", "26th of March 2010", "Mar 26, 2010"]
)
def test_a_date_is_one_in_every_style(text: str) -> None:
    assert read_cell(text).day == CellDate(2010, 3, 26, 4)


def test_a_month_that_is_a_word_too_is_a_date_only_beside_a_number_or_where_one_stands() -> None:
    assert not any(token.day for token in tokens("You may march home"))
    assert [token.day for token in tokens("from March to May 2024") if token.day] == [
        CellDate(month=3),
        CellDate(2024, 5),
    ]


HOSTILE = {
    "many rows": "a,b,c\n" + "1,2,3\n" * 20_000,
    "many columns": "|".join("x" * 5_000) + "\n" + "|".join("y" * 5_000),
    "lines that change width": "\n".join(",".join("ab" * (1 + at % 7)) for at in range(8_000)),
    "keys without end": "\n".join(f"key {at}: {at}" for at in range(10_000)),
    "deep json": '{"a":' * 3_000 + "1" + "}" * 3_000,
    "wide json": json.dumps([{str(key): key for key in range(300)} for _ in range(300)]),
    "open tags": "<table><tr>" + "<td>" * 10_000,
    "unclosed tags": "<td " * 10_000,
    "blanks": ("a" + " " * 30) * 1_500,
    "yaml": "- a:\n" * 8_000,
    "many tables": "\n\n".join("a|b\n1|2" for _ in range(4_000)),
}


@pytest.mark.parametrize("form", HOSTILE)
def test_what_is_read_of_a_hostile_text_is_bounded(form: str) -> None:
    tables = read_tables(HOSTILE[form][:50_000])
    assert len(tables) <= MAX_TABLES
    assert all(len(table.rows) <= MAX_ROWS and len(table.columns) <= MAX_COLUMNS for table in tables)
    assert sum(len(table.rows) * len(table.columns) for table in tables) <= MAX_CELLS
