"""What only a terminal is shown: colours, wrapped lines, progress."""

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest
from rich.text import Text

from recollect.serve.options import Common
from recollect.serve.output import printed, progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "30")


def shown(text: Text, *, json: bool = False) -> str:
    with redirect_stdout(Terminal()) as stream:
        printed(Common(json=json), {"a": "ü"}, lambda: text)
    return stream.getvalue()


def test_a_terminal_gets_colours_and_wrapped_lines():
    out = shown(Text("many words " * 9, style="green"))
    assert "\x1b[32m" in out
    assert out.count("\n") > 3


def test_no_color_is_honoured(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(Text("words", style="green")) == "words\n"


def test_json_is_plain_even_there():
    assert shown(Text("never"), json=True) == '{\n  "a": "ü"\n}\n'


def test_progress_is_shown_to_a_terminal_only():
    with redirect_stderr(Terminal()) as stream, progress("observing") as heard:
        heard(1, 2)
        heard(2, 2)
    assert "observing" in stream.getvalue()
    with redirect_stderr(io.StringIO()) as stream, progress("observing") as heard:
        assert heard is None
    assert stream.getvalue() == ""
