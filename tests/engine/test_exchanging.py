"""Out and in again: JSONL, Markdown, snapshots and branches."""

import json
from dataclasses import replace

import pytest

from recollect import Recollect
from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.exchange.values import memory_from_value, memory_value
from recollect.ports import Change, Changes
from recollect.testing import HashEmbedder

GOOD = '{"record": "memory", "id": "A", "text": "x", "recorded_at": "2026-01-01", "valid_from": "2026-01-01"}'


def filled(memory, clock):
    old = memory.remember("The office is in Porto", tags=["team"], metadata={"floor": 2})
    clock.advance(days=1)
    new = memory.remember("The office is in Lisbon", supersedes=old.id, channel="atlas")
    turns = memory.observe([{"role": "user", "name": "Priya", "content": "I moved\nto Lisbon"}], session="s1")
    clock.advance(days=1)
    memory.edit(new.id, "The office is in Lisbon, near the river")
    forgotten = memory.remember("Nobody needs this")
    memory.forget(forgotten.id)
    memory.link(new.id, turns[0].id, "elaborates", weight=0.5)
    return old.id, new.id


def everything(memory):
    """All that an export holds, without the heading's own moment."""
    return sorted(list(memory.export())[1:])


def test_an_export_taken_in_elsewhere_gives_the_same_export(memory, another, clock):
    filled(memory, clock)
    clock.advance(days=30)
    report = another.import_(memory.export())
    assert len(report.created) == 4
    assert report.edges == 2
    assert everything(another) == everything(memory)
    assert another.verify() == []
    assert (
        another.recall("office river", every_channel=True)[0].text
        == "The office is in Lisbon, near the river"
    )


def test_the_same_import_twice_changes_nothing(memory, another, clock):
    filled(memory, clock)
    lines = list(memory.export())
    another.import_(lines)
    before, links = everything(another), another.stats()["witness"]
    report = another.import_(lines)
    assert (report.created, report.updated, len(report.unchanged), report.edges) == ([], [], 4, 0)
    assert (everything(another), another.stats()["witness"]) == (before, links)


def test_a_later_export_adds_only_what_is_new(memory, another, clock):
    _old, new = filled(memory, clock)
    another.import_(memory.export())
    clock.advance(days=1)
    memory.tag(new, "river")
    report = another.import_(memory.export())
    assert (report.created, report.updated) == ([], [new])
    assert everything(another) == everything(memory)


def test_what_both_sides_changed_is_a_conflict_and_stays(memory, another, clock):
    _, new = filled(memory, clock)
    another.import_(memory.export())
    memory.tag(new, "mine")
    another.tag(new, "theirs")
    report = another.import_(memory.export())
    assert report.conflicts == [new]
    assert another.get(new).tags == ("theirs",)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"record": "dream"}',
        '{"record": "memory"}',
        '{"record": "memory", "id": 3, "text": "x"}',
        '{"record": "recollect", "format": 99}',
    ]
    + [
        '{"record": "memory", "id": "A", "text": "x", "recorded_at": "soon", "valid_from": "2026-01-01"}',
        '{"record": "edge"}',
    ]
    + [
        '{"record": "memory", "id": "A", "text": "x", "recorded_at": "2026-01-01", "valid_from": "2026-01-01", "version": 2}'
    ]
    + [
        GOOD[:-1] + wrong
        for wrong in (
            ', "tags": [1]}',
            ', "confidence": "high"}',
            ', "kind": null}',
            ', "session": 3}',
            ', "state": "purged"}',
            ', "metadata": 3}',
        )
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_taken(memory, another, clock, line):
    filled(memory, clock)
    lines = [*memory.export(), line]
    with pytest.raises(InvalidInput, match=r"line|lacks"):
        another.import_(lines)
    assert another.list() == []


def test_purged_content_does_not_come_back_by_an_import(on_file, clock):
    old, _ = filled(on_file, clock)
    lines = list(on_file.export())
    on_file.purge(old)
    report = on_file.import_(lines)
    assert report.refused == [old]
    assert "Porto" not in "".join(on_file.export())


def test_secrets_in_an_import_are_redacted(memory, another):
    memory.remember("The key is here")
    lines = [line.replace("The key is here", "password: hunter2-" + "x9Q4t7") for line in memory.export()]
    another.import_(lines)
    assert "hunter2" not in "".join(another.export())


def test_markdown_can_be_read_edited_and_taken_in(memory, clock):
    _old, new = filled(memory, clock)
    text = "\n".join(memory.export(format="markdown"))
    assert "## _global" not in text, "the only current one is in atlas"
    assert "since 2026-01-02" in text
    edited = (
        text.replace("near the river", "by the river")
        + "\n- A new thought\n  on two lines\n\n## _global\n- Another one\n"
    )
    report = memory.import_(edited.splitlines(), format="markdown")
    assert (report.updated, len(report.created)) == ([new], 2)
    assert memory.get(new).text == "The office is in Lisbon, by the river"
    assert {m.text: m.channel for m in memory.list()}["A new thought\non two lines"] == "atlas"
    again = memory.import_(memory.export(format="markdown"), format="markdown")
    assert (again.created, again.updated, len(again.unchanged)) == ([], [], 3)


def marked_down(memory):
    return "\n".join(memory.export(format="markdown"))


def taken(memory, document):
    return memory.import_(document.split("\n"), format="markdown")


ODD_TEXTS = (
    "ends with a break\n",
    "of Windows\r\nand\rof old\r\n",
    "\n\nbegins with breaks",
    "- a list\n* of\n\t+ some\n  1. kinds\n\n\nand a paragraph\n## and a heading\n<!-- and a comment",
    "separated\u2028by\x85other\x0bthings",
    "  further\n    in   \n",
    "\\<!-- id: 01ABC -->",
)


@pytest.mark.parametrize(
    "carried",
    [
        lambda document: document.split("\n"),
        lambda document: document.replace("\n", "\r\n").split("\n"),
        lambda document: [line.rstrip() for line in document.split("\n")],
    ],
    ids=["as it is", "through Windows", "without the space at the ends"],
)
def test_a_markdown_export_that_nobody_touched_changes_nothing(memory, another, carried):
    kept = [memory.remember(text).id for text in ODD_TEXTS]
    links = memory.stats()["witness"]
    report = memory.import_(carried(marked_down(memory)), format="markdown")
    assert (sorted(report.unchanged), report.left_out) == (sorted(kept), [])
    assert memory.stats()["witness"] == links
    assert len(another.import_(carried(marked_down(memory)), format="markdown").created) == len(kept)


def test_what_was_edited_here_since_a_markdown_export_is_not_taken_back(memory):
    here, there, both, alike = (memory.remember(f"Number {number} is red").id for number in range(4))
    document = marked_down(memory)
    for one in (here, both, alike):
        memory.edit(one, memory.get(one).text.replace("red", "green"))
    document = document.replace("2 is red", "2 is blue").replace("3 is red", "3 is green")
    report = taken(memory, document.replace("1 is red", "1 is blue"))
    assert (report.updated, report.conflicts, sorted(report.unchanged)) == ([there], [both], [here, alike])
    texts = [memory.get(one).text for one in (here, there, both, alike)]
    assert texts == ["Number 0 is green", "Number 1 is blue", "Number 2 is green", "Number 3 is green"]


def test_markdown_of_an_older_version_is_edited_as_before(memory):
    kept = memory.remember("The office is in Porto").id
    document = f"## _global\n\n- The office is in Lisbon\n  <!-- id: {kept} | note | since 2026-01-01 -->"
    assert taken(memory, document).updated == [kept]
    assert memory.get(kept).text == "The office is in Lisbon"


def test_no_text_speaks_for_another_memory_in_markdown(memory):
    other = memory.remember("The office is in Porto").id
    false = f"Note this\n<!-- id: {other} | note -->\n\\<!-- id: {other} | base: 00 -->\nand go on"
    kept = memory.remember(false).id
    document = marked_down(memory)
    assert sorted(taken(memory, document).unchanged) == sorted([other, kept])
    assert taken(memory, document.replace("and go on", "and stop")).updated == [kept]
    assert memory.get(kept).text == false.replace("and go on", "and stop")
    assert memory.get(other).text == "The office is in Porto"


def test_bullets_of_every_kind_are_taken_in_and_the_rest_is_told(memory):
    kept = memory.remember("The office is in Porto\nby the river").id
    document = marked_down(memory).replace("  by the river", "\nnear the river")
    document += """
  - stands further in
* with a star
+ with a plus,
that goes on
1. with a number
   and aligned

A paragraph
### A small heading
## atlas
- of atlas
  - with a point
  <!-- not particulars -->
  <!-- id: 01GONE | note -->
<!-- id: 01LONE | note -->
<!-- never ends
- lost"""
    report = taken(memory, document)
    assert report.updated == [kept]
    assert memory.get(kept).text == "The office is in Porto\n\nnear the river"
    assert {memory.get(one).text for one in report.created} == {
        "stands further in",
        "with a star",
        "with a plus,\nthat goes on",
        "with a number\nand aligned",
        "of atlas\n- with a point\n<!-- not particulars -->",
    }
    assert [line.split(": ", 1)[1] for line in report.left_out] == [
        "A paragraph",
        "### A small heading",
        "<!-- id: 01LONE | note -->",
        "<!-- never ends",
    ]
    number = 1 + document.split("\n").index("A paragraph")
    assert report.left_out[0] == f"line {number}: A paragraph"


def test_an_edit_that_is_refused_is_no_update(memory):
    kept = memory.remember("The office is in Porto", immutable=True).id
    assert taken(memory, marked_down(memory).replace("Porto", "Lisbon")).refused == [kept]


def test_a_snapshot_is_the_store_at_its_moment(on_file, clock, tmp_path):
    filled(on_file, clock)
    copy = on_file.snapshot(tmp_path / "copy.db")
    before = everything(on_file)
    on_file.remember("Written after the snapshot")
    with Recollect(copy, user="ada", embedder=HashEmbedder(), clock=clock) as restored:
        assert everything(restored) == before
        assert restored.verify() == []
        assert restored.recall("office Porto", include_superseded=True)
    assert copy.stat().st_mode & 0o077 == 0
    with pytest.raises(Conflict, match="exists"):
        on_file.snapshot(copy)


def test_a_branch_goes_its_own_way_and_can_be_merged_back(on_file, clock, tmp_path):
    _, new = filled(on_file, clock)
    path = on_file.branch(tmp_path / "branch.db")
    here = on_file.remember("Only here")
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock) as branch:
        clock.advance(days=1)
        there = branch.remember("Only on the branch")
        branch.tag(new, "river")
        found = branch.diff(tmp_path / "agent.db")
        assert (found.ours, found.theirs, found.both) == (tuple(sorted([new, there.id])), (here.id,), ())
    report = on_file.merge(path)
    assert (report.created, report.updated, report.conflicts) == ([there.id], [new], [])
    assert on_file.get(new).tags == ("river",)
    assert on_file.merge(path).created == []
    assert on_file.verify() == []


def test_what_both_branches_changed_is_reported_and_left(on_file, clock, tmp_path):
    _, new = filled(on_file, clock)
    path = on_file.branch(tmp_path / "branch.db")
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock) as branch:
        branch.edit(new, "The office is in Faro")
    on_file.edit(new, "The office is in Braga")
    assert on_file.diff(path).both == (new,)
    assert on_file.merge(path).conflicts == [new]
    assert on_file.get(new).text == "The office is in Braga"


def test_a_store_that_is_no_relative_cannot_be_merged(on_file, another, tmp_path):
    another.remember("x y z")
    on_file.remember("a b c")
    with pytest.raises(InvalidInput, match="not branched"):
        on_file.diff(tmp_path / "another.db")
    with pytest.raises(NotFound):
        on_file.diff(tmp_path / "nowhere.db")


def test_every_exported_line_is_json_with_zoned_times(memory, clock):
    filled(memory, clock)
    values = [json.loads(line) for line in memory.export()]
    assert {v["record"] for v in values} == {"recollect", "memory", "edge"}
    assert all(v["recorded_at"].endswith("+00:00") for v in values[1:])
    assert set(memory_value(memory.list()[0])) <= set(values[1])


def with_metadata(memory, told):
    """What an earlier version kept of a text beside its metadata."""
    [made] = [json.loads(line) for line in memory.export() if '"memory"' in line]
    held = memory_from_value(made)
    held = replace(held, id="0" * 26, text="The office is hot", metadata=told)
    change = Change(held, memory._writer.searchable([held])[0])
    memory.store.write("ada", Changes("remember", memory.now(), (change,), model=memory.embedder.name))
    return held.id


def test_what_is_no_number_and_was_kept_before_is_told_as_null(memory, another):
    memory.remember("The office is in Porto")
    known = with_metadata(memory, {"heat": float("inf"), "cold": [float("nan")]})
    lines = list(memory.export())
    [told] = [json.loads(line, parse_constant=pytest.fail) for line in lines if known in line]
    assert told["metadata"] == {"heat": None, "cold": [None]}
    another.import_(lines)
    assert memory.import_(lines).unchanged == another.import_(lines).unchanged
    assert memory.verify() == []


def test_an_import_takes_null_for_what_is_no_number_and_refuses_what_is_nested_too_deep(memory, another):
    known = memory.remember("The office is hot", metadata={"heat": 30}).id
    lines = [line.replace('"heat": 30', '"heat": Infinity') for line in memory.export()]
    assert another.import_(lines).created == [known]
    assert another.get(known).metadata == {"heat": None}
    assert another.import_(lines).unchanged == [known]
    deep = [line.replace('"heat": 30', '"heat": ' + "[" * 600 + "]" * 600) for line in memory.export()]
    with pytest.raises(InvalidInput, match="line 2: not a memory: its metadata"):
        another.import_(deep)
