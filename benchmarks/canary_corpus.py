"""Policy documents of a made-up company, by topic and country, that change as policies do: for benchmarks and tests."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

COUNTRIES = ("Germany", "France", "the United Kingdom", "the United States", "Poland")
TOPICS: dict[str, tuple[tuple[str, ...], ...]] = {
    "Business travel": (
        (
            "Hotels",
            "Hotels are reimbursed up to {money} EUR per night in cities and half of that elsewhere.",
            "Breakfast is not reimbursed when it is part of the room rate.",
            "Rooms are booked through the travel portal at least {days} days ahead.",
        ),
        (
            "Rail and air",
            "Rail travel of less than {hours} hours is booked in second class.",
            "Flights of more than {hours} hours may be booked in premium economy.",
            "A flight must be approved by the {role} before it is booked.",
        ),
        (
            "Meals",
            "The daily allowance for meals on a trip is {money} EUR.",
            "Receipts for meals are handed in within {days} days of the return.",
            "Alcohol is never reimbursed.",
        ),
    ),
    "Parental leave": (
        (
            "Entitlement",
            "Employees receive {weeks} weeks of paid parental leave after the birth of a child.",
            "The entitlement begins after {months} months of service.",
            "Adoptive parents have the same entitlement.",
        ),
        (
            "Notice",
            "Parental leave is announced in writing {weeks} weeks before it begins.",
            "The {role} confirms the dates within {days} working days.",
            "Dates can be moved once without giving a reason.",
        ),
        (
            "Return",
            "After the leave an employee may work {percent} % of the usual hours for up to {months} months.",
            "The former position is kept open for the whole leave.",
            "A talk about the return takes place {days} days before it.",
        ),
    ),
    "Remote work": (
        (
            "Abroad",
            "Employees may work from another country for up to {days} days a year.",
            "Work from outside the European Union must be approved by the {role}.",
            "Social security is arranged before the first day abroad.",
        ),
        (
            "Equipment",
            "The company pays {money} EUR once for a desk and a chair at home.",
            "Equipment is returned within {days} days of the end of employment.",
            "Monitors are replaced every {years} years.",
        ),
        (
            "Presence",
            "Teams meet in the office on at least {few} days a week.",
            "Core hours are from {hour} in the morning to three in the afternoon.",
            "The {role} may agree on other days with the team.",
        ),
    ),
    "Data protection": (
        (
            "Retention",
            "Application documents are deleted {months} months after the position is filled.",
            "Recordings of cameras are kept for {days} days.",
            "Invoices are kept for {years} years.",
        ),
        (
            "Incidents",
            "A loss of personal data is reported to the {role} within {hours} hours.",
            "The authority is notified within {hours} hours where there is a risk.",
            "Nobody deletes logs while an incident is examined.",
        ),
        (
            "Requests",
            "Requests for access are answered within {days} days.",
            "The identity of whoever asks is checked by the {role}.",
            "Copies are sent encrypted.",
        ),
    ),
    "Procurement": (
        (
            "Limits",
            "Purchases of more than {thousand} EUR need three offers.",
            "Orders above {thousand} EUR are signed by the {role} and a second person.",
            "Split orders count as one.",
        ),
        (
            "Suppliers",
            "A new supplier is checked by compliance within {days} working days.",
            "Suppliers are rated every {months} months.",
            "Gifts of suppliers worth more than {money} EUR are declined.",
        ),
        (
            "Invoices",
            "Invoices are paid within {days} days of receipt.",
            "An invoice without an order number is sent back by the {role}.",
            "A discount of {percent} % is taken where it is offered.",
        ),
    ),
    "Information security": (
        (
            "Passwords",
            "Passwords have at least {count} characters and are stored in the password manager.",
            "An account is locked after {few} wrong attempts.",
            "The {role} never asks for a password.",
        ),
        (
            "Devices",
            "Laptops lock themselves after {minutes} minutes without input.",
            "Security updates are installed within {days} days.",
            "Private devices may not be connected to the internal network.",
        ),
        (
            "Access",
            "Rights of administrators are reviewed every {months} months by the {role}.",
            "Access of leavers ends at {hour} on their last day.",
            "Shared accounts are forbidden.",
        ),
    ),
    "Sick leave": (
        (
            "Report",
            "Sickness is reported before {hour} on the first day.",
            "A certificate is due from day {few} of an absence.",
            "The {role} is told how long the absence is likely to last.",
        ),
        (
            "Pay",
            "Pay continues in full for {weeks} weeks of sickness.",
            "After that the company adds {percent} % of the difference to the sick pay.",
            "Overtime is not paid during sickness.",
        ),
        (
            "Return after sickness",
            "After more than {weeks} weeks of sickness in a year a talk about the return is offered.",
            "A gradual return takes up to {months} months.",
            "Notes of the talk are kept by the {role} alone.",
        ),
    ),
    "Training": (
        (
            "Budget",
            "Each employee has {money} EUR a year for courses and books.",
            "Unused budget expires at the end of the year.",
            "Courses above {thousand} EUR are approved by the {role}.",
        ),
        (
            "Time",
            "Employees may spend {days} working days a year on training.",
            "Training on a weekend is given back as time off within {weeks} weeks.",
            "Language courses count at {percent} % of their hours.",
        ),
        (
            "Repayment",
            "Whoever leaves within {months} months of a course repays {percent} % of its cost.",
            "Nothing is repaid when the company ends the employment.",
            "The {role} sends the bill.",
        ),
    ),
    "Company cars": (
        (
            "Eligibility",
            "Employees who drive more than {thousand} kilometres a year may order a company car.",
            "The list price is at most {thousand} EUR.",
            "Orders are placed by the {role}.",
        ),
        (
            "Use",
            "Private trips are limited to {thousand} kilometres a year.",
            "Fuel cards are for the company car alone.",
            "Damage is reported within {hours} hours.",
        ),
        (
            "Electric cars",
            "A wall box at home is paid up to {money} EUR.",
            "Charging at home is reimbursed with {cents} cents per kilowatt hour.",
            "Leases of electric cars run for {months} months.",
        ),
    ),
    "Health and safety": (
        (
            "First aid",
            "There is one first aider for every {count} employees of a site.",
            "Courses for first aiders are repeated every {years} years.",
            "Every accident is entered in the book by the {role}.",
        ),
        (
            "Screens",
            "After {hours} hours at a screen a break of {minutes} minutes is taken.",
            "Eye tests are paid every {years} years.",
            "Glasses for work at a screen are paid up to {money} EUR.",
        ),
        (
            "Fire",
            "Fire drills take place every {months} months.",
            "Escape routes are checked weekly by the {role}.",
            "Lifts may not be used during an alarm.",
        ),
    ),
}
ROLES = ("line manager", "head of department", "people team", "works council", "finance director", "site lead")
ROOM: dict[str, Sequence[object]] = {
    "money": range(40, 400, 5),
    "days": range(3, 45),
    "hours": range(2, 72),
    "weeks": range(2, 30),
    "months": range(2, 36),
    "years": range(2, 11),
    "percent": range(5, 95, 5),
    "few": range(2, 6),
    "thousand": range(1_000, 60_000, 500),
    "count": range(8, 50),
    "minutes": range(3, 30),
    "cents": range(20, 60),
    "hour": [f"{hour}:{minute}" for hour in range(7, 11) for minute in ("00", "15", "30")],
    "role": ROLES,
}


@dataclass
class PolicyEntry:
    """A section of a policy: what it says is made of templates and values, so that one value can change."""

    doc_id: str
    title: str
    section: str
    templates: tuple[str, ...]
    values: list[dict[str, object]]
    version: int = 1
    permitted: tuple[str, ...] | None = None
    earlier: list[tuple[int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What the section says."""
        return " ".join(template.format(**told) for template, told in zip(self.templates, self.values, strict=True))


def policy_entries(draw: random.Random, countries: int = len(COUNTRIES)) -> list[PolicyEntry]:
    """Return the sections of all policies; a tenth may be seen by managers alone."""
    entries = []
    for topic, sections in TOPICS.items():
        for number, country in enumerate(COUNTRIES[:countries], 1):
            doc_id = f"{''.join(word[0] for word in topic.split()).upper()}{len(topic)}-{number:03}"
            for section, *templates in sections:
                entries.append(
                    PolicyEntry(
                        doc_id,
                        f"{topic} in {country}",
                        section,
                        tuple(templates),
                        [drawn(template, draw) for template in templates],
                        permitted=("managers",) if draw.random() < 0.1 else None,
                    )
                )
    return entries


def drawn(template: str, draw: random.Random) -> dict[str, object]:
    """Return values for the places of a template."""
    return {name: draw.choice(room) for name, room in ROOM.items() if f"{{{name}}}" in template}


def amended(entry: PolicyEntry, draw: random.Random) -> None:
    """Change one value of one statement, as an amendment of a policy does."""
    entry.earlier.append((entry.version, entry.text))
    places = [place for place, template in enumerate(entry.templates) if "{" in template]
    place = draw.choice(places)
    name = draw.choice(sorted(entry.values[place]))
    others = [value for value in ROOM[name] if value != entry.values[place][name]]
    entry.values[place] = {**entry.values[place], name: draw.choice(others)}


def chunks_of(text: str, *, sentences: int = 2) -> Iterator[str]:
    """Yield pieces of so many sentences, as a splitter that keeps sentences whole cuts a text."""
    found = text.replace(". ", ".\n").splitlines()
    for start in range(0, len(found), sentences):
        yield " ".join(found[start : start + sentences])
