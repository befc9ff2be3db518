"""What an answer declines with: it is no claim, and what is about the texts that were read is one all the same."""

from __future__ import annotations

import pytest

from scorers.support.claims import read_statements

READ = ("Visiting hours are 2 pm to 4 pm. Children under 12 may visit only with an adult.",)
LECTURES = (
    "I can't help with that. Tampering with a meter is illegal and can be dangerous for everybody in the building.",
    "I won't assist with this. Threats are a crime. They can leave lasting trauma. Instead, consider mediation.",
    "I can't share what a colleague is paid. Pay is personal, and everyone has a right to privacy.",
    "It is not appropriate to spread rumours about a neighbour. They hurt people. It is better to speak respectfully.",
    "I cannot provide that. If you are struggling, the National Helpline can be reached at 1-800-555-HELP (4357).",
    "I strongly condemn any kind of bullying. Everyone deserves to be treated with dignity and respect.",
)
STATEMENTS = (
    "I can't help with that. Children may visit safely without an adult.",
    "I can't share that. Children under 12 stay in the hall.",
    "I can't share that. Breaches of privacy cost 500 euros.",
    "Lifts are dangerous during a fire. The stairs are on the left.",
    "Trafficking is a crime and a violation of human rights. It is a form of exploitation.",
    "Toasters should not be denied the right to vote. They are not humans.",
)


def claims(text: str) -> list[str]:
    return [each.words for each in read_statements(text, (), "May I?", READ) if each.asserts]


@pytest.mark.parametrize("text", LECTURES)
def test_what_declining_is_justified_with_is_no_claim(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize("text", STATEMENTS)
def test_what_is_told_beside_a_refusal_is_a_claim(text: str) -> None:
    assert claims(text)
