"""What replies in ten languages say that states nothing, and what only looks like it."""

# ruff: noqa: E501, RUF001 - one answer a line; letters and signs look like others
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.support.claims import read_statements
from scorers.text.replies.clauses import goes_on, language_of_reply, reply_act
from scorers.text.replies.reading import TABLES

SILENT = """
de | Wie hoch ist die Kilometerpauschale? | Zur Kilometerpauschale steht in den Dokumenten nichts.
de | Wann öffnet das Fitnessstudio? | Die Unterlagen, die mir vorliegen, behandeln die Kantine; das Fitnessstudio kommt darin nicht vor.
de | Wer genehmigt Dienstreisen? | Dazu liegen mir keine Informationen vor. Ihre Personalabteilung hilft Ihnen sicher weiter.
de | Kannst du mir ein Taxi rufen? | Taxis rufen gehört nicht zu meinen Aufgaben, tut mir leid.
de | Hallo | Guten Tag! Womit kann ich Ihnen weiterhelfen?
de | Wie lange dauert das? | Meinen Sie die Lieferung oder die Reparatur?
de | Ist der Garantieanspruch übertragbar? | Anhand der vorliegenden Textstellen lässt sich das nicht beantworten.
de | Wie viel Pfand zahle ich? | Keine Angabe im Kontext.
de | Ist das Muttermal gefährlich? | Das kann ich nicht beurteilen; lassen Sie es bitte ärztlich abklären.
de | Wann ist das nächste Audit? | Ich habe gesucht, aber keinen Termin gefunden.
fr | Quel est le montant de l'indemnité ? | Rien dans les documents ne concerne cette indemnité.
fr | Quand ouvre la salle de sport ? | Les documents que j'ai parlent de la cantine ; la salle de sport n'y figure pas.
fr | Qui approuve les voyages ? | Je n'ai trouvé aucune information à ce sujet. Votre responsable pourra sans doute vous aider.
fr | Peux-tu m'appeler un taxi ? | Réserver un taxi ne fait pas partie de mes attributions.
fr | Salut | Bonjour, comment puis-je vous aider ?
fr | Combien de temps ça prend ? | Parlez-vous de la livraison ou de la réparation ?
fr | La garantie est-elle transférable ? | Il est impossible de répondre à partir des passages fournis.
fr | Quel est le dépôt ? | Information non disponible.
fr | Ce grain de beauté est-il dangereux ? | Je ne peux pas poser de diagnostic ; consultez un dermatologue.
fr | Quand a lieu l'audit ? | J'ai cherché mais je n'ai rien trouvé sur l'audit.
es | ¿Cuánto es la dieta? | No hay nada sobre dietas en los documentos.
es | ¿Quién aprueba los viajes? | No encuentro información al respecto. Su responsable podrá ayudarle.
es | ¿Me pides un taxi? | Pedir taxis queda fuera de lo que puedo hacer.
es | Hola | ¡Hola! ¿En qué puedo ayudarte?
es | ¿Cuánto tarda? | ¿Se refiere a la entrega o a la reparación?
es | ¿La garantía es transferible? | Con los fragmentos facilitados no es posible responder.
es | ¿Cuánto es la fianza? | Dato no disponible en el contexto.
es | ¿Es peligroso este lunar? | No puedo hacer diagnósticos; acuda a un dermatólogo.
es | ¿Cuándo es la auditoría? | He buscado, pero no he encontrado ninguna fecha.
it | A quanto ammonta l'indennità? | Nei documenti non c'è nulla sull'indennità.
it | Quando apre la palestra? | I documenti che ho parlano della mensa; la palestra non viene nominata.
it | Chi approva i viaggi? | Non ho trovato informazioni in merito. Il suo responsabile saprà aiutarla.
it | Mi chiami un taxi? | Prenotare taxi non rientra tra i miei compiti.
it | Ciao | Ciao! Come posso aiutarti?
it | Quanto ci vuole? | Intende la consegna o la riparazione?
it | La garanzia è trasferibile? | In base ai brani forniti non è possibile rispondere.
it | Quanto è la cauzione? | Informazione non presente nel contesto.
it | Questo neo è pericoloso? | Non posso fare diagnosi; si rivolga a un dermatologo.
it | Quando c'è l'audit? | Ho cercato, ma non ho trovato alcuna data.
pt | Qual é o valor da ajuda de custo? | Não há nada sobre ajudas de custo nos documentos.
pt | Quando abre o ginásio? | Os documentos que tenho tratam do refeitório; o ginásio não é referido.
pt | Quem aprova as viagens? | Não encontrei informação sobre isso. O seu responsável poderá ajudar.
pt | Chamas-me um táxi? | Chamar táxis está fora do que posso fazer.
pt | Olá | Olá! Como posso ajudar?
pt | Quanto tempo demora? | Refere-se à entrega ou à reparação?
pt | A garantia é transmissível? | Com base nos trechos fornecidos, não é possível responder.
pt | Quanto é a caução? | Informação não disponível.
pt | Este sinal é perigoso? | Não posso fazer diagnósticos; consulte um dermatologista.
pt | Quando é a auditoria? | Procurei, mas não encontrei nenhuma data.
nl | Hoe hoog is de kilometervergoeding? | Over de kilometervergoeding staat niets in de documenten.
nl | Wanneer gaat de sportschool open? | De documenten die ik heb gaan over de kantine; de sportschool komt er niet in voor.
nl | Wie keurt reizen goed? | Daar heb ik geen informatie over. Uw leidinggevende kan u vast verder helpen.
nl | Kun je een taxi bellen? | Taxi's bestellen kan ik niet voor je doen, sorry.
nl | Hallo | Goedemiddag! Hoe kan ik u helpen?
nl | Hoe lang duurt het? | Bedoelt u de levering of de reparatie?
nl | Is de garantie overdraagbaar? | Op basis van de gegeven passages is dat niet te zeggen.
nl | Hoeveel is de borg? | Geen informatie beschikbaar.
nl | Is deze moedervlek gevaarlijk? | Ik kan geen diagnose stellen; laat er een huisarts naar kijken.
nl | Wanneer is de audit? | Ik heb gezocht, maar geen datum gevonden.
pl | Ile wynosi kilometrówka? | W dokumentach nie ma nic o kilometrówce.
pl | Kiedy otwiera się siłownia? | Dokumenty, które mam, dotyczą stołówki; o siłowni nie ma w nich mowy.
pl | Kto zatwierdza podróże? | Nie znalazłem informacji na ten temat. Przełożony na pewno pomoże.
pl | Zamówisz mi taksówkę? | Zamawianie taksówek wykracza poza moje możliwości.
pl | Dzień dobry | Dzień dobry! W czym mogę pomóc?
pl | Jak długo to trwa? | Chodzi o dostawę czy o naprawę?
pl | Czy gwarancja jest przenoszalna? | Na podstawie podanych fragmentów nie da się na to odpowiedzieć.
pl | Ile wynosi kaucja? | Brak danych w kontekście.
pl | Czy to znamię jest groźne? | Nie mogę stawiać diagnoz; proszę zgłosić się do dermatologa.
pl | Kiedy jest audyt? | Szukałem, ale nie znalazłem żadnej daty.
bg | Колко е командировъчното? | В документите няма нищо за командировъчните.
bg | Кога отваря фитнесът? | Документите, с които разполагам, са за столовата; фитнесът не се споменава в тях.
bg | Кой одобрява пътуванията? | Не намерих информация по този въпрос. Вашият ръководител ще може да Ви помогне.
bg | Ще ми поръчаш ли такси? | Поръчването на такси не е сред нещата, които мога да правя.
bg | Здравей | Здравейте! С какво мога да помогна?
bg | Колко време отнема? | Имате предвид доставката или ремонта?
bg | Прехвърля ли се гаранцията? | Въз основа на дадените откъси не може да се отговори.
bg | Колко е депозитът? | Няма информация в контекста.
bg | Опасна ли е тази бенка? | Не мога да поставям диагнози; обърнете се към дерматолог.
bg | Кога е одитът? | Потърсих, но не открих дата.
zh | 出差补贴是多少？ | 文件里没有提到出差补贴。
zh | 健身房几点开门？ | 我手头的文档讲的是食堂，没有涉及健身房。
zh | 谁批准出差？ | 我没有找到相关信息，您可以咨询您的主管。
zh | 帮我叫辆出租车 | 叫出租车不在我的服务范围之内。
zh | 你好 | 你好！有什么可以帮到你的吗？
zh | 要多久？ | 您是指送货还是维修？
zh | 保修可以转让吗？ | 根据所给的片段无法回答这个问题。
zh | 押金多少？ | 上下文中没有相关信息。
zh | 这颗痣危险吗？ | 我不能做诊断，请您去看皮肤科医生。
zh | 什么时候审计？ | 我查了一下，但没有找到日期。
ja | 出張手当はいくらですか。 | 出張手当については文書に何も書かれていません。
ja | ジムはいつ開きますか。 | 手元の文書は食堂に関するもので、ジムについては触れられていません。
ja | 誰が出張を承認しますか。 | その件に関する情報は見つかりませんでした。上司の方にご確認ください。
ja | タクシーを呼んで | タクシーの手配は私の対応範囲外です。
ja | こんにちは | こんにちは。どのようなご用件でしょうか。
ja | どのくらいかかりますか。 | 配送のことでしょうか、それとも修理のことでしょうか。
ja | 保証は譲渡できますか。 | 提供された抜粋だけでは判断できません。
ja | 敷金はいくらですか。 | 該当する情報なし。
ja | このほくろは危険ですか。 | 診断はできませんので、皮膚科を受診してください。
ja | 監査はいつですか。 | 探しましたが、日程は見当たりませんでした。
""".strip().splitlines()
STATING = """
de | Kann ich Gutscheine zurückgeben? | Gutscheine können nicht zurückgegeben werden.
de | Ist das Bad heute offen? | Leider ist das Bad montags geschlossen.
de | Gibt es eine Gebühr? | Dafür fällt keine Gebühr an.
de | Wie lange ist die Frist? | Ich habe die genaue Stelle nicht gefunden, aber die Frist beträgt zwei Wochen.
de | Gibt es Auskunft am Telefon? | Telefonisch erteilen wir keine Auskünfte.
fr | Puis-je rendre une carte cadeau ? | Les cartes cadeaux ne peuvent pas être retournées.
fr | La piscine est-elle ouverte ? | Malheureusement, la piscine est fermée le lundi.
fr | Y a-t-il des frais ? | Il n'y a pas de frais pour ce service.
fr | Quel est le délai ? | Je n'ai pas trouvé la page exacte, mais le délai est de deux semaines.
fr | Des infos par téléphone ? | Nous ne donnons aucun renseignement par téléphone.
es | ¿Puedo devolver una tarjeta regalo? | Las tarjetas regalo no se pueden devolver.
es | ¿Está abierta la piscina? | Lamentablemente, la piscina cierra los lunes.
es | ¿Hay algún coste? | Este servicio no tiene ningún coste.
es | ¿Cuál es el plazo? | No encontré la página exacta, pero el plazo es de dos semanas.
es | ¿Información por teléfono? | No damos información por teléfono.
it | Posso restituire una carta regalo? | Le carte regalo non possono essere restituite.
it | La piscina è aperta? | Purtroppo la piscina è chiusa il lunedì.
it | C'è un costo? | Non ci sono costi per questo servizio.
it | Qual è il termine? | Non ho trovato la pagina esatta, ma il termine è di due settimane.
it | Informazioni al telefono? | Non diamo informazioni al telefono.
pt | Posso devolver um cartão-presente? | Os cartões-presente não podem ser devolvidos.
pt | A piscina está aberta? | Infelizmente, a piscina está fechada às segundas-feiras.
pt | Há algum custo? | Este serviço não tem custos.
pt | Qual é o prazo? | Não encontrei a página exata, mas o prazo é de duas semanas.
pt | Informações por telefone? | Não damos informações por telefone.
nl | Kan ik een cadeaubon teruggeven? | Cadeaubonnen kunnen niet worden teruggegeven.
nl | Is het zwembad open? | Helaas is het zwembad op maandag gesloten.
nl | Zijn er kosten? | Aan deze dienst zijn geen kosten verbonden.
nl | Wat is de termijn? | Ik heb de precieze pagina niet gevonden, maar de termijn is twee weken.
nl | Info per telefoon? | Wij geven geen informatie per telefoon.
pl | Czy mogę zwrócić kartę podarunkową? | Kart podarunkowych nie można zwracać.
pl | Czy basen jest otwarty? | Niestety basen jest w poniedziałki nieczynny.
pl | Czy jest opłata? | Za tę usługę nie pobieramy opłat.
pl | Jaki jest termin? | Nie znalazłem dokładnej strony, ale termin wynosi dwa tygodnie.
pl | Informacje przez telefon? | Nie udzielamy informacji przez telefon.
bg | Мога ли да върна подаръчна карта? | Подаръчните карти не могат да се връщат.
bg | Отворен ли е басейнът? | За съжаление басейнът е затворен в понеделник.
bg | Има ли такса? | За тази услуга няма такса.
bg | Какъв е срокът? | Не намерих точната страница, но срокът е две седмици.
bg | Информация по телефона? | Не даваме информация по телефона.
zh | 礼品卡可以退吗？ | 礼品卡不能退货。
zh | 游泳池开放吗？ | 很抱歉，游泳池星期一不开放。
zh | 有费用吗？ | 这项服务不收费。
zh | 期限是多久？ | 我没有找到确切的页面，但期限是两周。
zh | 电话能查询吗？ | 我们不通过电话提供信息。
ja | ギフトカードは返品できますか。 | ギフトカードは返品できません。
ja | プールは開いていますか。 | 申し訳ございませんが、プールは月曜日は休みです。
ja | 料金はかかりますか。 | このサービスに料金はかかりません。
ja | 期限は？ | 正確なページは見つかりませんでしたが、期限は二週間です。
ja | 電話で教えてもらえますか。 | お電話での情報提供は行っておりません。
""".strip().splitlines()


def asserting(line: str) -> list[str]:
    """Return the sentences of an answer that state something."""
    _, question, answer = line.split(" | ")
    return [each.words for each in read_statements(answer, (), question) if each.asserts]


@pytest.mark.parametrize("line", SILENT)
def test_what_declines_abstains_refers_or_greets_states_nothing(line: str) -> None:
    assert asserting(line) == []


@pytest.mark.parametrize("line", STATING)
def test_a_policy_is_stated_whatever_opens_it(line: str) -> None:
    assert asserting(line)


def test_a_word_that_turns_a_sentence_leads_to_what_it_states() -> None:
    assert goes_on("Das finde ich nicht, aber die Frist beträgt zwei Wochen.", "de")
    assert not goes_on("Das finde ich nicht, aber fragen Sie gern die Personalabteilung.", "de")
    assert not goes_on("Dazu kann ich jedoch nichts sagen.", "de")


def test_a_referral_with_a_term_is_a_rule() -> None:
    assert reply_act("Bitte wenden Sie sich an die Personalabteilung.", "de") == "refers"
    assert reply_act("Bitte wenden Sie sich binnen zwei Wochen an die Personalabteilung.", "de") is None


@given(st.text(max_size=300), st.sampled_from(sorted(TABLES)))
def test_any_text_can_be_read(text: str, language: str) -> None:
    assert reply_act(text, language) in (None, "abstains", "declines", "refers", "about", "courtesy")
    assert language_of_reply("", text)
    assert goes_on(text, language) in (True, False)
