"""Whether a context supports a claim: what can be seen of it in words, figures, names, order and facts."""
