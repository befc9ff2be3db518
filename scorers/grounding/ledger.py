"""The claim ledger of a labelled row, judged exactly: which claims the context supports, and which citations hold.

A person cut the claims out of the answer and wrote down the phrases that establish each. A passage supports a claim if
it has all of them. Nothing is estimated, so every value has the basis ``gold``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from adapters.schema import Answer, GoldClaim, Passage
from scorers.base import Absent, Env, Evidence, Measured, missing_input, not_applicable
from scorers.memory import Memory, once
from scorers.text.excerpt import excerpt
from scorers.text.plain import plain
from scorers.text.source import within

LISTED = 5
"""Claims that the evidence lists."""
PLACES = 1_000
"""Places of a phrase in a text that are looked at, where it begins or ends inside a word or number."""
NO_CITATION = "no claim of the ledger carries a citation"

CitationFault = Literal["wrong_chunk", "unsupported", "unresolved"]
FAULTS: tuple[CitationFault, ...] = ("wrong_chunk", "unsupported", "unresolved")
"""What may be wrong with a citation, as ``citation_precision`` labels it, the first one first."""


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim of the ledger: the context passages that support it, and whether the one it cites does."""

    claim: GoldClaim
    by: tuple[Passage, ...]
    cited: Passage | None

    @property
    def named(self) -> str:
        """How evidence names it: by its words, behind its id where it has one."""
        words = repr(excerpt(self.claim.text))
        return words if self.claim.id is None else f"{excerpt(self.claim.id)} {words}"

    @property
    def supported(self) -> bool:
        """Whether a passage of the context supports it."""
        return bool(self.by)

    @property
    def cited_support(self) -> bool:
        """Whether the passage that it cites is in the context and supports it."""
        return any(passage.id == self.claim.citation for passage in self.by)

    @property
    def fault(self) -> CitationFault | None:
        """What is wrong with its citation; ``None`` where it holds, and where there is none."""
        if self.claim.citation is None or self.cited_support:
            return None
        if self.cited is None:
            return "unresolved"
        same = any(_document(passage) == _document(self.cited) for passage in self.by)
        return "wrong_chunk" if same else "unsupported"


@dataclass(frozen=True, slots=True)
class ClaimLedger:
    """The judged claims of an answer, in their order."""

    entries: tuple[JudgedClaim, ...]


def ledger_of(answer: Answer, memory: Memory) -> ClaimLedger | Absent | None:
    """Return the judged ledger of ``answer``, why it cannot be judged, or ``None`` where the row has none.

    An empty ledger says that the answer claims nothing: judged where it should have (it has no words, or the labels
    require points), else there is nothing to judge.

    >>> passage = Passage(id="p", text="Parental leave is 20 weeks.")
    >>> claim = GoldClaim(text="It is 20 weeks.", citation="p", support=("20 weeks",))
    >>> answer = Answer(id="a", answer="It is 20 weeks.", passages=(passage,), claims=(claim,))
    >>> [(entry.supported, entry.cited_support) for entry in ledger_of(answer, Memory()).entries]
    [(True, True)]
    """
    if answer.claims is None:
        return None
    if not answer.claims:
        return ClaimLedger(()) if _owed(answer) else not_applicable("the ledger has no claim")
    return _judged(answer, memory)


@once
def _judged(answer: Answer, _memory: Memory) -> ClaimLedger | Absent:
    context = answer.context_passages()
    if context is None:
        return missing_input("passages")
    texts = [folded(text) for text in within(passage.text or "" for passage in context)]
    known = {passage.id: passage for passage in reversed(answer.passages or ())}
    entries = tuple(_entry(claim, context, texts, known.get(claim.citation or "")) for claim in answer.claims or ())
    withheld = any(passage.text is None for passage in context)
    if withheld and not all(entry.supported and entry.fault is None for entry in entries):
        return missing_input("text of a context passage")
    return ClaimLedger(entries)


def _entry(claim: GoldClaim, context: Sequence[Passage], texts: Sequence[str], cited: Passage | None) -> JudgedClaim:
    phrases = [folded(phrase) for phrase in claim.support]
    by = [
        passage
        for passage, text in zip(context, texts, strict=True)
        if text and all(stands(phrase, text) for phrase in phrases)
    ]
    return JudgedClaim(claim, tuple(by), cited)


def faithful(answer: Answer, env: Env) -> Measured | Absent | None:
    """Return the share of claims that the context supports, or why there is none; ``None`` without a ledger.

    0 for an answer that owed claims and makes none.

    >>> from datetime import UTC, datetime
    >>> passage = Passage(id="p", text="Parental leave is 20 weeks.")
    >>> claims = (GoldClaim(text="20 weeks.", support=("20 weeks",)), GoldClaim(text="Paid.", support=("paid",)))
    >>> answer = Answer(id="a", answer="20 weeks. Paid.", passages=(passage,), claims=claims)
    >>> faithful(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value
    0.5
    """
    ledger = ledger_of(answer, env.memory)
    if not isinstance(ledger, ClaimLedger):
        return ledger
    entries = ledger.entries
    bad = [entry for entry in entries if not entry.supported]
    return Measured(
        value=_share(len(entries) - len(bad), len(entries)),
        basis="gold",
        label="unsupported" if bad or not entries else "supported",
        explanation=f"{len(entries) - len(bad)} of {len(entries)} claims of the ledger are supported by the context",
        evidence=tuple(
            Evidence(kind="claim", detail=f"claim {entry.named}: {_lacking(entry, answer)}") for entry in bad[:LISTED]
        ),
    )


def uncontradicted(answer: Answer, env: Env) -> Measured | None:
    """Return 1 where the context supports every claim of the ledger, so that it contradicts none; else ``None``."""
    found = faithful(answer, env)
    if not isinstance(found, Measured) or found.value < 1:
        return None
    return found._replace(label="not_contradicted")


def cited_support(answer: Answer, env: Env) -> Measured | Absent | None:
    """Return the share of all claims that the context passage they cite supports; ``None`` without a ledger.

    An answer of which no claim cites anything is ``not_applicable``, as everywhere: many applications never cite.
    """
    ledger = _citing(answer, env.memory)
    if not isinstance(ledger, ClaimLedger):
        return ledger
    entries = ledger.entries
    bad = [entry for entry in entries if not entry.cited_support]
    return Measured(
        value=_share(len(entries) - len(bad), len(entries)),
        basis="gold",
        explanation=f"{len(entries) - len(bad)} of {len(entries)} claims of the ledger are supported by what they cite",
        evidence=tuple(_miscited(entry) for entry in bad[:LISTED]),
    )


def cited_precisely(answer: Answer, env: Env) -> Measured | Absent | None:
    """Return the share of citations whose passage supports its claim, and what is wrong; ``None`` without a ledger."""
    ledger = _citing(answer, env.memory)
    if not isinstance(ledger, ClaimLedger):
        return ledger
    entries = ledger.entries
    cited = [entry for entry in entries if entry.claim.citation is not None]
    if not cited:
        return not_applicable(NO_CITATION)
    bad = [entry for entry in cited if entry.fault is not None]
    kinds = {entry.fault for entry in bad}
    return Measured(
        value=_share(len(cited) - len(bad), len(cited)),
        basis="gold",
        label=next((kind for kind in FAULTS if kind in kinds), "precise"),
        explanation=f"{len(cited) - len(bad)} of {len(cited)} citations of the ledger point to a passage that supports "
        "the claim",
        evidence=tuple(_miscited(entry) for entry in bad[:LISTED]),
    )


def cited_at_all(answer: Answer, env: Env, *, require: bool) -> Measured | Absent | None:
    """Return the share of claims that cite something; ``None`` without a ledger.

    ``require`` makes a ledger without any citation 0 instead of ``not_applicable``.
    """
    ledger = ledger_of(answer, env.memory)
    if not isinstance(ledger, ClaimLedger):
        return ledger
    entries = ledger.entries
    bare = [entry for entry in entries if entry.claim.citation is None]
    if entries and len(bare) == len(entries) and not require:
        return not_applicable(NO_CITATION)
    return Measured(
        value=_share(len(entries) - len(bare), len(entries)),
        basis="gold",
        explanation=f"{len(entries) - len(bare)} of {len(entries)} claims of the ledger carry a citation",
        evidence=tuple(Evidence(kind="claim", detail=f"no citation: {entry.named}") for entry in bare[:LISTED]),
    )


def complete(answer: Answer, env: Env) -> Measured | Absent | None:
    """Return the share of the required points that supported claims tell; ``None`` where no ledger tells of points."""
    required = {folded(point): point for point in (answer.gold.required_points if answer.gold is not None else ())}
    named = {folded(claim.point) for claim in answer.claims or () if claim.point is not None}
    if answer.claims is None or not required or (answer.claims and named.isdisjoint(required)):
        return None
    ledger = ledger_of(answer, env.memory)
    if not isinstance(ledger, ClaimLedger):
        return ledger
    entries = ledger.entries
    told = {folded(entry.claim.point) for entry in entries if entry.supported and entry.claim.point is not None}
    missing = [point for key, point in required.items() if key not in told]
    return Measured(
        value=_share(len(required) - len(missing), len(required)),
        basis="gold",
        explanation=f"{len(required) - len(missing)} of {len(required)} points are stated by supported claims of the "
        "ledger",
        evidence=tuple(
            Evidence(kind="claim", detail=f"{excerpt(point)!r} is stated by no supported claim")
            for point in missing[:LISTED]
        ),
    )


def folded(text: str) -> str:
    """Return a text as it is compared: in its plain spelling, in small letters, with single blanks.

    >>> folded("The  release FREEZE")
    'the release freeze'
    """
    return " ".join(plain(text).casefold().split())


def stands(phrase: str, text: str) -> bool:
    """Return whether a folded text has a folded phrase, not as the end of another word or a part of another number.

    >>> [stands(phrase, "120 weeks, unpaid") for phrase in ("120 week", "20 weeks", "paid")]
    [True, False, False]
    """
    if not phrase:  # of invisible characters alone nothing is left to look for
        return False
    at = -1
    for _ in range(PLACES):
        at = text.find(phrase, at + 1)
        if at < 0:
            return False
        if _whole(phrase, text, at):
            return True
    return False


def _whole(phrase: str, text: str, at: int) -> bool:
    before, after = text[max(0, at - 4) : at], text[at + len(phrase) : at + len(phrase) + 2]
    if phrase[0].isdigit() and _goes_on(before[::-1]):
        return False
    # Scripts without small and capital letters write words together, or put particles before them.
    if phrase[0].islower() and (before[-1:].islower() or before.endswith("non-")):
        return False
    return not (phrase[-1].isdigit() and _goes_on(after))


def _goes_on(beside: str) -> bool:
    """Return whether a number goes on with the characters beside it, the nearest first."""
    return beside[:1].isdigit() or (beside[:1] in (".", ",") and beside[1:2].isdigit())


def _owed(answer: Answer) -> bool:
    required = answer.gold.required_points if answer.gold is not None else ()
    return bool(required) or not (answer.answer or "").strip()


def _citing(answer: Answer, memory: Memory) -> ClaimLedger | Absent | None:
    ledger = ledger_of(answer, memory)
    if not isinstance(ledger, ClaimLedger) or not ledger.entries:
        return ledger
    return ledger if any(each.claim.citation is not None for each in ledger.entries) else not_applicable(NO_CITATION)


def _share(good: int, every: int) -> float:
    return good / every if every else 0.0


def _lacking(entry: JudgedClaim, answer: Answer) -> str:
    """Tell which of its phrases the context lacks, as far as one lacks everywhere."""
    texts = [folded(text) for text in within(passage.text or "" for passage in answer.context_passages() or ())]
    absent = _absent(entry.claim.support, texts)
    missing = next(absent, None)
    if missing is None:
        return "no passage of the context has all of its phrases"
    return f"no passage of the context says {excerpt(missing)!r}"


def _absent(phrases: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    return (phrase for phrase in phrases if not any(stands(folded(phrase), text) for text in texts))


def _miscited(entry: JudgedClaim) -> Evidence:
    claim, cited = entry.named, entry.cited
    if entry.claim.citation is None:
        return Evidence(kind="claim", detail=f"claim {claim} cites nothing")
    if cited is None:
        return Evidence(kind="claim", detail=f"claim {claim} cites a passage that was not retrieved")
    detail = f"claim {claim} is not supported by {excerpt(cited.id)} in the context"
    if entry.by:
        detail += f", but by {excerpt(entry.by[0].id)}"
    return Evidence.of_passage(cited, detail, kind="claim")


def _document(passage: Passage) -> tuple[str, str | None]:
    return passage.doc_id or passage.id, passage.version
