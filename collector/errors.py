"""The error types of the agent. Anything else that is raised is a bug: counted, logged once, and the process lives.

`MalformedRecord`, the third type, belongs to the adapters.
"""

from __future__ import annotations


class ConfigError(Exception):
    """The configuration is wrong or something it names is not there: refuse to start.

    ``problems`` are complete lines for a person, each naming the file or key it is about.
    """

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Transient(Exception):  # noqa: N818 - the name of the contract
    """Something that may work when it is tried again: a dead worker, a locked database."""
