"""Sentences of any text, and claims of an answer, at their places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.text.sentences import (
    MAX_CLAIMS,
    MAX_SENTENCE,
    Sentence,
    blank,
    claim_at,
    split_sentences,
    split_statements,
)


def claims_of(text: str, markers: list[tuple[int, int]] | None = None) -> tuple[Sentence, ...]:
    return tuple(each for each in split_statements(text, markers or ()) if each.asserts)


def words(text: str) -> list[str]:
    return [sentence.words for sentence in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One is here. Two is there! Three?", ["One is here.", "Two is there!", "Three?"]),
        (
            "Dr. A. Roe of Acme Inc. pays 3.50 EUR, e.g. for tea.",
            ["Dr. A. Roe of Acme Inc. pays 3.50 EUR, e.g. for tea."],
        ),
        ("It is in the U.S. market.", ["It is in the U.S. market."]),
        ("See www.corp.test/a.html for v2.3.1 now.", ["See www.corp.test/a.html for v2.3.1 now."]),
        ("Wait... what? No.", ["Wait...", "what?", "No."]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("- First item\n* Second item.\n3. Third item", ["First item", "Second item.", "Third item"]),
        ("# Title\nText here.", ["Title", "Text here."]),
        ("> Quoted text.\n> > Twice.", ["Quoted text.", "Twice."]),
        ("| Limit | 180 EUR |\n|---|:-:|\n| Meals | 40 EUR |", ["Limit 180 EUR", "Meals 40 EUR"]),
        ("**Bold** and `code` and _more_.", ["Bold and code and more."]),
        ("```\na. b\n- c\n```\nAfter.", ["a. b", "- c", "After."]),
        ("休暇は二十週間です。申請は八週間前です。", ["休暇は二十週間です。", "申請は八週間前です。"]),
        ("ما هي الإجازة؟ عشرون أسبوعا.", ["ما هي الإجازة؟", "عشرون أسبوعا."]),
        ("a\r\nb", ["a", "b"]),
        ("", []),
        (" \n\t\n---\n", []),
    ],
)
def test_text_is_cut_where_a_reader_would_cut_it(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes. Leave is 20 weeks.", ["Yes. Leave is 20 weeks."]),
        ("Leave is 20 weeks. Apply early.", ["Leave is 20 weeks. Apply early."]),
        ("Is it? No. It is not allowed here.", ["No. It is not allowed here."]),
        ("Yes.\nLeave is 20 weeks.", ["Leave is 20 weeks."]),
        ("180 EUR", ["180 EUR"]),
        ("The limits are:\n- 180 EUR in Lisbon", ["180 EUR in Lisbon"]),
        ("Leave is 20 weeks [1]. It is paid in full [2, 3].", ["Leave is 20 weeks.", "It is paid in full."]),
        ("Leave is 20 weeks【1†source】.", ["Leave is 20 weeks."]),
        ("In [2024] leave was 18 weeks.", ["In [2024] leave was 18 weeks."]),
        ("I'm sorry, I cannot find that.", []),
        ("There is no information about pets in the documents.", []),
        ("The provided context does not mention pets.", []),
        ("The leave policy does not cover pets.", ["The leave policy does not cover pets."]),
        ("What do you mean?", []),
    ],
)
def test_claims_are_what_evidence_could_support(text: str, expected: list[str]) -> None:
    assert [claim.words for claim in claims_of(text)] == expected


def test_a_claim_keeps_its_place_in_the_text() -> None:
    text = "# Leave\n\n- **20 weeks** of leave are granted. [1] Nobody is asked why."
    spans = [text[claim.start : claim.end] for claim in claims_of(text)]
    assert spans == ["**20 weeks** of leave are granted.", "Nobody is asked why."]


def test_markers_of_any_form_are_blanked_where_their_places_are_known() -> None:
    text = "Leave is 20 weeks (HR-010)."
    (claim,) = claims_of(text, [(18, 26)])
    assert claim.words == "Leave is 20 weeks."


@given(
    st.lists(st.sampled_from(["One two three. ", "a ", "?\n", "- b. ", "[1]", "é… ", "```\n", "# h\n", "Dr. ", "\t|"])),
    st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80))),
)
def test_claims_are_in_order_within_the_text_and_do_not_overlap(parts: list[str], spans: list[tuple[int, int]]) -> None:
    text = "".join(parts)
    claims = claims_of(text, spans)
    end = 0
    for claim in claims:
        assert end <= claim.start < claim.end <= len(text)
        assert claim.words
        end = claim.end


@given(st.text(max_size=200), st.lists(st.tuples(st.integers(0, 250), st.integers(0, 250))))
def test_blanking_keeps_every_offset(text: str, spans: list[tuple[int, int]]) -> None:
    blanked = blank(text, spans)
    assert len(blanked) == len(text)
    covered = {at for start, end in spans for at in range(start, end)}
    assert all(c == (" " if at in covered else text[at]) for at, c in enumerate(blanked))


def test_a_run_without_a_stop_is_cut_at_a_blank() -> None:
    pieces = split_sentences("word " * 1000)
    assert len(pieces) > 4
    assert all(piece.end - piece.start <= MAX_SENTENCE for piece in pieces)
    solid = split_sentences("x" * 2500)
    assert [piece.end - piece.start for piece in solid] == [1000, 1000, 500]


def test_a_long_answer_gives_a_bounded_number_of_claims() -> None:
    assert len(claims_of("The limit is here. " * 500)) == MAX_CLAIMS


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("Leave is long. Pay is full.", 3, 0),
        ("Leave is long. Pay is full.", 14, 0),
        ("Leave is long. Pay is full.", 20, 1),
        ("Leave is long.\n    Pay is full.", 16, 1),
        ("Leave is long.\nPay is full.", 999, 1),
        ("  Leave is long.", 0, 0),
    ],
)
def test_a_marker_belongs_to_the_claim_around_or_before_it_on_its_line(text: str, at: int, expected: int) -> None:
    assert claim_at(claims_of(text), at, text) == expected


def test_a_marker_without_any_claim_belongs_to_none() -> None:
    assert claim_at((), 3, "abc") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Die Frist endet am 3. März 2025. Danach nicht.", ["Die Frist endet am 3. März 2025.", "Danach nicht."]),
        ("Am Montag, 13. Mai, ist geschlossen.", ["Am Montag, 13. Mai, ist geschlossen."]),
        ("Gültig vom 1. Jan. 2025 bis 31. Dez. 2025.", ["Gültig vom 1. Jan. 2025 bis 31. Dez. 2025."]),
        ("Nach der 2. Mahnung wird gesperrt. Dann nicht.", ["Nach der 2. Mahnung wird gesperrt.", "Dann nicht."]),
        ("Valid until 3 Sept. 2025. Then it ends.", ["Valid until 3 Sept. 2025.", "Then it ends."]),
        ("Die Frist endet am 3. Die Unterlagen fehlen.", ["Die Frist endet am 3.", "Die Unterlagen fehlen."]),
        ("Der Preis ist 5. Kinder zahlen nichts.", ["Der Preis ist 5.", "Kinder zahlen nichts."]),
        ("You get 5. March is closed.", ["You get 5.", "March is closed."]),
        ("It ran out. 3 units remain.", ["It ran out.", "3 units remain."]),
    ],
)
def test_the_stop_of_an_ordinal_or_of_a_short_month_ends_no_sentence(text: str, said: list[str]) -> None:
    assert [sentence.words for sentence in split_sentences(text)] == said


def test_pages_in_brackets_are_no_part_of_a_claim() -> None:
    found = split_statements("Leave is 20 weeks [p1]. It is paid [p. 3]. Notice is given [pp. 3-4].")
    assert [each.words for each in found] == ["Leave is 20 weeks.", "It is paid.", "Notice is given."]
