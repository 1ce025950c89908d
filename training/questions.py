"""Questions made by rules: from what a speaker states, and from what the other one asks.

A question is about a speaker, named or "I"; the turn that answers it is the one it was made from.
"""

import re
from collections.abc import Iterator
from random import Random
from typing import Final

NAMED, FIRST = "named", "first"

_IRREGULAR: Final = {
    "went": "go", "got": "get", "had": "have", "did": "do", "was": "be", "were": "be", "made": "make",
    "bought": "buy", "saw": "see", "took": "take", "came": "come", "found": "find", "met": "meet",
    "ate": "eat", "ran": "run", "won": "win", "lost": "lose", "left": "leave", "told": "tell",
    "taught": "teach", "grew": "grow", "built": "build", "began": "begin", "wrote": "write",
    "read": "read", "drove": "drive", "spent": "spend", "became": "become", "broke": "break",
    "gave": "give", "heard": "hear", "kept": "keep", "knew": "know", "felt": "feel", "flew": "fly",
    "sold": "sell", "sent": "send", "sang": "sing", "swam": "swim", "thought": "think", "wore": "wear",
}  # fmt: skip
_AUXILIARY: Final = {
    "do you": ("does {name}", "do I"),
    "don't you": ("doesn't {name}", "don't I"),
    "are you": ("is {name}", "am I"),
    "have you": ("has {name}", "have I"),
    "did you": ("did {name}", "did I"),
    "were you": ("was {name}", "was I"),
    "would you": ("would {name}", "would I"),
    "will you": ("will {name}", "will I"),
    "can you": ("can {name}", "can I"),
    "could you": ("could {name}", "could I"),
    "should you": ("should {name}", "should I"),
    "you're": ("{name} is", "I am"),
    "you've": ("{name} has", "I have"),
    "you are": ("{name} is", "I am"),
    "you have": ("{name} has", "I have"),
    "yourself": ("themselves", "myself"),
    "yours": ("{name}'s", "mine"),
    "your": ("{name}'s", "my"),
    "you": ("{name}", "I"),
}
_ASKS: Final = re.compile(r"[^.!?\n]*\?")
_OPENS: Final = re.compile(
    r"^(what|where|when|who|whose|why|how|which|do|does|did|are|is|were|have|has|can|could|would|will|any)\b",
    re.IGNORECASE,
)
_USELESS: Final = re.compile(
    r"^\W*(how are you|what about you|how about you|and you|you\?|really|right|is it)", re.IGNORECASE
)
_OPENED: Final = re.compile(
    r"^(?:(?:so|and|but|well|oh|wow|ok|okay|cool|nice|hey|hi|yeah|yes|no|also|actually|honestly|haha|lol)\b\W*)+",
    re.IGNORECASE,
)
_OF_ONESELF: Final = re.compile(r"(?:I|We|My|I'm|I've|I'd|I'll|We're|We've)\b", re.IGNORECASE)
_TO_THE_OTHER: Final = re.compile(r"\byou\b|\?$", re.IGNORECASE)
_WE: Final = re.compile(r"^We\b", re.IGNORECASE)
_STATEMENTS: Final = re.compile(r"(?<=[.!?])\s+")
_PETS: Final = re.compile(
    r"\b(dogs?|cats?|puppy|kitten|pets?|horses?|birds?|fish|rabbits?|hamsters?)\b", re.IGNORECASE
)
_FAMILY: Final = r"mom|mother|dad|father|parents|wife|husband|son|daughter|brother|sister|kids|children|boyfriend|girlfriend|friend|family|grandma|grandmother|grandfather|uncle|aunt|cousin|boss|roommate"
_COUNTED: Final = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+) (\w+(?: \w+)?)", re.IGNORECASE
)

# A pattern over a statement in the first person, and what may be asked. {name} is the speaker as a subject,
# {names} the speaker's possessive, {does} the auxiliary, {is} and {has} the verbs; {0}, {1} are the groups.
_RULES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), questions)
    for pattern, questions in (
        (r"^i(?:'m| am) an? (\w[\w -]{2,40}?)[.!]?$", (
            "What does {name} do for a living?", "What is {names} job?", "What is {names} profession?",
            "What kind of work does {name} do?")),
        (r"^i work (?:as|in|at|for|with) (.+?)[.!]?$", (
            "Where {does} {name} work?", "What {does} {name} do for work?", "What is {names} job?",
            "What kind of job {does} {name} have?", "What does {name} do for a living?")),
        (r"^i (?:live|lived|reside) (?:in|on|at|near|with) (.+?)[.!]?$", (
            "Where {does} {name} live?", "Who {does} {name} live with?", "What is {names} home like?",
            "Which place {does} {name} live in?")),
        (r"^i (?:am|'m) (?:from|originally from) (.+?)[.!]?$", (
            "Where {is} {name} from?", "Where did {name} grow up?", "What is {names} home country?")),
        (r"^i grew up (.+?)[.!]?$", ("Where did {name} grow up?", "What was {names} childhood like?")),
        (r"^i moved (.+?)[.!]?$", ("Where did {name} move?", "When did {name} move?", "Why did {name} move?")),
        (r"^i (?:like|love|enjoy|really like|really enjoy) (\w+ing)\b(.*?)[.!]?$", (
            "What {does} {name} like to do?", "What are {names} hobbies?", "What {does} {name} do for fun?",
            "What activities {does} {name} enjoy?", "How {does} {name} spend free time?",
            "What {does} {name} do to relax?", "{Does} {name} like {0}?")),
        (r"^i (?:like|love|enjoy|really like|adore) (.+?)[.!]?$", (
            "What {does} {name} like?", "What {does} {name} enjoy?", "What are {names} interests?",
            "What is {name} a fan of?", "{Does} {name} like {0}?", "How {does} {name} feel about {0}?")),
        (r"^i (?:don't|do not|dislike|hate|can't stand) ?(?:like|enjoy)? (.+?)[.!]?$", (
            "What {does} {name} dislike?", "What doesn't {name} like?", "How {does} {name} feel about {0}?",
            "What does {name} not do?")),
        (r"^my favou?rite (\w[\w ]{2,30}?) (?:is|are|was) (.+?)[.!]?$", (
            "What is {names} favorite {0}?", "Which {0} {does} {name} like best?", "What {0} {does} {name} prefer?")),
        (r"^i prefer (.+?)[.!]?$", ("What {does} {name} prefer?", "What is {names} preference?")),
        (r"^i have (?:an? )?(.*?(?:dog|cat|pet|puppy|kitten|horse|bird|fish|rabbit).*?)[.!]?$", (
            "What pets {does} {name} have?", "{Does} {name} have any pets?", "What kind of animals {does} {name} own?",
            "What is the name of {names} pet?", "How many pets {does} {name} have?")),
        (r"^i have (\w+) (kids?|children|sons?|daughters?|brothers?|sisters?|siblings?)\b.*$", (
            "How many {1} {does} {name} have?", "{Does} {name} have any {1}?", "What is {names} family like?")),
        (r"^i have (?:an? )?(.+?)[.!]?$", (
            "What {does} {name} have?", "{Does} {name} have {0}?", "What {has} {name} got?")),
        (r"^i (?:own|drive|bought|got|purchased) (?:an? )?(.+?)[.!]?$", (
            "What {does} {name} own?", "What did {name} buy?", "What kind of {0} {does} {name} have?",
            "When did {name} buy {0}?")),
        (r"^i (?:want|would like|'d like|hope|plan|am planning|'m planning|need|am going|'m going) to (.+?)[.!]?$", (
            "What {does} {name} want to do?", "What are {names} plans?", "What {is} {name} planning to do?",
            "What are {names} goals?", "What is {names} dream?", "Why {does} {name} want to {0}?",
            "What {does} {name} hope to do in the future?")),
        (r"^i (?:am|'m) (?:studying|learning|taking|getting) (.+?)[.!]?$", (
            "What {is} {name} studying?", "What {is} {name} learning?", "What did {name} study?",
            "What is {names} education?")),
        (r"^i (?:play|practice|do|paint|write|read|cook|bake|collect|watch|listen to|teach) (.+?)[.!]?$", (
            "What are {names} hobbies?", "What {does} {name} do in free time?", "What {does} {name} do?",
            "What kind of {0} {does} {name} like?")),
        (r"^i used to (.+?)[.!]?$", (
            "What did {name} use to do?", "What did {name} do in the past?", "What was {names} life like before?")),
        (r"^i(?:'ve| have) been (.+?)[.!]?$", (
            "What {has} {name} been doing?", "How long {has} {name} been {0}?", "Where {has} {name} been?")),
        (r"^i(?:'ve| have) never (.+?)[.!]?$", ("What {has} {name} never done?", "{Has} {name} ever {0}?")),
        (r"^i(?:'ve| have) (?:just |recently |already |finally )?(\w+(?:ed|en|one|ade|ught|ten|wn)) (.+?)[.!]?$", (
            "What {has} {name} {0}?", "{Has} {name} {0} {1}?", "When {has} {name} {0} {1}?")),
        (r"^i (?:can|can't|cannot) (.+?)[.!]?$", ("What can {name} do?", "Can {name} {0}?", "What is {name} able to do?")),
        (r"^i (?:think|believe|feel|find) (?:that )?(.+?)[.!]?$", (
            "What {does} {name} think?", "What is {names} opinion about {0}?", "What {does} {name} believe?")),
        (rf"^my ({_FAMILY}) (?:is|are|was|works as) (.+?)[.!]?$", (
            "What {does} {names} {0} do?", "Who is {names} {0}?", "What is {names} {0} like?",
            "What did {name} say about {names} {0}?")),
        (rf"^my ({_FAMILY}) (.+?)[.!]?$", (
            "What did {names} {0} do?", "What happened with {names} {0}?", "What about {names} {0}?",
            "What did {name} say about {names} {0}?")),
        (r"^my (\w[\w ]{2,25}?) (?:is|are|was) (.+?)[.!]?$", (
            "What is {names} {0}?", "Tell me about {names} {0}.", "What did {name} say about {names} {0}?")),
        (r"^i(?:'m| am) (?:allergic|afraid|scared) (?:to|of) (.+?)[.!]?$", (
            "What {is} {name} afraid of?", "{Is} {name} allergic to anything?", "What should {name} avoid?")),
        (r"^i(?:'m| am) (?:married|single|divorced|engaged|dating|a vegan|vegetarian|retired)\b.*$", (
            "{Is} {name} married?", "What is {names} relationship status?", "What is {names} diet?",
            "{Is} {name} retired?")),
        (r"^i(?:'m| am) (.+?)[.!]?$", ("{Is} {name} {0}?", "When {is} {name} {0}?", "Why {is} {name} {0}?")),
    )
)  # fmt: skip
_ABOUT: Final = (
    "What did {name} say about {topic}?", "What did {name} tell about {topic}?",
    "When did {name} mention {topic}?", "What is the story with {names} {topic}?",
    "What happened with the {topic}?", "Why did {name} talk about {topic}?",
    "What is {names} experience with {topic}?", "Who talked about {topic}?",
    "How does {name} feel about {topic}?", "How does {name} describe {topic}?",
    "Would {name} be interested in {topic}?", "How has {names} {topic} changed over time?",
    "What kind of {topic} does {name} have?", "Which {topic} has {name} mentioned?",
    "Did {name} have anything to do with {topic} recently?", "How often does {topic} come up with {name}?",
)  # fmt: skip
_MINE: Final = (
    "What did I say about {topic}?", "What did I tell you about {topic}?", "When did I mention {topic}?",
    "What have I told you about my {topic}?", "Can you remind me what I said about {topic}?",
    "How did I describe {topic}?", "What was my plan for {topic}?", "What did we decide about {topic}?",
    "What advice did you give me about {topic}?", "How has my {topic} changed?",
    "What is the latest about my {topic}?", "Which {topic} did I mention first?",
    "Can you summarize what we discussed about {topic} and how it developed?",
    "In what order did I bring up {topic} and the things around it?",
    "How long did I spend on {topic}?", "How many times did {topic} come up in our conversations?",
    "How much time is there between {topic} and what came after it?",
    "What is my current {topic}?", "Have I ever worked with {topic}?", "What should I do about {topic}?",
    "Can you help me with {topic}, keeping in mind what I told you before?",
)  # fmt: skip


def from_fact(fact: str, who: str, rng: Random, most: int = 3) -> list[str]:
    """Questions that a statement in the first person answers, about somebody by name or, for `FIRST`, about "me"."""
    found: list[str] = []
    for pattern, questions in _RULES:
        match = pattern.match(fact.strip())
        if match:
            groups = [_second(group) for group in match.groups() if group is not None]
            found = [_filled(question, who, groups) for question in questions]
            break
    else:
        found = list(_of_the_past(fact, who))
    counted = _COUNTED.search(fact)
    if counted:
        found.append(_filled("How many {0} {does} {name} have?", who, [counted[2]]))
    found = [question for question in found if 3 <= len(question.split()) <= 16]
    rng.shuffle(found)
    return found[:most]


def from_turn(text: str, who: str, rng: Random, most: int = 2) -> list[str]:
    """Questions that a turn answers in its own words: what the speaker says of themselves in it."""
    found: list[str] = []
    for sentence in statements(text):
        said = _OPENED.sub("", sentence)
        if _OF_ONESELF.match(said) and 4 <= len(said.split()) <= 25 and not _TO_THE_OTHER.search(said):
            found += from_fact(_WE.sub("I", said), who, rng, most=1)
    rng.shuffle(found)
    return found[:most]


def from_partner(said: str, who: str) -> str | None:
    """What the other speaker asked, as a question about the one who answers."""
    asked = [question.strip() for question in _ASKS.findall(said)]
    asked = [
        q
        for q in asked
        if 4 <= len(q.split()) <= 16 and not _USELESS.match(q) and re.search(r"\byou", q, re.IGNORECASE)
    ]
    if not asked:
        return None
    question = re.sub(
        r"^(so|and|but|well|oh|wow|ok|okay|cool|nice|hey|hi|yeah|yes|no)\W+",
        "",
        asked[-1],
        flags=re.IGNORECASE,
    )
    if not _OPENS.match(question):
        return None
    first = who == FIRST
    for phrase, (named, mine) in _AUXILIARY.items():
        told = mine if first else named.format(name=who)
        question = re.sub(rf"\b{phrase}\b", told, question, flags=re.IGNORECASE)
    return question[:1].upper() + question[1:]


def about(topic: str, who: str, rng: Random) -> str:
    """A question about something that a turn speaks of."""
    if who == FIRST:
        return rng.choice(_MINE).format(topic=topic)
    return rng.choice(_ABOUT).format(topic=topic, name=who, names=f"{who}'s")


def statements(text: str) -> list[str]:
    """The statements of a text, one by one."""
    return [one for one in _STATEMENTS.split(text.strip()) if one]


def _of_the_past(fact: str, who: str) -> Iterator[str]:
    match = re.match(
        r"^i (?:just |recently |finally |also )?(\w+)\b ?(.*?)[.!]?$", fact.strip(), re.IGNORECASE
    )
    if not match:
        return
    verb, rest = match[1].lower(), _second(match[2])
    base = _IRREGULAR.get(verb) or (re.sub(r"(?<=\w)ed$", "", verb) if verb.endswith("ed") else None)
    if base:
        yield _filled(f"When did {{name}} {base} {rest}?", who, [])
        yield _filled(f"What did {{name}} {base}?", who, [])
        yield _filled(f"Where did {{name}} {base} {rest}?", who, [])
        yield _filled(f"Why did {{name}} {base} {rest}?", who, [])
    elif verb not in {"will", "might", "could", "should", "would", "may", "also", "only"}:
        yield _filled(f"What {{does}} {{name}} {verb}?", who, [])
        yield _filled(f"{{Does}} {{name}} {verb} {rest}?", who, [])
        yield _filled(f"When {{does}} {{name}} {verb} {rest}?", who, [])


def _filled(question: str, who: str, groups: list[str]) -> str:
    first = who == FIRST
    words = {
        "name": "I" if first else who, "names": "my" if first else f"{who}'s",
        "does": "do" if first else "does", "Does": "Do" if first else "Does",
        "is": "am" if first else "is", "Is": "Am" if first else "Is",
        "has": "have" if first else "has", "Has": "Have" if first else "Has",
    }  # fmt: skip
    filled = re.sub(r"\{(\d)\}", lambda m: groups[int(m[1])] if int(m[1]) < len(groups) else "it", question)
    filled = filled.format(**words)
    if first:
        filled = re.sub(r"\bdoes I\b", "do I", filled).replace("is I ", "am I ")
    return re.sub(r"\s+", " ", filled)


def _second(text: str) -> str:
    """The speaker's own words as somebody else would say them."""
    text = re.sub(r"\b(my|our)\b", "their", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(i|me|we|us)\b", "they", text, flags=re.IGNORECASE)
    return " ".join(text.split()[:8])
