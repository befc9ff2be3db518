"""The monitored application: a LangChain (LCEL) policy assistant, deterministic and without a network.

The retriever is a real Okapi BM25 index; the chat model reads its prompt and quotes the sentence that fits the question
best. Neither knows of the agent: telemetry is the application's own OpenInference instrumentation (see `telemetry.py`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import snowballstemmer
from langchain_core.callbacks import CallbackManagerForLLMRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.output_parsers import StrOutputParser
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnablePassthrough

from collector.demo.corpus import Policy

NO_ANSWER = "The policies I was given do not say."

_WORD = re.compile(r"[a-z0-9]+(?:\.[0-9]+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_NUMBERED = re.compile(r"^\[(\d{1,3})\] (.+)$", re.MULTILINE)
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are at be been by do does for from has have how i in is it its many may me much must my of on or "
        "the their they this to up was we what when where which who whom will with within you your",
    )
)
_PROMPT = ChatPromptTemplate.from_messages(
    [
        (
            "system",
            "Answer questions about company policy from the numbered passages only, and cite like [1].\n\n{context}",
        ),
        ("human", "{question}"),
    ]
)


@cache
def _stem(word: str) -> str:
    return str(snowballstemmer.stemmer("english").stemWord(word))


def terms(text: str) -> list[str]:
    """Return the stems of the words of ``text`` that carry meaning, in order.

    >>> terms("How much is reimbursed for hotels?")
    ['reimburs', 'hotel']
    """
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS]


class BM25Retriever(BaseRetriever):
    """Ranks documents by Okapi BM25; documents that share no term with the query are not returned.

    With term frequency tf, document length dl and mean length avgdl, a term adds
    ``idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * dl / avgdl))``.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3; idf with
    the +1 that keeps it positive for terms of most documents.
    """

    documents: tuple[Document, ...]
    k: int = 3
    k1: float = 1.2
    b: float = 0.75

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - the signature of the base class
    ) -> list[Document]:
        bags = [Counter(terms(document.page_content)) for document in self.documents]
        lengths = [bag.total() for bag in bags]
        mean = sum(lengths) / len(lengths) if lengths else 0.0
        scores = [0.0] * len(bags)
        for term in dict.fromkeys(terms(query)):
            holding = sum(term in bag for bag in bags)
            idf = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
            for i, bag in enumerate(bags):
                if tf := bag[term]:
                    scores[i] += idf * tf * (self.k1 + 1) / (tf + self.k1 * (1 - self.b + self.b * lengths[i] / mean))
        best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[: self.k]
        return [
            self.documents[i].model_copy(
                update={"metadata": {**self.documents[i].metadata, "relevance_score": round(scores[i], 4)}}
            )
            for i in best
            if scores[i] > 0
        ]


class ExtractiveChatModel(BaseChatModel):
    """A local, deterministic chat model: it answers with the sentence of its prompt that fits the question best.

    The prompt must hold passages as lines ``[1] text``. Sentences are compared by the terms of the question they hold,
    each weighted by how rare it is among the sentences; ties go to the earlier passage. Tokens are counted as words.
    """

    model_name: str = "extractive-1"

    @property
    def _llm_type(self) -> str:
        return "extractive"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - the signature of the base class
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> ChatResult:
        prompt = "\n".join(message.text for message in messages[:-1])
        text = _quote(messages[-1].text, _NUMBERED.findall(prompt))
        read, written = sum(len(message.text.split()) for message in messages), len(text.split())
        message = AIMessage(
            content=text,
            usage_metadata=UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written),
            response_metadata={"model_name": self.model_name},
        )
        return ChatResult(generations=[ChatGeneration(message=message)], llm_output={"model_name": self.model_name})


def _quote(question: str, passages: Sequence[tuple[str, str]]) -> str:
    """Return the best sentence with its citation, or `NO_ANSWER` if none holds half of what was asked."""
    sentences = [(number, sentence) for number, text in passages for sentence in _SENTENCE_END.split(text)]
    asked = set(terms(question))
    held = [asked & set(terms(sentence)) for _, sentence in sentences]
    spread = Counter(term for found in held for term in found)
    weight = {term: 1 / (1 + spread[term]) for term in asked}
    best = max(range(len(sentences)), key=lambda i: (sum(weight[t] for t in held[i]), -i), default=None)
    if best is None or 2 * len(held[best]) < len(asked):
        return NO_ANSWER
    number, sentence = sentences[best]
    return f"{sentence.rstrip('.!? ')} [{number}]."


def _numbered(documents: Sequence[Document]) -> str:
    return "\n".join(f"[{i}] {document.page_content}" for i, document in enumerate(documents, start=1))


class PolicyAssistant:
    """The application: retrieve, prompt, model, text. Its index changes only when it is told to `rebuild`."""

    def __init__(self, policies: Iterable[Policy]) -> None:
        self._chain: Runnable[str, str] = _chain(policies)

    def rebuild(self, policies: Iterable[Policy]) -> None:
        """Index ``policies`` anew; questions from now on are answered from them."""
        self._chain = _chain(policies)

    def ask(self, question: str, *, domain: str) -> str:
        """Answer ``question``; ``domain`` travels in the run's metadata, from which the agent cuts its slices."""
        return self._chain.invoke(question, config={"run_name": "policy_assistant", "metadata": {"domain": domain}})


def _chain(policies: Iterable[Policy]) -> Runnable[str, str]:
    retriever = BM25Retriever(
        documents=tuple(Document(id=p.key, page_content=p.text, metadata=p.metadata()) for p in policies)
    )
    return (
        {"context": retriever | _numbered, "question": RunnablePassthrough()}
        | _PROMPT
        | ExtractiveChatModel()
        | StrOutputParser()
    )
