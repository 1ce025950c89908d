"""What may be written, and in which form, through every verb and on both stores."""

import pytest

from recollect import Action, Filter, Origin
from recollect.errors import InvalidInput, Refused

EVERY = Filter(any_session=True)
MAIL = "Write to ada@example.org about the boat"


def stored(memory):
    return [(m.text, dict(m.metadata)) for m in memory.list(EVERY, newest_first=False, limit=None)]


def written(memory):
    """The same text through every verb that writes one."""
    return [
        memory.remember(MAIL, metadata={"contact": "bob@example.org"}),
        *memory.remember_many([{"text": MAIL + " again"}]),
        *memory.observe({"role": "user", "content": MAIL, "metadata": {"contact": "bob@example.org"}}),
        *memory.event({"type": "worker.report", "text": MAIL, "contact": "bob@example.org"}),
    ]


def test_personal_data_is_stored_with_a_label(memory):
    assert [one.action for one in written(memory)] == [Action.CREATE] * 4
    assert all(
        "ada@example.org" in text and data["personal_data"] == ["email"] for text, data in stored(memory)
    )
    plain = memory.remember("The boat leaves at nine")
    assert "personal_data" not in memory.get(plain.id).metadata


TOKEN = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6"
RANDOM = "chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ12"


def test_what_stands_beside_a_text_is_kept_without_secrets(memory):
    known = memory.remember("The boat leaves", tags=[TOKEN], kind=TOKEN, metadata={TOKEN: {TOKEN: 1}}).id
    memory.tag(known, f"{TOKEN}x", "harbour")
    memory.observe({"role": "user", "name": TOKEN, "content": "I sail", "metadata": {TOKEN: 1}}, run=TOKEN)
    memory.event({"type": TOKEN, "run": TOKEN, "actor": TOKEN, "text": "It sailed"})
    everything = "".join(
        map(str, [*memory.history(known), *memory.list(EVERY, limit=None), *memory.export()])
    )
    assert TOKEN not in everything
    assert "[redacted:github-token]" in memory.get(known).tags
    assert memory.verify() == []


@pytest.mark.parametrize("where", ["session", "channel"])
def test_a_place_whose_name_is_a_secret_is_refused(memory, where):
    for write in (memory.remember, memory.observe):
        with pytest.raises(InvalidInput, match=f"the {where}'s name holds a secret") as refused:
            write("The boat leaves at nine", **{where: TOKEN})
        assert TOKEN not in str(refused.value)
    assert stored(memory) == []


def test_an_id_that_only_looks_random_stays(memory):
    memory.observe({"role": "user", "name": RANDOM, "content": "I sail"}, session=RANDOM, run=RANDOM)
    [turn] = memory.list(Filter(session=RANDOM, any_session=True))
    assert (turn.origin.session, turn.origin.run, turn.origin.speaker) == (RANDOM, RANDOM, RANDOM)


def test_the_label_goes_when_an_edit_takes_the_personal_data_out(memory):
    known = memory.remember(MAIL, metadata={"room": "kitchen"}).id
    memory.edit(known, "Write to Ada about the boat")
    assert memory.get(known).metadata == {"room": "kitchen"}
    memory.edit(known, MAIL, metadata={})
    assert memory.get(known).metadata == {"personal_data": ["email"]}
    memory.edit(known, "Write to Ada about the boat", metadata={})
    assert memory.get(known).metadata == {}


def test_personal_data_is_masked_in_texts_and_what_is_beside_them(memory):
    memory.configure({"privacy.personal_data": "mask"})
    written(memory)
    edited = memory.remember("The boat leaves at nine").id
    memory.edit(edited, MAIL, metadata={"contact": "bob@example.org"})
    assert len(stored(memory)) == 5
    for text, data in stored(memory):
        assert text.startswith("Write to [email] about the boat")
        assert data["personal_data"] == ["email"]
        assert "example.org" not in str(data)
    assert all("example.org" not in one.text for one in memory.history(edited))


def test_goals_and_intentions_are_masked_too(memory):
    memory.configure({"privacy.personal_data": "mask"})
    memory.intend(MAIL, when="the boat")
    memory.add_goal(MAIL)
    assert all("example.org" not in f"{text} {data}" for text, data in stored(memory))
    assert len(stored(memory)) == 2
    memory.configure({"privacy.personal_data": "refuse"})
    with pytest.raises(Refused, match="no goal is kept: it has personal data"):
        memory.add_goal(MAIL + " again")
    assert len(stored(memory)) == 2


def test_personal_data_is_refused_as_a_memory_and_masked_in_the_log(memory):
    memory.configure({"privacy.personal_data": "refuse"})
    remembered, many, observed, event = written(memory)
    for one in (remembered, many):
        assert (one.action, one.reason) == (
            Action.SKIP,
            "it has personal data: email (privacy.personal_data)",
        )
    assert [one.action for one in (observed, event)] == [Action.CREATE] * 2
    assert [text for text, _ in stored(memory)] == ["Write to [email] about the boat"] * 2
    known = memory.remember("The boat leaves at nine").id
    assert memory.edit(known, MAIL).action is Action.SKIP
    assert memory.get(known).text == "The boat leaves at nine"


def test_a_rule_keeps_a_source_from_a_kind_in_a_channel(memory):
    memory.configure({"privacy.rules": "deny scout project preference; deny observer locked *"})
    scout = Origin(actor="scout")
    refused = memory.remember("Ada likes tea", kind="preference", channel="project", origin=scout)
    assert (refused.action, refused.id) == (Action.SKIP, None)
    assert refused.reason.startswith("scout may not write a preference into project")
    assert memory.remember("Ada likes tea", kind="fact", channel="project", origin=scout).kept
    assert memory.remember("Ada likes milk", kind="preference", origin=scout).kept
    assert memory.remember("Ada likes water", kind="preference", channel="project").kept
    assert not memory.observe("I live in Porto.", channel="locked")[0].kept
    assert len(stored(memory)) == 3


def test_one_that_is_refused_among_many_leaves_the_others(memory):
    memory.configure({"privacy.rules": "deny * * preference"})
    kept = memory.remember_many(["One fact", {"text": "Ada likes tea", "kind": "preference"}, "Another fact"])
    assert [one.action for one in kept] == [Action.CREATE, Action.SKIP, Action.CREATE]


def test_a_rule_also_holds_for_what_is_formed(forming):
    memory = forming
    memory.configure({"privacy.rules": "deny assistant * fact"})
    talk = [{"role": role, "content": "Clara lives in Porto."} for role in ("assistant", "user")]
    assistant, user = memory.observe(talk, session="s")
    assert [one.stage for one in assistant.formed] == ["authorise"]
    assert "assistant may not write a fact" in assistant.formed[0].reason
    assert [one.action for one in user.formed] == [Action.CREATE]


def test_a_rule_that_cannot_be_read_is_refused_when_it_is_set(memory):
    with pytest.raises(InvalidInput, match=r"privacy\.rules: a rule is"):
        memory.configure({"privacy.rules": "forbid everything"})


def test_nothing_is_kept_of_a_file_that_its_project_ignores(memory, tmp_path):
    (tmp_path / ".gitignore").write_text("notes/\n")
    path = str(tmp_path / "notes" / "plan.md")
    for result in (
        memory.remember("The plan is secret", metadata={"path": path}),
        *memory.remember_many([{"text": "The plan is secret", "metadata": {"file": path}}]),
        *memory.observe({"role": "tool", "content": "The plan is secret", "metadata": {"path": path}}),
        *memory.event(
            {"type": "tool.result", "tool": "read", "output": "The plan is secret", "file_path": path}
        ),
    ):
        assert (result.action, result.id) == (Action.SKIP, None)
        assert f"ignored by {tmp_path / '.gitignore'}" in result.reason
    assert stored(memory) == []
    memory.configure({"privacy.ignore_files": False})
    assert memory.remember("The plan is secret", metadata={"path": path}).kept


def test_files_that_hold_secrets_are_left_out_whatever_is_set(memory):
    memory.configure({"privacy.ignore_files": False})
    [event] = memory.event(
        {"type": "tool.result", "tool": "read", "output": "COLOR=blue", "path": "app/.env"}
    )
    assert "hold environment variables" in event.reason
    assert stored(memory) == []
