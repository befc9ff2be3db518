"""Values of claims in other languages that their context has not."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.statements.quantities import read_quantities
from scorers.support.judgement import Judgement, judge


def label(claim: str, source: str, question: str | None = None) -> str:
    answer = Answer(id="a", question=question, answer=claim, passages=(Passage(id="p", text=source),))
    found = judge(answer, Memory())
    assert isinstance(found, Judgement)
    return found.label


@pytest.mark.parametrize(
    ("source", "wrong", "right"),
    [
        (
            "Neue Beschäftigte erhalten nach der Probezeit 24 Urlaubstage im Jahr. Anträge bearbeitet das Büro.",
            "Nach der Probezeit stehen einem im Jahr 26 Tage Urlaub zu.",
            "Nach der Probezeit stehen einem im Jahr 24 Tage Urlaub zu.",
        ),
        (
            "Der Versand kostet 4,90 Euro. Ab einem Bestellwert von 50 Euro entfällt er.",
            "Für den Versand zahlen Sie 3,90 Euro.",
            "Für den Versand zahlen Sie 4,90 Euro.",
        ),
        (
            "La location d'un casque coûte 3 euros par jour. Les vélos sont rendus avant 19 heures.",
            "Un casque se loue 5 euros par jour.",
            "Un casque se loue 3 euros par jour.",
        ),
        (
            "Die Frist für den Widerspruch beträgt zwei Wochen.",
            "Für den Widerspruch bleiben fünf Wochen.",
            "Für den Widerspruch bleiben 14 Tage.",
        ),
    ],
)
def test_a_value_that_a_context_has_otherwise_contradicts(source: str, wrong: str, right: str) -> None:
    assert label(wrong, source) == "contradicted"
    assert label(right, source) != "contradicted"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Zwei Karten kosten zusammen 24 Euro.", "Eine Karte kostet 12 Euro."),
        ("Nach 10 Tagen geht der Umtausch noch.", "Der Umtausch ist bis zu 30 Tage lang möglich."),
    ],
)
def test_a_value_that_follows_or_keeps_a_bound_is_let_stand(claim: str, source: str) -> None:
    assert label(claim, source) != "contradicted"


def test_a_unit_is_read_behind_what_it_is_of() -> None:
    found = read_quantities("5 Urlaubstage, 2 Probemonate, 3 Montage, im 14. Lebensjahr", "de")
    assert [each.unit for each in found if each.dimension == "time"] == ["day", "month"]
