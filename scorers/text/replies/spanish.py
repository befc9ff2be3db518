"""How a Spanish reply declines, abstains, refers elsewhere and greets."""

from __future__ import annotations

from scorers.text.replies.base import Wording

_HELP = (
    "ayudar|ayudarle|ayudarte|ayudarlo|ayudarla|responder|responderle|contestar|contestarle|asistir"
    "|asistirle|facilitar|facilitarle"
    "|comentar|revelar|divulgar|atender|compartir|informar|informarle|darle|asesorar|asesorarle|opinar|proporcionar"
    "|proporcionarle|ofrecerle|hablar|tramitar|dar|darte"
)
_FACTS = (
    "información|informaciones|dato|datos|detalle|detalles|respuesta|respuestas|indicación|indicaciones|mención"
    "|referencia|referencias|constancia|conocimiento|documento|documentos|evidencia|elementos|resultados|resultado"
)
_SOURCES = (
    "documento|documentos|fuente|fuentes|contexto|texto|textos|pasaje|pasajes|fragmento|fragmentos|extracto|extractos"
    "|información|política|políticas|manual|guía|base|datos|contenido|contenidos|artículo|artículos|documentación"
    "|material|materiales|normativa|contrato"
)
_SAYS = (
    "menciona|mencionan|especifica|especifican|indica|indican|dice|dicen|aclara|aclaran|detalla|detallan|aborda|abordan"
    "|responde|responden|precisa|precisan|habla|hablan|señala"
)
_HOLDS = (
    "contiene|contienen|proporciona|proporcionan|incluye|incluyen|ofrece|ofrecen|recoge|recogen|trata|tratan|hace|hacen"
    "|permite|permiten|da|dan|aporta|aportan|hay|existe"
)

WORDING = Wording(
    declines=(
        "queda|quedan|está|están|cae ~1 fuera ~3 lo|mi|mis|nuestro",
        "no ~1 está|están|es|son|forma|entra|figura ~1 entre|dentro|parte|en ~2 mis|mi|nuestras|lo",
        "fuera|más ~1 allá|del ~1 de ~1 mi|mis|lo que",
        "no puedo ~2 hacer|dar|ofrecer|emitir|realizar|recomendar",
        "no ~1 puedo|podré|podría|debo|pienso|voy",
        "no me ~2 posible|permitido|permite|permiten|corresponde|autorizado|está",
        "no estoy ~1 autorizado|autorizada|facultado|facultada|capacitado|habilitado|habilitada|condiciones",
        "no tengo ~1 permitido|autorización|permiso|autorizado",
        f"no ~1 podemos|podremos ~3 {_HELP}",
        f"no ~1 es|resulta posible ~4 {_HELP}",
        "lamento|siento|lamentamos|sentimos ~1 no poder",
        "me temo que no",
        "debo|tengo ~1 que ~2 rechazar|declinar|negarme",
        "debo rechazar|declinar|negarme|abstenerme",
        "prefiero no",
        "me ~1 niego",
        "rechazo ~2 solicitud|petición",
        "fuera ~2 de ~2 mi|mis|nuestro|nuestra",
        "excede ~2 mis|mi",
        "su|esta|esa|tu ~1 solicitud|pregunta|petición|consulta ~3 no ~1 puede",
        "como ~3 asistente|ia|modelo ~6 no",
        "me ~1 resulta|es imposible ~4",
        "no ofrezco|doy|facilito|comparto|proporciono|brindo",
        "me abstengo",
        "no ~2 ayudaré|responderé|contestaré|daré|revelaré|ejecutaré|comparto|comento|revelo|respondo",
        "supera|sobrepasa ~2 mis|mi",
        "me está|tengo ~1 prohibido",
        "no ~1 deseo|quiero|pretendo|acostumbro",
        "no me ~1 corresponde|compete|toca|incumbe",
        "no tengo ~1 derecho|potestad|facultad",
        (
            "no ~2 redactaré|escribiré|haré|realizaré|crearé|generaré|diré|hablaré|compartiré|facilitaré"
            "|participaré|colaboraré"
        ),
    ),
    abstains=(
        (
            "no ~1 hay|existe|aparece|consta|figura|viene|encuentro|veo|dice ~2 nada|ninguna|ningún|dato"
            "|información|mención ~8"
        ),
        (
            f"no ~1 aparece|aparecen|consta|constan|figura|figuran|viene|sale|se ~1 menciona ~6 {_SOURCES}|ellos"
            "|ellas|nada|aquí"
        ),
        f"{_SOURCES} ~5 no ~2 {_SAYS}|tratan|trata|hablan|habla|recoge|recogen|aparece|figura|consta",
        "no ~2 he encontrado|visto|hallado",
        "no encuentro|encontré|veo|hallo|localizo ~4",
        "dato|información|respuesta|datos ~2 no ~1 disponible|disponibles|encontrada|especificado|especificada",
        "no disponible|especificado|indicado|mencionado ~6",
        "no ~1 es posible|puede ~3 responder|saber|determinar|decir|indicar|contestar|responderse",
        "no sabría ~2 decir*|responder*|contestar*|indicar*|asegurar*",
        "no puedo|podría ~2 asegurar*|confirmar*",
        "prefiero|preferiría no ~3 especular|adivinar|suponer|aventurar",
        "se refiere|refieres ~4 a",
        "podría|puede|podrías|puedes ~4 concretar|precisar|aclarar|especificar|reformular|detallar|indicarme|más",
        "qué|cuál|cuáles ~4 refiere|refieres|exactamente|concretamente",
        "no ~1 se ~1 menciona|indica|especifica|dice|detalla|explica|precisa|aclara|recoge|aborda",
        f"no ~1 tengo|poseo|tenemos ~4 {_FACTS}|acceso|idea",
        f"no ~1 dispongo|cuento|disponemos|contamos ~4 {_FACTS}|acceso",
        "no ~2 encuentro|encontré|hallo|localizo|veo|hallé",
        "no ~1 he|hemos ~1 encontrado|hallado|localizado|podido|logrado|conseguido",
        (
            "no ~1 puedo|pude|podemos|pudimos|logro|consigo ~3 encontrar|determinar|confirmar|verificar|saber"
            "|hallar|localizar|precisar|asegurar|deducir"
        ),
        "no lo sé",
        "no ~1 sé",
        "lo desconozco",
        "desconozco",
        "no ~1 conozco",
        "no estoy ~1 seguro|segura",
        "no me consta",
        f"{_SOURCES} ~8 no|ni|tampoco ~2 {_SAYS}",
        f"{_SOURCES} ~8 no|ni|tampoco ~2 {_HOLDS} ~3 {_FACTS}|nada|determinar|responder|saber|referencia",
        f"no|tampoco ~1 {_SAYS}|{_HOLDS}|consta|figura|aparece|viene ~8 {_SOURCES}",
        (
            "no se ~1 menciona|mencionan|especifica|especifican|indica|indican|dice|aclara|detalla|detallan"
            "|precisa|encuentra"
        ),
        f"no ~1 hay|existe|existen|aparece|figura|consta ~3 {_FACTS}",
        f"{_SOURCES} ~2 guarda|guardan silencio",
        (
            f"no se ~1 aborda|abordan|trata|contempla|recoge|describe|explica|define ~2 en ~4 {_SOURCES}"
            "|reglamento|pasajes"
        ),
        "no ~1 está|viene ~1 contemplado|contemplada|descrito|descrita|explicado|definido ~3 en",
        "se me escapa",
        f"{_SOURCES} ~5 no ~1 cita|citan|contempla|contemplan|prevé|recoge|recogen",
        "no se habla ~4",
        "no ~1 tengo|tenemos ~1 constancia|conocimiento|noticia",
        f"ningún|ninguno|ninguna|nada ~3 en|de|sobre ~3 {_SOURCES}",
        f"ningún|ninguno|ninguna ~2 {_SOURCES} ~6 {_SAYS}|{_HOLDS}",
        f"^ sin ~2 {_FACTS}",
        "falta|faltan ~1 información|datos|detalles ~3 para",
        "información|datos ~4 insuficiente|insuficientes",
        "no ~1 hay|tengo|es ~1 suficiente|suficientes ~1 información|datos|para",
        "no ~1 es|resulta|queda ~1 posible|claro|clara ~2 determinar|saber|confirmar|si|cuándo|cuánto|deducir",
        "no ~1 está|están ~1 mencionado|especificado|especificada|indicado|recogido|documentado|detallado",
        "información ~3 no ~1 está|disponible|consta|aparece|figura",
        "no se puede ~1 determinar|saber|responder|confirmar|deducir|establecer",
        "se desconoce",
        "carezco|carecemos de",
    ),
    refers=(
        (
            "podrá|podrán|sabrá|sabrán|puede|pueden ~2 ayudar*|informar*|orientar*|asesorar*|aclarar*|decir*"
            "|resolver*|indicar*|confirmar*"
        ),
        "le|te|se lo ~1 podrá|podrán|dirá|aclarará|confirmará",
        "se lo podrá|podrán ~2",
        "consulte|consulta|contacte|contacta|póngase|diríjase|dirígete|pregunte|pregunta|acuda|hable|habla|llame",
        "es mejor|preferible ~4 preguntar|consultar|preguntarlo|consultarlo|acudir",
        "le|te paso|transfiero|pongo|conecto|comunico",
        (
            "consulte|consulta|contacte|contacta|póngase|ponte|diríjase|dirígete|pregunte|pregunta|llame|llama"
            "|comuníquese|acuda|comunícate|revise|hable ~6 con|a|al|en|el|la|su|tu"
        ),
        (
            "le|te ~1 recomiendo|sugiero|aconsejo|invito|recomendamos|sugerimos ~4 consultar|contactar"
            "|preguntar|que|ponerse|acudir|hablar|dirigirse|revisar"
        ),
        "puede|puedes|debería|deberías ~3 consultar|contactar|preguntar|ponerse|dirigirse|llamar|acudir",
        "podrá|podrán|sabrá ~2 ayudarle|ayudarte|informarle|orientarle|asesorarle",
    ),
    courtesy=(
        "^ lo siento ~2 $",
        "en qué|cómo puedo|podemos ~4",
        "que tenga|tengas|pase|pases",
        "^ de nada",
        "^ lamentablemente|desafortunadamente $",
        "^ con mucho|gusto",
        "^ hasta luego|pronto|mañana",
        "^ un placer|saludo",
        "^ un ~1 placer|saludo",
        "con gusto|mucho ~2 ayudo|ayudaré|respondo",
        "puedo ayudar*|responder* ~6 con|sobre|en",
        "^ por favor",
        "^ adiós|perfecto|entendido|vale",
        "^ hola|buenos|buenas|bienvenido|bienvenida|saludos",
        "^ gracias|muchas",
        "de nada",
        "con ~1 gusto|placer $",
        "en qué ~1 puedo|podemos ayudar*",
        "quedo|estoy ~3 disposición",
        "no dude|dudes en",
        "^ entiendo|comprendo",
        "^ buena|excelente|gran pregunta",
        "^ es una ~2 pregunta",
        "^ lo siento|lamento ~1 mucho $",
        "^ lo siento $",
        "^ disculpe|disculpa|perdón|perdone $",
        "^ espero",
        "que tenga ~2 día",
    ),
    about=(
        f"{_SOURCES} ~5 tratan|trata|hablan|habla|versan|describen|describe|abordan|refieren|refiere",
        "he buscado|revisado|consultado|mirado",
        f"con|según|en ~2 {_SOURCES} ~6 $",
        "con la información",
    ),
)
