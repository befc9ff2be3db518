"""Spanish words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS = LanguageWords(
    phrases={
        "MAY": """
            puede/pueden/podrá/podrán/puedes/puedo/podemos/pueda/puedan
            permitido/permitida/permitidos/permitidas/posible/posibles/autorizado/autorizada/autorizados/autorizadas
            permite/permiten/admite/admiten
        """,
        "MUST": "debe/deben/debo/debemos/deberá/deberán/debes",
        "NEED": """
            tiene/tienen/tengo/tienes/tenemos que
            hay que
            hace falta
            necesario/necesaria/necesarios/necesarias/obligatorio/obligatoria/obligatorios/obligatorias
            requerido/requerida/imprescindible
            requiere/requieren/exige/exigen/necesita/necesitan
        """,
        "SHOULD": "debería/deberían\nrecomendado/recomendable/aconsejable",
        "FORBID": "prohibido/prohibida/prohibidos/prohibidas/imposible/excluido/excluida/excluidos/excluidas",
        "NOTNEED": "opcional/opcionales/voluntario/voluntaria/voluntarios/voluntarias/facultativo/facultativa",
        "NEG": "no/nunca/jamás/ningún/ninguna/ninguno/ni/nadie/nada/tampoco",
        "ONLYIF": "solo/sólo/únicamente si/con/para/cuando",
        "INSTEAD": "en lugar/vez de/del\ny no el/la/los/las/por/al",
        "UNLESS": "a menos que\nsalvo/excepto que/si/cuando",
        "EVENIF": "aunque\nincluso si/en/con/cuando/durante\ntambién en caso\naun en/con/cuando",
        "EXC": "excepto/salvo\na excepción de/del\ncon excepción de/del",
        "IF": "si/cuando\nsiempre que\ncon la? condición de? que",
        "WITHOUT": "sin",
        "BEFORE": "antes de/del/que?\nantes",
        "AFTER": "después de/del/que?\ndespués",
        "UNTIL": "hasta",
        "ALL": "todos/todas/todo/toda/cada",
        "SOME": "algunos/algunas/ciertos/ciertas",
        "ONLY": "solo/sólo/solamente/únicamente/exclusivamente",
        "ALWAYS": "siempre",
        "BOUND": """
            no/nunca? más/menos de
            no/nunca supera/superan/excede/exceda/exceden
            como máximo/mínimo/mucho
            al menos
        """,
    },
    function=word_set(
        "el la los las un una unos unas de del y e es son ser sido está están a al en por para con se su sus lo"
        " le les que este esta estos estas hay ha han usted ustedes tu tus te me mi mis nos nuestro nuestra según"
        " si"
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
""",
    counted=word_set(
        "segundo segundos minuto minutos hora horas día días laborable laborables hábil hábiles semana semanas"
        " mes meses año años eur euro euros céntimos usd media dos tres cuatro cinco seis siete ocho nueve diez"
        " once doce quince veinte treinta cuarenta cincuenta cien mil"
    ),
    breaks=word_set("pero sino"),
    generic=word_set("empleado empleados trabajador trabajadores cliente clientes persona personas personal"),
)
