"""A recorded answer with the context that another retriever returns for its question."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from adapters.schema import Answer, Passage


def adopted(found: Sequence[Passage], recorded: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return what was found, in its order, with what is known of passages that were recorded word for word alike.

    The same words are the same passage: its document and dates are taken over where the retriever says nothing of
    them, so that an index which returns less beside the text is not taken for another one. Of passages with one id,
    the later ones get another.

    >>> recorded = (Passage(id="p", text="Leave is 20 weeks.", doc_id="leave", version="2"),)
    >>> [one] = adopted((Passage(id="9", text="Leave is 20 weeks.", score=0.5),), recorded)
    >>> one.doc_id, one.version, one.score
    ('leave', '2', 0.5)
    """
    known = {passage.text: passage for passage in reversed(recorded)}
    ids: set[str] = set()
    made: list[Passage] = []
    for rank, passage in enumerate(found):
        before = known.get(passage.text)
        told = passage.model_dump(exclude_none=True) | {"rank": rank}
        name = passage.id
        while name in ids:
            name = f"{name}#{rank}"
        ids.add(name)
        base = {} if before is None else before.model_dump(exclude_none=True, exclude={"score", "rank", "stage"})
        made.append(Passage.model_validate(base | told | {"id": name}))
    return tuple(made)


def with_context(answer: Answer, found: Sequence[Passage]) -> Answer:
    """Return the answer as if the application had been given ``found``, and nothing else.

    >>> answer = Answer(id="a", passages=(Passage(id="p", text="old"),), context=("p",))
    >>> [passage.text for passage in with_context(answer, (Passage(id="q", text="new"),)).context_passages()]
    ['new']
    """
    ids = {passage.id for passage in found}
    citations = answer.citations and tuple(
        each if each.passage_id is None or each.passage_id in ids else each.model_copy(update={"passage_id": None})
        for each in answer.citations
    )
    update = {"passages": tuple(found), "context": tuple(each.id for each in found), "citations": citations}
    return answer.model_copy(update={**update, "stages": None})


def same_words(one: Sequence[Passage], other: Sequence[Passage]) -> bool:
    """Whether two contexts have the same passages in the same order, word for word.

    >>> same_words((Passage(id="1", text="a"),), (Passage(id="2", text="a"),))
    True
    """
    return [each.text for each in one] == [each.text for each in other]


def replay_key(answer: Answer, found: Sequence[Passage]) -> bytes:
    """Return what two answers share whose support under both contexts is the same: the words of all of it."""
    digest = sha256()
    context = answer.context_passages() or ()
    parts = [answer.question, answer.answer, *(each.text for each in context), "", *(each.text for each in found)]
    for part in parts:
        data = (part or "").encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()
