"""The next batch is read while the last is under way, and nothing is read, recorded or lost twice."""

import pytest

from collector.errors import Transient
from collector.scheduling.overlap import DispatchedBatch, Overlapped, groups_of


class Doubling(Overlapped):
    """Reads numbers from a list, and records each doubled; ``log`` says in which order things happen."""

    def given(self, waiting):
        self.__dict__.update(waiting=list(waiting), recorded=[], log=[], failing=None)
        return self

    def begin(self, under_way):
        left = [item for item in self.waiting if item not in under_way][:4]
        if not left:
            return None
        self.log.append(("begin", left))
        groups = groups_of(left, 2)
        return DispatchedBatch(groups, iter([[2 * item for item in group] for group in groups]), full=len(left) == 4)

    def end(self, batch):
        replies = [item for reply in batch.replies for item in reply]
        if self.failing is not None:
            error, self.__dict__["failing"] = self.failing, None
            raise error
        self.log.append(("end", batch.items))
        self.recorded.extend(replies)
        for item in batch.items:
            self.waiting.remove(item)


def test_the_next_batch_is_begun_before_the_last_one_ends_and_leaves_it_out():
    step = Doubling().given(range(10))
    assert [step.run_once(), step.run_once(), step.run_once(), step.run_once()] == [4, 4, 2, 0]
    assert step.log == [
        ("begin", [0, 1, 2, 3]),
        ("begin", [4, 5, 6, 7]),
        ("end", [0, 1, 2, 3]),
        ("begin", [8, 9]),
        ("end", [4, 5, 6, 7]),
        ("end", [8, 9]),
    ]
    assert step.recorded == [2 * item for item in range(10)]


def test_what_comes_as_it_is_worked_on_is_not_read_in_little_batches():
    step = Doubling().given(range(3))
    assert step.run_once() == 3
    assert step.log == [("begin", [0, 1, 2]), ("end", [0, 1, 2])]


def test_after_a_failure_everything_under_way_is_read_again_in_the_same_order():
    step = Doubling().given(range(10))
    step.__dict__["failing"] = Transient("the disk is full")
    with pytest.raises(Transient):
        step.run_once()
    while step.run_once():
        pass
    assert step.recorded == [2 * item for item in range(10)]


def test_at_the_end_what_is_under_way_is_recorded_and_nothing_is_begun():
    step = Doubling().given(range(20))
    step.run_once()
    step.finish()
    assert step.recorded == [2 * item for item in range(8)]
    assert [what for what, _ in step.log].count("begin") == 2
