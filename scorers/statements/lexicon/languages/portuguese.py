"""Portuguese words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS = LanguageWords(
    phrases={
        "MAY": """
            pode/podem/posso/podemos/poderá/poderão
            permitido/permitida/permitidos/permitidas/possível/possíveis/autorizado/autorizada/autorizados
            admitido/admitida/admitidos/admitidas
        """,
        "MUST": "deve/devem/devo/devemos/deverá/deverão",
        "NEED": """
            tem/têm/tenho/temos de/que
            é preciso
            precisa/precisam
            necessário/necessária/necessários/necessárias/obrigatório/obrigatória/obrigatórios/obrigatórias
            exigido/exigida
            exige/exigem/requer/requerem
        """,
        "SHOULD": "deveria/deveriam\nrecomendado/recomendável",
        "FORBID": "proibido/proibida/proibidos/proibidas/impossível/excluído/excluída/excluídos/excluídas",
        "NOTNEED": "opcional/opcionais/facultativo/facultativa/voluntário/voluntária",
        "NEG": "não/nunca/jamais/nenhum/nenhuma/nem/ninguém/nada",
        "ONLYIF": "só/somente/apenas se/com/após/para",
        "INSTEAD": "em vez de/do/da\ne não pelo/pela/pelos/pelas/por/o/a/ao",
        "UNLESS": "a menos que\nsalvo/exceto se/quando/que",
        "EVENIF": "mesmo se/que/em/com/sem\nainda que\ninclusive em/com",
        "EXC": "exceto/salvo\ncom exceção de/do/da/dos/das",
        "IF": "se/quando\ndesde que\ncaso",
        "WITHOUT": "sem",
        "BEFORE": "antes de/do/da?\nantes",
        "AFTER": "depois de/do/da?\napós/depois",
        "UNTIL": "até",
        "ALL": "todos/todas/todo/toda/cada",
        "SOME": "alguns/algumas/certos/certas",
        "ONLY": "só/somente/apenas/unicamente/exclusivamente",
        "ALWAYS": "sempre",
        "BOUND": """
            não/nunca? mais/menos de/que
            não/nunca ultrapassa/ultrapassam/excede/excedem
            acima/abaixo de/dos
            no máximo/mínimo
            pelo menos
        """,
    },
    function=word_set(
        "o a os as um uma de do da dos das e é são ser sido está estão ao à aos às em no na nos nas por para com"
        " se seu sua seus suas que este esta estes estas há foi foram você meu minha nosso nossa teu tua segundo"
    ),
    joins=("e", "ou"),
    stemmer="portuguese",
    concepts="""
    aberto aberta abrir abre | fechado fechada fechar fecha
    reembolsar reembolso reembolsado
    devolver devolvido devolvidos devolvidas devolução
    trocar trocados troca
    começar começa início | terminar termina fim
    gratuito gratuita grátis | pago paga
    válido válida | inválido expirado caducado
    incluído incluída inclui | excluído
    coberto coberta segurado
    remunerado remunerada
    disponível disponíveis | indisponível
    aprovar aprovado aprovada aprovação autorização | recusar recusado negado
    apresentar apresentado entregar submeter
    funcionário funcionários empregado empregados trabalhador trabalhadores colaborador colaboradores
    cliente clientes comprador
    aumentar sobe | reduzir baixar
    eliminar eliminados apagar apagados excluir | conservar conservados guardar
    comunicar comunicado comunicados notificar informar
    bloquear bloqueado bloqueada | desbloquear
    público pública | confidencial
    entregar entregamos entrega entregas enviar enviadas envio
    automático automaticamente | manual manualmente
    imediatamente logo
    encomenda encomendas pedido pedidos
    pedir solicitar solicitação
""",
    sets="""
    segunda, terça, quarta, quinta, sexta, sábado, domingo
    janeiro, fevereiro, março, abril, maio, junho, julho, agosto, setembro, outubro, novembro, dezembro
    diário, semanal, mensal, trimestral, anual
    funcionários funcionário, estagiários estagiário, clientes cliente, fornecedores fornecedor, inquilino,
        senhorio,
        visitantes
    alemanha, áustria, suíça, frança, itália, espanha, polónia polônia, bélgica, portugal, brasil
    escrito, oral verbal
    manhã, tarde, noite
    bruto, líquido
""",
    counted=word_set(
        "segundo segundos minuto minutos hora horas dia dias útil úteis semana semanas mês meses ano anos eur"
        " euro euros reais meia dois duas três quatro cinco seis sete oito nove dez onze doze quinze vinte trinta"
        " quarenta cinquenta cem mil"
    ),
    breaks=word_set("mas porém"),
    generic=word_set("funcionário funcionários trabalhador trabalhadores cliente clientes pessoa pessoas"),
)
