"""Slots of sentences and the values that they are filled with, alike in all sentences of a block."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache

_WORDS = """group: employees; managers; students; tenants; customers; contractors; interns; members; travellers; nurses;
 part-time staff; drivers; residents; applicants; teachers
few: managers; members of the board; certified technicians; pensioners; children; holders of a blue card;
 premium members;
 team leads; licensed drivers; tutors
role: the head of department; the line manager; the finance team; the landlord; the supervisor; the data officer;
 the registrar; the nurse in charge; the branch manager; the project lead; the treasurer; the security desk
paper: expense reports; travel requests; sick notes; time sheets; tax forms; damage reports; invoices; leave requests;
 meter readings; reference letters
event: the end of the trip; the first day of illness; the end of the contract; the exam; the purchase; the audit;
 the inspection; the holiday season; the end of the quarter; the annual meeting; the delivery; the registration
leave: annual leave; study leave; parental leave; sick leave; unpaid leave; special leave; care leave
goods: headphones; sale items; opened software; earrings; mattresses; perishable goods; custom furniture; spare parts;
 cosmetics; bicycles; textbooks; swimwear
used: used; washed; opened; engraved; assembled; worn
delivery: delivery; purchase; receipt; collection
country: Germany; Switzerland; Austria; France; Poland; Japan; Canada; Spain; Norway; Brazil; Kenya; India
amount: $50; $75; $100; $250; 120 euros; 180 euros; 220 euros; 500 euros; EUR 1,500; $2,000; 35 GBP; 90 CHF; $640
fee: $5; $12; 8 euros; 15 euros; 4.90 euros; $25; 30 CHF
share: 5; 10; 20; 25; 40; 50; 60; 70; 75; 80; 90
act: use the company car; book business class; park in the yard; copy the keys; install software; work from home;
 open the archive; order catering; share files with partners; borrow equipment; publish photographs;
 enter the server room;
 rent a locker; keep pets; sublet a room; smoke on the balcony; join the pension plan; open a joint account
act_ing: ordering catering; sharing files with partners; entering the server room; replacing parts; closing an account;
 moving the equipment; hiring temporary staff; changing the locks; publishing photographs; deleting records
condition: the landlord has agreed in writing; a supervisor is present; the balance is above zero; the safety course has
 been passed; the form has been signed; the works council has approved it; the customer has given consent;
 a court has ordered
 it; at least two colleagues are on site; the account is older than one year; the room is free
training: the fire drill; the data protection course; first aid training; the hygiene training; the ladder course;
 the phishing exercise; the induction; the forklift course
period: year; month; week; quarter; day
office: the help desk; the library; the registry; the canteen; the pharmacy; the travel office; the branch in Linz;
 the warehouse; the reception
hour: 8:00; 9:30; 10:00; 7:45; 11:15; 16:00; 17:30; 18:00; 19:45; 20:00
weekday: Monday; Tuesday; Wednesday; Thursday; Friday; Saturday; Sunday
cost: the monthly ticket; the gym fee; childcare; dental treatment; the phone bill; the language course; lost luggage;
 water damage; the hotel; relocation; glasses; parking
data: personal data; the access log; video footage; the application file; the medical record; the customer's address
device: the work laptop; the company phone; the backup disk; the badge reader; the tablet; the USB stick
tier: Basic; Silver; Gold; Starter; Team; Business; Student; Family
date: 31 March; 15 June 2025; 1 October 2024; 30 November; 12 January 2026; 5 May; 28 February 2025
year: 2012; 2015; 2017; 2018; 2019; 2020; 2021; 2022
account: the original card; the customer's bank account; the store credit; the employee's payroll account;
 the deposit account
medicine: the tablet; the antibiotic; the painkiller; the vitamin; the syrup
meal: before meals; after meals
place: the lobby; the canteen; the showroom; the car park; the visitor centre; the chapel
days: days; days; days; working days; weeks; months; hours; calendar days"""

_SLOT = re.compile(r"\{([A-Za-z_]+)(2?)\}")


@cache
def shared_values() -> Mapping[str, tuple[str, ...]]:
    """Return the values of the slots that every file may use."""
    return {
        name: values_of(values)
        for name, values in (line.split(": ", 1) for line in _WORDS.replace("\n ", " ").splitlines())
    }


def values_of(listed: str) -> tuple[str, ...]:
    """Return values that are listed with semicolons.

    >>> values_of("days; weeks")
    ('days', 'weeks')
    """
    return tuple(value.strip() for value in listed.split(";"))


def filled(rng: random.Random, own: Mapping[str, Sequence[str]] | None = None) -> dict[str, str]:
    """Return a value for each slot, and another one for the slot with a 2; ``own`` slots add to the shared ones."""
    chosen: dict[str, str] = {}
    for name, values in {**shared_values(), **(own or {})}.items():
        different = list(dict.fromkeys(values))
        one, other = rng.sample(different, 2) if len(different) > 1 else (different[0], different[0])
        chosen[name], chosen[f"{name}2"] = one, other
    chosen["days"] = rng.choice(shared_values()["days"])
    hours = sorted((chosen["hour"], chosen["hour2"]), key=lambda hour: int(hour.split(":")[0]))
    chosen["hour"], chosen["hour2"] = hours
    numbers = rng.sample((2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 18, 20, 21, 24, 28, 30, 45, 60, 90), 4)
    for name, value in zip(("n", "m", "n2", "m2"), numbers, strict=True):
        chosen[name] = str(value)
    return chosen


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return ``text`` with its slots filled; a slot in capitals begins with one.

    >>> fill("{Device} is kept.", {"device": "the tablet"})
    'The tablet is kept.'
    """

    def put(match: re.Match[str]) -> str:
        name, other = match[1], match[2]
        value = values[name.lower() + other]
        return value[:1].upper() + value[1:] if name[0].isupper() else value

    written = _SLOT.sub(put, text)
    return written[:1].upper() + written[1:]
