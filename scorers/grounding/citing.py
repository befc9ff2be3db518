"""What the claims of an answer cite, and how far it supports them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, missing_input, not_applicable
from scorers.memory import Memory, once
from scorers.ports.entailment import Entailment
from scorers.support.alone import Alone
from scorers.support.attribution import ClaimAttribution, attribution
from scorers.support.entailed import support_by, told_by
from scorers.text.excerpt import excerpt

LISTED = 5
"""Failing claims or citations that the evidence lists."""


@dataclass(frozen=True, slots=True)
class Cited:
    """What a claim cites: passage ids, and the places of those that were retrieved. ``None`` as id points nowhere."""

    claim: int
    ids: Sequence[str | None]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Citing:
    """An answer that cites: its claims against its passages, and what each of them cites.

    ``claims`` are all but those of which a cited passage came without its text; ``texts`` are those of the passages. A
    ``model`` of entailment, where there is one, says how surely they support a claim.
    """

    attribution: ClaimAttribution
    claims: tuple[Cited, ...]
    texts: tuple[str, ...]
    model: Entailment | None = None

    @property
    def by(self) -> str:
        """Which model judged, as it follows an explanation; empty for the trees."""
        return "" if self.model is None else told_by(self.model)

    def alone(self, claim: int, places: Sequence[int]) -> Alone:
        """Return what passages say of a claim together, without the others."""
        (found,) = self.attribution.alone([(claim, places)])
        if self.model is None:
            return found
        return replace(found, support=self._by_model(self.model, claim, [self.texts[place] for place in places]))

    def against(self, claim: int, text: str) -> float:
        """Return how surely another text supports a claim."""
        if self.model is None:
            return self.attribution.against(claim, text).support
        return self._by_model(self.model, claim, [text])

    def together(self, cited: Cited) -> Alone | None:
        """Return what the passages that a claim cites say of it together; ``None`` where none was retrieved."""
        return self.alone(cited.claim, cited.places) if cited.places else None

    def _by_model(self, model: Entailment, claim: int, texts: Sequence[str]) -> float:
        return support_by(model, texts, self.attribution.claims[claim].words)


def citing(answer: Answer, env: Env) -> Citing | Absent:
    """Hold the claims of ``answer`` against what they cite, all at once, or say why that cannot be done."""
    if answer.citations is None:
        return missing_input("citations")
    found = _citing(answer, env.memory)
    if env.entailment is None or isinstance(found, Absent):
        return found
    return replace(found, model=env.entailment)


@once
def _citing(answer: Answer, memory: Memory) -> Citing | Absent:
    """Return the same by the trees."""
    found = attribution(answer, memory)
    if found is None:
        return not_applicable("the answer makes no claim")
    passages = answer.passages or ()
    every = [
        Cited(claim, ids, places) for claim, (ids, places) in enumerate(zip(found.cited, found.places, strict=True))
    ]
    if not any(each.ids for each in every):
        return not_applicable("no claim of the answer carries a citation")
    claims = tuple(each for each in every if all(passages[place].text is not None for place in each.places))
    if not any(each.ids for each in claims):
        return missing_input("text of a cited passage")
    together = [(each.claim, each.places) for each in claims if each.places]
    found.alone([*together, *((claim, (place,)) for claim, places in together for place in places)])
    return Citing(found, claims, tuple(passage.text or "" for passage in passages))


def shown(answer: Answer, found: ClaimAttribution, cited: Cited, judged: Alone | None) -> Evidence:
    """Return evidence of a claim that what it cites does not support: the nearest sentence, and what differs."""
    claim = found.claims[cited.claim]
    said, passage_id = "cites nothing", None
    if judged is not None:
        passages = answer.passages or ()
        nearest = None if judged.place is None else passages[judged.place].text
        same = [place for place in cited.places if passages[place].text == nearest]
        passage_id = passages[(same or cited.places)[0]].id
        said = f"{told(judged)} from what it cites{differs(judged)}"
    elif cited.ids:
        said, passage_id = "cites a passage that was not retrieved", cited.ids[0]
    return Evidence.of_claim(claim, f"claim {excerpt(claim.words)!r} {said}", passage_id)


def told(judged: Alone) -> str:
    """Tell a support as a figure."""
    return f"support {judged.support:.2f}"


def differs(judged: Alone) -> str:
    """Tell the nearest sentence and what differs, as they follow the figure."""
    if judged.sentence is None:
        return "; no sentence of it shares a word with the claim"
    return f"; nearest {excerpt(judged.sentence)!r}; {judged.difference}"
