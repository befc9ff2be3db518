"""Words that bound a quantity, by language: "at least", "höchstens", "no later than", "or more"."""

# ruff: noqa: RUF001 - words of other languages

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from adapters.caching import cached
from scorers.statements.quantities.quantity import Comparator
from scorers.statements.quantities.scanning import tokens

_BEFORE: Mapping[str, Mapping[Comparator, str]] = {
    "*": {">=": "≥ >=", "<=": "≤ <=", ">": ">", "<": "<", "~": "~ ≈ ca"},
    "en": {
        ">=": """at least|at minimum|at a minimum|a minimum of|minimum of|minimum|min|no less than|no fewer than|not
        less
            than|not fewer than|nothing less than|starting at|starting from|not below|not under|never below|at or
            above|as
            little as|as few as|equal to or greater than|greater than or equal to|upwards of|no sooner than|no earlier
            than|not earlier than|not before|no shorter than|not shorter than""",
        ">": """more than|over|above|exceeding|exceed|exceeds|exceeded|greater than|longer than|older than|in excess
            of|beyond|higher than|larger than|bigger than|heavier than|later than|upward of|better than|wider than
            |taller than|deeper than|thicker than|faster than|farther than|further than|warmer than|hotter
            than|stronger than""",
        "<=": """at most|at the most|up to|a maximum of|maximum of|maximum|max|no more than|not more than|nothing
        more than|no
            longer than|not longer than|no later than|not later than|not to exceed|limited to|capped at|as much
            as|as many
            as|within|within the first|during the first|in the
            first|for the first|not above|not over|at or below|no greater than|no higher than|no older
            than|up to and
            including|less than or equal to|equal to or less than|in under|inside""",
        "<": """less than|fewer than|under|below|shorter than|younger than|earlier than|lower than|smaller
        than|lighter
            than|sooner than|narrower than|slower than|colder than|cooler than|nearer than|closer than|weaker than""",
        "~": "about|around|approximately|approx|roughly|circa|nearly|almost|close to|an estimated|estimated|some",
        "after": "after|since|following|as of|as from|from|starting|beginning|effective|on or after|upon expiry of",
        "before": "before|prior to|until|till|through|by|on or before|ending|not after|up until",
    },
    "de": {
        ">=": """mindestens|wenigstens|minimal|minimum|mind|min|nicht weniger als|nicht
        unter|zumindest|frühestens|nicht
            vor|nicht früher als""",
        ">": "mehr als|über|länger als|älter als|höher als|größer als|später als|oberhalb von|schwerer als",
        "<=": """höchstens|maximal|max|bis zu|bis maximal|nicht mehr als|nicht länger als|nicht später
        als|spätestens|innerhalb
            von|innerhalb|binnen|nicht über|längstens|begrenzt auf|maximum|nicht höher als""",
        "<": "weniger als|unter|kürzer als|jünger als|niedriger als|kleiner als|früher als|unterhalb von",
        "~": "etwa|rund|ungefähr|circa|zirka|knapp|annähernd|fast",
        "after": "nach|nach ablauf von|seit|ab|ab dem|vom|nach dem|seit dem",
        "before": "vor|bis|bis zum|vor dem|bis spätestens|bis einschließlich",
    },
    "fr": {
        ">=": "au moins|au minimum|minimum|un minimum de|pas moins de|à partir de|au plus tôt",
        ">": """plus de|supérieur à|supérieure à|au delà de|dépassant|dépasse|dépasser|dépassent|excéder|excède|excédant
        |plus que""",
        "<=": """au plus|au maximum|maximum|un maximum de|jusqu'à|jusqu à|pas plus de|dans les|sous|dans un délai
        de|au plus
            tard|limité à|ne dépassant pas|d'ici|endéans|jusqu'au""",
        "<": "moins de|inférieur à|inférieure à|en dessous de",
        "~": "environ|à peu près|près de|autour de|quelque",
        "after": "après|depuis|dès|à compter du|à partir du|dès le",
        "before": "avant|avant le|jusqu'en",
    },
    "es": {
        ">=": "al menos|por lo menos|como mínimo|mínimo|un mínimo de|no menos de|a partir de|desde",
        ">": "más de|superior a|mayor de|mayor que|supera|superen|exceda|excede|exceder|superar|supere",
        "<=": """como máximo|máximo|un máximo de|hasta|no más de|no más tarde de|a lo sumo|dentro de|en un plazo de|a
            más tardar|en el plazo de|dentro de los""",
        "<": "menos de|inferior a|menor de|menor que|por debajo de",
        "~": "aproximadamente|alrededor de|unos|unas|cerca de|casi",
        "after": "después de|tras|desde el|a partir del",
        "before": "antes de|antes del|hasta el",
    },
    "it": {
        ">=": "almeno|minimo|un minimo di|non meno di|a partire da|come minimo",
        ">": """più di|oltre|sopra|sopra i|al di sopra di|superiore a|superiori a|maggiore di|supera|superare|eccede
            |eccedere""",
        "<=": "al massimo|massimo|un massimo di|fino a|non più di|non oltre|entro|limitato a|tutt'al più",
        "<": "meno di|inferiore a|inferiori a|sotto|minore di|sotto i",
        "~": "circa|all'incirca|approssimativamente|quasi",
        "after": "dopo|da|dal|dopo il",
        "before": "prima di|prima del|entro il|fino al",
    },
    "pt": {
        ">=": "pelo menos|no mínimo|mínimo|um mínimo de|não menos de|a partir de|ao menos",
        ">": "mais de|acima de|superior a|maior que|excede|exceda|exceder|ultrapassar|ultrapassa|mais do que",
        "<=": "no máximo|máximo|um máximo de|até|não mais de|dentro de|em até|no prazo de|não mais do que",
        "<": "menos de|abaixo de|inferior a|menor que|menos do que",
        "~": "cerca de|aproximadamente|por volta de|quase",
        "after": "após|depois de|desde|a partir do|desde o",
        "before": "antes de|antes do|até o|até ao",
    },
    "nl": {
        ">=": "minstens|minimaal|ten minste|tenminste|niet minder dan|op zijn minst|minimum|vanaf",
        ">": "meer dan|boven|langer dan|ouder dan|hoger dan|later dan|over",
        "<=": """hoogstens|maximaal|max|tot|tot maximaal|ten hoogste|niet meer dan|niet langer
        dan|binnen|uiterlijk|niet later
            dan|maximum""",
        "<": "minder dan|onder|korter dan|jonger dan|lager dan|eerder dan",
        "~": "ongeveer|circa|rond|bijna|zo'n",
        "after": "na|sinds|na afloop van",
        "before": "voor|vóór|tot en met|voor het einde van",
    },
    "pl": {
        ">=": "co najmniej|przynajmniej|minimum|minimalnie|min|nie mniej niż|najwcześniej",
        ">": "więcej niż|ponad|przekraczać|przekroczyć|powyżej|dłużej niż|starsze niż|przekracza|później niż",
        "<=": """co najwyżej|najwyżej|maksymalnie|maksimum|max|do|nie więcej niż|nie dłużej niż|w ciągu|nie później
            niż|najpóźniej|w terminie|w terminie do""",
        "<": "mniej niż|poniżej|krócej niż|młodsze niż",
        "~": "około|ok|mniej więcej|prawie|blisko",
        "after": "po|od|po upływie",
        "before": "przed|do dnia",
    },
    "bg": {
        ">=": "поне|минимум|не по-малко от|най-малко|минимум от",
        ">": "повече от|над|по-дълго от|по-голям от|надвишава",
        "<=": "най-много|максимум|до|не повече от|в рамките на|в срок до|не по-късно от|най-късно|в срок от",
        "<": "по-малко от|под",
        "~": "около|приблизително|почти",
        "after": "след|от|считано от",
        "before": "преди",
    },
    "zh": {
        ">=": "至少|不少于|最少|不低于|起码|最低",
        ">": "超过|多于|大于|高于|逾",
        "<=": "最多|不超过|至多|最高|不多于|不高于|最长|不得超过|不晚于",
        "<": "少于|低于|不足|小于|不到|未满",
        "~": "约|大约|大概|近",
        "after": "自|从",
        "before": "",
    },
    "ja": {
        ">=": "最低|少なくとも|最低でも",
        ">": "",
        "<=": "最大|最長|最高|最大で|最大でも",
        "<": "",
        "~": "約|およそ|ほぼ",
    },
}
_BEHIND: Mapping[str, Mapping[Comparator, str]] = {
    "*": {">=": "+"},
    "en": {
        ">=": """or more|and more|or longer|or older|or above|or over|or greater|or higher|or later|and above|and
            over|and older|and up|minimum|at least|at a minimum|at the earliest|or better|is the least|is the
            fewest|is the minimum|are the minimum""",
        "<=": """or less|or fewer|or shorter|or younger|or below|or under|or earlier|and under|and below|maximum|at
            most|at the latest|max|or lower|and younger|or sooner|is the most|is the maximum|is the limit|are the
            maximum""",
        "after": "onwards|onward|or after",
    },
    "de": {
        ">=": "oder mehr|oder länger|oder älter|und mehr|mindestens|und älter|oder höher",
        "<=": """nicht überschreiten|nicht übersteigen|nicht überschritten werden|oder weniger|oder kürzer|oder
            jünger|maximal|höchstens|und weniger""",
    },
    "fr": {">=": "ou plus|et plus|minimum|au moins|au minimum", "<=": "ou moins|et moins|maximum|au plus|au maximum|au"
           " plus tard"},
    "es": {">=": "o más|y más|como mínimo|mínimo", "<=": "o menos|como máximo|máximo|a lo sumo"},
    "it": {">=": "o più|e oltre|minimo|e più", "<=": "o meno|massimo|al massimo"},
    "pt": {">=": "ou mais|e mais|no mínimo", "<=": "ou menos|no máximo"},
    "nl": {">=": "of meer|of langer|en meer|of ouder", "<=": "niet overschrijden|of minder|of korter|of jonger"},
    "pl": {">=": "lub więcej|i więcej|lub dłużej", "<=": "lub mniej|lub krócej"},
    "bg": {">=": "или повече|и повече", "<=": "или по-малко"},
    "zh": {">=": "以上|或以上|及以上|起", "<=": "以内|之内|以下|内|或以下|及以下", "after": "后|之后|以后", "before":
           "前|之前|以前"},
    "ja": {">=": "以上|以上の", "<=": "以内|以下|まで|以内に", "<": "未満", ">": "超|を超える|を超え", "after":
           "後|以降|から|経過後", "before": "前|より前"},
}  # fmt: skip
_EXTREMES: Mapping[str, tuple[Mapping[str, Comparator], str]] = {
    "en": ({"maximum": "<=", "max": "<=", "minimum": ">=", "min": ">="}, "is are of be was were shall at"),
    "de": ({"maximum": "<=", "mindestalter": ">=", "höchstgrenze": "<=", "minimum": ">=", "obergrenze": "<=",
            "höchstbetrag": "<=", "mindestbetrag": ">=", "mindestens": ">=", "mindestdauer": ">=", "höchstdauer": "<="},
           "ist sind von beträgt liegt bei betragen"),
    "fr": ({"maximum": "<=", "maximale": "<=", "maximal": "<=", "minimum": ">=", "minimale": ">=", "minimal": ">="},
           "est sont de à"),
    "es": ({"máximo": "<=", "máxima": "<=", "mínimo": ">=", "mínima": ">="}, "es son de"),
    "it": ({"massimo": "<=", "massima": "<=", "minimo": ">=", "minima": ">="}, "è sono di"),
    "pt": ({"máximo": "<=", "máxima": "<=", "mínimo": ">=", "mínima": ">="}, "é são de"),
    "nl": ({"maximum": "<=", "maximale": "<=", "minimum": ">=", "minimale": ">="}, "is zijn van bedraagt"),
    "pl": ({"maksymalny": "<=", "maksymalna": "<=", "minimalny": ">=", "minimalna": ">=", "minimalne": ">="},
           "to wynosi jest"),
    "bg": ({"максималният": "<=", "максимален": "<=", "минималният": ">=", "минимален": ">=", "минималната": ">=",
            "максималната": "<="}, "е са от"),
}  # fmt: skip
_NEGATORS = {
    "en": "not never no cannot can't mustn't shouldn't won't don't doesn't isn't without neither nor",
    "de": "nicht nie niemals kein keine keinen keinesfalls",
    "fr": "pas ne jamais",
    "es": "no nunca",
    "it": "non mai",
    "pt": "não nunca",
    "nl": "niet nooit geen",
    "pl": "nie nigdy",
    "bg": "не никога",
}
_BETWEEN_NEGATION = {
    "en": "be is are take takes last lasts cost costs exceed any being in for normally usually generally ever to",
    "de": "werden sein dürfen können sollen darf",
    "fr": "doit doivent devra devront peut peuvent pourra pourront pouvez devez dépasser",
    "es": "debe deben deberá deberán puede pueden podrá podrán ser",
    "it": "deve devono dovrà può possono potrà essere",
    "pt": "deve devem deverá pode podem poderá poderão ser",
    "nl": "mag worden",
    "pl": "może być",
    "bg": "може да бъде",
}
_TURNED: Final[Mapping[Comparator, Comparator]] = {
    ">": "<=", ">=": "<", "<": ">=", "<=": ">", "after": "before", "before": "after", "=": "=", "~": "~",
}  # fmt: skip

_SLACK = {
    "en": "of the a an than just only is are at",
    "de": "von der die das den einem einer eines",
    "fr": "de du des d' les le la un une tous toutes",
    "es": "de los las el la un una",
    "it": "di il lo la i gli le un una",
    "pt": "de os as o a um uma",
    "nl": "van de het een",
    "pl": "",
    "bg": "от",
}
_LOOK = 6
"""Tokens before a quantity in which the word is sought that says largest or least."""

_FREE = frozenset((("no", "cost"), ("no", "costs"), ("without", "cost")))
"""Words that free of a price and turn no bound behind them: "at no cost up to 6 pm"."""
_PARTICLES = frozenset(
    [(verb, "up") for verb in ("add", "adds", "added", "adding")]
    + [(verb, "over") for verb in ("carry", "carries", "carried", "carrying", "roll", "rolled", "transfer")]
)
"""Verbs with a particle that bounds no figure behind it."""
_NEAR_NEGATION = 4
_SLACKEST = 3
_ABBREVIATED = frozenset(("approx", "ca", "max", "min", "mind", "ok"))
_STOPS = frozenset(",;.!?|")


Trie = dict[str, Any]


class BoundWords:
    """The bounding words of one language, found by walking from a quantity outwards."""

    def __init__(self, language: str) -> None:
        self._before = _trie(_BEFORE, language, backwards=True)
        self._behind = _trie(_BEHIND, language, backwards=False)
        self._slack = frozenset(_SLACK.get(language, "").split())
        self._negators = frozenset(_NEGATORS.get(language, "").split())
        self._between = frozenset(_BETWEEN_NEGATION.get(language, "").split())
        self._extremes, copulas = _EXTREMES.get(language, ({}, ""))
        self._copulas = frozenset(copulas.split()) | {":", "="}

    def before(self, words: Sequence[str], at: int) -> tuple[Comparator, int, int] | None:
        """Return how the quantity that begins at token ``at`` is bounded by words before it, and where they stand."""
        if at > 1 and words[at - 1] == "." and words[at - 2] in _ABBREVIATED:
            found = _walk(self._before, words, at - 2, -1)
            return None if found is None else (found[0], found[1] + 1, at)
        if at > 1 and words[at - 1] == ",":
            aside = _walk(self._before, words, at - 2, -1)
            if aside is not None and aside[1] >= 0 and words[aside[1]] == ",":
                return aside[0], aside[1] + 1, at  # "é de, no máximo, 500 euros"
        end = at
        while end and at - end < _SLACKEST and words[end - 1] in self._slack:
            end -= 1
        for stop in range(at, end - 1, -1):
            found = _walk(self._before, words, stop - 1, -1)
            if found is not None:
                bound, start = found[0], found[1] + 1
                if start and (words[start - 1], words[start]) in _PARTICLES:
                    return None  # "they add up to 625 EUR", "carry over ten days"
                bound, start = self._turned(words, start, bound)
                return bound, start, stop
        return self._extreme(words, at)

    def behind(self, words: Sequence[str], at: int) -> tuple[Comparator, int] | None:
        """Return how words from token ``at`` bound the quantity before them, and where they end."""
        return _walk(self._behind, words, at, 1)

    def _turned(self, words: Sequence[str], start: int, bound: Comparator) -> tuple[Comparator, int]:
        at = start - 1
        while at >= 0 and start - at < _NEAR_NEGATION and words[at] in self._between:
            at -= 1
        turned = at >= 0 and words[at] in self._negators and tuple(words[at : at + 2]) not in _FREE
        return (_TURNED[bound], at) if turned else (bound, start)

    def _extreme(self, words: Sequence[str], at: int) -> tuple[Comparator, int, int] | None:
        """Read "the maximum stay is 30 days": an extreme, what it is of, and a copula."""
        if not at or words[at - 1] not in self._copulas:
            return None
        for place in range(at - 1, max(-1, at - 1 - _LOOK), -1):
            word = words[place]
            if word in _STOPS or word[0].isdigit():
                return None
            if word in self._extremes:
                return self._extremes[word], place, place + 1
        return None


def _walk(trie: Trie, words: Sequence[str], at: int, step: int) -> tuple[Comparator, int] | None:
    """Return the longest phrase that begins at a token in one direction, and the token behind it."""
    node, found = trie, None
    while 0 <= at < len(words):
        node = node.get(words[at], {})
        if not node:
            break
        at += step
        if "" in node:
            found = node[""], at
    return found


def _trie(tables: Mapping[str, Mapping[Comparator, str]], language: str, *, backwards: bool) -> Trie:
    trie: Trie = {}
    for name in ("*", language):
        for bound, phrases in tables.get(name, {}).items():
            for phrase in phrases.split("|"):
                words = [word.text for word in tokens(phrase)]
                node = trie
                for word in reversed(words) if backwards else words:
                    node = node.setdefault(word, {})
                if words:
                    node[""] = bound
    return trie


@cached(maxsize=32)
def bounds(language: str) -> BoundWords:
    """Return the bounding words of a language.

    >>> words = "must not exceed 30".split()
    >>> bounds("en").before(words, 3)
    ('<=', 1, 3)
    """
    return BoundWords(language)


def ahead(bound: Comparator, word: str, behind: Sequence[str]) -> Comparator:
    """Return how a quantity is bounded with what follows it: 14 days before at the latest is at least 14 days before.

    >>> ahead("<=", "no later than", ["before"]), ahead("<=", "up to", ["before"])
    ('>=', '<=')
    """
    turned = bound == "<=" and word.lower() in _LATEST and not _AHEAD.isdisjoint(behind)
    return ">=" if turned else bound


_LATEST = frozenset(("no later than", "not later than"))
_AHEAD = frozenset(("before", "ahead", "prior", "beforehand"))
