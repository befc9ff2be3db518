"""A retriever, asked many questions: several at once, each within its time, again where that may help."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import NamedTuple

from adapters.schema import Answer, Passage
from collector.applications.asking import Asking
from collector.applications.callers import World, caller_of, query_of
from collector.commands.retrieval.options import RetrieverFile

Retrieved = tuple[Passage, ...] | str
"""The passages for a question, or why there are none."""


class RetrievalQuery(NamedTuple):
    """What a retriever is asked: the question, and the query that the application made of it, else the same."""

    question: str
    query: str


def asked_of_retriever(answer: Answer) -> RetrievalQuery:
    """Return what an application asked its retriever: the last query of the trace, else the question."""
    return RetrievalQuery(answer.question or "", query_of(answer))


def ask_all(
    wanted: Sequence[RetrievalQuery], file: RetrieverFile, world: World, *, max_chars: int
) -> Generator[tuple[RetrievalQuery, Retrieved], None, None]:
    """Yield what became of each question, in their order; texts are cut at ``max_chars``.

    Raises `ConfigError` for a function or a secret that is not there, and where so many questions in a row fail that
    the retriever is given up: a wrong address is not asked ten thousand times.
    """
    caller, _ = caller_of(file.retriever, world)
    asking = Asking(file.retriever, caller, world.now, world.monotonic, world.random, retrieves=True)
    questions = (Answer(id=str(n), question=each.question, queries=(each.query,)) for n, each in enumerate(wanted))
    with closing(asking.all(questions)) as replies:
        for asked, reply in zip(wanted, replies, strict=True):
            if reply.passages is None:
                yield asked, reply.error or "no reply"
            else:
                yield asked, _kept(reply.passages, file, max_chars)


def _kept(found: tuple[Passage, ...], file: RetrieverFile, max_chars: int) -> Retrieved:
    if file.at_least is not None:
        if any(passage.score is None for passage in found):
            return "a passage has no score, which at_least needs"
        found = tuple(passage for passage in found if passage.score is not None and passage.score >= file.at_least)
    if any(passage.text is None for passage in found):
        return "a passage has no text"
    found = found if file.max_k is None else found[: file.max_k]
    return tuple(each.model_copy(update={"text": (each.text or "")[:max_chars]}) for each in found)
