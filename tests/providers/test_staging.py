import os
import time

import pytest

from recollect.providers.staging import ABANDONED_SECONDS, PREFIX, staged


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_folder_appears_when_the_block_ends(tmp_path):
    target = tmp_path / "deep" / "target"
    with staged(target) as scratch:
        (scratch / "file").write_text("whole")
        assert not target.exists()
    assert (target / "file").read_text() == "whole"
    assert names(target.parent) == ["target"]


def test_a_failure_leaves_nothing_behind(tmp_path):
    def stop_half_way():
        with staged(tmp_path / "target") as scratch:
            (scratch / "file").write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        stop_half_way()
    assert names(tmp_path) == []


def test_a_failure_keeps_the_folder_that_was_there(tmp_path):
    target = tmp_path / "target"
    target.mkdir()
    (target / "file").write_text("old")
    with pytest.raises(RuntimeError), staged(target):
        raise RuntimeError
    assert (target / "file").read_text() == "old"


def test_the_folder_that_was_there_is_replaced_as_a_whole(tmp_path):
    target = tmp_path / "target"
    target.mkdir()
    (target / "stale").write_text("old")
    with staged(target) as scratch:
        (scratch / "file").write_text("new")
    assert names(target) == ["file"]
    assert names(tmp_path) == ["target"]


def test_a_folder_that_another_process_made_meanwhile_is_kept(tmp_path):
    target = tmp_path / "target"
    with staged(target) as ours:
        (ours / "file").write_text("ours")
        with staged(target) as theirs:
            (theirs / "file").write_text("theirs")
    assert (target / "file").read_text() == "theirs"
    assert names(tmp_path) == ["target"]


def test_only_leftovers_too_old_to_be_in_use_are_swept(tmp_path):
    for name, age_seconds in (("old", ABANDONED_SECONDS + 60), ("young", 60)):
        leftover = tmp_path / f"{PREFIX}{name}"
        leftover.mkdir()
        (leftover / "file").write_text("half")
        os.utime(leftover, (time.time() - age_seconds,) * 2)
    with staged(tmp_path / "target"):
        pass
    assert names(tmp_path) == [f"{PREFIX}young", "target"]
