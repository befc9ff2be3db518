"""Passages that contradict each other: figures, dates, polarity, and who asks for them."""
