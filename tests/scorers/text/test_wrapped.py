"""Lines that were broken at a width are read as the sentences they are, and lines of their own stay apart."""

from __future__ import annotations

import textwrap

import pytest

from scorers.text.sentences import split_sentences, split_statements
from scorers.text.wrapped import unwrapped

ENGLISH = """Private devices may be used to read e-mail only if they are enrolled. Business class is permitted on
flights longer than seven hours, and only with the approval of a vice president; the Travel Desk books it. The sauna
costs 12 euros per person. In London, Paris, Zurich and New York the limit is 230 EUR a night.""".replace("\n", " ")
GERMAN = """Mobiles Arbeiten aus dem Ausland ist für höchstens 20 Arbeitstage im Kalenderjahr zulässig und muss vier
Wochen vorher beantragt werden. Stunden darüber hinaus verfallen am Quartalsende, sofern die Führungskraft keine
Auszahlung beantragt.""".replace("\n", " ")


@pytest.mark.parametrize("text", [ENGLISH, GERMAN])
@pytest.mark.parametrize("width", [64, 72, 90, 110])
def test_a_paragraph_reads_the_same_at_any_width(text: str, width: int) -> None:
    lines = textwrap.fill(text, width, break_on_hyphens=False)
    wrapped = f"# Devices\n\n{lines}\n- Phones\n- Tablets that were bought before the year 2024 and are\n  locked"
    found = split_sentences(wrapped)
    whole = [each.words for each in split_sentences(text)]
    assert [each.words for each in found] == [
        "Devices",
        *whole,
        "Phones",
        "Tablets that were bought before the year 2024 and are locked",
    ]
    assert [" ".join(wrapped[each.start : each.end].split()) for each in found[1 : 1 + len(whole)]] == whole
    assert [each.words for each in split_statements(wrapped)][: len(whole)] == whole


@pytest.mark.parametrize(
    "text",
    [
        "a short list of things without any marks\nb is the other\nc is the third",
        "| Country of the journey | Breakfast and lunch together |\n| germany and its neighbours | 23 EUR |",
        "Standard parcels within the country and abroad\nExpress parcels within the country",
        "The following documents are needed for a loan in total:\nproof of income of three months",
        "Parcels can be returned within thirty days of delivery.\niPads are excluded from this.",
        "```\nfor each of the many items in the basket that we have\nprint the item\n```",
        "Name of the person who signs for the company     Title\nsomebody who is responsible for the purchase     CEO",
        "effective from the first day of the calendar year\nowner: people operations of the whole company",
    ],
)
def test_lines_of_their_own_stay_apart(text: str) -> None:
    assert unwrapped(text) == text
