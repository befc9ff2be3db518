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


@pytest.mark.parametrize(
    ("question", "source", "wrong", "right"),
    [
        (
            "Kann ich ein Zimmer untervermieten?",
            "Untervermietung ist nur mit Zustimmung des Vermieters gestattet. Die Miete ist am Monatsanfang fällig.",
            "Ja, dafür brauchen Sie keine Zustimmung des Vermieters.",
            "Ja, dafür brauchen Sie die Zustimmung des Vermieters.",
        ),
        (
            "¿Puedo subarrendar una habitación?",
            "Subarrendar solo está permitido con el consentimiento escrito del propietario.",
            "Sí, no necesita el consentimiento del propietario para subarrendar.",
            "Sí, pero necesita el consentimiento escrito del propietario.",
        ),
        (
            "Posso apanhar um táxi?",
            "O uso de táxis é proibido, salvo autorização da chefia. As viagens são feitas de comboio.",
            "Sim, pode usar táxis sem autorização.",
            "Não pode usar táxis sem autorização.",
        ),
    ],
)
def test_what_a_claim_waives_is_held_against_what_its_context_demands(
    question: str, source: str, wrong: str, right: str
) -> None:
    assert label(wrong, source, question) == "contradicted"
    assert label(right, source, question) != "contradicted"


def test_an_ordinal_is_held_against_that_of_the_same_thing() -> None:
    source = "Ab dem vierten Krankheitstag ist ein ärztliches Attest vorzulegen."
    assert label("Ein Attest brauchen Sie schon ab dem zweiten Krankheitstag.", source) == "contradicted"
    assert label("Ein Attest brauchen Sie ab dem vierten Krankheitstag.", source) != "contradicted"
    assert label("Ein Attest brauchen Sie beim zweiten Antrag nicht.", source) != "contradicted"


@pytest.mark.parametrize(
    ("source", "wrong", "right", "question"),
    [
        (
            "Les repas non annulés la veille ne sont pas remboursés.",
            "Les repas non annulés la veille sont remboursés.",
            "Non, un repas doit être annulé la veille pour être remboursé.",
            "Je n'ai pas annulé le repas, serai-je remboursé ?",
        ),
        (
            "La richiesta va presentata per iscritto. L'ufficio risponde entro dieci giorni.",
            "La richiesta non va presentata per iscritto.",
            "La richiesta deve essere presentata per iscritto.",
            "Come si presenta la richiesta?",
        ),
        (
            "Le télétravail depuis l'étranger est interdit. L'entreprise verse 2,50 euros par jour télétravaillé.",
            "Le télétravail depuis l'étranger est possible et vous percevez alors 2,50 euros par jour.",
            "Le télétravail depuis l'étranger n'est pas permis.",
            "Et si je travaille depuis l'Italie ?",
        ),
        (
            "Flüge unter vier Stunden werden in der Economy-Klasse gebucht. Für längere darf Premium gebucht werden.",
            "Flüge unter vier Stunden werden nicht in der Economy-Klasse gebucht.",
            "Nein, bei Flügen unter vier Stunden ist nur Economy vorgesehen.",
            "Darf ich auf einem Flug von zwei Stunden Premium buchen?",
        ),
    ],
)
def test_denials_duties_and_replies_are_read_as_each_language_tells_them(
    source: str, wrong: str, right: str, question: str
) -> None:
    assert label(wrong, source, question) == "contradicted"
    assert label(right, source, question) != "contradicted"


@pytest.mark.parametrize(
    ("source", "wrong", "right"),
    [
        (
            "Jeder Mitarbeiter erhält 25 Urlaubstage im Jahr. Fünf Urlaubstage lassen sich ins nächste Jahr mitnehmen.",
            "Ein Mitarbeiter erhält 30 Urlaubstage im Jahr.",
            "Ein Mitarbeiter erhält 25 Urlaubstage im Jahr.",
        ),
        (
            "Unbenutzte Ware kann innerhalb von 30 Tagen nach der Lieferung zurückgeschickt werden.",
            "Sie haben nach der Lieferung 14 Tage Zeit, unbenutzte Ware zurückzuschicken.",
            "Sie haben nach der Lieferung 30 Tage Zeit, unbenutzte Ware zurückzuschicken.",
        ),
        (
            "La demande doit être déposée au moins deux semaines à l'avance. Le télétravail est permis deux jours.",
            "La demande doit être déposée au moins deux jours à l'avance.",
            "La demande doit être déposée au moins quatorze jours à l'avance.",
        ),
    ],
)
def test_a_value_is_that_of_the_sentence_in_whose_words_it_stands(source: str, wrong: str, right: str) -> None:
    """Whatever the values of other sentences add up to."""
    assert label(wrong, source) == "contradicted"
    assert label(right, source) != "contradicted"
