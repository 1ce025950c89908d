"""Attacks and ordinary texts in the tests and data of packages that guard agents, by the names that they stand under.

`ATTACKS = [...]`, `def test_detects_override`, `{"text": ..., "label": "benign"}`: what the nearest name that decides
says. Names are often wrong, so an attack must also speak to the machinery, and an ordinary text must not be known to
the rules.
"""

import ast
import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import yaml

from recollect.language.injection import by_rules
from training.injection_reading import some

# DATA.md has their versions and licences.
ATTACKS = (
    "aegis-shield", "agent-immune", "agentarmor-tests", "agentfirewall", "aliakarma", "injectguard", "injectionguard",
    "langkit", "llm-guard", "llm-guardrail", "llm-scanner", "memguard", "memory-firewall", "mnemosyne-guard",
    "prompt-guard", "prompt-hacker", "prompt-shield", "promptbreaker", "promptgate", "securellm", "sentinelguard",
    "sookoothaii",
)  # fmt: skip
"""A folder each: an unpacked source distribution, or the files of a repository."""
BENIGN = (
    "aegis-shield", "agentarmor-tests", "aliakarma", "llm-guardrail", "memguard", "memory-firewall", "memshield",
    "mnemosyne-guard", "prompt-guard", "prompt-shield", "promptgate", "securellm", "sentinelguard", "sookoothaii",
)  # fmt: skip
MOST = 400
"""So many texts of one package at most, of each kind."""

_ATTACK = re.compile(
    r"inject|attack|malicious|jailbreak|poison|overrid|exfil|hijack|extract|leak|payload|adversar|true_?positive|evasi|"
    r"role_?play|\bdan\b|threat|unsafe|hostile|steal|escalat|manipul|social_?eng|blocked|positives|detects|detected|smuggl",
    re.IGNORECASE,
)
_BENIGN = re.compile(
    r"benign|(?<!un)safe(?!ty|guard)|clean|legit|normal|harmless|false_?pos|negative|allow|\bham\b|innocent|ordinary|"
    r"not_?(?:block|flag|detect|trigger|inject|become|match)|no_?(?:match|detect|false|flag|inject|threat)|innocuous|near_?miss|non_?malicious",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"sql|xss|pii|toxic|credential|comm?a?n?d_inj|travers|ssrf|hallucin|bias|regex|pattern|descr|remediat|message|reason|"
    r"title|name|summary|reference|rationale|explan|help|doc|usage|schema|error|api_key|code_|shell|ssti|supply|keyword|"
    r"expected|judge|config|template|mitig|output|log_|violence|drug|weapon|crime|self_harm|sexual|harmful",
    re.IGNORECASE,
)
_LABELS = ("label", "is_malicious", "is_injection", "malicious", "is_attack", "expected", "expected_detection", "expected_label", "should_block", "should_detect", "category", "type", "kind", "is_safe", "is_benign")  # fmt: skip
_TEXTS = ("text", "prompt", "input", "content", "payload", "user_input", "attack", "query", "example", "injection", "body")  # fmt: skip
_YES = {"1", "true", "injection", "malicious", "jailbreak", "attack", "unsafe", "block", "blocked", "poisoned", "prompt_injection"}  # fmt: skip
_NO = {"0", "false", "benign", "safe", "clean", "normal", "legitimate", "allow", "allowed", "negative", "none", "pass"}  # fmt: skip
_PROGRAM = re.compile(
    r"\\[bswdWSB(.\[]|\(\?|\[\^|\.\*|\[a-z|\]\+|\{\d,|^\s*(?:def |class |import |from \w+ import|<script|SELECT |DROP |curl |rm -)|"
    r"\bassert\b|^[\w./-]+$|os\.system|\bself\."
)
_REPORT = re.compile(
    r"^\W*(?:tests? |testing|detect(?:s|ed|ing|ion)?\b|checks?\b|should\b|scan|returns?\b|rule\b|attempts? |the agent (?:did|should)|"
    r"make the agent|evaluat|blocked|possible|potential|found\b|flag)|\bdetect(?:ion|or|ed)\b",
    re.IGNORECASE,
)
_TO_THE_MACHINERY = re.compile(
    r"ignor|disregard|forget|overrid|bypass|instruct|prompt|\bsystem\b|you are (?:now|an?)\b|you're now|pretend|act as|"
    r"role|(?:developer|debug|admin|god|dan|maintenance)[ _-]mode|jailbr|\bDAN\b|restrict|unfilter|filter|guideline|"
    r"\brules?\b|memor|remember|from now on|for (?:all )?future|reveal|repeat|exfil|"
    r"admin|authori[sz]|approv|transfer|hidden|assistant|\bAI\b|\bLLM\b|\bmodel\b|the user|without (?:asking|confirm)|"
    r"do not (?:tell|mention|inform)|[^\x00-\x7f]{6}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://\S+")
_SHORTEST, _LONGEST, _FEWEST_WORDS, _LARGEST = 16, 8000, 4, 6_000_000
_SKIPPED = re.compile(r"node_modules|/\.git|lock\.|results?/|locale|/logs/|evaluation_outputs|artifacts|/models?/|train|/public/")  # fmt: skip
_NOT_TEXT = re.compile("compile|search|match|log|print|warn|info|debug|error|Field|add_argument|option")

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.keyword, ast.Assign, ast.AnnAssign)

Found = Iterator[tuple[str, bool]]


def mined(name: str, *, attack: bool) -> Callable[..., Iterable[str]]:
    """What one package holds of one kind."""

    def read(packages: Path, *rest: Any) -> Iterable[str]:
        rng: Random = rest[-1]
        texts = (text for text, attacks in _texts(packages / name) if attacks is attack)
        fits = _attacks if attack else _ordinary
        return some(rng, filter(fits, texts), MOST)

    return read


def speaks_to_it(text: str) -> bool:
    """Whether a text has at least a word that attacks on the machinery have, or is in another script."""
    return _TO_THE_MACHINERY.search(text) is not None


def _attacks(text: str) -> bool:
    return speaks_to_it(text) and not _REPORT.search(text)


def _ordinary(text: str) -> bool:
    return by_rules(text) is None and not _REPORT.search(text)


def _texts(root: Path) -> Found:
    for file in sorted(root.rglob("*")):
        inside = file.relative_to(root)
        if not file.is_file() or file.stat().st_size > _LARGEST or _SKIPPED.search(f"/{inside}"):
            continue
        names = (file.stem, *inside.parts[-2:-4:-1])
        if file.suffix == ".py":
            yield from _of_code(file, names)
        elif (read := _DOCUMENTS.get(file.suffix)) is not None:
            yield from _of_document(read, file, names)


def _of_code(file: Path, names: tuple[str, ...]) -> Found:
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return
    yield from _in_code(tree, names)


def _of_document(read: Callable[[str], Any], file: Path, names: tuple[str, ...]) -> Found:
    try:
        found = read(file.read_text("utf-8"))
    except (ValueError, yaml.YAMLError, csv.Error):
        return
    yield from _in_value(found, names)


def _rows(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


_DOCUMENTS: dict[str, Callable[[str], Any]] = {
    ".json": json.loads,
    ".jsonl": _rows,
    ".yaml": lambda text: list(yaml.load_all(text, yaml.CSafeLoader)),
    ".yml": lambda text: list(yaml.load_all(text, yaml.CSafeLoader)),
    ".csv": lambda text: list(csv.DictReader(text.splitlines())),
}


def _is_text(value: object) -> bool:
    if not isinstance(value, str) or not _SHORTEST <= len(value) <= _LONGEST or _PROGRAM.search(value):
        return False
    told = _ADDRESS.sub(" ", value)
    return len(re.findall(r"[^\W\d_]{2,}", told)) >= _FEWEST_WORDS or not value.isascii()


def _said_by(names: Iterable[object]) -> bool | None:
    """What the nearest name that decides says: an attack, ordinary, or neither."""
    for name in names:
        told = str(name or "")
        if _BENIGN.search(told):
            return False
        if _OTHER.search(told) and not re.search(r"prompt_?inj|jailbreak|system_prompt|memory_poi", told):
            return None
        if _ATTACK.search(told):
            return True
    return None


def _labelled(row: Mapping[str, Any]) -> bool | None:
    if row.get("expected_valid") is True:  # what is not may break any rule
        return False
    for key in _LABELS:
        said = str(row.get(key, "")).strip().lower().replace(" ", "_").replace("-", "_")
        turned = key in {"is_safe", "is_benign"}
        if said in _NO or (said and _BENIGN.search(said)):
            return turned
        if said in _YES or (said and not said.isdigit() and _ATTACK.search(said)):
            return not turned
    return None


def _in_value(value: Any, names: tuple[object, ...]) -> Found:
    if isinstance(value, Mapping):
        row = {str(key).lower(): one for key, one in value.items()}
        text = next((row[key] for key in _TEXTS if _is_text(row.get(key))), None)
        if text is None:
            for key, one in row.items():
                yield from _in_value(one, (key, *names))
            return
        said = _labelled(row)
        said = _said_by((row.get("id"), *names)) if said is None else said
        if said is not None:
            yield text, said
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _in_value(one, names)
    elif _is_text(value) and (said := _said_by(names)) is not None:
        yield value, said


def _in_code(node: ast.AST, names: tuple[object, ...]) -> Found:
    if isinstance(node, ast.Constant | ast.Dict):
        with suppress(ValueError):
            yield from _in_value(ast.literal_eval(node), names)
        return
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Compare):
        return
    inner = (_name(node), *names) if isinstance(node, _NAMED) and _name(node) else names
    if isinstance(node, ast.Call) and _NOT_TEXT.search(str(_name(node.func))):
        return
    if isinstance(node, ast.Call) and _name(node.func) == "parametrize" and (rows := _rows_of_cases(node)):
        yield from _in_value(rows, inner)
        return
    parts = [node.test] if isinstance(node, ast.Assert) else ast.iter_child_nodes(node)
    for part in parts:
        if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):  # a docstring
            yield from _in_code(part, inner)


def _rows_of_cases(call: ast.Call) -> list[dict[str, Any]]:
    """The cases of a test with several arguments, by name: one of them may say what the text is."""
    if len(call.args) < 2 or not isinstance(call.args[1], ast.List | ast.Tuple):
        return []
    names = [name.strip() for name in str(_literal(call.args[0])).split(",")]
    return [
        {
            name: told
            for name, value in zip(names, row.elts, strict=True)
            if (told := _literal(value)) is not None
        }
        for row in call.args[1].elts
        if isinstance(row, ast.Tuple) and len(row.elts) == len(names) > 1
    ]


def _literal(node: ast.AST) -> Any:
    """What is written there, or None where it is no plain value."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def _name(node: ast.AST) -> str:
    """What a function, a class, an argument or what is assigned is called."""
    if isinstance(node, ast.Assign):
        return _name(node.targets[0])
    if isinstance(node, ast.AnnAssign):
        return _name(node.target)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.keyword):
        return node.arg or ""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
