"""Number words by language: "thirty", "fünfundzwanzig", "quatre-vingt-dix", "half", "dozen", "million"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from adapters.caching import cached

_ONES = {
    "en": """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen""",
    "de": """null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn
        sechzehn siebzehn achtzehn neunzehn""",
    "fr": """zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize
        dix·sept dix·huit dix·neuf""",
    "es": """cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince
        dieciséis diecisiete dieciocho diecinueve""",
    "it": """zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici
        quindici sedici diciassette diciotto diciannove""",
    "pt": """zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis
        dezessete dezoito dezenove""",
    "nl": """nul één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien
        zestien zeventien achttien negentien""",
    "pl": """zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście
        trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście""",
    "bg": """нула един два три четири пет шест седем осем девет десет единадесет дванадесет тринадесет
        четиринадесет петнадесет шестнадесет седемнадесет осемнадесет деветнадесет""",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "pl": "dwadzieścia trzydzieści czterdzieści pięćdziesiąt"
    " sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt",
    "bg": "двадесет тридесет четиридесет петдесет шестдесет седемдесет осемдесет деветдесет",
}
_MORE = {
    "en": "dozen=12 dozens=12",
    "de": """zwo=2 dreissig=30 fuenf=5 zwoelf=12 fuenfzehn=15 zweier=2 dutzend=12 anderthalb=1.5
        eineinhalb=1.5 zweieinhalb=2.5""",
    "fr": "une=1 dizaine=10 douzaine=12 vingtaine=20 trentaine=30 cinquantaine=50 centaine=100",
    "es": """mil=1000 una=1 un=1 dieciseis=16 docena=12 veintiún=21 veintiuno=21 veintidós=22 veintitrés=23
        veinticuatro=24 veinticinco=25 veintiséis=26 veintisiete=27 veintiocho=28 veintinueve=29
        doscientos=200 trescientos=300 quinientos=500""",
    "it": "un=1 una=1 dozzina=12 decina=10 duecento=200 trecento=300 cinquecento=500",
    "pt": """mil=1000 uma=1 duas=2 catorze=14 dezasseis=16 dezassete=17 dezanove=19 dúzia=12 duzentos=200
        trezentos=300 quinhentos=500""",
    "nl": "een=1 dozijn=12 anderhalf=1.5 anderhalve=1.5 tweeënhalf=2.5",
    "pl": """jedna=1 jedno=1 jednego=1 dwie=2 dwóch=2 dwoje=2 trzech=3 czterech=4 pięciu=5 sześciu=6
        siedmiu=7 ośmiu=8 dziewięciu=9 dziesięciu=10 dwunastu=12 czternastu=14 piętnastu=15
        dwudziestu=20 trzydziestu=30 sześćdziesięciu=60 dziewięćdziesięciu=90 półtora=1.5 tuzin=12
        dwieście=200 trzysta=300""",
    "bg": "една=1 едно=1 две=2 двама=2 трима=3 дузина=12 двеста=200 триста=300",
}
_SCALES = {
    "*": "k=1000 bn=1e9 mn=1e6 mio=1e6 mrd=1e9",
    "en": """hundred=100 hundreds=100 thousand=1000 thousands=1000 million=1e6 millions=1e6 billion=1e9
        billions=1e9 trillion=1e12 mil=1e6 tn=1e12 lakh=1e5 crore=1e7""",
    "de": """hundert=100 tausend=1000 tsd=1000 million=1e6 millionen=1e6 milliarde=1e9 milliarden=1e9
        billion=1e12 billionen=1e12""",
    "fr": "cent=100 cents=100 mille=1000 million=1e6 millions=1e6 milliard=1e9 milliards=1e9",
    "es": "cien=100 ciento=100 mil=1000 millón=1e6 millones=1e6",
    "it": "cento=100 mille=1000 mila=1000 milione=1e6 milioni=1e6 mln=1e6 miliardo=1e9 miliardi=1e9 mld=1e9",
    "pt": "cem=100 cento=100 mil=1000 milhão=1e6 milhões=1e6 bilhão=1e9 bilhões=1e9",
    "nl": "honderd=100 duizend=1000 miljoen=1e6 miljard=1e9 mln=1e6 mld=1e9",
    "pl": """sto=100 tysiąc=1000 tysiące=1000 tysięcy=1000 tys=1000 mln=1e6 milion=1e6 miliony=1e6
        milionów=1e6 mld=1e9 miliard=1e9 miliardy=1e9 miliardów=1e9""",
    "bg": "сто=100 хиляда=1000 хиляди=1000 хил=1000 милион=1e6 милиона=1e6 млн=1e6 милиард=1e9 милиарда=1e9 млрд=1e9",
}
_JOINS = {"de": "und", "fr": "et", "es": "y", "pt": "e", "bg": "и", "nl": "en", "en": "and"}
_HALVES = {
    "en": "half",
    "de": "halb halbe halben halber halbes",
    "fr": "demi demie",
    "es": "medio media",
    "it": "mezzo mezza",
    "pt": "meio meia",
    "nl": "half halve",
    "pl": "pół",
    "bg": "половин",
}
_ARTICLES = {
    "en": "a an one",
    "de": "ein eine einen einem einer eines",
    "fr": "un une",
    "es": "un una",
    "it": "un una uno un'",
    "pt": "um uma",
    "nl": "een één",
    "pl": "jeden jedna jedno jednego jednej",
    "bg": "един една едно",
}
_ORDINALS = {
    "en": "third=3 fourth=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 tenth=10 eleventh=11 twelfth=12",
    "de": """erste=1 ersten=1 zweite=2 zweiten=2 dritte=3 dritten=3 vierte=4 vierten=4 fünfte=5 fünften=5 sechste=6
        sechsten=6 siebte=7 siebten=7 achte=8 achten=8 neunte=9 neunten=9 zehnte=10 zehnten=10""",
    "fr": """premier=1 première=1 deuxième=2 troisième=3 quatrième=4 cinquième=5 sixième=6 septième=7 huitième=8
        neuvième=9 dixième=10""",
    "es": """primer=1 primero=1 primera=1 tercero=3 tercer=3 tercera=3 cuarto=4 cuarta=4 quinto=5 quinta=5
        sexto=6 sexta=6 séptimo=7 octavo=8 noveno=9 décimo=10""",
    "it": """primo=1 terzo=3 terza=3 quarto=4 quarta=4 quinto=5 quinta=5 sesto=6 sesta=6
        settimo=7 ottavo=8 nono=9 decimo=10""",
    "pt": """primeiro=1 primeira=1 terceiro=3 terceira=3 quarto=4 quinto=5 quinta=5 sexto=6 sétimo=7
        oitavo=8 nono=9 décimo=10""",
    "nl": "derde=3 vierde=4 vijfde=5 zesde=6 tiende=10",
    "pl": "trzeci=3 trzecia=3 trzeciego=3 czwarty=4 piąty=5 dziesiąty=10",
    "bg": "трети=3 трета=3 четвърти=4 пети=5 десети=10",
}
_FRACTIONS = {
    "en": "half=2 third=3 thirds=3 quarter=4 quarters=4 fourth=4 fifth=5 fifths=5 tenth=10 tenths=10",
    "de": "drittel=3 viertel=4 fünftel=5 zehntel=10",
    "fr": "tiers=3 quart=4 quarts=4 cinquième=5 dixième=10",
    "es": "tercio=3 tercios=3 cuarto=4 cuartos=4 quinto=5 décimo=10",
    "it": "terzo=3 terzi=3 quarto=4 quarti=4 quinto=5 decimo=10",
    "pt": "terço=3 terços=3 quarto=4 quartos=4 quinto=5 décimo=10",
    "nl": "derde=3 kwart=4 vijfde=5 tiende=10",
}
HALVES = frozenset(("hälfte", "moitié", "mitad", "metà", "metade", "helft", "połowa", "połowę", "połowy", "половината"))
"""Nouns that are a half of something."""


class Numerals(NamedTuple):
    """The number words of a language: ``words`` up to a hundred (of up to four tokens), ``scales`` that multiply."""

    words: Mapping[str, float]
    scales: Mapping[str, float]
    joins: frozenset[str]
    halves: frozenset[str]
    articles: frozenset[str]
    ordinals: Mapping[str, float]
    fractions: Mapping[str, float]
    begins: frozenset[str]


def _pairs(table: str) -> dict[str, float]:
    return {word.replace("·", " "): float(value) for word, _, value in (pair.partition("=") for pair in table.split())}


def _compound(language: str, ten: str, word: str, one: int) -> str:
    """Return how a ten and a one are put together."""
    if language == "de":
        return f"{'ein' if one == 1 else word}und{ten}"
    if language == "nl":
        return f"{'een' if one == 1 else word}{'ën' if word.endswith('e') else 'en'}{ten}"
    if language == "it":
        return f"{ten[:-1] if word[0] in 'uo' else ten}{word}"
    if language in ("es", "pt", "bg"):
        return f"{ten} {_JOINS[language]} {word}"
    return f"{ten} et un" if language == "fr" and one == 1 else f"{ten} {word}"


def _compounds(language: str, ones: list[str], tens: list[str]) -> Iterator[tuple[str, float]]:
    """Yield the numbers from 21 to 99 that are no single table entry, as their tokens are written."""
    for at, ten in enumerate(tens, start=2):
        for one, word in enumerate(ones[1:10], start=1):
            yield _compound(language, ten, word, one), float(at * 10 + one)
    for word, value in zip(ones[2:10], range(2, 10), strict=False):
        for scale, size in _JOINED_SCALES.get(language, {}).items():
            yield f"{word}{scale}", value * size
    if language == "fr":
        for one, word in enumerate(ones):
            if one >= _TEN:
                yield f"soixante {'et onze' if one == _TEN + 1 else word}", float(60 + one)
            if one:
                yield f"quatre vingt {word}", float(80 + one)
        yield from (("quatre vingt", 80.0), ("quatre vingts", 80.0), ("septante", 70.0), ("nonante", 90.0))


_JOINED_SCALES = {"de": {"hundert": 100.0, "tausend": 1000.0}, "nl": {"honderd": 100.0, "duizend": 1000.0}}
_TEN = 10


@cached(maxsize=32)
def numerals(language: str) -> Numerals:
    """Return the number words of a language; of one without a table only the scales that stand everywhere.

    >>> numerals("de").words["fünfundzwanzig"], numerals("fr").words["quatre vingt dix"]
    (25.0, 90.0)
    """
    ones = [word.replace("·", " ") for word in _ONES.get(language, "").split()]
    tens = _TENS.get(language, "").split()
    words = {word: float(value) for value, word in enumerate(ones)}
    words |= {word: float(value) for value, word in zip(range(20, 100, 10), tens, strict=False)}
    words |= dict(_compounds(language, ones, tens))
    words |= _pairs(_MORE.get(language, ""))
    scales = _pairs(_SCALES["*"]) | _pairs(_SCALES.get(language, ""))
    halves = frozenset(_HALVES.get(language, "").split())
    articles = frozenset(_ARTICLES.get(language, "").split())
    ordinals, fractions = _pairs(_ORDINALS.get(language, "")), _pairs(_FRACTIONS.get(language, ""))
    spelled = frozenset(word.split()[0] for word in words) | frozenset(scales.keys() - _SHORT)
    return Numerals(
        words=words,
        scales=scales,
        joins=frozenset(_JOINS.get(language, "").split()),
        halves=halves,
        articles=articles,
        ordinals=ordinals,
        fractions=fractions,
        begins=spelled.union(halves, articles, ordinals, fractions),
    )


_SHORT = frozenset(
    {"k", "bn", "mn", "tn", "mil", "mio", "mrd", "mln", "mld", "tsd", "tys", "cents", "хил", "млн", "млрд"}
)
"""Scales that are read only behind a number."""
