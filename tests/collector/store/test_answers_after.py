from adapters.schema import Answer
from collector.store.rows import Pulled, StoredAnswer
from collector.store.sqlite import open_store


def test_answers_are_given_in_the_order_in_which_they_were_stored_first(tmp_path):
    store = open_store(tmp_path)
    for number in range(5):
        stored = StoredAnswer(Answer(id=f"a{number}"), {}, 1.0, sampled=False)
        store.append_pulled(Pulled("s", b"", number, answers=[stored]))
    again = StoredAnswer(Answer(id="a0", revision=1, answer="revised"), {}, 1.0, sampled=False)
    store.append_pulled(Pulled("s", b"", 9, answers=[again]))
    first = store.answers_after(0, limit=2)
    assert [(answer.id, answer.revision) for _, answer in first] == [("a0", 1), ("a1", 0)]
    rest = store.answers_after(first[-1][0], limit=100)
    assert [answer.id for _, answer in rest] == ["a2", "a3", "a4"]
    assert store.answers_after(rest[-1][0], limit=100) == []
    store.close()
