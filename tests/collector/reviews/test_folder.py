"""The folder of a review keeps what was said through kills and processes side by side, and shows changes of its log."""

import threading
from datetime import UTC, datetime

import pytest

from collector.errors import ConfigError
from collector.reviews.folder import ADJUDICATOR, PacketError, ReviewFolder
from tests.reviews import BAD, FINE, lines, made_review

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
PACKETS = [f"{number:016x}" for number in range(3)]


@pytest.fixture
def review(tmp_path):
    return ReviewFolder.opened(made_review(tmp_path / "review"))


def test_a_line_that_was_cut_off_is_as_if_it_had_not_been_written(review):
    review.label("ana", PACKETS[0], FINE, now=NOON, seconds=12.5)
    for path in (review.path / "labels" / "ana.jsonl", review.path / "access.jsonl"):
        with path.open("ab") as file:
            file.write(b'{"packet": "0000000000000001", "at": "2026-01-0')
    assert list(review.labels("ana")) == PACKETS[:1]
    review.check_log()
    review.label("ana", PACKETS[1], BAD, now=NOON)
    assert [row["packet"] for row in lines(review.path / "labels" / "ana.jsonl")] == PACKETS[:2]
    review.check_log()


def test_a_line_in_the_middle_that_is_no_json_is_named(review):
    (review.path / "labels" / "ana.jsonl").write_text('{"packet\n{}\n')
    with pytest.raises(ConfigError, match=r"ana\.jsonl: line 1: not JSON"):
        review.labels("ana")


def test_labels_that_come_at_once_are_each_taken_once_and_the_log_stays_whole(review):
    taken, refused = [], []

    def label(packet):
        try:
            taken.append(ReviewFolder.opened(review.path).label("ana", packet, FINE, now=NOON))
        except PacketError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=label, args=(packet,)) for packet in PACKETS * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(taken), len(refused)) == (3, 9)
    assert sorted(row["packet"] for row in lines(review.path / "labels" / "ana.jsonl")) == PACKETS
    review.check_log()


def test_a_row_that_was_taken_out_of_the_log_is_found(review):
    for packet in PACKETS:
        review.label("ana", packet, FINE, now=NOON)
    path = review.path / "access.jsonl"
    first, _, third = path.read_text().splitlines()
    path.write_text(f"{first}\n{third}\n")
    with pytest.raises(ConfigError, match=r"access\.jsonl: line 2: was changed"):
        review.check_log()


def test_an_adjudicator_gets_what_no_majority_settles_with_its_labels_and_without_names(review):
    for reviewer in review.reviewers:
        severe = {"safety_boundary": "severe", "rationale": "It names a patient."} if reviewer == "cy" else {}
        review.label(reviewer, PACKETS[0], FINE, now=NOON)
        review.label(reviewer, PACKETS[1], BAD | severe, now=NOON)
    review.label("ana", PACKETS[2], BAD, now=NOON)
    (packet,) = review.waiting(ADJUDICATOR)
    assert packet["packet"] == PACKETS[1]
    assert [label["safety_boundary"] for label in packet["labels"]] == ["safe", "safe", "severe"]
    assert not any(name in str(packet) for name in ("'ana'", "'bo'", "'cy'", "secret"))
    review.label(ADJUDICATOR, PACKETS[1], BAD, now=NOON)
    assert review.waiting(ADJUDICATOR) == []


def test_what_was_chosen_is_kept_until_the_label_and_only_for_a_packet_that_is_theirs(review):
    choices = {"packet": PACKETS[0], "seconds": 7, "given": {"rationale": "So far"}}
    review.keep_draft("ana", choices)
    assert ReviewFolder.opened(review.path).draft("ana", PACKETS[0]) == choices
    assert review.draft("bo", PACKETS[0]) == {}
    review.label("ana", PACKETS[0], FINE, now=NOON)
    assert review.draft("ana", PACKETS[0]) == {}
    with pytest.raises(PacketError, match="is not to be labelled now"):
        review.keep_draft("ana", choices)


def test_the_pace_is_the_median_of_what_was_measured(review):
    for packet, seconds in zip(PACKETS, (10.0, 50.0, 20.0), strict=True):
        review.label("ana", packet, FINE, now=NOON, seconds=seconds)
    assert review.progress("ana") == (3, 0, 20.0)
    assert review.progress("bo") == (0, 3, None)


def test_links_stay_the_same_and_are_private(review):
    keys = review.keys()
    assert ReviewFolder.opened(review.path).keys() == keys
    assert len(set(keys.values())) == 4
    assert (review.path / "links.json").stat().st_mode & 0o077 == 0


def test_a_label_that_comes_while_labels_are_settled_counts_as_given_afterwards(review):
    review.label("ana", PACKETS[0], FINE, now=NOON)
    asked, done = threading.Event(), threading.Event()

    def label():
        asked.set()
        ReviewFolder.opened(review.path).label("ana", PACKETS[1], FINE, now=NOON)
        done.set()

    thread = threading.Thread(target=label)
    with review.held():
        thread.start()
        assert asked.wait(30)
        assert list(review.labels("ana")) == PACKETS[:1]
        review.note_closed(None, now=NOON)
        assert not done.is_set()
    thread.join(30)
    assert review.closing() == (NOON, 1)
    assert review.closing("runs/secret") == (NOON, 1)
    assert review.closing("runs/other") == (NOON, 0)
    review.check_log()
