"""Files under /memories, without the framework that asks for them; on both stores."""

import pytest
from doors_watched import interleaved

from recollect import Recollect
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.integrations.doors import door_of
from recollect.integrations.memory_files import MemoryFiles
from recollect.testing import HashEmbedder

A = "/memories/a.txt"


@pytest.fixture
def files(memory):
    return MemoryFiles(memory)


def text(files, path):
    """What a file says, by its view."""
    return "\n".join(line.partition("\t")[2] for line in files.view(path).split("\n")[1:])


def test_what_is_written_down_is_recalled(files, memory):
    files.create("/memories/preferences.md", "Ada prefers tabs over spaces")
    hit = memory.recall("tabs or spaces?")[0]
    assert (hit.text, hit.memory.kind) == ("Ada prefers tabs over spaces", "file")
    assert hit.memory.tags == ("path:/memories/preferences.md",)


def test_every_edit_is_a_version_and_a_deleted_file_can_be_restored(files, memory):
    files.create(A, "one\ntwo\n")
    files.str_replace(A, "two", "three")
    files.insert(A, 0, "zero")
    [kept] = memory.list()
    assert [m.text for m in memory.history(kept.id)] == ["one\ntwo\n", "one\nthree\n", "zero\none\nthree\n"]
    files.delete(A)
    with pytest.raises(NotFound):
        files.view(A)
    memory.restore(kept.id)
    assert text(files, A) == "zero\none\nthree\n"


def test_files_that_say_nothing_and_files_that_say_the_same_are_files(files):
    files.create(A, "")
    files.create("/memories/b.txt", " \n\n")
    files.create("/memories/c.txt", "same")
    files.create("/memories/d.txt", "same")
    assert [text(files, f"/memories/{name}.txt") for name in "abcd"] == ["", " \n\n", "same", "same"]
    files.str_replace("/memories/c.txt", "same", "")
    assert text(files, "/memories/c.txt") == ""
    files.insert(A, 0, "words")
    assert text(files, A) == "words\n"


@pytest.mark.parametrize(
    "name", ["my notes ", "100%", "100%25", "a 3", "ça va.txt", "#tag", "a\tb", "em\u2003space", "%20"]
)
def test_any_name_is_the_name_of_one_file(files, name):
    path = f"/memories/{name}"
    files.create(path, "here")
    assert files.view("/memories").endswith(f"\t{path}")
    assert text(files, path) == "here"
    files.rename(path, A)
    assert text(files, A) == "here"


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "memories/a",
        "/memories/../a",
        "/memories/a/../../b",
        "/memories/..",
        "../memories/a",
        "",
    ],
)
def test_no_path_leads_out_of_the_memories(files, path, memory):
    for verb in (
        lambda: files.view(path),
        lambda: files.create(path, "x"),
        lambda: files.delete(path),
        lambda: files.rename(path, A),
        lambda: files.rename(A, path),
        lambda: files.insert(path, 0, "x"),
        lambda: files.str_replace(path, "a", "b"),
    ):
        with pytest.raises(InvalidInput, match=r"must start with|would escape"):
            verb()
    assert memory.list() == []


def test_a_file_and_a_folder_cannot_have_one_path(files):
    files.create("/memories/a/b.txt", "x")
    with pytest.raises(Refused, match="already exists"):
        files.create("/memories/a", "x")
    with pytest.raises(InvalidInput, match="is a file"):
        files.create("/memories/a/b.txt/c", "x")
    with pytest.raises(InvalidInput, match="not a file"):
        files.insert("/memories/a", 0, "x")
    with pytest.raises(InvalidInput, match="into itself"):
        files.rename("/memories/a", "/memories/a/c")


def test_channels_and_users_have_their_own_files(tmp_path):
    def opened(user, channel):
        return Recollect(tmp_path / "agent.db", user=user, channel=channel, embedder=HashEmbedder())

    with opened("ada", "atlas") as memory:
        MemoryFiles(memory).create(A, "of ada's atlas")
    for user, channel in (("bob", "atlas"), ("ada", "boreas")):
        with opened(user, channel) as memory, pytest.raises(NotFound):
            MemoryFiles(memory).view(A)


def test_a_protected_file_says_so(files, memory):
    files.create(A, "x")
    [kept] = memory.list()
    memory.pin(kept.id, immutable=True)
    for verb in (lambda: files.insert(A, 0, "y"), lambda: files.delete(A), lambda: files.rename(A, A + "2")):
        with pytest.raises(Refused):
            verb()
    assert text(files, A) == "x"


def test_two_who_create_a_file_at_once_make_one(files, memory, monkeypatch):
    other = MemoryFiles(memory)
    [refused] = interleaved(
        monkeypatch, memory, door_of(memory), lambda: files.create(A, "one"), lambda: other.create(A, "two")
    )
    assert "already exists" in str(refused)
    assert len(memory.list()) == 1


def test_all_who_have_a_store_open_go_through_one_door(tmp_path, clock):
    with (
        Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock) as one,
        Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock) as other,
        Recollect(tmp_path / "a.db", user="bob", embedder=HashEmbedder(), clock=clock) as bob,
    ):
        door = door_of(one)
        assert door_of(other) is door
        assert door_of(bob) is not door


@pytest.mark.parametrize(
    ("write", "left"),
    [
        (lambda files: files.str_replace(A, "newer", "newest"), {A: "newest"}),
        (lambda files: files.insert(A, 0, "top"), {A: "top\nnewer\n"}),
        (lambda files: files.rename(A, "/memories/b.txt"), {"/memories/b.txt": "newer"}),
        (lambda files: files.delete(A), {}),
        (lambda files: files.clear(), {}),
    ],
)
def test_of_what_two_processes_created_at_once_the_newer_stays(files, memory, write, left):
    for told in ("older", "newer"):
        memory.remember(told, kind="file", tags=[f"path:{A}"], once=False)
    assert text(files, A) == "newer"
    assert files.view("/memories").count(A) == 1
    write(files)
    assert {path: text(files, path) for path in left} == left
    assert len(memory.list()) == len(left)


def test_what_says_a_purged_text_is_not_said_to_be_written(files, memory):
    files.create(A, "my diagnosis is X17")
    memory.purge(memory.list()[0].id)
    with pytest.raises(Refused, match="purged"):
        files.create(A, "my diagnosis is X17")
    files.create(A, "my diagnosis is Y")
    with pytest.raises(Refused, match="purged"):
        files.str_replace(A, "Y", "X17")
    assert text(files, A) == "my diagnosis is Y"
