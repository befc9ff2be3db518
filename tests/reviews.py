"""A review that was made without a run: its folder, as `groundwire review make` writes it."""

import json

from adapters.schema import Answer, Case, Citation, Passage, Turn
from collector.reviews.making import packet_of

FINE = {
    "acceptability": "acceptable",
    "evidence_sufficiency": "sufficient",
    "citation_correctness": "correct",
    "conflict_handling": "not_applicable",
    "safety_boundary": "safe",
    "grounding": "fully_grounded",
}
BAD = FINE | {"acceptability": "unacceptable", "grounding": "ungrounded", "primary": "stale_source_acceptance"}


def made_review(
    folder, *, answers=3, reviewers=("ana", "bo", "cy"), text="Answer {}: 14 days [1].", conflict=(), axes=()
):
    """Write a review in which every reviewer has every answer, and may see the texts of passages; return its folder."""
    for name in ("packets", "labels"):
        (folder / name).mkdir(parents=True)
    packets = []
    for number in range(answers):
        said = text.format(number)
        passage = Passage(id="p", doc_id="RET-1", text=f"Parcels come back within 14 days. {said}", role="governing")
        cited = Citation(start=0, end=1, marker="[1]", passage_id="p")
        answer = Answer(
            id=f"q{number}",
            question=f"How long? {said}",
            answer=said,
            model="secret-model",
            passages=(passage,),
            context=("p",),
            citations=(cited,),
            history=(Turn(role="user", content=f"Before: {said}"),) if axes else None,
            case=Case(subject=f"Case: {said}", identifiers=(said,)) if axes else None,
        )
        packets.append(packet_of(f"{number:016x}", answer, snippets=True) | {"conflict": number in conflict})
    for reviewer in reviewers:
        lines = "".join(json.dumps(packet) + "\n" for packet in packets)
        (folder / "packets" / f"{reviewer}.jsonl").write_text(lines)
    key = [{"packet": each["packet"], "run": "runs/secret", "answer_id": f"q{n}"} for n, each in enumerate(packets)]
    (folder / "key.jsonl").write_text("".join(json.dumps(row) + "\n" for row in key))
    told = {"reviewers": list(reviewers), "labels": len(reviewers), "seed": 0, "snippets": list(reviewers)}
    (folder / "review.json").write_text(
        json.dumps(told | {"answers": answers} | ({"axes": list(axes)} if axes else {})) + "\n"
    )
    (folder / "access.jsonl").touch()
    return folder


def lines(path):
    """Return the rows of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]
