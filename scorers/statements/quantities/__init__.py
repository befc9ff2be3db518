"""Quantities of texts, and which of a claim agree with those of a source."""

from scorers.statements.quantities.comparing import QuantityMatch, agrees, compare_quantities
from scorers.statements.quantities.quantity import Comparator, Quantity, QuantityDimension
from scorers.statements.quantities.reading import quantities_of, read_quantities
from scorers.statements.quantities.transposing import Transposition, transposed

__all__ = [
    "Comparator",
    "Quantity",
    "QuantityDimension",
    "QuantityMatch",
    "Transposition",
    "agrees",
    "compare_quantities",
    "quantities_of",
    "read_quantities",
    "transposed",
]  # fmt: skip
