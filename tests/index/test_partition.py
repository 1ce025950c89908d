"""A partition keeps up with its store, whatever happens to its files."""

import errno
import os
import threading
from dataclasses import replace

import numpy as np
import pytest
from index_stub import DIMENSION, MODEL, SMALL, StubStore, assert_agrees, fill, unit_vector

from recollect.candidates import Asked
from recollect.errors import StoreFull
from recollect.index import IndexParams, Partition
from recollect.index.arrays import Arrays
from recollect.model import Filter, State

QUESTIONS = [(unit_vector(seed), [seed, seed + 1, seed + 20]) for seed in range(1, 6)]


def check(partition, store, limit=7):
    """It answers as brute force does, with and without filters."""
    for vector, terms in QUESTIONS:
        assert_agrees(partition, store, vector, terms, Filter(), limit)
        assert_agrees(partition, store, vector, terms, Filter(channels=("work",)), limit)
    assert_agrees(partition, store, *QUESTIONS[0], Filter(states=(State.ACTIVE, State.DORMANT)), limit)


def segments(folder):
    return sorted(folder.glob("*.segment"))


def test_sealing_and_merging_do_not_change_the_answers(store, opened):
    partition = opened()
    counts = set()
    for _ in range(30):
        fill(store, 5, seed=len(store.texts))
        partition.refresh(maintain=True)
        check(partition, store)
        counts.add(partition.status().segments)
    status = partition.status()
    assert status.documents == status.embedded == 150
    assert status.segments < 10 < len(counts) + 10, "it merges"
    check(opened(params=IndexParams()), store)


@pytest.mark.parametrize(("exact_up_to", "held_up_to"), [(0, 0), (0, 20_000), (20_000, 0)])
def test_vectors_are_those_of_the_store_whether_they_are_in_memory_or_not(
    store, opened, exact_up_to, held_up_to
):
    fill(store, 12)
    store.remember(terms=[1])
    partition = opened(params=replace(SMALL, exact_up_to=exact_up_to, held_up_to=held_up_to))
    everything = np.array(sorted(store.texts), np.int64)
    wanted = np.concatenate([everything[::3], [everything[-1] + 7]])  # also one that is not there
    found, vectors = partition.vectors(wanted)
    known, held = store.vectors("ada", wanted)
    assert found.tolist() == known.tolist()
    assert np.array_equal(vectors, held.astype(np.float32))
    assert 0 < len(found) < len(wanted)


@pytest.mark.parametrize("at_once", [8, 22, 23])
def test_no_merge_makes_a_segment_larger_than_its_limit(store, opened, folder, at_once):
    partition = opened(params=replace(SMALL, merge_limit=66))
    for _ in range(12):
        fill(store, at_once, seed=len(store.texts))
        partition.refresh(maintain=True)
    counts = [segment.count for segment in partition._folder.segments()]
    assert sum(counts) == 12 * at_once
    assert max(counts) == (3 * at_once if at_once < 23 else at_once)
    assert len(counts) == len(segments(folder))


def test_compacting_makes_one_segment_and_takes_the_mean_of_today(store, opened, folder):
    params = IndexParams(seal_at=16, merge_factor=9, bulk=16)
    partition = opened(params=params)
    for _ in range(20):
        fill(store, 16, seed=len(store.texts))
        partition.refresh(maintain=True)
    fill(store, 3, seed=1)
    before = partition.view(Filter())[0].mean
    partition.compact()
    status = partition.status()
    assert (status.documents, status.segments, status.tail) == (323, 1, 0)
    assert len(segments(folder)) == 1
    after = partition.view(Filter())[0].mean
    vectors = np.stack([np.frombuffer(d.vector, np.float16) for d in store.texts.values()]).astype(np.float32)
    assert np.linalg.norm(after - vectors.mean(axis=0)) < np.linalg.norm(before - vectors.mean(axis=0))
    check(partition, store)
    check(opened(params=params), store)


def test_compacting_goes_beyond_what_a_merge_may_make(store, opened):
    params = IndexParams(seal_at=16, merge_factor=2, merge_limit=40, compact_limit=100, bulk=16)
    partition = opened(params=params)
    for _ in range(10):
        fill(store, 16, seed=len(store.texts))
        partition.refresh(maintain=True)
    assert partition.status().segments > 2
    partition.compact()
    assert partition.status().segments == 2
    fill(store, 16, seed=7)
    partition.refresh(maintain=True)
    assert partition.status().segments == 3
    check(partition, store)


def test_reopening_reads_the_files_and_not_the_store(store, opened, monkeypatch):
    fill(store, 100)
    opened().refresh(maintain=True)
    read = []
    documents, versions = store.documents, store.visibility
    monkeypatch.setattr(
        store, "documents", lambda user, after, limit: read.extend(documents(user, after, limit)) or []
    )
    monkeypatch.setattr(
        store, "visibility", lambda user, after, limit: read.extend(versions(user, after, limit)) or []
    )
    partition = opened()
    assert partition.status().documents == 100
    assert read == []
    check(partition, store)


def test_a_reader_writes_no_file(store, opened, folder):
    fill(store, 100)
    partition = opened()
    partition.refresh()
    check(partition, store)
    assert not folder.exists()
    assert partition.status().tail == 100
    assert partition.status().segments > 0


def test_two_partitions_see_what_the_other_side_wrote(store, opened):
    writer, reader = opened(), opened()
    for round_ in range(12):
        fill(store, 7, seed=round_)
        (writer, reader)[round_ % 2].refresh(maintain=True)
        store.change(round_, state=State.DORMANT)
        check(reader, store)
        check(writer, store)
    assert reader.status().tail < 8, "it uses the files that the other one made"


def test_a_reader_gives_up_its_copy_when_a_writer_has_made_a_file(store, opened):
    writer, reader = opened(), opened()
    fill(store, 30)
    check(reader, store)
    assert reader.status().tail == 30
    writer.refresh(maintain=True)
    assert reader.status().tail == 0
    check(reader, store)


def test_sealing_the_same_range_twice_is_harmless(store, opened, folder):
    one, other = opened(), opened()
    fill(store, 20)
    for partition in (one, other):
        partition.view(Filter())
    for partition in (one, other):
        with partition._folder.locked(wait=True):
            partition._upkeep.seal()
    assert len(segments(folder)) == 1
    check(one, store)
    check(other, store)


def test_files_that_vanish_under_a_reader_are_not_missed(store, opened, folder):
    fill(store, 60)
    writer, reader = opened(), opened()
    writer.refresh(maintain=True)
    fill(store, 3, seed=4)
    check(reader, store)
    for path in segments(folder):
        path.unlink()
    check(reader, store)
    fill(store, 9, seed=5)
    check(reader, store)
    check(opened(), store)


@pytest.mark.parametrize("missing", [0, 2, 4])
def test_a_hole_between_the_files_is_filled(store, opened, folder, missing):
    params = replace(SMALL, merge_factor=99)
    partition = opened(params=params)
    for seed in range(5):
        fill(store, 10, seed)
        partition.refresh(maintain=True)
    fill(store, 3, seed=9)
    before = segments(folder)
    assert len(before) == 5
    before[missing].unlink()
    check(opened(params=params), store)
    check(partition, store)
    writer = opened(params=params)
    writer.refresh(maintain=True)
    check(writer, store)
    assert len(segments(folder)) == 5


def test_only_one_process_keeps_the_files_while_others_go_on(store, opened, folder):
    fill(store, 40)
    other = opened()
    with other._folder.locked(wait=False) as held:
        assert held
        partition = opened()
        partition.refresh(maintain=True)
        check(partition, store)
        assert segments(folder) == []
    partition.refresh(maintain=True)
    assert len(segments(folder)) == 1


@pytest.mark.parametrize(
    "fate",
    ["empty", "half", "garbage", "longer", "other model", "other store", "older format", "newer format"],
)
@pytest.mark.parametrize("which", ["segment", "visible"])
def test_a_file_that_cannot_be_used_is_made_anew(store, opened, folder, fate, which):
    fill(store, 50)
    opened().refresh(maintain=True)
    path = segments(folder)[0] if which == "segment" else folder / "visible.columns"
    whole = path.read_bytes()
    if fate == "other model":
        folder.rename(folder.with_name("kept"))
        opened(model="another").refresh(maintain=True)
    elif fate == "other store":
        folder.rename(folder.with_name("kept"))
        other = StubStore(identity="elsewhere")
        fill(other, 50, seed=9)
        opened(of=other).refresh(maintain=True)
    else:
        path.write_bytes(
            {
                "empty": b"",
                "half": whole[: len(whole) // 2],
                "garbage": np.random.default_rng(0).bytes(len(whole)),
                "longer": whole + b"x",
                "older format": whole[:8] + b"\x01" + whole[9:],
                "newer format": whole[:8] + b"\x03" + whole[9:],
            }[fate]
        )
    reader, writer = opened(), opened()
    check(reader, store)
    writer.refresh(maintain=True)
    check(writer, store)
    check(opened(), store)
    assert opened().status().tail < SMALL.seal_at


def test_files_of_the_format_without_sessions_are_made_anew_silently(
    store, opened, folder, monkeypatch, caplog
):
    fill(store, 50)
    opened().refresh(maintain=True)
    (path,) = segments(folder)
    new = Arrays.open(path)
    old = {name: new.whole(name).copy() for name in new.head["arrays"] if name not in ("threads", "own")}
    with monkeypatch.context() as patch:
        patch.setattr("recollect.index.arrays.FORMAT", 1)
        Arrays({k: v for k, v in new.head.items() if k != "arrays"}, old).save(path)
    check(opened(), store)
    opened().refresh(maintain=True)
    assert {"threads", "own"} < Arrays.open(path).head["arrays"].keys()
    check(opened(), store)
    assert caplog.records == []


def test_a_changed_byte_in_any_region_of_any_file_does_not_change_an_answer(store, opened, folder):
    fill(store, 40)
    opened().refresh(maintain=True)
    for path in [*segments(folder), folder / "visible.columns"]:
        whole = path.read_bytes()
        for at in range(0, len(whole), max(1, len(whole) // 120)):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
            assert_agrees(opened(), store, *QUESTIONS[at % 5], Filter(), 7)
        path.write_bytes(whole)


def test_damage_is_repaired_by_the_next_upkeep(store, opened, folder):
    fill(store, 40)
    opened().refresh(maintain=True)
    (path,) = segments(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[:-200] + bytes(200))
    partition = opened()
    check(partition, store)
    partition.refresh(maintain=True)
    assert path.read_bytes() == whole


def test_half_written_files_of_a_killed_process_are_cleared(store, opened, folder):
    fill(store, 20)
    folder.mkdir()
    (folder / "0000-0001.segment.4711-abcd.tmp").write_bytes(b"half")
    (folder / "visible.columns.4711-abcd.tmp").write_bytes(b"")
    partition = opened()
    partition.refresh(maintain=True)
    check(partition, store)
    assert list(folder.glob("*.tmp")) == []


def test_a_killed_merge_leaves_files_that_overlap_and_that_is_harmless(store, opened, folder):
    partition = opened()
    for seed in range(2):
        fill(store, 10, seed)
        partition.refresh(maintain=True)
    old = {path: path.read_bytes() for path in segments(folder)}
    fill(store, 10, 3)
    partition.refresh(maintain=True)
    for path, whole in old.items():
        path.write_bytes(whole)
    partition = opened()
    check(partition, store)
    assert partition.status().documents == 30
    fill(store, 10, 4)
    partition.refresh(maintain=True)
    assert partition.status().documents == 40
    check(partition, store)


def refuse_writing(monkeypatch, error):
    """Nothing can be created or written, as in a folder of somebody else or on a full disk."""
    real = os.open

    def open_to_read(path, flags, *rest, **more):
        if flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
            raise OSError(error, os.strerror(error))
        return real(path, flags, *rest, **more)

    monkeypatch.setattr("os.open", open_to_read)


@pytest.mark.parametrize("with_files", [True, False])
def test_a_folder_that_cannot_be_written_is_read(store, opened, folder, monkeypatch, with_files):
    fill(store, 50)
    if with_files:
        opened().refresh(maintain=True)
    before = segments(folder)
    with monkeypatch.context() as patch:
        refuse_writing(patch, errno.EROFS)
        partition = opened()
        fill(store, 30, seed=3)
        partition.refresh(maintain=True)
        check(partition, store)
        partition.compact()
        check(partition, store)
    assert segments(folder) == before
    partition.refresh(maintain=True)
    assert len(segments(folder)) > 0
    check(partition, store)


def test_a_full_disk_is_no_error_and_is_tried_again_later(store, opened, folder, monkeypatch):
    partition = opened()
    fill(store, 20)
    tried = []

    def full(handle):
        tried.append(handle)
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        partition.refresh(maintain=True)
        check(partition, store)
        attempts = len(tried)
        assert attempts > 0
        partition.refresh(maintain=True)
        assert len(tried) == attempts, "not at every call"
        assert list(folder.glob("*.tmp")) == segments(folder) == []
    fill(store, 8, seed=2)
    partition.refresh(maintain=True)
    assert len(segments(folder)) == 1
    check(partition, store)


def test_without_a_folder_everything_is_kept_in_memory(store, opened):
    partition = opened(None)
    for round_ in range(10):
        fill(store, 13, seed=round_)
        partition.refresh(maintain=True)
        check(partition, store)
    partition.compact()
    check(partition, store)
    status = partition.status()
    assert (status.documents, status.tail, status.bytes_on_disk) == (130, 130, 0)


def test_a_store_that_was_put_back_to_an_earlier_state_is_followed(store, opened):
    fill(store, 60)
    opened().refresh(maintain=True)
    earlier = StubStore()
    fill(earlier, 12, seed=8)
    check(opened(of=earlier), earlier)
    writer = opened(of=earlier)
    writer.refresh(maintain=True)
    check(writer, earlier)
    assert opened(of=earlier).status().documents == 12


def test_an_edit_hides_the_past_text_and_a_restore_brings_it_back(store, opened):
    partition = opened()
    memory = store.remember([1], unit_vector(1))
    first = store.memories[memory].content
    check(partition, store)
    second = store.edit(memory, [2], unit_vector(2))
    check(partition, store)
    store.change(memory, state=State.DORMANT)
    assert len(partition.search(Asked(None, np.array([1, 2], np.uint32)), Filter(), 5).contents) == 0
    store.change(memory, state=State.ACTIVE)
    assert partition.search(Asked(None, np.array([1, 2], np.uint32)), Filter(), 5).contents.tolist() == [
        second
    ]
    assert first != second


def test_vectors_that_were_made_later_come_with_compacting(store, opened):
    for seed in range(20):
        store.remember([seed + 1])
    partition = opened()
    partition.refresh(maintain=True)
    store.texts = {
        n: replace(d, vector=unit_vector(n % 97).astype(np.float16).tobytes()) for n, d in store.texts.items()
    }
    partition.compact()
    assert partition.status().embedded == 20
    check(partition, store)


def test_threads_may_search_while_another_writes_and_keeps_the_files(store, opened):
    fill(store, 30)
    partition = opened()
    failures, done = [], threading.Event()

    def search():
        while not done.is_set():
            try:
                answer = partition.search(Asked(unit_vector(3), np.array([1, 2, 3], np.uint32)), Filter(), 5)
                assert len(answer.contents) >= 5
            except Exception as error:  # noqa: BLE001
                failures.append(error)
                return

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for round_ in range(25):
        fill(store, 6, seed=round_)
        partition.refresh(maintain=True)
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []
    check(partition, store)


def test_files_are_only_for_their_owner(store, opened, folder):
    fill(store, 30)
    opened().refresh(maintain=True)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


class TestDropping:
    """After a purge nothing in any file was made of the purged text."""

    def traces(self, partition, document):
        """What the index makes of a document, as bytes that are in no other."""
        vector = np.frombuffer(document.vector, np.float16)
        mean = partition.view(Filter())[0].mean
        words = np.packbits(vector.astype(np.float32) > mean, bitorder="little").view(np.uint64)
        terms = np.frombuffer(document.terms, np.uint32)
        return [
            vector.tobytes(),
            *(word.tobytes() for word in words),
            *(t.tobytes() for t in terms if t > 1 << 16),
        ]

    def everything(self, folder):
        return b"".join(path.read_bytes() for path in folder.iterdir())

    @pytest.fixture
    def secret(self, store):
        """A memory with a past text, words of its own, in the middle of others."""
        fill(store, 30)
        memory = store.remember([3_000_000_001, 3_000_000_002, 5], unit_vector(1_001))
        fill(store, 30, seed=1)
        store.edit(memory, [3_000_000_003, 5], unit_vector(1_002))
        fill(store, 30, seed=2)
        return memory

    def purge(self, store, memory, partition):
        documents = dict(store.texts)
        gone = store.purge(memory)
        assert len(gone) == 2
        traces = [trace for content in gone for trace in self.traces(partition, documents[content])]
        return gone, traces

    def test_no_trace_is_left_in_any_file(self, store, opened, folder, secret):
        wide = IndexParams(exact_up_to=0, seal_at=16, merge_factor=3, merge_limit=60, bulk=16, save_at=5)
        partition = opened(params=wide)
        partition.refresh(maintain=True)
        gone, traces = self.purge(store, secret, partition)
        before = self.everything(folder)
        assert sum(trace in before for trace in traces) >= 4, "it was there"
        partition.drop(gone)
        after = self.everything(folder)
        assert [trace for trace in traces if trace in after] == []
        assert after
        check(partition, store)
        check(opened(params=wide), store)

    def test_a_damaged_or_foreign_file_goes_as_a_whole(self, store, opened, folder, secret):
        partition = opened()
        partition.refresh(maintain=True)
        gone, traces = self.purge(store, secret, partition)
        for number, path in enumerate(segments(folder)):
            whole = path.read_bytes()
            path.with_name(f"old{number}.segment").write_bytes(whole[:-1])
            path.with_name(f"{number}.segment.1-2.tmp").write_bytes(whole)
        partition.drop(gone)
        after = self.everything(folder)
        assert [trace for trace in traces if trace in after] == []
        check(partition, store)

    def test_the_tail_and_memory_follow(self, store, opened, secret):
        for partition in (opened(None), opened(None, IndexParams())):
            check(partition, store)
            partition.refresh()
        gone = store.purge(secret)
        partition.drop(gone)
        check(partition, store)
        assert partition.status().documents == len(store.texts)

    def test_another_process_that_still_has_it_in_memory_never_writes_it(self, store, opened, folder, secret):
        other = opened()
        check(other, store)
        partition = opened()
        gone, traces = self.purge(store, secret, partition)
        partition.drop(gone)
        other.refresh(maintain=True)
        fill(store, 20, seed=7)
        other.refresh(maintain=True)
        after = self.everything(folder)
        assert [trace for trace in traces if trace in after] == []
        check(other, store)

    def test_a_purge_whose_process_died_is_followed_by_the_next_upkeep(self, store, opened, folder, secret):
        partition = opened()
        partition.refresh(maintain=True)
        gone, traces = self.purge(store, secret, partition)
        other = opened()
        for _ in range(2):
            other.refresh(maintain=True)
        check(other, store)
        after = self.everything(folder)
        assert gone
        assert [trace for trace in traces if trace in after] == []
        assert other.status().documents == len(store.texts)

    def test_everything_may_be_purged(self, store, opened, folder):
        fill(store, 40)
        partition = opened()
        partition.refresh(maintain=True)
        for memory in range(40):
            partition.drop(store.purge(memory))
        assert partition.status().documents == 0
        assert segments(folder) == []
        check(partition, store)

    def test_files_that_cannot_be_cleared_are_an_error_that_says_so(self, store, opened, secret, monkeypatch):
        partition = opened()
        partition.refresh(maintain=True)
        gone = store.purge(secret)
        with monkeypatch.context() as patch:
            refuse_writing(patch, errno.EROFS)
            with pytest.raises(StoreFull, match="delete that folder"):
                partition.drop(gone)
        partition.drop(gone)
        check(partition, store)


def test_two_users_of_one_folder_do_not_mix(store, folder):
    fill(store, 20)
    for user in ("ada", "bob"):
        Partition(store, user, MODEL, DIMENSION, folder, SMALL).refresh(maintain=True)
    check(Partition(store, "ada", MODEL, DIMENSION, folder, SMALL), store)
