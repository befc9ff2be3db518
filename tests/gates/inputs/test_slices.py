import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from adapters.schema import Answer
from gates.inputs.slices import (
    NONE,
    OTHER,
    RESERVED,
    Admitted,
    Dimension,
    Slicer,
    attributes_of,
    dump_admitted,
    load_admitted,
)
from telemetry.instruments import GATES, HEALTH, QUALITY


def cut_all(slicer: Slicer, values: list[str], admitted: Admitted) -> tuple[list[str], Admitted]:
    cuts = []
    for value in values:
        cut = slicer.cut({"domain": value}, admitted)
        admitted = cut.admitted
        cuts.append(cut.slice["domain"])
    return cuts, admitted


def test_values_beyond_the_cap_share_other_and_are_told() -> None:
    slicer = Slicer((Dimension(name="domain", cap=2),))
    cuts, admitted = cut_all(slicer, ["a", "b", "c", "a"], {})
    assert cuts == ["a", "b", OTHER, "a"]
    assert slicer.cut({"domain": "c"}, admitted).overflowed == ("domain",)
    assert slicer.cut({"domain": "a"}, admitted).overflowed == ()


def test_a_missing_attribute_is_not_the_same_as_another_value() -> None:
    slicer = Slicer((Dimension(name="domain", cap=1), Dimension(name="region")))
    cut = slicer.cut({"region": ""}, {})
    assert cut.slice == {"domain": NONE, "region": NONE}
    assert cut.overflowed == ()
    assert cut.admitted == {}


def test_listed_values_are_the_only_ones_admitted() -> None:
    slicer = Slicer((Dimension(name="domain", values=("a", "b")),))
    cuts, admitted = cut_all(slicer, ["b", "c", "a"], {})
    assert cuts == ["b", OTHER, "a"]
    assert admitted == {}


def test_a_dimension_may_be_cut_from_an_attribute_of_another_name() -> None:
    slicer = Slicer((Dimension(name="team", attribute="metadata.owner"),))
    assert slicer.cut({"metadata.owner": "search"}, {}).slice == {"team": "search"}


@pytest.mark.parametrize("value", ["x" * 129, "two\nlines", "\ud800", "bell\x07"])
def test_text_that_cannot_be_a_label_goes_to_other(value: str) -> None:
    cut = Slicer((Dimension(name="domain"),)).cut({"domain": value}, {})
    assert cut.slice == {"domain": OTHER}
    assert cut.overflowed == ("domain",)


@pytest.mark.parametrize("value", [OTHER, NONE])
def test_traffic_cannot_use_up_the_cap_with_our_own_names(value: str) -> None:
    cut = Slicer((Dimension(name="domain", cap=1),)).cut({"domain": value}, {})
    assert cut.slice == {"domain": value}
    assert cut.admitted == {}


@given(st.lists(st.text(max_size=4), max_size=40), st.integers(1, 5), st.integers(0, 40))
def test_a_restart_anywhere_changes_nothing_and_the_cap_holds(values: list[str], cap: int, restart: int) -> None:
    slicer = Slicer((Dimension(name="domain", cap=cap),))
    straight, admitted = cut_all(slicer, values, {})
    before, memory = cut_all(slicer, values[:restart], {})
    after, restored = cut_all(slicer, values[restart:], load_admitted(dump_admitted(memory)))
    assert before + after == straight
    assert restored == admitted
    assert len(set(straight) - {OTHER, NONE}) <= cap


def test_cutting_leaves_what_it_was_given_as_it_was() -> None:
    slicer = Slicer((Dimension(name="domain"),))
    first = slicer.cut({"domain": "a"}, {}).admitted
    slicer.cut({"domain": "b"}, first)
    assert first == {"domain": frozenset({"a"})}
    assert slicer.cut({"domain": "a"}, first).admitted is first


def test_fields_of_the_answer_stand_above_attributes_of_their_name() -> None:
    answer = Answer(id="a", release="r2", model="m", attributes={"release": "spoofed", "environment": "prod"})
    assert attributes_of(answer) == {"release": "r2", "model": "m", "environment": "prod"}


@pytest.mark.parametrize("name", ["", "1st", "__name__", "_x", "do-main", "domain\n", "ä", "le", "gate", "datasource"])
def test_names_that_cannot_be_labels_are_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="name"):
        Dimension(name=name)


def test_every_label_of_an_instrument_is_reserved() -> None:
    labels = {label for instrument in (*QUALITY, *GATES, *HEALTH) for label in instrument.labels}
    assert labels <= RESERVED


@pytest.mark.parametrize(
    "options",
    [
        {"values": ("a", "a")},
        {"values": (OTHER,)},
        {"values": ()},
        {"values": ("a",), "cap": 3},
        {"cap": 0},
        {"attribute": ""},
        {"limit": 3},
    ],
)
def test_options_that_contradict_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Dimension.model_validate({"name": "domain", **options})


@pytest.mark.parametrize("data", [b"[]", b'{"domain": 3}', b"{"])
def test_a_memory_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"slicer|JSON|unexpected"):
        load_admitted(data)
