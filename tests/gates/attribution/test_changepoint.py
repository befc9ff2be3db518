import numpy as np

from gates.attribution.changepoint import onset


def falls(at, n=900, seed=0, before=0.1, after=0.6):
    rng = np.random.default_rng(seed)
    return (rng.random(n) < np.where(np.arange(n) >= at, after, before)).astype(float)


def test_the_moment_of_the_fall_is_found_to_within_a_few_answers():
    for seed in range(5):
        found = onset(np.arange(900), falls(600, seed=seed), np.ones(900), [])
        assert abs(found.place - 600) < 50


def test_a_known_moment_is_taken_where_it_explains_the_fall_about_as_well():
    assert onset(np.arange(900), falls(600), np.ones(900), [600, 300]).place == 600
    assert onset(np.arange(900), falls(600), np.ones(900), [300]).place != 300


def test_a_release_is_taken_for_the_start_of_the_fall_that_it_began():
    def named(known, n):
        loss = [falls(1000, n, seed, 0.03, 0.25) for seed in range(100)]
        return sum(onset(np.arange(n), each, np.ones(n), [known]).place == known for each in loss)

    assert named(1000, 1060) >= 80
    assert named(950, 1060) <= 5, "fifty answers that were well say that it began later"
    assert named(1040, 1100) <= 15, "forty that were not say that it began before"


def test_a_fault_that_came_and_went_is_not_the_start_of_the_one_that_lasts():
    loss = falls(1000, 1060, 3, 0.03, 0.25)
    loss[300:400] = falls(0, 100, 4, 0.03, 0.25)
    assert onset(np.arange(1060), loss, np.ones(1060), [300, 1000]).place == 1000


def test_the_error_is_shared_over_all_moments_that_are_tried():
    loss = falls(600)
    assert onset(np.arange(900), loss, np.ones(900), [600, 300]).share == 0.25
    assert onset(np.arange(900), loss, np.ones(900), []).share < 0.05


def test_with_too_few_answers_on_a_side_there_is_no_moment():
    assert onset(np.arange(40), np.zeros(40), np.ones(40), [20]) is None
    assert onset(np.zeros(0, int), np.zeros(0), np.zeros(0), []) is None
