"""Looking up what is alike for many vectors at once answers what looking at everything would answer."""

import numpy as np
import pytest
from index_stub import DIMENSION, MODEL, SMALL, StubStore, fill, unit_vector

from recollect.errors import ModelMismatch
from recollect.index import IndexParams, Partition
from recollect.model import Filter, Lane, State

WORK = Filter(channels=("work",), lanes=(Lane.MEMORY,))


def brute_force(store, vector, where, limit):
    """The contents that are most alike, best first, of equals the newest."""
    alike = []
    for content in store.matching("", where).tolist():
        data = store.texts[content].vector
        if data is not None:
            cosine = float(np.frombuffer(data, np.float16).astype(np.float32) @ vector)
            alike.append((-round(cosine, 5), -content))
    return [(-content, -cosine) for cosine, content in sorted(alike)[:limit]]


@pytest.mark.parametrize("params", [SMALL, IndexParams()], ids=["by bits", "exact"])
@pytest.mark.parametrize("where", [Filter(), WORK, Filter(tags=("ops",))], ids=["all", "channel", "tag"])
def test_each_vector_gets_its_own_nearest(tmp_path, params, where):
    store = StubStore()
    fill(store, 60)
    store.remember([1], unit_vector(1), channel="work", tags=("ops",))
    store.remember([2], None, channel="work")
    store.change(3, state=State.DORMANT)
    partition = Partition(store, "ada", MODEL, DIMENSION, tmp_path / "index", params)
    partition.refresh(maintain=True)
    asked = [unit_vector(seed) for seed in (1, 5, 5, 9)]
    found = partition.nearest(asked, where, 4)
    assert len(found) == len(asked)
    for vector, alike in zip(asked, found, strict=True):
        wanted = brute_force(store, vector, where, 4)
        assert alike.contents.tolist() == [content for content, _ in wanted]
        assert alike.similarity.tolist() == pytest.approx([cosine for _, cosine in wanted], abs=1e-4)


def test_what_is_truly_alike_is_found_among_many_by_bits(tmp_path):
    random = np.random.default_rng(3)
    centres = random.standard_normal((200, DIMENSION)) + 0.5
    raw = centres[random.integers(200, size=20_000)] + random.standard_normal((20_000, DIMENSION)) * 0.9
    made = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
    store = StubStore()
    for vector in made:
        store.remember((), vector)
    partition = Partition(store, "ada", MODEL, DIMENSION, tmp_path, IndexParams(exact_up_to=0))
    partition.refresh(maintain=True)
    numbers = [memory.content for memory in store.memories]
    places = random.integers(20_000, size=100)
    near = [made[place] + random.standard_normal(DIMENSION) * 0.04 for place in places]
    found = partition.nearest([v.astype(np.float32) for v in near], Filter(), 8)
    assert [one.contents[0] for one in found] == [numbers[place] for place in places]


def test_nothing_is_like_anything_in_an_empty_index_and_no_vector_is_no_question(opened):
    assert opened().nearest([], Filter(), 8) == []
    [alike] = opened().nearest([unit_vector(1)], Filter(), 8)
    assert alike.contents.tolist() == alike.similarity.tolist() == []


def test_a_vector_of_another_model_is_refused(opened):
    with pytest.raises(ModelMismatch):
        opened().nearest([np.ones(3, np.float32)], Filter(), 8)
