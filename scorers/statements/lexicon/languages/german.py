"""German words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS: LanguageWords = LanguageWords(
    phrases={
        "MAY": """
            kann/kannst/können/könnt/darf/darfst/dürfen/dürft/könnte/könnten
            erlaubt/gestattet/zulässig/zugelassen/möglich/berechtigt
            geduldet/toleriert/akzeptiert/statthaft
            lässt/lassen sich
        """,
        "NEED": """
            muss/musst/müssen/müsst/müsste/müssten
            braucht/brauchen/benötigt/benötigen/erfordert/erfordern
            erforderlich/notwendig/nötig/verpflichtend/vorgeschrieben/pflicht/zwingend/obligatorisch
            verpflichtet
            bedarf/bedürfen/verlangt/verlangen/unerlässlich/unabdingbar/gefordert/angewiesen
            brauche/brauchst
            hat/haben/habe/hast die? pflicht
            im voraus notwendig
        """,
        "SHOULD": """
            soll/sollen/sollte/sollten
            empfohlen/ratsam/empfiehlt/empfehlen
            empfiehlt sich
        """,
        "FORBID": """
            verboten/untersagt/unzulässig/unmöglich/ausgeschlossen
            verbietet/untersagt
            tabu/unterbunden
            kommt nicht in frage
        """,
        "NOTNEED": """
            freiwillig/optional/freigestellt/entbehrlich
            überflüssig/unnötig
            entfällt die pflicht
        """,
        "NEG": """
            nicht/kein/keine/keinen/keiner/keinem/keines/nie/niemals/niemand/niemandem/nichts/weder/keinesfalls
            auf keinen fall
            unter keinen umständen
            nirgends/nirgendwo/keinerlei
            auf keine weise
            nicht mehr
        """,
        "ONLYIF": """
            nur wenn/falls/sofern/mit/bei/nach/gegen
            ausschließlich mit/bei/nach/für
            nur für
            nur mit/nach/gegen/durch vorheriger/vorherigen/vorherige
            lediglich mit/bei/nach
            allein mit/nach
        """,
        "UNLESS": """
            es sei denn
            es sei denn ,
            , es sei denn ,
            , es sei denn
            sofern nicht
            außer wenn/falls/sofern/bei/in
            außer wenn/falls/sofern/bei/in/im
        """,
        "EXC": """
            außer/ausgenommen/mit ausnahme
            mit ausnahme von/der/des
            bis auf
            abgesehen von
        """,
        "IF": """
            wenn/falls/sofern/vorausgesetzt/soweit/solange
            unter der voraussetzung
            im falle/fall
            unter der bedingung
            vorbehaltlich
            soweit
        """,
        "EVENIF": """
            auch wenn/ohne/bei
            selbst wenn/ohne/bei
            unabhängig davon/von
            trotz
            egal ob
            ganz gleich ob
            auch dann wenn
            auch ohne
            ungeachtet
            selbst bei/im
            auch im
            ob oder nicht
        """,
        "WITHOUT": "ohne",
        "BEFORE": "vor/bevor",
        "AFTER": "nach/nachdem/sobald\nnach ablauf/abschluss",
        "UNTIL": "bis",
        "ALL": "alle/allen/aller/alles/jeder/jede/jedes/jeden/jedem/jeweils/sämtliche/sämtlicher",
        "SOME": """
            einige/einigen/manche/manchen/bestimmte/bestimmten/ausgewählte/teilweise/mehrere
            nicht alle/jeder/jede
        """,
        "MOST": "die meisten\nder/ein großteil\nmeist/meistens/überwiegend",
        "ONLY": "nur/ausschließlich/lediglich/allein",
        "ALWAYS": """
            immer/stets/jederzeit/grundsätzlich/automatisch
            ausnahmslos
            in jedem fall
            auf jeden fall
        """,
        "SOMETIMES": "manchmal/gelegentlich/oft/häufig/üblicherweise/normalerweise",
        "RARELY": "selten/kaum",
        "INSTEAD": """
            statt/anstatt/anstelle
            , nicht per/durch/mit/von/in/an/über
            und nicht per/durch/mit/von/vom
            und nicht im/am/beim
        """,
        "CAUSE": "weil/denn/wegen/aufgrund",
        "BOUND": """
            nicht/nie/niemals mehr/länger/höher/größer/später/weniger/früher/kürzer als
            nicht/nie/niemals überschreiten/übersteigen/unterschreiten
            höchstens/mindestens/maximal/wenigstens/spätestens
            mehr/weniger/länger als
            darf/dürfen/kann/können/soll/sollen/sollte? nicht mehr/länger/höher/größer/später/weniger/früher/kürzer
        als
            höchstens/mindestens/maximal
        """,
    },
    function=word_set(
        "der die das den dem des ein eine einen einem einer eines und ist sind war waren wird werden wurde wurden"
        " worden hat haben hatte zu zum zur in im an am auf aus mit von vom für bei durch um über unter als auch"
        " es sie er wir ihr ihre ihren ihrem ihrer sein seine seinen sich dies diese dieser dieses daher dann noch"
        " man sehr so du dein deine deinen deinem deiner mein meine meinen ihnen mir dir euch unser unsere unseren"
        " ich wir bitte laut gemäß beim vom ebenso entsteht entstehen"
        " leider schon auch erst wieder gerne gern selbstverständlich natürlich bereits allerdings also etwa doch"
        " hier dort dafür davon dabei damit dazu daran derzeit aktuell selbst eben insgesamt welche welcher welches"
        " dass ob ihrem ihres deines eines steht stehen erfolgt erfolgen gilt gelten hierfür hierzu hinaus"
    ),
    joins=("und", "oder"),
    stemmer="german",
    concepts="""
    offen geöffnet öffnen öffnet | geschlossen schließen schließt
    erstatten erstattet erstattung rückerstattung vergütet zurückerstattet
    zurückgeben zurückgegeben rückgabe retour zurückgenommen zurückschicken rücksendung
    umtauschen umgetauscht umtausch
    beginnen beginnt anfang start starten | enden endet ende
    kostenlos kostenfrei gratis unentgeltlich gebührenfrei | kostenpflichtig gebührenpflichtig
    gültig | ungültig abgelaufen
    enthalten inbegriffen eingeschlossen inklusive | ausgenommen
    versichert gedeckt | unversichert
    bezahlt | unbezahlt
    verfügbar erhältlich | nichtverfügbar
    genehmigen genehmigt genehmigung zustimmung | ablehnen abgelehnt ablehnung
    einreichen eingereicht vorlegen vorgelegt abgeben abgegeben
    mitarbeiter mitarbeiterin mitarbeiterinnen beschäftigte beschäftigten angestellte
    kunde kunden kundin käufer
    erhöhen erhöht steigen steigt | senken gesenkt sinken sinkt
    minimum mindest | maximum höchst
    innerhalb binnen
    löschen gelöscht löschung entfernt vernichtet | aufbewahren aufbewahrt aufbewahrung gespeichert
    melden gemeldet meldung mitteilen mitgeteilt anzeigen
    sperren gesperrt sperrung | entsperren entsperrt freigeben
    öffentlich | vertraulich geheim
    liefern geliefert lieferung verschicken verschickt versand versendet zustellen zugestellt
    automatisch | manuell
    sofort unverzüglich umgehend
    vorher zuvor | nachher danach
    bestellung bestellungen auftrag
    kostenlos kostenfrei gratis umsonst unentgeltlich gebührenfrei | bezahlen zahlen kosten kostet
    waschen wäsche
    sonntag sonntags sonn
    feiertag feiertage feier
    krank krankheit erkrankt erkrankung krankheitsfall krankgeschrieben
    verfallen verfällt verlieren verloren erlischt erlöschen | ausbezahlt ausgezahlt auszahlen behalten erhalten
        bleibt übertragen
    reise reisende reiseende dienstreise
    kündigen kündigung gekündigt
    untervermieten untervermietung
    fotografieren fotos foto fotoaufnahmen bilder
    bezahlung vergütung
    genehmigung erlaubnis zustimmung einwilligung einverständnis
    schriftlich schriftform | mündlich formlos
    benutzen nutzen nutzung verwenden verwendung gebrauch benutzt verwendet genutzt
    kind kinder
    abrechnung abrechnen
    anmelden anmeldung registrieren registrierung
    abmelden abmeldung
    stornieren stornierung stornogebühr widerrufen
    ändern änderung geändert wechseln gewechselt
    wohnung wohnungen
    mieter mieterin mieterinnen
    erhalten erhält bekommen bekommt kriegen kriegt
    tragen trägt übernehmen übernimmt
    termin termine
    attest bescheinigung krankschreibung
    dauern dauert laufzeit
    teilnehmen teilnahme
    rauchen geraucht
    laut | leise
    einzeln | gemeinsam
    befristet | unbefristet
    wochentags werktags werktag | wochenende
    weitergeben weitergegeben mitteilen teilen
    laptop laptops notebook rechner dienstrechner computer
    porto rückporto versandkosten versandgebühren
    hund hunde
    ausweis personalausweis
    parken geparkt parkplatz parkplätze abstellen
    verschlüsselt | unverschlüsselt
    barrierefrei stufenlos
    """,
    sets="""
    montag montags, dienstag dienstags, mittwoch mittwochs, donnerstag donnerstags, freitag freitags, samstag
        samstags
        sonnabend, sonntag sonntags sonn
    januar, februar, märz, april, mai, juni, juli, august, september, oktober, november, dezember
    täglich, wöchentlich, monatlich, vierteljährlich, jährlich
    mitarbeiter beschäftigte, führungskräfte vorgesetzte, praktikanten, kunden kunde, lieferanten lieferant, gäste
        besucher, mieter, vermieter, auszubildende, werkstudenten
    vollzeit, teilzeit
    deutschland, österreich, schweiz, frankreich, italien, spanien, polen, belgien, niederlande, portugal, dänemark
    schriftlich, mündlich
    helpdesk, abteilungsleiter teamleiter vorgesetzter, personalabteilung, geschäftsführung, betriebsrat,
        buchhaltung,
        rechtsabteilung
    brutto, netto
    debitkarte, kreditkarte, bargeld, überweisung, lastschrift
    arbeitgeber firma unternehmen, arbeitnehmer beschäftigte mitarbeiter, kunde kundin käufer, händler verkäufer
        anbieter, fahrer fahrerin
    eltern, schule, lehrer
    """,
    counted=word_set(
        "sekunde sekunden minute minuten stunde stunden tag tage tagen werktag werktage werktagen arbeitstag"
        " arbeitstage arbeitstagen woche wochen monat monate monaten jahr jahre jahren uhr prozent eur euro cent"
        " chf usd halbe halben zwei drei vier fünf sechs sieben acht neun zehn elf zwölf fünfzehn zwanzig dreißig"
        " vierzig fünfzig hundert tausend"
    ),
    breaks=word_set("aber jedoch sondern"),
    forms="""
    verfällt verfiel verfielen: verfallen
    trägt trug getragen: tragen
    erhält erhielt: erhalten
    übernimmt übernommen: übernehmen
    nimmt nahm genommen: nehmen
    gibt gab gegeben: geben
    läuft lief gelaufen: laufen
    verlässt verließ: verlassen
    verliert verlor verloren: verlieren
    beginnt begann begonnen: beginnen
    spricht sprach gesprochen: sprechen
    trifft traf getroffen: treffen
    liest las gelesen: lesen
    geschlossen schließt schloss: schließen
    geht ging gegangen: gehen
    beantragt: beantragen
    eingereicht: einreichen
    bringt gebracht: bringen
    mitgebracht mitzubringen: mitbringen
    flug flüge flügen fluges: flug
    rad räder rädern: rad
    buch bücher büchern: buch
    gast gäste gästen: gast
    """,
    resuming=word_set("er sie es wir ihr man diese dieser dieses"),
    generic=word_set("mitarbeiter mitarbeiterin mitarbeitende beschäftigte kunde kunden person personen personal"),
)
