"""LangChain: a step after the model that shows an answer only if its passages carry it."""

from groundwire_verify import verify
from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough

PASSAGES = [Document("Hotels cost up to 180 EUR a night.", metadata={"doc_id": "TRV-1", "version": "3"})]
ANSWERS = {"What may a hotel cost?": "Up to 180 EUR a night.", "And in Paris?": "Up to 250 EUR a night."}


def guarded(state: dict) -> str:
    """Return the answer, or what is said in its place."""
    documents = [{"text": each.page_content, "metadata": each.metadata} for each in state["documents"]]
    verdict = verify(state["question"], state["answer"], documents)
    return state["answer"] if verdict.safe else f"I cannot confirm that ({verdict.verdict})."


def build() -> Runnable:
    """Return the chain: retrieve, answer, guard. Retriever and model are made up."""
    return (
        RunnablePassthrough.assign(documents=lambda _: PASSAGES)
        | RunnablePassthrough.assign(answer=lambda state: ANSWERS[state["question"]])
        | RunnableLambda(guarded)
    )


if __name__ == "__main__":
    for question in ANSWERS:
        print(build().invoke({"question": question}))
