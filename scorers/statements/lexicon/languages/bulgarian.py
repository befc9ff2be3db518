"""Bulgarian words by what they say in a statement."""

# ruff: noqa: RUF001 - Cyrillic words hold letters that look like Latin ones
from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS: LanguageWords = LanguageWords(
    phrases={
        "MAY": "може/могат/можете\nразрешено/разрешен/позволено/възможно",
        "MUST": "трябва/следва",
        "NEED": "задължително/задължителен/задължителна/необходимо/необходим/нужно/длъжни/длъжен\nизисква/изискват",
        "SHOULD": "препоръчително/препоръчва",
        "FORBID": "забранено/забранен/забранена/забранени/невъзможно/изключено/изключени",
        "NOTNEED": "незадължително/доброволно/незадължителен",
        "NEG": "не/никога/никой/нито/няма/никакви/никакъв",
        "ONLYIF": "само ако/със/с/след/при/за",
        "UNLESS": "освен ако\n, освен ако",
        "EXC": "освен\nс изключение на",
        "IF": "ако/когато\nпри условие че?",
        "WITHOUT": "без",
        "BEFORE": "преди",
        "AFTER": "след",
        "UNTIL": "до",
        "ALL": "всички/всеки/всяка/всяко",
        "SOME": "някои/определени",
        "ONLY": "само/единствено",
        "ALWAYS": "винаги",
        "BOUND": "не повече/по от\nнай много/малко",
    },
    function=word_set("и е са бъде бъдат в във на с със от за по при се да това този тази тези му ѝ им ще"),
    joins=("и", "или"),
)
