"""From the spans of one trace, whatever dialects wrote them, to its answers: the part that is the same for all."""
