"""Spanish words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS: LanguageWords = LanguageWords(
    phrases={
        "MAY": """
            puede/pueden/podrá/podrán/puedes/puedo/podemos/pueda/puedan
            permitido/permitida/permitidos/permitidas/posible/posibles/autorizado/autorizada/autorizados/autorizadas
            permite/permiten/admite/admiten
            podría/podrían/podrás/podéis/podrá
            tolerado/tolerada/tolera/toleran/admitido/admitida/admitidos/admitidas/autoriza/autorizan/permitidos
            admiten/aceptan/acepta/aceptado/aceptada
        """,
        "MUST": """
            debe/deben/debo/debemos/deberá/deberán/debes
            deberán/deberás/debéis
        """,
        "NEED": """
            tiene/tienen/tengo/tienes/tenemos que
            hay que
            hace falta
            necesario/necesaria/necesarios/necesarias/obligatorio/obligatoria/obligatorios/obligatorias
            requerido/requerida/imprescindible
            requiere/requieren/exige/exigen/necesita/necesitan
            preciso/precisa/precisas/precisan/necesitas/necesito/obligado/obligada/obligados/obligadas/exigido/exigida/requeridos/imprescindibles
            ha/han/has de
            tendrá/tendrán/tendrás que
            hacen falta
            habrá que
        """,
        "SHOULD": "debería/deberían\nrecomendado/recomendable/aconsejable",
        "FORBID": """
            prohibido/prohibida/prohibidos/prohibidas/imposible/excluido/excluida/excluidos/excluidas
            prohíbe/prohíben/vedado/vedada/descartado
        """,
        "NOTNEED": """
            opcional/opcionales/voluntario/voluntaria/voluntarios/voluntarias/facultativo/facultativa
            innecesario/innecesaria/exento/exenta/exentos
        """,
        "NEG": "no/nunca/jamás/ningún/ninguna/ninguno/ni/nadie/nada/tampoco",
        "ONLYIF": """
            solo/sólo/únicamente si/con/para/cuando
            solo/sólo/únicamente si/con/para/cuando/tras/mediante/en/a
            solamente si/con/para/cuando/tras/mediante
            previa/previo autorización/consentimiento/aviso/solicitud
        """,
        "INSTEAD": """
            en lugar/vez de/del
            y no el/la/los/las/por/al
            y no en/con/de
        """,
        "UNLESS": """
            a menos que
            salvo/excepto que/si/cuando
            a no ser que
            salvo/excepto en/con
        """,
        "EVENIF": """
            aunque
            incluso si/en/con/cuando/durante
            también en caso
            aun en/con/cuando
            incluso sin/después/antes
            a pesar de/del
            aun cuando/sin/si
            independientemente de/del
            tanto si
            por más que
        """,
        "EXC": """
            excepto/salvo
            a excepción de/del
            con excepción de/del
            a excepción
            aparte de
            exceptuando/quitando
            menos en
        """,
        "IF": """
            si/cuando
            siempre que
            con la? condición de? que
            siempre y cuando
            en caso de/del
            con la condición
            si
        """,
        "WITHOUT": "sin",
        "BEFORE": "antes de/del/que?\nantes",
        "AFTER": "después de/del/que?\ndespués",
        "UNTIL": "hasta",
        "ALL": "todos/todas/todo/toda/cada",
        "SOME": """
            algunos/algunas/ciertos/ciertas
            parte de
        """,
        "ONLY": "solo/sólo/solamente/únicamente/exclusivamente",
        "ALWAYS": "siempre",
        "BOUND": """
            no/nunca? más/menos de
            no/nunca supera/superan/excede/exceda/exceden
            como máximo/mínimo/mucho
            al menos
            no puede/pueden/podrá/debe/deben/deberá superar/exceder/sobrepasar
            con? un? máximo/mínimo de
            hasta un máximo de
            por lo menos
            a lo sumo
            a más tardar
        """,
    },
    function=word_set(
        "el la los las un una unos unas de del y e es son ser sido está están a al en por para con se su sus lo"
        " le les que este esta estos estas hay ha han usted ustedes tu tus te me mi mis nos nuestro nuestra según"
        " si"
        " también ya todavía aún además lamentablemente desgracia desafortunadamente claro así pues entonces muy"
        " cual cuales donde ser estar estará tendrá fue era sea sean mismo misma eso ello ellos ella ellas él sí"
        " aquí allí porque pues queda quedan"
    ),
    joins=("y", "o"),
    stemmer="spanish",
    concepts="""
    abierto abierta abrir abre | cerrado cerrada cerrar cierra
    reembolsar reembolso reembolsa reembolsado
    devolver devolverse devuelto devuelta devolución devoluciones
    cambiar cambiarse cambio canjear
    empezar comienza comenzar inicio | terminar termina fin final
    gratuito gratuita gratis | pago
    válido válida | inválido caducado vencido
    incluido incluida incluye | excluido
    cubierto cubierta asegurado
    pagado pagada remunerado
    disponible disponibles
    aprobar aprobado aprobada aprueba aprobación autorización | rechazar rechazado denegar denegado
    presentar presentarse presentada entregar enviar
    empleado empleados empleada trabajador trabajadores
    cliente clientes comprador
    aumentar sube | reducir baja
    eliminar eliminan eliminarse borrar borran suprimir | conservar conservan guardar
    notificar notificarse comunicar comunicarse informar
    bloquear bloquearse bloquea bloqueada | desbloquear
    público pública | confidencial
    entregar entregamos entregas entrega envío enviar envían
    automático automáticamente | manual manualmente
    inmediatamente inmediato
    pedido pedidos
    compartir compartirse comunicar
    pedir pide solicitar solicita solicitud
    gratuito gratuita gratis | pagar paga pagan cuesta cuestan cobra cobran coste
    oral oralmente verbal palabra | escrito escrita
    fotos foto fotografías fotografía fotografiar
    aparcar aparcamiento estacionar estacionamiento
    subarrendar subarriendo subalquilar
    compañía acompañado acompañada acompañados acompañar acompañante
    robo robado pérdida perdido perder
    informar avisar avise avisa aviso avisado notificar comunicar comunicación comunique
    perder pierde pierden caduca caducan | conservar conserva mantener
    consentimiento permiso autorización aprobación
    usar uso utilizar utilización utiliza
    reembolso reembolsar reembolsa reembolsan devuelven abono
    renovar renueva renuevan renovación
    cancelar cancelado cancelación anular anulan anulación anulada
    vacaciones descanso
    viaje viajes trayecto trayectos desplazamiento
    perro perros mascota mascotas
    fumar tabaco
    inmediatamente inmediato enseguida cuanto
    alquiler renta
    justificante certificado
    bañador bañadores
    grupo grupal | individual
    contraseña clave
    bloqueada bloqueado bloquea bloquear | desbloqueada
    obligación deber
    registrar registrarse registro registrarte inscribirse inscripción
    temporal provisional | permanente definitivo
    remunerado remuneradas | gratuito
    """,
    sets="""
    lunes, martes, miércoles, jueves, viernes, sábado, domingo
    enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre
    diario, semanal, mensual, trimestral, anual
    empleados empleado, becarios becario, clientes cliente, proveedores proveedor, inquilino, propietario,
        visitantes
    alemania, austria, suiza, francia, italia, españa, polonia, bélgica, portugal, méxico, argentina
    escrito, oral verbal
    mañana, tarde, noche
    bruto, neto
    empresa empleador compañía, empleado trabajador, cliente comprador, tienda vendedor, conductor
    padres, colegio escuela, profesor
    """,
    counted=word_set(
        "segundo segundos minuto minutos hora horas día días laborable laborables hábil hábiles semana semanas"
        " mes meses año años eur euro euros céntimos usd media dos tres cuatro cinco seis siete ocho nueve diez"
        " once doce quince veinte treinta cuarenta cincuenta cien mil"
    ),
    breaks=word_set("pero sino"),
    forms="""
    haya hayan hubiera hubiese hubo habrá: haber
    pide piden pidió pida: pedir
    vuelve vuelven vuelto: volver
    devuelve devuelven devuelto devuelta devueltos devueltas: devolver
    pierde pierden perdió: perder
    cuesta cuestan costará: costar
    """,
    resuming=word_set("usted ustedes ellos ellas él"),
    participles=("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas"),
    generic=word_set("empleado empleados trabajador trabajadores cliente clientes persona personas personal"),
)
