"""What is formed, measured on facts and sessions made here."""

import made_sets
import pytest

from recollect.errors import InvalidInput
from recollect.evals.sets.consolidation import read, replaced
from recollect.evals.write import write
from recollect.testing import HashEmbedder

FACTS = [
    "The capital of Peru is Lima.",
    "Ada Byron is married to William King.",
    "The author of Hard Times is Charles Dickens.",
    "The capital of Peru is Cusco.",
]
GOLD = "【Home】 The user lives in Porto near the old river port"


def facts_at(folder, *contexts):
    told = [
        {
            "context": "Here is a list of facts:\n" + "\n".join(f"{n}. {one}" for n, one in enumerate(facts)),
            "metadata": {"source": f"set{place}"},
        }
        for place, facts in enumerate(contexts)
    ]
    made_sets.written(folder / "fact_consolidation.json", told)


def sessions_at(folder, *talks):
    dialogues = [
        {
            "session_uuid": f"s{place}",
            "current_time": "2025-12-19 (Friday)",
            "dialogue_turns": [{"speaker": "User", "content": text} for text in talk],
            "extracted_memory": [{"content": GOLD}] if place == 0 else [],
        }
        for place, talk in enumerate(talks)
    ]
    made_sets.written(folder / "realmem" / "Ada.json", {"dialogues": dialogues})


def test_the_share_of_replaced_facts_that_are_superseded(tmp_path):
    facts_at(tmp_path, FACTS, FACTS)
    found = write(tmp_path, HashEmbedder())
    assert len(read(tmp_path / "fact_consolidation.json")) == 1
    assert found["consolidation_facts"] == 4
    assert found["consolidation_replaced"] == 1
    assert found["consolidation_replaced_superseded"] == 1.0
    assert found["consolidation_kept_superseded"] == 0.0
    assert "realmem_gold" not in found


def test_which_facts_are_replaced_is_told_by_the_words_before_the_value():
    assert replaced(FACTS) == {0}
    assert replaced(FACTS[:3]) == set()


def test_gold_is_covered_by_a_memory_of_its_own_session_only(tmp_path):
    sessions_at(
        tmp_path, ["I live in Porto near the old river port. Thanks!"], ["Hello!", "My dog is called Rex."]
    )
    found = write(tmp_path, HashEmbedder())
    assert (found["realmem_gold"], found["realmem_covered"]) == (1, 1.0)
    assert (found["realmem_messages"], found["realmem_formed"]) == (3, 2)
    sessions_at(tmp_path, ["My dog is called Rex."], ["I live in Porto near the old river port."])
    assert write(tmp_path, HashEmbedder())["realmem_covered"] == 0.0


def test_a_second_pass_changes_nothing_and_repetitions_are_no_duplicates(tmp_path):
    sessions_at(tmp_path, *[["My dog is called Rex.", "I moved to Lisbon."]] * 3)
    found = write(tmp_path, HashEmbedder())
    assert found["realmem_changed_by_second_pass"] == 0
    assert (found["realmem_formed"], found["realmem_duplicates"], found["realmem_junk"]) == (2, 0.0, 0.0)


def test_a_limit_takes_the_first_facts_and_sessions(tmp_path):
    facts_at(tmp_path, FACTS)
    sessions_at(tmp_path, ["My dog is called Rex."], ["I moved to Lisbon."])
    found = write(tmp_path, HashEmbedder(), limit=1)
    assert (found["consolidation_facts"], found["realmem_messages"]) == (1, 1)
    with pytest.raises(InvalidInput, match="above 0"):
        write(tmp_path, HashEmbedder(), limit=0)


def test_a_folder_with_neither_is_told_so(tmp_path):
    with pytest.raises(InvalidInput, match="nothing to measure"):
        write(tmp_path, HashEmbedder())
