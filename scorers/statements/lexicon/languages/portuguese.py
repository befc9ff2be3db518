"""Portuguese words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS: LanguageWords = LanguageWords(
    phrases={
        "MAY": """
            pode/podem/posso/podemos/poderá/poderão
            permitido/permitida/permitidos/permitidas/possível/possíveis/autorizado/autorizada/autorizados
            admitido/admitida/admitidos/admitidas
            podes/poderia/poderiam/poderá/podemos
            tolerado/tolerada/permite/permitem/admite/admitem/autoriza/autorizam/autorizadas/admitidos/admitidas
        """,
        "MUST": """
            deve/devem/devo/devemos/deverá/deverão
            deves/deverás/devendo
        """,
        "NEED": """
            tem/têm/tenho/temos de/que
            é preciso
            precisa/precisam
            necessário/necessária/necessários/necessárias/obrigatório/obrigatória/obrigatórios/obrigatórias
            exigido/exigida
            exige/exigem/requer/requerem
            tens/terá/terão/tendes de/que
            preciso/precisas/precisamos
            obrigação/exigidos/exigidas/imprescindível/indispensável/obrigados/obrigadas/obrigado
            há que
        """,
        "SHOULD": "deveria/deveriam\nrecomendado/recomendável",
        "FORBID": """
            proibido/proibida/proibidos/proibidas/impossível/excluído/excluída/excluídos/excluídas
            proíbe/proíbem/vedado/vedada/vedados/interdito/interdita
        """,
        "NOTNEED": """
            opcional/opcionais/facultativo/facultativa/voluntário/voluntária
            dispensado/dispensada/dispensados/desnecessário/desnecessária/isento/isenta
            é dispensável
        """,
        "NEG": "não/nunca/jamais/nenhum/nenhuma/nem/ninguém/nada",
        "ONLYIF": """
            só/somente/apenas se/com/após/para
            só/somente/apenas/unicamente/exclusivamente se/com/após/para/quando/mediante/em
            mediante autorização/consentimento/pedido/aprovação
        """,
        "INSTEAD": """
            em vez de/do/da
            e não pelo/pela/pelos/pelas/por/o/a/ao
            e não em/com/de
        """,
        "UNLESS": """
            a menos que
            salvo/exceto se/quando/que
            a não ser que
            salvo/exceto em/com
        """,
        "EVENIF": """
            mesmo se/que/em/com/sem
            ainda que
            inclusive em/com
            mesmo quando/após/depois/antes
            independentemente de/do/da
            embora
            apesar de/do/da
            inclusive
        """,
        "EXC": """
            exceto/salvo
            com exceção de/do/da/dos/das
            à exceção de/da/do/dos/das
            a não ser
            fora
            com exceção
        """,
        "IF": """
            se/quando
            desde que
            caso
            contanto que
            no caso de
            em caso de
            com a condição de
        """,
        "WITHOUT": "sem",
        "BEFORE": "antes de/do/da?\nantes",
        "AFTER": "depois de/do/da?\napós/depois",
        "UNTIL": "até",
        "ALL": "todos/todas/todo/toda/cada",
        "SOME": """
            alguns/algumas/certos/certas
            parte de/do/da
        """,
        "ONLY": "só/somente/apenas/unicamente/exclusivamente",
        "ALWAYS": "sempre",
        "BOUND": """
            não/nunca? mais/menos de/que
            não/nunca ultrapassa/ultrapassam/excede/excedem
            acima/abaixo de/dos
            no máximo/mínimo
            pelo menos
            não pode/podem/poderá/deve/devem ultrapassar/exceder/superar
            com? um máximo/mínimo de
            no máximo
            ao menos
        """,
    },
    function=word_set(
        "o a os as um uma de do da dos das e é são ser sido está estão ao à aos às em no na nos nas por para com"
        " se seu sua seus suas que este esta estes estas há foi foram você meu minha nosso nossa teu tua segundo"
        " também já ainda infelizmente além claro então muito onde ele ela eles elas isso isto aquilo próprio"
        " própria lhe lhes lo la los las cujo ter foi era seja sejam porque pois pelo pela pelos pelas num numa dos"
        " fica ficam teu tua vossa nossa dele dela"
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
    gratuito gratuita grátis gratuitamente graça | pagar paga pagam custa custam cobrado cobrada
    oral oralmente verbal voz | escrito escrita
    fotografias fotografia fotografar fotos foto
    estacionar estacionam estacionamento estacionar
    subarrendar subarrendamento sublocar
    acompanhado acompanhada acompanhados acompanhar companhia | sozinho sozinha
    perda perdi perdido perder roubo
    avisar avise aviso informar comunicar comunicada comunicadas notificar
    perde perdem caduca caducam expira | conserva mantém
    consentimento permissão autorização aprovação
    usar uso utilizar utilização
    reembolso reembolsado reembolsada reembolsadas
    renovar renovado renovada renovação
    cancelar cancelado cancelada canceladas cancelamento anular
    viagem viagens deslocação
    cão cães cachorro animal animais
    fumar tabaco
    imediatamente imediato logo
    renda aluguel
    atestado certificado
    rescindir rescindido rescisão
    partilhar partilhada partilhado compartilhar compartilhada
    frete envio entrega entregas entregamos
    bloqueada bloqueado bloquear | desbloqueada
    grupo | individual
    registar registar-se registo inscrever inscrição
    senha palavra-passe
    multa coima
    reserva reservas reservar
    temporário provisório | permanente definitivo
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
    empresa empregador, funcionário trabalhador colaborador, cliente comprador, loja vendedor, condutor motorista
    pais, escola, professor
    """,
    counted=word_set(
        "segundo segundos minuto minutos hora horas dia dias útil úteis semana semanas mês meses ano anos eur"
        " euro euros reais meia dois duas três quatro cinco seis sete oito nove dez onze doze quinze vinte trinta"
        " quarenta cinquenta cem mil"
    ),
    breaks=word_set("mas porém"),
    forms="""
    haja hajam houver houvesse havia haverá haver: haver
    faça fizer feito feita feitos feitas faz fazem: fazer
    perde perdem perdeu perca: perder
    pede pedem pediu peça: pedir
    traz trazem trouxer trazido: trazer
    """,
    resuming=word_set("ele ela eles elas você vocês"),
    participles=("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas"),
    generic=word_set("funcionário funcionários trabalhador trabalhadores cliente clientes pessoa pessoas"),
)
