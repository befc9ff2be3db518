"""How often gates cry wolf and how soon they find what is wrong: runs `benchmarks.alarms`.

This file has the name of the package it measures, so its own folder leaves the path before that is imported.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    import_module("benchmarks.alarms").main()
