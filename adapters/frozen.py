"""Value objects that are made by thousands.

``@frozen`` is ``@dataclass(frozen=True, slots=True)`` to a type checker, which refuses every assignment to a field. At
run time it leaves out the guard: that sets fields one by one through `object.__setattr__`, which makes a span take
three times as long to build as reading it takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as frozen
else:
    from dataclasses import dataclass

    def frozen(*, frozen: bool, slots: bool) -> Callable[[type], type]:
        """Return what makes a class a dataclass whose fields are not guarded; equal ones have one hash."""
        return dataclass(slots=slots, unsafe_hash=frozen)


__all__ = ["frozen"]
