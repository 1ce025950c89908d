"""Dialogues that rules make, in English and Turkish: facts of a life, said as people say them."""

from collections.abc import Iterator
from random import Random

Turn = tuple[str, str, list[str]]

_FILL = {
    "city": ["Lisbon", "Oslo", "Denver", "Kyoto", "Ankara", "Leeds", "Porto", "Austin", "Lima", "Bergen", "Izmir", "Toronto", "Quito", "Ghent", "Turin"],
    "month": ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
    "pet": ["a beagle called Rusty", "two cats", "an old parrot", "a rescue dog named Poppy", "three goldfish", "a hamster"],
    "job": ["nurse", "architect", "bus driver", "data analyst", "pastry chef", "carpenter", "translator", "geologist"],
    "hobby": ["pottery", "rock climbing", "birdwatching", "salsa dancing", "woodworking", "chess", "sourdough baking", "kayaking"],
    "food": ["mushroom risotto", "spicy ramen", "lemon cake", "falafel", "grilled sea bass", "pumpkin soup"],
    "relative": ["sister", "brother", "mother", "uncle", "daughter", "cousin", "grandfather", "best friend"],
    "thing": ["a red bicycle", "an electric car", "a secondhand piano", "a film camera", "a sewing machine", "a tiny boat"],
    "illness": ["pollen", "peanuts", "shellfish", "cat hair", "penicillin", "dust"],
    "number": ["two", "three", "four", "five", "seven", "12", "20"],
    "day": ["last weekend", "yesterday", "two weeks ago", "last summer", "on Friday", "in {month}"],
    "goal": ["run a marathon", "open a bakery", "learn Italian", "write a novel", "move abroad", "get a pilot licence"],
    "reason": ["the rent got too high", "I needed a change", "of the weather", "my back hurt", "it made me happy"],
    "tool": ["Postgres", "Redis", "Django", "Kubernetes", "Terraform", "Figma", "Notion", "Airtable"],
}  # fmt: skip
# What is said (other words than the fact's), the fact, and questions only rules for people would not make.
_SAID = (
    ("Honestly I couldn't take it any more, so I packed up and settled in {city} {day}.", "I moved to {city}.", "Which city did {name} move to?"),
    ("We finally signed the papers, {city} is home now!", "I live in {city}.", "Where is {names} home?"),
    ("Long shifts again at the clinic, but that's the life of a {job}.", "I am a {job}.", "What is {names} occupation?"),
    ("Guess who got promoted? They made me lead {job} {day}.", "I am a lead {job}.", "When did {name} get promoted?"),
    ("Nothing clears my head like {hobby} on a Sunday morning.", "I enjoy {hobby}.", "How does {name} relax?"),
    ("I signed up for {hobby} lessons {day}, my first try ever.", "I started {hobby}.", "What new hobby did {name} take up?"),
    ("You should see our place, {pet} runs the whole house.", "I have {pet}.", "What animals live with {name}?"),
    ("If there is {food} on the menu I don't even look further.", "My favorite food is {food}.", "What dish does {name} always order?"),
    ("Keep me away from {illness}, I end up in the emergency room.", "I am allergic to {illness}.", "What allergy does {name} have?"),
    ("My {relative} just had a baby, I'm over the moon!", "My {relative} had a baby.", "Who had a baby?"),
    ("Drove all night to see my {relative} in {city} {day}.", "I visited my {relative} in {city}.", "When did {name} visit family?"),
    ("I treated myself to {thing} {day}, no regrets.", "I bought {thing}.", "What did {name} buy recently?"),
    ("One of these years I'm going to {goal}, mark my words.", "I want to {goal}.", "What is on {names} bucket list?"),
    ("We were {number} at the table for my birthday {day}.", "I had a birthday dinner.", "How many people came to {names} birthday?"),
    ("I gave it up because {reason}.", "I gave it up.", "Why did {name} stop?"),
    ("It used to be coffee, these days I only drink green tea.", "I drink green tea.", "What did {name} drink before?"),
    ("We dropped {tool} for {tool} because the bill exploded.", "I switched tools.", "Why did {name} switch tools?"),
    ("Between a beach and a mountain I'd take the mountain any day.", "I prefer mountains.", "What kind of holiday does {name} prefer?"),
    ("The deadline slipped to the end of {month}, the client agreed.", "The deadline is the end of {month}.", "When is the deadline?"),
    ("I've been at this company for {number} years now.", "I worked here for {number} years.", "How long has {name} worked there?"),
    ("Took {number} exams, passed all of them, I still can't believe it.", "I passed {number} exams.", "How did {names} exams go?"),
    ("Mornings are for running, I never skip my five kilometres.", "I run every morning.", "What is {names} morning routine?"),
)  # fmt: skip
_SMALL_TALK = (
    "That sounds great, tell me more!", "Oh really? How did that go?", "I can imagine.", "Good for you!",
    "Haha, same here.", "What happened then?", "I had no idea!", "Nice, I'm happy for you.", "Hmm, I see.",
)  # fmt: skip
_TURKISH = (
    ("Sonunda taşındık, artık {city} bizim evimiz.", "{name} nerede yaşıyor?"),
    ("Gece vardiyası yine uzundu, {job} olmak kolay değil.", "{name} ne iş yapıyor?"),
    ("Pazar sabahları kafamı en çok {hobby} dağıtıyor.", "{name} boş zamanında ne yapar?"),
    ("Evde {pet} var, bütün gün peşimden geliyor.", "{name} evcil hayvan besliyor mu?"),
    ("Bana {illness} yasak, hemen alerjim tutuyor.", "{name} neye alerjisi var?"),
    ("Geçen hafta ablamla {city} şehrine gittik.", "{name} geçen hafta nereye gitti?"),
    ("Teslim tarihi {month} sonuna kaldı.", "Teslim tarihi ne zaman?"),
    ("Bir gün mutlaka maraton koşacağım.", "{name} gelecekte ne yapmak istiyor?"),
    ("Kahveyi bıraktım, artık sadece yeşil çay içiyorum.", "{name} kahve içiyor mu?"),
)  # fmt: skip


def made_dialogues(rng: Random, count: int = 400) -> Iterator[list[Turn]]:
    """Dialogues of two: each says some facts, and the other one answers with next to nothing."""
    for _ in range(count):
        turns: list[Turn] = []
        for said, fact, _ in rng.sample(_SAID, 6):
            filled = {kind: rng.choice(words) for kind, words in _FILL.items()}
            filled["day"] = filled["day"].format(**filled)
            who = rng.choice(("one", "other"))
            turns.append((who, said.format(**filled), [fact.format(**filled)]))
            turns.append(("other" if who == "one" else "one", rng.choice(_SMALL_TALK), []))
        yield turns


def made_pairs(rng: Random, names: list[str], count: int = 1500) -> Iterator[tuple[str, str, str]]:
    """A question, the turn that answers it, and one that is like it and does not; English and Turkish."""
    for _ in range(count):
        filled = {kind: rng.choice(words) for kind, words in _FILL.items()}
        filled["day"] = filled["day"].format(**filled)
        name, other = rng.sample(names, 2)
        if rng.random() < 0.25:
            (said, question), (wrong, _) = rng.sample(_TURKISH, 2)
        else:
            (said, _, question), (wrong, _, _) = rng.sample(_SAID, 2)
        asked = question.format(name=name, names=f"{name}'s", **filled)
        yield (
            asked,
            f"{name}: {said.format(**filled)}",
            f"{rng.choice((name, other))}: {wrong.format(**filled)}",
        )
