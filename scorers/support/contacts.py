"""How to reach someone, in a sentence that only sends there: "call us on 0345 600 1200", "write to hr@acme.example".

A number or an address is no statement of what was asked, and what an assistant was told outside of its context is full
of them. It is one where the sources name such a contact too, and another one.
"""

from __future__ import annotations

import re

from adapters.caching import cached_by_text

_EMERGENCY = r"(?:911|999|112|111|988|101|105|110|113|115|117|118|119|144|116[ -]?\d{3})"
_DIALS = re.compile(
    rf"\b(?:call(?:ing)?|dial(?:ling|ing)?|phon(?:e|ing)|ring(?:ing)?|text(?:ing)?|contact(?:ing)?)\s(?:[a-z']{{1,15}}\s){{0,3}}{_EMERGENCY}\b(?![\w-])",
    re.IGNORECASE,
)
_MAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_PAGE = re.compile(
    r"\(?(?:https?://|www\.)[^\s()<>]{1,400}\)?"
    r"|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.(?:com|org|net|gov|edu|io|eu|de|fr|es|it|pt|nl|pl|uk|us|int|info|example)\b"
    r"(?:/[^\s()<>]{0,200})?",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<![\w.,])\(?\+?\(?\d{1,5}\)?(?:[ ./()-]{1,2}\d{2,6}){1,6}(?:-[A-Z]{3,8}(?: ?\(\d{3,5}\))?)?(?![\w%]|[.,]\d)"
)
_EXTENSION = re.compile(r"\b(?:ext(?:ension)?\.?|x)\s?\d{2,6}\b", re.IGNORECASE)
_LEAST = 6
"""Digits of a telephone number, at least; with fewer it may be an amount, a year or a range."""
_KINDS = (_MAIL, _PAGE, _PHONE, _EXTENSION)


def without_contacts(sentence: str, read: tuple[str, ...] = ()) -> str:
    """Return a sentence without the numbers and addresses in it that say where someone is reached.

    One of a kind that ``read``, the texts it was written from, have too stays, unless it is among them.

    >>> without_contacts("Please call us on 0345 600 1200 or write to hr@acme.example.")
    'Please call us on  or write to .'
    >>> without_contacts("Call 0345 600 1200.", ("Call 0345 600 9900.",)), without_contacts("It takes 10-12 days.")
    ('Call 0345 600 1200.', 'It takes 10-12 days.')
    """
    said = _DIALS.sub(lambda found: found.group().rstrip("0123456789 -"), sentence)
    for kind in _KINDS:
        for found in kind.finditer(said):
            if not _is_contact(kind, found.group()) or not _may_stand(kind, found.group(), read):
                return sentence
        said = kind.sub(lambda found, kind=kind: "" if _is_contact(kind, found.group()) else found.group(), said)  # type: ignore[misc]
    return said if said == sentence else _EMPTY.sub("", said)


_EMPTY = re.compile(r"\s?[(\[]\s{0,3}[)\]]")


def _is_contact(kind: re.Pattern[str], found: str) -> bool:
    return kind is not _PHONE or sum(map(str.isdigit, found)) >= _LEAST


def _may_stand(kind: re.Pattern[str], found: str, read: tuple[str, ...]) -> bool:
    known = [contact for text in read for contact in _contacts(text)[_KINDS.index(kind)]]
    return not known or _plain(found) in known


def names_emergency(sentence: str) -> bool:
    """Return whether a sentence sends to the emergency services, or to a helpline of a country, by its number.

    >>> names_emergency("If it gets worse, dial 999."), names_emergency("Cards cost 112 EUR.")
    (True, False)
    """
    return _DIALS.search(sentence) is not None


@cached_by_text(cost=12)
def _contacts(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the contacts of a text by kind."""
    return tuple(
        tuple(_plain(found.group()) for found in kind.finditer(text) if _is_contact(kind, found.group()))
        for kind in _KINDS
    )


def _plain(contact: str) -> str:
    return "".join(sign for sign in contact.lower() if sign.isalnum() or sign == "@")
