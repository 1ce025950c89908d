"""Anthropic's memory tool on Recollect, beside its own on a file system, and in its own tool runner."""

import asyncio
import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.testing import HashEmbedder

pytest.importorskip("anthropic.lib.tools", reason="anthropic is not installed: run by make test-integrations")
pytestmark = pytest.mark.filterwarnings("ignore")

import httpx2
from anthropic import Anthropic
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

from recollect.integrations.anthropic_memory import RecollectAsyncMemoryTool, RecollectMemoryTool


def command(verb, **given):
    return {"command": verb, **given}


PATHS = st.sampled_from(
    [
        "/memories",
        "/memories/",
        "/memories/a.txt",
        "/memories/b.txt",
        "/memories/a",
        "/memories/a/c.txt",
        "/memories/a/d/e.txt",
        "/memories/a/d",
        "/memories/.hidden",
        "/memories/a/.hidden/f",
        "/memories/a/../b.txt",
        "/memories//a//c.txt",
        "/memories/../out",
        "/memoriesx",
        "/elsewhere",
    ]
)
TEXTS = st.one_of(
    st.sampled_from(
        ["", "\n", "one", "one\ntwo\n", "one\ntwo\nthree\nfour\nfive\nsix\nseven", "a\r\nb\r\n", "aaa"]
    ),
    st.text("ab\n ", max_size=12),
)
PARTS = st.one_of(st.sampled_from(["one", "two", "a", "aa", "", "\n", "x"]), st.text("ab\n", max_size=3))
COMMANDS = st.one_of(
    st.builds(lambda p: command("view", path=p), PATHS),
    st.builds(
        lambda p, r: command("view", path=p, view_range=r),
        PATHS,
        st.lists(st.integers(-2, 9), min_size=1, max_size=3),
    ),
    st.builds(lambda p, t: command("create", path=p, file_text=t), PATHS, TEXTS),
    st.builds(lambda p, t: command("create", path=p, file_text=t), PATHS, TEXTS),
    st.builds(lambda p, o, n: command("str_replace", path=p, old_str=o, new_str=n), PATHS, PARTS, PARTS),
    st.builds(
        lambda p, n, t: command("insert", path=p, insert_line=n, insert_text=t),
        PATHS,
        st.integers(-1, 4),
        PARTS,
    ),
    st.builds(lambda p: command("delete", path=p), PATHS),
    st.builds(lambda o, n: command("rename", old_path=o, new_path=n), PATHS, PATHS),
)
FOLDER_SIZE = re.compile(r"^[\d.]+[BKMG](?=\t.*/$)", re.MULTILINE)


def answer(tool, asked):
    """What a tool says: its result or its error; an error of the file system itself is only an error."""
    try:
        said = tool.call(asked)
    except ToolError as error:
        return "error", str(error)
    except OSError:
        return ("error",)
    if said.startswith("Here're"):
        # How large a folder is depends on the file system; ours is as large as what is in it.
        head, root, *rest = said.split("\n")
        said = "\n".join([head, root.partition("\t")[2], *(FOLDER_SIZE.sub("", line) for line in rest)])
    return "said", said


def prune(folder):
    """Takes away folders with nothing in them, which ours does not have."""
    for one in sorted((p for p in folder.rglob("*") if p.is_dir()), reverse=True):
        if not any(one.iterdir()):
            one.rmdir()


A = "/memories/a.txt"
EDITS = st.one_of(
    st.builds(
        lambda r: command("view", path=A, view_range=r), st.lists(st.integers(-3, 9), min_size=2, max_size=2)
    ),
    st.builds(lambda o, n: command("str_replace", path=A, old_str=o, new_str=n), PARTS, PARTS),
    st.builds(
        lambda n, t: command("insert", path=A, insert_line=n, insert_text=t),
        st.integers(-1, 8),
        st.one_of(PARTS, TEXTS),
    ),
)


def whole(edits):
    """Each edit with a look at the file after it."""
    return [asked for edit in edits for asked in (edit, command("view", path=A))]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS, st.lists(EDITS, min_size=1, max_size=6))
def test_a_file_is_shown_and_edited_as_on_a_file_system(text, edits):
    compare([command("create", path=A, file_text=text), *whole(edits)])


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(COMMANDS, max_size=14))
def test_it_says_what_the_tool_on_a_file_system_says(commands):
    compare(commands)


def compare(commands):
    folder = Path(tempfile.mkdtemp())
    try:
        theirs = BetaLocalFilesystemMemoryTool(str(folder))
        with Recollect(":memory:", user="ada", embedder=HashEmbedder()) as memory:
            ours = RecollectMemoryTool(memory)
            for asked in commands:
                expected = answer(theirs, asked)
                prune(folder / "memories")
                got = answer(ours, asked)
                assert got[: len(expected)] == expected, asked
    finally:
        shutil.rmtree(folder)


def test_it_introduces_itself_as_the_memory_tool(memory):
    tool = RecollectMemoryTool(memory, cache_control={"type": "ephemeral"})
    assert tool.to_dict() == {
        "type": "memory_20250818",
        "name": "memory",
        "cache_control": {"type": "ephemeral"},
    }


def test_everything_can_be_cleared(memory):
    tool = RecollectMemoryTool(memory)
    tool.call(command("create", path="/memories/a.txt", file_text="x"))
    assert tool.clear_all_memory() == "All memory cleared"
    assert tool.call(command("view", path="/memories")).endswith("\n0B\t/memories")
    assert memory.stats()["dormant"] == 1


def test_the_same_tool_can_be_awaited(on_file):
    async def tour():
        tool = RecollectAsyncMemoryTool(on_file)
        for asked in (
            command("create", path="/memories/a.txt", file_text="one\n"),
            command("insert", path="/memories/a.txt", insert_line=1, insert_text="two"),
            command("str_replace", path="/memories/a.txt", old_str="one", new_str="1"),
            command("rename", old_path="/memories/a.txt", new_path="/memories/b.txt"),
        ):
            await tool.call(asked)
        seen = await tool.call(command("view", path="/memories/b.txt"))
        await tool.call(command("delete", path="/memories/b.txt"))
        with pytest.raises(ToolError, match="does not exist"):
            await tool.call(command("view", path="/memories/b.txt"))
        return seen, await tool.clear_all_memory()

    seen, cleared = asyncio.run(tour())
    assert seen.split("\n")[1:] == ["     1\t1", "     2\ttwo", "     3\t"]
    assert cleared == "All memory cleared"


def test_claude_writes_through_the_real_tool_runner(on_file):
    """The real client and its tool loop, with a service that answers as Claude would."""
    asked = [
        command("view", path="/memories"),
        command("create", path="/memories/coffee.md", file_text="Ada likes coffee"),
        command("create", path="/memories/coffee.md", file_text="again"),
    ]
    heard = []

    def service(request):
        body = json.loads(request.content)
        heard.append(body)
        number = len(heard) - 1
        content = (
            [{"type": "tool_use", "id": f"toolu_{number}", "name": "memory", "input": asked[number]}]
            if number < len(asked)
            else [{"type": "text", "text": "Noted."}]
        )
        return httpx2.Response(
            200,
            json={
                "id": f"msg_{number}",
                "type": "message",
                "role": "assistant",
                "model": body["model"],
                "content": content,
                "stop_reason": "tool_use" if number < len(asked) else "end_turn",
                "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            },
        )

    client = Anthropic(api_key="none", http_client=httpx2.Client(transport=httpx2.MockTransport(service)))
    runner = client.beta.messages.tool_runner(
        model="claude-sonnet-4-5",
        max_tokens=100,
        messages=[{"role": "user", "content": "Remember that I like coffee"}],
        tools=[RecollectMemoryTool(on_file)],
    )
    last = runner.until_done()
    assert last.content[0].text == "Noted."
    assert heard[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert on_file.recall("does Ada like coffee?")[0].text == "Ada likes coffee"
    [refusal] = heard[-1]["messages"][-1]["content"]
    assert refusal["is_error"] is True
    assert "already exists" in json.dumps(refusal["content"])
