"""What assistants say that claims nothing, as phrases: each is tied to the beginning of a clause."""

from __future__ import annotations

from collections.abc import Iterable

from scorers.text.phrases import Phrases
from scorers.text.replies.courtesies import CHATS
from scorers.text.replies.referrals import DESK as _DESK
from scorers.text.replies.referrals import MORE as _MORE
from scorers.text.replies.referrals import POINTS, REFERS


class Openings:
    """Phrases that a clause begins with, and the words that any of them begins with.

    >>> from scorers.text.phrases import words
    >>> known = Openings({"thanks": ("^ thank|thanks",)})
    >>> known.find(words("Thanks a lot")), known.begins("thank"), known.begins("leave")
    ({'thanks'}, True, False)
    """

    def __init__(self, families: dict[str, Iterable[str]]) -> None:
        """Compile ``families``, every pattern of which is tied to the start."""
        listed = {name: tuple(patterns) for name, patterns in families.items()}
        firsts = [pattern.split()[1] for patterns in listed.values() for pattern in patterns]
        every = {word for first in firsts for word in first.split("|")}
        self._prefixes = tuple(word[:-1] for word in every if word.endswith("*"))
        self._words = frozenset(word for word in every if not word.endswith("*"))
        self._phrases = Phrases(listed)
        # "can't" and "cannot" begin with "can not", "it's" with "it is": the first word is there all the same.
        self._words |= {"cannot"} if "can" in self._words else set()

    def find(self, tokens: list[str]) -> set[str]:
        """Return the families of phrases that ``tokens`` begin with."""
        return self._phrases.find(tokens)

    def begins(self, word: str) -> bool:
        """Return whether any phrase begins with ``word``."""
        return word in self._words or (bool(self._prefixes) and word.startswith(self._prefixes))


_INFO = (
    "information|info|detail*|guidance|advice|opinion*|response|answer*|specifics|mention|indication"
    "|reference*|evidence"
)
_GIVEN = (
    "context|information|passage|passages|source|sources|excerpt|excerpts|content|material|materials|results|knowledge"
    "|base|snippets|search|documents|texts|documentation|index|database"
)
_WRITINGS = f"{_GIVEN}|document|text|policy|policies|records|articles|article|data|files|file|handbook|pages|page|guide"
_THAT = "this|that|it|those|these|such|which"
_FINDS = "answer|find|locate|determine|tell|say|confirm|verify|identify|establish"
_INFORMS = f"{_FINDS}|help|assist|comment|discuss|advise|respond|know|see|comply|fulfil*|process|access"
_TELLS = "mention|say|state|specify|address|tell|answer|indicate|discuss|reveal|explain|describe|clarify"
_ABSTAINS = (
    "^ i ~2 have|hold|had|got|see|find|found|know|possess|saw no|nothing|none|neither|little|zero",
    "^ i ~2 have|having|had ~1 trouble|difficulty|difficulties|problems",
    "^ i ~2 can|could only guess|speculate|assume",
    "^ i ~2 came|come|coming|drew|drawing ~1 up|a|away|back ~1 empty|blank|short|nothing|handed",
    "^ i ~1 have|had|did|might ~2 not",
    "^ i ~2 guess|guessing|speculate|speculating",
    "^ beats me",
    "^ i never",
    "^ i ~1 only guess",
    "^ not ~1 equipped|able|allowed|in",
    "^ no ~1 can do",
    f"^ only ~4 {_DESK} can|could|may|will ~2 see|tell|say|answer|know|check|clarify|explain|confirm|access|look",
    "^ i ~2 do|did not ~2 know|see|find|recall|understand|have|recogni*|possess",
    "^ we ~1 do|did not ~1 know|find|see|understand",
    f"^ we ~1 do|did not ~1 have ~3 {_INFO}|access",
    "^ i ~1 have|find|found|see ~1 no|nothing|none",
    f"^ we ~1 have|find|found ~1 no|nothing ~3 {_INFO}|{_WRITINGS}|relevant|matching",
    f"^ i ~2 can|could|was|am not ~3 {_FINDS}|access|see|know|be ~1 sure",
    f"^ i ~2 am|was unable to ~2 {_FINDS}|access|see",
    f"^ we ~1 can|could|were|are not ~1 ?able ?to {_FINDS}",
    f"^ we were|are unable to {_FINDS}",
    "^ i|we ~2 am|are ~1 not ~2 sure|certain|familiar|aware|clear|convinced",
    "^ i|we ~2 am|are ~1 unsure|uncertain|unaware|unfamiliar",
    "^ i lack",
    "^ i ~2 have ~1 not ~2 been|seen|found|read",
    f"^ there no ~3 {_INFO}|match|record",
    "^ that|it not ~2 mentioned|specified|stated|clear|something",
    f"^ no ~4 {_INFO}|{_WRITINGS}|match|matches|entry|entries|result ~6 found|retrieved|returned|match*|turned|came",
    f"^ no ~3 {_INFO} ~4 available|exist*",
    f"^ no ~3 {_INFO} ~1 provided|about|on|regarding|in|for",
    f"^ nothing ~5 {_GIVEN}|found|search",
    f"^ none ~3 {_WRITINGS}",
    f"^ there is|are|was|were ~1 no|not|nothing ~4 {_INFO}|mention|match|relevant|way",
    f"^ there is|are|was|were ~1 no|not|nothing ~3 {_GIVEN} ~6 about|on|regarding|mention*|cover*|relat*|available",
    f"^ there is|are|was|were ~1 nothing ~2 in ~3 {_WRITINGS}",
    f"^ not ~1 enough|sufficient ~2 {_INFO}|{_GIVEN}",
    f"^ insufficient ~2 {_INFO}|{_GIVEN}",
    f"^ {_THAT}|the|my|our|any ~4 {_WRITINGS} ~6 do|does|did not ~2 {_TELLS}",
    (
        f"^ {_THAT}|the|my|our|any ~4 {_GIVEN} ~6 do|does|did not ~2 provide|contain|include|give|return|turn"
        "|cover|appear|seem"
    ),
    (
        f"^ {_THAT}|the|my|our ~4 {_GIVEN} ~2 returned|contains|contain|gives|give|provides|yielded|say|says|have"
        "|has|had"
        " ~1 no|nothing"
    ),
    f"^ {_THAT}|the|my|our ~3 {_WRITINGS} ~4 is|are ~1 silent|insufficient|incomplete|unrelated|irrelevant",
    f"^ {_THAT} ~3 is|are|was|were not ~2 mentioned|specified|stated|addressed|answered|clear|known|answerable",
    (
        f"^ {_THAT} ~3 is|are|was|were not ~2 available|provided|found|included|covered ~1 in|by|within"
        f"|to ~4 {_WRITINGS}|me|here"
    ),
    f"^ {_THAT} ~1 {_INFO} ~2 is|are|was not ~1 available|provided|known|given|included|there|found|present",
    "^ it|this|that is ~1 unclear|unknown|uncertain|impossible",
    f"^ it|this|that is not ~1 possible ~3 to ~1 say|know|share|provide|{_FINDS}",
    "^ n a $",
    "^ not applicable $",
    "^ unknown|unclear $",
    "^ not ~1 specified|stated|mentioned|found|available|sure|answerable $",
    f"^ {_THAT}|your|the ~3 can|could not ~1 be ~1 answered|determined|established|verified|confirmed|found|inferred",
    "^ without ~2 more|further|additional|that|knowing|seeing|access",
    "^ my knowledge|information|data|access|answers|sources|training ~4 limited|restricted|cover*|ends|does|only",
)
_REFUSES = (
    "^ i ~2 will|would|must|should|shall|have ~2 leave|pass|skip|stick|refrain|abstain|steer|decline|refuse",
    "^ i ~1 leave|pass|skip|stick|refrain|abstain|steer|decline|refuse",
    "^ i ~2 can|could|will|would|am|was|may|must|should|shall not",
    "^ i ~2 do not ~1 feel|think|believe|want|share|give|provide|offer|discuss|handle|comment|engage|support",
    "^ i ~1 must|have|need|am ~4 decline|refuse|pass|declining",
    "^ i ~2 decline|refuse",
    "^ i would rather|prefer not",
    "^ i ~2 avoid",
    "^ i ~2 keep ~4 myself|secret|private|confidential $",
    "^ i|we ~1 am|are ~1 in no position",
    f"^ {_THAT} ~1 is ~4 i|we can|could|may|am|are|will not",
    "^ i ~2 am ~2 unable|prohibited|forbidden|prevented|restricted|limited|bound",
    f"^ we ~2 can|could|are|will not ~2 answer|comment|discuss|help|assist|advise ~3 {_THAT}|with|on|you|your",
    f"^ we ~2 can|could|are|will not ~3 provide|give|share|offer|disclose ~2 {_INFO}|{_THAT}",
    f"^ we are unable to ~1 answer|comment|discuss|help|assist|advise ~3 {_THAT}|with|on|you|your|any|individual|cases",
    "^ that|it|this ~1 outside|beyond ~2 my|our|what|scope",
    f"^ we are unable to ~1 provide|give|share|disclose ~2 {_INFO}|{_THAT}",
    (
        f"^ {_THAT}|any|your|questions|requests ~6 is|are|was|falls|fall|lies|goes ~3 outside|beyond"
        "|within ~2 my|our"
        "|what|scope|the ~2 scope|i|we|capabilit*|remit|expertise|area|limits|role|knowledge|bounds|purview|domain"
    ),
    (
        "^ the ~1 question|request|topic|matter|query|subject|issue|answer ~4 is|are|was|falls|lies|goes ~3 outside"
        "|beyond ~2 my|our|what|scope|the|i|we"
    ),
    f"^ {_THAT} ~3 is|are not ~3 something|anything ~4 i|me|my|our",
    f"^ {_THAT} ~3 is|are not ~3 something|anything we ~3 help|discuss|answer|comment|assist|share|advise|talk|offer",
    f"^ {_THAT} ~3 is|are not ~3 topic|subject|question|questions",
    "^ that not something|anything ~4 i|me|my|our",
    "^ that not something|anything $",
    "^ that not something|anything we ~3 help|discuss|answer|comment|assist|share|advise|talk|offer|cover",
    f"^ {_THAT}|your|the ~1 request|question|query|inquiry ~3 can|could not",
    f"^ {_THAT}|your|the ~1 request|question|query|inquiry ~3 is|was|has ?been not|denied|declined|rejected|against",
    f"^ {_THAT} ~2 is|are ~2 confidential|private|sensitive|personal|inappropriate|unethical|illegal",
    f"^ {_THAT} ~3 can|could|may not ~1 be ~1 shared|disclosed|discussed|provided|released|given",
    (
        f"^ {_THAT}|sharing|disclosing|providing|discussing|doing|answering|responding|revealing|fulfilling ~6"
        " would|is|could|may ~3 violat*|breach*"
        "|inappropriate|unethical|illegal|compromise|invade"
    ),
    f"^ {_THAT} ~2 is|are ~2 restricted $",
    "^ no comment",
    "^ outside|beyond ~2 my|our|what|scope",
    "^ not authorized|authorised|allowed|permitted|able|comfortable to|with|sharing",
    f"^ unable to ~2 {_INFORMS}|share|provide",
    "^ can not ~1 answer|find|locate|determine|tell|confirm|help|assist|comply|share|provide|disclose|process|do",
    "^ my guidelines|programming|instructions|settings|safety",
    "^ request|access denied|declined|refused $",
)
_ASKS = (
    "^ please ~1 provide|share|give|tell ~2 me|us|more|further|additional",
    (
        "^ please ~1 specify|clarify|rephrase|restate|elaborate|reformulate|confirm|indicate|describe ~2 which"
        "|what|whether"
        "|where|when|who|how|your|the"
    ),
    "^ please ~1 rephrase|clarify|elaborate|restate|reformulate",
    "^ please ~1 try|ask ~5 again|different*|another|rephras*|other",
    "^ try ~3 rephras*|again|reword*|different",
    "^ could|can|would|will|may you|i",
    "^ do|did|are|have you",
    "^ is this|it|that|there",
    "^ which|what|whom|when|where|how|who ~8 you|your|referring",
    "^ i|we ~2 need|require|want ~3 more|additional|further|know|understand|bit|clarification|context|see",
    f"^ more|additional|further ~1 {_INFO}|context|clarification ~2 needed|required|would|is|are",
    "^ once i|we|you ~1 know|have|tell|share|provide",
    "^ tell me ~6 more|which|what|whether|where|how|about",
    "^ give me ~3 more|moment|second|details|few",
    "^ it|that|this ~1 would|will help ~2 if|me",
)
_TELLS_OF_ITSELF = (
    "^ i ~2 only|just|exclusively|solely ~3 answer|help|assist|know|cover|support|deal|work|handle|speak|see|have|use",
    "^ i ~1 answer|help|assist|support|summari*|explain|look|search|deal|work|specialize|specialise|focus|rely|use",
    "^ i ~1 looked|searched|checked|reviewed|scanned|tried|combed|examined|consulted|double",
    "^ i ~1 went|gone|read|asked ~1 through|over|everything|all|around|both|each|every|them",
    "^ i have ~2 looked|searched|checked|gone|read|reviewed|scanned|tried|combed|examined|consulted|only|just",
    "^ i have ~3 been ~1 given|told|asked|trained|provided|looking|searching|able|shown|designed|instructed",
    "^ i was|am|were only|just|merely ~2 given|provided|able|allowed|told|shown|trained|an|a",
    "^ i have only|just|merely ~2",
    "^ all|everything i ~1 have|know|see|found|can|was",
    "^ what i ~1 have|know|see|found|can|was ~3 is|are|covers|concerns|relates",
    "^ you ~1 are|were asking|asked|inquiring|enquiring|looking|referring ~1 about|for|to|whether|how|if|me|who|when",
    "^ you asked|ask|want|wanted|mention|mentioned ~1 about|for|to|whether|how|if|me|who|when|know",
    "^ your|the question|query|inquiry ~1 is|was|concerns|relates|touches|asks|refers",
    "^ your|the request|message ~1 concerns|relates|touches|asks|refers",
    "^ your|the request|message ~1 is|was ~2 about|outside|beyond|unclear|vague|ambiguous|inappropriate|harmful|too",
    "^ had i|if i ~1 had|knew|could|were",
    "^ i would ~1 tell|say|share|love|need|be",
    "^ in|with|from|by ~1 the|my|these|this|all ~3 "
    + _GIVEN
    + " ~1 i|in ~3 have|see|given|access|front|provided|hand|available $",
    (
        "^ i am ~6 assistant|ai|bot|model|chatbot|agent|program|machine|lawyer|doctor|physician|pharmacist|adviser"
        "|advisor"
        "|attorney|human|accountant|helper|person|professional"
    ),
    "^ i am|was ~2 designed|trained|programmed|built|made|created|intended|configured|limited|set|meant",
    "^ my name is",
    "^ my ~2 role|purpose|task|goal|function|training",
    "^ my ~2 job ~2 help|assist|answer|provide|support|give|guide|explain|point|share",
    "^ i ~1 have|only ~3 access|searched|looked|checked|reviewed|given",
    f"^ i ~1 have|only ~3 read ~4 {_WRITINGS}|everything|all|it|them|this|that|through",
    "^ i ~2 only ~3 answer|help|assist|know|cover|support|handle|discuss|speak|see|have",
    "^ i|we ~2 searched|looked|checked|reviewed|went|consulted|scanned|read ~6 " + _WRITINGS,
    f"^ based|relying ~1 on|upon ~7 {_WRITINGS} ~4 $",
    f"^ according|as|per ~1 to|per ~6 {_WRITINGS} ~3 $",
    f"^ from|in ~4 {_GIVEN} ~2 provided|available|given|above|retrieved|i|we ~3 $",
    "^ here is|are ~4 what|summary|overview|answer|information|results|details|breakdown ~7 $",
    "^ this|my|the ~1 answer|response|summary|reply|message ~2 is|was|comes|relies|rests|draws ~8 "
    + _WRITINGS
    + "|ai|automated|automatically|generated|general",
    "^ this is ~2 automated|ai|automatic",
    "^ please ~1 note that i",
    "^ note|remember that i",
    "^ keep in mind that i",
    "^ as of my",
    "^ in short|summary|conclusion|brief $",
    "^ to summarize|summarise|conclude|recap $",
    "^ this assistant|bot|chat|chatbot ~3 can|only|is|was|does|will",
    "^ i ~1 can ~1 only",
    "^ i ~2 do not",
)
_ASIDE = (
    "^ whatever|whichever|wherever",
    "^ not ~1 a|an|me|my|your|us|some|the ~4 $",
    "^ rather ~1 than",
    "^ instead of",
    "^ without ~1 knowing|seeing|having|more|further|access|that",
    "^ which|who|whom|that i|you|we ~1 do|did|have|can|could|am|was|would|will",
    "^ to be ~2 honest|sure|safe|frank|certain|fair|clear|precise|exact|on",
    "^ as ~1 far|much|best ~4 i|we ~3",
    "^ based|going|judging|relying ~1 on|by|from|upon",
    "^ from what|where i",
    "^ while|although|though|much i|as",
    "^ sorry|sad ~1 to say|tell|admit",
    "^ at the|this|my ~1 moment|present|time|end|disposal",
    "^ even though|if|after",
    "^ after ~1 checking|searching|looking|reading|reviewing|going",
    "^ having ~1 checked|searched|looked|read|reviewed|gone",
    "^ that|it|this being said",
    "^ given that|what|the",
    "^ if ~1 you|this|that|it|none|there|i",
    "^ for ~2 privacy|security|legal|compliance|confidentiality|safety|data",
    "^ due|owing ~1 to ~3 privacy|security|legal|compliance|confidentiality|policy|safety",
    "^ as ~8 assistant|ai|model|bot|chatbot|program",
    f"^ for ~2 {_MORE}",
    "^ for ~2 latest|rest|exact",
    (
        "^ to ~2 help|assist|answer|give|point|find|direct|make|be|protect|get ~6 you|question|this|that|better|precise"
        "|sure|right"
        "|accurate*|privacy|answer|correct"
    ),
    "^ at ~1 this|the ~1 time|moment|point|present $",
    "^ in ~1 this|that|your case $",
    "^ that|this said $",
    "^ whenever you",
    "^ when you are",
    "^ with|regarding|about|on ~1 that|this|your",
    "^ given ~2 sensitiv*|nature|privacy",
    "^ in the meantime $",
    "^ in that case $",
    "^ out of ~2 respect|caution",
    "^ in order to ~2 help|assist|answer|protect",
    "^ under ~2 circumstances $",
    "^ at all $",
)
_REASONS = (
    "it is ~2 important|essential|crucial|vital|necessary ~1 to",
    "unethical|immoral|harmful|derogatory|violen*",
    "illegal ~3 unethical|harmful|dangerous|immoral",
    "respect* ~4 privacy|dignity|others|rights|people|boundaries",
    "protect*|safeguard* ~4 privacy|confidential*|personal|data|colleague*",
    "dignity|hateful|discriminat*",
    (
        f"{_THAT} ~1 request|question|information|data ~2 is|are|would|could|may ~3 confidential|private|sensitive"
        "|personal|against"
        "|violat*|not|harm*"
    ),
    "not ~2 appropriate|ethical|acceptable|okay ~1 to",
    "seek* ~4 help|support|professional*",
    "i|we ~2 recommend|encourage|suggest|urge",
    "you are not alone",
    "would|could|can|may ~2 violat*|breach*|harm|invade",
)

_ITS_READING = (
    "documents|document|passages|passage|excerpts|excerpt|sources|source|extracts|extract|texts|text|material|materials"
    "|context|documentation|snippets|files|content|search|results|information|pages"
)
_DETERMINED = "the|my|these|this|all|both|available|provided|given|retrieved|your|our|only|what|each|those|uploaded|two"
_ABOUTS = (
    f"^ {_DETERMINED} ~3 {_ITS_READING} ~6 is|are|was|were ~2 about|on|limited|restricted|confined|unrelated|devoted",
    (
        f"^ {_DETERMINED} ~3 {_ITS_READING} ~6 concern*|relate|relates|deal|deals|cover|covers|describe|describes"
        "|discuss|discusses|focus|focuses|touch|touches|talk|talks|treat|treats|mention|mentions|refer|refers|speak|speaks"
    ),
    "^ they|it|both|these|this|one|all|each ~2 is|are ~2 about|on|limited|restricted|devoted",
    (
        "^ they|it|both|these|one|each ~2 concern*|relate|relates|deal|deals|cover|covers|describe|describes"
        "|discuss|discusses|focus|focuses|touch|touches|talk|talks|treat|treats"
    ),
    "^ the only ~2 thing|things|information|document|page|text|policy|material ~5 is|are ~2 about|on|information|from",
    "^ that|this|it ~2 depends ~1 on",
    "^ i ~2 see|found|find|have|got ~2 information|something|material|documents|passages|articles|text|notes|a|an|some",
    "^ that|this|it is|sounds ~2 a|an|more|your ~3 question|matter|decision|issue|topic|one|request",
)

ACTS = Openings(
    {
        "abstention": _ABSTAINS,
        "refusal": _REFUSES,
        "referral": REFERS,
        "rule": POINTS,
        "request": _ASKS,
        "meta": _TELLS_OF_ITSELF,
        "courtesy": CHATS,
    }
)
"""By what a clause does."""
ASIDES = Openings({"aside": _ASIDE})
"""What claims nothing beside a clause that does not either: on its own it would lead to something."""
ABOUT = Openings({"about": _ABOUTS})
"""What tells what was read: it goes with an answer that says it lacks something."""
SECRETS = Phrases({"secret": ("is|are ~2 confidential|private|secret|sensitive ~2 $",)})
"""What is given as a reason right behind a refusal."""
REASONS = Phrases({"reason": _REASONS})
"""What a refusal is justified with, anywhere in a sentence."""
