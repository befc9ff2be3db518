"""Two editions of one page contradict each other where they differ; pages of one form about two things do not."""

from __future__ import annotations

import pytest

from scorers.disagreement.disagreement import conflicting, disagreements

EDITIONS = [
    (
        "When is the hotline open?",
        "The hotline is open until 18:00. It is run by Ann Roe. Calls are free.",
        "The hotline is open until 16:00. It is run by Carl Doe. Calls are free.",
    ),
    (
        "What does a gym pass cost?",
        "| Pass | Price |\n| --- | --- |\n| Day | 9 EUR |\n| Gym | 30 EUR |\n| Pool | 12 EUR |",
        "| Pass | Price |\n| --- | --- |\n| Day | 9 EUR |\n| Gym | 35 EUR |\n| Pool | 12 EUR |",
    ),
    (
        "Where do I request leave?",
        "Leave is requested at https://hr.example/leave. The manager approves it. Allow two days.",
        "Leave is requested at https://people.example/leave. The manager approves it. Allow two days.",
    ),
    (
        "When is rent due?",
        "Rent is due on the first of the month. Pay by standing order. Late payment costs 10 EUR.",
        "Rent is due on the fifth of the month. Pay by standing order. Late payment costs 10 EUR.",
    ),
    (
        "How long may I carry over leave?",
        "Unused leave may be carried over until 31 March. The request goes to HR. The manager signs it.",
        "Unused leave may be carried over until 30 June. The request goes to HR. The manager signs it.",
    ),
    (
        "Who approves travel?",
        "Travel is approved by the team lead. Requests go through the portal. Reports are due in ten days.",
        "Travel is approved by the director. Requests go through the portal. Reports are due in ten days.",
    ),
    (
        "Can I bring my dog?",
        "Dogs are welcome in our hotel. A night costs 15 EUR for a dog. They must be kept on a lead.",
        "Dogs are not welcome in our hotel. A night costs 15 EUR for a dog. They must be kept on a lead.",
    ),
    (
        "How much storage do I get on the Gold plan?",
        "The Gold plan includes five users and 100 GB of storage. Support answers within four hours.",
        "The Gold plan includes five users and 50 GB of storage. Support answers within four hours.",
    ),
    (
        "How fast does support answer?",
        "The Gold plan includes five users and 100 GB of storage. Support answers within four hours.",
        "The Gold plan includes five users and 50 GB of storage. Support answers within two days.",
    ),
    (
        "What is the hotel limit in London?",
        "Hotels in London: up to 220 GBP a night. Breakfast may be claimed. Book through the portal.",
        "Hotels in London: up to 180 GBP a night. Breakfast may not be claimed. Book through the portal.",
    ),
    (
        "Which port does the agent listen on?",
        "The agent listens on port 4318 by default. Set `port` to change it. Restart it afterwards.",
        "The agent listens on port 4319 by default. Set `port` to change it. Restart it afterwards.",
    ),
    (
        "Do I need a doctor's note?",
        "A doctor's note is needed from the fourth day of illness. Send it to payroll. Call your manager before nine.",
        "A doctor's note is needed from the second day of illness. Send it to payroll. Call your manager before nine.",
    ),
    (
        "Where do I return the key?",
        "Return the key to the front desk. The deposit is paid back in cash. Lost keys cost 50 EUR.",
        "Return the key to the caretaker. The deposit is paid back in cash. Lost keys cost 50 EUR.",
    ),
    (
        "How long is the key valid?",
        "API keys are valid for 90 days. Rotate them in the console. A key is shown once.",
        "API keys are valid for 30 days. Rotate them in the console. A key is shown once.",
    ),
    (
        "What is the maximum upload size?",
        "| Setting | Value |\n| --- | --- |\n| Upload size | 25 MB |\n| Files | 10 |\n| Formats | PDF, DOCX |",
        "| Setting | Value |\n| --- | --- |\n| Upload size | 50 MB |\n| Files | 10 |\n| Formats | PDF, DOCX |",
    ),
]
"""A question, a page, and another edition of it."""

OF_ONE_FORM = [
    (
        "What is the default port in 2.4?",
        "Version 2.3\n\nThe default port is 4318. TLS is off.",
        "Version 2.4\n\nThe default port is 4319. TLS is on.",
    ),
    (
        "How much storage do I get?",
        (
            "The Gold plan includes five users and 100 GB of storage. Support answers within four hours. "
            "It can be cancelled monthly."
        ),
        (
            "The Silver plan includes two users and 20 GB of storage. Support answers within two days. "
            "It can be cancelled monthly."
        ),
    ),
    (
        "How fast does support answer?",
        (
            "The Gold plan includes five users and 100 GB of storage. Support answers within four hours. "
            "It can be cancelled monthly."
        ),
        (
            "The Silver plan includes two users and 20 GB of storage. Support answers within two days. "
            "It can be cancelled monthly."
        ),
    ),
    (
        "How many days of leave do employees get?",
        (
            "In Germany, employees get 30 days of leave a year. Leave is requested in the portal. "
            "Unused days lapse in March."
        ),
        (
            "In Spain, employees get 22 days of leave a year. Leave is requested in the portal. "
            "Unused days lapse in January."
        ),
    ),
    (
        "When do unused leave days lapse?",
        (
            "In Germany, employees get 30 days of leave a year. Leave is requested in the portal. "
            "Unused days lapse in March."
        ),
        (
            "In Spain, employees get 22 days of leave a year. Leave is requested in the portal. "
            "Unused days lapse in January."
        ),
    ),
    (
        "How heavy is the printer?",
        "The Corvo 300 weighs 12 kg. It prints 30 pages a minute and holds 250 sheets. The warranty is two years.",
        "The Tinto 200 weighs 9 kg. It prints 22 pages a minute and holds 150 sheets. The warranty is two years.",
    ),
    (
        "How many pages a minute does it print?",
        "The Corvo 300 weighs 12 kg. It prints 30 pages a minute and holds 250 sheets. The warranty is two years.",
        "The Tinto 200 weighs 9 kg. It prints 22 pages a minute and holds 150 sheets. The warranty is two years.",
    ),
    (
        "When does the office open?",
        "The Berlin office opens at 8:00. Visitors sign in at the front desk. Parking is free for guests.",
        "The Munich office opens at 9:00. Visitors sign in at the front desk. Parking is free for guests.",
    ),
    (
        "Which databases are supported?",
        "Version 3.1 supports PostgreSQL 12 to 15. It needs 2 GB of memory. Upgrades run without downtime.",
        "Version 3.2 supports PostgreSQL 13 to 16. It needs 4 GB of memory. Upgrades run without downtime.",
    ),
    (
        "How much memory does it need?",
        "Version 3.1 supports PostgreSQL 12 to 15. It needs 2 GB of memory. Upgrades run without downtime.",
        "Version 3.2 supports PostgreSQL 13 to 16. It needs 4 GB of memory. Upgrades run without downtime.",
    ),
    (
        "How much does shipping cost?",
        "Standard shipping costs 4.90 EUR. Parcels arrive within four days. You can track them online.",
        "Express shipping costs 9.90 EUR. Parcels arrive within one day. You can track them online.",
    ),
    (
        "What does a day ticket cost?",
        "From April to September a day ticket costs 12 EUR. Children pay half. The pool opens at 8.",
        "From October to March a day ticket costs 9 EUR. Children pay half. The pool opens at 10.",
    ),
    (
        "What is the mileage rate?",
        (
            "As of 1 January 2024 the mileage rate is 45 cents. Claims are filed monthly in the portal. "
            "Receipts are not needed."
        ),
        (
            "As of 1 January 2025 the mileage rate is 47 cents. Claims are filed monthly in the portal. "
            "Receipts are not needed."
        ),
    ),
    (
        "What do children pay?",
        "Children under 6 travel free of charge. Tickets are sold at the counter. Dogs need a ticket.",
        "Children under 12 travel at half price. Tickets are sold at the counter. Dogs need a ticket.",
    ),
    (
        "How long is the notice period?",
        (
            "Full-time staff must give four weeks' notice. Notice is given in writing. "
            "It starts on the first of the month."
        ),
        "Part-time staff must give two weeks' notice. Notice is given in writing. It starts on the first of the month.",
    ),
    (
        "Is breakfast included?",
        "Junior suite: 38 square metres, sea view. Breakfast is included. Late check-out costs 30 EUR.",
        "Double room: 24 square metres, garden view. Breakfast is not included. Late check-out costs 30 EUR.",
    ),
    (
        "What is the limit for hotel costs?",
        "Hotels in London: up to 220 GBP a night. Breakfast may be claimed. Book through the portal.",
        "Hotels in Leeds: up to 140 GBP a night. Breakfast may be claimed. Book through the portal.",
    ),
    (
        "How many users are included?",
        "# Team plan\n\n- Users: 10\n- Storage: 50 GB\n- Support: e-mail\n- Price: 20 EUR",
        "# Business plan\n\n- Users: 50\n- Storage: 500 GB\n- Support: phone\n- Price: 90 EUR",
    ),
    (
        "What is the storage limit?",
        "# Team plan\n\n- Users: 10\n- Storage: 50 GB\n- Support: e-mail\n- Price: 20 EUR",
        "# Business plan\n\n- Users: 50\n- Storage: 500 GB\n- Support: phone\n- Price: 90 EUR",
    ),
    (
        "How do I reset the device?",
        "Model A: Hold the power button for ten seconds. The lamp turns red. Release the button.",
        "Model B: Hold the power button for five seconds. The lamp turns blue. Release the button.",
    ),
    (
        "Who approves travel?",
        (
            "In the sales department, travel is approved by the team lead. "
            "Requests go through the portal. Reports are due in ten days."
        ),
        (
            "In the finance department, travel is approved by the director. "
            "Requests go through the portal. Reports are due in ten days."
        ),
    ),
    (
        "Can I bring my dog?",
        "Dogs are welcome at Hotel Mira. A night costs 15 EUR for a dog. They must be kept on a lead.",
        "Dogs are not allowed at Hotel Sol. Guide dogs are welcome. They must be kept on a lead.",
    ),
    (
        "What are the opening hours?",
        "Opening hours of the library: Monday to Friday, 9 to 18. Closed on Sundays. Returns are possible at any time.",
        (
            "Opening hours of the archive: Monday to Friday, 10 to 16. Closed on Sundays. "
            "Returns are possible at any time."
        ),
    ),
    (
        "How long does delivery take?",
        "Orders placed before 2 pm are delivered the next day. Delivery is free. A signature is needed.",
        "Orders placed after 2 pm are delivered in two days. Delivery is free. A signature is needed.",
    ),
    (
        "What is the deductible?",
        "For water damage the deductible is 250 EUR. Report it within three days. Photos help us.",
        "For storm damage the deductible is 500 EUR. Report it within three days. Photos help us.",
    ),
    (
        "What does parking cost?",
        "Employees pay 30 EUR a month for parking. Permits are issued by reception. Bicycles park free.",
        "Visitors pay 5 EUR a day for parking. Permits are issued by reception. Bicycles park free.",
    ),
    (
        "How long can I keep books?",
        "Books may be kept for four weeks. Renew them online. Fines are 20 cents a day.",
        "DVDs may be kept for one week. Renew them online. Fines are 50 cents a day.",
    ),
    (
        "Welche Frist gilt?",
        "Die Kündigungsfrist in der Probezeit beträgt zwei Wochen. Sie muss schriftlich erfolgen. Es gilt der Zugang.",
        (
            "Die Kündigungsfrist nach der Probezeit beträgt drei Monate. Sie muss schriftlich erfolgen. "
            "Es gilt der Zugang."
        ),
    ),
    (
        "What is the fee?",
        "2024 fees\n\nThe annual fee is 120 EUR. It is due in January. Students pay half.",
        "2025 fees\n\nThe annual fee is 135 EUR. It is due in January. Students pay half.",
    ),
]
"""A question, a page, and one like it about another plan, place, product, group or time."""

THE_SAME = [
    (
        "When do I get paid?",
        "Salaries are payed on the 25th. Bonuses come in March. Ask payroll.",
        "Salaries are paid on the 25th. Bonuses come in March. Ask payroll.",
    ),
    (
        "What does a gym pass cost?",
        "| Pass | Price |\n| --- | --- |\n| Day | 9 EUR |\n| Gym | 30 EUR |\n| Pool | 12 EUR |",
        "| Pass | Price |\n| --- | --- |\n| Day | 9 EUR |\n| Gym | 30 EUR |\n| Pool | 14 EUR |",
    ),
    (
        "How do I sign in?",
        "Open the app and tap Sign in. Enter the code that we sent you. The code is valid for ten minutes.",
        "Open the app and tap Sign in. Enter the code that we sent you. The code is valid for 10 minutes.",
    ),
    (
        "When is rent due?",
        "Rent is due on the first of the month. Pay by standing order. Late payment costs 10 EUR.",
        "Rent is due on the 1st of each month. Pay by standing order. Late payments cost EUR 10.",
    ),
    (
        "When may I cancel?",
        "Members may cancel before the 15th. They must not owe a fee. Refunds take ten days.",
        "Members may cancel prior to the 15th. They must not owe a fee! Refunds take 10 days.",
    ),
    (
        "What does the supplier need?",
        (
            "The supplier is informed after approval. Above 500 EUR the director decides. "
            "Below that the team decides alone."
        ),
        (
            "**The supplier is informed after approval.** Above 500 EUR the director decides. "
            "Below that the team decides alone."
        ),
    ),
    (
        "Can I pause my plan?",
        "Yearly subscribers cannot pause. Others may pause for a month. Pausing costs nothing.",
        "Yearly subscribers can't pause. Others may pause for a month. Pausing is free of charge.",
    ),
    (
        "Who may borrow the van?",
        "staff of all teams. The van is lent on weekdays. Only drivers over 25 may take it. Others cannot borrow it.",
        "The van is lent on weekdays. Only drivers over 25 may take it. Others cannot borrow it. It is washed by the",
    ),
]
"""A question and two passages that say the same of it: formats, marks of writing, parts of a page, other rows."""


def found(question: str, one: str, other: str) -> bool:
    there, back = (disagreements(question, pair)[0] for pair in ((one, other), (other, one)))
    assert there.probability == pytest.approx(back.probability)
    assert {there.first.sentence, there.second.sentence} == {back.first.sentence, back.second.sentence}
    return conflicting(there)


@pytest.mark.parametrize(("question", "one", "other"), EDITIONS)
def test_editions_of_a_page_conflict_where_they_were_changed(question: str, one: str, other: str) -> None:
    assert found(question, one, other)


@pytest.mark.parametrize(("question", "one", "other"), OF_ONE_FORM)
def test_pages_of_one_form_about_two_things_do_not_conflict(question: str, one: str, other: str) -> None:
    assert not found(question, one, other)


@pytest.mark.parametrize(("question", "one", "other"), THE_SAME)
def test_passages_that_say_the_same_do_not_conflict(question: str, one: str, other: str) -> None:
    assert not found(question, one, other)


def test_a_change_that_the_question_is_not_about_is_no_conflict_about_it() -> None:
    text = "Annual leave is {} days. Parental leave lasts 16 weeks. Dogs may enter the {} building."
    one, other = text.format(28, "north"), text.format(28, "south")
    assert not found("How many days of annual leave do I have?", one, other)
    assert found("How many days of annual leave do I have?", one, text.format(25, "north"))


def test_what_was_changed_is_shown() -> None:
    text = "Logs are kept for {} days. They are encrypted. Admins read them."
    (pair,) = disagreements("How long are logs kept?", (text.format(30), text.format(90)))
    assert (pair.first.sentence, pair.second.sentence) == ("Logs are kept for 30 days.", "Logs are kept for 90 days.")
    assert pair.first.value is not None
    assert pair.first.value.text == "30 days"


def test_a_passage_of_one_sentence_over_and_over_is_laid_beside_others_to_a_bound() -> None:
    text = "Staff may not book a flight before the manager agrees. " * 400
    assert not found("May I book a flight?", text, text.replace("manager", "lead", 1) + text)


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "How far from the campus must I live for the grant?",
            "Students whose address lies more than 15 miles from the campus qualify for the grant.",
            "Is there a grant for me? Yes, if home is over 15 kilometres from the campus.",
        ),
        (
            "What is the largest file I may attach to a ticket?",
            "A file that you attach to a ticket may have up to 25 MB.",
            "Put logs into the ticket: we take up to 25 gigabytes a file.",
        ),
        (
            "What is the excess on the contents policy?",
            "Whatever the cause, the policyholder bears the first £250 of a contents claim.",
            "Contents policy, excess: €250 is deducted from every claim.",
        ),
    ],
)
def test_one_figure_in_two_units_is_a_conflict(question: str, one: str, other: str) -> None:
    assert found(question, one, other)


TITLED = [
    (
        "how many days of leave do support staff get",
        "Support staff\nYour annual leave is 26 days plus bank holidays.",
        "Academic staff\nYour annual leave is 35 days plus bank holidays.",
    ),
    (
        "how much interest-free overdraft on a student account",
        "## Student Account\n\nIn your first year you can ask for an overdraft of up to £1,000, interest-free.",
        "## Graduate Account\n\nIn the first year up to £2,000 of your overdraft is interest-free.",
    ),
    (
        "are dogs ok in maple house",
        "House rules, Maple House\nTenants may keep one dog per flat. Dogs are to be on a lead in the stairwell.",
        "House rules, Cedar House\nTenants may not keep dogs. Fish and small caged animals are fine.",
    ),
    (
        "how much storage on Basic",
        "Basic\n- 1 workspace\n- 10 GB of storage",
        "Pro\n- 5 workspaces\n- 100 GB of storage",
    ),
]
"""A question that names what one passage is titled after, and a passage titled after another thing."""


@pytest.mark.parametrize(("question", "one", "other"), TITLED)
def test_passages_titled_after_two_things_do_not_conflict(question: str, one: str, other: str) -> None:
    assert not found(question, one, other)


def test_titles_of_one_thing_tell_nothing_apart() -> None:
    one = "Unused leave\nUp to 5 days of unused leave may be carried over."
    other = "Leave at a glance\nUp to 8 days of unused leave may be carried over."
    assert found("How many days of unused leave may be carried over?", one, other)


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "Is there a fee to replace a lost badge?",
            "For each lost badge a fee of £15 is deducted from the next pay.",
            "Lost your badge? We replace a lost badge at once, and it won't cost you anything.",
        ),
        (
            "Is the pool sauna open?",
            "The pool sauna is open from 7 am until 9 pm daily.",
            "We regret that the pool sauna is closed to all until further notice.",
        ),
        (
            "What share of my salary does the company match for the pension?",
            "The company matches what employees pay into the pension plan, up to a ceiling of 6% of salary.",
            "Pension: we match your own contributions up to 4% of salary.",
        ),
    ],
)
def test_what_is_free_open_or_of_another_amount_conflicts_in_other_words(question: str, one: str, other: str) -> None:
    assert found(question, one, other)
