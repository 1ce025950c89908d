"""What learning is worth: `python -m benchmarks.learning alfworld|ablation|tau|sona|speed|page`, with `--data DIR`.

Each writes benchmarks/results/NAME.json, and the figures in docs/learning.md from what is on record; `page` only those.
Seeds and parts can be played one at a time: what is on record for the others stays.
"""

import argparse
import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.learning_page import PAGE, on_record, page
from benchmarks.measure import commit, known, record, summary
from recollect import Recollect, config
from recollect.assembly import make_embedder
from recollect.evals.playing import PARTS, Plan, compared, play, play_arm
from recollect.evals.sona import sona
from recollect.evals.tau import replay
from recollect.ports import Embedder
from recollect.serve.output import progress
from recollect.testing import HashEmbedder

STEPS, LENGTH, DECISIONS = 50_000, 20, 1_000
"""Of the speed measured: how many steps are stored, how many an episode has, and how many decisions are timed."""
THINGS, PLACES = 40, 25


def household(data: Path, seeds: Iterable[int], arms: Iterable[str]) -> None:
    """Every seed, learning and frozen; each arm is recorded when it is played."""
    for seed in map(str, seeds):
        for arm in arms:
            played = play_arm(data, int(seed), watch=progress, learns=arm == "learning")
            every = dict(known("alfworld").get("arms", {}))
            every[seed] = {**every.get(seed, {}), arm: {**played, "commit": commit()}}
            whole = {one: compared(**told) for one, told in sorted(every.items()) if "learning" in told}
            record("alfworld", {"plan": _size(Plan()), "arms": every, "seeds": whole})


def ablation(data: Path, seeds: Iterable[int], parts: Iterable[str], plan: Plan) -> None:
    """Of each part what is lost without it, or won with it, beside the default on the same games."""
    chosen = [(), *((part,) for part in parts)]
    for ablate in chosen:
        for seed in seeds:
            before = known("ablation")
            told = before.get("arms", {}) if before.get("plan") == _size(plan) else {}
            name = ablate[0] if ablate else "default"
            if not ablate and str(seed) in told.get(name, {}):
                continue
            one = Plan((seed,), plan.rounds, plan.games, plan.experts, ablate, control=False)
            arm = play(data, one, progress)["seeds"][str(seed)]["learning"]
            told = {**told, name: {**told.get(name, {}), str(seed): {**arm, "commit": commit()}}}
            record("ablation", {"plan": _size(plan), "arms": told})


def recorded(data: Path, embedder: Embedder) -> dict[str, Any]:
    """The recorded runs with one embedder, beside what is on record of others."""
    told = {**replay(data, embedder, watch=progress), "commit": commit()}
    return {"embedders": {**known("tau").get("embedders", {}), embedder.name: told}}


def speed(embedder: Embedder, steps: int = STEPS) -> dict[str, Any]:
    """What a decision takes when so many steps are stored, half of them of successes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "steps.db"
        with _opened(path, embedder) as memory:
            began = time.process_time()
            for number in range(steps // LENGTH):
                _episode(memory, number)
            filled = time.process_time() - began
        with _opened(path, embedder) as memory:
            began = time.process_time()
            memory.decide(_state(0, 0), possible=_possible(0))
            first = time.process_time() - began
            wall, used = [], []
            for number in range(DECISIONS):
                state, possible = _state(number, number % LENGTH), _possible(number)
                at, cpu = time.perf_counter(), time.process_time()
                memory.decide(state, possible=possible, task_type=f"kind {number % 7}")
                wall.append((time.perf_counter() - at) * 1e3)
                used.append((time.process_time() - cpu) * 1e3)
            advising = memory._learner().experience.size  # noqa: SLF001 - how many rows are searched
    return {
        "embedder": embedder.name,
        "steps": steps,
        "advising": advising,
        "possible": PLACES,
        "step_cpu_ms": round(filled / steps * 1e3, 3),
        "first_decision_cpu_ms": round(first * 1e3, 1),
        "decision_ms": summary(wall),
        "decision_cpu_ms": summary(used),
    }


def _opened(path: Path, embedder: Embedder) -> Recollect:
    return Recollect(path, user="player", channel="_global", embedder=embedder)


def _episode(memory: Recollect, number: int) -> None:
    run = memory.episode(f"put thing {number % THINGS} away", task_type=f"kind {number % 7}")
    for place in range(LENGTH):
        run.step(f"go to place {(number + place) % PLACES}", state=_state(number, place), action_type="go")
    run.finish(number % 2 == 0)


def _state(number: int, place: int) -> list[str]:
    done = f"go to place {(number + place - 1) % PLACES}" if place else "nothing"
    seen = f"at place {(number + place) % PLACES} there are {number % 13} boxes and a lamp {number}"
    return [f"put thing {number % THINGS} away", done, f"thing {number % THINGS}", seen]


def _possible(number: int) -> list[str]:
    return [f"go to place {(number + place) % PLACES}" for place in range(PLACES)]


def _size(plan: Plan) -> dict[str, int]:
    return {"rounds": plan.rounds, "games": plan.games, "experts": plan.experts}


def numbers(text: str) -> tuple[int, ...]:
    """Several numbers with commas between."""
    return tuple(int(one) for one in text.split(","))


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.learning`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=("alfworld", "ablation", "tau", "sona", "speed", "page"))
    parser.add_argument("--data", type=Path, help="the folder of the benchmark, or of the recorded runs")
    parser.add_argument("--seeds", type=numbers, default=(1, 2, 3, 4))
    parser.add_argument("--arms", default="learning,frozen", help="of alfworld: which are played")
    parser.add_argument("--parts", default=",".join(PARTS), help="what is ablated, comma-separated")
    parser.add_argument("--rounds", type=int, default=Plan().rounds, help="of the ablation")
    parser.add_argument("--games", type=int, default=Plan().games, help="of the ablation, a round")
    parser.add_argument("--hash", action="store_true", help="with the hash embedder instead of the real one")
    options = parser.parse_args(arguments)
    if options.name == "alfworld":
        household(options.data, options.seeds, options.arms.split(","))
    elif options.name == "ablation":
        plan = Plan(rounds=options.rounds, games=options.games)
        ablation(options.data, options.seeds, [part for part in options.parts.split(",") if part], plan)
    elif options.name == "speed":
        record("learning_speed", speed(HashEmbedder()))
    elif options.name != "page":
        chosen = HashEmbedder() if options.hash else make_embedder(config.assembled({}, {}).embedder)
        measure = {
            "tau": lambda: recorded(options.data, chosen),
            "sona": lambda: sona(chosen, watch=progress),
        }
        record(options.name, measure[options.name]())
    PAGE.write_text(page(on_record()), encoding="utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
