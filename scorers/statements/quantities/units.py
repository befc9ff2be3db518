"""Units of measure and currencies by language, each with what it measures and what it is worth in base units."""

# ruff: noqa: RUF001 - words of other languages

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from adapters.caching import cached
from scorers.statements.quantities.quantity import QuantityDimension

MONTH = 2_629_746.0
"""Seconds of a mean month of the Gregorian calendar: 146,097 days / 4,800."""

MINUTE, HOUR, DAY, WEEK = 60.0, 3_600.0, 86_400.0, 604_800.0


class MeasureUnit(NamedTuple):
    """A unit: its name in one form, what it measures, and its worth in base units (above ``zero`` for degrees)."""

    name: str
    dimension: QuantityDimension
    factor: float = 1.0
    zero: float = 0.0


_TIMES = {
    "second": (1.0, """en second seconds sec secs s | de sekunde sekunden sek | fr seconde secondes | es segundo
    segundos
        | it secondo secondi | pt segundo segundos | nl seconde seconden | pl sekunda sekundy sekund sekundę
        | bg секунда секунди | zh 秒 秒钟 | ja 秒 秒間"""),
    "minute": (MINUTE, """en minute minutes min mins | de minute minuten minütige minütigen minütiger | fr minute
    minutes
        | es minuto minutos | it minuto minuti | pt minuto minutos | nl minuut minuten | pl minuta minuty minut minutę
        | bg минута минути мин | zh 分钟 | ja 分 分間"""),
    "hour": (HOUR, """en hour hours hr hrs h | de stunde stunden std stündige stündigen stündiger | fr heure heures
        | es hora horas | it ora ore | pt hora horas | nl uur uren | pl godzina godziny godzin godzinę godz
        | bg час часа часове ч | zh 小时 钟头 | ja 時間"""),
    "day": (DAY, """en day days calendar·day calendar·days consecutive·days | de tag tage tagen tages tägige tägigen
        tägiger kalendertag kalendertage kalendertagen | fr jour jours jour·calendaire jours·calendaires | es día días
        dia dias día·natural días·naturales días·corridos | it giorno giorni giorni·di·calendario giorni·solari
        | pt dia dias dia·corrido dias·corridos | nl dag dagen kalenderdag kalenderdagen | pl dzień dni dnia dniach
        dni·kalendarzowych dni·kalendarzowe | bg ден дни дена календарен·ден календарни·дни | zh 天 日 自然日 日历日
        | ja 日 日間 暦日"""),
    "week": (WEEK, """en week weeks wk wks calendar·week
    calendar·weeks | de woche wochen wöchige wöchigen wöchiger | fr semaine semaines
        | es semana semanas | it settimana settimane | pt semana semanas | nl week weken | pl tydzień tygodnie tygodni
        tygodniu tygodnia | bg седмица седмици | zh 周 星期 个星期 礼拜 | ja 週 週間"""),
    "fortnight": (2 * WEEK, "en fortnight fortnights | fr quinzaine | es quincena"),
    "month": (MONTH, """en month months mo mos calendar·months | de monat monate monaten monats monatige monatigen
        monatiger | fr mois | es mes meses | it mese mesi | pt mês meses mes | nl maand maanden | pl miesiąc miesiące
        miesięcy miesiąca miesiącu | bg месец месеца месеци | zh 个月 月 | ja か月 ヶ月 カ月 ヵ月 箇月 ケ月"""),
    "quarter": (3 * MONTH, """en quarter quarters | de quartal quartale quartalen vierteljahr | fr trimestre
    trimestres
        | es trimestre trimestres | it trimestre trimestri | pt trimestre trimestres | nl kwartaal kwartalen
        | pl kwartał kwartały kwartałów | bg тримесечие тримесечия | zh 季度 个季度 | ja 四半期"""),
    "semester": (6 * MONTH, """de halbjahr halbjahre | fr semestre semestres | es semestre semestres | it semestre
    semestri |
        pt semestre semestres | zh 半年 | ja 半年 半年間"""),
    "year": (12 * MONTH, """en year years yr yrs | de jahr jahre jahren jahres jährige jährigen jähriger | fr an ans
        année années | es año años | it anno anni | pt ano anos | nl jaar jaren | pl rok roku lata lat latach
        | bg година години | zh 年 | ja 年 年間"""),
    "decade": (120 * MONTH, """en decade decades | de jahrzehnt jahrzehnte jahrzehnten | fr décennie décennies
        | es década décadas | it decennio decenni | pt década décadas | nl decennium decennia | pl dekada dekady dekad
        | bg десетилетие десетилетия"""),
    "century": (1200 * MONTH, """en century centuries | de jahrhundert jahrhunderte jahrhunderten | fr siècle siècles
        | es siglo siglos | it secolo secoli | pt século séculos | nl eeuw eeuwen | pl wiek wieki wieków
        | bg век века"""),
}  # fmt: skip

_WORKING = {
    "working day": (
        DAY,
        """en working·day working·days business·day business·days workday workdays work·day work·days
        banking·day banking·days bank·working·days office·days | de arbeitstag arbeitstage arbeitstagen arbeitstages
        werktag werktage werktagen werktages geschäftstag geschäftstage geschäftstagen bankarbeitstag bankarbeitstage
        bankarbeitstagen | fr jour·ouvrable jours·ouvrables jour·ouvré jours·ouvrés | es día·hábil días·hábiles
        día·laborable días·laborables día·laboral días·laborales dias·habiles | it giorno·lavorativo giorni·lavorativi
        giorno·feriale giorni·feriali | pt dia·útil dias·úteis dia·util dias·uteis | nl werkdag werkdagen
        | pl dzień·roboczy dni·robocze dni·roboczych dniach·roboczych | bg работен·ден работни·дни работни·дена
        | zh 个工作日 工作日 工作天 个工作天 | ja 営業日 平日""",
    ),
    "working hour": (
        HOUR,
        """en working·hour working·hours business·hour business·hours | de arbeitsstunde
        arbeitsstunden | fr heures·ouvrées heures·ouvrables | es horas·laborables horas·hábiles | it ore·lavorative
        | pt horas·úteis | nl werkuur werkuren | pl godzin·roboczych godziny·robocze | bg работни·часа""",
    ),
}

_MEASURES: Mapping[QuantityDimension, Mapping[str, tuple[float, str]]] = {
    "time": {"millisecond": (0.001, "* ms | en millisecond milliseconds | de millisekunde millisekunden"), **_TIMES},
    "working time": _WORKING,
    "mass": {
        "mg": (0.001, """* mg | en milligram milligrams milligramme milligrammes | de milligramm | fr milligrammes |
        es
        miligramos | it milligrammi | pt miligramas | pl miligramów | bg мг | ja ミリグラム | zh 毫克"""),
        "g": (1.0, """* g | en gram grams gramme grammes | de gramm | fr gramme grammes | es gramo gramos | it grammo
        grammi | pt grama gramas | nl gram | pl gram gramy gramów | bg г грам грама | zh 克 | ja グラム"""),
        "kg": (1e3, """* kg kgs | en kilo kilos kilogram kilograms kilogramme kilogrammes | de kilo kilogramm | fr
        kilo
        kilos kilogramme kilogrammes | es kilo kilos kilogramo kilogramos | it chilo chili chilogrammo
        chilogrammi | pt quilo quilos quilograma quilogramas | nl kilo kilogram | pl kilogram kilogramy
        kilogramów kilo | bg кг килограм килограма | zh 公斤 千克 | ja キロ キログラム"""),
        "t": (1e6, """* t | en tonne tonnes ton tons | de tonne tonnen | fr tonne tonnes | es tonelada toneladas | it
        tonnellata tonnellate | pt tonelada toneladas | nl ton | pl tona tony ton | bg тон тона | zh 吨 |
        ja トン"""),
        "lb": (453.59237, "* lb lbs | en pound pounds"),
        "oz": (28.349523125, "* oz | en ounce ounces"),
        "stone": (6350.29318, "en stone"),
    },
    "length": {
        "mm": (1e-3, """* mm | en millimetre millimetres millimeter millimeters | de millimeter | fr millimètre
        millimètres | es milímetro milímetros | it millimetri | pt milímetros | nl millimeter | pl
        milimetrów | bg мм | zh 毫米 | ja ミリ"""),
        "cm": (1e-2, """* cm | en centimetre centimetres centimeter centimeters | de zentimeter zentimetern | fr
        centimètre centimètres | es centímetro centímetros | it centimetro centimetri | pt centímetros |
        nl centimeter | pl centymetrów | bg см | zh 厘米 公分 | ja センチ センチメートル"""),
        "m": (1.0, """* m | en metre metres meter meters | de meter metern | fr mètre mètres | es metro metros | it
        metro metri | pt metro metros | nl meter | pl metr metry metrów | bg м метър метра | zh 米 公尺 |
        ja メートル"""),
        "km": (1e3, """* km kms kmh kph | en kilometre kilometres kilometer kilometers | de kilometer kilometern | fr
        kilomètre
        kilomètres | es kilómetro kilómetros | it chilometro chilometri | pt quilómetros quilômetros
        quilómetro | nl kilometer | pl kilometr kilometry kilometrów | bg км километра | zh 公里 千米 | ja
        キロメートル"""),
        "inch": (0.0254, "en inch inches | de zoll"),
        "foot": (0.3048, "en foot feet ft"),
        "yard": (0.9144, "en yard yards yd yds"),
        "mile": (1609.344, "* mi mph | en mile miles | de meile meilen | fr mille·marin | es milla millas | nl mijl"),
    },
    "area": {
        "m2": (1.0, """* m² m2 sqm qm | en square·metre square·metres square·meter square·meters sq·m | de
        quadratmeter
        quadratmetern | fr mètres·carrés mètre·carré | es metros·cuadrados | it metri·quadri
        metri·quadrati mq | pt metros·quadrados | nl vierkante·meter | pl metrów·kwadratowych | bg кв·м
        квадратни·метра | zh 平方米 | ja 平方メートル 平米"""),
        "km2": (1e6, "* km² km2 | en square·kilometre square·kilometres square·kilometers | de quadratkilometer"),
        "hectare": (1e4, "* ha | en hectare hectares | de hektar | fr hectares | es hectáreas | it ettari"),
        "acre": (4046.8564224, "en acre acres"),
        "sqft": (0.09290304, "* sqft ft² ft2 | en square·foot square·feet sq·ft"),
    },
    "volume": {
        "ml": (1e-6, """* ml | en millilitre millilitres milliliter milliliters | de milliliter | fr millilitres | es
        mililitros | it millilitri | pt mililitros | nl milliliter | pl mililitrów | bg мл | zh 毫升 | ja
        ミリリットル"""),
        "cl": (1e-5, "* cl | de zentiliter | fr centilitres"),
        "l": (1e-3, """* l | en litre litres liter liters | de liter litern | fr litre litres | es litro litros | it
        litro litri | pt litro litros | nl liter | pl litr litry litrów | bg л литра литър | zh 升 公升 |
        ja リットル"""),
        "m3": (1.0, """* m³ m3 cbm | en cubic·metre cubic·metres cubic·meter cubic·meters | de kubikmeter | fr
        mètres·cubes | es metros·cúbicos | it metri·cubi | pt metros·cúbicos | nl kubieke·meter | pl
        metrów·sześciennych"""),
        "gallon": (0.003785411784, "en gallon gallons gal"),
        "pint": (0.000473176473, "en pint pints"),
        "fl oz": (2.95735295625e-5, "en fl·oz fluid·ounce fluid·ounces"),
        "cup": (2.365882365e-4, "en cup cups"),
    },
    "data": {
        "kbit": (125.0, "* kbit kbits kbps | en kilobit kilobits"),
        "Mbit": (125e3, "* mbit mbits mbps | en megabit megabits"),
        "Gbit": (125e6, "* gbit gbits gbps | en gigabit gigabits"),
        "B": (1.0, "en byte bytes | de byte | fr octet octets | es bytes"),
        "KB": (1e3, "* kb | en kilobyte kilobytes | fr ko"),
        "MB": (1e6, "* mb | en megabyte megabytes | de megabyte | fr mo"),
        "GB": (1e9, "* gb | en gigabyte gigabytes gigs gig | de gigabyte | fr go | bg гб"),
        "TB": (1e12, "* tb | en terabyte terabytes | de terabyte | fr to"),
        "PB": (1e15, "* pb | en petabyte petabytes"),
        "KiB": (2.0**10, "* kib"),
        "MiB": (2.0**20, "* mib"),
        "GiB": (2.0**30, "* gib"),
        "TiB": (2.0**40, "* tib"),
    },
    "percent": {
        "%": (1.0, """* % | en percent per·cent pct | de prozent prozentige prozentigen | fr pour·cent | es por·ciento
        | it per·cento | pt por·cento | nl procent | pl procent procenta procentów | bg процента процент
        | zh 百分 | ja パーセント"""),
        "割": (10.0, "ja 割 割引 割引き"),
        "‰": (0.1, "* ‰ | de promille | fr pour·mille | en per·mille"),
    },
    "points": {
        "pp": (1.0, """* pp | en percentage·point percentage·points | de prozentpunkt prozentpunkte prozentpunkten |
        fr
        points·de·pourcentage point·de·pourcentage | es puntos·porcentuales | it punti·percentuali | pt
        pontos·percentuais | nl procentpunt procentpunten | pl punktów·procentowych punkty·procentowe |
        bg процентни·пункта процентен·пункт | zh 个百分点 百分点 | ja ポイント"""),
        "bp": (0.01, "* bps | en basis·point basis·points | de basispunkte basispunkten"),
    },
}  # fmt: skip

_CURRENCIES = {
    "EUR": "* € eur euro euros | de euros | pl euro | bg евро | zh 欧元 | ja ユーロ | nl euro's",
    "$": """* $ | en dollar dollars | de dollar dollars | fr dollar dollars | es dólar dólares | it dollaro
        dollari | pt dólar dólares | nl dollar | pl dolar dolary dolarów | bg долар долара | zh 美元 | ja
        ドル 米ドル""",
    "USD": "* usd us$ | en us·dollar us·dollars | de us-dollar",
    "CAD": "* cad ca$ c$ | en canadian·dollars",
    "AUD": "* aud au$ a$ | en australian·dollars",
    "NZD": "* nzd nz$",
    "HKD": "* hkd hk$",
    "SGD": "* sgd s$",
    "GBP": """* £ gbp | en sterling pounds·sterling | de pfund | fr livres·sterling | es libras·esterlinas |
        it sterline | pt libras·esterlinas | nl pond | pl funtów | zh 英镑 | ja ポンド""",
    "CHF": "* chf sfr | en swiss·franc swiss·francs | de franken | fr francs·suisses | it franchi",
    "JPY": "* jpy | en yen | de yen | fr yens | ja 円",
    "¥": "* ¥ ￥",
    "CNY": "* cny rmb | en yuan renminbi | zh 元 人民币 元人民币 块 | ja 人民元",
    "PLN": "* pln zł | pl złoty złote złotych | en zloty",
    "BGN": "* bgn | bg лв лева лев",
    "kr": "* kr | en kroner kronor krona krone | de kronen",
    "SEK": "* sek",
    "NOK": "* nok",
    "DKK": "* dkk",
    "CZK": "* czk kč",
    "HUF": "* huf",
    "RON": "* ron",
    "INR": "* inr ₹ rs | en rupee rupees",
    "KRW": "* krw ₩ | en won",
    "BRL": "* brl r$ | pt reais",
    "MXN": "* mxn",
    "ZAR": "* zar",
    "TRY": "* ₺",
    "UAH": "* uah ₴",
    "ILS": "* ils ₪",
}
_CENTS = (
    "* ct | en cent cents | de cent cents | fr centime centimes | es céntimo céntimos | it centesimi"
    " | pt cêntimos centavos"
)
_PENCE = "en pence penny pennies"
_DEGREES = {
    "°C": (1.0, 0.0, """* °c ℃ | en degree degrees degrees·celsius celsius degree·celsius | de grad grad·celsius | fr
        degrés degrés·celsius | es grados grados·celsius | it gradi gradi·centigradi | pt graus
        graus·celsius | nl graden graden·celsius | pl stopni stopnie | bg градуса | zh 度 摄氏度 | ja 度"""),
    "°F": (5 / 9, -160 / 9, "* °f ℉ | en degrees·fahrenheit fahrenheit | de grad·fahrenheit"),
    "K": (1.0, -273.15, "en kelvin"),
}  # fmt: skip

FREE = "°"
"""A degree sign without a scale."""

SAME_MONEY = {
    "$": frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN"}),
    "kr": frozenset({"SEK", "NOK", "DKK"}),
    "¥": frozenset({"JPY", "CNY"}),
    "cent": frozenset({"EUR", "USD", "$", "CAD", "AUD"}),
}
"""Signs that several currencies share."""

_SEPARATE = "·"


def _forms(table: str, language: str) -> Iterator[str]:
    """Yield the forms of a unit in a language, signs of every language (``*``) and English ones last."""
    by_language = {}
    for part in table.split("|"):
        name, *forms = part.split()
        by_language[name] = forms
    for name in dict.fromkeys(("*", "en", language)):
        for form in by_language.get(name, ()):
            yield form.replace(_SEPARATE, " ")


@cached(maxsize=32)
def units(language: str) -> Mapping[str, MeasureUnit]:
    """Return the units of a language by their forms in lower case; words of a form have one blank between them.

    >>> units("de")["werktage"].dimension, units("en")["km"].factor
    ('working time', 1000.0)
    """
    found: dict[str, MeasureUnit] = {}
    for dimension, measures in _MEASURES.items():
        for name, (factor, table) in measures.items():
            found |= dict.fromkeys(_forms(table, language), MeasureUnit(name, dimension, factor))
    for name, (factor, zero, table) in _DEGREES.items():
        found |= dict.fromkeys(_forms(table, language), MeasureUnit(name, "temperature", factor, zero))
    for name, table in _CURRENCIES.items():
        found |= dict.fromkeys(_forms(table, language), MeasureUnit(name, "money"))
    found |= dict.fromkeys(_forms(_CENTS, language), MeasureUnit("cent", "money", 0.01))
    found |= dict.fromkeys(_forms(_PENCE, language), MeasureUnit("GBP", "money", 0.01))
    found[FREE] = MeasureUnit("°C", "temperature")
    if language != "en":
        for word in _NOT_FOREIGN.intersection(found):
            del found[word]
        for dimension, measures in _MEASURES.items():
            for name, (factor, table) in measures.items():
                own = (f for part in table.split("|") if part.split()[0] == language for f in part.split()[1:])
                found |= {form.replace(_SEPARATE, " "): MeasureUnit(name, dimension, factor) for form in own}
    return found


_NOT_FOREIGN = frozenset(
    {"s", "mo", "mos", "min", "stone", "second", "quarter", "foot", "cup", "gal", "rs", "won", "kilo"}
)
"""English units that are other words elsewhere."""
