"""Diagnosis: whether the evidence may be used at all, where an answer first failed, and what kind of failure it is."""
