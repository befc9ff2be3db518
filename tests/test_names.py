"""One public class name, one thing, in the whole product."""

import ast
from collections import defaultdict
from functools import cache

from tests.messages import PACKAGES, ROOT

ALLOWED = {
    "Floats": "the same alias of arrays of numpy: gates.evidence imports nothing of ours",
    "Integers": "the same alias of arrays of numpy: gates.evidence imports nothing of ours",
}
"""Names that stand in several modules, each with the reason."""


@cache
def public_classes():
    """Return the modules in which each public class, and each public alias of a type, is defined."""
    found = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                for name in _defined(node):
                    if not name.startswith("_"):
                        found[name].append(str(path.relative_to(ROOT)))
    return found


def _defined(node):
    if isinstance(node, ast.ClassDef):
        return [node.name]
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [each.id for each in targets if isinstance(each, ast.Name) and _is_camel(each.id)]
    return []


def _is_camel(name):
    return name[:1].isupper() and not name.isupper() and "_" not in name


def test_no_public_class_name_means_two_things():
    several = {name: places for name, places in public_classes().items() if len(places) > 1 and name not in ALLOWED}
    assert not several, "\n".join(f"{name}: {', '.join(places)}" for name, places in sorted(several.items()))


def test_what_is_allowed_is_still_there():
    found = public_classes()
    assert {name for name in ALLOWED if len(found.get(name, ())) < 2} == set(), "no longer needed"
