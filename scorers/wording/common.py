"""Words that carry no content of their own, as the models of this folder know them: a change means training anew."""

from __future__ import annotations

_COMMON_WORDS = """a about after all also am an and any are as at be been but by can could did do does for from had has
    have he her his how i if in into is it its just may me more my no not of on one only or our out over s she should
    so some such than that the their them then there these they this those to up us was we were what when where which
    who why will with would you your"""
COMMON = frozenset(_COMMON_WORDS.split())
