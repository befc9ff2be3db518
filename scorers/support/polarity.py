"""Words that turn a statement round: negation, opposites, directions, quantity and certainty."""

from __future__ import annotations

from itertools import chain

from scorers.support.alignment import Alignment
from scorers.text.normalize import word_set
from scorers.text.stemming import stem

NAMES = (
    "negators", "negators_not_near", "negators_lost", "negation_differs", "opposites", "direction_differs",
    "certainty_gained", "turned_share", "gender_differs", "scope_gained", "kin_gained",
)  # fmt: skip

_OPPOSITES = """accept:reject accept:refuse accept:deny admit:deny agree:disagree allow:ban allow:forbid allow:prohibit
    alive:dead alive:died approve:reject approve:deny arrive:leave arrive:depart attack:defend begin:end begin:finish
    benefit:harm best:worst better:worse big:small bigger:smaller buy:sell cheap:expensive clean:dirty close:open
    cold:hot cold:warm confirm:deny convict:acquit dark:light deep:shallow defeat:win demand:supply easy:difficult
    easy:hard early:late empty:full enemy:ally enter:exit enter:leave fail:succeed fail:pass false:true famous:unknown
    fast:slow female:male father:mother father:son mother:daughter brother:sister husband:wife boy:girl man:woman
    friendly:rude friendly:unfriendly gain:lose good:bad great:terrible great:poor guilty:innocent happy:sad
    happy:unhappy healthy:unhealthy healthy:sick heavy:light import:export include:exclude inner:outer inside:outside
    interior:exterior join:leave large:small latest:earliest legal:illegal like:dislike long:short lost:won low:high
    lower:higher major:minor minimum:maximum mandatory:optional murder:suicide new:old north:south east:west
    northern:southern eastern:western oppose:support optional:required permit:prohibit permit:forbid
    positive:negative possible:impossible praise:criticize present:absent private:public profit:loss quick:slow
    quiet:loud quiet:noisy raise:cut receive:send release:arrest remember:forget rich:poor rise:fall
    safe:dangerous safe:unsafe same:different save:spend single:married start:end start:stop start:finish
    strength:weakness strong:weak success:failure survivor:victim tall:short temporary:permanent
    thick:thin top:bottom upper:lower victim:suspect victim:attacker victory:defeat visible:hidden wet:dry wide:narrow
    win:lose young:old younger:older youngest:oldest vaccinated:unvaccinated"""


def _opposites() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for pair in _OPPOSITES.split():
        one, other = map(stem, pair.split(":"))
        table.setdefault(one, set()).add(other)
        table.setdefault(other, set()).add(one)
    return {one: frozenset(others) for one, others in table.items()}


OPPOSITES = _opposites()
"""For each stem the stems of its opposites."""

_UP = word_set(
    "climb climbed gain gained grew grow growing grown increase increased increases increasing jumped raised rise"
    " rises rising rose soared up improved improving higher"
)
_DOWN = word_set(
    "cut declined decline declining decrease decreased decreases decreasing down dropped drop dropping fallen"
    " fall falling falls fell lower lowered plunged reduced reduce reducing shrank shrunk worsened"
)
_UNSURE = word_set(
    "alleged allegedly apparently appear appears approximately around believe believed believes could estimated"
    " expect expected expects likely may maybe might perhaps plan planned planning plans possible possibly"
    " potential potentially probable probably proposed reportedly seem seemed seems should suggest suggested"
    " suggests suspected unclear unlikely would"
)
_SCOPE = word_set(
    "again ago all already also always best both current dozens each earlier entire ever every few final first former"
    " half highest hundreds largest last latest least longest lowest main majority many millions most multiple never"
    " now numerous oldest only previous primary recently second several since still then third thousands today total"
    " until various while worst yesterday youngest"
)
_KIN = word_set(
    "actor attacker aunt author boyfriend brother chairman coach cousin daughter director doctor driver employee father"
    " founder friend girlfriend governor husband judge lawyer manager mayor minister mother nurse officer owner parents"
    " pilot player president senator sister son spokesman spokesperson spokeswoman student suspect teacher uncle victim"
    " wife"
)
_SHE = word_set("she her hers herself woman girl mother daughter wife actress")
_HE = word_set("he him his himself man boy father son husband actor")
_TURNS = _UP | _DOWN | _UNSURE | _SCOPE | _KIN | _SHE | _HE


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    claim = _TURNS.intersection(a.claim.terms.words)
    near = _TURNS.intersection(chain.from_iterable([read.words for read in a.near_reads]))
    negators = a.claim.terms.negators
    there = any(read.negators for read in a.near_reads)
    up, down = not claim.isdisjoint(_UP), not claim.isdisjoint(_DOWN)
    there_up, there_down = not near.isdisjoint(_UP), not near.isdisjoint(_DOWN)
    opposites = sum(
        1 for term in a.unique if (other := OPPOSITES.get(term)) is not None and term not in a.near and other & a.near
    )
    differs, turned_share = _turned(a)
    return (
        float(negators),
        float(negators > 0 and not there),
        float(there and not negators),
        float(differs),
        float(opposites),
        float((up and not down and there_down and not there_up) or (down and not up and there_up and not there_down)),
        float(claim.isdisjoint(_UNSURE) and not near.isdisjoint(_UNSURE)),
        turned_share,
        float(_gender(claim) * _gender(near) < 0),
        float(len((claim & _SCOPE) - near)),
        float(len((claim & _KIN) - near)),
    )


def _gender(words: frozenset[str]) -> int:
    return (not words.isdisjoint(_SHE)) - (not words.isdisjoint(_HE))


def _turned(a: Alignment) -> tuple[int, float]:
    """Return how many of the terms that claim and nearest sentence share only one of them negates, and their share."""
    pair = zip(a.covered[a.window : a.window + 2], a.near_reads, strict=False)
    _, best = max(pair, key=lambda item: item[0], default=(0.0, None))
    if best is None or best.negated == a.claim.terms.negated:
        return 0, 0.0
    shared = set(best.items).intersection(a.unique)
    total = sum([a.weight[t] for t in a.unique if t in shared], 0.0)
    turned = shared & (best.negated ^ a.claim.terms.negated)
    return len(turned), sum([a.weight[t] for t in a.unique if t in turned], 0.0) / total if total else 0.0
