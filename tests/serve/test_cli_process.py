"""A few command lines in real processes."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import recollect

BARE = """
import runpy, sys, types
package = types.ModuleType("recollect")
package.__path__, package.__version__ = [sys.argv.pop(1)], "0"
sys.modules["recollect"] = package
try:
    runpy.run_module("recollect.__main__", run_name="__main__")
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def test_a_memory_is_kept_by_one_process_and_recalled_by_another(process, store, tmp_path):
    made = process("remember", "Deploys go through staging first", "--json")
    assert (made.code, made.err) == (0, "")
    found = process(
        "recall", "how do we deploy?", "--json", "--store", str(store), RECOLLECT_STORE=str(tmp_path / "x")
    )
    assert found.json["hits"][0]["id"] == made.json["id"]
    assert process("verify").code == 0


def test_output_is_utf8_whatever_the_locale(process):
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    made = process("remember", "Grüße aus İzmir ☃".encode(), "--json", **plain)
    assert made.json["text"] == "Grüße aus İzmir ☃"
    assert "Grüße aus İzmir ☃" in process("list", **plain).out


def test_bytes_that_are_no_text_are_told(process):
    ran = process("remember", b"caf\xe9", "--json")
    assert (ran.code, ran.json["error"]["type"]) == (2, "InvalidInput")
    assert process("remember", given=b"\x00\xff").code == 2


def test_the_default_store_is_in_the_data_folder(process, tmp_path):
    assert process("remember", "x", RECOLLECT_STORE="").code == 0
    assert (tmp_path / "data" / "recollect" / "memory.db").is_file()


def test_a_broken_pipe_ends_quietly(process, environment):
    lines = "\n".join(json.dumps({"content": f"message {number} " + "word " * 200}) for number in range(300))
    assert process("observe", given=lines.encode()).code == 0
    command = [sys.executable, "-m", "recollect", "export", "-"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout.readline().startswith(b"{")
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode in (0, 1)


@pytest.mark.parametrize(
    ("redirected", "words", "code", "told"),
    [
        (">/dev/full", ("recall", "deploys", "--json"), 1, "standard output cannot be written: No space"),
        (">/dev/full", ("recall", "deploys"), 1, "standard output cannot be written: No space"),
        (">/dev/full", ("export", "-"), 1, "standard output cannot be written: No space"),
        (">/dev/full", ("show", "zz", "--json"), 1, "no memory zz"),
        ("2>/dev/full", ("show", "zz"), 1, ""),
        (">&-", ("remember", "Deploys go on"), 0, ""),
        ("2>&-", ("show", "zz"), 1, ""),
        ("<&-", ("remember",), 2, "standard input is closed"),
        ("<&-", ("observe", "-"), 2, "standard input is closed"),
        ("<&-", ("cypher",), 2, "standard input is closed"),
    ],
)
def test_a_stream_that_is_full_or_closed_is_one_line(process, environment, redirected, words, code, told):
    if "full" in redirected and not Path("/dev/full").exists():
        pytest.skip("nothing here is always full")
    process("remember", "Deploys go through staging first")
    command = ["sh", "-c", f'"$0" "$@" {redirected}', sys.executable, "-m", "recollect", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(f"error: {told}") if told else done.stderr == ""
    assert done.stderr.count("\n") == bool(told)


def test_what_a_closed_stream_cannot_tell_is_kept(process, environment):
    command = ["sh", "-c", '"$0" "$@" <&- >&- 2>&-', sys.executable, "-m", "recollect", "remember", "Kept"]
    assert subprocess.run(command, env=environment, timeout=60, check=False).returncode == 0
    assert [one["text"] for one in process("list", "--json").json["memories"]] == ["Kept"]
    assert process("verify").code == 0


def hears_interrupts() -> None:
    """What a shell starts in the background ignores them, and so would all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(running: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Pressed again where it was not heard: Python drops an interrupt that meets a finaliser."""
    for _ in range(10):
        running.send_signal(signal.SIGINT)
        try:
            return running.communicate(timeout=6)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("it goes on whatever is pressed")


def test_an_interruption_ends_with_130_and_no_traceback(environment, service):
    command = [sys.executable, "-m", "recollect", "remember", "slow"]
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hears_interrupts,  # noqa: PLW1509 - no other thread of this process holds a lock that it takes
    ) as running:
        assert service.asked.wait(60)
        out, err = interrupted(running)
    assert (running.returncode, out) == (130, b"")
    assert err.endswith(b"error: interrupted; what was acknowledged is kept\n")


def test_help_waits_for_nothing_that_only_work_needs():
    for words in (("--help",), ("--version",), ("remember", "--help")):
        command = [sys.executable, "-c", BARE, str(Path(recollect.__file__).parent), *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        loaded = set(done.stderr.split())
        assert not loaded & {
            "numpy",
            "apsw",
            "onnxruntime",
            "tokenizers",
            "detect_secrets",
            "snowballstemmer",
        }
        assert "rich" not in loaded or "remember" in words
