"""National identity and tax numbers of persons: those that check digits and writing tell from any other number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stdnum.au import tfn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.ch import ssn as ahv
from stdnum.cl import rut
from stdnum.de import idnr as steuer_id
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.hr import oib
from stdnum.ie import pps
from stdnum.in_ import aadhaar, pan
from stdnum.it import codicefiscale
from stdnum.mx import curp
from stdnum.nl import bsn
from stdnum.tr import tckimlik
from stdnum.us import itin

from scorers.sensitive.finding import SensitiveFinding

_NEAR = 40
"""Characters before a number in which its label may stand, with no other number between."""


@dataclass(frozen=True, slots=True)
class _Form:
    """One country's number: how it is written, how it is checked, and the label that it needs where digits are few."""

    name: str
    written: re.Pattern[str]
    valid: Callable[[str], bool]
    label: re.Pattern[str] | None = None


def _form(name: str, written: str, valid: Callable[[str], bool], label: str = "") -> _Form:
    pattern = re.compile(rf"(?<![\w-])(?:{written})(?![\w-])", re.ASCII)
    return _Form(
        name, pattern, valid, re.compile(rf"\b(?:{label})\b[^\d\n]{{0,30}}$", re.IGNORECASE) if label else None
    )


def _nino(number: str) -> bool:
    """Leave out the prefixes that HMRC does not issue (NIM39110)."""
    return number[:2] not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}


_PASSPORT_LABEL = r"passport(?: ?(?:no|nr|number|#))?\.?"
_FORMS = (
    _form("UK national insurance number", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]", _nino),
    _form("Italian tax code", r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]", codicefiscale.is_valid),
    _form("Spanish identity number", r"\d{8}-?[A-HJ-NP-TV-Z]", dni.is_valid),
    _form("Spanish identity number of a foreigner", r"[XYZ]-?\d{7}-?[A-HJ-NP-TV-Z]", nie.is_valid),
    _form("French social security number", r"[12] ?\d\d ?\d\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d", nir.is_valid),
    _form("Finnish identity code", r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]", hetu.is_valid),
    _form("Swiss social security number", r"756\.\d{4}\.\d{4}\.\d\d", ahv.is_valid),
    _form("Brazilian CPF", r"\d{3}\.\d{3}\.\d{3}-\d\d", cpf.is_valid),
    _form("Mexican CURP", r"[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d", curp.is_valid),
    _form("Chilean RUT", r"\d{1,2}\.\d{3}\.\d{3}-[\dkK]", rut.is_valid),
    _form("US taxpayer number", r"9\d\d-\d\d-\d{4}", itin.is_valid),
    _form("German tax number", r"\d{2} ?\d{3} ?\d{3} ?\d{3}", steuer_id.is_valid, r"steuer\w{0,20}|tax|idnr|tin"),
    _form("Dutch citizen number", r"\d{9}", bsn.is_valid, r"bsn|burgerservicenummer|citizen"),
    _form("Croatian OIB", r"\d{11}", oib.is_valid, r"oib"),
    _form("Irish PPS number", r"\d{7}[A-W][A-IW]?", pps.is_valid, r"pps\w?|ppsn"),
    _form("Indian Aadhaar number", r"\d{4} ?\d{4} ?\d{4}", aadhaar.is_valid, r"aadhaar|aadhar|uidai|uid"),
    _form("Indian PAN", r"[A-Z]{5}\d{4}[A-Z]", pan.is_valid, r"pan|permanent account"),
    _form("Canadian social insurance number", r"\d{3}[ -]?\d{3}[ -]?\d{3}", sin.is_valid, r"sin|social insurance"),
    _form("Australian tax file number", r"\d{3} ?\d{3} ?\d{2,3}", tfn.is_valid, r"tfn|tax file"),
    _form("Turkish identity number", r"\d{11}", tckimlik.is_valid, r"t\.?c\.?|kimlik|identity"),
    _form("NHS number", r"\d{3}[ -]?\d{3}[ -]?\d{4}", nhs.is_valid, r"nhs"),
    _form("passport number", r"[A-Z]{1,2}\d{6,8}|\d{9}", lambda _: True, _PASSPORT_LABEL),
)


# Every form has six digits in a row, or letters before its first: most texts have neither, and are passed over at once.
_DIGITS = re.compile(r"\d(?:[ .-]?\d){5}", re.ASCII)
_LETTERS = re.compile(r"[A-Z][A-Z]{3,5}\d\d", re.ASCII)


def national_ids(text: str) -> Iterator[SensitiveFinding]:
    """Yield national identity, tax and passport numbers of persons, with the checks that their countries publish.

    A number of digits alone counts only with its label shortly before: one in ten of any would pass a check digit.

    >>> [found.name for found in national_ids("DNI 12345678Z, BSN 111222333, order 111222333")]
    ['Spanish identity number', 'Dutch citizen number']
    """
    if _DIGITS.search(text) is None and _LETTERS.search(text) is None:
        return
    for form in _FORMS:
        for match in form.written.finditer(text):
            if form.label is not None and not form.label.search(text[max(0, match.start() - _NEAR) : match.start()]):
                continue
            if form.valid(match.group()):
                yield SensitiveFinding("national_id", *match.span(), re.sub(r"[ .-]", "", match.group()), form.name)
