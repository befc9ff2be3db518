import numpy as np
import pytest

from gates.attribution.attribute import attribute
from gates.attribution.sample import Sample, SampledAnswer
from tests.gates.scenes import CHANGED, MINUTE, Scene, standings, suspect

DOCUMENTS = suspect("documents", seq=2, documents=("HR-2",))
RELEASE = suspect("release", seq=1, version="2")
SERVED = {"release": ("1", "2", CHANGED)}


def later(minute):
    return minute >= CHANGED


def release_is_worse(*, versions, **_):
    return 0.6 if versions["release"] == "2" else 0.95


def document_is_worse(*, minute, documents, **_):
    return 0.3 if later(minute) and "HR-2" in documents else 0.9


def one_domain_is_harder(*, domain, **_):
    return 0.5 if domain == "travel" else 0.95


@pytest.mark.parametrize("cause", ["release", "model", "prompt", "index", "retriever"])
def test_the_version_whose_answers_got_worse_carries_the_change(cause):
    scene = Scene(seed=1, minutes=700, versions={cause: ("1", "2", CHANGED)})
    found = scene.attributed(
        lambda *, versions, **_: 0.6 if versions[cause] == "2" else 0.95, [suspect(cause, version="2")]
    )
    assert (found.kind, standings(found)) == ("quality within strata", {1: "carries"})
    (only,) = found.suspects
    assert only.figures.lower <= only.figures.change <= only.figures.upper < 0
    assert cause in found.summary
    assert not found.unknown


def test_a_change_announced_without_a_version_in_the_answers_is_known_by_its_time():
    found = Scene(minutes=700).attributed(
        lambda *, minute, **_: 0.6 if later(minute) else 0.95, [suspect("release", version="v2.1")]
    )
    assert standings(found) == {1: "carries"}


def test_the_documents_whose_answers_got_worse_carry_it_and_what_changed_beside_them_is_excluded():
    scene = Scene(versions={"prompt": ("1", "2", CHANGED)})
    prompt = suspect("prompt", seq=1, version="2")
    found = scene.attributed(document_is_worse, [prompt, DOCUMENTS])
    assert standings(found) == {1: "excluded", 2: "carries"}
    assert [(part.dimension, part.value, part.worse) for part in found.parts] == [("document", "HR-2", True)]


def test_an_index_that_serves_older_documents_is_told_from_one_that_is_worse_as_a_whole():
    scene = Scene(versions={"index": ("7", "8", CHANGED)})
    index = suspect("index", version="8")
    stale = scene.attributed(document_is_worse, [index, DOCUMENTS])
    whole = scene.attributed(lambda *, versions, **_: 0.6 if versions["index"] == "8" else 0.9, [index, DOCUMENTS])
    assert standings(stale)[2] == "carries"
    assert standings(whole)[1] == "carries"
    assert standings(whole)[2] != "carries"


def test_another_mix_of_traffic_is_told_from_worse_answers_and_named():
    found = Scene(mix=((0.8, 0.2), (0.3, 0.7)), versions=SERVED).attributed(one_domain_is_harder, [RELEASE])
    assert (found.kind, standings(found)) == ("mix", {1: "open"})
    assert found.mix.share == pytest.approx(1.0, abs=0.2)
    assert found.within.lower < 0 < found.within.upper
    assert [(part.dimension, part.value, part.worse) for part in found.parts] == [("domain", "travel", False)]
    assert "domain=travel" in found.summary


def test_quality_and_mix_that_change_together_are_both_named():
    scene = Scene(mix=((0.8, 0.2), (0.3, 0.7)))
    found = scene.attributed(lambda *, domain, minute, **_: (0.95, 0.5)[domain == "travel"] - 0.3 * later(minute))
    assert found.kind == "quality within strata and mix"
    assert found.total.change == pytest.approx(found.within.change + found.mix.change, abs=1e-6)


def test_a_worse_release_is_found_though_better_traffic_hides_it():
    scene = Scene(mix=((0.3, 0.7), (0.8, 0.2)), versions=SERVED)
    found = scene.attributed(
        lambda *, domain, versions, **_: (0.95, 0.5)[domain == "travel"] - 0.25 * (versions["release"] == "2"),
        [RELEASE],
    )
    assert found.suspects[0].figures.upper < 0
    assert found.mix.change > 0


def test_the_slice_in_which_it_happened_is_named():
    found = Scene(versions=SERVED).attributed(
        lambda *, domain, versions, **_: 0.4 if domain == "travel" and versions["release"] == "2" else 0.9, [RELEASE]
    )
    assert [(part.dimension, part.value, part.worse) for part in found.parts] == [("domain", "travel", True)]
    assert standings(found) == {1: "carries"}


def test_two_that_changed_at_once_are_not_told_apart():
    both = {"model": ("a", "b", CHANGED), "prompt": ("1", "2", CHANGED)}
    found = Scene(versions=both).attributed(
        lambda *, versions, **_: 0.6 if versions["model"] == "b" else 0.95,
        [suspect("model", version="b"), suspect("prompt", seq=2, version="2")],
    )
    assert standings(found) == {1: "not told apart", 2: "not told apart"}
    assert "prompt touched the same answers" in found.suspects[0].detail


def test_of_two_changes_one_after_the_other_the_one_that_made_it_worse_carries():
    staged = {"prompt": ("1", "2", CHANGED - 100), "model": ("a", "b", CHANGED)}
    suspects = [suspect("prompt", seq=1, minute=CHANGED - 100, version="2"), suspect("model", seq=2, version="b")]
    second = Scene(seed=3, versions=staged).attributed(
        lambda *, versions, **_: 0.6 if versions["model"] == "b" else 0.95, suspects
    )
    first = Scene(seed=3, versions=staged).attributed(
        lambda *, versions, **_: 0.6 if versions["prompt"] == "2" else 0.95, suspects
    )
    assert standings(second)[2] == "carries"
    assert standings(second)[1] != "carries"
    assert standings(first)[1] == "carries"
    assert standings(first)[2] != "carries"


def test_two_that_touched_different_answers_both_carry_what_they_did():
    scene = Scene(versions=SERVED, share=0.5)
    found = scene.attributed(
        lambda *, minute, versions, documents, **_: (
            0.9 - 0.4 * (versions["release"] == "2") - 0.4 * (later(minute) and "HR-2" in documents)
        ),
        [RELEASE, DOCUMENTS],
    )
    assert standings(found) == {1: "carries", 2: "carries"}


@pytest.mark.parametrize("began", [CHANGED - 50, CHANGED + 50])
def test_a_fall_that_began_at_another_time_is_not_blamed_on_a_change(began):
    for seed in range(4):
        found = Scene(seed=seed, versions=SERVED).attributed(
            lambda *, minute, **_: 0.6 if minute >= began else 0.95, [RELEASE]
        )
        assert standings(found)[1] != "carries"
        assert found.kind == "quality within strata"


def test_without_a_known_change_it_is_said_that_what_nothing_touched_got_worse():
    found = Scene().attributed(lambda *, minute, **_: 0.6 if later(minute) else 0.95)
    assert found.unknown
    assert found.untouched.upper < 0
    assert abs((found.since.timestamp() * 1e6 / MINUTE) - CHANGED) < 60


def test_failures_are_read_the_other_way_round():
    found = Scene(minutes=700, versions=SERVED).attributed(
        lambda *, versions, **_: 0.4 if versions["release"] == "2" else 0.05, [RELEASE], worse="higher"
    )
    assert standings(found) == {1: "carries"}
    assert found.suspects[0].figures.lower > 0
    assert found.total.after > found.total.before


def test_answers_count_by_one_over_their_probability():
    """Of the harder domain all answers are drawn, of the other a fifth: unweighted, the mean would be far off."""
    scene = Scene(minutes=3000, probability=(0.2, 1.0), versions=SERVED)
    found = scene.attributed(
        lambda *, domain, versions, **_: (0.9, 0.7)[domain == "travel"] - 0.4 * (versions["release"] == "2"), [RELEASE]
    )
    assert found.total.before == pytest.approx(0.8, abs=0.03)
    assert standings(found) == {1: "carries"}


def test_a_conversation_is_evidence_once():
    """Every answer of the new release is one of three conversations: that shows little, however long they are."""
    found = [SampledAnswer(i, 0.9, 1.0, None, {}, {"release": "1"}) for i in range(500)]
    found += [SampledAnswer(500 + i, 0.3, 1.0, f"c{i % 3}", {}, {"release": "2"}) for i in range(300)]
    told = attribute(Sample.of(found, higher_is_worse=False), [RELEASE._replace(at=500)], metric="m", worse="lower")
    assert standings(told) == {1: "open"}


@pytest.mark.parametrize("seed", range(4))
def test_at_null_nothing_is_blamed(seed):
    """Of 400 such runs, and 200 of graded values, none named anything; the bound is one in twenty."""
    for number in range(5):
        scene = Scene(
            seed=100 * seed + number,
            minutes=800,
            versions=SERVED | {"prompt": ("a", "b", CHANGED - 100)},
            graded=bool(number % 2),
        )
        prompt = suspect("prompt", seq=3, minute=CHANGED - 100, version="b")
        found = scene.attributed(lambda *, domain, **_: (0.95, 0.8)[domain == "travel"], [RELEASE, DOCUMENTS, prompt])
        assert found.kind == "not told"
        assert {"carries", "not told apart"}.isdisjoint(standings(found).values())


def test_too_few_answers_tell_nothing():
    found = Scene(minutes=CHANGED + 5).attributed(release_is_worse_by_time, [suspect("release")])
    assert standings(found) == {1: "open"}
    nothing = attribute(Sample.of([], higher_is_worse=False), [RELEASE], metric="m", worse="lower")
    assert (nothing.kind, nothing.answers, standings(nothing)) == ("not told", 0, {1: "open"})


def release_is_worse_by_time(*, minute, **_):
    return 0.0 if later(minute) else 0.95


def test_documents_that_answers_do_not_tell_are_an_open_question():
    found = [SampledAnswer(i, float(i < 300), 1.0, None, {}, {}, None) for i in range(400)]
    told = attribute(Sample.of(found, higher_is_worse=False), [DOCUMENTS._replace(at=300)], metric="m", worse="lower")
    assert standings(told) == {2: "open"}
    assert "documents of most answers are unknown" in told.suspects[0].detail


def test_a_change_that_no_answer_can_have_met_is_ruled_out():
    unknown = suspect("documents", seq=2, documents=("HR-77",))
    too_late = suspect("documents", seq=3, documents=("HR-2",), minute=10_000)
    found = Scene(versions=SERVED).attributed(release_is_worse, [RELEASE, unknown, too_late])
    assert standings(found) == {1: "carries", 2: "excluded", 3: "excluded"}
    assert [each.detail for each in found.suspects[1:]] == [
        "no answer was given its documents, before or since",
        "no answer that it could have touched has come since",
    ]


def test_a_dimension_that_says_which_version_served_does_not_hide_the_change():
    found = [SampledAnswer(i, 0.9, 1.0, None, {"release": "1"}, {"release": "1"}) for i in range(300)]
    found += [SampledAnswer(300 + i, 0.4, 1.0, None, {"release": "2"}, {"release": "2"}) for i in range(100)]
    told = attribute(Sample.of(found, higher_is_worse=False), [RELEASE._replace(at=300)], metric="m", worse="lower")
    assert (told.kind, standings(told)) == ("quality within strata", {1: "carries"})


def test_answers_read_out_of_order_show_a_version_before_its_change_was_noticed():
    """The change is as old as the first answer that was read; those before it in time already show the version."""
    found = [SampledAnswer(i, 0.9, 1.0, None, {}, {"index": "7"}, ("HR-2",)) for i in range(300)]
    found += [SampledAnswer(300 + i, 0.3, 1.0, None, {}, {"index": "8"}, ("HR-2",)) for i in range(80)]
    noticed = [
        suspect("index", seq=1, version="8")._replace(at=340, blur=60),
        suspect("documents", seq=2, documents=("HR-2",))._replace(at=340, blur=60),
    ]
    told = attribute(Sample.of(found, higher_is_worse=False), noticed, metric="m", worse="lower")
    assert standings(told)[1] == "carries"
    assert not told.unknown


def test_many_suspects_and_values_are_bounded_and_the_newest_are_looked_at():
    rng = np.random.default_rng(5)
    odd = "\u202e\x00'; DROP TABLE answers; --<script>" * 3
    found = [
        SampledAnswer(
            i, float(rng.random() < 0.5), 0.5, None, {f"d{i % 60}": f"{odd}{i}"}, {"release": str(i)}, (f"{odd}{i}",)
        )
        for i in range(500)
    ]
    suspects = [suspect("release", seq=i, version=str(i))._replace(at=i) for i in range(40)]
    told = attribute(Sample.of(found, higher_is_worse=False), suspects, metric="m", worse="lower")
    assert (len(told.suspects), told.suspects_left_out) == (12, 28)
    assert {each.seq for each in told.suspects} == set(range(28, 40))
    assert len(told.parts) <= 10


def test_the_same_answers_give_the_same_attribution_in_any_order():
    scene = Scene(minutes=700, versions=SERVED)
    rows = [
        SampledAnswer(i, float(i % 7 > 0) if i < 400 else float(i % 2), 1.0, None, {"domain": "ab"[i % 2]}, {})
        for i in range(600)
    ]
    suspects = [suspect("release")._replace(at=400)]
    told = [
        attribute(Sample.of(each, higher_is_worse=False), suspects, metric="m", worse="lower")
        for each in (rows, rows[::-1])
    ]
    assert told[0] == told[1]
    assert scene.attributed(release_is_worse, [RELEASE]) == scene.attributed(release_is_worse, [RELEASE])
