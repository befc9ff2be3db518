"""Reading text: claims of an answer, normalized words and numbers, and how far a source supports a claim."""
