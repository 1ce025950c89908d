"""The documentation cannot drift from the code: its blocks are run, its tables compared, its names looked up."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import recollect
from recollect import config
from recollect.serve.cli import app
from recollect.serve.http.agents import PATHS
from recollect.testing import HashEmbedder

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
TEST = re.compile(r"`(tests/[\w/]+(?:\.py)?(?:::\w+)?)`")
LINK = re.compile(r"\]\(([^)#:]+)\)")


def blocks(name, language):
    return [code for found, code in BLOCK.findall((ROOT / name).read_text()) if found == language]


def settings_page():
    """The settings as the documentation has them; the file is written anew with RECOLLECT_UPDATE=1."""
    lines = [
        "# Settings",
        "",
        (
            "From the weakest to the strongest: the default, what `recollect config set` keeps in the store for the user,"
            " the environment, and what the caller gives (`Recollect(settings={…})`)."
        ),
        (
            "The store, the user and the channel are `RECOLLECT_STORE`, `RECOLLECT_USER` and `RECOLLECT_CHANNEL`;"
            " an endpoint's key is `RECOLLECT_API_KEY` and is never stored."
            " A number that is stored and not allowed any more is left at its default, with a warning."
        ),
        (
            "A language model or a Redis server that the store names only by half, or in a way that cannot be used,"
            " is told in a warning and not used until it is mended; the caller's own is an error."
        ),
        "",
        "| setting | environment | default | meaning |",
        "|---|---|---|---|",
    ]
    for one in config.SETTINGS.values():
        choices = f" ({', '.join(one.choices)})" if one.choices else ""
        lines.append(f"| `{one.name}` | `{one.variable}` | `{one.default!r}` | {one.about}{choices} |")
    return "\n".join(lines) + "\n"


def test_every_setting_is_documented():
    path = ROOT / "docs/settings.md"
    if os.environ.get("RECOLLECT_UPDATE"):
        path.write_text(settings_page())
    assert path.read_text() == settings_page()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("README.md", "Lisbon"),
        ("docs/working.md", "Where is my order?"),
        ("docs/events.md", "mutex"),
        ("docs/formation.md", "Ada lives in Porto"),
        ("docs/ops.md", '"op": "remember"'),
        ("docs/sharing.md", "Deploys go through staging first"),
        ("docs/audit.md", "recall 1"),
        ("docs/privacy.md", "scout may not write a preference"),
    ],
)
def test_python_blocks_run(name, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("recollect.engine.core.make_embedder", lambda *_: HashEmbedder())
    for code in blocks(name, "python"):
        exec(compile(code, name, "exec"), {})
    assert told in capsys.readouterr().out


@pytest.mark.model
def test_shell_blocks_run_as_they_stand(tmp_path):
    pages = ("README.md", "docs/events.md")
    scripts = [code for page in pages for code in blocks(page, "sh") if "make " not in code]
    assert scripts
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for script in scripts:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Deploys go through staging first" in done.stdout


SERVED = [(page, code) for page in ("docs/http.md", "docs/dashboard.md") for code in blocks(page, "sh")]


@pytest.mark.model
@pytest.mark.parametrize(("page", "code"), SERVED, ids=[page for page, _ in SERVED])
def test_the_minutes_with_the_service_run_as_they_stand(tmp_path, page, code):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code.replace("8420", port) + "wait\n"],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "RECOLLECT_SERVICE_WORKERS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    if "outcome" in code:
        assert '"success":true' in done.stdout
    else:
        asked = ("/remember", "/recall", "/context", "/dashboard")
        wanted = sum(f"{verb} " in code for verb in asked)
        assert done.stdout.count("Deploys go through staging first") >= wanted > 0


@pytest.mark.parametrize("block", blocks("docs/mcp.md", "json"))
def test_what_is_pasted_into_clients_is_json_and_a_command_that_there_is(block):
    told = json.loads(block)
    (server,) = (told.get("mcpServers") or told["servers"]).values()
    if "command" in server:
        done = CliRunner().invoke(app, [*server["args"], "--help"], prog_name=server["command"])
        assert (done.exit_code, "mcp" in done.stdout) == (0, True)
    else:
        assert server["url"].endswith(tuple(PATHS.values()))


def test_every_feature_row_names_tests_and_modules_that_exist():
    rows = [
        line
        for line in (ROOT / "docs/features.md").read_text().splitlines()
        if re.match(r"\| [A-Z]\d+ ", line)
    ]
    assert rows
    for row in rows:
        for name in TEST.findall(row):
            path, _, test = name.partition("::")
            assert (ROOT / path).exists(), f"{path} in {row}"
            assert not test or f"def {test}(" in (ROOT / path).read_text(), f"{test} in {row}"
        for module in re.findall(r"`((?:\w+/)+\w*(?:\.py)?)`", row.split("|")[4]):
            assert (ROOT / module).exists() or (ROOT / "src/recollect" / module).exists(), module


@pytest.mark.parametrize(
    "path", sorted(str(p.relative_to(ROOT)) for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
)
def test_links_lead_somewhere(path):
    for target in LINK.findall((ROOT / path).read_text()):
        assert ((ROOT / path).parent / target).exists(), target


def test_the_benchmark_page_tells_the_committed_results(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.report import rendered

    assert (ROOT / "docs/benchmarks.md").read_text() == rendered()


def test_pages_keep_their_size():
    assert len((ROOT / "README.md").read_text().splitlines()) < 150
    for record in (ROOT / "docs/adr").glob("*.md"):
        assert len(record.read_text().splitlines()) < 40, record.name


def test_the_public_surface_is_sorted_and_complete():
    assert list(recollect.__all__) == sorted(recollect.__all__)
    assert all(hasattr(recollect, name) for name in recollect.__all__)


def test_the_changelog_and_the_package_tell_the_same_version():
    assert f'version = "{recollect.__version__}"' in (ROOT / "pyproject.toml").read_text()
