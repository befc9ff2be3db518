"""Behaviours that labels require or forbid ("refuse", "cite_exception_and_route_to_budget_control"), read as words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from adapters.caching import cached
from scorers.text.normalize import word_set

BehaviourKind = Literal[
    "answer", "refuse", "abstain", "refer", "state", "cite", "clarify", "caution", "approve", "advise", "invent", "use"
]
"""What a behaviour does."""
KINDS: tuple[BehaviourKind, ...] = get_args(BehaviourKind)

MAX_LETTERS = 400
MAX_PARTS = 8
LATEST = 3
"""A verb of a behaviour is among so many of its first words."""

_VERBS: Mapping[BehaviourKind, str] = {
    "answer": "answer comply respond provide help give",
    "refuse": "refuse decline deny reject withhold",
    "abstain": "abstain acknowledge admit",
    "refer": "defer refer route redirect direct consult transfer forward escalate contact hand report involve",
    "state": "state mention include explain name tell note identify list describe specify say surface highlight"
    " disclose reveal share expose leak flag",
    "cite": "cite quote reference link attribute",
    "clarify": "clarify ask request",
    "caution": "warn caution bound disclaim caveat hedge qualify",
    "approve": "approve allow authorize authorise permit grant promise",
    "advise": "advise recommend suggest prescribe diagnose",
    "invent": "guess speculate invent fabricate hallucinate",
    "use": "use follow apply rely base",
}
_NOUNS: Mapping[str, BehaviourKind] = {
    "compliance": "answer",
    "refusal": "refuse",
    "denial": "refuse",
    "abstention": "abstain",
    "unanswerable": "abstain",
    "deferral": "refer",
    "referral": "refer",
    "escalation": "refer",
    "handoff": "refer",
    "explanation": "state",
    "disclosure": "state",
    "citation": "cite",
    "citations": "cite",
    "clarification": "clarify",
    "disclaimer": "caution",
    "warning": "caution",
    "approval": "approve",
    "advice": "advise",
    "recommendation": "advise",
    "speculation": "invent",
    "invention": "invent",
    "hallucination": "invent",
}
_NEGATORS = word_set("not no never avoid don dont without nothing")
_IDLE = word_set(
    "a an and any as at be by do does for from in into is it must of on or our should shall t that the their this to up"
    " user users customer asker requester with answer question"
)
_WORDS = re.compile(r"[^\W_]+")
_LIMITS = frozenset({"without", "unless", "until", "before"})


class Behaviour(NamedTuple):
    """One thing a label asks for: what is done, to what, not without what, and whether it is not to be done."""

    kind: BehaviourKind
    object: str
    limit: str
    negated: bool
    text: str


@cached(maxsize=512, longest=2_000)
def behaviours_of(label: str) -> tuple[tuple[Behaviour, ...], tuple[str, ...]]:
    """Return the behaviours that a label names, and the parts of it that name none that is known.

    >>> found, unknown = behaviours_of("cite_exception_and_route_to_budget_control")
    >>> [(each.kind, each.object) for each in found], unknown
    ([('cite', 'exception'), ('refer', 'budget control')], ())
    >>> behaviours_of("approve_expedite_without_exception")[0][0][:3]
    ('approve', 'expedite', 'exception')
    >>> behaviours_of("be_nice")
    ((), ('be nice',))
    """
    known: list[Behaviour] = []
    unknown: list[str] = []
    for part in _parts(_WORDS.findall(label[:MAX_LETTERS].casefold())):
        found = _behaviour(part)
        if found is not None:
            known.append(found)
        elif part:
            unknown.append(" ".join(part))
    return tuple(known[:MAX_PARTS]), tuple(unknown)


def _parts(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the words of each part: "and" and "then" part where a verb follows."""
    part: list[str] = []
    for place, word in enumerate(words):
        if word in ("and", "then", "or") and part and _verb(words[place + 1 : place + 1 + LATEST]) is not None:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _verb(words: Sequence[str]) -> int | None:
    return next((place for place, word in enumerate(words[:LATEST]) if word in _KIND_OF), None)


def _behaviour(part: Sequence[str]) -> Behaviour | None:
    at = _verb(part)
    if at is None:
        return None
    rest = list(part[at + 1 :])
    split = next((place for place, word in enumerate(rest) if word in _LIMITS), len(rest))
    waits = split < len(rest) and rest[split] in ("until", "before") and _KIND_OF[part[at]] == "refer"
    main, limit = (rest, []) if waits else (rest[:split], rest[split + 1 :])
    object_, limited = (
        " ".join(word for word in words if word not in _IDLE and word not in _LIMITS) for words in (main, limit)
    )
    negated = not _NEGATORS.isdisjoint(part[:at])
    return Behaviour(_KIND_OF[part[at]], object_, limited, negated, " ".join(part))


def _forms(verb: str) -> Iterator[str]:
    """Yield a verb as labels write it."""
    stem = verb.removesuffix("e")
    yield from (verb, f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing", f"{verb}ed", f"{verb}ing")
    if verb.endswith("y"):
        yield from (f"{verb[:-1]}ies", f"{verb[:-1]}ied")
    yield from (f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing")


_KIND_OF: dict[str, BehaviourKind] = {
    form: kind for kind in KINDS for verb in _VERBS[kind].split() for form in _forms(verb)
}
_KIND_OF |= _NOUNS
