"""How an English reply takes up what was said before it tells anything: "That's wild!", "It sure is.", "Me too."."""

from __future__ import annotations

_MUCH = (
    "?so|very|really|pretty|quite|too|such|rather|totally|truly|absolutely|definitely|certainly|sure|surely|indeed|also"
    "|actually|just|always"
)
_STRIKING = (
    "amazing|awesome|awful|brilliant|cool|correct|crazy|cute|exciting|fair|fantastic|fascinating|fun|funny|gross"
    "|great|hilarious|horrible|impressive|incredible|insane|interesting|lovely|neat|nice|odd|remarkable|right|sad|scary"
    "|strange|surprising|sweet|terrible|true|unbelievable|understandable|unusual|weird|wild|wonderful|wow"
)
_DO = "is|are|am|was|were|do|does|did|can|could|will|would|should|has|have|had|might|may|must"
_ONE = "it|that|this|they|there|he|she|i|we|you"
_TURNED = "?too|now|then|though|indeed|really|right|actually|lol|haha"

REACTIONS = (
    f"^ {_ONE}|these|those is|are|was|were|sounds|sound|seems|looks {_MUCH} {_MUCH} {_STRIKING} {_TURNED} $",
    f"^ that|this is|was {_MUCH} ?a lot|shame|pity|surprise {_TURNED} $",
    f"^ how {_STRIKING} {_TURNED} $",
    f"^ so|very|really|pretty|quite|too {_STRIKING} {_TURNED} $",
    f"^ {_STRIKING} {_TURNED} $",
    f"^ {_ONE} {_MUCH} {_DO} ?not {_MUCH} {_TURNED} $",
    f"^ so|neither|nor {_DO} {_ONE} {_TURNED} $",
    "^ me too|neither|either $",
    "^ same ?here|thing $",
    "^ i ?have ?also|just heard|seen|noticed ?of that|this|it|them ?too|before $",
    f"^ i {_MUCH}|can|could|would|do|totally agree ?completely|there $",
    f"^ i {_MUCH}|can|could|would|do|totally agree ?more with|on that|this|it|you $",
    "^ i ?really|also|do|totally|can|certainly think|believe|guess|suppose|hope so|not $",
    "^ apparently|exactly|indeed|totally|seriously|really|true|agreed|obviously|right ?so|lol|haha $",
    "^ no kidding|way|wonder|doubt $",
)
"""Reactions, as patterns that a whole clause is."""
