"""Which of the retrieved passages the generator was shown: those that stand in its prompt."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import orjson

from adapters.assembly.calls import Call
from adapters.schema import Passage

_MAX_SEARCH_CHARS = 100_000_000
"""Most characters searched for passages: a hundred passages in a prompt of a million, some tenths of a second."""


def shown(passages: Sequence[Passage], basis: Sequence[Call]) -> tuple[str, ...]:
    """Return the ids of the passages found in a prompt, in its order; of all passages where the prompt does not tell.

    ``basis`` are the calls the answer was made by, the last one first. An earlier one is looked at only where the last
    was not shown everything: a chain that refines its answer shows each call another passage.
    """
    everything = tuple(dict.fromkeys(passage.id for passage in passages))
    if not basis or not basis[0].prompt or any(call.prompt_is_cut for call in basis):
        return everything
    if len(passages) * sum(len(call.prompt) for call in basis) > _MAX_SEARCH_CHARS:
        return everything
    unknown = {passage.id for passage in passages if passage.text is None}
    found: list[str] = []
    for call in basis:
        missing = [passage for passage in passages if passage.text is not None and passage.id not in found]
        if not missing:
            break
        found = [*_found(missing, call.prompt), *found]
    if not found:
        return everything
    if unknown:
        return tuple(identity for identity in everything if identity in unknown or identity in found)
    return tuple(dict.fromkeys(found))


def _found(passages: Sequence[Passage], prompt: str) -> list[str]:
    """Return the ids of the passages in ``prompt``, by place; where one is missing, whitespace is made alike first."""
    places = [_place(passage.text or "", prompt, _as_it_is) for passage in passages]
    if any(place < 0 for place in places):
        alike = _folded(prompt)
        places = [_place(passage.text or "", alike, _folded) for passage in passages]
    placed = sorted((place, number) for number, place in enumerate(places) if place >= 0)
    return [passages[number].id for _, number in placed]


def _place(text: str, prompt: str, fold: Callable[[str], str]) -> int:
    """Return where ``text`` stands in ``prompt``, as it is or escaped as in a dumped tool result; -1 if nowhere."""
    as_it_is = fold(text)
    if (place := prompt.find(as_it_is)) >= 0:
        return place
    tried = {as_it_is}
    for written in (_json, _ascii_json, _python):
        wanted = fold(written(text))
        if wanted not in tried and (place := prompt.find(wanted)) >= 0:
            return place
        tried.add(wanted)
    return -1


def _as_it_is(text: str) -> str:
    return text


def _folded(text: str) -> str:
    return " ".join(text.split())


def _json(text: str) -> str:
    try:
        return orjson.dumps(text).decode()[1:-1]
    except TypeError:  # half a surrogate pair, which Python holds and UTF-8 has not
        return json.dumps(text, ensure_ascii=False)[1:-1]


def _ascii_json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _python(text: str) -> str:
    return repr(text)[1:-1]
