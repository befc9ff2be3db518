"""Phrases: what a pattern takes, what it leaves, and what is no pattern."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorers.text import phrases as module
from scorers.text.phrases import MAX_ELEMENTS, Phrases, words


def found(pattern: str, text: str) -> bool:
    return bool(Phrases({"it": [pattern]}).find(words(text)))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("unable to", "I am unable to say."),
        ("can|could not", "You can't."),
        ("can|could not", "It cannot be."),
        ("will not", "We won't."),
        ("i am", "I\u2019m here"),
        ("provid*", "It was provided."),
        ("not ~ appropriate", "That is not at all very appropriate."),
        ("not ~ appropriate", "not appropriate"),
        ("not ?so good", "not good"),
        ("not ?so good", "not so good"),
        ("^ sorry", "Sorry, no."),
        ("closed $", "The shop is closed."),
        ("^ yes $", "Yes!"),
        ("a ~2 b ~2 c", "a b c"),
        ("a ~2 b c", "a b b c"),
        ("\u00fcber ~1 grenze", "\u00dcber die Grenze"),
    ],
)
def test_a_pattern_takes_what_it_says(pattern: str, text: str) -> None:
    assert found(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("unable to", "to unable"),
        ("provid*", "a prov ider"),
        ("not ~ appropriate", "not one two three four appropriate"),
        ("^ sorry", "I am sorry"),
        ("closed $", "closed today"),
        ("cat", "concatenate"),
        ("can not", "can"),
    ],
)
def test_a_pattern_leaves_what_it_does_not_say(pattern: str, text: str) -> None:
    assert not found(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "has no word"),
        ("^ $", "has no word"),
        ("~ word", "must begin with a required word"),
        ("?maybe word", "must begin with a required word"),
        ("(a+)+", "is not a word"),
        ("a.b", "is not a word"),
        ("a ~99 b", "is not a gap of 1 to 10"),
        ("a ~x b", "is not a gap of 1 to 10"),
        ("to*", "needs at least 3 letters"),
        ("a " * (MAX_ELEMENTS + 1), "more than 16 elements"),
    ],
)
def test_what_is_no_pattern_is_refused_with_its_text(pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Phrases({"it": [pattern]})


def test_each_family_that_occurs_is_told() -> None:
    phrases = Phrases({"money": ["eur|usd"], "limit": ["limit ~2 is"], "none": ["is limit"]})
    assert phrases.find(words("The limit here is 9 EUR or 10 USD")) == {"limit", "money"}


@pytest.mark.parametrize("before", [0, 1, 500])
def test_a_phrase_is_found_wherever_it_stands_in_a_long_text(before: int) -> None:
    phrases = Phrases({"it": ["a ~10 b ~10 c"], "first": ["^ a"], "last": ["c $"]})
    text = ["x"] * before + ["a", *"xxxxxxxxxx", "b", *"xxxxxxxxxx", "c"]
    assert phrases.find(text) == {"it", "last"} | ({"first"} if not before else set())
    assert phrases.find([*text, *["x"] * 60]) == {"it"} | ({"first"} if not before else set())
    assert "it" not in phrases.find(["x"] * before + ["a", *"xxxxxxxxxxx", "b", *"xxxxxxxxxx", "c"])


@pytest.mark.timeout(20)  # far above linear work, far below what retrying from every word would take
def test_a_pattern_of_many_gaps_over_a_long_text_takes_bounded_work() -> None:
    phrases = Phrases({"it": ["a ~10 a ~10 a ~10 a ~10 a ~10 a ~10 a ~10 b"]})
    assert phrases.find(["a"] * 5_000) == set()


def occurs(pattern: str, tokens: Sequence[str]) -> bool:
    """Follow every way through a pattern, one at a time: slow, and as the pattern language is described."""
    parts = pattern.split()
    at_start, at_end = parts[0] == "^", parts[-1] == "$"
    parts = parts[at_start : len(parts) - at_end]

    def takes(part: str, word: str) -> bool:
        return any(word.startswith(one[:-1]) if one.endswith("*") else word == one for one in part.split("|"))

    def ends(parts: Sequence[str], at: int) -> bool:
        if not parts:
            return at == len(tokens) or not at_end
        part, rest = parts[0], parts[1:]
        if part.startswith("~"):
            return any(
                ends(rest, at + skipped) for skipped in range(int(part[1:] or 3) + 1) if at + skipped <= len(tokens)
            )
        taken = at < len(tokens) and takes(part.removeprefix("?"), tokens[at]) and ends(rest, at + 1)
        return taken or (part.startswith("?") and ends(rest, at))

    return any(ends(parts, at) for at in range(1 if at_start else max(1, len(tokens))))


WORD = st.sampled_from(["a", "b", "c", "abc", "abcd", "abx"])
ONE = st.sampled_from(["a", "b", "a|b", "abc*", "abc*|c", "abcd*|a", "abx"])
LATER = st.one_of(ONE, ONE.map("?{}".format), st.sampled_from(["~", "~1", "~2"]))
PATTERN = st.builds(
    lambda start, first, later, end: " ".join([*start, first, *later, *end]),
    st.sampled_from([[], ["^"]]),
    ONE,
    st.lists(LATER, max_size=4),
    st.sampled_from([[], ["$"]]),
)


@given(st.lists(PATTERN, min_size=1, max_size=6), st.lists(st.lists(WORD, max_size=9), max_size=6))
@example(["a ~2 $"], [["a", "b", "b"], ["a", "b", "b", "b"]])
@example(["a ?b ?a $", "^ a a"], [["a", "a"], ["b", "a", "a"], ["a"]])
def test_what_is_found_in_one_pass_is_what_every_way_through_each_pattern_finds(
    patterns: list[str], texts: list[list[str]]
) -> None:
    said = Phrases({pattern: [pattern] for pattern in patterns})
    for tokens in texts:
        assert said.find(tokens) == {pattern for pattern in patterns if occurs(pattern, tokens)}


def test_what_is_forgotten_for_want_of_room_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_STATES", 3)
    monkeypatch.setattr(module, "_REMEMBERED", 2)
    said = Phrases({"far": ["one ~5 six"], "near": ["two three"]})
    text = ["zero", "one", "two", "three", "four", "five", "six", "seven"]
    assert [said.find(text) for _ in range(2)] == [{"far", "near"}] * 2


def test_a_word_of_a_pattern_is_found_however_long_it_is() -> None:
    long = "donaudampfschifffahrtsgesellschaft"
    said = Phrases({"literal": [f"the {long}"], "prefix": ["donaudampfschifffahrt* ends"]})
    for _ in range(2):
        assert said.find(["the", long, "ends"]) == {"literal", "prefix"}
        assert said.find(["the", "donaudampf", "ends"]) == set()
