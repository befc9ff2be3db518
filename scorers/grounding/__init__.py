"""Grounding: is what the answer says supported by its context?"""
