"""Attacks that guards of agents and of memories are built against; DATA.md has the licences."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import yaml

from training.injection_reading import document, rows_of, some

# What attacks a machine or asks for something harmful commands nobody's memory.
_CODE = re.compile(r"[{}|;]|\w\(|^\W*(?:\w+ -|curl|aws|az|docker|cat|SELECT|UNION|<script)|://\S+\.sh")
_HARMFUL = re.compile(
    r"^(?:how (?:to|do|can)|explain|describe|outline|write|give (?:a|me|detailed)|create a|provide|generate|teach)\b",
    re.IGNORECASE,
)
_OTHER_KINDS = {"execution", "data", "evasion", "supply", "anomaly"}


def memgar(packages: Path, _: Random) -> Iterator[str]:
    """Of poisoned memories: the examples of its patterns, and what it compares with."""
    root = packages / "memgar/memgar"
    found = [
        str(example)
        for rule in yaml.load((root / "data/patterns.yaml").read_text("utf-8"), yaml.CSafeLoader)
        if rule["category"] not in _OTHER_KINDS
        for example in rule.get("examples") or ()
    ]
    for examples in ast.literal_eval(_assigned(root / "embeddings.py", "THREAT_EXAMPLES")).values():
        found += examples
    for text in [*found, *_cases(root / "pattern_corpus.py", "BASE_ATTACK_CASES")]:
        if not _CODE.search(text) and not _HARMFUL.search(text):
            yield text


def memgar_benign(packages: Path, *_: object) -> Iterator[str]:
    yield from _cases(packages / "memgar/memgar/pattern_corpus.py", "BASE_BENIGN_CASES")


def agentarmor(packages: Path, _: Random) -> Iterator[str]:
    """The first of its examples; those after them ask for something harmful."""
    file = packages / "agentarmor/agentarmor/modules/ml_shield.py"
    for text in ast.literal_eval(_assigned(file, "INJECTION_EXAMPLES")):
        if "nerve gas" in text:
            return
        yield text


_OF_A_SECRET = re.compile(r"secret|password|system|initial|instruct|prompt|previous|first message|above|hidden", re.IGNORECASE)  # fmt: skip


def satml(packages: Path, rng: Random) -> Iterator[str]:
    """What people sent to get a secret out of a model, of those that speak of it."""
    rows = rows_of(packages / "prompt_armor/prompt_armor/data/attacks/known_attacks.jsonl")
    sent = (row["text"] for row in rows if row["source"] == "satml-ctf-2024")
    yield from some(rng, (text for text in sent if _OF_A_SECRET.search(text)), 800)


def memory_guard(*, attack: bool) -> Callable[..., Iterator[str]]:
    """agent-memory-guard: what is written into a memory, and whether it may come back."""

    def read(packages: Path, *_: object) -> Iterator[str]:
        file = packages / "agent_memory_guard/agent_memory_guard/bench/scenarios.py"
        name, place = ("_attack", 5) if attack else ("_benign", 3)
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                # A secret in a memory is no attack on it: secrets are redacted elsewhere.
                sort, text = node.args[1], node.args[place]
                if isinstance(text, ast.Constant) and getattr(sort, "value", "") != "sensitive_data":
                    yield str(text.value)

    return read


def authensor(*, attack: bool) -> Callable[..., Iterator[str]]:
    """Its cases of injection, jailbreaks, poisoned memories and secrets that are sent away."""

    def read(packages: Path, *_: object) -> Iterator[str]:
        for folder in ("prompt-injection", "jailbreak", "memory-poisoning", "exfiltration"):
            for file in sorted((packages / "authensor" / folder).glob("*.json")):
                yield from (case["input"] for case in document(file) if case["expected_detection"] is attack)

    return read


def poisoned(*, attack: bool) -> Callable[..., Iterator[str]]:
    """What the samples of a defence write into a memory."""

    def read(packages: Path, *_: object) -> Iterator[str]:
        for case in document(packages / "aws-memory/test-cases.json"):
            if (case["expectedDecision"] != "ALLOW") is attack:
                yield case["writeContent"]

    return read


def injection_bench(packages: Path, *_: object) -> Iterator[str]:
    """llm-injection-bench: overrides, shifts of context and links that carry secrets away."""
    for name, payloads in document(packages / "llm-injection-bench/payloads.json").items():
        if name != "metadata":
            yield from (payload["text"] for payload in payloads)


def _assigned(file: Path, name: str) -> ast.expr:
    """What a module assigns to a name."""
    for node in ast.parse(file.read_text("utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign) and getattr(targets[0], "id", "") == name:
            assert node.value is not None
            return node.value
    raise LookupError(f"{file} assigns no {name}")


def _cases(file: Path, name: str) -> Iterator[str]:
    """The third argument of each case in a tuple."""
    for call in ast.walk(_assigned(file, name)):
        if isinstance(call, ast.Call):
            yield str(ast.literal_eval(call.args[2]))
