"""Stores are filled by the engine's own verbs, kept when complete, and filled anew when anything differs."""

from dataclasses import replace

import made_sets
import pytest

from recollect.evals import stores
from recollect.evals.asking import Method
from recollect.evals.model import Corpus, Item, Session
from recollect.evals.sets import load
from recollect.evals.stores import LOG_ALONE, Moving, content, digest, filled
from recollect.language.terms import term_hashes
from recollect.model import Filter, Lane
from recollect.testing import HashEmbedder


@pytest.fixture
def corpus(tmp_path):
    return load("locomo", made_sets.locomo(tmp_path / "data"))[0].corpora[0]


@pytest.fixture
def kept(tmp_path):
    return tmp_path / "kept"


class Counting(HashEmbedder):
    """Counts the texts that it is given."""

    texts = 0

    def embed(self, texts, progress=None):
        self.texts += len(texts)
        return super().embed(texts, progress)


def held(store, lane=None):
    where = Filter(any_session=True, lanes=None if lane is None else (lane,))
    with store.opened(HashEmbedder(), Moving(store.ended_at)) as memory:
        return memory.list(where, newest_first=False)


def test_a_conversation_is_observed_with_its_speakers_dates_and_sessions(corpus, kept):
    store = filled(corpus, kept, HashEmbedder())
    turns = held(store, Lane.LOG)
    assert [store.keys[turn.id] for turn in turns] == [("D1:1",), ("D1:2",), ("D2:1",), ("D10:1",)]
    ben = turns[1]
    assert (ben.origin.speaker, ben.origin.session) == ("Ben", "session_1")
    assert ben.text == "I started pottery lessons on Monday [shares a photo: a clay bowl]"
    assert ben.valid_from == corpus.sessions[0].at
    assert store.items == 4
    assert store.bytes > 0
    assert store.seconds > 0


def test_memories_are_formed_as_a_user_would_get_them_and_stand_for_their_turns(corpus, kept, monkeypatch):
    store = filled(corpus, kept, HashEmbedder())
    formed = held(store, Lane.MEMORY)
    assert formed
    assert all(set(one.origin.sources) <= store.keys.keys() for one in formed)
    monkeypatch.setenv("RECOLLECT_FORMATION_ENABLED", "off")
    alone = filled(corpus, kept, HashEmbedder())
    assert alone.folder != store.folder
    assert held(alone, Lane.MEMORY) == []


def test_a_plain_method_is_asked_of_what_was_said_alone(corpus, kept):
    alone = filled(corpus, kept, HashEmbedder(), settings=Method(baseline="bm25").settings)
    assert held(alone, Lane.MEMORY) == []
    assert alone.folder != filled(corpus, kept, HashEmbedder(), settings=Method().settings).folder


def test_a_store_that_other_rules_formed_is_not_used(corpus, monkeypatch):
    before = digest(corpus, "m"), digest(corpus, "m", LOG_ALONE)
    monkeypatch.setattr(stores, "rules", lambda: "others")
    assert digest(corpus, "m") != before[0]
    assert digest(corpus, "m", LOG_ALONE) == before[1]


def test_rules_are_others_where_a_word_of_them_is(tmp_path):
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "claims.toml").write_text("a = 1")
    before = content(tmp_path)
    (tmp_path / "en" / "claims.pyc").write_text("compiled")
    assert content(tmp_path) == before
    (tmp_path / "en" / "claims.toml").write_text("a = 2")
    assert content(tmp_path) != before
    (tmp_path / "en" / "claims.toml").rename(tmp_path / "en" / "others.toml")
    assert len({before, content(tmp_path)}) == 2


def test_everything_is_recorded_when_it_was_said_and_time_never_goes_back(kept, tmp_path):
    (user,) = load("realmem", made_sets.realmem(tmp_path))[0].corpora
    store = filled(user, kept, HashEmbedder())
    moments = [store.recorded_at[session.id] for session in user.sessions]
    assert moments[0] == user.sessions[0].at
    assert moments[1] == user.sessions[1].at
    assert moments[0] < moments[1] < moments[2] < store.ended_at
    assert {turn.origin.session: turn.recorded_at for turn in held(store)} == store.recorded_at
    assert {turn.origin.session: turn.valid_from for turn in held(store)} == {
        session.id: session.at for session in user.sessions
    }


def test_passages_keep_their_title_and_the_same_one_twice_stands_for_both(kept, tmp_path):
    (corpus,) = load("multihop", made_sets.multihop(tmp_path) / "musique.json")[0].corpora
    store = filled(corpus, kept, HashEmbedder())
    kiln, lisbon = held(store)
    assert (kiln.text, dict(kiln.metadata)) == ("Kiln\nA kiln is an oven for clay.", {"title": "Kiln"})
    assert (store.keys[kiln.id], store.keys[lisbon.id]) == (("0", "2"), ("1",))


def test_an_empty_turn_is_no_memory(kept):
    empty = Corpus("c", (), (Session("s", (Item("a", " "), Item("b", "words"))),))
    assert list(filled(empty, kept, HashEmbedder()).keys.values()) == [("b",)]


def test_a_complete_store_is_used_again_without_embedding(corpus, kept):
    first = filled(corpus, kept, HashEmbedder())
    again = Counting()
    assert filled(replace(corpus, questions=()), kept, again) == first
    assert again.texts == 0


def test_a_store_that_was_not_completed_is_filled_anew(corpus, kept):
    first = filled(corpus, kept, HashEmbedder())
    (first.folder / stores.RECORD).write_text("{")
    second = filled(corpus, kept, HashEmbedder())
    assert second.keys.keys() != first.keys.keys()
    assert len(held(second, Lane.LOG)) == 4


def test_what_fails_leaves_nothing_that_looks_complete(corpus, kept):
    class Broken(HashEmbedder):
        def embed(self, texts, progress=None):
            raise RuntimeError("no model")

    with pytest.raises(RuntimeError):
        filled(corpus, kept, Broken())
    assert list(kept.iterdir()) == []


def test_other_data_another_model_and_another_way_of_writing_have_other_stores(corpus, monkeypatch):
    first, *rest = corpus.sessions
    other_text = replace(first, items=(replace(first.items[0], text="Hi"), *first.items[1:]))
    other_date = replace(first, at=None)
    told = {
        digest(corpus, "m"),
        digest(corpus, "n"),
        digest(replace(corpus, sessions=(other_text, *rest)), "m"),
        digest(replace(corpus, sessions=(other_date, *rest)), "m"),
        digest(replace(corpus, passages=(Item("p", "x"),)), "m"),
    }
    monkeypatch.setattr(stores, "INGEST_VERSION", stores.INGEST_VERSION + 1)
    assert len(told | {digest(corpus, "m")}) == 6


def test_texts_that_are_split_otherwise_have_other_stores(corpus, monkeypatch):
    before = digest(corpus, "m")
    monkeypatch.setattr(stores, "term_hashes", lambda text: term_hashes(text)[:-1])
    assert digest(corpus, "m") != before


def test_progress_ends_with_all_of_it(corpus, kept):
    heard = []
    filled(corpus, kept, HashEmbedder(), lambda done, total: heard.append((done, total)))
    assert heard == [(2, 4), (3, 4), (4, 4)]


def test_two_evaluations_may_fill_the_same_store(corpus, kept, monkeypatch):
    fill = stores._fill

    def overtaken(*given):
        monkeypatch.setattr(stores, "_fill", fill)
        filled(corpus, kept, HashEmbedder())
        return fill(*given)

    monkeypatch.setattr(stores, "_fill", overtaken)
    assert len(held(filled(corpus, kept, HashEmbedder()), Lane.LOG)) == 4
    assert len(list(kept.iterdir())) == 1, "what was filled in vain is gone"
