"""How a Dutch reply declines, abstains, refers elsewhere and greets."""

from __future__ import annotations

from scorers.text.replies.base import Wording

_NOT = "niet|niets|geen|nooit|geenszins"
_HELP = (
    "helpen|assisteren|beantwoorden|vertellen|delen|verstrekken|voldoen|zeggen|ingaan|meewerken"
    "|bespreken|geven|meedelen"
    "|adviseren|verklappen|doorgeven|onthullen"
)
_FACTS = (
    "informatie|gegevens|details|detail|antwoord|vermelding|aanwijzing|aanwijzingen|gegeven|documenten|document|bron"
    "|bronnen|kennis|resultaten|verwijzing|data|toegang|bewijs|passage|passages|bepaling"
)
_SOURCES = (
    "document|documenten|bron|bronnen|context|tekst|teksten|passage|passages|fragment|fragmenten|informatie|beleid"
    "|handleiding|handboek|kennisbank|gegevens|inhoud|artikel|artikelen|documentatie|materiaal|stukken|stuk|contract"
    "|richtlijn|richtlijnen|reglement|regeling"
)
_SAYS = (
    "vermeldt|vermelden|noemt|noemen|zegt|zeggen|specificeert|specificeren|beschrijft|beschrijven|beantwoordt"
    "|beantwoorden|behandelt|behandelen|geeft|geven|meldt|melden|verduidelijkt"
)
_HOLDS = "bevat|bevatten|biedt|bieden|geeft|geven|heeft|hebben|verstrekt|levert|leveren"
_SAID = (
    "vermeld|genoemd|gespecificeerd|beschreven|aangegeven|opgenomen|besproken|behandeld|terug|gemeld|duidelijk|bekend"
)

WORDING = Wording(
    declines=(
        "valt|vallen|ligt|liggen|gaat ~2 buiten ~3 mijn|wat|ons|onze",
        "hoort|behoort|is|zijn niet ~4 tot|bij|binnen|mijn ~2 mijn|taken|taak",
        "kan ik ~3 niet ~3",
        "ik kan|mag ~3 geen|niet",
        "kan|mag ik ~3 geen|niet",
        f"ik kan|mag|zal|wil|ga|kon ~7 {_NOT}",
        f"kan|mag|zal|wil|ga ik ~7 {_NOT}",
        f"wij|we kunnen|mogen|willen ~6 {_NOT} ~5 {_HELP} $",
        f"kunnen|mogen|willen wij|we ~6 {_NOT} ~5 {_HELP} $",
        f"wij|we kunnen|mogen ~5 {_NOT} ~3 informatie|advies|gegevens|vraag|vragen|verzoek",
        f"kunnen|mogen wij|we ~5 {_NOT} ~3 informatie|advies|gegevens|vraag|vragen|verzoek",
        f"ik ben ~4 {_NOT} ~2 bevoegd|gemachtigd|staat|toegestaan|geautoriseerd",
        f"ben ik ~4 {_NOT} ~2 bevoegd|gemachtigd|staat|toegestaan|geautoriseerd",
        "is het mij|me ~3 niet ~2 toegestaan|mogelijk",
        "het is mij|me ~3 niet ~2 toegestaan|mogelijk",
        "is mij|me niet ~2 toegestaan|mogelijk",
        "ik moet ~6 weigeren|afwijzen|afslaan",
        "moet ik ~6 weigeren|afwijzen|afslaan|teleurstellen",
        "ik weiger",
        f"dat|omdat|daar ik|wij|we ~6 {_NOT} ~4 kan|mag|kunnen|mogen $",
        "ik doe|geef|verstrek|deel ~4 geen|niet ~3",
        "valt|ligt ~3 buiten ~2 mijn|ons|onze",
        "buiten mijn|onze",
        "verzoek|vraag ~4 kan|kunnen ~3 niet ~3 worden",
        "als ~3 ai|assistent|taalmodel ~5 niet|geen",
        "liever niet",
        f"^ ik ~6 {_NOT}",
        f"^ nee|helaas|sorry|daarom|dat|daar|die|dit|hierover|daarover|toch ~4 ik ~5 {_NOT}",
        f"ik heb ~2 {_NOT} ~2 recht|bevoegdheid|toestemming",
        "het is niet aan mij",
        "niet ~1 mijn taak|rol",
        "gaat|gaan ~4 mijn ~3 boven|buiten",
        "overstijgt|overschrijdt ~3 mijn",
        f"doe|geef|verstrek|deel|help|beantwoord ik ~4 {_NOT}",
        "is mij|me verboden|onmogelijk",
        "het spijt me|mij ~2 dat ~2 ik ~5 niet|geen",
    ),
    abstains=(
        f"^ in|uit geen ~2 van ~3 {_SOURCES} ~2 staat|staan|vind|vinden|wordt|worden|blijkt",
        f"staat|staan|vind|vindt|valt|is ~4 {_NOT} ~4 in|uit ~3 {_SOURCES}",
        f"over ~5 staat|staan|vind|zegt|zeggen|meldt ~6 {_NOT}",
        f"komt|komen ~5 {_NOT} ~2 in|er|aan ~2 voor|bod",
        "nergens ~4 genoemd|vermeld|besproken|gezegd|beschreven|te",
        "wordt|worden nergens|niet ~4 genoemd|vermeld|besproken|gezegd|beschreven|behandeld|uitgelegd",
        f"{_NOT} ~3 gevonden|vinden|ontdekt|aangetroffen $",
        f"{_NOT} ~4 te zeggen|beantwoorden|bepalen|vinden|achterhalen",
        f"blijkt|blijken ~3 {_NOT} ~2 uit",
        f"{_SOURCES} ~5 {_SAYS} ~6 {_NOT}",
        f"^ geen ~2 {_FACTS} ~4",
        "liever niet ~4 raden|gokken|speculeren|naar",
        "ga|wil ~5 niet ~3 raden|gokken|speculeren",
        "bedoelt|bedoel|bedoel je|u ~4",
        (
            "kunt|kun|kan|zou u|je ~6 preciezer|specifieker|verduidelijken|toelichten|herformuleren|specificeren"
            "|duidelijker"
        ),
        "wat|welke|waar ~2 bedoelt|bedoel|precies|gaat",
        "daar ~1 heb|weet|vind ik ~5 niets|geen|niet",
        f"ik|wij|we ~1 heb|hebben|beschik|beschikken|vind|vinden|zie|ken ~6 {_NOT} ~3 {_FACTS}|gevonden|toegang|terug",
        f"heb|hebben|beschik|beschikken|vind|vinden|zie|ken ik|wij|we ~6 {_NOT} ~3 {_FACTS}|gevonden|toegang|terug",
        (
            f"ik|wij|we ~1 kan|kon|kunnen|konden ~7 {_NOT} ~5 vinden|bepalen|bevestigen|vaststellen|achterhalen"
            "|afleiden|opmaken|nagaan|terugvinden|beoordelen|verifiëren"
        ),
        (
            f"kan|kon|kunnen|konden ik|wij|we ~7 {_NOT} ~5 vinden|bepalen|bevestigen|vaststellen|achterhalen"
            "|afleiden|opmaken|nagaan|terugvinden|beoordelen|verifiëren"
        ),
        f"{_SOURCES} zwijgt|zwijgen",
        "geen ~1 sprake van",
        "geen|niet ~1 weet ~1 van",
        f"{_HOLDS}|vermeldt|noemt|zegt ~2 {_SOURCES} ~4 {_NOT} ~2 {_FACTS}|uitsluitsel|duidelijkheid|hierover|daarover",
        f"{_SOURCES} ~4 {_HOLDS} ~3 geen uitsluitsel|duidelijkheid",
        f"ik heb ~8 {_NOT} ~2 gevonden|weet",
        "nergens ~4 vinden|terugvinden|gevonden|vermeld|staat",
        f"niets ~2 in|uit ~4 {_SOURCES}",
        f"geen ~3 {_SOURCES} ~2 gaat|gaan|behandelt|behandelen|vermeldt|noemt|zegt",
        f"komt|komen ~3 {_NOT} aan ~1 bod|orde",
        "niet|geen ~3 behandeld|besproken|beschreven|uitgelegd ~3 in",
        "ik weet ~3 niet",
        "weet ik ~3 niet",
        "ik ben ~2 niet ~2 zeker",
        "is mij|me ~2 niet|on bekend",
        "mij|me ~1 onbekend",
        f"{_SOURCES} ~4 {_SAYS} ~6 {_NOT}",
        f"{_SOURCES} ~4 {_HOLDS} ~4 {_NOT} ~3 {_FACTS}|hierover|daarover",
        f"in|uit|volgens ~4 {_SOURCES} ~8 {_NOT} ~4 {_SAID}|vinden|blijkt|staat|op|terug",
        f"in|uit ~4 {_SOURCES} staat|blijkt|vind|wordt|worden|is ~6 {_NOT}",
        f"staat|staan|komt|vind ~3 {_NOT} ~3 in|uit ~3 {_SOURCES}",
        f"{_NOT} ~6 in|uit ~4 {_SOURCES} ~2 {_SAID}|vinden|gevonden|staat",
        f"wordt|worden|is|zijn|staat|staan ~8 {_NOT} ~3 vermeld|genoemd|gespecificeerd|aangegeven|beschreven",
        f"er is|zijn|was|staat|staan|bestaat|wordt ~5 {_NOT} ~3 {_FACTS}|over",
        f"is|zijn er ~5 {_NOT} ~3 {_FACTS}",
        f"^ geen ~2 {_FACTS}",
        f"geen ~2 {_FACTS} ~5 beschikbaar|gevonden|aanwezig|bekend",
        f"onvoldoende ~1 {_FACTS}",
        f"niet ~1 genoeg|voldoende ~1 {_FACTS}",
        f"{_FACTS} ~4 ontbreekt|ontbreken|onvoldoende",
        f"ontbreekt|ontbreken ~3 {_FACTS}",
        f"{_FACTS} ~3 is|zijn ~3 niet ~1 beschikbaar|aanwezig|bekend",
        "valt|is ~6 niet ~3 af|op te leiden|maken|zeggen|bepalen",
        "kan ~6 niet ~3 worden ~1 beantwoord|vastgesteld|bepaald|afgeleid",
        "hierover|daarover ~1 staat|vind|vinden|is|zijn|heb|hebben|zegt ~6 niets|niet|geen",
        "niet duidelijk|bekend ~3 of|wanneer|wie|hoe|wat $",
    ),
    refers=(
        "kan|kunnen|zal|zullen u|je|jou ~4 helpen|adviseren|verder|vertellen|zeggen|informeren|uitleggen",
        "weet|weten ~1 het|dat|meer",
        "laat er|dit|het|je|dat ~4 kijken|beoordelen|onderzoeken|nakijken",
        "neem|neemt ~4 contact",
        "vraag|raadpleeg|bel|mail|informeer ~2 bij|het|uw|je|de|met|eens",
        "^ overleg ~2 met",
        "ik verbind|zet|stuur ~5 door",
        "neem|neemt ~5 contact op",
        "neem contact|gerust",
        "contact ~2 opnemen|op ~2 met",
        "raadpleeg|bel|vraag|informeer|mail|check|kijk ~5 de|het|uw|je|een|met|bij|op|in",
        "u|je ~1 kunt|kan ~6 contact|terecht|navragen|opnemen|raadplegen|vragen|bellen",
        "kunt u|kun je ~6 terecht|contact|navragen|raadplegen|vragen|bellen",
        "wend u|je ~1 tot",
        "kan|kunnen u|je ~3 helpen|adviseren|verder",
    ),
    courtesy=(
        "waarmee|hoe|waar kan ik ~4",
        "^ fijne|prettige|goede|goedenavond|goedendag|goedemiddag|goedemorgen",
        "^ graag|geen ~1 gedaan|dank|probleem|moeite",
        "^ sorry|helaas|excuses ~1 $",
        "^ het spijt me ~2 $",
        "^ tot ziens|straks|later|morgen",
        "ik help|beantwoord ~6 graag|vragen",
        "help|beantwoord ik ~4 graag|vragen",
        "^ leuk|prima|oké|natuurlijk|zeker|begrepen",
        "^ hallo|hoi|goedemorgen|goedemiddag|goedenavond|goedendag|dag|beste|welkom",
        "^ bedankt|dank|dankjewel|hartelijk",
        "graag gedaan",
        "waarmee|waar|hoe kan ik ~4 helpen",
        "aarzel niet",
        "ik ~1 help ~2 graag",
        "^ ik ~1 begrijp|snap",
        "^ goede|goeie|interessante vraag",
        "^ dat is een ~2 vraag",
        "^ fijne|prettige|succes",
        "^ het spijt me|mij $",
        "^ excuses|sorry|helaas $",
        "^ ik hoop",
        "met vriendelijke groet",
    ),
    about=(
        f"{_SOURCES} ~5 gaan|gaat|betreffen|betreft|beschrijven|beschrijft|behandelen|behandelt ~1",
        "ik heb ~4 gezocht|gekeken|nagekeken|doorzocht",
        f"op basis|grond van ~4 {_SOURCES}",
        "met de informatie",
    ),
)
