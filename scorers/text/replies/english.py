"""What makes an English clause say that there is no answer: who it is about, and what that lacks.

The subject is the assistant ("I", "my"), what it was given to read ("the documents", "none of this") or the question
itself ("whether dogs may come along"); the predicate says that it does not know, find, tell, hold or do something.
Either alone claims something: "the policy does not cover skiing", "refunds are not paid in cash". What a rule would
never say of its subject, that it is not mentioned, needs no particular subject.
"""

from __future__ import annotations

from scorers.text.normalize import word_set
from scorers.text.phrases import Phrases

_READ = (
    "pdf|upload|uploaded|attachment|context|passage|passages|source|sources|excerpt|excerpts|extract|extracts"
    "|snippet|snippets|material|materials"
    "|documents|document|documentation|texts|text|base|results|search|index|database|pages|collection|uploads"
)
"""What an assistant was given to read."""
_HELD = f"{_READ}|information|knowledge|training|files|content|contents|data"
_WRITTEN = (
    f"{_HELD}|policy|policies|handbook|guide|manual|page|article|articles|faq|leaflet|brochure|section|rules|terms"
    "|conditions|regulations|guidelines"
)
"""That, and what else is written."""
_TELL = (
    "mention|mentions|say|says|state|states|specify|specifies|address|addresses|discuss|discusses|indicate|indicates"
    "|explain|explains|describe|describes|clarify|clarifies|answer|answers|reveal|reveals|touch|touches|talk|talks"
    "|deal|deals|refer|refers|speak|speaks|tell|tells|elaborate|go|goes|concern|concerns|relate|relates|comment"
)
_HOLD = (
    "contain|include|cover|provide|give|offer|list|show|hold|return|yield|feature|appear|seem|help|allow|let|make"
    "|extend|reach"
)
_HOLDS = (
    "contain|contains|offer|offers|give|gives|provide|provides|hold|holds|include|includes|have|has|had|make|makes"
    "|returned|yielded|return|yield|show|shows|list|lists|produced|found|gave|contained|turned|bring|brought"
)
_TOLD = (
    "mentioned|stated|specified|addressed|discussed|indicated|explained|described|clarified|spelled|spelt|touched"
    "|dealt|referred|elaborated|detailed"
)
_KEPT = (
    "covered|included|listed|given|available|provided|found|contained|present|shown|answered|settled|determined"
    "|answerable|part|recorded|set|named|accessible|in|among|within|there|evident|apparent|clear|visible"
)
_FOUND = "determined|inferred|deduced|ascertained|derived|gleaned|gathered"
_KNOWN = "answered|settled|established|verified|confirmed|found|said|told|clarified|resolved|decided|judged|assessed"
_FACT = (
    "information|info|detail|details|guidance|answer|answers|specifics|mention|reference|references|indication"
    "|instruction|instructions|entry|entries|passage|passages|section|sections|rule|rules|figure|figures|clue|clues"
    "|hint|word|words|trace|sign|result|results|match|matches|hit|hits|date|explanation|description|comparison"
    "|statement|list"
    "|relevant|matching|record|records|fact|facts|documents|document|sources|source|clear"
)
_ABOUT = "about|on|of|regarding|concerning|as|that|to|in|for"
_ASKS = "whether|what|who|whom|how|when|where|why|which|if"
_SELF = "i|me|my|we|our"
_BE = "is|are|was|were|been|be"

NO_ANSWER = Phrases(
    {
        "abstention": (
            # What was read does not tell or hold it.
            f"{_HELD} ~8 do|does|did not|never ~2 {_TELL}",
            f"{_READ} ~8 do|does|did not ~2 {_HOLD}",
            f"{_WRITTEN} ~3 do|does|did not ~2 {_TELL}",
            (
                "^ they|it|these|those|both do|does|did not ~2 mention|say|state|specify|address|discuss|touch"
                "|explain|refer"
            ),
            (
                f"{_WRITTEN}|they|it|this|that|these|those ~3 say|says|said|state|states|mention|mentions|tell"
                f"|tells nothing"
                f" ~1 about|on|of|regarding|concerning"
            ),
            f"{_WRITTEN}|they|it|this|that|these|those ~1 have|has nothing|little ~3 {_ABOUT}",
            f"{_READ} ~4 {_HOLDS} ~2 no|nothing|neither|little ~3 {_FACT}|{_ABOUT}",
            f"^ and ~1 {_HOLDS} no|nothing ~3 {_FACT}",
            f"{_READ} ~5 do|does|did not have ~1 any|enough|information|details|the|much|a|anything",
            f"{_READ} ~1 skip*|omit*|ignor*|lack*|stop*|end|ends",
            f"{_READ} ~1 leave|leaves|left|pass|passes ~3 out|open|over|aside",
            "assistant|bot|chatbot|system|tool|chat has|have|had|can|could|does|is ~1 no|not|nothing",
            (
                "search|query|lookup|sources|documents ~2 came|come|returned|turned|brought ~3 nothing|no|empty"
                "|blank|little"
            ),
            "something|thing only ~4 know|knows|can",
            "^ nothing that|which|to ~3 answer|answers|help|helps|say|tell|tells|cover*",
            "^ no can do",
            "not in here|there $",
            f"^ {_ASKS} ~8 not|nowhere ~1 in here|there",
            "^ can|could not ~1 find|say|tell|see|help|do|answer|locate|confirm|know|get",
            "^ guessing|speculating|speculation would|will|is|does ~1 not",
            (
                f"{_HELD} ~6 {_BE} ~1 silent|unclear|insufficient|incomplete|mute|inconclusive|ambiguous|unrelated"
                f"|irrelevant"
            ),
            (
                f"{_HELD} ~6 {_BE} not ~2 clear|enough|sufficient|helpful|specific|detailed|conclusive|explicit|related"
                "|relevant"
            ),
            "silent ~1 on|about|regarding|as",
            f"{_WRITTEN} i|you|we ~4 say|says|tell|tells|mention|mentions|state|states nothing|no|little",
            "^ there is|was|are ~1 nothing|no|not ~6 i ~1 was|have|am|can",
            f"^ {_ASKS} ~10 {_BE} not ~1 covered|listed|included|settled|governed|regulated|part ~1 by|in|of",
            "^ there is|are no way ~2 i|me ~2 know|tell|see|check|say",
            (
                f"{_WRITTEN} i|you|we ~2 have|had|see|got|given|access|read|received|know ~4 not|nothing"
                f"|no ~3 {_TELL}|{_HOLD}"
                f"|{_TOLD}"
            ),
            "i have|had|see|know do|does not ~1 include|cover|mention|say|show|go|list|contain|extend|reach",
            f"^ nothing ~6 {_HELD}|i|here",
            f"^ nothing ~4 {_TELL}",
            "^ nothing|none about|regarding|concerning ~6 $",
            "^ not a|one|single ~1 word|line|mention ~1 about|on|of|regarding ~6 $",
            (
                f"^ none|neither of ~1 this|these|those|them|it|which ~3 {_TELL}|{_HOLDS}|do|does|helps|has"
                f"|about|related"
                "|relevant"
            ),
            f"^ none|neither|nothing|not ~2 of|one ~5 {_READ} ~6 {_TELL}|{_HOLDS}|{_TOLD}|has|relevant|about|helps",
            f"^ neither|none|no ~2 {_READ} ~5 {_TELL}|{_HOLDS}|found|matched|matches|available|retrieved|returned",
            # It is not told: no rule says that of what it rules.
            f"{_BE} ~1 not|never|nowhere ~3 {_TOLD}",
            f"^ no ~8 {_BE} ~1 {_TOLD}",
            f"^ no ~8 {_BE} ~1 given|listed|found|shown ~1 here|anywhere",
            f"^ no ~8 {_BE} ~1 given|listed|provided|found|included|shown in|by|within|among ~3 {_HELD}",
            f"{_BE}|not ~1 unspecified|unstated|unmentioned|unanswered|undisclosed",
            "is|are|was|were left open|unanswered|unclear|unsaid",
            "remain|remains|stay|stays ~1 unclear|unanswered|unspecified",
            f"^ {_ASKS} ~10 remain|remains|stay|stays ~1 open|unknown|uncertain",
            "^ that|this|it|question remain|remains|stay|stays ~1 open|unknown|uncertain",
            f"not|nowhere ~2 {_KEPT} ~5 {_HELD}|me|here|anywhere",
            (
                f"not|never|nowhere ~2 appear|appears|occur|occurs|come|figure|feature|exist|show|turn ~3 {_HELD}|here"
                "|anywhere"
            ),
            f"not ~2 come|crop|show|turn up ~3 {_HELD}|here|anywhere",
            "not ~2 part|among|in|on|within ~6 i ~1 was|have|can|am|see|got|found|pulled",
            f"missing|absent|gone|lacking from|in ~4 {_HELD}",
            f"not something|anything|topic|subject ~3 {_HELD}",
            f"there is|are|was|were|seems|appears ~2 no|nothing|not ~6 here|anywhere|{_HELD}",
            f"there is|are|was|were no ~2 {_FACT} ~1 {_ABOUT}",
            f"there no|nothing ~4 here|anywhere|{_HELD}",
            "there nothing here|there",
            # The question has no answer here.
            f"^ {_ASKS} ~10 not ~2 {_TOLD}|known|certain|clear|answered|settled|something|evident",
            f"^ {_ASKS} ~10 can|could not ~1 be ~1 {_FOUND}|{_KNOWN}",
            f"^ {_ASKS} ~10 i ~2 not",
            f"^ {_ASKS} ~10 is|are ~1 unclear|unknown|unanswered|uncertain|unspecified",
            f"question|questions ~10 not|never ~2 be ?fully {_KNOWN}|{_FOUND}",
            f"question|questions ~10 {_BE} not ~2 {_KNOWN}|{_TOLD} ~1 by|in|from|here|with ~2 {_READ}|here",
            f"^ {_ABOUT}|your|the|this|that ~8 can|could|may not ~1 be ~1 {_KNOWN} ~2 from|with|by|using|based|on|here",
            f"can|could not ~1 be ~1 {_FOUND}",
            "not ~1 possible|easy to ~2 say|tell|determine|answer|know|judge|conclude",
            "impossible|hard|difficult ~3 to ~1 say|tell|determine|answer|know|judge",
            "^ insufficient|missing|lacking|inadequate|limited ~2 information|context|evidence|details|data",
            "^ not|no ~1 enough|sufficient|adequate ~2 detail|data|evidence|go|say|tell|here",
            (
                "^ answer|result|results|information|match|entry|data ~2 not ~1 found|available|provided|given"
                "|known|present"
            ),
            f"^ no ~3 {_FACT} on|about|regarding|concerning|for|of|as|here",
            f"^ no ~2 {_FACT} ~3 found|retrieved|returned|matched",
            "^ found|got|get|see|find|have|saw no|nothing|none|neither|little",
            "^ and found|got|get|see|find|have|saw no|nothing|none|neither|little",
            "^ came|come|coming|drew|draw up|a|back|away ~1 empty|blank|short|nothing|handed",
            "^ not|nothing ~2 that|which i ~2 know|see|tell|find",
            "^ to no avail|without success|result|luck",
            "^ nobody|noone|no ~1 told me",
            "^ no ~1 idea|clue",
            "^ not|never ~2 in|among|part|within ~3 my ~2",
        ),
        "refusal": (
            f"{_BE}|goes|go|fall|falls|lie|lies|reaches|extends ~2 outside|beyond ~5 {_SELF}|them|{_READ}",
            f"{_BE}|goes|go|fall|falls|lie|lies ~2 outside|beyond ~2 scope|remit|expertise $",
            f"^ outside|beyond ~2 {_SELF}|what|scope",
            f"{_BE} not ~1 something|anything|among|part|one|within|what|for|a ~6 i|me|my|our",
            (
                f"{_BE} not ~1 my|our job|role|task|place|area|field|department|remit|business|strength|thing"
                f"|speciality"
                "|specialty|expertise|call|domain|purpose|function"
            ),
            f"{_BE} off ~1 table|limits ~1 for|with me",
            (
                f"{_BE} not|never ~2 shared|disclosed|discussed|given|released|handled|revealed|provided ~3 here|this"
                " ~1 chat|channel|line|assistant|bot|conversation"
            ),
            f"{_BE} ~3 irresponsible|wrong|unwise|misleading|inappropriate|improper of me",
            f"^ {_ASKS}|that|this|it ~8 i|we must|can|could|should|may|am|will not",
            "^ not ~1 my|our job|role|task|place|area|field|department|call|business",
            "^ not ~2 something ~2 i|we",
            "^ not in ~2 position",
            "^ in no position",
            (
                "^ can not ~1 make|give|judge|advise|provide|recommend|speak|comment|offer|predict|look|access|assess"
                "|diagnose|decide|share|disclose"
            ),
        ),
    }
)
"""A clause that says there is no answer, wherever it says so."""

CUES = word_set(
    "not no nothing none neither nowhere never nobody without outside beyond off missing absent silent open unclear "
    "unknown unanswered unspecified unstated unmentioned uncertain impossible hard difficult insufficient inadequate "
    "skip skips skipped omit omits ignore ignores lack lacks lacking stop stops end ends irresponsible wrong unwise "
    "misleading inappropriate improper unsaid came coming drew remain remains incomplete mute inconclusive ambiguous "
    "unrelated irrelevant little empty limited left out pass passes blank guessing speculating speculation only"
)
"""Words without one of which no clause says so."""
