"""The demo: a LangChain policy assistant, watched by an agent in another process, while a source goes stale."""
