"""Identifier integrity: whether versions, codes, commands and paths are copied without change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.text.excerpt import excerpt
from scorers.text.grouped import stands_among
from scorers.text.identifiers import Identifier, identifiers, nearest
from scorers.text.normalize import word_set
from scorers.text.phrases import words
from scorers.text.plain import Placed
from scorers.text.sentences import MAX_ANSWER, split_sentences
from scorers.text.source import MAX_CONTEXT

SHOWN = 10
"""Altered identifiers that the evidence lists."""
_TOLD = word_set("you your please must should need let us")
_FIRST = word_set("first then next now finally also and to so just simply afterwards")
_DO = word_set(
    "add apply boot call change check choose clear click close configure contact copy create delete deploy dial"
    " disable download edit email enable enter execute export find flash go import install kill launch log look mail"
    " move open patch pay phone ping press pull push quote reboot remove rename replace report reset restart restore"
    " roll run save scan search select send set sign start stop switch tap transfer try turn type uninstall update"
    " upgrade upload use verify visit write"
)


class IdentifierIntegrity(Scorer):
    """Share of the answer's identifiers that its context contains unchanged: 0 none of them, 1 every one.

    Identifiers must be copied letter by letter: versions, error codes, part and order numbers, commands in code marks,
    paths, addresses of pages, e-mail addresses, phone and account numbers however grouped, names with underscores.
    Where they come from: the passages, the question, the conversation and the case. Letter case counts, except in
    addresses and versions, and of an address ``http`` and ``https`` are the same. Dates, amounts with their unit and
    words written with digits (CO2, 3D) are none. An answer without any is ``not_applicable``.
    The label is ``corrupted`` where an instruction ("upgrade to", "you should run") carries one that is nearly one of
    the context, ``unknown`` where others are not there, else ``intact``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="Error E-4012 is fixed in v2.3.1; see /etc/agent.yaml.")
    >>> answer = Answer(id="a", answer="Upgrade to v2.3.2 to fix E-4012.", passages=(passage,))
    >>> score = IdentifierIntegrity().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    >>> score.value, score.evidence[0].detail
    (0.5, "'v2.3.2' is not in the context; nearest 'v2.3.1'")
    """

    metric: ClassVar[Metric] = Metric(
        name="identifier_integrity",
        family="grounding",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of an answer's versions, codes, commands and paths that its context contains: 0 none, 1 all.",
        formula="identifiers of the answer found verbatim in passages, question, history or case / identifiers of the "
        "answer",
        source="Case-aware judge, metric M6 (identifier integrity).",
        bases=("passages",),
        labels=("intact", "unknown", "corrupted"),
        cost="wording",
        limits="Checks only what looks like a code, version, command or path; names and plain words are not "
        "identifiers.",
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["identifier_integrity"] = "identifier_integrity"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the share of intact identifiers, or why there is none."""
        passages = answer.context_passages() or ()
        if any(passage.text is None for passage in passages):
            return missing_input("text of a context passage")
        stated = identifiers((answer.answer or "")[:MAX_ANSWER])
        if not stated:
            return not_applicable("the answer has no identifier")
        texts = [Placed(text).text for text in _bounded(_known(answer))]
        folded = [text.casefold() for text in texts]
        altered = [each for each in stated if each.grouped or not _stands(each, texts, folded)]
        candidates = {known.text for text in texts for known in identifiers(text)} if altered else set()
        altered = [each for each in altered if not (each.grouped and stands_among(each.text, candidates))]
        kept = len(stated) - len(altered)
        return Measured(
            value=kept / len(stated),
            basis="passages",
            label=_label(answer.answer or "", altered, candidates),
            explanation=f"{kept} of {len(stated)} identifiers appear unchanged in the context",
            evidence=tuple(_shown(each, candidates) for each in altered[:SHOWN]),
        )


def instructs(sentence: str) -> bool:
    """Tell whether a sentence says what to do.

    >>> instructs("Then run `agent --fix`."), instructs("You need v2.3."), instructs("It was fixed in v2.3.")
    (True, True, False)
    """
    said = words(sentence)
    start = next((word for word in said if word not in _FIRST), "")
    return start in _DO or not _TOLD.isdisjoint(said)


def _label(text: str, altered: Sequence[Identifier], candidates: set[str]) -> str:
    """Return the worst that befell an identifier: another than one of the context stands in an instruction."""
    if not altered:
        return "intact"
    changed = [each for each in altered if nearest(each.text, candidates) is not None]
    told = [sentence for sentence in split_sentences(text[:MAX_ANSWER]) if changed and instructs(sentence.words)]
    corrupted = any(one.start <= each.start < one.end for each in changed for one in told)
    return "corrupted" if corrupted else "unknown"


def _known(answer: Answer) -> Iterator[str]:
    yield from (passage.text or "" for passage in answer.context_passages() or ())
    yield answer.question or ""
    yield from (turn.content for turn in answer.history or ())
    if answer.case is not None:
        yield answer.case.subject or ""
        yield answer.case.description or ""
        yield from answer.case.identifiers


def _bounded(texts: Iterable[str]) -> Iterator[str]:
    budget = MAX_CONTEXT
    for text in texts:
        if budget <= 0:
            return
        yield text[:budget]
        budget -= len(text)


def _stands(each: Identifier, texts: list[str], folded: list[str]) -> bool:
    if each.any_case:
        wanted = each.text.casefold()
        head, scheme, rest = wanted.partition("://")
        sought = rest if scheme and head in ("http", "https") else wanted
        return any(sought in text for text in folded)
    return any(each.text in text for text in texts)


def _shown(each: Identifier, candidates: set[str]) -> Evidence:
    close = nearest(each.text, candidates)
    beside = f"; nearest {excerpt(close)!r}" if close else ""
    return Evidence(
        kind="span",
        detail=f"{excerpt(each.text)!r} is not in the context{beside}",
        start=each.start,
        end=each.end,
    )
