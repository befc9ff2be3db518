"""How a German reply declines, abstains, refers elsewhere and greets."""

from __future__ import annotations

from scorers.text.replies.base import Wording

_NOT = "nicht|nichts|kein|keine|keinen|keinem|keiner|keinerlei|niemals"
_MODAL = "kann|darf|möchte|werde|will|könnte"
_DO = (
    "werde|will|möchte|kann|darf|mache|schreibe|erstelle|gebe|helfe|nenne|teile|verrate|äußere|kommentiere|bewerte"
    "|beurteile|spreche|diskutiere|empfehle|berate|unterstütze|führe|nehme|beantworte|sage|leite|veröffentliche"
    "|übersetze|liefere|handle|treffe"
)
_HELP = "helfen|weiterhelfen|behilflich|beantworten|unterstützen|sagen|äußern|mitteilen|dienen|nachkommen|entsprechen"
_FACTS = (
    "information|informationen|infos|angabe|angaben|auskunft|auskünfte|hinweis|hinweise|daten|details|antwort"
    "|antworten|aussage|aussagen|regelung|regelungen|dokument|dokumente|unterlagen|quelle|quellen|eintrag|einträge"
    "|erkenntnisse|kenntnis|kenntnisse|treffer|passage|passagen|anhaltspunkte"
)
_SOURCES = (
    "dokument|dokumente|dokumenten|dokuments|unterlagen|quelle|quellen|kontext|text|texte|texten"
    "|passage|passagen|auszug|auszüge"
    "|auszügen|informationen|richtlinie|richtlinien|handbuch|material|materialien|wissensdatenbank|wissensbasis|artikel"
    "|artikeln|daten|inhalte|inhalten|abschnitt|abschnitten|textstellen|vertrag|bereitgestellten|vorliegenden|datenbank"
)
_SAYS = (
    "erwähnt|erwähnen|nennt|nennen|sagt|sagen|äußert|äußern|spezifiziert|spezifizieren|beschreibt"
    "|beschreiben|regelt|regeln"
    "|präzisiert|thematisiert|beantwortet|beantworten|behandelt|behandeln|erläutert"
)
_HOLDS = (
    "enthält|enthalten|enthielten|liefert|liefern|bietet|bieten|gibt|geben|machen|macht|treffen|trifft|beinhaltet"
    "|beinhalten|umfassen"
)
_SAID = (
    "erwähnt|genannt|angegeben|beschrieben|aufgeführt|beantwortet|spezifiziert|hervor|dokumentiert"
    "|thematisiert|ersichtlich|geregelt"
)
_FINDS = (
    "finden|entnehmen|ermitteln|feststellen|bestätigen|beurteilen|ableiten|herausfinden|ausmachen|entdecken|erkennen"
    "|einschätzen|abschätzen|ersehen|belegen|entnehmen|nachvollziehen"
)

WORDING = Wording(
    declines=(
        f"gehört|gehören|zählt|zählen|fällt|fallen|liegt|liegen ~3 {_NOT} ~4 meinen|meinem|meiner|mein|unseren",
        f"ist|sind ~2 {_NOT} ~2 mein|meine|teil|mir",
        f"äußere|kommentiere|bewerte|beurteile|diskutiere|spekuliere ich ~4 {_NOT}",
        "übersteigt|überschreitet|sprengt ~4 mein*|möglichkeiten|rahmen",
        "dafür bin ich nicht",
        "da muss ich passen",
        f"ich {_MODAL} ~7 {_NOT}",
        f"{_MODAL} ich ~7 {_NOT}",
        f"wir können|dürfen|möchten|werden ~6 {_NOT} ~3 {_HELP}",
        f"können|dürfen|möchten|werden wir ~6 {_NOT} ~3 {_HELP}",
        (
            f"wir können|dürfen ~5 {_NOT} ~2 auskunft|auskünfte|informationen|angaben|ratschläge|empfehlung ~3 "
            "geben|erteilen|machen|weitergeben"
        ),
        (
            f"können|dürfen wir ~5 {_NOT} ~2 auskunft|auskünfte|informationen|angaben|ratschläge|empfehlung ~3 "
            "geben|erteilen|machen|weitergeben"
        ),
        f"ich bin ~4 {_NOT} ~2 befugt|berechtigt|autorisiert|zuständig|imstande|ermächtigt|lage|dafür|darauf",
        f"bin ich ~4 {_NOT} ~2 befugt|berechtigt|autorisiert|zuständig|imstande|ermächtigt|lage|dafür|darauf",
        "ist|wäre mir ~3 nicht ~2 möglich|erlaubt|gestattet",
        "mir ~4 nicht ~2 möglich|erlaubt|gestattet ~5",
        "ich ~3 muss ~6 ablehnen",
        "muss ich ~6 ablehnen|passen",
        "ich lehne ~5 ab",
        f"ich gebe|gebe|erteile|erteilen ~4 {_NOT} ~2 auskunft|auskünfte|informationen|ratschläge|tipps",
        "ich darf das|dies nicht",
        "helfe|berate|antworte|gebe|unterstütze|mache ich ~3 nicht|keine|keinen",
        f"dass|weil|da ich|wir ~6 {_NOT} ~4 darf|kann|möchte|werde|dürfen|können $",
        "außerhalb ~2 meines|meiner|meiner|unserer|unseres",
        "nicht ~2 in meinen|meinem ~1 zuständigkeitsbereich|aufgabenbereich|bereich",
        "anfrage|frage|bitte|wunsch ~4 nicht ~2 beantwortet|bearbeitet|erfüllt|nachkommen|entsprechen",
        "keine|keinerlei ~2 auskunft|auskünfte|stellungnahme ~3 möglich|erteilt|geben|erteilen",
        "überschreitet|übersteigt|sprengt ~3 meine|meinen|meinem|meiner|unsere",
        "ist|bleibt mir ~2 verboten|untersagt|verwehrt|unmöglich",
        "ich ~2 verzichte darauf",
        "davon sehe ich ab",
        f"^ ich ~1 {_DO} ~6 {_NOT}",
        (
            "^ nein|leider|sorry|bedaure|entschuldigung|daher|deshalb|deswegen|das|dies|dazu|dabei|hierzu"
            f"|darüber ~5 ich ~5 {_NOT}|niemanden"
        ),
        "steht|obliegt ~1 mir ~2 nicht ~2 zu",
        "es ist nicht ~2 meine|mein ~1 aufgabe|sache",
        "nicht ~1 meine aufgabe|sache|rolle",
    ),
    abstains=(
        "finde|finden|fand|fanden|sehe ich|wir ~9 nichts",
        f"gibt es dazu|hierzu|darüber ~2 {_NOT} ~2 {_SOURCES}|eintrag|einträge|beitrag|beiträge",
        # "Es steht Ihnen nichts zu" is an answer.
        "steht|stehen ~2 nichts ~1 über|zum|zur|dazu|hierzu|darüber",
        f"steht|stehen|findet|finden|gibt|heißt|erfahre ~4 in|im|aus ~3 {_SOURCES} ~6 {_NOT}",
        f"nirgends|nirgendwo ~4 {_SAID}|finden|steht|erwähnt|gesagt|beschrieben|zu",
        f"kommt|kommen|taucht|tauchen|vorkommen ~7 {_NOT} ~2 vor|auf",
        f"{_NOT} ~4 gefunden|entdeckt|finden|gesagt|erläutert|beschrieben|bekannt $",
        f"{_NOT} ~2 zu ~1 entnehmen|finden|beantworten|sagen|klären|ersehen",
        f"wird|werden|wurde ~8 {_NOT} ~2 gesagt|erläutert|erklärt|besprochen|behandelt",
        f"^ keine ~2 {_FACTS} ~4",
        "möchte|will|mag|werde ich|hier ~3 nicht ~2 spekulieren|raten|mutmaßen",
        "spekulieren|mutmaßen|raten möchte|will|mag ich",
        f"sagt|sagen|verrät|verraten mir ~4 {_SOURCES} ~4 {_NOT}",
        f"{_SOURCES} ~8 {_NOT} ~3 {_SAYS}|vor|enthalten|thema|darin",
        "meinen sie|meinst du",
        "meine|meinen|meiner ~3 unterlagen|quellen|daten ~6 nichts|nicht|keine|kein",
        "worum|um was|welche|welches|welchen ~6 geht|handelt|meinen|genau",
        "könnten|könntest|können|kannst|würden|würdest sie|du ~6 genauer|präzisieren|erläutern|umformulieren|konkreter",
        "bitte ~6 genauer|präzisieren|näher|konkretisieren",
        f"liegen|liegt|lagen|lag ~4 {_NOT} ~4 {_FACTS}",
        "liegen|liegt|lagen mir|uns ~6 nicht|nichts vor",
        f"{_FACTS} ~6 liegen|liegt|lagen ~5 nicht vor",
        f"ich|wir ~2 habe|haben|hatte|besitze|finde|finden ~5 {_NOT} ~3 {_FACTS}|zugriff|zugang|gefunden|ahnung",
        f"habe|haben|hatte|besitze|finde|finden ich|wir ~5 {_NOT} ~3 {_FACTS}|zugriff|zugang|gefunden|ahnung",
        f"ich|wir ~1 konnte|konnten|kann|können ~8 {_NOT} ~5 {_FINDS}",
        f"konnte|konnten|kann|können ich|wir ~8 {_NOT} ~5 {_FINDS}",
        "nicht ~6 entnehmen|entnommen|auffindbar",
        f"ich|wir ~1 kann|können ~8 {_NOT} ~3 sagen ~2 ob|wann|wie|wer|was|welche|welcher|wo",
        f"kann|können ich|wir ~8 {_NOT} ~3 sagen ~2 ob|wann|wie|wer|was|welche|welcher|wo",
        "bin|sind ich|wir ~2 überfragt|unsicher",
        "entzieht sich ~2 meiner|unserer",
        "ich weiß ~3 nicht|es",
        "ist|davon ~3 keine rede|erwähnung",
        f"{_HOLDS}|nennt|nennen|erwähnt|sagt ~3 {_SOURCES} ~5 {_NOT} ~3 {_FACTS}|dazu|hierzu|darüber",
        f"ich ~3 habe ~8 {_NOT} ~2 gefunden|passendes|relevantes|kenntnis|kenntnisse",
        "weiß ich ~3 nicht",
        "ich bin ~2 nicht ~1 sicher",
        "ich bin ~2 unsicher",
        "ist mir ~1 nicht|leider ~1 bekannt",
        "mir ~2 unbekannt",
        "nicht bekannt ~5 ob|wann|wie|wer|was|welche",
        f"geht|gehen ~10 {_NOT} ~4 hervor",
        f"{_SOURCES} ~4 {_SAYS} ~6 {_NOT}",
        f"{_SOURCES} ~4 {_HOLDS} ~5 {_NOT} ~3 {_FACTS}|dazu|hierzu|darüber|hinweise",
        f"{_SOURCES} ~5 schweigen|schweigt",
        f"{_SOURCES} ~3 geben|gibt ~5 {_NOT} ~2 aufschluss|hinweis|antwort|auskunft",
        f"steht|stehen|findet|finden ~5 {_NOT} ~3 in|im ~3 {_SOURCES}",
        (
            f"information|informationen|angabe|angaben|antwort ~8 {_NOT} ~2 enthalten|vorhanden|verfügbar"
            "|hinterlegt|gegeben"
        ),
        f"{_SOURCES} ~5 {_NOT} ~3 behandelt|thematisiert|erfasst",
        f"^ keine|keines|keiner der|dieser ~2 {_SOURCES}",
        f"in|aus|laut|im ~4 {_SOURCES} ~8 {_NOT} ~4 {_SAID}|finden|zu",
        f"in|im ~4 {_SOURCES} steht|findet|finden|gibt ~5 {_NOT}",
        f"wird|werden|ist|sind|wurde ~8 {_NOT} ~3 {_SAID}",
        f"nicht ~5 {_SOURCES} ~2 {_SAID}",
        f"es gibt|gab|fehlen|existieren|bestehen ~5 {_NOT} ~3 {_FACTS}",
        f"gibt es ~8 {_NOT} ~2 {_FACTS}",
        (
            "keine|keinerlei ~2 informationen|angaben|hinweise|details|daten|antwort|treffer ~6 verfügbar"
            "|vorhanden|enthalten|gefunden"
        ),
        f"^ keine|keinerlei ~1 {_FACTS}",
        f"fehlen|fehlt mir|uns|hierzu|dazu ~3 {_FACTS}",
        f"{_SOURCES} reichen|reicht ~4 nicht ~2 aus",
        f"{_FACTS} ~6 reichen|reicht ~6 nicht ~2 aus",
        "nicht ~1 genügend|genug|ausreichend ~2 informationen|angaben|daten",
        "lässt|lassen sich ~8 nicht ~4 beantworten|entnehmen|sagen|ableiten|ermitteln|beurteilen",
        "kann|können ~6 nicht ~3 beantwortet|ermittelt|entnommen werden",
        f"dazu|hierzu|darüber|davon ~2 steht|finde|finden|findet|sagt|habe ~6 {_NOT}",
        "nicht bekannt|ersichtlich|angegeben $",
    ),
    refers=(
        "kann|können|wird|werden ~1 ihnen|dir|euch ~6 sagen|helfen|weiterhelfen|beantworten|auskunft|klären|mitteilen",
        "lassen sie|lass ~6 prüfen|abklären|untersuchen|beurteilen|beraten|ansehen|anschauen",
        "sprechen|reden sie ~3 mit",
        "wenden sie|dich|euch",
        "fragen|kontaktieren|konsultieren|erkundigen sie",
        "frag|frage|kontaktiere ~1 bitte|doch|am|besten",
        "weiß ~3 mehr|bescheid|sicher",
        "leite|verbinde|gebe|übergebe ~5 weiter|sie|dich",
        "wenden sie sich ~6 an",
        "wende dich ~6 an",
        "bitte ~6 kontaktieren|kontaktiere|fragen|frag|frage|konsultieren|anrufen|nachfragen",
        "kontaktieren|fragen|konsultieren sie",
        "kontaktiere|frag|frage ~4 hr|it|team|support|personalabteilung|vorgesetzten|arzt",
        "rufen sie ~6 an",
        "schauen|sehen sie ~6 nach|im|in|auf",
        "an ~4 wenden",
        "hilft|helfen ~6 weiter|gerne",
        "ist|sind ~3 zuständig|ansprechpartner",
        "besprechen|klären ~4 sie ~4 mit",
        "weitere|nähere informationen|auskünfte ~4 finden|erhalten|bei|unter|im",
    ),
    courtesy=(
        "^ guten|schönen|schöne|schön",
        "womit|wie|wobei kann|darf ich ~6",
        "sehr|immer|jederzeit|aber gern|gerne",
        "keine ursache|problem|sorge|sorgen",
        "nichts zu danken",
        "^ bitte|gern|gerne ~2 $",
        "^ auf wiedersehen|bis|tschüss|ciao",
        "tut mir|uns ~2 leid",
        "^ melden sie sich ~2 gern|gerne|jederzeit|einfach|wenn|falls",
        "^ melde dich ~2 gern|gerne|jederzeit|einfach|wenn|falls",
        "bitte ~3 nennen|schicken|senden|teilen|geben ~6 mir|uns",
        "helfe|beantworte ich ~4 gern|gerne|fragen",
        "ich ~2 helfe|beantworte|unterstütze ~3 gern|gerne|fragen",
        "^ wenn ~3 noch ~2 offen|fragen|etwas|was|haben",
        "^ hallo|guten|hi|servus|moin|grüß|willkommen|herzlich",
        "^ danke|vielen|besten|herzlichen ~1 dank|danke",
        "^ vielen|herzlichen|besten dank",
        "gern geschehen",
        "ich ~2 helfe ~3 gerne|gern|weiter",
        "wie|womit kann ich ~3 helfen|behilflich|dienen",
        "^ gerne|gern $",
        "^ ich ~1 verstehe",
        "^ ich ~2 hoffe",
        "^ schönen|schöne|alles|viel|viele",
        "lassen sie es mich|uns wissen",
        "^ gute|interessante|berechtigte frage",
        "^ das ist eine ~2 frage",
        "^ es ?tut mir|uns ~1 leid $",
        "^ entschuldigung|verzeihung|sorry $",
        "stehe ~4 zur verfügung",
    ),
    about=(
        (
            f"{_SOURCES} ~6 behandeln|behandelt|betreffen|betrifft|beschreiben|beschreibt|beziehen|drehen|handeln"
            "|handelt|befassen"
        ),
        "ich habe ~4 gesucht|nachgesehen|geschaut|durchsucht|geprüft|nachgeschaut",
        f"in|aus|nach|laut ~2 {_SOURCES} ~4 $",
    ),
)
