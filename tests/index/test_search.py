"""A search answers what looking at everything would answer."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_stub import DIMENSION, MODEL, SMALL, START, StubStore, assert_agrees, fill, unit_vector

from recollect.candidates import Asked
from recollect.errors import InvalidInput, ModelMismatch
from recollect.index import IndexParams, Partition
from recollect.index.text_arm import TextArm
from recollect.model import Filter, Lane, State

words = st.lists(st.integers(1, 9), max_size=8)
vectors = st.none() | st.integers(0, 12).map(unit_vector)
days = st.sampled_from([None, None, 1, 3]).map(lambda d: None if d is None else START + timedelta(days=d))
shown = st.fixed_dictionaries(
    {
        "channel": st.sampled_from(["_global", "work"]),
        "lane": st.sampled_from(Lane),
        "only_session": st.sampled_from([None, None, "s1", "s2"]),
        "valid_until": days,
        "tags": st.sampled_from([(), ("ops",)]),
    }
)
said = st.sampled_from(
    [{}, {"session": "s1"}, {"session": "s1", "own": True}, {"session": "s2"}, {"session": "s2", "own": True}]
)
writes = st.one_of(
    st.tuples(st.just("remember"), words, vectors, shown, said),
    st.tuples(st.just("edit"), st.integers(0, 99), words, vectors),
    st.tuples(st.just("state"), st.integers(0, 99), st.sampled_from([State.ACTIVE, State.DORMANT])),
    st.tuples(st.just("change"), st.integers(0, 99), shown),
    st.tuples(st.just("purge"), st.integers(0, 99)),
)
questions = st.tuples(
    st.just("search"),
    st.none() | st.integers(0, 20).map(unit_vector),
    words,
    st.builds(
        Filter,
        channels=st.sampled_from([None, None, ("work",), ("_global", "work"), ()]),
        lanes=st.sampled_from([None, None, (Lane.LOG,)]),
        visible_session=st.sampled_from([None, "s1"]),
        any_session=st.booleans(),
        unexpired_at=days,
        tags=st.sampled_from([(), (), ("ops",)]),
        states=st.sampled_from(
            [(State.ACTIVE,), (State.ACTIVE,), (State.DORMANT,), (State.ACTIVE, State.DORMANT)]
        ),
    ),
    st.integers(1, 6),
    st.lists(st.integers(0, 99), max_size=2),
    st.booleans(),
)
maintenance = st.tuples(st.sampled_from(["refresh", "maintain", "reopen", "compact"]))


def apply(store, partition, step) -> Partition:
    """One random step; answers the partition to go on with."""
    alive = [i for i, m in enumerate(store.memories) if m.state != State.PURGED]
    match step:
        case "remember", terms, vector, values, how:
            store.remember(terms, vector, **values, **how)
        case "edit", which, terms, vector if alive:
            store.edit(alive[which % len(alive)], terms, vector)
        case "state", which, state if alive:
            store.change(alive[which % len(alive)], state=state)
        case "change", which, values if alive:
            store.change(alive[which % len(alive)], **values)
        case "purge", which if alive:
            partition.drop(store.purge(alive[which % len(alive)]))
        case "search", vector, terms, where, limit, which, looks_ahead:
            ahead = partition.ahead(np.array(terms, np.uint32), where, limit) if looks_ahead else None
            also = [store.memories[one % len(store.memories)].content for one in which if store.memories]
            assert_agrees(partition, store, vector, terms, where, limit, also, ahead)
        case (("refresh" | "maintain") as how,):
            partition.refresh(maintain=how == "maintain")
        case ("compact",):
            partition.compact()
        case ("reopen",):
            return Partition(store, "ada", MODEL, DIMENSION, partition._folder.path, partition.params)
    return partition


@pytest.mark.parametrize("on_disk", [True, False])
@pytest.mark.parametrize(("exact_up_to", "held_up_to"), [(0, 0), (0, 20_000), (20_000, 0), (12, 24)])
@settings(max_examples=50, deadline=None)
@given(steps=st.lists(writes | writes | questions | maintenance, max_size=60))
def test_random_writes_and_searches_agree_with_brute_force(
    tmp_path_factory, on_disk, exact_up_to, held_up_to, steps
):
    params = IndexParams(
        exact_up_to=exact_up_to,
        held_up_to=held_up_to,
        load_step=5,
        seal_at=4,
        merge_factor=2,
        merge_limit=32,
        bulk=6,
        save_at=3,
        common_from=10,
        coarse_from=1,
    )
    folder = tmp_path_factory.mktemp("index") if on_disk else None
    store = StubStore()
    partition = Partition(store, "ada", MODEL, DIMENSION, folder, params)
    for step in steps:
        partition = apply(store, partition, step)
    assert_agrees(partition, store, unit_vector(3), [1, 2, 3], Filter(), 5)


LARGE = replace(SMALL, coarse_from=1)
"""As if a handful of documents were so many that it pays to look ahead."""


def test_what_was_looked_up_ahead_is_not_looked_up_again(store, opened, monkeypatch):
    fill(store, 60)
    partition, looked_up = opened(params=LARGE), []
    best = TextArm.best
    monkeypatch.setattr(TextArm, "best", lambda *given: looked_up.append(given) or best(*given))
    ahead = partition.ahead(np.array([3, 4], np.uint32), Filter(), 5)
    assert len(looked_up) == 1
    assert_agrees(partition, store, unit_vector(3), [3, 4], Filter(), 5, ahead=ahead)
    assert len(looked_up) == 1


@pytest.mark.parametrize("terms", [[3, 4], [3, 5]])
@pytest.mark.parametrize("where", [Filter(), Filter(channels=("work",))])
@pytest.mark.parametrize("limit", [5, 20])
@pytest.mark.parametrize("changed", ["nothing", "written", "put to sleep", "purged"])
def test_another_search_than_the_meant_one_is_not_misled(store, opened, terms, where, limit, changed):
    fill(store, 60)
    partition = opened(params=LARGE)
    ahead = partition.ahead(np.array([3, 4], np.uint32), Filter(), 5)
    match changed:
        case "written":
            store.remember([3, 4, 3, 4], unit_vector(1), channel="work")
        case "put to sleep":
            store.change(int(ahead.rows[0]), state=State.DORMANT)
        case "purged":
            partition.drop(store.purge(int(ahead.rows[0])))
    assert_agrees(partition, store, unit_vector(3), terms, where, limit, ahead=ahead)


def test_an_index_is_large_by_what_it_knows_without_asking_the_store(store, opened):
    fill(store, 60)
    large, small = opened(params=LARGE), opened()
    assert not large.is_large
    for partition in (large, small):
        partition.refresh()
    assert large.is_large
    assert not small.is_large


def clustered(count, dimension, seed=0):
    """Vectors around some hundred centres, and questions near them, as embeddings of texts lie."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((300, dimension)) + 0.5
    near = centres[random.integers(300, size=count)] + random.standard_normal((count, dimension)) * 0.9
    return (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float16)


@pytest.mark.parametrize("params", [IndexParams(held_up_to=0), IndexParams(held_up_to=0, coarse_from=10_000)])
def test_bits_find_the_nearest_of_many(tmp_path, params):
    store, count, dimension = StubStore(), 30_000, 384
    made = clustered(count + 50, dimension)
    for vector in made[:count]:
        store.remember((), vector)
    partition = Partition(store, "ada", MODEL, dimension, tmp_path, params)
    partition.refresh(maintain=True)
    assert partition.held.matrix(partition.view(Filter())[0]) is None
    numbers = np.array([m.content for m in store.memories])
    known = made[:count].astype(np.float32)
    found = 0
    for query in made[count:].astype(np.float32):
        best = set(numbers[np.argsort(-(known @ query), kind="stable")[:10]].tolist())
        found += len(
            best & set(partition.search(Asked(query, np.empty(0, np.uint32)), Filter(), 10).contents.tolist())
        )
    assert found / 500 >= 0.99


@pytest.mark.parametrize("where", [Filter(), Filter(channels=("work",)), Filter(tags=("rare",))])
def test_bits_are_used_on_the_eligible_rows_only(store, opened, where):
    fill(store, 400)
    for memory in range(0, 400, 8):
        store.change(memory, tags=("rare",))
    partition = opened(params=IndexParams(rescore=20, exact_up_to=0, seal_at=64, merge_factor=3, bulk=64))
    eligible = set(store.matching("", where).tolist())
    wanted = sorted(eligible)[3]
    query = np.frombuffer(store.texts[wanted].vector, np.float16).astype(np.float32) + 0.2 * unit_vector(77)
    answer = partition.search(Asked(query, np.empty(0, np.uint32)), where, 10)
    assert set(answer.contents.tolist()) <= eligible
    assert answer.arms[0].eligible == len(eligible)
    assert answer.arms[0].found == 10
    assert len(answer.contents) == 10 + answer.arms[1].found, "the turns beside them come too"
    assert answer.contents[np.argmax(answer.similarity)] == wanted


@pytest.mark.parametrize("seal_at", [1_000, 64])
def test_bits_find_vectors_between_texts_that_have_none(store, opened, seal_at):
    for seed in range(300):
        store.remember([1], None if seed % 3 else unit_vector(seed))
    partition = opened(params=IndexParams(rescore=20, finalists=4, exact_up_to=0, seal_at=seal_at, bulk=64))
    partition.refresh()
    for seed in range(0, 300, 27):
        answer = partition.search(
            Asked(unit_vector(seed) + 0.1 * unit_vector(7), np.empty(0, np.uint32)), Filter(), 1
        )
        assert answer.contents.tolist() == [store.memories[seed].content]
        assert answer.arms[0].eligible == 100


def test_small_partitions_become_exact_over_a_few_searches(store, opened):
    fill(store, 300)
    partition = opened(params=IndexParams(rescore=10, load_step=100))
    query, none = unit_vector(1), np.empty(0, np.uint32)
    for _ in range(3):
        partition.search(Asked(query, none), Filter(), 5)
    for seed in range(20):
        assert_agrees(partition, store, unit_vector(seed), [], Filter(), 5)
    store.remember([1], query)
    assert_agrees(partition, store, query, [], Filter(), 5)


def test_what_is_held_in_memory_is_not_read_again(store, opened, monkeypatch):
    fill(store, 300)
    partition = opened(params=IndexParams(rescore=500, exact_up_to=100, held_up_to=400, load_step=150))
    for _ in range(2):
        partition.search(Asked(unit_vector(1), np.empty(0, np.uint32)), Filter(), 5)
    read = store.vectors
    monkeypatch.setattr(store, "vectors", lambda *_: pytest.fail("read from the store"))
    assert_agrees(partition, store, unit_vector(3), [], Filter(), 5)
    monkeypatch.setattr(store, "vectors", read)
    fill(store, 150, seed=1_000)
    assert_agrees(partition, store, unit_vector(3), [], Filter(), 5)
    assert partition.held.matrix(partition.view(Filter())[0]) is None, "they are too many by now"


@pytest.mark.parametrize("seal_at", [100, 4])
def test_a_vector_that_comes_after_its_text_is_found_by_the_next_search(store, opened, seal_at):
    fill(store, 6)
    partition = opened(params=IndexParams(seal_at=seal_at))
    late = [store.remember([7]) for _ in range(2)]
    store.remember([8], unit_vector(3))
    assert_agrees(partition, store, unit_vector(1), [7], Filter(), 5)
    for memory in reversed(late):
        store.embed(memory, unit_vector(1))
        if seal_at == 100:
            assert_agrees(partition, store, unit_vector(1), [7], Filter(), 5)
            assert_agrees(opened(), store, unit_vector(1), [7], Filter(), 5)
    partition.compact()  # where it lay in a segment already, that is made anew
    assert_agrees(partition, store, unit_vector(1), [7], Filter(), 5)


def test_every_column_is_filled_whichever_arm_found_it(store, opened):
    near = store.remember([9], unit_vector(1))
    told = store.remember([5], unit_vector(2))
    both = store.remember([5, 5, 9], None)
    answer = opened().search(Asked(unit_vector(1), np.array([5], np.uint32)), Filter(), 1)
    assert answer.contents.tolist() == [store.memories[both].content, store.memories[near].content]
    assert np.isnan(answer.similarity[0])
    assert np.isnan(answer.centred[0])
    assert answer.similarity[1] == pytest.approx(1, abs=1e-3)
    assert answer.text[0] > 0
    assert answer.text[1] == 0
    assert [arm.name for arm in answer.arms] == ["text", "vector", "context"]
    assert [(arm.eligible, arm.found) for arm in answer.arms] == [(3, 1), (2, 1), (3, 0)]
    assert store.memories[told].content not in answer.contents


def test_equal_candidates_are_given_to_the_newest(store, opened):
    for _ in range(50):
        store.remember([1, 2], unit_vector(1))
    store.remember([9], None)
    newest = [m.content for m in store.memories[:50]][:-4:-1]
    assert (
        opened().search(Asked(unit_vector(1), np.array([], np.uint32)), Filter(), 3).contents.tolist()
        == newest
    )
    assert opened().search(Asked(None, np.array([2], np.uint32)), Filter(), 3).contents.tolist() == newest


def test_nothing_is_found_in_nothing(store, opened):
    for partition in (opened(), opened(None)):
        answer = partition.search(Asked(unit_vector(1), np.array([1], np.uint32)), Filter(), 5)
        assert len(answer.contents) == 0
        partition.refresh(maintain=True)
        partition.compact()
        assert partition.status().documents == 0


def test_without_terms_and_without_a_vector_no_arm_searches(store, opened):
    fill(store, 5)
    answer = opened().search(Asked(None, np.empty(0, np.uint32)), Filter(), 5)
    assert len(answer.contents) == 0
    assert [(arm.name, arm.found) for arm in answer.arms] == [("context", 0)]


def test_texts_without_vectors_are_found_by_their_words(store, opened):
    for word in range(1, 30):
        store.remember([word, 100])
    partition = opened()
    for _ in range(2):
        answer = partition.search(Asked(unit_vector(1), np.array([7], np.uint32)), Filter(), 5)
        assert answer.contents.tolist() == [store.memories[6].content]
        partition.refresh(maintain=True)


def test_a_word_that_most_documents_have_is_not_searched(store, opened):
    for i in range(60):
        store.remember([1, 2] if i % 2 else [1])
    for common_from, found in ((61, 10), (60, 0)):
        partition = opened(params=IndexParams(common_from=common_from))
        assert len(partition.search(Asked(None, np.array([1], np.uint32)), Filter(), 10).contents) == found
    assert len(partition.search(Asked(None, np.array([1, 2], np.uint32)), Filter(), 50).contents) == 30


def test_a_rare_word_brings_only_what_is_eligible(store, opened):
    for i in range(400):
        store.remember([1] if i % 40 == 0 else [2], state=State.DORMANT if i % 80 == 0 else State.ACTIVE)
    found = opened().search(Asked(None, np.array([1], np.uint32)), Filter(), 9).contents.tolist()
    assert found == [store.memories[i].content for i in range(360, 0, -80)]


def test_leaving_common_words_out_early_does_not_change_the_answer(store, opened, monkeypatch):
    monkeypatch.setattr("recollect.index.text_arm.FEW_DOCUMENTS", 0)
    random = np.random.default_rng(5)
    for _ in range(400):
        store.remember(np.minimum(random.zipf(1.4, 10), 50))
    partition = opened()
    for limit in (1, 3, 20):
        for _ in range(15):
            assert_agrees(partition, store, None, np.minimum(random.zipf(1.3, 6), 50), Filter(), limit)


def test_a_word_with_a_long_list_is_looked_up_in_what_rarer_ones_bring(store, opened, monkeypatch):
    rare, often, limit, walked = 1, 2, 2, []
    add = TextArm._add_to_all
    monkeypatch.setattr(
        TextArm, "_add_to_all", lambda arm, at, partial: walked.append(at) or add(arm, at, partial)
    )
    for number in range(200):
        store.remember([often, *([rare] if number % 4 == 0 else []), *range(10, 10 + number % 7)])
    asked = Asked(None, np.array([rare, often], np.uint32))
    every = opened(params=IndexParams()).search(asked, Filter(), limit)
    short = opened(params=IndexParams(long_from=100)).search(asked, Filter(), limit)
    assert walked == [0, 1, 0], "of the second search, the rare word's list alone"
    assert short.contents.tolist() == every.contents.tolist()
    assert short.text.tolist() == every.text.tolist()
    alone = Asked(None, np.array([often], np.uint32))
    found = opened(params=IndexParams(long_from=100)).search(alone, Filter(), limit)
    assert len(found.contents) == limit, "it is searched where there is no rarer one"


def test_a_rare_word_in_a_long_text_does_not_hide_a_better_answer(store, opened, monkeypatch):
    monkeypatch.setattr("recollect.index.text_arm.FEW_DOCUMENTS", 0)
    store.remember([1] + [9] * 5_000)
    for i in range(200):
        store.remember([2, 7, 7, 7] if i % 2 else [3, 7, 7, 7])
    best = store.remember([2, 2, 3, 3])
    for _ in range(200):
        store.remember([7, 7, 7])
    answer = opened().search(Asked(None, np.array([1, 2, 3], np.uint32)), Filter(), 1)
    assert answer.contents.tolist() == [store.memories[best].content]


def test_centred_similarity_uses_the_mean_of_the_partition(store, opened):
    fill(store, 200)
    query = unit_vector(5)
    for partition in (opened(None, IndexParams()), opened(params=IndexParams(seal_at=150))):
        partition.refresh(maintain=True)
        mean = partition.view(Filter())[0].mean
        assert np.linalg.norm(mean) > 0.2
        answer = partition.search(Asked(query, np.empty(0, np.uint32)), Filter(), 20)
        apart = (
            np.stack(
                [
                    np.frombuffer(store.texts[n].vector, np.float16).astype(np.float32)
                    for n in answer.contents.tolist()
                ]
            )
            - mean
        )
        wanted = apart @ (query - mean) / np.linalg.norm(apart, axis=1) / np.linalg.norm(query - mean)
        assert answer.centred == pytest.approx(wanted, abs=1e-3)


def test_a_query_of_the_wrong_size_is_refused_with_both_sizes(store, opened):
    with pytest.raises(ModelMismatch, match=f"12 numbers.*{DIMENSION}"):
        opened().search(Asked(np.zeros(12, np.float32), np.empty(0, np.uint32)), Filter(), 5)


def test_a_stored_vector_of_the_wrong_size_is_refused_with_both_sizes(store, opened):
    store.remember([1], unit_vector(1, 12))
    with pytest.raises(ModelMismatch, match=f"12 numbers.*{DIMENSION}"):
        opened().search(Asked(None, np.array([1], np.uint32)), Filter(), 5)


def test_vectors_that_changed_their_size_behind_the_index_are_refused(store, opened):
    store.remember([1], unit_vector(1))
    partition = opened()
    partition.refresh()
    store.texts = {
        n: replace(d, vector=unit_vector(1, 12).astype(np.float16).tobytes()) for n, d in store.texts.items()
    }
    with pytest.raises(ModelMismatch, match=f"12 numbers.*{DIMENSION}"):
        partition.search(Asked(unit_vector(1), np.empty(0, np.uint32)), Filter(), 5)


def test_a_limit_below_one_is_refused(opened):
    with pytest.raises(InvalidInput, match="limit"):
        opened().search(Asked(None, np.empty(0, np.uint32)), Filter(), 0)


def test_a_text_that_is_very_long_is_searched_like_another(store, opened):
    store.remember([3] * 70_000 + [4])
    store.remember([4, 5])
    partition = opened()
    assert partition.search(Asked(None, np.array([3], np.uint32)), Filter(), 5).contents.tolist() == [
        store.memories[0].content
    ]
    partition.refresh(maintain=True)
    partition.compact()
    assert len(partition.search(Asked(None, np.array([4], np.uint32)), Filter(), 5).contents) == 2


def test_a_session_of_another_is_not_seen(store, opened):
    mine = store.remember([1], only_session="mine")
    store.remember([1], only_session="other")
    partition = opened()
    found = partition.search(Asked(None, np.array([1], np.uint32)), Filter(visible_session="mine"), 5)
    assert found.contents.tolist() == [store.memories[mine].content]
    assert len(partition.search(Asked(None, np.array([1], np.uint32)), Filter(), 5).contents) == 0


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_where_turns_and_memories_may_answer_each_lane_brings_as_many(limit):
    store = StubStore()
    for number in range(12):
        store.remember([1], unit_vector(number), lane=Lane.LOG if number % 3 else Lane.MEMORY)
    partition = Partition(store, "ada", MODEL, DIMENSION, None, SMALL)
    assert_agrees(partition, store, unit_vector(0), [1], Filter(), limit)
    assert_agrees(partition, store, unit_vector(0), [1], Filter(lanes=(Lane.LOG,)), limit)
