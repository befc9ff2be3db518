"""Names that somebody wrote: which one was meant."""

from __future__ import annotations

import difflib
from collections.abc import Collection

LEAST_BEGINNING = 2


def suggestion(name: str, known: Collection[str]) -> str:
    """Return ``; did you mean 'x'?`` where one of ``known`` is close or begins like it, else nothing.

    Signs, and upper and lower case, make no difference.

    >>> suggestion("stale_sorce_use", ["stale_source_use", "composite"]), suggestion("x", ["composite"])
    ("; did you mean 'stale_source_use'?", '')
    >>> suggestion("Bleu", ["BLEU"]), suggestion("bert_score", ["METEOR", "Bert-Score.f1"])
    ("; did you mean 'BLEU'?", "; did you mean 'Bert-Score.f1'?")
    """
    plain = {_plain(each): each for each in reversed(list(known))}
    meant = _plain(name)
    close = difflib.get_close_matches(meant, plain, n=1)
    if not close and len(meant) >= LEAST_BEGINNING:
        close = [each for each in reversed(plain) if each.startswith(meant)]
    return f"; did you mean {plain[close[0]]!r}?" if close else ""


def _plain(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())
