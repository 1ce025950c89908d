"""The page about learning runs as it stands."""

import re
from pathlib import Path

from recollect.testing import HashEmbedder

PAGE = Path(__file__).parents[2] / "docs/learning.md"


def test_its_code_runs_and_says_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("recollect.engine.core.make_embedder", lambda *_: HashEmbedder())
    for code in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL):
        exec(compile(code, PAGE.name, "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "freeze the clock in the test"
    assert lines[-1] == "['make the logout test pass', 'make the login test pass']"
