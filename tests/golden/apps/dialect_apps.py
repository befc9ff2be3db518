"""The example applications again, as watched by instrumentations other than OpenInference.

The chains are those of `apps.langchain_app`; what identifies a visit goes in as run metadata, which is where these
instrumentations look for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apps import langchain_app as desk
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnablePassthrough
from langchain_core.tools import tool

VISIT = {"session_id": "visit-7", "user_id": "reader-12", "tenant": "branch-north"}


def basic() -> None:
    desk.rag(desk.Shelf()).with_config(run_name="desk").invoke(desk.QUESTION, config={"metadata": VISIT})


def conversation() -> None:
    prompt = ChatPromptTemplate.from_messages(
        [("system", desk.SYSTEM), MessagesPlaceholder("chat_history"), ("human", "{input}")]
    )
    condense = (
        ChatPromptTemplate.from_messages(
            [("system", "Rewrite as a standalone question."), MessagesPlaceholder("chat_history"), ("human", "{input}")]
        )
        | desk.Librarian(rewrites=True)
        | StrOutputParser()
    )
    answering = (
        RunnablePassthrough.assign(context=condense | desk.Shelf())
        | RunnablePassthrough.assign(answer=prompt | desk.Librarian() | StrOutputParser())
    ).with_config(run_name="conversation")
    history = [HumanMessage("Do you lend films?"), AIMessage("Yes, for one week.")]
    answering.invoke({"input": "And how long are books lent?", "chat_history": history}, config={"metadata": VISIT})


class Bound(desk.Librarian):
    """A model that tools can be bound to."""

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self.bind(tools=[{"name": each.name} for each in tools])


def graph() -> None:
    """An agent as a graph: building it is a trace of its own."""
    from langchain.agents import create_agent

    shelf = desk.Shelf()

    @tool
    def handbook(query: str) -> str:
        """Search the handbook."""
        return desk.numbered(shelf.invoke(query))

    agent = create_agent(Bound(tool_name="handbook"), tools=[handbook], system_prompt="Help the reader.", name="clerk")
    agent.invoke({"messages": [HumanMessage(desk.QUESTION)]}, config={"metadata": VISIT})


SCENARIOS: dict[str, Callable[[], None]] = {
    "basic": basic,
    "streaming": desk.streaming,
    "conversation": conversation,
    "reranked": desk.reranked,
    "model-fails": desk.model_fails,
    "retriever-falls-back": desk.retriever_falls_back,
    "retriever-fails": desk.retriever_fails,
    "nothing-found": desk.nothing_found,
    "agent": desk.agent,
    "graph": graph,
    "batch": desk.batch,
    "mapped": desk.mapped,
    "abandoned": desk.abandoned,
    "retriever-only": desk.retriever_only,
    "redacted": conversation,
    "cut": conversation,
}
