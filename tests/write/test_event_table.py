"""The table of events: every row can be reached, and says only what it knows."""

import re

import pytest

from recollect.write.event_table import ANY, row_for, rows, told

PARTS = {"trigger", "context", "action", "outcome"}


def test_every_row_is_found_by_each_of_its_endings_behind_any_emitters_name():
    for row in rows():
        for ending in row.endings:
            if ending != ANY:
                assert row_for(ending) == row_for(f"someone.{ending}") == row_for(ending.upper()) == row


def test_no_two_rows_share_an_ending():
    endings = [ending for row in rows() for ending in row.endings]
    assert len(endings) == len(set(endings))


def test_rows_speak_of_no_domain():
    """Roles and parts are those of any conversation and any episode."""
    assert {row.part for row in rows()} <= PARTS
    assert {row.role for row in rows()} <= {"user", "assistant", "tool", "system"}


@pytest.mark.parametrize(
    ("event_type", "name"),
    [
        ("chat.user_msg", "what somebody says"),
        ("conductor.run.started", "a run starts"),
        ("conductor.assignment.dispatched", "work is given to somebody"),
        ("conductor.run.completed", "a run ends well"),
        ("conductor.run.failed", "a run fails"),
        ("worker.report.received", "a worker reports"),
        ("worker.task.progress", "a worker reports"),
        ("worker.task.document_update", "a document changes"),
        ("researcher.search.completed", "a search brings something"),
        ("terminal.command.completed", "a command ends"),
        ("tool.result", "a tool gives something"),
        ("writer.revision.created", "a document changes"),
        ("completedish", "anything else that says something"),
    ],
)
def test_the_longest_ending_decides(event_type, name):
    assert row_for(event_type).name == name


def test_a_field_is_said_once_and_what_is_not_said_is_left():
    data = {"goal": "fix it", "result": "fixed", "summary": "two lines", "cost": 3, "empty": None}
    found = told(row_for("run.completed"), data)
    assert found.text == "Completed: fix it\nfixed\ntwo lines"
    assert found.rest == {"cost": 3, "empty": None}


def test_what_is_no_text_is_told_as_json_and_lists_of_texts_as_lines():
    found = told(
        row_for("tool.result"), {"tool": "grep", "input": {"q": "müller"}, "output": ["a.py:1", "b.py:2"]}
    )
    assert found.text == 'Called: grep\nWith: {"q": "müller"}\na.py:1\nb.py:2'


def test_braces_in_what_is_said_are_only_braces():
    assert told(row_for("worker.report"), {"text": "use {name} and {0}"}).text == "use {name} and {0}"


def test_the_documentation_lists_every_row(pytestconfig):
    page = (pytestconfig.rootpath / "docs/events.md").read_text("utf-8").partition("## The table")[2]
    listed = dict(re.findall(r"^\| (.+?) \| (`.+?) \|", page, re.MULTILINE))
    listed = {name: types for name, types in listed.items() if not name.startswith("`")}
    assert listed == {row.name: ", ".join(f"`{ending}`" for ending in row.endings) for row in rows()}
