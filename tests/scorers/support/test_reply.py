"""What an answer that gives none says beside it, by how it is built."""

from __future__ import annotations

from itertools import product

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.claims import claims_of
from scorers.text.phrases import words
from scorers.text.replies.silence import silence_of

READ = (Passage(id="p", text="Rooms are cleaned by noon. Access to the archive is limited to staff in Billing."),)
SPEAKERS = (
    "I {} find the fee",
    "I'm afraid I {} confirm the fee",
    "It looks like I {} work out the fee",
)
SOURCES = ("the summary", "the pages I was given", "the excerpts I'm working with", "what I can see", "this brochure")
SILENT = (
    "does not go into fees",
    "doesn't really discuss fees",
    "gives no details on fees",
    "leaves that question open",
)
TOPICS = ("Whether fees apply", "Poster printing", "What happens next")
UNTOLD = (
    "is not mentioned",
    "isn't spelled out",
    "never comes up",
    "isn't covered in what I have",
    "isn't in the guide",
)
BESIDE = (
    "Your building superintendent would know.",
    "HR can probably give you a quick answer.",
    "A librarian would love that question!",
    "That's a question for the circulation desk.",
    "I'd start there.",
    "Counsel can.",
    "Before you make plans, it's worth a chat with your manager.",
)
STATED = (
    "Rooms are cleaned by nine.",
    "Access is open to all staff.",
    "Check-out is at noon.",
    "There is a heated pool on the roof.",
    "Pools are free.",
    "Guests must pay.",
    "It costs 20 euros.",
)


def said(answer: str, question: str = "Is there a pool, who has access, and when is check-out?") -> list[str]:
    return [each.words for each in claims_of(Answer(id="a", question=question, answer=answer, passages=READ), Memory())]


@pytest.mark.parametrize(
    "clause",
    [
        *(each.format(verb) for each, verb in product(SPEAKERS, ("can't", "wasn't able to", "couldn't really"))),
        *(f"{source} {silent}" for source, silent in product(SOURCES, SILENT)),
        *(f"{topic} {untold}" for topic, untold in product(TOPICS, UNTOLD)),
    ],
)
def test_a_speaker_a_source_or_a_topic_lacks_an_answer(clause: str) -> None:
    assert silence_of(words(clause)) == "abstention"
    assert said(f"Sorry, {clause}.") == []


@pytest.mark.parametrize(
    "clause",
    [
        "Uniforms are not covered",
        "Managers do not discuss salaries",
        "The plan does not include acupuncture",
        "Leave is paid and notice is not mentioned",
        "Damage from windows that were left open is not covered",
        "That happens if you leave two reminders unanswered",
        "They can not go into the pool area",
        "The documents do not have to be certified",
    ],
)
def test_a_rule_that_denies_something_is_no_lack_of_an_answer(clause: str) -> None:
    assert silence_of(words(clause)) is None


@pytest.mark.parametrize("beside", BESIDE)
def test_beside_a_lacking_answer_it_is_no_claim_where_to_turn(beside: str) -> None:
    assert said(f"The brochure doesn't go into that. {beside}") == []


@pytest.mark.parametrize("stated", STATED)
def test_beside_a_lacking_answer_a_statement_stays_a_claim(stated: str) -> None:
    for opening in ("I can't tell you the price", "The guide doesn't mention that"):
        assert said(f"{opening}. {stated}") == [stated]
        assert said(f"{opening}, but {stated[0].lower()}{stated[1:]}") == [f"{stated[0].lower()}{stated[1:]}"]


def test_what_is_stated_before_what_is_lacking_is_judged_without_it() -> None:
    assert said("Rooms are cleaned by noon, but the guide doesn't mention towels.") == ["Rooms are cleaned by noon"]
    assert said("While the guide states that rooms are cleaned by noon, it gives no details on towels.") == [
        "the guide states that rooms are cleaned by noon"
    ]


def test_what_was_searched_is_no_claim_beside_what_was_not_found() -> None:
    listed = "I looked in these places:\n- the cleaning section\n- the archive rules\n\nNone of them mentions towels."
    assert said(listed) == []
    assert said("Sources checked: cleaning, archive. Result: no mention of towels.") == []


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "The guide doesn't mention towels, but it does tell you that rooms are cleaned by noon.",
            "rooms are cleaned by",
        ),
        (
            "No word on towels in the guide. What it does cover is cleaning: rooms are done by noon.",
            "cleaning: rooms are",
        ),
        ("I couldn't find towels. It only says that rooms are cleaned by noon.", "rooms are cleaned by noon."),
        ("I don't know about towels, but I can tell you that rooms are cleaned by noon.", "rooms are cleaned by noon."),
    ],
)
def test_what_a_partial_answer_states_is_judged_without_what_leads_to_it(text: str, stated: str) -> None:
    (claim,) = said(text)
    assert claim.startswith(stated)


@pytest.mark.parametrize(
    "text",
    [
        "The terms I have only deal with cleaning, so I can't say whether towels are provided.",
        "The room page describes cleaning but says nothing about towels.",
        "This section covers cleaning only and gives no towel sizes.",
        "The leaflet I have only talks about rooms. Nothing about towels, sadly.",
        "I don't see anything on that. The only thing I have here is information on rooms.",
        "Because towels are a matter of taste, I won't give a number here.",
        "I can't choose towels for you, as that would count as advice.",
    ],
)
def test_what_a_text_is_about_is_no_claim_where_it_lacks_what_was_asked(text: str) -> None:
    assert said(text) == []


def test_what_a_text_is_about_is_a_claim_where_it_is_the_answer() -> None:
    assert said("The room page describes cleaning.")


def test_what_a_source_should_not_have_is_a_rule() -> None:
    assert said("Yes, any power source should not have more than 12 volts.")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Advertisers don't get your address from the hotel.", "Do you share my address with advertisers?"),
        ("The doctor is phoned about results beyond the critical limits.", "How are critical results handled?"),
        ("You can contact the compliance office by telephone or write to them.", "How can I file a report?"),
    ],
)
def test_what_only_looks_like_no_answer_is_a_claim(text: str, question: str) -> None:
    assert said(text, question) == [text]
