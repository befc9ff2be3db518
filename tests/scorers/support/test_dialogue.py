"""What an answer says that claims nothing, and what only looks like it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers import default_panel, run_panel
from scorers.base import Env, Evaluation, Score
from scorers.grounding.faithfulness import Faithfulness
from scorers.memory import Memory
from scorers.support.claims import claims_of, statements_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FOREIGN = (
    Passage(id="a", text="Hotels are reimbursed up to 180 EUR per night. Receipts are required above 25 EUR."),
    Passage(id="b", text="Opened software and gift cards cannot be returned. Other items can be returned in 30 days."),
)
CLAIMS_NOTHING = """
Sorry, I can't help with that. Please contact the HR service desk.
I'm sorry, but I can't share information about other employees.
I cannot provide legal advice.
I'm not able to answer that question.
I don't know.
I do not have enough information to answer this question.
The provided documents do not mention parental leave.
I could not find anything about that in the knowledge base.
Unfortunately, I can't discuss salary information of your colleagues.
I'm afraid that's outside the scope of what I can help with.
That is not something I can assist with.
This request cannot be fulfilled. Please reach out to your manager.
For privacy reasons, I can't disclose personal data.
I must decline to answer that.
As an AI assistant, I cannot give medical advice. Please consult a doctor or pharmacist.
Thanks for reaching out! I'm unable to assist with this request.
I apologize, but I don't have access to payroll data.
I'm only able to answer questions about company policies.
Let me check that for you.
Is there anything else I can help you with?
You can find this in the portal.
For more information, please visit the intranet.
Could you clarify which country you work in?
I need more details to answer that. Which product do you mean?
Hello! How can I help you today?
You're welcome! Have a great day!
Thank you for your question.
Based on the provided documents, I cannot determine the answer.
I am an assistant for HR questions.
I don't have that information. Please contact the payroll team for further assistance.
Sorry, no relevant documents were found.
No information about this topic is available in the context.
I'm sorry, this information is confidential and I am not authorized to share it.
I wasn't able to locate that in our documentation.
I can't answer that, but I can help you with questions about leave, travel, and expenses.
Your best bet is to ask your manager.
I'd recommend speaking with a financial advisor.
It's best to check with the legal team directly.
Please note that I am not a lawyer.
I will transfer you to a human agent.
A colleague will get back to you shortly.
I'd be happy to help! Could you tell me more about your issue?
I hope this helps. Let me know if you have any other questions.
That question is beyond my knowledge.
We're unable to help with this request. Please contact support.
Sorry about that! Could you please rephrase your question?
I won't help with bypassing security controls. It is important to respect company policies.
I have no information on that.
The context does not contain the answer.
Unable to answer from the available documents.
This is a question for the compliance department.
HR can help you with that.
I'm sorry to hear that. I understand this must be frustrating.
Not specified in the documents.
I'd rather not speculate about that.
My knowledge is limited to the employee handbook.
Nothing in the sources addresses this question.
I can only answer questions related to IT support.
Please provide more information so I can assist you.
It is unclear from the passages whether this applies.
There's no mention of this in the policy documents.
I cannot comment on ongoing legal matters.
Great question! Let me look into that.
If you need help, please reach out to the service desk.
If you think this is a mistake, please contact your HR business partner.
I'm not sure I understand. Are you asking about vacation days?
I regret that I cannot fulfil this request; it would violate our colleagues' privacy.
Sharing that would breach confidentiality, so I can't provide it.
Sorry - that's not something I'm allowed to talk about.
I do not have personal opinions.
Okay, noted. Anything else?
I don't see any record of that in the passages I was given.
The search returned no results for your query.
I'm going to have to pass on that one.
This falls outside my area of expertise; your doctor is the right person to ask.
I can't access live account data, so please log in to your account or call our support line.
Your request is against our usage policies.
I do not have the ability to look up individual records.
Please ask someone in the finance department; they will be able to advise you.
Hi there \U0001f44b I'm the travel assistant and I can help with bookings.
Nothing in what I was given deals with mileage.
The length of the probation period isn't stated.
My sources only discuss the parking garage, so I can't tell you what happens if you pay late.
I wasn't able to locate a figure for the deposit.
Beats me, I'm afraid. Try the reception.
Only your claims handler can see why it was rejected; I have no view of individual files.
I'll leave comedy to the professionals. Anything about the staff handbook I can look up for you?
That is a medical question and I must not answer it; please see a doctor.
I do not have access to salary data.
No problem at all.
Perfect, then have a good weekend!
I'm sorry this has been frustrating. What were you hoping to find?
To answer that I'd need to know which country you're in.
The policy doesn't address sabbaticals.
It's unclear from the given text whether cars can be rented abroad.
I do not see any interest rate listed.
The text is silent as to who approves travel.
My knowledge base has no entry on audits.
I cannot answer this question based on the context.
The hotel isn't covered by my documents. Its website should have the details.
Accessibility is not something the sources talk about.
I'm sorry, but I can't provide medical information.
Making transfers is outside my remit.
I must decline this request.
I can't see stock levels. Would you like me to pass you to a colleague?
I'm sorry you're feeling this way. Would you like to tell me what's going on?
For security reasons I can't give out codes. The caretaker will help you.
I'm only able to answer questions on building services. For tax questions, a tax adviser is your best bet.
I looked but came up empty.
Although the documents touch on maintenance, they say nothing about transferring a warranty.
I'm not in a position to say whether the warranty is transferable.
I don't have that information at the moment.
Please reach out to our support team through the chat button on the website.
That information would be in the terms and conditions, which I haven't been given.
I hold no data on volunteers.
It would be irresponsible of me to make up an answer. Please check with the club.
Lunch? No trace of it in what you uploaded.
Your question isn't one these documents can answer.
My search came back with nothing on meals.
Sadly, that's not covered in the pages I've been shown.
Whatever the rule on lunch is, it isn't in here.
I could only guess, and I'd rather not.
This assistant has no information about meals.
Couldn't find anything on that, sorry.
Meals are a topic the available documents leave out.
We have no information on this in our knowledge base.
The provided excerpts exclusively concern waste sorting and do not contain any details on lunch.
What I have only covers parking.
That's beyond the information available to me.
The knowledge base doesn't seem to have an article on this.
For that, you'd be better off asking the organisers.
Perhaps your host knows more.
I checked the three passages. None of them is about lunch.
I wish I could, but I have no hands! The IT helpdesk will sort you out.
That's one for IT.
Your PIN is something only you know. I have no access to it.
PINs aren't visible to me.
No can do.
I'm here to answer questions on tenancy, so I'll have to skip the poem.
Ha! What can I do for you?
See you next time!
Sure thing!
Glad you like it.
I was built by your company's IT team.
The second of what, please?
I understand your frustration. Let me pass this on to our complaints team.
I would need your employment type to answer that.
I have no live data, so I can't tell you about the weather.
I wasn't part of that conversation.
That's wild!
Yeah, pretty cute.
How interesting!
It sure is.
Me too.
I agree with that.
I've heard that too.
Oh, I see.
My role is to answer questions about travel.
I have read the documents.
""".strip().splitlines()
CLAIMS = """
We cannot accept returns of gift cards.
Unfortunately, gift cards cannot be returned.
Sorry, but leave is 20 weeks.
Please contact HR before booking travel.
Please submit your receipts through the portal.
You can carry over five days of leave.
We are unable to refund sale items.
No documents are required for travel in the EU.
The policy does not cover water damage.
The policy has no limit.
The data is not provided to third parties.
Report lost cards to the service desk.
Contact the service desk within 24 hours.
Access to the server room is restricted.
We can provide a replacement.
We do not have parking.
We have no fees.
This service is free.
Your data is confidential.
The bank will provide you with a card.
There is no fee for transfers.
I can't share that, but the limit is 200 EUR.
Thanks for asking, leave is unpaid.
If you are ill for three days, you need a note.
Employees may ask their manager for remote work.
You can return items in any store.
You can find the form in building B, room 12.
You may not use personal devices.
You should encrypt your laptop.
It is not allowed to smoke.
It is not possible to cancel after booking.
We only cover repairs.
The manager must approve travel.
Your manager will approve the request.
This is not covered by the plan.
These items are not eligible.
They can be returned.
That is not permitted.
Only managers can see salary data.
The HR team handles leave requests.
For parental leave, employees receive 20 weeks.
To be eligible, you must work full time.
Welcome bonuses are paid after the probation period.
Not all employees are eligible.
No approval is required.
Nothing is charged for standard shipping.
None of the fees are refundable.
Yes, gift cards can be returned.
As a manager, you can approve expenses.
According to the documents, leave is paid.
Based on the policy, contractors are not covered.
This request requires approval by the manager.
The request can be submitted online.
I can confirm that gift cards can be returned.
I'm afraid leave is unpaid.
I'm sorry, but gift cards cannot be returned.
I can tell you that gift cards can be returned.
I understand that leave is paid.
I'm glad to say that returns are free.
We're sorry that returns are not possible.
Sure, gift cards can be returned.
Sure! Gift cards can be returned.
No, you cannot cancel.
Unfortunately not.
If you are a contractor, you are not eligible.
Your manager can help with approvals and must sign the form.
You should contact your manager before taking leave.
You can reach the service desk by phone only.
Please note that leave must be approved.
Feel free to return the item in any store, and we refund you.
Gift cards cannot be returned.
I'm afraid the pool is closed on Mondays.
You can't cancel after 14 days.
Dogs are not permitted in the building.
We don't sell batteries.
Unfortunately, refunds are not possible once the item has been worn.
The insurance does not cover skiing.
Please send a doctor's note by the third day.
Sorry, laptops are for permanent staff only.
No, smoking is prohibited everywhere on site.
The study did not find any effect of the drug.
The chairman's letter to shareholders doesn't mention the merger.
Please submit the form to the HR desk on the second floor.
We accept no liability for lost luggage.
The price doesn't include breakfast.
You don't have to answer questions about your health.
I'm happy to help! The refund period is 30 days.
I'm not sure, but the notice period is probably three months.
I'm not a doctor, but two tablets a day are fine.
According to the policy, approval isn't needed below 100 euros.
It isn't the manager who decides but the works council.
We don't give information on test results over the phone.
Documents older than ten years are not kept.
The file does not need to contain a photo.
The branch remains open during the works.
The documents must be signed by both parties.
The application documents do not have to be certified.
Sources must not be cited from memory.
Nobody may enter without a badge.
The tenant doesn't pay for repairs, the landlord does.
None of the accounts carries a monthly fee.
There's nothing to pay at the desk.
The form isn't available online.
Theft is not part of the cover.
That isn't covered.
The helpdesk can be reached from 8 to 18.
The desk will call you back within two days.
Don't take it without food.
We never share your data.
Data is not transferred outside the EU.
I'm sorry to tell you that overtime isn't paid.
I believe overtime is unpaid.
To be honest, overtime is never paid here.
It looks like overtime is not paid.
I looked it up: overtime is not paid.
It's not something we pay.
The guide describes how to reset the password.
The documents say that returns are free.
The text is about the Roman empire.
The manager will decide on your request.
The works council must be informed.
Refunds cannot be confirmed by phone.
Super users must change their password every 30 days.
Cool bags are provided at the desk.
Have a witness sign the form.
Oh yes there are two kinds of leave.
That is free.
They are covered.
I agree that overtime is unpaid.
Did you know that gift cards cannot be returned?
I didn't know that gift cards cannot be returned.
My job is to work with patients.
I have been to several national parks.
""".strip().splitlines()
JUDGED = ("claim_support", "faithfulness", "contradiction_absence")


def evaluated(said: str, question: str = "What is the salary of my colleague?") -> Evaluation:
    answer = Answer(id="a", question=question, answer=said, passages=FOREIGN)
    return run_panel(default_panel(), answer, Env(now=NOW))


@pytest.mark.parametrize("said", CLAIMS_NOTHING)
def test_what_declines_refers_elsewhere_asks_or_greets_claims_nothing(said: str) -> None:
    assert [claim.words for claim in claims_of(Answer(id="a", answer=said), Memory())] == []


@pytest.mark.parametrize("said", CLAIMS)
def test_a_rule_stays_a_claim_whatever_opens_it(said: str) -> None:
    assert claims_of(Answer(id="a", answer=said), Memory())


@pytest.mark.parametrize("said", CLAIMS_NOTHING[::4])
def test_an_answer_that_claims_nothing_is_no_invention(said: str) -> None:
    found = evaluated(said)
    reasons = {each.metric: (each.reason, each.detail) for each in found.unscored}
    assert {reasons.get(name) for name in JUDGED} == {("not_applicable", "the answer makes no claim")}
    assert {each.metric: each.value for each in found.scores}["unsafe_probability"] < 0.2


def test_a_refusal_before_a_claim_takes_nothing_from_the_claim() -> None:
    found = evaluated("I can't share salaries. Hotels are reimbursed up to 240 EUR per night.")
    labels = {each.metric: each.label for each in found.scores}
    assert labels["faithfulness"] in ("unsupported", "contradicted")
    (claim,) = claims_of(Answer(id="a", answer="Sorry, I can't help. Leave is paid."), Memory())
    assert claim.words == "Leave is paid."


def test_a_question_that_only_tells_is_judged_by_what_it_tells() -> None:
    said = ("Did you know that gift cards cannot be returned?", "Did you know that gift cards can be returned?")
    assert [labelled(each) for each in said] == ["supported", "contradicted"]
    assert claims_of(Answer(id="a", answer="Did you know about it?"), Memory()) == ()


def test_what_an_assistant_tells_of_a_life_of_its_own_is_an_invention() -> None:
    said = "I love hotels at 180 EUR per night."
    assert labelled(said) == "unsupported"
    assert labelled("We reimburse hotels up to 180 EUR per night.") == "supported"
    spoken = Passage(id="a", text="I love hotels at 180 EUR per night, says Ann.")
    assert labelled(said, passages=(spoken,)) == "supported"
    assert labelled(said, "Write a review for me.") != labelled(said)


@pytest.mark.parametrize(
    "said",
    [
        "I love that you are planning ahead, and hotels are reimbursed up to 180 EUR per night.",
        "I collected the rules: hotels are reimbursed up to 180 EUR per night.",
        "I visited the policy page, and it says hotels are reimbursed up to 180 EUR per night.",
        "I'm a big fan of good sleep: hotels are reimbursed up to 180 EUR per night.",
        "My favorite part: hotels are reimbursed up to 180 EUR per night.",
    ],
)
def test_a_friendly_word_before_a_rule_takes_nothing_from_the_rule(said: str) -> None:
    rule = (Passage(id="a", text="Hotels are reimbursed up to 180 EUR per night."),)
    assert labelled(said, passages=rule) == "supported"


def labelled(said: str, question: str = "What is reimbursed?", passages: tuple[Passage, ...] = FOREIGN) -> str | None:
    score = Faithfulness().score(Answer(id="a", question=question, answer=said, passages=passages), Env(now=NOW))
    assert isinstance(score, Score)
    return score.label


def test_whom_to_turn_to_is_the_answer_to_who_asks_for_it() -> None:
    said = "Please contact the HR service desk."
    for question, kind in (("Whom do I contact about leave?", "claim"), ("How long is leave?", "referral")):
        (found,) = statements_of(Answer(id="a", question=question, answer=said), Memory())
        assert found.kind == kind


def test_reasons_belong_to_the_refusal_only_where_there_is_one() -> None:
    reason = "It is important to respect the privacy of others."
    kinds = [each.kind for each in statements_of(Answer(id="a", answer=f"I can't share that. {reason}"), Memory())]
    assert kinds == ["refusal", "refusal"]
    assert [each.kind for each in statements_of(Answer(id="a", answer=reason), Memory())] == ["claim"]


def test_people_who_do_not_show_up_are_no_lack_of_an_answer() -> None:
    for said in ("Guests who do not show up pay the full price.", "If you don't turn up, the table is given away."):
        assert [each.kind for each in statements_of(Answer(id="a", answer=said), Memory())] == ["claim"]


def test_what_the_documents_are_about_claims_nothing_beside_what_they_lack() -> None:
    about = "The documents I have are about recycling."
    for said, kinds in (
        (f"{about} They don't mention fees.", ["meta", "abstention"]),
        (f"{about} For fees, please contact the cashier's office.", ["meta", "referral"]),
        (about, ["claim"]),
    ):
        assert [each.kind for each in statements_of(Answer(id="a", answer=said), Memory())] == kinds


def test_a_referral_with_an_order_of_steps_is_a_rule_unless_it_stands_for_an_answer() -> None:
    said = "Please contact the safety desk before you open the drum."
    for before, kind in (("", "claim"), ("I found nothing on that. ", "referral")):
        *_, found = statements_of(Answer(id="a", answer=before + said), Memory())
        assert found.kind == kind


def test_an_abstention_hides_no_claim_behind_it() -> None:
    said = "I couldn't find the page, but refunds take two weeks."
    assert claims_of(Answer(id="a", answer=said), Memory())
