"""What claims say absolutely, beside rules that bound it, charge for it or ask leave."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

RULES = (
    "Boat hire: Guests may extend a trip once. The cooler box is free for members; otherwise it costs 4 EUR. "
    "Life jackets are included. Trips beyond the lighthouse require the written consent of the harbour office. "
    "A deposit of 80 EUR applies to every trip. Bring your boating licence. Motor type 7 is no longer supported. "
    "The old pier will be removed on 3 May 2027. If you return more than one hour late, 50 % of the fare is charged. "
    "Trips can be postponed in case of illness. Gear can only be swapped. Guided tours start on Thursdays. "
    "Early boarding is possible for 9 EUR if the pier is free. Refunds of gear are not given. "
    "The key deposit of 5 EUR is waived for members. Skippers under 25 pay a surcharge of 12 EUR a day."
)
WRONG = [
    "A trip can be extended as often as needed.", "The cooler box is always free.", "Life jackets cost extra.",
    "You can go beyond the lighthouse without asking.", "There is no deposit on trips.",
    "No boating licence is needed.",
    "Motor type 7 is still supported.", "The old pier has already been removed.",
    "The full fare is charged if you return more than one hour late.", "Trips can be postponed for any reason.",
    "Gear can be refunded.", "Guided tours start every day.", "Early boarding is free.",
    "Everyone pays the key deposit of 5 EUR.", "A 26-year-old skipper pays the surcharge.",
]  # fmt: skip
RIGHT = [
    "A trip can be extended once.", "The cooler box is free for members.", "Life jackets come at no extra cost.",
    "Beyond the lighthouse you need written consent.", "There is a deposit of 80 EUR on every trip.",
    "Motor type 7 is not supported any more.", "The old pier is to be removed on 3 May 2027.",
    "Gear can be swapped.", "Guided tours start on a Thursday.", "Early boarding costs 9 EUR.",
    "Members don't have to pay the key deposit.", "A 23-year-old skipper pays the surcharge.",
    "Skippers under 25 pay 12 EUR a day.",
]  # fmt: skip


@pytest.mark.parametrize("claim", WRONG)
def test_what_a_rule_bounds_is_not_said_absolutely(claim: str) -> None:
    assert label_of(RULES, "What are the rules of boat hire?", claim) != "supported"


@pytest.mark.parametrize("claim", RIGHT)
def test_what_a_rule_says_is_supported_in_other_words(claim: str) -> None:
    assert label_of(RULES, "What are the rules of boat hire?", claim) == "supported"


def test_a_title_before_the_first_sentence_is_no_part_of_it() -> None:
    plain = "The society contributes 4 % of salary; staff may add up to 6 %. Staff join by themselves."
    for source in (plain, f"Pension plan: {plain}"):
        assert label_of(source, "How does it work?", "The society contributes 6 %.") != "supported"
        assert label_of(source, "How does it work?", "The society contributes 4 %.") == "supported"
    labels = "Adults: The ticket costs 9 EUR at the door. Children: The ticket costs 4 EUR at the door."
    assert label_of(labels, None, "For children the ticket costs 4 EUR at the door.") == "supported"


@pytest.mark.parametrize(
    ("source", "wrong", "right"),
    [
        ("A test may be repeated twice.", "A test can be repeated only once.", "A test can be repeated two times."),
        ("A test may be repeated twice.", "A test can be repeated three times.", "A test can be repeated once."),
        ("Cases are closed after 14 days without a reply and can be reopened within 30 days.",
         "Closed cases cannot be reopened.", "Closed cases can be reopened within 30 days."),
        ("Cracked jars do not belong in the glass bin but in residual waste.", "Cracked jars go into the glass bin.",
         "Cracked jars belong in residual waste."),
        ("Lead climbing is allowed only after passing the safety test.",
         "Lead climbing is allowed without passing the safety test.",
         "You can't lead climb before you have passed the safety test."),
    ],
)  # fmt: skip
def test_times_and_denials_are_told_apart(source: str, wrong: str, right: str) -> None:
    assert label_of(source, "What are the rules?", wrong) != "supported"
    assert label_of(source, "What are the rules?", right) == "supported"
