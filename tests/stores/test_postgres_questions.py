"""How often a server is asked: each question is a round trip, and costs both sides."""

from collections import Counter

import psycopg
import pytest
from store_values import AT, keep, memory

from recollect import Recollect
from recollect.dream.strengthening import Use, strengthen
from recollect.stores.postgres import PostgresStore
from recollect.testing import FakeClock, HashEmbedder

pytestmark = pytest.mark.server


@pytest.fixture
def asked(monkeypatch):
    """Every statement that is sent, and how often."""
    sent: Counter[str] = Counter()
    execute = psycopg.Connection.execute

    def counted(connection, query, *given, **options):
        sent[query.decode() if isinstance(query, bytes) else str(query)] += 1
        return execute(connection, query, *given, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", counted)
    return sent


def test_a_recall_asks_five_times_at_most_and_nothing_twice(postgres_address, asked):
    with Recollect(postgres_address, user="ada", embedder=HashEmbedder(), clock=FakeClock()) as engine:
        for day in range(1, 31):
            engine.remember(f"Now my rent is {day} coins and I pay it on time.")
        question = "How much is my rent now?"
        assert engine.recall(question).trace.steps
        engine._refreshed_at -= 60  # as if nobody had asked for a minute
        asked.clear()
        found = engine.recall(question)
        sent = Counter(asked)
    told = {step.stage: step.detail for step in found.trace.steps}
    assert "renewed" in told["newest"], "the stage that looks at texts and vectors took part"
    assert sum(sent.values()) <= 5, sent
    again = [
        query for query, times in sent.items() if times > 1 and not query.startswith(("BEGIN", "ROLLBACK"))
    ]
    assert not again


def test_what_turns_state_is_asked_in_one_question_more(postgres_address, asked):
    with Recollect(postgres_address, user="ada", embedder=HashEmbedder(), clock=FakeClock()) as engine:
        for day in range(1, 31):
            engine.observe(f"On day {day} I paid the rent.", session="s")
        engine.recall(question := "When did I pay the rent?")
        engine._refreshed_at -= 60
        asked.clear()
        found = engine.recall(question)
        sent = sum(asked.values())
    told = {step.stage: step.detail for step in found.trace.steps}
    assert told["outdated"]["turns"] > 0
    assert sent <= 6, asked


def test_what_use_teaches_is_written_in_as_many_statements_however_many_were_used(postgres_address, asked):
    store = PostgresStore(postgres_address)
    names = [f"{number:02}" for number in range(60)]
    keep(store, *(memory(name, text=f"text {name}") for name in names))
    sent = []
    for ids in (names[:5], names[5:]):
        asked.clear()
        strengthen(store, "ada", [Use(tuple(ids[at : at + 5]), AT) for at in range(0, len(ids), 5)])
        sent.append(sum(asked.values()))
    assert sent[0] == sent[1]
    assert all(store.counters("ada", names)[name].access_count == 1 for name in names)
    store.close()


def test_in_one_view_the_running_numbers_are_asked_for_once_and_in_the_next_anew(postgres_address, asked):
    store = PostgresStore(postgres_address)
    keep(store, memory("01"))
    with store.reading():
        before = store.high_water("ada")
        asked.clear()
        keep(store, memory("02"))
        wrote = sum(asked.values())
        assert store.high_water("ada") == before
        assert sum(asked.values()) == wrote
    assert store.high_water("ada") > before
    store.close()
