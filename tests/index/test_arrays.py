"""A file of arrays is read as it was written, or not at all."""

import numpy as np
import pytest

from recollect.index.arrays import Arrays, Damaged


@pytest.fixture
def saved(tmp_path):
    random = np.random.default_rng(0)
    arrays = {
        "numbers": random.integers(0, 1 << 60, 20_000),
        "bits": random.integers(0, 1 << 60, (3, 50), dtype=np.uint64),
        "flags": random.integers(0, 2, 99).astype(np.bool_),
        "nothing": np.empty(0, np.float32),
        "no_rows": np.empty((6, 0), np.uint64),
    }
    path = tmp_path / "a.segment"
    Arrays({"version": 3}, arrays).save(path)
    return path, arrays


def test_what_was_saved_is_read_again(saved):
    path, arrays = saved
    opened = Arrays.open(path)
    assert opened.head["version"] == 3
    for name, array in arrays.items():
        assert opened.whole(name).dtype == array.dtype
        assert np.array_equal(opened.whole(name), array)
    assert np.array_equal(opened.part("numbers", 9_000, 19_999), arrays["numbers"][9_000:19_999])


def test_only_the_owner_may_read_it_and_no_other_file_is_left(saved):
    path, _ = saved
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_changed_byte_anywhere_is_found_before_it_is_used(saved):
    path, arrays = saved
    whole = path.read_bytes()
    padding = 0
    for at in {*range(0, 900, 3), *range(900, len(whole), 1_997), len(whole) - 1}:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        try:
            opened = Arrays.open(path)
            read = {name: opened.whole(name).copy() for name in arrays}
        except Damaged:
            continue
        padding += 1
        assert all(np.array_equal(read[name], array) for name, array in arrays.items())
    assert padding <= 30, "only the filling between arrays may change without being noticed"


def test_a_part_is_checked_by_itself(saved):
    path, arrays = saved
    whole = bytearray(path.read_bytes())
    whole[whole.index(arrays["numbers"][15_000].tobytes())] ^= 1
    path.write_bytes(whole)
    opened = Arrays.open(path)
    assert np.array_equal(opened.part("numbers", 0, 5_000), arrays["numbers"][:5_000])
    with pytest.raises(Damaged, match="numbers"):
        opened.part("numbers", 14_990, 15_010)


@pytest.mark.parametrize("size", [0, 1, 10, 23, 24, 100, 5_000, -1])
def test_a_cut_file_is_damaged(saved, size):
    path, _ = saved
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(Damaged):
        Arrays.open(path)


def test_garbage_of_any_length_is_damaged(tmp_path):
    for size in (0, 8, 24, 4_096):
        path = tmp_path / "garbage"
        path.write_bytes(np.random.default_rng(size).bytes(size))
        with pytest.raises(Damaged):
            Arrays.open(path)


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="space"):
        Arrays({}, {"a": np.zeros(9)}).save(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []
