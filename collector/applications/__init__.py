"""Applications that an evaluation asks: behind HTTP, or a function of Python; and what is read of their replies."""
