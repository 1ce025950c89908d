"""`import --from`: what others export, through the command line."""

import json
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest

from recollect.integrations.importers import SOURCES
from recollect.model import Filter, Lane
from recollect.serve.commands.exchanging import Source
from recollect.stores.sqlite import SQLiteStore


@pytest.fixture
def chat(tmp_path):
    path = tmp_path / "chat.jsonl"
    lines = [{"role": "user", "content": f"the boat number {number} leaves at nine"} for number in range(3)]
    path.write_text("\n".join([*map(json.dumps, lines), "broken"]))
    return path


def test_the_command_line_knows_every_source():
    assert [str(source) for source in Source] == list(SOURCES)


def test_an_import_from_elsewhere_tells_what_it_did_and_what_it_could_not(cli, store, chat):
    ran = cli("import", str(chat), "--from", "messages")
    assert ran.code == 0
    first, second = ran.out.splitlines()
    assert first == "1 conversations, 3 created, 0 updated, 0 unchanged, 0 refused, 1 problems"
    assert second.startswith(f"left out: {chat}:4: not JSON")
    again = cli("import", str(chat), "--from", "messages", "--json").json
    assert (again["source"], again["created"], again["unchanged"]) == ("messages", 0, 3)
    assert len(again["problems"]) == 1
    assert cli("recall", "when does the boat leave?", "--json").json["hits"]


def test_what_is_of_another_source_is_hinted_at(cli, tmp_path):
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "I like tea"}]}
    (tmp_path / "rollout.jsonl").write_text(json.dumps({"type": "response_item", "payload": said}))
    out = cli("import", str(tmp_path / "rollout.jsonl"), "--from", "claude-code").out
    assert out.splitlines()[1:] == ["nothing was found there from claude-code: is it from another source?"]


def test_many_problems_are_told_in_few_lines(cli, tmp_path):
    path = tmp_path / "chat.jsonl"
    path.write_text("broken\n" * 50)
    ran = cli("import", str(path), "--from", "messages")
    assert ran.code == 1
    assert ran.out.splitlines()[-1] == "… and 30 more left out; --json has them all"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("import", "x.json", "--from", "elsewhere"), 2, "'chatgpt'"),
        (("import", "-", "--from", "chatgpt"), 2, "give its path"),
        (("import", "x.json", "--from", "chatgpt", "--format", "jsonl"), 2, "without --format"),
        (("import", "/no/such/file", "--from", "chatgpt"), 1, "no file or folder"),
    ],
)
def test_wrong_imports_are_told(cli, store, words, code, told):
    ran = cli(*words)
    assert ran.code == code
    assert told in ran.err


@pytest.mark.slow
def test_an_import_that_is_killed_goes_on_where_it_was(environment, store, tmp_path):
    folder = tmp_path / "chats"
    folder.mkdir()
    for file in range(60):
        lines = [{"role": "user", "content": f"boat {file} message {number}"} for number in range(40)]
        (folder / f"chat{file:02}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    command = [sys.executable, "-m", "recollect", "import", str(folder), "--from", "messages", "--json"]

    def kept():
        with closing(SQLiteStore(store)) as found:
            return [m.text for m in found.find("default", Filter(lanes=(Lane.LOG,), any_session=True))]

    killed = 0
    for least in (1, 400):
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as running:
            while running.poll() is None and not (store.exists() and len(kept()) >= least):
                time.sleep(0.01)
            if running.poll() is None:
                running.send_signal(signal.SIGKILL)
                killed += 1
    assert killed
    before = len(kept())
    assert 0 < before < 2400
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    report = json.loads(done.stdout)
    assert (report["unchanged"], report["created"]) == (before, 2400 - before)
    texts = kept()
    assert len(texts) == len(set(texts)) == 2400
