"""The files of a suite, read, joined and checked: every case with its question, labels, answer and expectations."""
