"""Policy documents of grammars of our own: sentences, statements that say the same, and statements that do not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from training.pairs.pair import edits
from training.pairs.ways import HARMLESS, WRONG

_FILE = Path(__file__).parent / "policies.txt"

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
def _values() -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(value.strip() for value in values.split(";"))
        for name, values in (line.split(": ", 1) for line in _WORDS.replace("\n ", " ").splitlines())
    }


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences of a document that say one thing, statements that say the same, and wrong ones by kind."""

    told: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)


@cache
def blocks() -> tuple[Block, ...]:
    """Return the blocks of the file."""
    found: list[Block] = []
    fresh = True
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            fresh = True
            continue
        if fresh:
            found.append(Block())
            fresh = False
        mark, rest = line.split(" ", 1)
        if mark == "S":
            found[-1].told.append(rest)
        elif mark == "=":
            found[-1].same.append(rest)
        else:
            kind, text = rest.split(" ", 1)
            found[-1].wrong.append((kind, text))
    return tuple(found)


class Statement(NamedTuple):
    """A statement over a document: its kind of change or of rewording, and whether it is wrong."""

    kind: str
    text: str
    wrong: bool


class Policy(NamedTuple):
    """A document as passages, one sentence of it (``told``), and statements about that."""

    passages: tuple[str, ...]
    told: str
    statements: tuple[Statement, ...]


def policies(count: int, seed: int) -> Iterator[Policy]:
    """Yield ``count`` policies; the same seed gives the same ones."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for number in range(count):
        yield _policy(blocks()[number % len(blocks())], rng)


def _policy(block: Block, rng: random.Random) -> Policy:
    filled = _filled(rng)
    told = _fill(rng.choice(block.told), filled)
    others = [_fill(rng.choice(other.told), _filled(rng)) for other in rng.sample(blocks(), rng.randint(2, 7))]
    others = [other for other in others if other != told]
    others.insert(rng.randint(0, len(others)), told)
    source = " ".join(others)
    same = [_fill(text, filled) for text in block.same]
    statements = [Statement("copy", told, wrong=False), *(Statement("paraphrase", text, wrong=False) for text in same)]
    statements += [Statement(kind, _fill(text, filled), wrong=True) for kind, text in block.wrong]
    for text in (told, *same):
        for kind, changed in edits(WRONG, text, source, rng):
            if changed not in same and changed != told and not _may_hold(kind, text, told):
                statements.append(Statement(kind, changed, wrong=True))
        for kind, changed in edits(HARMLESS, text, source, rng):
            statements.append(Statement(kind, changed, wrong=False))
    return Policy(_passages(others, rng), told, tuple(statements))


def _may_hold(kind: str, text: str, told: str) -> bool:
    """Return whether a change of a paraphrase may be right all the same: a part of it that says less, or more words."""
    return text != told and kind in {"condition", "scope", "exception", "role"}


def _passages(sentences: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    way = rng.randrange(4)
    if way == 0:
        return ("\n".join(f"- {sentence}" for sentence in sentences),)
    if way == 1 and len(sentences) > 2:  # noqa: PLR2004 - two passages of some sentences each
        cut = rng.randint(1, len(sentences) - 1)
        return " ".join(sentences[:cut]), " ".join(sentences[cut:])
    if way == 2:  # noqa: PLR2004 - the third way
        return (f"## {rng.choice(('Rules', 'Terms', 'Policy', 'Handbook'))}\n\n" + "\n\n".join(sentences),)
    return (" ".join(sentences),)


def _filled(rng: random.Random) -> dict[str, str]:
    filled: dict[str, str] = {}
    for name, values in _values().items():
        different = list(dict.fromkeys(values))
        one, other = rng.sample(different, 2) if len(different) > 1 else (different[0], different[0])
        filled[name], filled[f"{name}2"] = one, other
    filled["days"] = rng.choice(_values()["days"])
    hours = sorted((filled["hour"], filled["hour2"]), key=lambda hour: int(hour.split(":")[0]))
    filled["hour"], filled["hour2"] = hours
    numbers = rng.sample((2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 18, 20, 21, 24, 28, 30, 45, 60, 90), 4)
    for name, value in zip(("n", "m", "n2", "m2"), numbers, strict=True):
        filled[name] = str(value)
    return filled


def _fill(text: str, filled: dict[str, str]) -> str:
    def put(match: re.Match[str]) -> str:
        name, other = match[1], match[2]
        value = filled[name.lower() + other]
        return value[:1].upper() + value[1:] if name[0].isupper() else value

    written = _SLOT.sub(put, text)
    return written[:1].upper() + written[1:]
