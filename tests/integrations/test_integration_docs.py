"""Every block of the page on integrations runs as it stands, where its framework is installed."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from recollect.testing import HashEmbedder

PAGE = (Path(__file__).parents[2] / "docs/integrations.md").read_text()
SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^(?:from|import) (\w+)", re.MULTILINE)
FRAMEWORKS = {
    "LangGraph": "langgraph",
    "LangChain": "langchain_core",
    "OpenAI Agents": "agents",
    "Anthropic's memory tool": "anthropic",
}
BLOCKS = [(title, code) for title, text in SECTION.findall(PAGE) for code in BLOCK.findall(text)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("title", "code"), BLOCKS, ids=[title for title, _ in BLOCKS])
def test_a_block_runs(title, code, tmp_path, monkeypatch):
    needed = FRAMEWORKS.get(title)
    missing = [name for name in {*IMPORT.findall(code), needed} - {None} if find_spec(name) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not installed: run by make test-integrations")
    monkeypatch.chdir(tmp_path)
    for module in ("recollect.engine.core", "recollect.integrations.tenants"):
        monkeypatch.setattr(f"{module}.make_embedder", lambda *_: HashEmbedder())
    exec(compile(code, title, "exec"), {"__name__": "__main__"})
