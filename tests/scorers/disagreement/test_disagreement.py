"""Passages that disagree about a question, and those that only speak of different things."""

from __future__ import annotations

import pytest

from adapters.caching import forget
from scorers.disagreement.disagreement import MAX_PASSAGES, conflicting, disagreements

DISAGREE = [
    ("What is the hotel limit?", "The hotel limit is 180 EUR per night.", "The hotel limit is 150 EUR per night."),
    ("When was the mill built?", "The mill was built in 1921.", "The mill was built on 3 May 1955."),
    ("Where is the head office?", "The head office is in Berlin.", "The head office is located in Munich."),
    ("Who wrote the hymn?", "The hymn was written by Ann Roe.", "The hymn was written by Carl Doe in 1901."),
    ("How many employees does Acme have?", "Acme has 1,200 employees.", "Acme has 2,500 employees in 14 countries."),
    ("Who approves an expedite?", "An expedite is approved by the shift lead.", "Budget control approves an expedite."),
    ("Is smoking allowed in the lobby?", "Smoking is allowed in the lobby.", "Smoking is not allowed in the lobby."),
    ("Is smoking allowed in the lobby?", "Smoking is allowed in the lobby.", "Smoking is prohibited in the lobby."),
    ("Can I carry over vacation days?", "Yes, up to five days.", "No, vacation days cannot be carried over."),
    ("When are recordings erased?", "Recordings are erased after 90 days.", "Recordings are erased after 30 days."),
    ("When does the office open?", "The office opens at 7:00.", "On working days the office opens at 8:30."),
    ("Where is lost property?", "Lost property is in Building C.", "You find lost property in Building A."),
    ("What is paid per kilometre?", "0.38 EUR is paid per kilometre.", "Cars are paid 0.30 EUR per kilometre."),
]
PERMISSIONS = [
    (
        "Can employees work from abroad?",
        "Employees may work abroad 20 days a year.",
        "Working abroad is not permitted.",
    ),
    ("Do contractors have to badge in?", "Contractors must badge in.", "Contractors are exempt from badging in."),
    ("Can gift cards be returned?", "Gift cards can be returned.", "Gift cards are non-returnable."),
    ("Is a second signature required?", "A second signature is required.", "A second signature is optional."),
    ("Can I use my own laptop?", "Personal laptops may be used on the guest network.", "Personal laptops are banned."),
    ("Are pets allowed?", "Pets are welcome in every room.", "Pets are not allowed in the rooms."),
    ("Is remote work permitted?", "Remote work is permitted.", "Remote work is suspended."),
]
RULES_BESIDE = [
    ("Can employees work from abroad?", "Employees may work from abroad.", "A request to work from abroad goes to HR."),
    ("Can gift cards be returned?", "Gift cards cannot be returned.", "Books can be returned within 30 days."),
    ("Are pets allowed?", "Pets are not allowed in the tower.", "Guide dogs are allowed everywhere."),
    ("Is overtime paid?", "Overtime is paid at 125 %.", "Overtime must be approved in advance."),
    ("Is parking free?", "Parking is free for visitors.", "Parking in the yard requires a permit."),
    ("Can I return shoes?", "You can return unworn shoes.", "Shoes bought in the outlet cannot be returned."),
    ("Can I park in the garage?", "Staff may park in the garage.", "Visitors must not park in the garage."),
    ("Can I work from abroad?", "Employees may work from abroad.", "Contractors may not work from abroad."),
]
CLASHES = [
    (
        "How often is the pool at Elmwood cleaned, and who signs it off?",
        "At Elmwood, the pool is cleaned every 12 hours, and the duty manager signs it off.",
        "At Elmwood, the pool is cleaned every 48 hours, and the lifeguard signs it off.",
    ),
    (
        "What is the hotel limit, and who approves it?",
        "The hotel limit is 180 EUR.",
        "The limit is 150 EUR, approved by the team lead.",
    ),
    (
        "How many guests may stay in the Harbour suite?",
        "The Harbour suite sleeps 4 guests.",
        "The Harbour suite sleeps 6 guests.",
    ),
    (
        "How long are invoices kept, and how soon are they booked?",
        "Invoices are kept for 10 years.",
        "Invoices are kept for 6 years and booked within 5 days.",
    ),
    (
        "How long do samples from the Leeds lab stay frozen?",
        "The Leeds lab freezes samples for 90 days.",
        "Samples from Leeds are frozen for 30 days.",
    ),
    ("What does the travel policy say about hotels?", "Hotels cost up to 180 EUR.", "Hotels cost up to 150 EUR."),
    (
        "do I have to do the training?",
        "The training is a voluntary offer; nobody is obliged to take part.",
        "Completing the training is compulsory for all personnel.",
    ),
    (
        "is a locker extra?",
        "Lockers are on us for as long as you stay.",
        "A locker is rented out for $4, payable at the desk; lockers are not part of the ticket.",
    ),
    (
        "Can I still order by fax?",
        "Orders may be placed by fax or online.",
        "Ordering by fax has been discontinued for good.",
    ),
    (
        "Who gets into the reading lounge?",
        "Entrance to the reading lounge is granted only to members.",
        "The reading lounge: everyone with a ticket is admitted.",
    ),
    (
        "Who decides on a payment holiday?",
        "Payment holidays are decided by the branch manager alone.",
        "A payment holiday is decided solely by the lending committee.",
    ),
]
CASES = [
    (
        "How often is the pool at Elmwood cleaned, and who signs it off?",
        "At Elmwood, the pool is cleaned every 12 hours, and the duty manager signs it off.",
        "At Brookfield, the pool is cleaned every 48 hours, and the lifeguard signs it off.",
    ),
    (
        "How many guests may stay in the Harbour suite?",
        "The Harbour suite sleeps 4 guests.",
        "The Garden suite sleeps 6 guests.",
    ),
    (
        "How long does the battery of the K2 last, and how long does it take to charge?",
        "The battery of the K2 lasts 14 hours.",
        "A K2 charges within 3 hours.",
    ),
    (
        "What is the limit for hotels, and how much may I spend on meals?",
        "The hotel limit is 180 EUR per night.",
        "Spend on meals no more than 45 EUR per day.",
    ),
    (
        "How long are invoices kept, and how soon are they booked?",
        "Invoices are kept for 10 years.",
        "Book an invoice within 5 days of receipt.",
    ),
    (
        "How long do samples from the Leeds lab stay frozen?",
        "The Leeds lab freezes samples for 90 days.",
        "The Derby lab freezes samples for 30 days.",
    ),
    ("How many vacation days do I get?", "Full-time staff get 30 days of vacation.", "Part-time staff get 15 days."),
    ("What does shipping cost?", "Standard shipping costs 4.90 EUR.", "Express shipping costs 9.90 EUR."),
    (
        "Who approves travel?",
        "Travel is approved by the manager.",
        "Travel over 5,000 EUR is approved by the director.",
    ),
    ("Is delivery free?", "Delivery costs 3.99 EUR.", "Delivery is free of charge from 50 EUR."),
    ("Who signs contracts?", "Managers may sign contracts.", "Directors may sign contracts too."),
    ("When must I be back?", "Return it within two weeks.", "You must return it within 14 days."),
    (
        "May dogs go on the beach?",
        "From October to April, dogs may go on the beach.",
        "Between 1 May and 30 September dogs are banned from the beach.",
    ),
]
SIBLINGS = [
    ("What is the notice period?", "The notice period is 30 days.", "The probation period is six months."),
    ("How many unused days carry over?", "Up to 5 unused days carry over.", "The payment term is 30 days."),
    ("How long is parental leave?", "Parental leave lasts 16 weeks.", "Passwords are at least 14 characters long."),
    ("For how many years are invoices kept?", "Invoices are kept for 10 years.", "Laptops are replaced after 4 years."),
    ("When was the mill built?", "The mill was built in 1921.", "The bridge was opened in 1955."),
    ("Who wrote the hymn?", "The hymn was written by Ann Roe.", "The choir was led by Carl Doe."),
    ("What does the travel policy say about hotels?", "Hotels cost up to 180 EUR.", "A hotel shuttle costs 150 EUR."),
    ("What is arthritis?", "Arthritis is an inflammation.", "Arthritis is pain of the joints."),
    ("What are the benefits of hiking?", "Hiking lowers stress.", "Hiking strengthens bones."),
    ("How do raffles work?", "Tickets of a raffle cost $50.", "Raffles have a prize of $10,000."),
]
"""Statements of two things, and of one thing where no one value is asked for."""
AGREE = [
    ("When was the mill built?", "The mill was built in March 1931.", "It was built on 12 March 1931."),
    ("What is the hotel limit?", "The hotel limit is 180 EUR.", "Hotels cost up to 180 euros a night."),
    ("How many employees does Acme have?", "Acme has 1,200 employees.", "Acme employs about twelve hundred people."),
    ("Where is the head office?", "The head office is in Berlin.", "You find our head office in Berlin, Germany."),
    ("Is smoking allowed in the lobby?", "Smoking is not allowed in the lobby.", "Smoking is forbidden in the lobby."),
    (
        "What ratio is allowed, and when is a review needed?",
        "A loan-to-value ratio of up to 75% is allowed.",
        "A review is needed above 1.5 million EUR.",
    ),
    ("How long is the fasting period?", "The fasting period is 6 hours.", "The nurse documents the fasting period."),
    ("How do I reset my password?", "Open settings and choose Reset.", "Passwords expire after 90 days."),
    ("What is the limit?", "", "The limit is 4."),
]


@pytest.mark.parametrize(("question", "one", "other"), DISAGREE)
def test_different_answers_to_the_question_are_a_conflict(question: str, one: str, other: str) -> None:
    assert conflicting(disagreements(question, (one, other))[0])


@pytest.mark.parametrize(("question", "one", "other"), AGREE)
def test_the_same_answer_in_other_words_or_answers_to_other_things_are_none(
    question: str, one: str, other: str
) -> None:
    assert not any(map(conflicting, disagreements(question, (one, other))))


@pytest.mark.parametrize(("question", "one", "other"), SIBLINGS)
def test_values_of_another_thing_than_is_asked_for_are_no_conflict(question: str, one: str, other: str) -> None:
    assert not any(map(conflicting, disagreements(question, (one, other))))


def test_documents_of_many_values_conflict_only_about_what_is_asked() -> None:
    leave = "Annual leave is 28 days. Up to 5 unused days carry over. Parental leave lasts 16 weeks."
    travel = "Hotels cost up to 180 EUR per night. Claims are filed within 30 days. Meals are 55 EUR a day."
    older = "Annual leave is 25 days. Up to 5 unused days carry over. Parental leave lasts 12 weeks."
    for question in ("How many days of annual leave do I have?", "How long is parental leave?"):
        assert not any(map(conflicting, disagreements(question, (leave, travel))))
        assert conflicting(disagreements(question, (leave, older))[0])


@pytest.mark.parametrize(("question", "one", "other"), DISAGREE)
def test_the_order_of_two_passages_does_not_matter(question: str, one: str, other: str) -> None:
    (there,), (back,) = disagreements(question, (one, other)), disagreements(question, (other, one))
    assert there.probability == pytest.approx(back.probability, abs=1e-9)
    assert (there.first.value and there.first.value.text) == (back.second.value and back.second.value.text)


def test_the_values_that_differ_are_named_with_their_sentences() -> None:
    found = disagreements(
        "What is the hotel limit?", ("Welcome! The hotel limit is 180 EUR.", "The hotel limit is 9 EUR.")
    )
    assert [(side.value.text, side.sentence) for side in (found[0].first, found[0].second) if side.value] == [
        ("180 EUR", "The hotel limit is 180 EUR."),
        ("9 EUR", "The hotel limit is 9 EUR."),
    ]


def test_a_pair_of_many_must_be_surer_than_one_that_is_alone() -> None:
    texts = (
        "The hotel limit is 180 EUR per night.",
        "The hotel limit is 150 EUR per night.",
        "Laptops last four years.",
    )
    two = disagreements("What is the hotel limit?", texts[:2])[0]
    three = disagreements("What is the hotel limit?", texts)[0]
    assert 0.5 < three.probability < two.probability
    assert (three.first.value, three.second.value) == (two.first.value, two.second.value)
    assert len(disagreements("What is the hotel limit?", texts)) == 3


def test_of_many_passages_those_that_answer_are_compared() -> None:
    noise = tuple(f"Chapter {number} speaks of gardens and of roses." for number in range(40))
    texts = (*noise, "The hotel limit is 180 EUR.", *noise, "The hotel limit is 150 EUR.")
    found = disagreements("What is the hotel limit?", texts)
    assert len(found) == MAX_PASSAGES * (MAX_PASSAGES - 1) // 2
    assert {found[0].first.passage, found[0].second.passage} == {40, 81}


def test_what_was_asked_before_does_not_matter() -> None:
    first = disagreements("Who wrote it?", ("By Ann Roe.", "By Carl Doe."))
    forget()
    assert disagreements("Who wrote it?", ("By Ann Roe.", "By Carl Doe.")) == first


@pytest.mark.parametrize(("question", "one", "other"), PERMISSIONS)
def test_permission_against_prohibition_waiver_or_suspension_is_a_conflict(question: str, one: str, other: str) -> None:
    (found,) = disagreements(question, (one, other))
    assert conflicting(found)
    assert {found.first.sentence, found.second.sentence} == {one, other}


@pytest.mark.parametrize(("question", "one", "other"), CLASHES)
def test_policies_that_cannot_both_hold_conflict_in_whatever_words(question: str, one: str, other: str) -> None:
    (found,) = disagreements(question, (one, other))
    assert conflicting(found)
    assert {found.first.sentence, found.second.sentence} <= {one, other}


@pytest.mark.parametrize(("question", "one", "other"), CASES)
def test_values_of_two_cases_are_no_conflict(question: str, one: str, other: str) -> None:
    (found,) = disagreements(question, (one, other))
    assert not conflicting(found)


@pytest.mark.parametrize(("question", "one", "other"), RULES_BESIDE)
def test_rules_on_other_cases_are_no_conflict(question: str, one: str, other: str) -> None:
    (found,) = disagreements(question, (one, other))
    assert not conflicting(found)
