"""What a claim says of one sibling and its context of another: members, plans, rooms, cases of one kind."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_contraries import label

PLANS = (
    "- Basic: 1 TB of traffic, up to 3 mailboxes\n- Pro: 5 TB of traffic, up to 30 mailboxes, hourly backups\n\n"
    "Pro customers can restore a backup by themselves. Basic customers are supported by e-mail."
)
VISITS = (
    "Short-stay visitors register at the town hall within three days. Long-stay visitors fill in the form at reception."
    " Regular passports are issued within four weeks, express passports within four days for an additional 40 EUR."
)
PASSES = (
    "The North Gallery is open until midnight on Fridays. The South Gallery has a tea room. Silver cardholders get a"
    " guest voucher in spring; the same goes for gold cardholders. Basic cardholders earn one point per visit. Young"
    " and senior readers may renew twice. Senior readers may order books by phone."
)
OTHERS = (
    "Sale goods can be swapped for others; other goods are taken back within ten days. Returns are free for holders of"
    " the Gold card. Everyone else pays 4 EUR a parcel. The fee is 60 EUR for the first dog and 90 EUR for every"
    " further dog."
)
DENIED = (
    "Trailers may be towed only by drivers who have a trailer licence. Trainees may not tow them. Night guards cannot"
    " leave. Members who book early get a 10% discount; this does not apply to corporate members. Holders of a day"
    " ticket cannot use the ferry. Volunteers need not register."
)
WRONG = [
    (DENIED, "Trainees may tow trailers if they have a trailer licence."),
    (DENIED, "Night guards can leave during their break."),
    (DENIED, "Corporate members who book early get a 10% discount."),
    (DENIED, "Volunteers must register at the gate."),
    (OTHERS, "Sale goods are taken back within ten days."),
    (OTHERS, "Gold cardholders pay 4 EUR a parcel."),
    (OTHERS, "The fee for the second dog is 60 EUR."),
    (PLANS, "The Basic plan allows up to 30 mailboxes."),
    (PLANS, "Basic customers can restore a backup by themselves."),
    (PLANS, "The Basic plan comes with hourly backups."),
    (VISITS, "Long-stay visitors register at the town hall within three days."),
    (PASSES, "The South Gallery stays open until midnight on Fridays."),
    (PASSES, "Basic cardholders get a guest voucher in spring."),
    (PASSES, "Young readers may order books by phone."),
]
RIGHT = [
    (DENIED, "Trainees may not tow trailers."),
    (DENIED, "Corporate members do not get the discount for booking early."),
    (OTHERS, "Sale goods can be swapped for other goods."),
    (OTHERS, "The fee for the first dog is 60 EUR."),
    (OTHERS, "The fee for the second dog is 90 EUR."),
    (PLANS, "The Pro plan allows up to 30 mailboxes."),
    (PLANS, "Pro customers can restore their backups themselves."),
    (VISITS, "Short-stay visitors have to register at the town hall within three days."),
    (PASSES, "On Fridays, the North Gallery stays open until midnight."),
    (PASSES, "Silver cardholders get a guest voucher in spring."),
    (PASSES, "Young readers may renew twice."),
    (PASSES, "Senior readers may order books by phone."),
]


@pytest.mark.parametrize(("passage", "answer"), WRONG, ids=[answer for _, answer in WRONG])
def test_what_is_said_of_another_sibling_is_contradicted(passage: str, answer: str) -> None:
    assert label(passage, answer) == "contradicted"


@pytest.mark.parametrize(("passage", "answer"), RIGHT, ids=[answer for _, answer in RIGHT])
def test_what_is_said_of_a_sibling_itself_is_supported(passage: str, answer: str) -> None:
    assert label(passage, answer) == "supported"


ROOMS = (
    "| Service | Standard room | Deluxe room |\n|---|---|---|\n| Breakfast | 14 EUR per person | included |\n"
    "| Minibar | not available | included |\n\n"
    "| Card | Free guests | Kept for | Then |\n|---|---|---|---|\n| Blue | 1 | 6 weeks | locked |\n"
    "| Red | 3 | 12 weeks | deleted |"
)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Breakfast is included in the Standard room.", "Breakfast is included in the Deluxe room."),
        ("The Red card includes two free guests.", "The Red card includes three free guests."),
        ("The Blue card is locked after 6 days.", "The Blue card is locked after 6 weeks."),
    ],
)
def test_a_cell_of_another_column_and_one_in_another_unit_is_contradicted(wrong: str, right: str) -> None:
    assert (label(ROOMS, wrong), label(ROOMS, right)) == ("contradicted", "supported")


DUTIES = (
    "Lost badges are reported to the front desk in the lobby. Break-ins are reported to the guards at the north gate."
    " Trams go first at marked crossings of the harbour road. Elsewhere cyclists go first. The cook orders the fish for"
    " the evening menu. The baker orders the flour. Everyone checks the list of allergens at noon."
)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Lost badges are reported to the guards at the north gate.", "contradicted"),
        ("Cyclists go first at marked crossings of the harbour road.", "contradicted"),
        ("The baker orders the fish for the evening menu.", "contradicted"),
        ("Lost badges are reported to the front desk in the lobby.", "supported"),
        ("Trams go first at marked crossings of the harbour road.", "supported"),
        ("The cook orders the fish for the evening menu.", "supported"),
        ("The baker checks the list of allergens at noon.", "supported"),
    ],
)
def test_what_is_said_of_another_subject_is_contradicted(answer: str, expected: str) -> None:
    assert label(DUTIES, answer) == expected
