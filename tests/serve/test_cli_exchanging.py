"""`export`, `import`, `snapshot`, `branch`, `diff` and `merge`."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest


def test_an_export_makes_the_same_store_again(cli, stock, tmp_path):
    lines = cli("export", "-")
    assert lines.code == 0
    assert json.loads(lines.out.splitlines()[0])["format"] == 2
    assert cli("export").out.splitlines()[1:] == lines.out.splitlines()[1:]
    other = str(tmp_path / "other.db")
    report = cli("--store", other, "import", "-", "--json", given=lines.out)
    assert report.code == 0
    ids = {"created", "updated", "unchanged", "refused", "conflicts"}
    assert report.json.keys() == ids | {"edges", "outcomes"}
    assert len(report.json["created"]) == 4
    assert cli("export", "--store", other).out.splitlines()[1:] == lines.out.splitlines()[1:]
    assert cli("--store", other, "import", "-", given=lines.out).out.startswith(
        "0 created, 0 updated, 4 unchanged"
    )


def test_an_exported_file_is_written_for_its_owner_alone_and_whole(cli, stock, tmp_path):
    path = tmp_path / "out.jsonl"
    ran = cli("export", str(path), "--json")
    assert ran.json == {"path": str(path), "format": "jsonl", "lines": len(path.read_text().splitlines())}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir() if "partial" in one.name] == []
    assert cli("import", str(path), "--json").json["unchanged"] != []


def test_a_file_that_is_there_keeps_its_mode_and_its_links(cli, stock, tmp_path):
    path, link = tmp_path / "out.jsonl", tmp_path / "link.jsonl"
    path.write_text("old")
    path.chmod(0o664)
    link.symlink_to(path.name)
    assert cli("export", str(link)).code == 0
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o664
    assert cli("import", str(path), "--json").json["unchanged"] != []


def test_what_is_no_file_is_written_to_and_stays(cli, stock, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as beside:
        read = beside.submit(pipe.read_text)
        assert cli("export", str(pipe)).code == 0
        assert json.loads(read.result(10).splitlines()[0])["format"] == 2
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", [".", "loop", "into/nothing"])
def test_a_place_that_cannot_be_written_is_told(cli, stock, tmp_path, name):
    (tmp_path / "loop").symlink_to("loop")
    ran = cli("export", str(tmp_path / name))
    assert ran.code == 1
    assert "cannot be written" in ran.err


def test_markdown_is_guessed_read_edited_and_taken_in(cli, stock, tmp_path):
    path = tmp_path / "memory.md"
    assert cli("export", str(path), "--json").json["format"] == "markdown"
    text = path.read_text()
    assert "- The office is in Lisbon" in text
    assert "Porto" not in text
    path.write_text(text.replace("staging first", "staging last") + "- Something new\n")
    report = cli("import", str(path), "--json").json
    assert report["updated"] == [stock.deploys]
    assert len(report["created"]) == 1
    assert cli("show", stock.deploys, "--json").json["text"] == "Deploys go through staging last"


def test_what_of_markdown_is_not_understood_is_told_by_its_line(cli, stock):
    ran = cli("import", "-", "--format", "markdown", given="A paragraph\n\n* Something new\n")
    assert ran.out.splitlines() == [
        "1 created, 0 updated, 0 unchanged, 0 refused, 0 conflicts, 0 edges, 0 outcomes",
        "not understood, and left out: line 1: A paragraph",
    ]


def test_markdown_goes_to_standard_output_too(cli, stock):
    assert cli("export", "--format", "markdown").out.startswith("# What Recollect remembers")
    wrapped = cli("export", "--format", "markdown", "--json").json
    assert wrapped["format"] == "markdown"
    assert "Lisbon" in wrapped["text"]


def test_an_export_of_one_channel_has_that_channel_only(cli, stock):
    cli("remember", "of alpha", "--channel", "alpha")
    lines = [json.loads(line) for line in cli("export", "--channel", "alpha").out.splitlines()]
    assert [line["text"] for line in lines[1:]] == ["of alpha"]
    assert "Lisbon" not in cli("export", "--channel", "alpha", "--format", "markdown").out


def test_a_text_with_every_line_separator_comes_back(cli, tmp_path):
    text = "one\u2028two\x85three\x1cfour\r\nfive"
    cli("remember", "-", given=text)
    lines = cli("export").out
    other = str(tmp_path / "other.db")
    cli("--store", other, "import", "-", given=lines)
    assert cli("--store", other, "list", "--json").json["memories"][0]["text"] == text


@pytest.mark.parametrize(
    ("words", "given", "code", "told"),
    [
        (("import", "-"), "{", 2, "line 1"),
        (("import", "-"), '{"record": "cat"}', 2, "line 1: unknown"),
        (("import", "-"), b"\xff", 2, "not UTF-8"),
        (("import", "/no/such/file"), None, 1, "no file"),
        (("import",), None, 2, "Missing argument 'PATH'"),
        (("export", "/no/such/folder/x"), None, 1, "cannot be written"),
        (("export", "--format", "xml"), None, 2, "'jsonl', 'markdown'"),
        (("diff", "/no/such/branch"), None, 1, "no store at"),
        (("merge", "/no/such/branch"), None, 1, "no store at"),
    ],
)
def test_wrong_exchanges_are_told(cli, stock, words, given, code, told):
    ran = cli(*words, given=given)
    assert ran.code == code
    assert told in ran.err


def test_a_snapshot_is_a_whole_store_and_never_overwrites(cli, stock, tmp_path):
    copy = str(tmp_path / "copy.db")
    assert cli("snapshot", copy, "--json").json == {"path": copy}
    assert len(cli("list", "--store", copy, "--json").json["memories"]) == 4
    again = cli("snapshot", copy, "--json")
    assert (again.code, again.json["error"]["type"]) == (1, "Conflict")


def test_a_branch_goes_its_own_way_and_comes_back(cli, stock, tmp_path):
    branch = str(tmp_path / "branch.db")
    assert cli("branch", branch, "--json").json == {"path": branch}
    assert cli("diff", branch).out == "no difference\n"
    theirs = cli("--store", branch, "remember", "Only there", "--json").json["id"]
    ours = cli("remember", "Only here", "--json").json["id"]
    cli("edit", stock.deploys, "Changed here")
    cli("--store", branch, "edit", stock.deploys, "Changed there")
    assert cli("diff", branch, "--json").json == {"ours": [ours], "theirs": [theirs], "both": [stock.deploys]}
    out = cli("diff", branch).out
    assert out.splitlines()[:2] == ["only here:", "Only here"]
    assert "Only there" in out
    report = cli("merge", branch, "--json").json
    assert (report["created"], report["conflicts"]) == ([theirs], [stock.deploys])
    assert f"conflict, left as it is here: {stock.deploys}" in cli("merge", branch).out
    assert cli("show", theirs).code == 0


def test_a_store_of_another_family_is_not_compared(cli, stock, tmp_path):
    other = str(tmp_path / "other.db")
    cli("--store", other, "remember", "x")
    ran = cli("diff", other)
    assert ran.code == 2
    assert "was not branched from" in ran.err
