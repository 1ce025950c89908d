"""What a project ignores, as git reads it: compared with git itself."""

import subprocess

import pytest

from recollect.write.ignoring import ignored_by


@pytest.fixture
def project(tmp_path):
    repository = tmp_path / "repository"
    (repository / "src" / "deep").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    (tmp_path / ".gitignore").write_text("*.py\n")
    (repository / ".gitignore").write_text("*.log\n!keep.log\nbuild/\n/top.txt\nsrc/**/made.*\n")
    (repository / "src" / ".gitignore").write_text("!debug.log\nlocal.*\n")
    return repository


@pytest.mark.parametrize(
    "path",
    [
        "a.log",
        "keep.log",
        "src/debug.log",
        "src/other.log",
        "src/deep/debug.log",
        "build/out.txt",
        "src/build/out.txt",
        "top.txt",
        "src/top.txt",
        "src/deep/made.c",
        "local.txt",
        "src/local.txt",
        "src/main.py",
    ],
)
def test_it_agrees_with_git(project, path):
    said = subprocess.run(
        ["git", "-C", str(project), "check-ignore", "-q", "--no-index", path],
        check=False,
        capture_output=True,
    )
    assert (ignored_by(str(project / path)) is not None) == (said.returncode == 0)


def test_secretsignore_speaks_for_itself(project):
    (project / ".secretsignore").write_text("customers.csv\n")
    assert ignored_by(str(project / "src" / "customers.csv")) == str(project / ".secretsignore")
    (project / ".gitignore").write_text("!customers.csv\n")
    assert ignored_by(str(project / "src" / "customers.csv")) is not None


def test_a_relative_path_is_one_of_this_folder(project, monkeypatch):
    monkeypatch.chdir(project / "src")
    assert ignored_by("other.log") == str(project / ".gitignore")
    assert ignored_by("../keep.log") is None


@pytest.mark.parametrize("path", ["\0", "~nobody-here/x", "/", "x" * 10_000])
def test_odd_paths_are_not_ignored_and_break_nothing(path):
    assert ignored_by(path) is None
