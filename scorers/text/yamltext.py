"""The one reader of YAML: strict, bounded, and told by line where a text is wrong.

It reads event by event and not by the composer of the YAML library, which recurses in C (a deep text ends the process),
lets the last of two equal keys win, and repeats what an alias names as often as it is named: nine lines of nine aliases
each are 400 million values. Here a duplicate key is refused, nesting is bounded, and so is the number of values with
all aliases followed, which is counted before any of them is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import yaml

MAX_DEPTH = 8
"""Nesting of plain texts; a catalog needs four levels."""
MAX_TYPED_DEPTH = 50
"""Nesting of typed values; a configuration needs about ten levels."""
MAX_VALUES = 100_000
"""Typed values of a text, with all aliases followed; a large configuration has some thousands."""
MAX_TOLD = 20
"""Duplicate keys that are told at once."""
MAX_NUMBER = 100
"""Characters of a number: one of many parts by 60, as times are, takes time that grows with the square of them."""
SHOWN = 80
"""Characters of a key, a tag or a path that an error repeats."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TAG = "tag:yaml.org,2002:"
_COLLECTIONS = frozenset({None, "!", f"{_TAG}seq", f"{_TAG}map"})
_SCALARS = frozenset(f"{_TAG}{name}" for name in ("null", "bool", "int", "float", "timestamp", "str"))
_NUMBERS = frozenset({f"{_TAG}int", f"{_TAG}float"})
_MERGE = f"{_TAG}merge"


class YamlError(ValueError):
    """A text that is not one YAML document of the accepted kind. ``problems`` has one line each, naming lines."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class YamlMapping:
    """Pairs of a mapping as written, in order; no key stands twice. A key that is no text is shown as ``?``.

    ``line`` is where it begins, from 1.
    """

    pairs: list[tuple[str, YamlNode]] = field(default_factory=list)
    line: int = 0


YamlNode: TypeAlias = "str | list[YamlNode] | YamlMapping | None"


def read_yaml(text: str) -> YamlNode:
    """Return the one document in ``text`` as plain texts, lists and mappings; ``None`` for an empty text.

    No scalar is typed: version ``4.10`` stays ``4.10`` and a date stays what was written. Raises `YamlError`, for
    aliases, too.

    >>> read_yaml("documents: [{id: T, version: 4.10}]").pairs[0][1][0].pairs
    [('id', 'T'), ('version', '4.10')]
    >>> read_yaml("documents: [{id: T, id: U}]")
    Traceback (most recent call last):
    scorers.text.yamltext.YamlError: documents[0].id: duplicate key 'id' at line 1, first given at line 1
    """
    found: YamlNode = _read(text, _Builder(_plain, depth=MAX_DEPTH))
    return found


def load_yaml(text: str) -> Any:
    r"""Return the one document in ``text`` with its values typed, as YAML 1.1 has it; ``None`` for an empty text.

    Aliases and merge keys are followed, as long as there are no more than `MAX_VALUES` values. Raises `YamlError`.

    >>> load_yaml("a: &a {x: 1, y: 2.5}\nb: {<<: *a, y: yes}\nc: [*a]")
    {'a': {'x': 1, 'y': 2.5}, 'b': {'x': 1, 'y': True}, 'c': [{'x': 1, 'y': 2.5}]}
    """
    return _made(_read(text, _Builder(_Scalars(), depth=MAX_TYPED_DEPTH, values=MAX_VALUES)))


def _read(text: str, builder: _Builder) -> Any:
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = "" if mark is None else f"line {mark.line + 1}: "
        at = "" if mark is None else "".join(text.splitlines()[mark.line : mark.line + 1])[mark.column :]
        problem = "a tab; indent with blanks" if at.startswith("\t") else error.problem or error.context
        raise YamlError(f"{line}not YAML: {problem}") from None
    except yaml.YAMLError as error:
        raise YamlError(f"not YAML: {str(error).splitlines()[0]}") from None
    except UnicodeEncodeError:
        raise YamlError("not YAML: unpaired surrogate") from None
    if builder.duplicates:
        raise YamlError(*builder.told())
    return builder.root


class _Named(NamedTuple):
    """What an anchor names: ``size`` is how many values that is with all aliases followed, ``height`` its nesting."""

    value: Any
    text: str | None = None
    size: int = 1
    height: int = 0


@dataclass(slots=True)
class _Open:
    """A list or a mapping that is being read. ``key`` waits for its value, ``keys`` are where all keys so far stand."""

    value: list[Any] | YamlMapping
    anchor: str | None
    key: _Named | None = None
    keys: dict[str, yaml.Event] = field(default_factory=dict)
    size: int = 1
    height: int = 1


class _Builder:
    """Puts the nodes of one document together. ``scalar`` makes the value of a scalar, ``depth`` bounds nesting.

    ``values`` bounds their number with all aliases followed; without it there are no aliases.
    """

    def __init__(self, scalar: Callable[[yaml.ScalarEvent], Any], *, depth: int, values: int | None = None) -> None:
        self.root: Any = None
        self.duplicates: list[str] = []
        self._scalar = scalar
        self._depth = depth
        self._values = values
        self._open: list[_Open] = []
        self._named: dict[str, _Named] = {}
        self._documents = self._size = 0

    def told(self) -> Iterator[str]:
        """Yield a line for each duplicate key, as far as they are told at once."""
        yield from self.duplicates[:MAX_TOLD]
        if len(self.duplicates) > MAX_TOLD:
            yield f"and {len(self.duplicates) - MAX_TOLD} more duplicate keys"

    def take(self, event: yaml.Event) -> None:
        """Take the next event of the parser. Raises `YamlError`."""
        if isinstance(event, yaml.ScalarEvent):
            found = _Named(self._scalar(event), event.value)
            if event.anchor is not None:
                self._named[event.anchor] = found
            self._add(event, found)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            done = self._open.pop()
            found = _Named(done.value, None, done.size, done.height)
            if done.anchor is not None:
                self._named[done.anchor] = found
            self._put(event, found)
        elif isinstance(event, yaml.AliasEvent):
            self._add(event, self._aliased(event))
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _error(event, "expected one document, found a second")

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        if self._values is not None and event.tag not in _COLLECTIONS:
            raise _error(event, f"tag {str(event.tag)[:SHOWN]!r} is not allowed")
        self._count(event, 1, 1)
        value: list[Any] | YamlMapping = (
            [] if isinstance(event, yaml.SequenceStartEvent) else YamlMapping(line=_line(event))
        )
        self._open.append(_Open(value, event.anchor))

    def _aliased(self, event: yaml.AliasEvent) -> _Named:
        if self._values is None:
            raise _error(event, "aliases are not allowed here")
        name = str(event.anchor)
        if name not in self._named:
            # An anchor is known once what it names is complete, so nothing holds itself.
            raise _error(event, f"alias '*{name[:SHOWN]}' has no complete anchor above it")
        return self._named[name]

    def _count(self, event: yaml.Event, size: int, height: int) -> None:
        self._size += size
        if self._values is not None and self._size > self._values:
            raise _error(event, f"more than {self._values} values with aliases expanded")
        if len(self._open) + height > self._depth:
            raise _error(event, f"nested deeper than {self._depth} levels")

    def _add(self, event: yaml.Event, found: _Named) -> None:
        """Count what is complete, and put it in its place."""
        self._count(event, found.size, found.height)
        self._put(event, found)

    def _put(self, event: yaml.Event, found: _Named) -> None:
        if not self._open:
            self.root = found.value
            return
        here = self._open[-1]
        here.size += found.size
        if found.height >= here.height:
            here.height = 1 + found.height
        if isinstance(here.value, list):
            here.value.append(found.value)
        elif here.key is not None:
            here.value.pairs.append((here.key.value, found.value))
            here.key = None
        else:
            here.key = self._key(event, found, here)

    def _key(self, event: yaml.Event, found: _Named, here: _Open) -> _Named:
        if found.text is None or found.value is None:
            if self._values is not None:
                raise _error(event, "keys must be strings")
            return _Named("?", "?")
        first = here.keys.setdefault(found.text, event)
        if first is not event:
            key = found.text[:SHOWN]
            problem = f"duplicate key {key!r} at line {_line(event)}, first given at line {_line(first)}"
            self.duplicates.append(f"{self._path()}{key}: {problem}")
        return found

    def _path(self) -> str:
        """Return the path of what is open, to be followed by a key."""
        path = ""
        for each in self._open[:-1]:
            if isinstance(each.value, list):
                path += f"[{len(each.value)}]"
            else:
                path += f".{(each.key and each.key.text) or '?':.{SHOWN}}"
        return f"{path}.".removeprefix(".")


def _plain(event: yaml.ScalarEvent) -> str | None:
    return None if event.implicit[0] and event.value in _NULLS else event.value


@dataclass(frozen=True, slots=True)
class _Merge:
    """The key ``<<``: what it names becomes part of the mapping."""

    line: int


class _Scalars:
    """Makes scalars typed, as the safe loader of the YAML library does it."""

    def __init__(self) -> None:
        self._loader = yaml.SafeLoader("")
        self._resolve: Callable[..., str] = self._loader.resolve

    def __call__(self, event: yaml.ScalarEvent) -> Any:
        """Return the value. Raises `YamlError`."""
        tag = str(event.tag or "!")
        if tag == "!":
            tag = self._resolve(yaml.ScalarNode, event.value, event.implicit)
        if tag == _MERGE:
            return _Merge(_line(event))
        if tag not in _SCALARS:
            raise _error(event, f"tag {tag[:SHOWN]!r} is not allowed")
        if tag in _NUMBERS and len(event.value) > MAX_NUMBER:
            raise _error(event, f"a number of more than {MAX_NUMBER} characters; quote it if it is text")
        node = yaml.ScalarNode(tag, event.value)
        try:
            return self._loader.yaml_constructors[tag](self._loader, node)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            # A scalar that does not fit its tag (a month of 13, an empty `!!int`) fails as whatever it ran into.
            raise _error(event, f"not a value of type {tag.removeprefix(_TAG)}: {error}") from None


def _made(node: Any) -> Any:
    """Return lists and dicts of what was read, with merge keys followed. Nesting and size are bounded already."""
    if isinstance(node, list):
        return [_made(each) for each in node]
    if isinstance(node, _Merge):
        raise YamlError(f"line {node.line}: '<<' is allowed as a key only")
    if not isinstance(node, YamlMapping):
        return node
    own: dict[Any, Any] = {}
    merged: dict[Any, Any] = {}
    pairs: list[tuple[Any, Any]] = list(node.pairs)
    for key, value in pairs:
        if isinstance(key, _Merge):
            # Of several mappings that are merged, the first one's value holds.
            for part in reversed(value if isinstance(value, list) else [value]):
                if not isinstance(part, YamlMapping):
                    raise YamlError(f"line {key.line}: '<<' can merge mappings only")
                merged |= _made(part)
        else:
            own[key] = _made(value)
    return merged | own


def _line(event: yaml.Event) -> int:
    return 0 if event.start_mark is None else event.start_mark.line + 1


def _error(event: yaml.Event, problem: str) -> YamlError:
    return YamlError(f"line {_line(event)}: {problem}")
