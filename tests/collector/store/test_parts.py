"""The store is the sum of its parts, each about one subject."""

from collections import Counter

from collector.store.connections import StorePart
from collector.store.store import Store

PARTS = [part for part in Store.__mro__ if issubclass(part, StorePart) and part not in (Store, StorePart)]


def queries(part: type) -> list[str]:
    return [name for name in vars(part) if not name.startswith("_")]


def test_each_query_is_declared_once_with_what_it_promises() -> None:
    declared = Counter(name for part in PARTS for name in queries(part))
    assert len(declared) > 30
    assert [name for name, times in declared.items() if times > 1] == []
    assert [name for name in declared if not getattr(Store, name).__doc__] == []


def test_each_part_has_a_module_of_its_own() -> None:
    modules = Counter(part.__module__ for part in PARTS)
    assert set(modules.values()) == {1}
