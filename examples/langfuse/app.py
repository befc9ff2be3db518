"""A small application on the Langfuse SDK whose answers Groundwire scores. It needs no network and no key.

Only the lines between the two markers have to do with Groundwire; everything else stands for your own application.
"""

from __future__ import annotations

import re
from typing import Any

# --- groundwire: the client that sends to it
from langfuse import Langfuse, observe, propagate_attributes
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider

langfuse = Langfuse(
    base_url="http://127.0.0.1:4318",
    public_key="pk-lf-groundwire",
    secret_key="sk-lf-groundwire",
    tracer_provider=TracerProvider(resource=Resource.create({"service.name": "hotel-desk"})),
)
# --- groundwire: end

DOCUMENTS: list[dict[str, Any]] = [
    {
        "id": "HTL-1@5",
        "content": "Breakfast is served from 7 to 10. On Sundays breakfast is served until 11.",
        "metadata": {"doc_id": "HTL-1", "version": "5", "effective_from": "2025-05-01", "supersedes": "HTL-1@4"},
    },
    {
        "id": "HTL-2@2",
        "content": "Rooms are free from 15:00. Luggage is kept at the desk before check-in.",
        "metadata": {"doc_id": "HTL-2", "version": "2", "effective_from": "2024-01-01"},
    },
    {
        "id": "HTL-3@1",
        "content": "The sauna opens at 16:00. Children use the sauna with a parent.",
        "metadata": {"doc_id": "HTL-3", "version": "1", "effective_from": "2022-06-01"},
    },
]
QUESTIONS = [
    ("meals", "Until when is breakfast served on Sundays?"),
    ("rooms", "Where is luggage kept before check-in?"),
    ("spa", "When does the sauna open?"),
]


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


@observe(as_type="retriever")
def find(question: str) -> list[dict[str, Any]]:
    """Stands for your retriever: ranks documents by the words they share with the question."""
    found = [{**document, "score": len(words(question) & words(document["content"]))} for document in DOCUMENTS]
    return sorted(found, key=lambda document: -document["score"])[:2]


@observe(as_type="generation")
def ask_model(messages: list[dict[str, str]]) -> str:
    """Stands for your model: quotes the sentence of the numbered passages that shares most words with the question."""
    asked = words(messages[-1]["content"])
    passages = re.findall(r"^\[(\d+)\] (.*)$", messages[0]["content"], re.MULTILINE)
    quotes = [(number, sentence) for number, text in passages for sentence in re.findall(r"[^.]+", text)]
    number, sentence = max(quotes, key=lambda quote: len(asked & words(quote[1])))
    text = f"{sentence.strip()} [{number}]."
    read, wrote = sum(len(message["content"].split()) for message in messages), len(text.split())
    langfuse.update_current_generation(model="local-1", usage_details={"input": read, "output": wrote})
    return text


@observe()
def answer(question: str) -> str:
    passages = "\n".join(f"[{i}] {document['content']}" for i, document in enumerate(find(question), start=1))
    system = f"Answer from these passages:\n{passages}"
    return ask_model([{"role": "system", "content": system}, {"role": "user", "content": question}])


if __name__ == "__main__":
    for domain, question in QUESTIONS:
        # What stands in the metadata may become a slice of the scores: see the README beside this file.
        with propagate_attributes(metadata={"domain": domain}):
            print(f"{question}\n  {answer(question)}")
