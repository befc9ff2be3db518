"""YAML as plain texts, lists and mappings, read event by event.

A catalog is written by people and comes from files, so: no scalar is typed (version ``4.10`` stays ``4.10``, a date
stays what was written), a key that stands twice is kept twice for the reader to refuse, aliases are refused because
they can blow up, and nesting is bounded because the composer of the YAML library recurses in C and a deep text ends the
process.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import yaml

MAX_DEPTH = 8
"""Nesting that is read; a catalog needs four levels."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class YamlError(ValueError):
    """A text that is not one YAML document of the accepted kind; the message names the line."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """Pairs of a mapping as written, in order, with repetitions. A key that is no text is shown as ``?``.

    ``line`` is where it begins, from 1.
    """

    pairs: list[tuple[str, Node]] = field(default_factory=list)
    line: int = 0


Node: TypeAlias = "str | list[Node] | Mapping | None"


class _Builder:
    """Puts the nodes of one document together; a mapping that is being read remembers the key it waits with."""

    def __init__(self) -> None:
        self.root: Node = None
        self._open: list[tuple[list[Node] | Mapping, list[str]]] = []
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        """Take the next event of the parser."""
        if isinstance(event, yaml.ScalarEvent):
            null = event.implicit[0] and event.value in _NULLS
            self._add(None if null else event.value)
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(self._open) == MAX_DEPTH:
                raise YamlError(_at(event, f"nested deeper than {MAX_DEPTH} levels"))
            line = 0 if event.start_mark is None else event.start_mark.line + 1
            container: list[Node] | Mapping = [] if isinstance(event, yaml.SequenceStartEvent) else Mapping(line=line)
            self._add(container)
            self._open.append((container, []))
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
        elif isinstance(event, yaml.AliasEvent):
            raise YamlError(_at(event, "aliases are not accepted in a catalog"))
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise YamlError(_at(event, "a second document; a catalog is one"))

    def _add(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        container, key = self._open[-1]
        if isinstance(container, list):
            container.append(node)
        elif key:
            container.pairs.append((key.pop(), node))
        else:
            key.append(node if isinstance(node, str) else "?")


def read_yaml(text: str) -> Node:
    """Return the one document in ``text``; ``None`` for an empty text. Raises `YamlError`.

    >>> read_yaml("documents: [{id: T, version: 4.10}]").pairs[0][1][0].pairs
    [('id', 'T'), ('version', '4.10')]
    """
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = "" if mark is None else f"line {mark.line + 1}: "
        raise YamlError(f"{line}{error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise YamlError(str(error).splitlines()[0]) from None
    return builder.root


def _at(event: yaml.Event, problem: str) -> str:
    return problem if event.start_mark is None else f"line {event.start_mark.line + 1}: {problem}"
