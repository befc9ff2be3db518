"""Suites: labelled questions and recorded answers in the forms that people keep them in, and what each expects."""
