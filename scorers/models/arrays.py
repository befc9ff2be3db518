"""The arrays that scorers compute with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
"""Floats of half the size, for what is kept a catalog long."""
Integers = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
"""Numbers that stand for words or names."""
