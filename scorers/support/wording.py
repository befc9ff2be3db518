"""The kind of statement a claim is: attributed, judging, concluding, speaking of the evidence itself."""

from __future__ import annotations

from scorers.support.alignment import Alignment
from scorers.text.normalize import word_set

NAMES = (
    "attributions", "judgements", "conclusions", "of_evidence", "refusals", "one_person", "additions",
)  # fmt: skip

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
_ONE = word_set("another one someone")
_PERSON = word_set("customer guest patron person reviewer user visitor")
_ADDITIONS = word_set("additionally also besides furthermore including moreover well")


_TELLING = _ATTRIBUTIONS | _JUDGEMENTS | _CONCLUSIONS | _EVIDENCE | _REFUSALS | _ONE | _PERSON | _ADDITIONS
_NONE = (0.0,) * len(NAMES)


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    words = a.claim.terms.words
    claim = _TELLING.intersection(words)
    if not claim:
        return _NONE
    return (
        float(len(claim & _ATTRIBUTIONS)),
        float(len(claim & _JUDGEMENTS)),
        float(len(claim & _CONCLUSIONS)),
        float(len(claim & _EVIDENCE)),
        float(len(claim & _REFUSALS) + (("not" in words) and bool(claim & _EVIDENCE))),
        float(bool(claim & _ONE) and bool(claim & _PERSON)),
        float(len(claim & _ADDITIONS)),
    )
