"""What rules of a context rule out of claims: absolutes, bounds, values of another, opposites, order, forces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.statements.comparison import compare
from scorers.statements.lexicon.phrases import PHRASES
from scorers.statements.operators import may_deny, may_keep
from scorers.statements.tokens import spelled
from scorers.support.contraries.absolute_words import ABSOLUTES
from scorers.support.judgement import judgement
from scorers.text.glance import glance


def label(passage: str, answer: str, question: str = "") -> str:
    """Return the label of an answer over one passage."""
    passages = (Passage(id="p", text=passage),)
    said = judgement(Answer(id="a", question=question or None, answer=answer, passages=passages), Memory())
    return said.label


POOL = (
    "Towels cost 4 euros a day for visitors. Lockers are free of charge for pass holders; day guests pay 2 euros."
    " Each family can invite up to three guests. Vouchers must be redeemed by 30 June. Courses start with at least five"
    " participants. Refunds arrive within six working days of the cancellation."
)
PAIRS = {
    "free": (POOL, "Visitors get towels free of charge every day.", "Visitors pay 4 euros a day for towels."),
    "unlimited": (
        POOL,
        "There is no limit on the guests a family can invite.",
        "Each family can invite three guests at most.",
    ),
    "untimed": (POOL, "Vouchers can be redeemed whenever you like.", "You have until 30 June to redeem vouchers."),
    "at once": (POOL, "Refunds of a cancellation arrive immediately.", "Refunds arrive within six working days."),
    "at once, of a date": (
        "Rental contracts end 14 days after the last instalment is paid. Copies are sent by mail.",
        "Rental contracts end as soon as the last instalment is paid.",
        "Rental contracts end 14 days after the last instalment is paid.",
    ),
    "for life": (
        "The fishing permit is valid for three years. It is issued by the harbour office.",
        "The fishing permit is valid for life.",
        "The fishing permit is valid for three years.",
    ),
    "all of them": (
        "Up to four unused sessions may be carried over to the next season.",
        "You may carry over all your unused sessions.",
        "You may carry over up to four unused sessions.",
    ),
    "the same range": (
        "Deliveries may enter the yard from 9 pm to 5 am. Bicycles are left outside.",
        "Deliveries may enter the yard from 5:00 am to 9:00 pm.",
        "Deliveries may enter the yard between 9 pm and 5 am.",
    ),
    "the same season": (
        "The terrace is open from April to October. Dogs are welcome.",
        "The terrace is open from October to April.",
        "The terrace is open April through October.",
    ),
    "without": (
        "Beginners need the consent of a trainer. Ropes are lent at the desk.",
        "Beginners may climb without a trainer's consent.",
        "Beginners need a trainer's consent.",
    ),
    "value of another thing": (
        "The carport is leased for five years. Garden sheds are leased for eight months.",
        "The carport is leased for eight months.",
        "The carport is leased for five years.",
    ),
    "condition denied": (
        "The cleaning of a boat costs 40 EUR if the deck is not swept.",
        "The cleaning of a boat costs 40 EUR if the deck is swept.",
        "The cleaning of a boat costs 40 EUR if the deck is not swept.",
    ),
    "kept from another": (
        "The lift may be used by residents and their visitors. Prams are parked below.",
        "Only residents may use the lift.",
        "Residents and their visitors may use the lift.",
    ),
    "never": (
        "Trainees may not serve guests unless a chef is present. Aprons are washed weekly.",
        "Trainees may never serve guests.",
        "Trainees may not serve guests unless a chef is present.",
    ),
    "number of a class": (
        "Zone 3 permits cost 30 EUR a month. Zone 4 permits cost 45 EUR a month.",
        "Zone 3 permits cost 45 EUR a month.",
        "Zone 4 permits cost 45 EUR a month.",
    ),
    "loses": (
        "Members who miss two lessons lose their place. Lessons are on Mondays.",
        "If you miss two lessons, you keep your place.",
        "If you miss two lessons, you lose your place.",
    ),
    "figure of a case": (
        "Repairs up to 300 EUR are ordered by the caretaker. Repairs over 300 EUR are ordered by the owner.",
        "A repair of 450 EUR is ordered by the caretaker.",
        "A repair of 450 EUR is ordered by the owner.",
    ),
    "how often in a time": (
        "Fire doors are tested every four months by the warden. Keys hang in the lodge.",
        "Fire doors are tested three times a month.",
        "Fire doors are tested three times a year.",
    ),
    "a permission of up to so many as a duty": (
        "Members may accept favours worth up to 30 EUR. Cash is refused.",
        "Members must accept favours worth up to 30 EUR.",
        "Members may accept favours worth up to 30 EUR.",
    ),
    "figure of a case with its value": (
        "Crates of up to 20 kg cost 4 EUR. Crates over 20 kg cost 7 EUR.",
        "A crate of 25 kg costs 4 EUR.",
        "A crate of 25 kg costs 7 EUR.",
    ),
    "anybody": (
        "The boats may be used by guests and residents. Oars are in the shed.",
        "Anyone may use the boats.",
        "All guests may use the boats.",
    ),
    "not more": (
        "The load must not exceed six crates. Crates are stacked by hand.",
        "You may load more than six crates.",
        "Never load more than six crates.",
    ),
    "only when": (
        "The key is handed out only if the deposit is paid.",
        "The key is handed out even if the deposit is not paid.",
        "The key is only handed out if the deposit is paid.",
    ),
    "an exception told elsewhere": (
        "Music may be played in the hall and in the garden. Playing music on the stairs is not permitted.",
        "You may play music on the stairs.",
        "You may play music in the hall and the garden, but not on the stairs.",
    ),
    "of which one": (
        "Parcels can be handed in at the counter or at any of our kiosks within three days.",
        "Parcels can be handed in at the counter or at one of our kiosks within nine days.",
        "Parcels can be handed in at the counter or at one of our kiosks within three days.",
    ),
    "only some": (
        "Only employees can book rooms. Rooms are opened with the badge.",
        "Employees cannot book rooms.",
        "Contractors cannot book rooms.",
    ),
    "on one day only": (
        "Yellow fever vaccination is available on Wednesdays only. Bring your passport.",
        "You cannot get the yellow fever vaccination on Wednesdays.",
        "On Fridays you cannot get the yellow fever vaccination.",
    ),
    "only outside": (
        "Bikes may only be carried outside rush hour. Folded bikes count as luggage.",
        "Bikes may not be carried outside rush hour.",
        "Bikes cannot be carried during rush hour.",
    ),
    "only one may": (
        "Only the manager may approve refunds above 100 EUR. Others are approved at the counter.",
        "The manager may not approve refunds above 100 EUR.",
        "The team lead may not approve refunds above 100 EUR.",
    ),
    "unable after": (
        "The pool may be used by guests until 10 pm. Towels are at the desk.",
        "Guests are unable to use the pool until 10 pm.",
        "Guests are unable to use the pool after 10 pm.",
    ),
    "another day": (
        "The office is open from Monday to Saturday. Parcels are at the desk.",
        "The office isn't open on Wednesday.",
        "The office isn't open on Sunday.",
    ),
    "not before": (
        "Trips must be approved by the manager before booking. Rail is preferred.",
        "Don't have a trip approved by the manager before booking.",
        "Don't book before your manager has approved.",
    ),
    "not able": (
        "Members on the monthly plan cannot pause. They pay by direct debit.",
        "Members on the monthly plan are able to pause.",
        "Members on the monthly plan are not able to pause.",
    ),
    "what it takes": (
        "Do not restart the gateway without approval from the duty manager. Other services may be restarted.",
        "You may restart the gateway without approval from the duty manager.",
        "Restarting the gateway takes approval from the duty manager.",
    ),
    "in working hours": (
        "Level 2 faults are looked at within six hours during business hours.",
        "Level 2 faults are looked at within six business days.",
        "Level 2 faults are looked at within 6 business hours.",
    ),
    "everyone": (
        "Guest rooms are open to members; other visitors use the lobby.",
        "Guest rooms are open to all visitors.",
        "Guest rooms are open to members.",
    ),
    "regardless": (
        "Bicycles may be taken on the tram if there is space. Dogs ride free.",
        "Bicycles may be taken on the tram whether or not there is space.",
        "If there is space, bicycles may be taken on the tram.",
    ),
    "guaranteed": (
        "An upgrade to a suite depends on availability and is confirmed at reception.",
        "An upgrade to a suite is guaranteed.",
        "Whether you get an upgrade to a suite depends on availability.",
    ),
    "at least": (
        "Storage boxes may weigh at most 12 kg. Labels are attached by the porter.",
        "Storage boxes have to weigh 12 kg or more.",
        "Storage boxes may weigh up to 12 kg.",
    ),
    "ahead": (
        "Meetings must be booked at least 5 days in advance. The room seats twelve.",
        "Meetings must be booked no earlier than 5 days in advance.",
        "Meetings must be booked 5 days in advance at the latest.",
    ),
    "group": (
        "Adults swim for 6 euros, pensioners for 4 euros and pupils for 2 euros.",
        "Pensioners swim for 6 euros.",
        "Pensioners swim for 4 euros.",
    ),
    "group in the next sentence": (
        "Laptops come with a three-year guarantee. Monitors come with a five-year guarantee.",
        "Monitors come with a three-year guarantee.",
        "Monitors come with a five-year guarantee.",
    ),
    "group asked": (
        "In a year men may row six times and women four times on the lake.",
        "She may row six times a year on the lake.",
        "She may row four times a year on the lake.",
    ),
    "a denial beside more": (
        "Volunteers do not earn points. Their travel is paid, and lunch is served at noon.",
        "Volunteers earn two points a shift, and their travel is paid too.",
        "Volunteers don't earn points, but their travel is paid.",
    ),
    "no duty": (
        "Tutors must register by phone but need not sign the sheet. Rooms are allotted in May.",
        "Tutors have to register and are required to go on signing the sheet.",
        "Tutors have to register but don't have to sign the sheet.",
    ),
    "advice for a duty": (
        "Wearing ear plugs is advisable when using the press. Gloves must be worn in the wash room.",
        "It's obligatory: ear plugs must be worn when you use the press.",
        "Ear plugs are recommended when you use the press.",
    ),
    "a duty told as one": (
        "Ear plugs should be worn by all beside the press. Gloves are worn in the wash room.",
        "It's an obligation that everyone wears ear plugs beside the press.",
        "It's a recommendation that everyone wears ear plugs beside the press.",
    ),
    "a denial under a condition": (
        "Guests must book by phone. A stay lasts two to nine weeks; an extension beyond nine weeks is not possible.",
        "An extension past nine weeks is possible if the warden agrees.",
        "An extension past nine weeks isn't possible.",
    ),
    "left out behind a list": (
        "Scratches from shipping are covered; scratches from sand and from straps left loose are not.",
        "Scratches that come from loose straps are covered.",
        "Scratches from loose straps aren't covered.",
    ),
    "a duty within a season": (
        "Hats need not be worn from June to August. In the dairy everyone wears closed shoes.",
        "In July a hat must be worn.",
        "In July a hat need not be worn.",
    ),
    "group without its unit": (
        "The room limit is 90 dollars a night in Leeds, 120 in York and 70 in all other towns.",
        "In Leeds you can spend up to $120 a night on a room.",
        "In Leeds you can spend up to $90 a night on a room.",
    ),
    "counted": (
        "The kitten plan pays for two vaccinations, four worm tests and six claw trims in the first year.",
        "In the first year the kitten plan pays for four claw trims.",
        "In the first year the kitten plan pays for six claw trims.",
    ),
    "gapping": (
        "Cards with a red edge run out on 30 June 2026 and cards with a grey edge on 31 December 2027.",
        "Cards with a red edge run out on 31 December 2027.",
        "A card with a grey edge runs out on 31 December 2027.",
    ),
    "later": (
        "Swab results are available within 24 hours. Skin tests take a minimum of five days.",
        "Swab results are ready no less than 24 hours later.",
        "Swab results are ready 24 hours later at the latest.",
    ),
    "whether or not": (
        "Taxis are paid only if no bus is running or a pram has to be carried. The slip must show the route.",
        "A taxi is paid whether or not there's a bus running or a pram to carry.",
        "A taxi is paid if there's no bus running.",
    ),
    "makes no difference": (
        "The deposit is paid back in full unless there is damage or unpaid rent. This takes up to 60 days.",
        "The deposit is paid back in full unless there is damage; unpaid rent makes no difference.",
        "The deposit is paid back in full unless there is damage or unpaid rent.",
    ),
    "unless for if": (
        "Drivers pay a fee of 18 dollars a day. The fee is waived if the booking is made on a company account.",
        "The fee is waived unless the booking was made through a company account.",
        "The fee is waived for bookings made on a company account.",
    ),
    "kept for one": (
        "Only stewards of the club may open the boat house. Rowers may use the pier themselves.",
        "Rowers as well as the stewards of the club may open the boat house.",
        "The boat house may only be opened by stewards of the club.",
    ),
    "kept for one of two": (
        "The brass band plays outside, the string band in the hall. Only the string band is paid.",
        "Of the two it's the brass band that gets paid.",
        "The string band gets paid.",
    ),
    "kept at a place": (
        "All tools bought online can be returned in any of our shops. Saws can be returned only to the depot shop.",
        "Saws are taken back at any of your shops.",
        "Saws are taken back at the depot shop only.",
    ),
    "kept for some": (
        "In the dye room everyone wears a visor, including guests. Aprons are required for people who mix colours.",
        "In the dye room, only people who mix colours have to wear a visor.",
        "In the dye room, everyone has to wear a visor.",
    ),
    "everywhere": (
        "Filming is prohibited in the engine halls; elsewhere it's fine.",
        "Filming is prohibited everywhere on the grounds.",
        "Filming is prohibited in the engine halls.",
    ),
    "listed": (
        "Included in the berth price:\n- two guests\n- warm showers\n\nCharged separately:\n- power\n- firewood",
        "Warm showers are charged separately.",
        "Warm showers are included in the berth price.",
    ),
    "listed as denied": (
        "**Swaps**\n\nTickets to be swapped:\n1. Full\n2. Group\n\nTickets that cannot be swapped:\n1. Rush\n2. Show",
        "Show tickets can be swapped.",
        "Show tickets cannot be swapped.",
    ),
    "un": (
        "Boots may be returned if they are unworn and in the original box.",
        "To be returned, boots have to be worn and in their original box.",
        "To be returned, boots have to be unworn and in their original box.",
    ),
    "behind a label": (
        "- Essays up to one day late: the mark is reduced by 5 points.\n- Essays after that are not marked.",
        "Essays up to one day late have their mark increased by 5 points.",
        "Essays up to one day late have their mark reduced by 5 points.",
    ),
    "closed to": (
        "The open lectures are free to guests. The seminar rooms of the faculty are closed to guests.",
        "The seminar rooms of the faculty are open to guests.",
        "The seminar rooms of the faculty are closed to guests.",
    ),
    "opposite": (
        "Standing orders of members are renewed automatically in December.",
        "Standing orders of members are renewed manually in December.",
        "In December, standing orders of members are automatically renewed.",
    ),
    "order": (
        "Visitors show their badge before they enter the workshop.",
        "Visitors show their badge once they have entered the workshop.",
        "Before they enter the workshop, visitors show their badge.",
    ),
    "force of a clause": (
        "Managers must approve overtime but need not record the hours.",
        "Managers must approve overtime and they are required to record the hours.",
        "Managers must approve overtime and do not have to record the hours.",
    ),
    "left out": (
        "Damage caused by hail is covered; damage caused by mice is not.",
        "Damage caused by mice is covered.",
        "Damage caused by mice is not covered.",
    ),
    "steps of two sentences": (
        "The dough is kneaded and then chilled. After that it is rolled out.",
        "The dough is rolled out before it is chilled.",
        "Once it has been chilled, the dough is rolled out.",
    ),
    "steps of an instruction": (
        "Disconnect the cable before lifting the cover. Keep the screws.",
        "Lift the cover, and then disconnect the cable.",
        "The cable must be disconnected before you lift the cover.",
    ),
    "on the hour": (
        "The gallery is free from 6 p.m. on Wednesdays.",
        "On Wednesdays, the gallery is free until 6 p.m.",
        "On Wednesdays, the gallery is free from 6 p.m. on.",
    ),
    "in an emergency": (
        "Skippers may leave the marked channel in an emergency only.",
        "Skippers may leave the marked channel at any time.",
        "Skippers may leave the marked channel only in an emergency.",
    ),
    "above a sum": (
        "Transfers above 3,000 euros need a second signature. Cards are sent by post.",
        "Any transfer needs a second signature.",
        "Transfers of more than 3,000 euros need a second signature.",
    ),
    "at another time": (
        "The mill was built by Ada Lind in 1871 and converted into flats in 1994.",
        "The mill was converted into flats in 1871.",
        "In 1994 the mill was converted into flats.",
    ),
    "whose verb stands behind a clause": (
        "A guest who breaks a glass pays the inn the price of it. Cups are replaced.",
        "The inn has to pay the guest the price of it.",
        "The guest has to pay the inn the price of it.",
    ),
    "what stands in the sentence before": (
        "The lender sends the borrower a copy of the form. The borrower signs it.",
        "The lender signs the copy of the form.",
        "The borrower signs the copy of the form.",
    ),
    "behind a particle": (
        "Candles are forbidden in the dormitory. Lamps are tolerated.",
        "No, lamps are forbidden in the dormitory.",
        "Yes, lamps are tolerated.",
    ),
}


ASKED = {
    "it": (
        "The season pass cannot be transferred. A pause of one month is possible.",
        "Can I transfer my season pass to a colleague?",
        "Yes, you can transfer it to a colleague.",
        "No, you cannot transfer it to a colleague.",
    ),
    "the verb": (
        "Kick scooters are not permitted on the pier. They may be ridden on the promenade.",
        "Where can I ride my scooter?",
        "You may ride it on the pier.",
        "You may ride it on the promenade.",
    ),
}
"""Passage, question, wrong and right answer: the question says a part of the claim."""


@pytest.mark.parametrize("case", ASKED)
def test_what_the_question_says_of_a_claim_is_read_with_it(case: str) -> None:
    passage, question, wrong, right = ASKED[case]
    assert label(passage, wrong, question) == "contradicted"
    assert label(passage, right, question) == "supported"


@pytest.mark.parametrize("kind", PAIRS)
def test_what_a_rule_rules_out_is_contradicted(kind: str) -> None:
    passage, wrong, _ = PAIRS[kind]
    asked = "How often may my wife row?" if kind == "group asked" else ""
    assert label(passage, wrong, asked) == "contradicted"


@pytest.mark.parametrize("kind", PAIRS)
def test_what_a_rule_says_is_not_contradicted(kind: str) -> None:
    passage, _, right = PAIRS[kind]
    asked = "How often may my wife row?" if kind == "group asked" else ""
    assert label(passage, right, asked) == "supported"


ACQUITTED = {
    "the absolute is told": (
        "Parking is free for all residents of the house. Visitors pay 3 euros for parking.",
        "Parking is free for residents.",
    ),
    "another case of one rule": (
        "Parcels up to 2 kg are sent by post. Parcels over 2 kg are sent by courier.",
        "Parcels over 2 kg are sent by courier.",
    ),
    "the value belongs to both": (
        "A card costs adults 5 euros, students 3 euros and children 3 euros.",
        "A card costs students 3 euros.",
    ),
    "the same order in other words": (
        "Wash the brushes after you have finished the painting.",
        "Wash the brushes once you have finished the painting.",
    ),
}


@pytest.mark.parametrize(
    ("one", "other", "wrong"),
    [
        (
            "Smoking is prohibited in the lobby.",
            "Smoking is not allowed in the lobby.",
            "Smoking is allowed in the lobby.",
        ),
        ("Pets are banned from rooms.", "Pets are not allowed in rooms.", "Pets are allowed in rooms."),
        ("Late claims are rejected.", "Late claims are not accepted.", "Late claims are accepted."),
        ("The pool is closed on Mondays.", "The pool is not open on Mondays.", "The pool is open on Mondays."),
    ],
)
def test_what_is_not_allowed_is_prohibited(one: str, other: str, wrong: str) -> None:
    assert label(one, other) == "supported"
    assert label(other, one) != "contradicted"
    assert label(one, wrong) == "contradicted"


def test_no_in_reply_to_a_question_denies_nothing_of_what_follows() -> None:
    rule, asked = "Employees under 25 may not drive rental cars.", "I am 23, may I drive a rental car?"
    assert label(rule, "No, you need to be at least 25 to drive a rental car.", asked) == "supported"
    assert label(rule, "Yes, you need to be under 25 to drive a rental car.", asked) == "contradicted"


@pytest.mark.parametrize("case", ACQUITTED)
def test_what_the_context_says_as_well_is_not_contradicted(case: str) -> None:
    passage, claim = ACQUITTED[case]
    assert label(passage, claim) != "contradicted"


def test_all_of_them_is_contradicted_where_a_rule_is_of_those_with_something():
    badge = "Parking is free for guests with a disability badge. Other guests pay 12 EUR a night."
    assert compare("Parking is free for all guests.", [badge.split(". ", maxsplit=1)[0] + "."]).outcome == "contradicts"
    assert compare("Parking is free for guests with a disability badge.", [badge]).outcome != "contradicts"


@given(st.data())
@pytest.mark.parametrize("number", range(len(ABSOLUTES)))
def test_a_text_that_says_an_absolute_has_one_of_its_words(number, data):
    absolute = ABSOLUTES[number]
    text = data.draw(st.from_regex(absolute.claimed))
    assert not absolute.words.isdisjoint(glance(text))


@pytest.mark.parametrize(("operators", "may"), [(("NEG", "FORBID"), may_deny), (("ONLY", "ONLYIF"), may_keep)])
def test_no_phrase_of_an_operator_is_overlooked(operators, may):
    lines = [line for name in operators for line in PHRASES[name].strip().splitlines()]
    assert all(may(f"They {' '.join(words)} them.") for line in lines for words in spelled(line))
