"""YAML from anybody: what is ambiguous or would blow up is refused with its line, before anything is made of it."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scorers.text.yamltext import MAX_TYPED_DEPTH, MAX_VALUES, YamlError, load_yaml, read_yaml

ROOT = Path(__file__).resolve().parents[3]
READ = {"plain": read_yaml, "typed": load_yaml}

both = pytest.mark.parametrize("read", READ.values(), ids=READ)


def problems(read, text):
    with pytest.raises(YamlError) as caught:
        read(text)
    return caught.value.problems


def laughs(levels, *, width=9, last="all: *a{}"):
    """Return a text in which aliases stand for ``width ** levels`` values."""
    lines = [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]" for level in range(1, levels + 1)]
    return "\n".join(["a0: &a0 lol", *lines, last.format(levels), ""])


@both
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x: 1\ny: 2\nx: 3\n", "x: duplicate key 'x' at line 3, first given at line 1"),
        ("a:\n- b: 1\n- b: 1\n  c: 2\n  b: 3\n", "a[1].b: duplicate key 'b' at line 5, first given at line 3"),
        ("a: {b: {c: 1,\n c: 2}}\n", "a.b.c: duplicate key 'c' at line 2, first given at line 1"),
        ('- "k": 1\n  k: 2\n', "[0].k: duplicate key 'k' at line 2, first given at line 1"),
    ],
)
def test_a_duplicate_key_is_refused_with_its_path_and_both_lines(read, text, problem):
    assert problems(read, text) == (problem,)


@both
def test_all_duplicate_keys_are_told_at_once_but_no_more_than_one_can_read(read):
    assert len(problems(read, "a: 1\na: 2\nb: 1\nb: 2\n")) == 2
    told = problems(read, "a: 1\n" * 1000)
    assert len(told) == 21
    assert told[-1] == "and 979 more duplicate keys"


@both
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [\n", "line 3: not YAML: "),
        ("a: b: c", "line 1: not YAML: "),
        ("a:\n\tb: 1", "line 2: not YAML: a tab; indent with blanks"),
        ("\ud800", "not YAML"),
    ],
)
def test_what_is_no_yaml_is_told_by_its_line(read, text, line):
    (problem,) = problems(read, text)
    assert problem.startswith(line)


@pytest.mark.parametrize("levels", [6, 9, 40])
def test_aliases_that_stand_for_too_many_values_are_refused_where_they_become_too_many(levels):
    (problem,) = problems(load_yaml, laughs(levels))
    # 9^5 values and those before them are allowed, 9^6 are not.
    assert problem == f"line 7: more than {MAX_VALUES} values with aliases expanded"


@pytest.mark.parametrize("last", ["b: {{<<: [{}]}}".format(", ".join(["*m"] * 1000)), "b: [{}]".format("*m," * 1000)])
def test_merge_keys_and_wide_lists_are_counted_like_any_other_alias(last):
    many = ", ".join(f"k{i}: {i}" for i in range(200))
    assert "more than 100000 values" in problems(load_yaml, f"m: &m {{{many}}}\n{last}\n")[0]


def test_what_is_refused_was_not_made_before(monkeypatch):
    made = []
    monkeypatch.setattr("scorers.text.yamltext._made", made.append)
    problems(load_yaml, laughs(9))
    assert made == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: &a [1, *a]", "line 1: alias '*a' has no complete anchor above it"),
        ("a: *b", "line 1: alias '*b' has no complete anchor above it"),
        ("a: 1\n---\nb: 1", "line 2: expected one document, found a second"),
        ("a: !!python/object:os.system {}", "line 1: tag 'tag:yaml.org,2002:python/object:os.system' is not allowed"),
        ("a: !mine 1", "line 1: tag '!mine' is not allowed"),
        ("a: !!set {b, c}", "line 1: tag 'tag:yaml.org,2002:set' is not allowed"),
        ("a: !!binary aGk=", "line 1: tag 'tag:yaml.org,2002:binary' is not allowed"),
        ("\n[a]: b", "line 2: keys must be strings"),
        ("a: {~: 1}", "line 1: keys must be strings"),
        ("a: 2024-13-45", "line 1: not a value of type timestamp: month must be in 1..12"),
        ("a: 1" + ":1" * 300 + ".5", "line 1: a number of more than 100 characters; quote it if it is text"),
        ("a:\n- 1" + ":1" * 200_000, "line 2: a number of more than 100 characters; quote it if it is text"),
        ("a: 0x" + "f" * 5000, "line 1: a number of more than 100 characters; quote it if it is text"),
        ("a: <<", "line 1: '<<' is allowed as a key only"),
        ("a:\n  <<: 1", "line 2: '<<' can merge mappings only"),
        ("[" * (MAX_TYPED_DEPTH + 1), f"line 1: nested deeper than {MAX_TYPED_DEPTH} levels"),
        (laughs(MAX_TYPED_DEPTH + 1, width=1), f"line {MAX_TYPED_DEPTH + 1}: nested deeper than 50 levels"),
    ],
)
def test_what_a_typed_text_may_not_hold_is_told_with_its_line(text, problem):
    assert problems(load_yaml, text) == (problem,)


def test_aliases_are_followed_where_they_are_few():
    text = """
    rules: &rules [{name: a, when: [x, y]}]
    first: {use: *rules}
    second: {use: *rules, also: *rules}
    base: &base {tick: 5s, size: 1}
    one: {<<: *base, size: 2}
    two: {<<: [{size: 3}, *base]}
    """
    assert load_yaml(text) == yaml.safe_load(text)
    assert load_yaml(text)["second"]["also"][0]["when"] == ["x", "y"]


def test_plain_texts_stay_as_they_were_written():
    assert read_yaml("{v: 4.10, d: 2024-01-01, b: yes, n: ~, q: '~'}").pairs == [
        ("v", "4.10"),
        ("d", "2024-01-01"),
        ("b", "yes"),
        ("n", None),
        ("q", "~"),
    ]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8) | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=30,
)


@given(value=values, flow=st.booleans())
def test_what_the_library_writes_is_read_as_the_library_reads_it(value, flow):
    text = yaml.safe_dump(value, default_flow_style=flow)
    assert load_yaml(text) == yaml.safe_load(text)


def test_nothing_else_in_the_product_reads_yaml():
    reading = re.compile(r"\byaml\.\w*(load|parse|scan|compose|Loader)\w*\(?")
    found = {
        str(file.relative_to(ROOT))
        for top in ("adapters", "scorers", "gates", "dashboards", "collector")
        for file in (ROOT / top).rglob("*.py")
        if reading.search(file.read_text(encoding="utf-8"))
    }
    assert found == {"scorers/text/yamltext.py"}
