"""The words of other languages than English, a file for each language."""
