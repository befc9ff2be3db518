"""Words that conflict knows: synonyms of questions and texts, and vocabularies of closed kinds of answers."""

from __future__ import annotations

from scorers.text.normalize import word_set
from scorers.text.stemming import stem

_GROUPS = (
    "born birth birthday birthdate birthplace",
    "died death die dead dies deceased",
    "located location situated based lies headquartered headquarters",
    "wrote author written writer writes penned",
    "directed director directors",
    "founded established founder establishment formed created creator formation foundation inception",
    "released release published publication",
    "population people inhabitants residents persons",
    "profession occupation career job work worked professional",
    "married husband wife spouse",
    "father son daughter mother",
    "sang singer artist performed performer band sung",
    "composed composer music",
    "produced producer",
    "won winner win champion defeated",
    "length long",
    "height tall high",
    "played play plays player",
    "maximum max limit up cap",
    "minimum least",
    "cost price fee charge",
)
_SYNONYMS = {word: stem(group.split()[0]) for group in _GROUPS for word in group.split()}


def canonical(word: str) -> str:
    """Return the stem of a lower-case word, the same for words that a question and its answer exchange.

    >>> canonical("birthplace") == canonical("born"), canonical("policies")
    (True, 'policy')
    """
    return _SYNONYMS.get(word) or stem(word)


BORN, DIED, LOCATED, POPULATION = (canonical(word) for word in ("born", "died", "located", "population"))

_SPORTS = word_set(
    "football soccer basketball baseball hockey cricket rugby tennis golf boxing cycling chess swimming athletics"
    " wrestling volleyball handball rowing sailing skiing skating gymnastics polo lacrosse softball archery fencing"
    " badminton squash judo karate snooker darts racing motorsport speedway bowling curling biathlon triathlon surfing"
    " weightlifting shooting equestrian netball hurling camogie snowboarding running marathon gambling esports poker"
    " canoeing kayaking diving luge bobsleigh skeleton linebacker quarterback pitcher goaltender goalkeeper afl nfl nba"
    " nhl mlb footballer cricketer boxer swimmer golfer cyclist skier wrestler rower sprinter"
)
_MEDIA = word_set(
    "film movie novel book album song single play musical opera series show sitcom drama telenovela game magazine"
    " newspaper comic comics manga anime radio television documentary poem painting sculpture podcast journal story"
    " ballet soundtrack miniseries episode band website miniature serial memoir cartoon photograph"
)
_WORK = word_set(
    "actor actress politician footballer cricketer lawyer judge writer author novelist poet singer musician composer"
    " painter artist sculptor architect engineer scientist physicist chemist biologist mathematician historian"
    " philosopher professor teacher doctor physician surgeon nurse officer soldier general admiral colonel captain"
    " bishop priest minister journalist broadcaster presenter comedian director producer screenwriter photographer"
    " chef businessman entrepreneur economist banker diplomat ambassador athlete boxer wrestler swimmer golfer cyclist"
    " rower coach manager player driver pilot astronaut designer dancer choreographer guitarist drummer pianist"
    " trombonist bassist rapper dj model activist trade clergyman theologian missionary explorer farmer merchant"
    " linguist psychologist sociologist anthropologist archaeologist geologist botanist zoologist astronomer"
    " programmer developer inventor editor publisher critic cartoonist illustrator puppeteer magician jockey umpire"
    " referee sailor skier skater gymnast runner sprinter swimmer biathlete snowboarder pornographic librarian"
)
_VOCABULARIES = {
    "sport": _SPORTS,
    "game": _SPORTS,
    "medium": _MEDIA,
    "media": _MEDIA,
    "format": _MEDIA,
    "genre": _MEDIA,
    "kind": _MEDIA,
    "profession": _WORK | _SPORTS,
    "occupation": _WORK | _SPORTS,
    "career": _WORK | _SPORTS,
    "job": _WORK,
}
VOCABULARIES = {asked: frozenset(map(canonical, words)) for asked, words in _VOCABULARIES.items()}
"""For a word of a question the stems of the words that can answer it."""
