"""What a formed memory carries: its kind, its weight, its feeling, its relations and its rules."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Action, Filter, Lane, Recollect, State
from recollect.testing import FakeClock, HashEmbedder

MEMORIES = Filter(lanes=(Lane.MEMORY,), any_session=True)


@pytest.fixture
def learning(clock):
    with opened(clock) as engine:
        yield engine


def opened(clock, **chosen):
    given_settings = {"formation.enabled": True} | chosen
    return Recollect(
        ":memory:",
        user="ada",
        channel="_global",
        embedder=HashEmbedder(),
        clock=clock,
        settings=given_settings,
    )


def said(text, at="2026-03-02T09:00:00Z", role="user"):
    return {"role": role, "name": "Ada" if role == "user" else None, "content": text, "timestamp": at}


def formed(results):
    return [one for result in results for one in result.formed]


def only(memory):
    [found] = memory.list(MEMORIES)
    return found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I prefer tabs over spaces in Python", "preference"),
        ("We decided to use PostgreSQL for the store", "decision"),
        ("I work at Acme as a pilot", "fact"),
        ("Python'da boşluk yerine sekmeyi tercih ederim", "preference"),
    ],
)
def test_the_kind_follows_from_the_words(learning, text, kind):
    learning.observe(said(text))
    assert only(learning).kind == kind


def test_what_is_named_is_listed_by_its_stable_id(learning):
    learning.observe(said("Our k8s cluster runs on AWS in İstanbul"))
    assert only(learning).metadata["entities"] == [
        "entity://tech/kubernetes",
        "entity://tech/aws",
        "entity://place/istanbul",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I'm absolutely terrified, our house burned down!!!",
        "Dehşet içindeyim, korkunç bir yangın çıktı, çok korkuyorum!!!",
    ],
)
def test_what_is_felt_strongly_is_pinned_and_important(learning, text):
    learning.observe(said(text))
    memory = learning.list(MEMORIES)[0]
    assert memory.pinned
    assert memory.importance >= 0.9
    assert memory.metadata["emotion"]["category"] == "fear"


def test_the_same_words_matter_less_the_second_time_and_more_when_moving(learning):
    learning.observe(said("The server in Porto has a new disk"))
    calm = only(learning)
    assert not calm.pinned
    assert "emotion" not in calm.metadata
    learning.observe(said("I'm really worried, the server in Oslo is broken", "2026-03-03T09:00:00Z"))
    moved = next(m for m in learning.list(MEMORIES) if "Oslo" in m.text)
    assert moved.importance > calm.importance


def test_an_assistants_words_weigh_less_than_the_users(clock):
    weights = []
    for role in ("user", "assistant"):
        with opened(clock) as memory:
            memory.observe(said("The deploy of Atlas runs on AWS", role=role))
            weights.append(only(memory).importance)
    assert weights[0] > weights[1]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Never commit .env files.", "commit .env files"),
        ("Asla main'e force push yapma", "main'e force push yapma"),
    ],
)
def test_what_must_never_be_done_is_a_warning_with_triggers(learning, text, action):
    learning.observe(said(text))
    memory = only(learning)
    assert memory.kind == "warning"
    assert memory.metadata["warning"]["forbids"] == action
    assert memory.metadata["warning"]["triggers"]


def test_a_procedure_is_kept_whole_though_it_is_a_list(learning):
    steps = "\n".join(f"{n}. step number {n}" for n in range(1, 8))
    decided = formed(learning.observe(said(f"To deploy Atlas:\n{steps}")))
    memory = only(learning)
    assert memory.kind == "procedure"
    assert len(memory.metadata["procedure"]["steps"]) == 7
    assert [one.action for one in decided] == [Action.CREATE, Action.SKIP]
    assert decided[1].reason.startswith("markdown")


def test_a_procedure_in_turkish_is_one_too(learning):
    learning.observe(said("Deploy etmek için: önce testleri çalıştır, sonra etiketi gönder."))
    assert only(learning).metadata["procedure"]["steps"] == ["testleri çalıştır", "etiketi gönder"]


def test_the_pieces_of_a_procedure_are_no_memories_of_their_own(learning):
    learning.observe(said("To deploy: 1. run the tests 2. push the tag. Warning: not on Fridays."))
    assert only(learning).kind == "procedure"


def test_an_assistants_advice_is_no_rule(learning):
    learning.observe(said("Never commit .env files.", role="assistant"))
    assert all(m.kind != "warning" for m in learning.list(MEMORIES))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I sleep on the left side of the bed", "I sleep on the right side of the bed now"),
        ("My sister Zeynep lent Tom the old car", "My friend Tom lent Zeynep the old car"),
        ("I take my heart pills in the morning", "I take my heart pills in the evening now"),
        ("I joined the running club in the park", "I left the running club in the park"),
    ],
)
def test_what_sounds_alike_but_has_another_word_is_kept_beside(clock, old, new):
    alike = {"formation.near": 0.3, "formation.update": 0.4, "formation.reinforce": 0.5}
    with opened(clock, **alike) as memory:
        memory.observe(said(old))
        [other] = formed(memory.observe(said(new, "2026-04-01T09:00:00Z")))
        assert other.action is Action.CREATE
        assert len(memory.list(MEMORIES)) == 2


def test_overlapping_statements_become_one_that_says_both(clock):
    with opened(clock, **{"formation.update": 0.6, "formation.near": 0.55}) as memory:
        [old] = formed(memory.observe(said("My sister Zeynep lives in Rome near the old river port")))
        [new] = formed(
            memory.observe(
                said(
                    "My sister Zeynep lives in Rome near the old river port with Tom", "2026-04-01T09:00:00Z"
                )
            )
        )
        assert (new.action, new.id) == (Action.UPDATE, old.id)
        merged = only(memory)
        assert "Tom" in merged.text
        assert len(merged.origin.sources) == 2
        assert {e.target for e in memory.edges(old.id) if e.type == "derived_from"} == set(
            merged.origin.sources
        )
        assert len(memory.history(old.id)) == 2
        assert memory.verify() == []


def test_an_immutable_memory_takes_no_more_in(clock):
    with opened(clock, **{"formation.update": 0.6, "formation.near": 0.55}) as memory:
        kept = memory.remember("Ada's sister Zeynep lives in Rome near the old river port", immutable=True)
        [new] = formed(
            memory.observe(said("My sister Zeynep lives in Rome near the old river port with Tom"))
        )
        assert new.action is Action.CREATE
        assert memory.get(kept.id).version == 1


def test_new_memories_are_related_to_a_few_that_are_close(learning):
    for place in ("Oslo", "Rome", "Porto", "Paris", "Lisbon", "Ankara"):
        learning.observe(said(f"The Atlas tower in {place} has a broken lock"))
    newest = learning.list(MEMORIES, limit=1)[0]
    near = [e for e in learning.edges(newest.id) if e.type != "derived_from"]
    assert [e.type for e in near] == ["same_entity"] * 3
    assert all(0.45 <= e.weight < 1.0 for e in near)


def test_what_adds_a_value_to_a_memory_elaborates_it(clock):
    with opened(clock, **{"formation.update": 0.95, "formation.near": 0.95}) as memory:
        [old] = formed(memory.observe(said("The Atlas tower has a broken lock at the gate")))
        [new] = formed(memory.observe(said("The Atlas tower has a broken lock at the gate in Oslo")))
        assert new.action is Action.CREATE
        assert (new.id, old.id, "elaborates") in {(e.source, e.target, e.type) for e in memory.edges(new.id)}


def test_naming_the_same_thing_relates_and_the_speaker_alone_does_not(learning):
    learning.observe(said("I like the Atlas project at work"))
    learning.observe(said("The Atlas project ships in May", "2026-03-03T09:00:00Z"))
    learning.observe(said("I like the garden project at home", "2026-03-04T09:00:00Z"))
    garden, atlas, _ = learning.list(MEMORIES)
    assert "same_entity" in {e.type for e in learning.edges(atlas.id)}
    assert "same_entity" not in {e.type for e in learning.edges(garden.id)}


def test_a_pronoun_means_who_was_spoken_of_in_the_message_before(learning):
    learning.observe(
        [said("My sister Zeynep moved to Rome."), said("She works at Acme now.", "2026-03-02T09:01:00Z")],
        session="s",
    )
    assert any("Zeynep works at Acme" in m.text for m in learning.list(MEMORIES))


def test_you_is_the_user_when_an_assistant_says_it(learning):
    learning.observe(said("I am a pilot."), session="s")
    learning.observe(said("You fly from Porto on Mondays.", "2026-03-02T09:01:00Z", "assistant"), session="s")
    assert any(m.text.startswith("Ada") and "Porto" in m.text for m in learning.list(MEMORIES))


anything = st.text(alphabet=st.characters(exclude_categories=()), max_size=120)
pieces = st.sampled_from(
    [
        "I live in Porto. ",
        "Never push! ",
        "<b>",
        "```",
        "İı",
        "\u202e",
        "1. a\n2. b\n",
        "Dün ",
        "no, I meant ",
        "😀",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            st.lists(st.one_of(anything, pieces), max_size=6).map("".join),
            st.sampled_from(["user", "assistant", "tool", "system", "Planner"]),
        ),
        max_size=5,
    )
)
def test_whatever_is_said_raises_nothing_and_loses_nothing(talk):
    with opened(FakeClock()) as memory:
        messages = [{"role": role, "content": text} for text, role in talk]
        results = memory.observe(messages, session="s")
        # What reads like an attack is kept asleep: texts of other tests are tried too.
        kept = memory.list(Filter(lanes=(Lane.LOG,), states=(State.ACTIVE, State.DORMANT)), limit=None)
        assert len(kept) == sum(bool(text.strip()) for text, _ in talk) == sum(r.kept for r in results)
        assert memory.verify() == []


def test_claims_about_different_things_stay_apart_however_alike_they_are(clock):
    with opened(clock, **{"formation.update": 0.5, "formation.near": 0.5}) as memory:
        memory.observe(said("The director of Valve Corporation is Gabe Newell."))
        memory.observe(said("The chairperson of Valve Corporation is Gabe Newell.", "2026-03-03T09:00:00Z"))
        memory.observe(said("The director of Valve Corporation is Ada Byron.", "2026-03-04T09:00:00Z"))
        current = [m.text for m in memory.list(MEMORIES, newest_first=False) if m.superseded_by is None]
        assert current == [
            "The chairperson of Valve Corporation is Gabe Newell",
            "The director of Valve Corporation is Ada Byron",
        ]


def test_an_edited_memory_claims_what_it_now_says(learning):
    [old] = formed(learning.observe(said("I live in Porto.")))
    learning.edit(old.id, "Ada lives in Lisbon")
    [new] = formed(learning.observe(said("I live in Lisbon!", "2026-04-01T09:00:00Z")))
    assert (new.action, new.id) == (Action.REINFORCE, old.id)
    [moved] = formed(learning.observe(said("I live in Rome.", "2026-05-01T09:00:00Z")))
    assert moved.supersedes == (old.id,)


STRONG = {
    "en": "I'm absolutely terrified, our house burned down!!!",
    "tr": "Dehşet içindeyim, korkunç bir yangın çıktı, çok korkuyorum!!!",
}
WEAK = {
    "en": ("The lamp in the hall is rather green", "The lamp in the kitchen hangs rather low"),
    "tr": ("Koridordaki lamba oldukça yeşil duruyor", "Mutfaktaki lamba oldukça alçak duruyor"),
}


def after_something_strong(memory, language, session, hours):
    """Every version of what was said first, when something strong was said so many hours later."""
    known, weak = WEAK[language]
    memory.observe(said(known, "2026-03-01T09:00:00Z"), session="before")
    [one] = formed(memory.observe(said(weak, role="assistant"), session="s"))
    memory.observe(said(STRONG[language], f"2026-03-02T{9 + hours:02}:00:00Z"), session=session)
    return memory.history(one.id)


@pytest.mark.parametrize("language", ["en", "tr"])
def test_something_strong_lifts_what_was_told_shortly_before(learning, language):
    before, after = after_something_strong(learning, language, "s", 3)
    assert before.importance < 0.4
    assert after.importance == pytest.approx(before.importance * 1.3, abs=0.001)
    assert "captured" in after.tags
    learning.observe(said(STRONG[language] + "!!", "2026-03-02T12:30:00Z"), session="s")
    assert len(learning.history(after.id)) == 2


def test_something_strong_lifts_nothing_of_long_ago_or_of_elsewhere(learning):
    assert len(after_something_strong(learning, "en", "s", 5)) == 1
    assert len(after_something_strong(learning, "tr", "other", 1)) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "To deploy: 1. run the tests 2. push the tag",
            "To deploy: 1. run the tests 2. push the tag 3. call Tom",
        ),
        (
            "Deploy etmek için: önce testleri çalıştır, sonra etiketi gönder.",
            "Deploy etmek için: önce testleri çalıştır, sonra Tom'u ara.",
        ),
    ],
)
def test_another_way_to_do_the_same_takes_the_place_of_the_first(learning, old, new):
    [first] = formed(learning.observe(said(old)))
    [second] = formed(learning.observe(said(new, "2026-04-01T09:00:00Z")))
    assert (second.action, second.supersedes) == (Action.SUPERSEDE, (first.id,))
    [again] = formed(learning.observe(said(new, "2026-05-01T09:00:00Z")))
    assert (again.action, again.id) == (Action.REINFORCE, second.id)


def test_what_is_told_about_a_procedure_does_not_become_a_part_of_it(clock):
    with opened(clock, **{"formation.update": 0.3, "formation.near": 0.3}) as memory:
        [rule] = formed(memory.observe(said("To deploy the site: 1. run the tests 2. push the tag")))
        told = formed(
            memory.observe(said("We run the tests and push the tag at night", "2026-04-01T09:00:00Z"))
        )
        assert [one.action for one in told] == [Action.CREATE]
        assert memory.get(rule.id).version == 1


def test_a_formed_memory_is_no_turn_of_its_session(learning):
    learning.observe(said("I live in Porto."), session="s")
    origin = only(learning).origin
    assert (origin.session, origin.role, origin.speaker) == ("s", None, None)
    assert origin.data_source == "user_message"
    own = {one.content: one for one in learning.store.documents("ada", 0, 10)}[only(learning).content]
    assert (own.session, own.is_own) == (None, True), "it is no turn, but the user's own"


@pytest.mark.parametrize(
    ("first", "second", "replaced"),
    [
        (("Ann", "We live in Oslo."), ("Bob", "We live in Bergen."), False),
        (("Ann", "We live in Oslo."), ("Ann", "We live in Bergen."), True),
        (("Ann", "Kedimizin adı Rex."), ("Bob", "Kedimizin adı Tom."), False),
        (("Ann", "We don't have a car."), ("Bob", "We have a car."), False),
        ((None, "We live in Oslo."), (None, "We live in Bergen."), True),
        (("Ann", "The deadline is Friday."), ("Bob", "The deadline was moved to Monday."), True),
        (("Ann", "I live in Lisbon."), ("Ann", "I moved to Portland three years ago."), False),
        (("Ann", "I live in Lisbon."), ("Ann", "I moved to Portland last month."), True),
        (("Ann", "I live in Oslo, where I work as a nurse."), ("Ann", "I moved to Bergen."), False),
        (("Ann", "I live in Oslo."), ("Ann", "I moved to Bergen."), True),
        (("Ann", "My brother is a nurse."), ("Ann", "My brother is a pilot."), False),
    ],
)
def test_only_what_no_longer_holds_is_replaced_and_nothing_is_lost(learning, first, second, replaced):
    for (who, text), day in ((first, "05"), (second, "20")):
        learning.observe(said(text, f"2026-03-{day}T09:00:00Z") | {"name": who})
    known = learning.list(MEMORIES)
    assert len(known) == 2
    assert any(one.superseded_by is not None for one in known) is replaced


def test_what_was_said_before_is_not_ended_by_what_contradicts_a_part_of_it(learning):
    learning.observe(said("I moved to Bergen.", "2026-04-01T09:00:00Z"))
    learning.observe(said("I live in Oslo, where I work as a nurse."))
    assert [one.superseded_by for one in learning.list(MEMORIES)] == [None, None]
