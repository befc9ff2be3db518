"""The yes or no that opens an answer, by language: what it answers, and where the statement behind it begins."""

# ruff: noqa: RUF001 - letters of other scripts look like others
from __future__ import annotations

import re
from typing import Literal, NamedTuple

from scorers.text.plain import plain

LONGEST = 80
"""Characters at the start of a text in which a particle is looked for."""

_YES_WORDS = """yes yep yeah absolutely certainly indeed correct ja jawohl genau richtig natürlich selbstverständlich
    doch oui absolument si sí claro sì certo certamente sim jazeker inderdaad zeker tak oczywiście owszem да"""
_YES_PHRASES = """yes indeed | yes of course | of course | that is correct | bien sûr | tout à fait | por supuesto
    | claro que sí | com certeza | ja natürlich | разбира се"""
_NO_WORDS = "no nope nein non não nie nee не keineswegs keinesfalls"
_NO_PHRASES = """not at all | unfortunately not | unfortunately no | sadly not | no way | not really | certainly not
    | absolutely not | of course not | by no means | definitely not | i am afraid not | leider nein | leider nicht
    | nein leider | auf keinen fall | pas du tout | malheureusement non | en aucun cas | absolument pas
    | lamentablemente no | desgraciadamente no | en absoluto | de ninguna manera | purtroppo no | assolutamente no
    | per niente | infelizmente não | de forma alguma | de modo algum | helaas niet | helaas nee | zeker niet
    | absoluut niet | niestety nie | absolutnie nie | wcale nie | за съжаление не | в никакъв случай"""
_YES_SIGNS = "はい|ええ|可以|是的|是|对的|當然|当然|能|会的"
_NO_SIGNS = "いいえ|いえ|不可以|不是|不行|不能|不会|不|没有|沒有|否"
_LEAD = (
    r"(?:(?:(?:the|short|final|kurze|la|de)\s){0,3}(?:answer|antwort|réponse|respuesta|risposta|resposta)"
    r"(?:\s(?:is|ist|est|es|è|é))?:?\s{1,4}|(?:sorry|well|so),?\s)?"
)
_BEHIND = r"(?:\s?[,;!]|\s?:(?!\s{0,4}\d)|\.(?!\s{0,4}\d)|\s?\u2014|\s-(?=\s)){1,3}|\s{0,4}$"


class Particle(NamedTuple):
    """A particle that opens a text: what it says, and the offset behind it, punctuation included."""

    says: Literal["yes", "no"]
    end: int


def particle_of(text: str) -> Particle | None:
    """Return the yes or no that opens ``text``, or ``None``. Linear; looks at the first `LONGEST` characters.

    >>> particle_of("Not at all: it is free."), particle_of("Leider nein, nur die Kaution.")
    (Particle(says='no', end=11), Particle(says='no', end=12))
    >>> particle_of("No refunds are given."), particle_of("いいえ、できません。")
    (None, Particle(says='no', end=4))
    """
    head = text[:LONGEST]
    folded = head if head.isascii() else plain(head)
    if len(folded) != len(head):
        folded = head
    found = _OPENING.match(folded)
    if found is None:
        return None
    return Particle("yes" if found.lastgroup in ("yes", "hai") else "no", found.end())


def _listed(words: str, phrases: str) -> str:
    every = [*words.split(), *(r",?\s".join(phrase.split()) for phrase in phrases.split("|"))]
    return "|".join(sorted(every, key=len, reverse=True))


_SAID = rf"(?:(?P<yes>{_listed(_YES_WORDS, _YES_PHRASES)})|(?P<no>{_listed(_NO_WORDS, _NO_PHRASES)}))"
_SIGNED = rf"(?:(?P<hai>{_YES_SIGNS})|(?P<iie>{_NO_SIGNS}))"
_OPENING = re.compile(
    rf"\A\W{{0,8}}{_LEAD}{_SAID}[*_\"']{{0,3}}(?:{_BEHIND})"
    rf"|\A\W{{0,8}}{_SIGNED}(?:[\u3001\u3002\uff0c\uff01,.!:\uff1a]{{1,2}}|$)",
    re.IGNORECASE,
)
