"""What a store holds, for tests that look into it."""

from collector.store.rows import AnswerFilter


def newest(store, *, limit=1000, before=None, **wanted):
    """Return answers, newest first, with what is known of them."""
    return store.answers(store.find_answers(AnswerFilter(**wanted), limit=limit, before=before).seqs)
