"""Every board is one that Grafana's own schema describes, as grafana-foundation-sdk has it: fields, types, values.

The SDK is generated from the schema of Grafana. Its models drop what they do not know, and check no types when they
read: both are done here.
"""

import enum
import json
import types
import typing

import pytest
from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard

from dashboards.boards import all_boards, drawn
from tests.dashboards.sample import DIMENSIONS, GATES, METRICS, PARTS

BOARDS = {
    f"{board.name}{'' if url is None else ' with links'}": json.loads(drawn(board, public_url=url))
    for board in all_boards(DIMENSIONS, METRICS, GATES, parts=PARTS)
    for url in (None, "https://rag.example.com")
}


@pytest.fixture(scope="module", autouse=True)
def _panels_and_queries_known():
    plugins.register_default_plugins()


def wrong(value, wanted, where):
    """Yield each place below ``where`` at which a value is not of the type that the schema wants."""
    origin, parts = typing.get_origin(wanted), typing.get_args(wanted)
    if isinstance(value, dict) and hasattr(wanted, "from_json"):
        value = wanted.from_json(value)  # some of what it reads the SDK leaves as it is
    if origin in (typing.Union, types.UnionType):
        # Of several types it is held to its own, so that what is wrong within is named.
        own = [
            part
            for part in parts
            if isinstance(kind := typing.get_origin(part) or part, type) and isinstance(value, kind)
        ]
        found = [list(wrong(value, part, where)) for part in own or parts]
        if all(found):
            yield from found[0] if own else [f"{where}: {value!r} is none of {wanted}"]
    elif origin is list and isinstance(value, list):
        for number, each in enumerate(value):
            yield from wrong(each, parts[0], f"{where}[{number}]")
    elif origin is dict and isinstance(value, dict):
        for name, each in value.items():
            yield from wrong(each, parts[1], f"{where}.{name}")
    elif not is_one(value, wanted):
        yield f"{where}: {value!r} is no {getattr(wanted, '__name__', wanted)}"
    elif hasattr(value, "to_json"):
        yield from of_model(value, where)


def is_one(value, wanted):
    """Whether a value is of a type that has no parts."""
    if typing.get_origin(wanted) is typing.Literal:
        return value in typing.get_args(wanted)
    if wanted in (object, typing.Any):
        return True
    if wanted in (int, float):
        return not isinstance(value, bool) and isinstance(value, (int, float) if wanted is float else int)
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        return value in [each.value for each in wanted] or value in list(wanted)
    return isinstance(value, wanted) if isinstance(wanted, type) else False


def of_model(model, where):
    """Yield what is wrong below a model of the SDK."""
    for name, wanted in typing.get_type_hints(type(model)).items():
        yield from wrong(getattr(model, name), wanted, f"{where}.{name}")


def lost(before, after, where=""):
    """Yield what a board has and the schema does not know."""
    if isinstance(before, dict):
        for name, value in before.items():
            if not isinstance(after, dict) or name not in after:
                yield f"{where}.{name}"
            else:
                yield from lost(value, after[name], f"{where}.{name}")
    elif isinstance(before, list):
        if not isinstance(after, list) or len(before) != len(after):
            yield where
        else:
            for number, (one, other) in enumerate(zip(before, after, strict=True)):
                yield from lost(one, other, f"{where}[{number}]")
    elif before != after:
        yield f"{where}: {before!r} is read as {after!r}"


OF_PROMETHEUS = {f".annotations.list[0].{name}" for name in ("step", "tagKeys", "textFormat", "titleFormat")}
"""What Grafana's plugin for Prometheus reads of an annotation; the schema leaves to plugins what theirs have."""


def problems(board):
    model = Dashboard.from_json(board)
    after = json.loads(JSONEncoder(sort_keys=True).encode(model))
    return [*of_model(model, "board"), *(each for each in lost(board, after) if each not in OF_PROMETHEUS)]


@pytest.mark.parametrize("name", sorted(BOARDS))
def test_the_schema_knows_every_field_of_a_board_and_its_type(name):
    assert problems(BOARDS[name]) == []


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("refresh",), 5, "refresh"),
        (("graphTooltip",), 7, "graph_tooltip"),
        (("invented",), "x", ".invented"),
        (("panels", 1, "gridPos", "w"), "wide", "w: 'wide' is no int"),
        (("panels", 1, "datasource"), {"uid": "p", "typo": "prometheus"}, "datasource.typo"),
        (("templating", "list", 0, "hide"), 9, "hide: 9 is none of"),
    ],
)
def test_what_the_schema_does_not_know_is_found(path, value, problem):
    board = json.loads(json.dumps(BOARDS["on-call"]))
    *way, last = path
    place = board
    for step in way:
        place = place[step]
    place[last] = value
    assert any(problem in each for each in problems(board)), problems(board)
