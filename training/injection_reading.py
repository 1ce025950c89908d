"""How the files of packages are read, for attacks and ordinary texts alike."""

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import yaml


def document(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def rows_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def some(rng: Random, found: Iterable[str], count: int) -> list[str]:
    """At most so many, whichever."""
    texts = list(dict.fromkeys(found))
    return rng.sample(texts, min(count, len(texts)))


def threat_rules(packages: Path) -> Iterator[dict[str, Any]]:
    for file in sorted((packages / "agent-threat-rules/package/rules").rglob("*.yaml")):
        yield yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)


def case_text(case: dict[str, Any]) -> str:
    for field in ("input", "tool_response", "user_input", "content", "tool_description"):
        if isinstance(case.get(field), str):
            return case[field]
    return ""


def constants(file: Path) -> dict[str, list[str]]:
    """The strings that a module assigns, by name: its classes' attributes and what its tables hold."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                name = getattr(target, "id", getattr(target, "attr", ""))
                found.setdefault(name, []).extend(_literals(node.value))
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    found.setdefault(key.value, []).extend(_literals(value))
        elif isinstance(node, ast.Call):
            found.setdefault("", []).extend(one for arg in node.args for one in _literals(arg))
    return found


def _literals(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            part.value if isinstance(part, ast.Constant) else "www.example-252.com" for part in node.values
        )
    elif isinstance(node, ast.BinOp):
        yield "".join([*_literals(node.left), *_literals(node.right)])
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        for one in node.elts:
            yield from _literals(one)
