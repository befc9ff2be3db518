"""What is worked out for an answer is kept with the environment it was scored in, and nowhere else."""

from __future__ import annotations

from adapters.schema import Answer
from scorers.memory import KEPT, Memory, once

ANSWER = Answer(id="a", answer="Leave is paid.")
calls: list[tuple[str, int]] = []


@once
def counted(answer: Answer, _memory: Memory, add: int) -> int:
    calls.append((answer.id, add))
    return len(answer.answer or "") + add


@once
def doubled(answer: Answer, memory: Memory) -> int:
    return 2 * counted(answer, memory, 0)


def test_an_answer_is_worked_on_once_for_each_input() -> None:
    calls.clear()
    memory = Memory()
    assert [counted(ANSWER, memory, add) for add in (0, 1, 0, 1)] == [14, 15, 14, 15]
    assert calls == [("a", 0), ("a", 1)]


def test_what_one_work_asks_of_the_answer_is_known_to_the_others() -> None:
    calls.clear()
    memory = Memory()
    assert (doubled(ANSWER, memory), counted(ANSWER, memory, 0)) == (28, 14)
    assert calls == [("a", 0)]


def test_another_memory_and_an_equal_answer_know_nothing() -> None:
    calls.clear()
    memory = Memory()
    for answer, known in ((ANSWER, memory), (ANSWER, Memory()), (ANSWER.model_copy(), memory)):
        counted(answer, known, 0)
    assert len(calls) == 3


def test_only_the_last_answers_are_remembered() -> None:
    calls.clear()
    memory = Memory()
    answers = [Answer(id=str(number), answer="") for number in range(KEPT + 1)]
    for answer in (*answers, answers[-1], answers[0]):
        counted(answer, memory, 0)
    assert [name for name, _ in calls] == [*(answer.id for answer in answers), "0"]


def test_a_memory_that_was_cleared_works_it_out_again() -> None:
    calls.clear()
    memory = Memory()
    counted(ANSWER, memory, 0)
    memory.clear()
    assert counted(ANSWER, memory, 0) == 14
    assert len(calls) == 2
