"""The kind of statement a claim is: hedged, attributed, judging, concluding, speaking of the evidence itself."""

from __future__ import annotations

from scorers.support.alignment import Alignment
from scorers.text.normalize import word_set

NAMES = (
    "hedges", "attributions", "judgements", "conclusions", "of_evidence", "refusals", "generalises", "one_person",
    "comparatives", "additions", "advice",
)  # fmt: skip

_HEDGES = word_set(
    "appear appears approximately can could generally likely may maybe might often perhaps possible possibly"
    " potentially probably seem seems some sometimes typically usually would"
)
_ATTRIBUTIONS = word_set(
    "according added adds argued argues claimed claims describe described describes explained explains mention"
    " mentioned mentions note noted notes reported reports said say says state stated states told"
)
_JUDGEMENTS = word_set(
    "attractive beautiful best big charming comfortable convenient cozy crucial diverse essential excellent"
    " famous fresh friendly good great high-quality ideal important impressive inviting knowledgeable modern"
    " perfect pleasant popular professional reliable significant special unique variety various welcoming wide"
    " wonderful"
)
_CONCLUSIONS = word_set(
    "altogether conclusion consequently finally hence however indicating meaning overall suggesting summary"
    " therefore thus ultimately"
)
_EVIDENCE = word_set(
    "according article based context data document given information mentioned passage passages provided source"
    " sources text"
)
_REFUSALS = word_set("cannot unable unclear unknown unspecified insufficient")
_MANY = word_set("all customers guests many most multiple numerous others patrons people reviewers several visitors")
_ONE = word_set("another one someone")
_PERSON = word_set("customer guest patron person reviewer user visitor")
_ADDITIONS = word_set("additionally also besides furthermore including moreover well")
_ADVICE = word_set("advisable always avoid consider consult ensure must need needs recommended should")


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    words = a.claim.terms.words
    claim = set(words)
    comparatives = sum(1 for w in claim if w in ("more", "most", "less", "least", "than") or w.endswith("est"))
    return (
        float(len(claim & _HEDGES)),
        float(len(claim & _ATTRIBUTIONS)),
        float(len(claim & _JUDGEMENTS)),
        float(len(claim & _CONCLUSIONS)),
        float(len(claim & _EVIDENCE)),
        float(len(claim & _REFUSALS) + (("not" in claim) and bool(claim & _EVIDENCE))),
        float(len(claim & _MANY)),
        float(bool(claim & _ONE) and bool(claim & _PERSON)),
        float(comparatives),
        float(len(claim & _ADDITIONS)),
        float(len(claim & _ADVICE)),
    )
