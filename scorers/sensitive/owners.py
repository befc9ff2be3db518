"""Whether the name of a person stands before a phone number: then it is theirs, in whichever country it is written."""

from __future__ import annotations

import re

import phonenumbers
from phonenumbers import NumberParseException

from scorers.sensitive.mailboxes import ENDINGS, MAILBOXES

REGIONS = ("DE", "GB", "FR", "ES", "IT", "NL", "PL", "BG", "PT", "AT", "CH", "BE", "IE", "US")
"""Countries of which a number beside a name is taken to be one."""

_BEFORE = 70
"""Characters before a number, within its sentence, that name whose it is."""
_SENTENCE = re.compile(r"[!?;\n]|\.(?=\s)(?<!r\.)(?<!a\.)(?<!s\.)(?<!M\.)")
_WORD = re.compile(r"[^\W\d_]{1,24}(?:[-'\u2019][^\W\d_]{2,24}){0,2}")
_OWN = re.compile(r"['\u2019]s$")
_CALLED = re.compile(
    r"\b(?:phone|mobile|cell|call|text|reach|tel|telefon\w{0,2}|telephone|handy\w{0,8}|mobil\w{0,8}|móvil|portable"
    r"|téléphone|cellulare|teléfono|telefone|telemóvel|celular|mobiel\w{0,2}|telefoon\w{0,8}|komórk\w{0,3}"
    r"|телефон\w{0,3}|мобил\w{0,4})\b",
    re.IGNORECASE,
)
_NOT_A_PHONE = re.compile(
    r"\b(?:order|invoice|ticket|case|account|reference|id|booking|rechnung|bestellung|auftrag|konto|kunden\w{0,8}|vertrag"
    r"|commande|facture|compte|pedido|factura|cuenta|ordine|fattura|zamówienie|faktura)\b",
    re.IGNORECASE,
)
_TITLES_LIST = """
    mr mrs ms miss dr prof herr herrn frau monsieur madame mme sr sra señor señora signor signora sig meneer mevrouw
    pan pani pana
"""
_TITLES = frozenset(_TITLES_LIST.split())
_NO_NAMES_LIST = """
    call calls contact reach ring phone text dial message mobile cell number telephone telefon telefonnummer telefono
    téléphone teléfono handy handynummer mobil mobilnummer nummer numéro numer mobiel telefoon portable rufen sie
    appelez llame chiami bel zadzwoń телефон мобилен the a an el le la il der die das ask please for you your our can if
    or and
"""
_NO_NAMES = frozenset(_NO_NAMES_LIST.split())
_HOUSES_LIST = """
    hotel gmbh ag kg ltd inc llc plc sa srl spa bv bank hospital clinic klinik praxis apotheke restaurant
    versicherung insurance university universität school schule museum police polizei hotline helpline office line
    customer human emergency taxi airport flughafen street straße group holding center centre zentrum
"""
_HOUSES = frozenset(_HOUSES_LIST.split())
_FULL = 2
"""Words of a name of somebody."""


def is_of_somebody(text: str, start: int, number: str) -> bool:
    """Tell whether ``number``, at ``start`` of ``text``, is a phone number behind the name of a person.

    It must be valid in one of `REGIONS`, and begin with a 0 or have a word such as "mobile" before it. Teams, desks and
    houses are no persons.

    >>> text = "Call Anna Weber on 0171 2345678."
    >>> is_of_somebody(text, 19, "0171 2345678"), is_of_somebody("Call the Service Desk on", 25, "030 1234567")
    (True, False)
    """
    before = _SENTENCE.split(text[max(0, start - _BEFORE) : start])[-1]
    if not (number.lstrip("(").startswith("0") or _CALLED.search(before)) or _NOT_A_PHONE.search(before):
        return False
    return _names_somebody(before) and any(_valid(number, region) for region in REGIONS)


def _names_somebody(before: str) -> bool:
    run = most = 0
    titled = False
    for match in _WORD.finditer(before):
        word = _OWN.sub("", match.group())
        folded = word.casefold()
        if not word[0].isupper():
            run = run if folded in _PARTICLES else 0
            continue
        if folded in MAILBOXES or folded in _HOUSES or folded.endswith(ENDINGS) or (word.isupper() and len(word) > 1):
            return False
        if folded in _TITLES:
            titled, run = True, 0
        elif folded in _NO_NAMES:
            run = 0
        else:
            run += 1
            most = max(most, run)
    return most >= _FULL - titled


_PARTICLES = frozenset(("van", "von", "de", "der", "den", "da", "di", "del", "della", "dos", "la", "le"))


def _valid(number: str, region: str) -> bool:
    try:
        read = phonenumbers.parse(number, region)
    except NumberParseException:
        return False
    return phonenumbers.is_valid_number(read)
