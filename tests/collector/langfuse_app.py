"""A RAG application watched by the Langfuse SDK; where to send and which keys to show is in its environment.

    python langfuse_app.py observe|langchain|beside

Prints one JSON object: what the SDK said.
"""

import json
import logging
import sys

from langfuse import get_client, observe

QUESTION = "What is the hotel limit per night?"
PASSAGE = "The hotel limit for domestic travel is 180 EUR per night."
ANSWER = "The hotel limit is 180 EUR per night [1]."


@observe(as_type="retriever")
def retrieve(question):  # noqa: ARG001 - recorded by the SDK
    return [{"id": "TRV-1@3", "content": PASSAGE, "score": 0.9, "metadata": {"doc_id": "TRV-1", "version": "3"}}]


@observe(as_type="generation")
def generate(question, passages):  # noqa: ARG001 - recorded by the SDK
    get_client().update_current_generation(model="local-1", usage_details={"input": 40, "output": 12})
    return ANSWER


@observe
def answer(question):
    return generate(question, retrieve(question))


def with_langchain(question):
    from langchain_core.documents import Document
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnablePassthrough
    from langfuse.langchain import CallbackHandler

    class Retriever(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):  # noqa: ARG002 - the base's signature
            return [Document(page_content=PASSAGE, id="p1", metadata={"doc_id": "TRV-1", "version": "3"})]

    def joined(documents):
        return "\n".join(document.page_content for document in documents)

    prompt = ChatPromptTemplate.from_messages([("system", "Use this context:\n{context}"), ("user", "{question}")])
    model = GenericFakeChatModel(messages=iter([AIMessage(ANSWER)]))
    given = {"context": Retriever() | joined, "question": RunnablePassthrough()}
    chain = given | prompt | model | StrOutputParser()
    return chain.invoke(question, config={"callbacks": [CallbackHandler()]})


def told(call):
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - its type is what is told
        return type(error).__name__


def beside():
    """Everything an application may ask of Langfuse while it is traced."""
    client = get_client()
    said = {"auth_check": told(client.auth_check)}
    with client.start_as_current_observation(name="asked", input=QUESTION) as span:
        span.update(output=ANSWER)
        span.score(name="thumbs", value=1)
        said["url"] = told(client.get_trace_url)
    said["prompt"] = client.get_prompt("none", fallback="the fallback").prompt
    return said


def main(mode):
    logging.basicConfig(level=logging.WARNING)
    said = {}
    if mode == "observe":
        said["answer"] = answer(QUESTION)
    elif mode == "langchain":
        said["answer"] = with_langchain(QUESTION)
    else:
        said = beside()
    get_client().flush()
    get_client().shutdown()
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1])
