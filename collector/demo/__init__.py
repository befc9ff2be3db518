"""The demo: a LangChain policy assistant, watched by an agent in another process, while a source goes stale."""

from collector.demo.run import run_demo

__all__ = ["run_demo"]
