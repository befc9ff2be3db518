"""Polish words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS: LanguageWords = LanguageWords(
    phrases={
        "MAY": """
            może/mogą/można/możesz
            dozwolone/dozwolony/dozwolona/możliwe/możliwy/możliwa/uprawniony/uprawnieni
            wolno
        """,
        "NEED": """
            musi/muszą/musisz/trzeba/należy
            wymagane/wymagany/wymagana/obowiązkowe/obowiązkowy/obowiązkowa/konieczne/konieczny/potrzebny/potrzebna
            wymaga/wymagają
        """,
        "SHOULD": "powinien/powinna/powinno/powinni/powinny\nzalecane/zaleca",
        "FORBID": "zabronione/zabroniony/zabroniona/zakazane/zakazany/niemożliwe/wykluczone/niedozwolone",
        "NOTNEED": "opcjonalne/opcjonalny/dobrowolne/dobrowolny/nieobowiązkowe",
        "NEG": "nie/nigdy/żaden/żadna/żadne/żadnych/nikt/ani/brak",
        "ONLYIF": "tylko jeśli/gdy/za/po/dla\nwyłącznie za/po/dla",
        "UNLESS": "chyba że\n, chyba że",
        "EXC": "oprócz/poza/wyjątkiem\nz wyjątkiem",
        "IF": "jeśli/jeżeli/gdy\npod warunkiem że?",
        "WITHOUT": "bez",
        "BEFORE": "przed/zanim",
        "AFTER": "po",
        "UNTIL": "do/aż",
        "ALL": "wszyscy/wszystkie/wszystkich/każdy/każda/każde/każdego",
        "SOME": "niektóre/niektórzy/niektórych/część",
        "ONLY": "tylko/wyłącznie/jedynie",
        "ALWAYS": "zawsze",
        "BOUND": "nie więcej/dłużej/później/mniej niż\nco najmniej/najwyżej\nmaksymalnie/minimum",
    },
    function=word_set(
        "i oraz jest są być był była było w we na z ze o od dla przez się to ten ta te tego tej tych ich jego jej"
    ),
    joins=("i", "lub"),
)
