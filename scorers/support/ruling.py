"""Contexts that set rules: policies, terms, price lists. They are short, and answers tell them in other words."""

from __future__ import annotations

import re

from adapters.caching import cached_by_text
from scorers.statements.words import is_family, word_of
from scorers.support.alignment import SEEN, Alignment
from scorers.support.context import Context
from scorers.support.untold import untold_doubt
from scorers.text.plain import for_ascii
from scorers.text.sentences import split_sentences
from scorers.text.stemming import stem

RULING = 0.4
"""Share of the sentences of a context that set a rule from which on it is one of rules.

So are nine in ten contexts of policies, a quarter of those of questions asked of the web, 3 % of news (RAGTruth)."""

DOUBTED, NEAR, ASKED, POINT = 0.2, 1.7, 2.0, 0.45
"""What counts for a claim over rules being invented: the log-odds of the forest, the share of its weight that two
adjacent sentences do not hold, and the share that neither context nor question has; and from where on it is called.

Fitted on 450 right claims and 117 inventions over policies, of which it called 3 in 100 of the first from .3 on. Of
others' right claims it called more, so the point lies above that."""

FURTHEST = 3.0
"""Log-odds of the forest past which it counts no more."""

_BOUNDING = frozenset(map(stem, ("maximum", "minimum", "most", "least", "limit", "total", "people", "person")))
"""Words that a claim may add to a value or a number of people, which tell nothing else."""

_PASSIVE = (
    "required|allowed|permitted|covered|included|needed|free|due|charged|paid|issued|refunded|reserved|limited|subject"
    "|accepted|approved|kept|closed|open|sent|given|made|returned|taken|reviewed|decided|registered|recorded|stored"
    "|booked|cancelled|replaced|reported|checked|delivered|available|possible"
)
_UNIT = r"(?:\w+ )?(?:day|night|week|month|year|person|hour|kilogram|user|item|employee)"
_RULE = re.compile(
    r"\b(?:must|may|can|cannot|shall|should|only|unless|except|without|mandatory|compulsory|optional|voluntary|forbidden"
    r"|prohibited|prohibits?|banned|exempt|excluded|eligible|entitled|valid|(?:is|are|be) (?:not )?(?:"
    + _PASSIVE
    + r")|needs? (?:to|not|no|an?|the)|have to|has to|requires?|appl(?:y|ies) (?:to|for)|at least|at most|up to|within"
    r"|no (?:later|more|less|longer) than|not more than|in advance|in writing|written|per "
    + _UNIT
    + r"|(?:a|every) (?:day|week|month|year)|free of charge|fees?|costs?|minimum|maximum|deadline|receives?|pays?"
    r"|submits?|expires?|lapses?|discounts?|deposit|refund|allowance|reimbursed?|daily|weekly|monthly|annually"
    r"|do not|does not|please)\b"
)
"""What sets a rule, in lower case."""
_RULE_ASCII = for_ascii(_RULE)


def sets_rules(context: Context) -> bool:
    """Tell whether a context is one of rules."""
    counts = [_rules_of(source.text) for source in context.sources]
    sentences = sum(total for _, total in counts)
    return sentences > 0 and sum(rules for rules, _ in counts) >= RULING * sentences


@cached_by_text(cost=1)
def _rules_of(text: str) -> tuple[int, int]:
    """Return how many sentences of ``text`` set a rule, and how many there are.

    >>> _rules_of("Leave must be requested in writing. The fund was founded in 1950.")
    (1, 2)
    """
    sentences = [each.words for each in split_sentences(text) if each.kind != "heading"]
    return sum([sets_rule(words) for words in sentences], 0), len(sentences)


def sets_rule(sentence: str) -> bool:
    """Tell whether a sentence sets a rule.

    >>> [sets_rule(words) for words in ("Leave must be requested in writing.", "The fund was founded in 1950.")]
    [True, False]
    """
    return (_RULE_ASCII if sentence.isascii() else _RULE).search(sentence.lower()) is not None


def doubt_over_rules(a: Alignment, logit: float) -> float:
    """Return the log-odds that a claim over rules is unsupported; ``logit`` are those of the forest.

    What speaks for an invention adds up, since a paraphrase has words that the rules have not, too.
    """
    total = a.total or 1.0
    told = _said_otherwise(a)
    # "A maximum of two people" adds nothing to "two visitors", where the number is there.
    light = _BOUNDING if all(share >= SEEN for t, share in a.match.items() if t[0] == "#") else frozenset()
    unasked = sum(
        [
            a.weight[t] * (1 - share)
            for t, share in a.match.items()
            if t not in a.claim.question and t not in light and t not in told
        ],
        0.0,
    )
    near = a.told_weight + sum([a.weight[t] * (1 - a.match[t]) for t in told], 0.0)
    forest = max(-FURTHEST, min(FURTHEST, logit))
    return (
        untold_doubt(a, joined=True)
        + DOUBTED * forest
        + NEAR * (1 - min(1.0, near / total))
        + ASKED * unasked / total
        - NEAR
        - POINT
    )


def _said_otherwise(a: Alignment) -> frozenset[str]:
    """Return the terms of a claim that its nearest sentences have in another form: "cancel" beside "cancellation"."""
    missing = {t for t, share in a.match.items() if share < SEEN and t[0] != "#"}
    if not missing or not a.near_reads:
        return frozenset()
    roots = {word_of(word).root for read in a.near_reads for word in read.words}
    ours = {stem(word): word_of(word).root for word in a.claim.terms.words}
    return frozenset([term for term in missing if (root := ours.get(term)) and is_family(root, roots)])
