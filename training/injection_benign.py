"""Ordinary texts by where they come from; DATA.md has the licences."""

import ast
import csv
import gettext
import json
import re
from collections.abc import Callable, Iterable, Iterator
from email import message_from_bytes
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import yaml

from training import injection_guards, injection_mined
from training.injection_asked import asked
from training.injection_attacks import firewall
from training.injection_made import made_benign
from training.injection_reading import case_text, document, rows_of, some, threat_rules
from training.injection_written import FIELDS, HELD_OUT, name_of, ordinary_of

SHORT = 20
TAKING_OVER = re.compile(
    r"\bDAN\b|jailbreak|no (?:restrictions|limits|filter)|unfiltered|do anything now", re.IGNORECASE
)


def _people(_: Path, data: Path, rng: Random) -> Iterator[str]:
    """Multi-Session Chat: two people talk."""
    for file in sorted((data / "msc").glob("*.jsonl")):
        for line in islice(file.open(encoding="utf-8"), 400):
            yield from some(rng, (turn["text"] for turn in json.loads(line)["dialog"]), 6)


def _realmem(part: int) -> Callable[[Path, Path, Random], Iterator[str]]:
    def read(_: Path, data: Path, rng: Random) -> Iterator[str]:
        for file in sorted((data / "realmem").glob("*.json"))[part::2]:
            turns = [t["content"] for one in document(file)["dialogues"] for t in one["dialogue_turns"]]
            yield from some(rng, filter(None, turns), 2500)

    return read


def _passages(_: Path, data: Path, rng: Random) -> Iterator[str]:
    for file in sorted((data / "multihop").glob("*.json")):
        yield from some(rng, (one["text"] for one in document(file)["corpus"]), 600)


def _instructions(packages: Path, _: Path, __: Random) -> Iterator[str]:
    """Self-Instruct: what people ask a model to do, with what to do it to."""
    root = packages / "self-instruct"
    for name in ("data/seed_tasks.jsonl", "human_eval/user_oriented_instructions.jsonl"):
        for task in rows_of(root / name):
            for one in task["instances"]:
                yield f"{task['instruction']}\n{one['input']}"
                yield one["output"]


def _agents(packages: Path, _: Path, rng: Random) -> Iterator[str]:
    """BFCL: what people ask agents with tools to do."""
    for name in (
        "live_multiple",
        "live_irrelevance",
        "multi_turn_base",
        "live_simple",
        "multi_turn_miss_param",
    ):
        path = packages / f"bfcl_eval/bfcl_eval/data/BFCL_v4_{name}.json"
        asked = [
            turn["content"]
            for case in rows_of(path)
            for turns in case["question"]
            for turn in turns
            if turn["role"] == "user"
        ]
        yield from some(rng, asked, 500)


def _support(packages: Path, _: Path, rng: Random) -> Iterator[str]:
    """tau2 and others in inspect-evals: policies, tickets, mails, memories and what is asked about them."""
    root = packages / "inspect_evals/inspect_evals"
    for file in sorted((root / "tau2/data").rglob("*.md")) + sorted((root / "tau2/data").rglob("*.txt")):
        yield from re.split(r"\n\s*\n", file.read_text("utf-8"))
    for domain in ("retail", "airline"):
        for task in document(root / f"tau2/data/domains/{domain}/tasks.json"):
            yield from (v for v in task["user_scenario"]["instructions"].values() if isinstance(v, str))
    for file in sorted((root / "persistbench/benchmark_samples").glob("*.jsonl")):
        rows = rows_of(file)
        yield from (row["query"] for row in rows)
        yield from some(rng, (memory for row in rows for memory in row["memories"]), 600)
    with (root / "gdm_stealth/solver/cover_your_tracks/email.csv").open(encoding="utf-8") as file:
        yield from (row["content"] for row in csv.DictReader(file))
    for task in document(root / "agent_bench/data/agent_bench_os_test.json"):
        yield task["description"]


def _mails(packages: Path, _: Path, __: Random) -> Iterator[str]:
    """The mails, files and pages of agentdojo without what is injected into them."""
    for file in sorted((packages / "agentdojo/agentdojo/data/suites").rglob("*.yaml")):
        told = re.sub(r"\{\w+\}|!include", "", file.read_text("utf-8"))
        yield from _strings(yaml.safe_load(told))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def _lookalikes(packages: Path, _: Path, __: Random) -> Iterator[str]:
    """What the threat rules and memgar must not take for an attack, and prompt-armor's exemplars."""
    for rule in threat_rules(packages):
        yield from (case_text(case) for case in (rule.get("test_cases") or {}).get("true_negatives") or ())
    yield from injection_guards.memgar_benign(packages)
    yield from (
        row["text"]
        for row in rows_of(packages / "prompt_armor/prompt_armor/data/attacks/benign_exemplars.jsonl")
    )


FREE = re.compile(r"\b(?:MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Zlib)\b", re.IGNORECASE)


def _readmes(part: int) -> Callable[[Path, Path, Random], Iterator[str]]:
    """Paragraphs of packages' descriptions, every other package."""

    def read(packages: Path, _: Path, rng: Random) -> Iterator[str]:
        files = sorted(packages.glob("readmes/*/METADATA"), key=lambda file: file.parent.name)
        for file in files[part::2]:
            told = message_from_bytes(file.read_bytes())
            stated = " ".join(
                [
                    *map(str, told.get_all("License", [])),
                    *map(str, told.get_all("License-Expression", [])),
                    *map(str, told.get_all("Classifier", [])),
                ]
            )
            if FREE.search(stated):
                text = str(told.get_payload())
                yield from some(rng, re.split(r"\n\s*\n", text), 25)
                yield from some(rng, (text[at : at + 2000] for at in range(0, len(text), 2000)), 4)

    return read


def _manuals(packages: Path, _: Path, rng: Random) -> Iterator[str]:
    """Long technical prose: what Python's own modules say of themselves, and the pages of inspect-evals."""
    for file in sorted(Path(ast.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                told = ast.get_docstring(node) or ""
                yield told[:4000] if len(told) > 150 else ""
    for file in sorted((packages / "inspect_evals/inspect_evals").glob("*/README.md")):
        text = file.read_text("utf-8")
        yield from some(rng, (text[at : at + 2500] for at in range(0, len(text), 2500)), 3)


def _airline(_: Path, data: Path, rng: Random) -> Iterator[str]:
    """The published runs of tau-bench: a customer, an agent and its tools."""
    runs = document(data / "tau_bench/gpt-4o-airline.json")
    found = [m["content"] for run in runs for m in run["traj"] if m["role"] != "system" and m.get("content")]
    yield from some(rng, found, 1500)


def _turkish(packages: Path, _: Path, rng: Random) -> Iterator[str]:
    """What Django and others say in Turkish."""
    names = ("django", "wagtail", "django_cms", "djangorestframework", "mezzanine", "django_oscar", "kolibri")
    for file in (mo for name in names for mo in sorted((packages / name).rglob("tr/LC_MESSAGES/django.mo"))):
        yield from some(rng, _translated(file), 800)


def _translated(file: Path) -> list[str]:
    with file.open("rb") as opened:
        told = gettext.GNUTranslations(opened)._catalog  # noqa: SLF001 - the only list of what it holds
    return [text for text in told.values() if isinstance(text, str)]


_TONGUES = (
    "de",
    "fr",
    "es",
    "it",
    "pt_BR",
    "nl",
    "pl",
    "ru",
    "uk",
    "el",
    "ar",
    "fa",
    "zh_Hans",
    "ko",
    "ja",
    "hi",
    "vi",
)


def _tongues(packages: Path, _: Path, rng: Random) -> Iterator[str]:
    """What Django and Wagtail say in other languages: the embedder knows little of them, which must not decide."""
    for tongue in _TONGUES:
        texts = (
            text
            for name in ("django", "wagtail")
            for file in sorted((packages / name).rglob(f"{tongue}/LC_MESSAGES/django.mo"))
            for text in _translated(file)
        )
        yield from some(rng, (text for text in texts if len(text) > SHORT), 120)


def _roles(packages: Path, _: Path, rng: Random) -> Iterator[str]:
    """prompts.chat: the parts that people let an assistant play."""
    csv.field_size_limit(1 << 24)
    with (packages / "prompts.chat/prompts.csv").open(encoding="utf-8") as file:
        found = [row["prompt"] for row in csv.DictReader(file) if not TAKING_OVER.search(row["prompt"])]
    yield from some(rng, found, 700)


def _asked(_: Path, __: Path, rng: Random) -> Iterator[str]:
    yield from asked(rng)


def _written(_: Path, __: Path, rng: Random) -> Iterator[str]:
    yield from made_benign(rng)


def _notinject(packages: Path, _: Path, __: Random) -> Iterator[str]:
    for name in ("one", "two", "three"):
        yield from (row["prompt"] for row in document(packages / f"PIGuard/NotInject_{name}.json"))


def _wildguard(packages: Path, _: Path, __: Random) -> Iterator[str]:
    yield from (row["prompt"] for row in document(packages / "PIGuard/wildguard.json"))


def _locomo(_: Path, data: Path, __: Random) -> Iterator[str]:
    for one in document(data / "locomo.json"):
        for name, session in one["conversation"].items():
            if re.fullmatch(r"session_\d+", name):
                yield from (turn["text"] for turn in session)


def _beam(_: Path, data: Path, rng: Random) -> Iterator[str]:
    found = []
    for file in sorted((data / "beam-100k").glob("*/chat.json")):
        for batch in document(file):
            found += [m["content"].split("->->")[0] for turn in batch["turns"] for m in turn]
    yield from some(rng, found, 3000)


def _tau(_: Path, data: Path, rng: Random) -> Iterator[str]:
    found = []
    for file in sorted((data / "tau_bench").glob("[!g]*.json")):
        for run in document(file):
            found += [
                m["content"]
                for m in run["traj"]
                if isinstance(m.get("content"), str) and m["role"] != "system"
            ]
    yield from some(rng, found, 3000)


def _stsb_tr(_: Path, data: Path, rng: Random) -> Iterator[str]:
    for file in sorted((data / "turkish/stsb_tr").glob("stsb_tr_*.tsv")):
        rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()[1:]]
        yield from some(rng, (row[-1] for row in rows), 1000)


def _tquad(_: Path, data: Path, rng: Random) -> Iterator[str]:
    for file in sorted((data / "turkish/tquad").rglob("*.json")):
        for one in document(file)["data"]:
            for paragraph in one["paragraphs"]:
                yield paragraph["context"]
                yield from some(rng, (qa["question"] for qa in paragraph["qas"]), 2)


_Benign = Callable[[Path, Path, Random], Iterable[str]]
BENIGN: dict[str, _Benign] = {
    "msc": _people,
    "realmem": _realmem(0),
    "passages": _passages,
    "self-instruct": _instructions,
    "bfcl": _agents,
    "support": _support,
    "agentdojo-mails": _mails,
    "look-alikes": _lookalikes,
    "readmes": _readmes(0),
    "manuals": _manuals,
    "tau-airline": _airline,
    "django-tr": _turkish,
    "django-others": _tongues,
    "prompts.chat": _roles,
    "asked": _asked,
    "made-benign": _written,
    "firewall-benign": firewall("benign"),
    "memory-guard-benign": injection_guards.memory_guard(attack=False),
    "aws-memory-benign": injection_guards.poisoned(attack=False),
    **{f"{name}-benign": injection_mined.mined(name, attack=False) for name in injection_mined.BENIGN},
    **{f"{name_of(field)}-ordinary": ordinary_of(field) for field in FIELDS},
}
FOREIGN: dict[str, _Benign] = {
    "realmem-others": _realmem(1),
    "locomo": _locomo,
    "beam": _beam,
    "tau-bench": _tau,
    "readmes-others": _readmes(1),
    "notinject": _notinject,
    "wildguard-benign": _wildguard,
    "stsb-tr": _stsb_tr,
    "tquad": _tquad,
    "authensor-benign": injection_guards.authensor(attack=False),
    f"{name_of(HELD_OUT)}-ordinary": ordinary_of(HELD_OUT),
}
